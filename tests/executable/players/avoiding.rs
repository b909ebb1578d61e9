//! The strong engine avoids what has lost before.

use super::learning::{fresh, lessons};
use kroo::game::{Game, MOVE_LIMIT, Move, Position, Side, Variant};
use kroo::level::{Level, Strength};
use kroo::players::{Kroo, Player, Silent, Turn};
use std::fs;
use support::client::Client;

#[test]
fn the_strong_engine_does_not_lose_the_same_game_twice() {
    let (_folder, path) = fresh();
    let start = "0-4-1-1-0-8-3-1-1-0-4-2-11-12-S";
    let position = Position::parse(Variant::Awari, start).expect("a position");
    let mut learner = Kroo::new(Variant::Awari, Some(&path)).expect("a file");
    let mut games: Vec<Vec<Move>> = Vec::new();
    for number in 0..6 {
        let mut game = Game::new(position);
        let mut teacher = Kroo::default();
        while game.position().verdict().is_none() && game.moves().len() < MOVE_LIMIT {
            let mut turn = Turn::new(&game);
            let mine = game.position().side() == Side::South;
            turn.request.depth = if mine { 1 } else { 8 };
            let player: &mut dyn Player = if mine { &mut learner } else { &mut teacher };
            let report = player.choose(&turn, &mut Silent);
            game.play(report.pv[0]).expect("legal");
        }
        if !learner.learn(&game, Side::South) {
            break;
        }
        assert_eq!(lessons(&path).len(), number + 2);
        games.push(game.moves().to_vec());
    }
    assert!(games.len() >= 2, "it is too weak not to lose");
    assert!(games.windows(2).any(|pair| pair[0] != pair[1]), "it plays otherwise");
    // The file tells another engine the same.
    let mut other = Kroo::new(Variant::Awari, Some(&path)).expect("a file");
    let mut turn = Turn::new(&Game::new(position));
    turn.request.depth = 1;
    let ask = |player: &mut Kroo| {
        let report = player.choose(&turn, &mut Silent);
        (report.pv, report.score)
    };
    assert_eq!(ask(&mut other), ask(&mut learner));
}

/// South thinks better of its first move than what it has in its store when the limit ends the game.
#[test]
fn a_game_that_the_move_limit_ends_is_learned_from() {
    let (_folder, path) = fresh();
    let learn = path.to_str().expect("text");
    let mut client = Client::with_flags(&["--variant", "kalah", "--learnfile", learn]);
    let game = "position fen 5-7-7-7-5-4-0-0-0-0-1-0-2-10-S moves";
    for (limit, lines) in [("250", 1), ("5", 1), ("0", 1), ("4", 2)] {
        client.set("MoveLimit", limit);
        client.accepts("ucinewgame");
        for (moves, answer) in [("", 'A'), ("Ae", 'B')] {
            client.accepts(&format!("{game} {moves}"));
            assert_eq!(client.go(&format!("go depth 1 searchmoves {answer}")).letter(), answer);
        }
        client.accepts(&format!("{game} AeBf"));
        client.sync();
        assert_eq!(lessons(&path).len(), lines, "MoveLimit {limit}");
    }
    client.quit_cleanly();
}

#[test]
fn the_strong_engine_learns_over_the_protocol() {
    let (_folder, path) = fresh();
    let learn = path.to_str().expect("text");
    let mut client = Client::with_flags(&["--variant", "kalah", "--learnfile", learn]);
    client.accepts("position startpos");
    let first = client.go("go depth 5");
    let liked = first.letter();
    // It has lost a game with this move: the other side plays what it finds, it plays what is asked of it.
    let mut teacher = Kroo::default();
    let mut game = Game::new(Position::start(Variant::Kalah));
    let mut moves = String::new();
    while game.position().verdict().is_none() {
        let letter = if game.position().side() == Side::South {
            let worst = game.position().moves().pop().expect("a move").letter();
            let wanted = if moves.is_empty() { liked } else { worst };
            client.accepts(&format!("position startpos moves {moves}"));
            client.go(&format!("go depth 3 searchmoves {wanted}")).letter()
        } else {
            let mut turn = Turn::new(&game);
            turn.request.depth = 6;
            teacher.choose(&turn, &mut Silent).pv[0].letter()
        };
        moves.push(letter);
        game.play(Move::from_letter(letter).expect("a letter")).expect("legal");
    }
    assert_eq!(game.position().verdict_for(Side::South), Some(kroo::game::Verdict::Loss), "{moves}");
    for _ in 0..2 {
        client.accepts(&format!("position startpos moves {moves}"));
    }
    let lines = lessons(&path);
    assert!(
        lines.len() == 2 && lines[1].starts_with(&format!("kroo kalah S startpos {moves} ")),
        "{lines:?}"
    );
    client.quit_cleanly();
    // The penalty of the blamed move is large enough to avoid it, and shows in the score.
    fs::write(&path, format!("kroo learn 1\nkroo kalah S startpos {liked} 1 2000.\n")).expect("written");
    let mut client = Client::with_flags(&["--variant", "kalah", "--learnfile", learn]);
    client.accepts("position startpos");
    let other = client.go("go depth 5");
    assert_ne!(other.letter(), liked);
    client.set("MultiPV", "6");
    let all = client.go("go depth 5");
    let scores: Vec<_> =
        all.infos[all.infos.len() - 6..].iter().map(|info| (info.multipv, info.pv[0].letter())).collect();
    assert_eq!(scores[5], (Some(6), liked), "{scores:?}");
    client.set("MultiPV", "1");
    // Only it may be played: then it is.
    assert_eq!(client.go(&format!("go depth 3 searchmoves {liked}")).letter(), liked);
    // Without the file it is as it was.
    client.accepts("setoption name LearnFile value <empty>");
    client.accepts("ucinewgame");
    let again = client.go("go depth 5");
    assert_eq!((again.letter(), again.nodes()), (liked, first.nodes()));
    client.quit_cleanly();
}

/// A level below `full` plays as if there were no file: it is to stay as strong as it is. The full engine still learns from
/// the games that it loses.
#[test]
fn a_level_learns_for_the_full_engine_only() {
    let (_folder, path) = fresh();
    let mut learner = Kroo::new(Variant::Awari, Some(&path)).expect("a file");
    let mut teacher = Kroo::default();
    let weak = |game: &Game| Turn { strength: Strength::Level(Level::Initiation), ..Turn::new(game) };
    let mut game = Game::new(Position::start(Variant::Awari));
    let mut before = Vec::new();
    while game.position().verdict().is_none() && game.moves().len() < MOVE_LIMIT {
        let report = if game.position().side() == Side::South {
            before.push(game.clone());
            learner.choose(&weak(&game), &mut Silent)
        } else {
            let mut turn = Turn::new(&game);
            turn.request.depth = 6;
            teacher.choose(&turn, &mut Silent)
        };
        game.play(report.pv[0]).expect("legal");
    }
    assert!(learner.learn(&game, Side::South), "it is too weak not to lose");
    assert_eq!(lessons(&path).len(), 2);
    let mut without = Kroo::default();
    for game in &before {
        let ask = |player: &mut Kroo| {
            let report = player.choose(&weak(game), &mut Silent);
            (report.pv, report.score)
        };
        assert_eq!(ask(&mut learner), ask(&mut without), "{}", game.position());
    }
    // The full engine does mind: it values all moves of the start to take the penalties off.
    let mut turn = Turn::new(&before[0]);
    turn.request.depth = 1;
    let nodes = |player: &mut Kroo| player.choose(&turn, &mut Silent).nodes;
    assert!(nodes(&mut learner) > nodes(&mut without));
}
