//! Reports of a search are reproducible and legal.

use super::playing;
use kroo::game::{Game, Move, Variant};
use kroo::protocol::{Info, Reply};
use support::client::{Client, Search, result};
use support::games::random_game;
use support::one_of;

/// Every line is legal to its last move.
fn assert_legal(game: &Game, search: &Search) {
    for info in &search.infos {
        let mut line = game.clone();
        for &mv in &info.pv {
            line.play(mv).unwrap_or_else(|error| panic!("{} {info}: {mv}: {error}", game.position()));
        }
        assert!(!info.pv.is_empty(), "{info}");
    }
    let mut answer = game.clone();
    for mv in [search.best, search.ponder].into_iter().flatten() {
        answer.play(mv).unwrap_or_else(|error| panic!("{} {search:?}: {error}", game.position()));
    }
    assert!(search.best.is_some());
}

/// Searches positions of random games, and looks at what comes of it.
fn search_games(limits: &[&str], check: impl Fn(&Game, &Search)) {
    for &variant in Variant::ALL {
        let mut client = playing(variant);
        for seed in (0..24).step_by(one_of(2)) {
            let game = random_game(variant, seed, 3 + 5 * seed as usize);
            if game.position().verdict().is_some() {
                continue;
            }
            let list: String = game.moves().iter().map(Move::to_string).collect();
            client.accepts(&format!("position startpos moves {list}"));
            assert_eq!(client.shows(), (game.position().to_string(), result(game.position())));
            for limit in limits {
                let search = client.go(&format!("go {limit}"));
                check(&game, &search);
            }
        }
    }
}

#[test]
fn lines_are_legal_to_their_last_move_and_the_answer_begins_the_last() {
    let limits = ["depth 6", "nodes 5000", "nodes 300", "depth 11 nodes 40000", "movetime 3"];
    search_games(&limits, |game, search| {
        assert_legal(game, search);
        let pv = &search.last().pv;
        let told = (pv.first().copied(), pv.get(1).copied());
        assert_eq!((search.best, search.ponder), told, "{} {search:?}", game.position());
    });
}

/// The last report of a search in the session.
fn last_report(client: &mut Client, position: &str) -> (u64, String) {
    client.send(&format!("position {position}"));
    client.send("go nodes 3000000");
    let said = client.until("`bestmove`", |reply| matches!(reply, Reply::BestMove { .. }));
    let mut infos =
        said.into_iter().filter_map(|reply| if let Reply::Info(info) = reply { Some(info) } else { None });
    let last: Info = infos.rfind(|info| info.nodes.is_some()).expect("an info");
    assert!(last.score.is_some_and(|score| score.proven.is_some()), "{last:?}");
    (last.nodes.unwrap_or(0), last.pv.iter().take(2).map(|mv| mv.letter()).collect())
}

/// A solution lasts from one move to the next, until `ucinewgame`.
#[test]
fn proofs_are_kept_between_the_moves_of_a_game() {
    let game = random_game(Variant::Kalah, 5, 14);
    let start = format!("fen {}", game.position());
    let mut client = playing(Variant::Kalah);
    let (first, moves) = last_report(&mut client, &start);
    let (second, _) = last_report(&mut client, &format!("{start} moves {moves}"));
    client.send("ucinewgame");
    let (anew, _) = last_report(&mut client, &format!("{start} moves {moves}"));
    drop(client);
    assert!(
        first > 10_000 && second * 4 < anew,
        "{first} nodes, then {second}, and {anew} without the first search"
    );
}
