//! The players over the line protocol: their choice, answers and waiting.

use kroo::game::{Game, Position, Variant};
use kroo::roster::{PLAYERS, PlayerName};
use support::client::Client;
use support::one_of;

/// An engine with a player.
fn with(who: PlayerName, variant: Variant) -> Client {
    Client::with_flags(&["--variant", variant.name(), "--player", who.name()])
}

#[test]
fn everybody_speaks_the_whole_protocol() {
    for &(who, name, variants) in PLAYERS {
        for &variant in variants {
            let mut client = with(who, variant);
            let mut game = Game::new(Position::start(variant));
            let limits = ["depth 3", "nodes 50", "movetime 20", "wtime 500 btime 500", "depth 2 mate 3"];
            for limit in limits.iter().cycle().take(if one_of(4) == 1 { 40 } else { 10 }) {
                let moves: String = game.moves().iter().map(|mv| mv.letter()).collect();
                client.accepts(&format!("position startpos moves {moves}"));
                let search = client.go(&format!("go {limit}"));
                let Some(mv) = search.best else { break };
                let last = search.last();
                assert_eq!(last.pv[0], mv, "{name} {variant}");
                assert!(last.score.is_some() && last.nodes.is_some() && last.depth.is_some(), "{last}");
                game.play(mv).expect("a legal move");
            }
            // `go infinite` waits for `stop`.
            for wait in ["infinite", "ponder"] {
                client.accepts("position startpos");
                client.send(&format!("go {wait}"));
                client.sync();
                assert!(client.refuses("setoption name Seed value 3").contains("a search is running"));
                client.send("stop");
                assert!(client.best_move().best.is_some());
            }
            client.send("go ponder");
            client.send("ponderhit");
            client.send("stop");
            assert!(client.best_move().best.is_some());
            let first = Position::start(variant).moves()[1];
            assert_eq!(client.go(&format!("go depth 2 searchmoves {first}")).best, Some(first));
            client.set("MultiPV", "3");
            let search = client.go("go depth 2");
            let last: Vec<_> = search.infos.iter().rev().take(3).map(|info| info.multipv).collect();
            assert_eq!(last, [Some(3), Some(2), Some(1)], "{name} {variant}");
        }
    }
}

#[test]
fn what_somebody_cannot_play_is_refused_and_changes_nothing() {
    let mut client = Client::new();
    for variant in Variant::ALL.iter().filter(|&&variant| variant != Variant::Awari1978) {
        client.set("UCI_Variant", variant.name());
        let error = client.refuses("setoption name Player value classic1978");
        assert!(
            error.contains(&format!("classic1978 cannot play {variant}: it plays awari1978 only")),
            "{error}"
        );
        assert!(client.go("go depth 4").depth() >= 4, "the engine itself plays on");
    }
    client.set("UCI_Variant", "awari1978");
    client.set("Player", "classic1978");
    let error = client.refuses("setoption name UCI_Variant value kalah");
    assert!(error.contains("classic1978 cannot play kalah") && error.contains("set Player first"), "{error}");
    assert_eq!(client.shows().0, Position::start(Variant::Awari1978).to_string());
    assert_eq!(client.go("go depth 9").depth(), 1);
    drop(client);
    let refused = Client::with_flags(&["--player", "classic1978"]).end_somehow();
    assert_eq!(refused.status.code(), Some(1));
    assert!(refused.stderr.contains("Player: classic1978 cannot play awari"), "{}", refused.stderr);
}

/// The moves of a game of a player against itself.
fn game_of(client: &mut Client) -> String {
    let mut moves = String::new();
    for _ in 0..40 {
        client.accepts(&format!("position startpos moves {moves}"));
        moves.push(client.go("go depth 1").letter());
    }
    moves
}

#[test]
fn the_same_seed_draws_the_same_lots() {
    for who in [PlayerName::Random, PlayerName::Careful] {
        let mut client = with(who, Variant::Awari);
        let (first, second) = (game_of(&mut client), game_of(&mut client));
        assert_ne!(first, second, "{who:?} goes on drawing");
        client.set("Seed", "1");
        assert_eq!((game_of(&mut client), game_of(&mut client)), (first.clone(), second));
        client.set("Seed", "2");
        assert_ne!(game_of(&mut client), first);
        drop(client);
        let mut other = Client::with_flags(&["--player", who.name(), "--seed", "1"]);
        assert_eq!(game_of(&mut other), first);
    }
}
