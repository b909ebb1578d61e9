//! Commands during a search, and its interruption.

use super::score;
use kroo::protocol::Reply;
use support::client::{Client, Search};

#[test]
fn isready_is_answered_during_a_search() {
    let mut client = Client::new();
    assert!(client.sync().is_empty());
    client.send("go infinite");
    for _ in 0..50 {
        let said = client.sync();
        assert!(said.iter().all(|reply| matches!(reply, Reply::Info(_))), "{said:?}");
    }
    // The search has not been disturbed: it goes on telling.
    client.expect("info depth ");
    let said = client.sync();
    assert!(said.iter().all(|reply| matches!(reply, Reply::Info(_))), "{said:?}");
    client.send("stop");
    assert!(client.best_move().best.is_some());
    client.send("go perft 40");
    assert!(client.sync().iter().all(|reply| matches!(reply, Reply::PerftMove { .. })));
    client.send("stop");
    client.expect("info string");
}

#[test]
fn what_would_disturb_a_search_is_refused() {
    for busy in ["go infinite", "go ponder", "go perft 50", "bench 100"] {
        let mut client = Client::new();
        client.accepts("position startpos moves F");
        let before = client.says("d");
        client.send(busy);
        for line in [
            "go depth 1",
            "go infinite",
            "go perft 1",
            "perft 1",
            "bench 1",
            "ucinewgame",
            "setoption name UCI_Variant value kalah",
            "setoption name UCI_ShowWDL value true",
            "setoption name Clear Hash",
            "setoption name Hash value 1",
        ] {
            let error = client.refuses(line);
            assert!(error.contains("stop"), "{busy}: {line}: {error}");
        }
        // A refused line is not carried out later either.
        let said = client.says("d");
        assert!(before.iter().all(|reply| said.contains(reply)), "{busy}: {said:?}");
        client.send("stop");
        if busy.contains("go") && !busy.contains("perft") {
            let search = client.best_move();
            assert!(search.letter().is_lowercase(), "{busy}");
            assert!(search.infos.iter().all(|info| score(info).wdl.is_none()), "{busy}");
        } else {
            client.expect("info string");
        }
        client.stays_silent();
        assert_eq!(client.says("d"), before, "{busy}");
        assert!(score(client.go("go depth 1").last()).wdl.is_none(), "{busy}");
    }
}

#[test]
fn a_position_that_is_set_during_a_search_is_for_the_next_one() {
    let mut client = Client::new();
    client.send("go infinite");
    client.send("position startpos moves F");
    client.send("stop");
    assert!(client.best_move().letter().is_uppercase());
    assert!(client.go("go depth 2").letter().is_lowercase());
}

#[test]
fn stop_position_and_go_may_come_in_one_breath() {
    let mut client = Client::new();
    client.send_bytes(b"go infinite\nstop\nposition startpos moves F\ngo depth 4\n");
    assert!(client.best_move().letter().is_uppercase());
    assert!(client.best_move().letter().is_lowercase());
    for round in 0..20 {
        client.send_bytes(b"position startpos\ngo infinite\n");
        if round % 2 == 1 {
            client.expect("info depth 3 ");
        }
        client.send_bytes(b"stop\nposition startpos moves F\ngo ponder\nstop\nstop\ngo depth 1\n");
        let letters: String = (0..3).map(|_| client.best_move().letter()).collect();
        assert!(letters.starts_with(char::is_uppercase), "{letters}");
        assert!(letters[1..].chars().all(char::is_lowercase), "{letters}");
        assert!(client.sync().is_empty());
    }
    client.send_bytes(b"go infinite\nstop\nquit\n");
    assert!(Search::of(client.end().rest).best.is_some());
}

