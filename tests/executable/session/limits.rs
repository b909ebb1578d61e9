//! The limits of `go`, one by one and together.

use super::{playing, text};
use kroo::game::{Variant, Verdict};
use kroo::protocol::{MAX_DEPTH, Reply};
use support::client::Client;

#[test]
fn a_depth_is_reached_ply_by_ply() {
    for &variant in Variant::ALL {
        let mut client = playing(variant);
        let search = client.go("go depth 7");
        let depths: Vec<u32> = search.infos.iter().filter_map(|info| info.depth).collect();
        assert_eq!(depths, [1, 2, 3, 4, 5, 6, 7], "{variant}");
        assert!(search.infos.is_sorted_by_key(|info| (info.nodes, info.time)), "{search:?}");
        assert!(search.infos.iter().all(|info| info.seldepth >= info.depth && info.multipv == Some(1)));
        assert!(search.infos.iter().all(|info| info.nps.is_some() && info.hashfull.is_some()));
        assert!(search.infos.iter().all(|info| info.tbhits.is_some() && !info.pv.is_empty()));
        // A search of this size builds no endgames.
        assert!(search.infos[..3].iter().all(|info| info.tbhits == Some(0)), "{variant}");
    }
}

#[test]
fn times_and_clocks_end_a_search() {
    let mut client = Client::new();
    for limits in [
        "movetime 1",
        "movetime 0",
        "movetime 30",
        "wtime 300 btime 300",
        "wtime 0 btime 0",
        "wtime -250 btime -1",
        "wtime 0 btime 600 winc 0 binc 10",
        "btime 0 wtime 200 binc 5",
        "wtime 100 btime 100 winc 10 binc 10",
        "wtime 200 btime 200 movestogo 1",
        "wtime 200 btime 200 movestogo 40",
        "wtime 1 btime 1 winc 18446744073709551615 binc 18446744073709551615 movestogo 4294967295",
        "wtime -9223372036854775808 btime -9223372036854775808",
        "wtime 9223372036854775807 btime 9223372036854775807 winc 18446744073709551615 depth 3",
        "movetime 18446744073709551615 nodes 18446744073709551615 mate 4294967295 depth 3",
    ] {
        for (position, is_own) in [
            ("position startpos", char::is_uppercase as fn(char) -> bool),
            ("position startpos moves F", char::is_lowercase),
        ] {
            client.accepts(position);
            let search = client.go(&format!("go {limits}"));
            assert!(is_own(search.letter()), "{position}: {limits}: {search:?}");
        }
    }
    client.accepts("position startpos");
    client.send("go btime 1 binc 1");
    client.expect("info depth 4 ");
    let said = client.sync();
    assert!(said.iter().all(|reply| matches!(reply, Reply::Info(_))), "it is not North's turn: {said:?}");
    client.send("stop");
    client.best_move();
}

#[test]
fn searchmoves_are_the_only_ones() {
    let mut client = Client::new();
    for (list, allowed) in [("B", "B"), ("A F", "AF"), ("CDE", "CDE"), ("BBB", "B")] {
        let search = client.go(&format!("go searchmoves {list} depth 5"));
        assert!(allowed.contains(search.letter()), "{list}: {search:?}");
        assert!(search.infos.iter().all(|info| allowed.contains(info.pv[0].letter())), "{search:?}");
    }
    client.accepts("position startpos moves F");
    assert_eq!(client.go("go depth 3 searchmoves d movetime 5000").letter(), 'd');
    for (list, wanted) in [("A", "it is North's turn"), ("bA", "`A`: it is North's turn"), ("FfEc", "`F`")] {
        let error = client.refuses(&format!("go searchmoves {list} depth 2"));
        assert!(error.contains("searchmoves") && error.contains(wanted), "{error}");
    }
    client.accepts("position startpos moves Ff");
    assert!(client.refuses("go infinite searchmoves F").contains("the pit is empty"));
    // No search has begun: there is nothing to stop, and everything may be set.
    client.accepts("stop");
    client.set("Hash", "2");
}

#[test]
fn the_first_limit_that_is_reached_counts() {
    let mut client = Client::new();
    assert_eq!(client.go("go nodes 1000000000 movetime 1000000 wtime 100000000 depth 3").depth(), 3);
    let search = client.go("go depth 127 movetime 100000 nodes 2000 btime 1");
    assert!(search.nodes() <= 2000 && search.depth() < MAX_DEPTH, "{search:?}");
    assert!(client.go("go depth 127 nodes 1000000000000 movetime 20").depth() < MAX_DEPTH);
    assert!(client.go("go wtime 200 btime 100000000 depth 127").depth() < MAX_DEPTH);
    assert!(client.go("go mate 60 depth 2").depth() == 2);
}

/// A program that counts on an answer gets one, with a remark.
#[test]
fn a_number_out_of_range_is_clamped_and_the_search_runs() {
    let mut client = Client::new();
    for line in [
        "go depth 0",
        "go depth -5",
        "go nodes 0",
        "go movetime -1",
        "go wtime 50 btime 50 movestogo -1",
        "go wtime 50 btime 50 winc -7 binc -7",
        "go depth 3 mate 0",
        "go depth 2 nodes 99999999999999999999999",
    ] {
        client.send(line);
        let replies = client.until("`bestmove`", |reply| matches!(reply, Reply::BestMove { .. }));
        assert!(
            text(&replies).iter().any(|it| it.starts_with("info string go: ") && it.contains("out of range")),
            "{line}"
        );
        assert!(matches!(replies.last(), Some(Reply::BestMove { best: Some(_), .. })), "{line}");
    }
    // As deep as 127 plies: it goes on until `stop`.
    client.send("go depth 200");
    client.until("a fifth iteration", |reply| matches!(reply, Reply::Info(info) if info.depth == Some(5)));
    client.send("stop");
    client.until("`bestmove`", |reply| matches!(reply, Reply::BestMove { .. }));
}

/// Two moves are left and nothing can be captured: a draw, known at once. Without a limit, or past it, the result is open.
#[test]
fn the_engine_counts_the_moves_of_the_position_line() {
    let mut engine = Client::new();
    for (limit, proven) in [("250", None), ("4", Some(Verdict::Draw)), ("2", None), ("0", None)] {
        engine.set("MoveLimit", limit);
        engine.send("position startpos moves Fc");
        let search = engine.go("go nodes 20000");
        let score = search.last().score.expect("a score");
        assert_eq!(score.proven, proven, "limit {limit}");
    }
}

/// The board, the effects of moves and the manager's questions agree on when a game is over.
#[test]
fn at_the_limit_a_game_is_over_for_every_command() {
    let mut engine = Client::new();
    engine.set("MoveLimit", "2");
    engine.accepts("position startpos moves Aa");
    let ends = |said: Vec<Reply>| said.last().map(ToString::to_string);
    assert_eq!(ends(engine.says("d")).as_deref(), Some("Result: 1/2-1/2"));
    assert_eq!(ends(engine.says("sow")).as_deref(), Some("Result: 1/2-1/2"));
    assert_eq!(ends(engine.says("query gameover")).as_deref(), Some("response true"));
    engine.accepts("position startpos moves A");
    let said = engine.says("sow a");
    assert!(said.iter().any(|reply| reply.to_string() == "End: limit"), "{said:?}");
    assert_eq!(ends(said).as_deref(), Some("Result: 1/2-1/2"));
    assert_eq!(ends(engine.says("d")).as_deref(), Some("Result: *"));
}
