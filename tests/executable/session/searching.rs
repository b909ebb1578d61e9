//! Reports of a search are reproducible and legal.

use super::playing;
use kroo::game::{Game, Move, Variant};
use kroo::protocol::Info;
use support::client::{Search, result};
use support::games::random_game;

#[test]
fn the_same_search_counts_the_same_nodes() {
    for &variant in Variant::ALL {
        let figures = |search: &Search| -> Vec<String> {
            let told =
                search.infos.iter().map(|info| Info { nps: None, time: None, ..info.clone() }.to_string());
            told.chain([format!("{:?} {:?}", search.best, search.ponder)]).collect()
        };
        let mut client = playing(variant);
        let first = figures(&client.go("go depth 8"));
        client.go("go nodes 3000");
        client.accepts("position startpos moves B");
        client.go("go depth 6");
        client.accepts("ucinewgame");
        client.accepts("position startpos");
        assert_eq!(figures(&client.go("go depth 8")), first, "{variant}: after ucinewgame");
        let mut other = playing(variant);
        other.set("Ponder", "true");
        other.accepts("position startpos");
        assert_eq!(figures(&other.go("go depth 8")), first, "{variant}: another process");
        client.quit_cleanly();
        other.quit_cleanly();
    }
}

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
        for seed in 0..24 {
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
        client.quit_cleanly();
    }
}

#[test]
fn principal_variations_are_legal_to_their_last_move() {
    search_games(&["depth 6", "nodes 5000", "depth 11 nodes 40000", "movetime 3"], assert_legal);
}

#[test]
fn the_answer_begins_the_last_line_that_was_told() {
    search_games(&["depth 6", "nodes 5000", "nodes 300", "movetime 3"], |game, search| {
        let pv = &search.last().pv;
        let told = (pv.first().copied(), pv.get(1).copied());
        assert_eq!((search.best, search.ponder), told, "{} {search:?}", game.position());
    });
}