#[test]
fn quit_and_the_end_of_the_input_end_everything() {
    for busy in [
        "",
        "go infinite",
        "go ponder",
        "go depth 100",
        "go perft 60",
        "perft 60",
        "bench 100",
        "go movetime 90000",
    ] {
        let is_endless = ["", "go infinite", "go ponder"].contains(&busy);
        let lasts =
            if is_endless { &["quit", "quit\nisready\nd", ""][..] } else { &["quit", "quit\nisready\nd"] };
        for last in lasts {
            let mut client = Client::new();
            client.send(busy);
            client.sync();
            client.send(last);
            client.close_input();
            let rest = client.end().rest;
            let answers = rest.iter().filter(|reply| matches!(reply, Reply::BestMove { .. })).count();
            assert!(answers <= 1, "{busy}, {last}: {rest:?}");
            assert!(!rest.contains(&Reply::ReadyOk), "{busy}, {last}: nothing is read behind quit");
        }
    }
}

#[test]
fn at_the_end_of_the_input_a_search_with_a_limit_is_finished() {
    for (lines, wanted) in [
        ("position startpos moves Ff\ngo depth 12", "bestmove"),
        ("go nodes 30000", "bestmove"),
        ("go movetime 300", "bestmove"),
        ("go wtime 2000 btime 1", "bestmove"),
        ("go perft 6", "Nodes searched: 27332"),
        ("position fen 0-0-0-0-0-1-1-0-0-0-1-0-22-23-S\ngo depth 200", "bestmove"),
        ("go btime 9", "bestmove"),
        ("go searchmoves A", "bestmove"),
    ] {
        let mut client = Client::new();
        client.send(lines);
        client.close_input();
        let rest = client.end().rest;
        let last = rest.last().map(ToString::to_string).unwrap_or_default();
        assert!(last.starts_with(wanted), "{lines}: {rest:?}");
        if let Some(depth) = lines.strip_prefix("position startpos moves Ff\ngo ") {
            let deepest =
                rest.iter().filter(|reply| reply.to_string().starts_with(&format!("info {depth} ")));
            assert!(deepest.count() > 0, "{rest:?}");
        }
        if lines.contains("nodes") {
            // Only complete iterations are reported; the last one took most of the nodes.
            let nodes =
                rest.iter().filter_map(|reply| if let Reply::Info(info) = reply { info.nodes } else { None });
            assert!(nodes.max() > Some(10_000), "{rest:?}");
        }
    }
}

/// A review answers `isready`, refuses other searches, and ends at `stop` with the counts so far; the game and the player stay.
#[test]
fn a_review_can_be_stopped() {
    let mut client = Client::new();
    client.send("setoption name Player value greedy");
    client.send("position startpos moves FfEcAaBb");
    client.send("review nodes 400000000");
    client.sync();
    assert!(client.refuses("go depth 1").contains("a search is running"));
    client.send("stop");
    let said = client.expect("reviewok");
    let counts = |name: &str| {
        let line = format!("review {name} ?! 0 ? 0 ?? 0 known 0 given 0");
        said.iter().any(|reply| reply.to_string() == line)
    };
    assert!(counts("south") && counts("north"), "{said:?}");
    assert!(client.go("go depth 1").best.is_some(), "the player is there");
}

/// Solving tells its bounds, answers `isready`, refuses other searches, and ends at `stop` with what is proven so far.
#[test]
fn solving_can_be_stopped() {
    let mut client = Client::new();
    client.set("UCI_Variant", "kalah6");
    client.send("solve moves");
    client.sync();
    assert!(client.refuses("go depth 1").contains("a search is running"));
    assert!(client.refuses("solve").contains("a search is running"));
    client.expect("info score cp -7200 lowerbound nodes ");
    client.send("stop");
    let said: Vec<String> = client.expect("solveok").iter().map(ToString::to_string).collect();
    let of = |start: &str| said.iter().filter(|line| line.starts_with(start)).count();
    assert_eq!((of("solve move "), of("solve position unproven atleast ")), (6, 1), "{said:?}");
    assert!(client.go("go depth 1").best.is_some());
    client.send("solve movetime 50");
    client.expect("solveok");
}
