//! Answers that have to wait for `stop` or `ponderhit`, and those that must not.

use super::{FINISHED, playing, score};
use kroo::game::{Variant, Verdict};
use kroo::protocol::{Bound, Reply, ScoreValue};
use support::client::Client;

#[test]
fn infinite_and_ponder_wait_even_when_everything_is_known() {
    for (variant, fen) in [
        (Variant::Kalah, "0-0-0-0-2-1-0-0-0-0-1-1-21-22-S"),
        (Variant::Ayoayo, "1-0-0-0-0-1-1-0-0-0-0-0-23-22-S"),
        (Variant::Awari1978, "0-0-0-0-0-1-0-0-0-0-0-1-14-20-N"),
        // A single move, and it ends the game.
        (Variant::Kalah, "0-0-0-0-0-1-1-0-0-0-0-0-10-36-S"),
    ] {
        let lines = ["go ponder wtime 10 btime 10", "go infinite", "go ponder", "go infinite depth 1"];
        for line in lines.into_iter().take(if variant == Variant::Ayoayo { 4 } else { 1 }) {
            let mut client = playing(variant);
            client.accepts(&format!("position fen {fen}"));
            client.send(line);
            let known = |reply: &Reply| match reply {
                Reply::Info(info) => score(info).proven.is_some() && score(info).bound == Bound::Exact,
                _ => false,
            };
            let mut told = client.expect("info depth 1 ");
            if !line.contains("depth") && !told.last().is_some_and(known) {
                told = client.until("a proven score", known);
            }
            // A result that the endgames know is followed by the search for a way to it.
            client.rests();
            told.extend(client.sync());
            client.stays_silent();
            assert!(client.says("uci").last() == Some(&Reply::UciOk), "{line}");
            client.send("stop");
            let search = client.best_move();
            let Some(Reply::Info(info)) = told.last() else { panic!("{told:?}") };
            assert_eq!(search.best, info.pv.first().copied(), "{line}");
            client.accepts("stop");
        }
    }
}

#[test]
fn a_finished_game_is_answered_with_0000() {
    let mut client = Client::new();
    client.accepts(FINISHED);
    for line in
        ["go", "go depth 5", "go movetime 100 depth 127", "go nodes 7", "go wtime 0 btime 0", "go mate 3"]
    {
        let search = client.go(line);
        assert_eq!((search.best, search.ponder), (None, None), "{line}");
        let told = score(search.last());
        assert_eq!((told.value, told.proven), (ScoreValue::Cp(-200), Some(Verdict::Loss)), "{line}");
        assert_eq!(search.infos.len(), 1, "{line}");
    }
    for line in ["go infinite", "go ponder", "go ponder movetime 1"] {
        client.send(line);
        client.expect("info depth 0 score cp -200 proven loss");
        client.stays_silent();
        assert!(client.refuses("go depth 1").contains("running"));
        client.send("stop");
        assert_eq!(client.best_move().best, None, "{line}");
    }
    client.send("go infinite");
    client.expect("info depth 0 ");
    client.send("quit");
    assert!(client.end().rest.len() <= 1);
}

/// `ponderhit` makes an ordinary search of it, and that is answered at once.
#[test]
fn a_ponderhit_in_a_finished_game_is_answered_with_0000() {
    let mut client = Client::new();
    client.accepts(FINISHED);
    client.send("go ponder wtime 1000 btime 1000");
    client.send("ponderhit");
    assert_eq!(client.best_move().best, None);
}

#[test]
fn a_ponderhit_starts_the_clock() {
    let mut client = Client::new();
    for limits in
        ["movetime 20", "wtime 100 btime 100", "depth 3", "nodes 500", "wtime 0 btime 0 movestogo 1"]
    {
        client.send(&format!("go ponder {limits}"));
        // Longer than any of the limits.
        client.expect("info depth 2 ");
        let said = client.sync();
        assert!(!said.iter().any(|reply| matches!(reply, Reply::BestMove { .. })), "{limits}: {said:?}");
        client.send("ponderhit");
        assert!(client.best_move().best.is_some(), "{limits}");
    }
    client.send("go ponder movetime 1");
    client.expect("info depth 1 ");
    client.send("stop");
    assert!(client.best_move().best.is_some());
    // Without a limit nothing ends the search but `stop`.
    client.send("go ponder");
    client.send("ponderhit");
    client.expect("info depth 3 ");
    let said = client.sync();
    assert!(!said.iter().any(|reply| matches!(reply, Reply::BestMove { .. })), "{said:?}");
    client.send("stop");
    assert!(client.best_move().best.is_some());
}

#[test]
fn a_ponderhit_means_nothing_to_other_searches() {
    let mut client = Client::new();
    client.accepts("position fen 1-0-0-0-0-0-1-0-0-0-0-0-23-23-S");
    client.send("go infinite depth 2");
    client.expect("info depth 1 ");
    client.accepts("ponderhit");
    client.stays_silent();
    client.send("stop");
    assert!(client.best_move().best.is_some());
}

#[test]
fn idle_stop_and_ponderhit_print_nothing() {
    let mut client = Client::new();
    for line in ["stop", "ponderhit", "stop", "ucinewgame", "position startpos moves F", "ponderhit", "stop"]
    {
        client.accepts(line);
    }
    client.go("go depth 2");
    client.accepts("stop");
    client.accepts("ponderhit");
    client.stays_silent();
}
