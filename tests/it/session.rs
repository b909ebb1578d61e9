//! Conversations with the executable: every command, what it changes, and what it must leave alone.

use crate::client::{Client, ENGINE, Search, moves, position, result};
use crate::vectors::lines;
use kroo::game::{Game, Move, Position, Side, Variant, Verdict, split_mix};
use kroo::protocol::options::{OPTIONS, SpecKind};
use kroo::protocol::{Bound, COMMANDS, GameResult, Info, MAX_DEPTH, OptionLine, Proven, Reply, Score, Worth};
use std::collections::BTreeSet;
use std::process::{Command, Output};

/// Where South has won.
const FINISHED: &str = "position fen 0-0-0-0-0-0-0-0-0-0-0-0-25-23-N";
const START: &str = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";

fn text(replies: &[Reply]) -> Vec<String> {
    replies.iter().map(Reply::to_string).collect()
}

fn score(info: &Info) -> Score {
    info.score.unwrap_or_else(|| panic!("no score: {info}"))
}

/// An engine that plays this variant.
fn playing(variant: Variant) -> Client {
    Client::with_flags(&["--variant", variant.name()])
}

// Greeting, and each command once.

#[test]
fn the_engine_introduces_itself() {
    let mut client = Client::new();
    client.send("uci");
    let said = client.expect("uciok");
    let [Reply::IdName(name), Reply::IdAuthor(author), options @ .., Reply::UciOk] = &said[..] else {
        panic!("{said:?}")
    };
    assert!(name.starts_with("Kroo ") && !author.is_empty());
    let declared: Vec<Reply> = OPTIONS.iter().map(|spec| Reply::Option(spec.line())).collect();
    assert_eq!(options, declared);
    let names: Vec<&str> = OPTIONS.iter().map(|spec| spec.name).collect();
    for name in ["Hash", "Clear Hash", "Threads", "MultiPV", "Ponder", "Move Overhead", "OwnBook"] {
        assert!(names.contains(&name), "{name}");
    }
    let combo = "option name UCI_Variant type combo default awari var awari var awari1978 var ayoayo var oware var kalah";
    assert!(text(&said).contains(&combo.to_owned()), "{said:?}");
    assert!(text(&said).contains(&"option name UCI_ShowWDL type check default false".to_owned()));
    client.quit_cleanly();
}

/// A command that is added to the table has to be added here.
#[test]
fn every_command_is_answered() {
    for (usage, _) in COMMANDS {
        let mut client = Client::new();
        let head: Vec<&str> = usage.split(' ').take(2).collect();
        match head[..] {
            ["uci"] => assert_eq!(client.says("uci").last(), Some(&Reply::UciOk)),
            ["debug", _] => {
                client.accepts("debug on");
                client.accepts("debug off");
            }
            ["isready"] => assert_eq!(client.says("isready"), [Reply::ReadyOk]),
            ["setoption", _] => {
                client.accepts("setoption name Hash value 1");
                client.accepts("setoption name Clear Hash");
            }
            ["ucinewgame"] => client.accepts("ucinewgame"),
            ["position", _] => {
                client.accepts("position startpos moves F");
                assert_eq!(client.shows().0, "4-4-4-4-4-0-5-5-5-5-4-4-0-0-N");
            }
            ["go", "perft"] | ["perft", _] => {
                client.send(&usage.replace('N', "2"));
                let said = client.expect("Nodes searched: 36");
                assert_eq!(text(&said)[..6], ["A: 6", "B: 6", "C: 6", "D: 6", "E: 6", "F: 6"]);
            }
            ["go", _] => assert!(client.go("go depth 3").best.is_some()),
            ["stop"] => {
                client.send("go infinite");
                client.send("stop");
                assert!(client.best_move().best.is_some());
            }
            ["ponderhit"] => {
                client.send("go ponder depth 2");
                client.send("ponderhit");
                assert!(client.best_move().best.is_some());
            }
            ["d"] => assert_eq!(client.shows(), (START.to_owned(), GameResult::Ongoing)),
            ["eval"] => {
                let said = text(&client.says("eval")).join("\n");
                assert!(said.contains("stores") && said.contains("South"), "{said}");
            }
            ["bench", _] => {
                client.send("bench 2");
                let said = client.expect("Nodes searched: ");
                assert!(Variant::ALL.iter().all(|variant| {
                    said.iter().any(|reply| reply.to_string().starts_with(variant.name()))
                }));
            }
            ["help"] => {
                let said = text(&client.says("help")).join("\n");
                for (usage, what) in COMMANDS {
                    assert!(said.contains(usage) && said.contains(what), "{usage}");
                }
            }
            ["quit"] => {}
            _ => panic!("`{usage}` is not tested"),
        }
        client.quit_cleanly();
    }
}

#[test]
fn what_is_no_command_is_refused_with_the_column() {
    let mut client = Client::new();
    for (line, wanted) in [
        ("xyzzy", "column 1: expected `uci`, "),
        ("UCI", "column 1: "),
        ("isready now", "column 9: expected the end of the line, found `now`"),
        ("go deep", "column 4: expected `searchmoves`, "),
        ("go depth", "column 9: expected a number of plies from 1 to 127, found the end of the line"),
        ("go depth x", "column 10: "),
        ("go depth 0", "from 1 to 127"),
        ("go depth 128", "from 1 to 127"),
        ("go nodes 0", "column 10: "),
        ("go nodes 99999999999999999999999", "column 10: "),
        ("go movetime -1", "column 13: "),
        ("go depth 1 depth 2", "column 12: "),
        ("go searchmoves", "at least one move"),
        ("go searchmoves AZ", "column 17: "),
        ("go perft 0", "column 10: "),
        ("go perft 65", "column 10: "),
        ("perft", "column 6: "),
        ("bench 0", "column 7: "),
        ("debug", "`on` or `off`"),
        ("position", "`startpos` or `fen`"),
        ("position startpos FfEc", "column 19: expected `moves` or the end of the line"),
        ("position fen moves F", "column 14: expected a position of 15 fields"),
        ("setoption", "`name`"),
        ("setoption name", "the name of an option"),
    ] {
        let error = client.refuses(line);
        assert!(error.contains(wanted), "{line}: {error}");
    }
    assert_eq!(client.shows(), (START.to_owned(), GameResult::Ongoing));
    client.quit_cleanly();
}

#[test]
fn lines_may_end_with_crlf_and_have_blanks() {
    let mut client = Client::new();
    client.send_bytes(b"uci\r\n");
    client.expect("uciok");
    client.send_bytes(b"setoption name UCI_Variant value kalah\r\n\t isready \t\r\n");
    client.expect("readyok");
    client.send_bytes(b"  position \t startpos   moves F\r\ngo depth\t2 \r\n");
    assert!(client.best_move().letter().is_lowercase());
    client.send_bytes(b"d\r\n");
    let said = client.expect("Result: *");
    assert!(text(&said).contains(&"Fen: 4-4-4-4-4-0-5-5-5-4-4-4-1-0-N".to_owned()), "{said:?}");
    client.send_bytes(b"quit\r\n");
    assert!(client.end().rest.is_empty());
}

// Positions.

#[test]
fn a_move_list_is_one_word_or_several() {
    let mut client = Client::new();
    client.accepts("position startpos moves FfEc");
    let (fen, _) = client.shows();
    let mut game = Game::new(Position::start(Variant::Awari));
    moves("FfEc").into_iter().for_each(|mv| game.play(mv).expect("legal"));
    assert_eq!(fen, game.position().to_string());
    for list in ["F f E c", "Ff Ec", "FfE c", "  F\tf  E c  "] {
        for start in ["position startpos moves", &format!("position fen {START} moves")] {
            client.accepts("position startpos");
            client.accepts(&format!("{start} {list}"));
            assert_eq!(client.shows().0, fen, "{start} {list}");
        }
    }
    client.accepts("position startpos moves");
    assert_eq!(client.shows().0, START);
    client.quit_cleanly();
}

#[test]
fn a_position_is_taken_as_a_whole_or_not_at_all() {
    for (variant, line, wanted) in [
        ("awari", "position fen 4-4-4-4-4-4-4-4-4-4-4-4-0-S", "14 fields, expected 15"),
        ("awari", "position fen 4-4-4-4-4-4-4-4-4-4-4-4-0-0-0-S", "16 fields, expected 15"),
        ("awari", "position fen 4-4-x-4-4-4-4-4-4-4-4-4-0-0-S", "field 3 (pit C) is `x`"),
        ("awari", "position fen 4-4-4-4-4-4-4-4-4-49-4-4-0-0-S", "field 10 (pit d) is `49`"),
        ("awari", "position fen 4-4-4-4-4-4-4-4-4-4-4-4--1-1-S", "field 13 (South's store) is empty or negative"),
        ("awari", "position fen 4-4-4-4-4-4-4-4-4-4-4-4-0-1-S", "49 seeds, expected 48 in awari"),
        ("awari", "position fen 4-4-4-4-4-4-4-4-4-4-4-4-0-0-W", "field 15 (side to move) is `W`"),
        ("awari", "position fen 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S2", "awari has no second move"),
        ("awari1978", "position fen 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "48 seeds, expected 36 in awari1978"),
        ("awari", "position startpos moves a", "move 1 (`a`): it is South's turn"),
        ("awari", "position startpos moves FfEF", "move 4 (`F`): it is North's turn"),
        ("awari", "position startpos moves F f F", "move 3 (`F`): the pit is empty"),
        ("awari", "position startpos moves FfZ", "column 27: expected a pit's letter"),
        (
            "awari",
            "position fen 1-0-2-0-0-1-0-0-0-0-0-0-20-24-S moves A",
            "move 1 (`A`): the other row is empty and must be fed",
        ),
        (
            "oware",
            "position fen 1-0-2-0-0-1-0-0-0-0-0-0-20-24-S moves C",
            "move 1 (`C`): the other row is empty and must be fed",
        ),
        (
            "awari",
            "position fen 0-0-0-0-0-2-1-1-0-0-0-0-20-24-S moves Fa",
            "move 2 (`a`): the game is over",
        ),
        ("ayoayo", "position startpos moves CdBe", "move 4 (`e`): the sowing never ends"),
        ("awari1978", "position startpos moves Da", "move 2 (`a`): it is South's turn"),
        ("kalah", "position startpos moves Ca", "move 2 (`a`): it is South's turn"),
        (
            "oware",
            "position fen 1-0-0-0-0-0-1-0-0-0-0-0-23-23-S moves AaBbCcDdEeFfA",
            "move 13 (`A`): the game is over",
        ),
    ] {
        let mut client = Client::with_flags(&["--variant", variant]);
        client.accepts("position startpos moves B");
        let before = client.says("d");
        let error = client.refuses(line);
        assert!(error.contains(wanted), "{line}: {error}");
        assert_eq!(client.says("d"), before, "{line}");
        // Not even a search is misled.
        assert!(client.go("go depth 2").letter().is_lowercase(), "{line}");
        client.quit_cleanly();
    }
}

#[test]
fn d_shows_the_board_the_position_line_and_the_result() {
    use GameResult::{Draw, NorthWins, Ongoing, SouthWins};
    for (variant, start, list, fen, expected) in [
        ("awari", START, "", START, Ongoing),
        ("awari", "0-0-10-0-5-2-0-0-0-0-0-15-7-9-N", "f", "2-2-12-0-6-3-1-1-1-1-1-0-7-11-S", Ongoing),
        ("awari", "0-0-10-0-5-2-0-0-0-0-0-15-7-9-N", "fE", "2-2-12-0-0-4-0-0-0-0-0-0-17-11-N", SouthWins),
        // Taking everything wins whatever the score, but only who has seen the move knows it.
        ("awari", "0-0-0-0-18-0-0-0-0-0-0-0-6-24-S", "E", "1-1-1-1-0-2-0-0-0-0-0-0-18-24-N", SouthWins),
        ("awari", "1-1-1-1-0-2-0-0-0-0-0-0-18-24-N", "", "1-1-1-1-0-2-0-0-0-0-0-0-18-24-N", NorthWins),
        ("awari", "0-0-0-0-0-2-1-1-0-0-0-0-20-24-S", "F", "0-0-0-0-0-0-0-0-0-0-0-0-24-24-N", Draw),
        ("awari", "1-0-2-0-0-0-0-0-0-0-0-0-21-24-S", "", "0-0-0-0-0-0-0-0-0-0-0-0-24-24-S", Draw),
        ("awari1978", "3-3-3-3-3-3-3-3-3-3-3-3-0-0-S", "D", "3-3-3-0-4-4-3-3-3-3-3-3-1-0-S2", Ongoing),
        ("awari1978", "3-3-3-0-4-4-3-3-3-3-3-3-1-0-S2", "", "3-3-3-0-4-4-3-3-3-3-3-3-1-0-S2", Ongoing),
        ("awari1978", "0-0-0-0-0-1-2-0-0-0-0-0-16-17-S", "F", "0-0-0-0-0-0-2-0-0-0-0-0-17-17-S2", Draw),
        ("awari1978", "0-0-0-0-0-1-2-0-0-0-0-0-15-18-S", "F", "0-0-0-0-0-0-2-0-0-0-0-0-16-18-S2", NorthWins),
        ("ayoayo", "1-0-1-0-1-0-0-0-0-0-0-0-40-5-S", "C", "0-0-0-0-0-0-0-0-0-0-0-0-43-5-N", SouthWins),
        ("ayoayo", "1-0-2-0-1-0-0-0-0-0-0-0-22-22-S", "C", "1-0-0-1-0-1-1-0-0-0-0-0-22-22-N", Ongoing),
        (
            "oware",
            "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S",
            "AaBbCcDdEeFf",
            "0-0-0-0-0-0-0-0-0-0-0-0-24-24-S",
            Draw,
        ),
        (
            "oware",
            "1-0-0-0-0-0-1-0-0-0-0-0-22-24-S",
            "AaBbCcDdEeFf",
            "0-0-0-0-0-0-0-0-0-0-0-0-23-25-S",
            NorthWins,
        ),
        ("kalah", "0-0-0-0-0-1-1-0-0-0-0-0-10-36-S", "F", "0-0-0-0-0-0-0-0-0-0-0-0-11-37-S", NorthWins),
        ("kalah", "0-0-0-0-0-1-1-0-0-0-0-0-23-23-S", "F", "0-0-0-0-0-0-0-0-0-0-0-0-24-24-S", Draw),
    ] {
        let mut client = Client::with_flags(&["--variant", variant]);
        client.accepts(&format!("position fen {start} moves {list}"));
        assert_eq!(client.shows(), (fen.to_owned(), expected), "{variant} {start} {list}");
        let drawing = text(&client.says("d"));
        let shown = position(variant.parse().expect("a rule set"), fen);
        for side in Side::BOTH {
            let row = drawing.iter().find(|line| line.contains(if side == Side::South { "South" } else { "North" }));
            let row = row.unwrap_or_else(|| panic!("{drawing:#?}"));
            let mut seeds: Vec<u8> = row.split_whitespace().filter_map(|word| word.parse().ok()).collect();
            if side == Side::North {
                seeds.reverse();
            }
            let pits = shown.row(side).pits().into_iter().filter(|&seeds| seeds > 0).collect::<Vec<u8>>();
            // The rows of a game that is over may have been handed out by its end, which a set-up has not seen.
            assert!(seeds == pits || expected != Ongoing, "{fen}: {drawing:#?}");
        }
        assert!(drawing.iter().any(|line| line.contains("the game is over")) == (expected != Ongoing));
        client.quit_cleanly();
    }
}

// Limits of `go`.

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
        assert!(search.infos.iter().all(|info| info.tbhits == Some(0) && !info.pv.is_empty()));
        client.quit_cleanly();
    }
}

#[test]
fn a_node_limit_is_never_passed() {
    for &variant in Variant::ALL {
        let mut client = playing(variant);
        for nodes in [1, 2, 3, 5, 8, 13, 21, 50, 99, 100, 256, 257, 1000, 3000, 10_000] {
            client.accepts("ucinewgame");
            let search = client.go(&format!("go nodes {nodes}"));
            assert!(search.best.is_some(), "{variant}: nodes {nodes}");
            // A search that is over before its first iteration has nothing to tell.
            let told = search.infos.last().and_then(|info| info.nodes).unwrap_or(0);
            assert!(told <= nodes, "{variant}: {told} nodes of {nodes}");
        }
        client.quit_cleanly();
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
        "wtime 0 btime 60000 winc 0 binc 1000",
        "btime 0 wtime 200 binc 5",
        "wtime 100 btime 100 winc 10 binc 10",
        "wtime 200 btime 200 movestogo 1",
        "wtime 200 btime 200 movestogo 40",
        "wtime 1 btime 1 winc 18446744073709551615 binc 18446744073709551615 movestogo 4294967295",
        "wtime -9223372036854775808 btime -9223372036854775808",
    ] {
        for (position, is_own) in [
            ("position startpos", char::is_uppercase as fn(char) -> bool),
            ("position startpos moves F", char::is_lowercase),
        ] {
            client.accepts(position);
            // The other side's clock does not count: without one's own there is no limit.
            let search = client.go(&format!("go {limits}"));
            assert!(is_own(search.letter()), "{position}: {limits}: {search:?}");
        }
    }
    client.accepts("position startpos");
    client.send("go btime 1 binc 1");
    client.accepts("debug off");
    client.send("stop");
    client.best_move();
    client.quit_cleanly();
}

#[test]
fn mate_looks_for_a_proven_win() {
    let mut client = Client::new();
    client.accepts("position fen 0-0-0-2-17-0-0-0-0-0-1-0-19-9-S");
    let search = client.go("go mate 1");
    assert_eq!((search.letter(), score(search.last()).proven), ('E', Some(Proven::Win)));
    assert!(search.depth() <= 2, "{search:?}");
    client.accepts("position startpos");
    let search = client.go("go mate 2");
    assert!(search.best.is_some() && search.depth() <= 4, "{search:?}");
    client.quit_cleanly();
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
    client.quit_cleanly();
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
    client.quit_cleanly();
}

// Answers that have to wait.

/// Solved positions, and what best play gives.
fn solved() -> Vec<(Variant, &'static str, Verdict)> {
    let results = [
        (include_str!("../data/solved.txt"), 12),
        (include_str!("../data/solved-margins.txt"), 12),
    ];
    let mut all = Vec::new();
    for (data, some) in results {
        for &variant in Variant::ALL {
            let own = lines(data).filter(|(_, words)| words[0] == variant.name()).take(some);
            all.extend(own.map(|(_, words)| {
                let verdict = match words[2].parse::<i32>().expect("a number") {
                    0 => Verdict::Draw,
                    1.. => Verdict::Win,
                    _ => Verdict::Loss,
                };
                (variant, words[1], verdict)
            }));
        }
    }
    all
}

#[test]
fn infinite_and_ponder_wait_even_when_everything_is_known() {
    for (variant, fen) in [
        (Variant::Kalah, "0-0-0-0-2-1-0-0-0-0-1-1-21-22-S"),
        (Variant::Ayoayo, "1-0-0-0-0-1-1-0-0-0-0-0-23-22-S"),
        (Variant::Awari1978, "0-0-0-0-0-1-0-0-0-0-0-1-14-20-N"),
        // A single move, and it ends the game.
        (Variant::Kalah, "0-0-0-0-0-1-1-0-0-0-0-0-10-36-S"),
    ] {
        for line in ["go infinite", "go ponder", "go infinite depth 1", "go ponder wtime 10 btime 10"] {
            let mut client = playing(variant);
            client.accepts(&format!("position fen {fen}"));
            client.send(line);
            let mut told = client.expect("info depth 1 ");
            if !line.contains("depth") {
                told = client.until("a proven score", |reply| match reply {
                    Reply::Info(info) => info.score.is_some_and(|score| {
                        score.proven.is_some() && score.bound == Bound::Exact
                    }),
                    _ => false,
                });
            }
            client.stays_silent();
            assert!(client.says("uci").last() == Some(&Reply::UciOk), "{line}");
            client.send("stop");
            let search = client.best_move();
            let Some(Reply::Info(info)) = told.last() else { panic!("{told:?}") };
            assert_eq!(search.best, info.pv.first().copied(), "{line}");
            client.accepts("stop");
            client.quit_cleanly();
        }
    }
}

#[test]
fn a_finished_game_is_answered_with_0000() {
    let mut client = Client::new();
    client.accepts(FINISHED);
    for line in ["go", "go depth 5", "go movetime 100 depth 127", "go nodes 7", "go wtime 0 btime 0", "go mate 3"] {
        let search = client.go(line);
        assert_eq!((search.best, search.ponder), (None, None), "{line}");
        let told = score(search.last());
        assert_eq!((told.worth, told.proven), (Worth::Cp(-200), Some(Proven::Loss)), "{line}");
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
    client.quit_cleanly();
}

#[test]
fn a_ponderhit_starts_the_clock() {
    let mut client = Client::new();
    for limits in ["movetime 20", "wtime 100 btime 100", "depth 3", "nodes 500", "wtime 0 btime 0 movestogo 1"] {
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
    client.quit_cleanly();
}

#[test]
fn a_ponderhit_means_nothing_to_other_searches() {
    let mut client = Client::new();
    client.accepts("position fen 1-0-0-0-0-0-1-0-0-0-0-0-23-23-S");
    client.send("go infinite depth 2");
    client.expect("info depth 2 ");
    client.accepts("ponderhit");
    client.stays_silent();
    client.send("stop");
    assert!(client.best_move().best.is_some());
    client.quit_cleanly();
}

#[test]
fn idle_stop_and_ponderhit_print_nothing() {
    let mut client = Client::new();
    for line in ["stop", "ponderhit", "stop", "ucinewgame", "position startpos moves F", "ponderhit", "stop"] {
        client.accepts(line);
    }
    client.go("go depth 2");
    client.accepts("stop");
    client.accepts("ponderhit");
    client.stays_silent();
    client.quit_cleanly();
}

// What may be said during a search.

#[test]
fn isready_is_answered_during_a_search() {
    let mut client = Client::new();
    assert_eq!(client.says("isready"), [Reply::ReadyOk]);
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
    client.quit_cleanly();
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
        client.quit_cleanly();
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
    client.quit_cleanly();
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
    let ended = client.end();
    assert_eq!(Search::of(ended.rest).letter().to_ascii_uppercase(), Search::letter_of_north(&[]).unwrap_or('A'));
}

#[test]
fn quit_and_the_end_of_the_input_end_everything() {
    for busy in ["", "go infinite", "go ponder", "go depth 100", "go perft 60", "perft 60", "bench 100", "go movetime 90000"] {
        for last in ["quit", "quit\nisready\nd", ""] {
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

// Counting.

#[test]
fn perft_counts_what_the_vectors_say() {
    for &variant in Variant::ALL {
        let mut client = playing(variant);
        let own = lines(include_str!("../data/perft.txt")).filter(|(_, words)| words[0] == variant.name());
        for (line, words) in own.step_by(5) {
            client.accepts(&format!("position fen {}", words[1]));
            let root = position(variant, words[1]);
            for (plies, expected) in (1..=4).zip(&words[2..]) {
                for command in ["go perft", "perft"] {
                    client.send(&format!("{command} {plies}"));
                    let said = client.expect("Nodes searched: ");
                    let mut counts: Vec<(Move, u64)> = Vec::new();
                    for reply in &said {
                        if let Reply::PerftMove { mv, nodes } = reply {
                            counts.push((*mv, *nodes));
                        }
                    }
                    let total: u64 = counts.iter().map(|(_, nodes)| nodes).sum();
                    assert_eq!(total.to_string(), **expected, "line {line}, {plies} plies");
                    assert_eq!(said.last(), Some(&Reply::PerftTotal(total)));
                    let letters: Vec<Move> = counts.into_iter().map(|(mv, _)| mv).collect();
                    assert_eq!(letters, root.moves(), "line {line}: a line a move, from the mover's left");
                }
            }
        }
        client.quit_cleanly();
    }
    let mut client = Client::new();
    client.accepts(FINISHED);
    client.send("go perft 3");
    let said = client.expect("Nodes searched: 0");
    assert!(!said.iter().any(|reply| matches!(reply, Reply::PerftMove { .. })));
    client.quit_cleanly();
}

#[test]
fn a_huge_perft_can_be_stopped() {
    for &variant in Variant::ALL {
        let mut client = playing(variant);
        for line in ["go perft 64", "perft 30"] {
            client.send(line);
            client.accepts("ponderhit");
            client.send("stop");
            let said = client.sync();
            assert!(!said.iter().any(|reply| matches!(reply, Reply::PerftTotal(_))), "{said:?}");
            assert!(matches!(said.last(), Some(Reply::Info(Info { string: Some(_), .. }))), "{said:?}");
            assert!(client.go("go depth 2").best.is_some());
        }
        client.quit_cleanly();
    }
}

#[test]
fn bench_has_a_signature() {
    let mut client = Client::new();
    let mut signatures = BTreeSet::new();
    for before in ["isready", "go depth 6", "setoption name Hash value 1", "setoption name UCI_Variant value oware"] {
        client.send(before);
        client.send("stop");
        client.sync();
        client.send("bench 4");
        let Some(Reply::PerftTotal(nodes)) = client.expect("Nodes searched: ").pop() else { panic!("no total") };
        signatures.insert(nodes);
    }
    assert_eq!(signatures.len(), 1, "{signatures:?}: it depends on nothing that was said");
    client.quit_cleanly();
}

// Options.

#[test]
fn what_an_option_does_not_take_changes_nothing() {
    let mut client = Client::new();
    client.set("UCI_Variant", "kalah");
    client.accepts("position startpos moves A");
    let before = client.says("d");
    for (line, wanted) in [
        ("setoption name UCI_Variant value chess", "`kalah`, not `chess`"),
        ("setoption name UCI_Variant", "needs a value"),
        ("setoption name UCI_Variant value", "needs a value"),
        ("setoption name UCI_Variant value awari kalah", "not `awari kalah`"),
        ("setoption name UCI_ShowWDL value maybe", "`true` or `false`, not `maybe`"),
        ("setoption name UCI_ShowWDL value 1", "`true` or `false`"),
        ("setoption name Hash value 0", "from 1 to 65536"),
        ("setoption name Hash value 65537", "from 1 to 65536"),
        ("setoption name Hash value 99999999999999999999999", "from 1 to 65536"),
        ("setoption name Hash value many", "from 1 to 65536, not `many`"),
        ("setoption name Hash value 1.5", "from 1 to 65536"),
        ("setoption name Threads value 0", "Threads"),
        ("setoption name MultiPV value 0", "MultiPV"),
        ("setoption name Move Overhead value -1", "from 0 to 5000"),
        ("setoption name Clear Hash value true", "button"),
        ("setoption name EngineTurn value south", "no option is called `EngineTurn`; the options are Hash, "),
        ("setoption name Hash", "needs a value"),
        ("setoption value 4", "`name`"),
    ] {
        let error = client.refuses(line);
        assert!(error.contains(wanted), "{line}: {error}");
    }
    assert_eq!(client.says("d"), before);
    assert!(score(client.go("go depth 2").last()).wdl.is_none());
    client.quit_cleanly();
}

#[test]
fn names_and_values_may_be_in_any_case() {
    let mut client = Client::new();
    client.accepts("setoption name uci_variant value KALAH");
    client.accepts("setoption name  move   OVERHEAD  value  7");
    client.accepts("setoption name CLEAR hash");
    client.accepts("setoption name uci_showwdl value True");
    client.accepts("position startpos moves CF");
    assert_eq!(client.shows().0, "4-4-0-5-5-0-5-5-5-4-4-4-2-0-N", "C ends in the store: once more");
    assert!(score(client.go("go depth 2").last()).wdl.is_some());
    client.set("UCI_ShowWDL", "false");
    assert!(score(client.go("go depth 2").last()).wdl.is_none());
    client.quit_cleanly();
}

#[test]
fn another_variant_begins_at_its_start() {
    let mut client = Client::new();
    for &variant in Variant::ALL.iter().rev() {
        client.accepts("position startpos moves F");
        client.set("UCI_Variant", variant.name());
        assert_eq!(client.shows().0, Position::start(variant).to_string());
        assert!(client.go("go depth 5").best.is_some());
    }
    // The same one again changes nothing.
    client.accepts("position startpos moves F");
    let before = client.says("d");
    client.set("UCI_Variant", "awari");
    assert_eq!(client.says("d"), before);
    client.quit_cleanly();
}

#[test]
fn whole_chances_are_proven_and_the_others_add_up() {
    for (variant, fen, truth) in solved() {
        let mut client = playing(variant);
        client.set("UCI_ShowWDL", "true");
        client.accepts(&format!("position fen {fen}"));
        let search = client.go("go depth 40 nodes 20000");
        for info in &search.infos {
            let score = score(info);
            let wdl = score.wdl.unwrap_or_else(|| panic!("{info}"));
            let (expected, verdict) = match score.proven {
                Some(Proven::Win) => ([1000, 0, 0], Verdict::Win),
                Some(Proven::Draw) => ([0, 1000, 0], Verdict::Draw),
                Some(Proven::Loss) => ([0, 0, 1000], Verdict::Loss),
                None => {
                    assert_eq!(wdl.iter().sum::<u16>(), 1000, "{info}");
                    assert!(wdl.iter().all(|&chance| chance < 1000), "{info}");
                    assert_eq!(score.bound, Bound::Exact, "{info}");
                    continue;
                }
            };
            assert_eq!(wdl, expected, "{info}");
            assert_eq!(verdict, truth, "{variant} {fen}: {info}");
        }
        client.quit_cleanly();
    }
}

// Searching.

#[test]
fn the_same_search_counts_the_same_nodes() {
    for &variant in Variant::ALL {
        let figures = |search: &Search| -> Vec<String> {
            let told = search.infos.iter().map(|info| {
                Info { nps: None, time: None, ..info.clone() }.to_string()
            });
            told.chain([format!("{:?} {:?}", search.best, search.ponder)]).collect()
        };
        let mut client = playing(variant);
        let first = figures(&client.go("go depth 8"));
        client.go("go nodes 3000");
        client.accepts("position startpos moves BbDa");
        client.go("go depth 6");
        client.accepts("ucinewgame");
        client.accepts("position startpos");
        assert_eq!(figures(&client.go("go depth 8")), first, "{variant}: after ucinewgame");
        let mut other = playing(variant);
        other.set("Ponder", "true");
        other.accepts("position startpos");
        assert_eq!(figures(&other.go("go depth 8")), first, "{variant}: another process");
        assert_eq!(
            other.refuses("go depth 0"),
            client.refuses("go depth 0"),
            "{variant}: both are still well"
        );
        client.quit_cleanly();
        other.quit_cleanly();
    }
}

/// A random game, up to its end or a number of plies.
fn random_game(variant: Variant, seed: u64, plies: usize) -> Game {
    let mut state = seed;
    let mut game = Game::new(Position::start(variant));
    while game.position().verdict().is_none() && game.moves().len() < plies {
        let legal = game.position().moves();
        let choice = split_mix(&mut state) as usize % legal.len();
        game.play(legal[choice]).expect("it is in the list");
    }
    game
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

// The habits of other programs.

/// What the GUI of the oware programs sends: an option that may not exist, roots at the last capture, a depth with
/// a time, and pondering that always ends in `stop`.
#[test]
fn the_gui_is_served() {
    let mut client = Client::with_flags(&["--variant", "oware"]);
    client.send("uci");
    client.expect("uciok");
    client.accepts("setoption name OwnBook value true");
    client.accepts("ucinewgame");
    let mut game = Game::new(Position::start(Variant::Oware));
    let mut root = (game.position().to_string(), String::new());
    for ply in 0..200 {
        client.accepts(&format!("position fen {} moves {}", root.0, root.1));
        if ply % 3 == 2 {
            client.send("go ponder");
            client.send("stop");
            client.best_move();
        }
        let search = client.go("go depth 2 movetime 600");
        let Some(mv) = search.best else { break };
        let before = game.position().board().seeds();
        game.play(mv).expect("the engine plays by the rules");
        root.1.push(mv.letter());
        if game.position().board().seeds() != before {
            root = (game.position().to_string(), String::new());
        }
    }
    assert!(game.position().verdict().is_some(), "{}", game.position());
    client.accepts("stop");
    client.accepts("setoption name OwnBook value false");
    client.accepts("ucinewgame");
    client.accepts("position startpos moves FfEc");
    assert!(client.go("go depth 16 movetime 600").best.is_some());
    client.quit_cleanly();
}

/// What the other engine's match runner sends: an option of its own, and thinking in the rival's time to the very end.
#[test]
fn the_match_runner_is_served() {
    let mut client = Client::with_flags(&["--variant", "oware"]);
    client.accepts("debug off");
    client.refuses("setoption name EngineTurn value south");
    client.accepts("position startpos");
    assert!(client.go("go movetime 100 depth 127").letter().is_uppercase());
    client.accepts("position startpos moves F");
    client.send("go ponder");
    client.expect("info depth 1 ");
    client.send("stop");
    assert!(client.best_move().letter().is_lowercase());
    client.accepts("position fen 0-0-0-0-0-0-0-0-0-1-1-0-26-20-S moves");
    client.send("go ponder");
    client.send("stop");
    assert_eq!(client.best_move().letter(), '0');
    assert_eq!(client.go("go movetime 100 depth 127").letter(), '0');
    client.quit_cleanly();
}

// The command line.

fn run(arguments: &[&str]) -> Output {
    Command::new(ENGINE).args(arguments).output().expect("the engine starts")
}

fn printed(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]), "{arguments:?}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn every_option_is_a_flag() {
    for spec in OPTIONS {
        let flag = format!("--{}", spec.flag());
        let bad = match spec.kind {
            SpecKind::Button => {
                assert_eq!(run(&[&flag, "d"]).status.code(), Some(2), "{flag} is not a setting");
                continue;
            }
            SpecKind::Spin { default, max, .. } => {
                printed(&[&flag, &default.to_string(), "d"]);
                vec![(max + 1).to_string(), "-1".to_owned(), "x".to_owned()]
            }
            SpecKind::Check { .. } => {
                printed(&[&flag, "true", "d"]);
                vec!["yes".to_owned()]
            }
            SpecKind::Combo { default, .. } => {
                printed(&[&format!("{flag}={default}"), "d"]);
                vec!["chess".to_owned(), String::new()]
            }
        };
        for value in bad {
            let output = run(&[&flag, &value]);
            let message = String::from_utf8(output.stderr).expect("text");
            assert_eq!(output.status.code(), Some(2), "{flag} {value}");
            assert!(message.contains(spec.name) && message.lines().count() == 1, "{flag} {value}: {message}");
            assert!(output.stdout.is_empty());
        }
        assert_eq!(run(&[&flag]).status.code(), Some(2), "{flag} needs a value");
    }
    let OptionLine { name, .. } = OPTIONS[0].line();
    assert_eq!(name, "Hash");
}

#[test]
fn flags_hold_before_any_line_is_read() {
    let mut client = Client::with_flags(&["--variant", "oware", "--showwdl", "true", "--hash", "2"]);
    assert!(client.says("d").iter().any(|reply| reply.to_string().contains("Oware Abapa")));
    assert!(score(client.go("go depth 2").last()).wdl.is_some());
    client.quit_cleanly();
    for &variant in Variant::ALL {
        let mut client = playing(variant);
        assert_eq!(client.shows().0, Position::start(variant).to_string());
        client.accepts("ucinewgame");
        client.accepts("position startpos");
        assert_eq!(client.shows().0, Position::start(variant).to_string());
        client.quit_cleanly();
    }
}

#[test]
fn commands_may_stand_on_the_command_line() {
    assert!(printed(&["perft", "4"]).ends_with("Nodes searched: 1014\n"));
    assert!(printed(&["--variant", "ayoayo", "perft", "1"]).contains("A: 1\n"));
    let (one, other) = (printed(&["bench", "3"]), printed(&["--variant", "kalah", "bench", "3"]));
    let signature = |text: &str| text.lines().last().map(str::to_owned);
    assert!(signature(&one).is_some_and(|line| line.starts_with("Nodes searched: ")));
    assert_eq!(signature(&one), signature(&other));
    let help = printed(&["help"]);
    assert!(COMMANDS.iter().all(|(usage, what)| help.contains(usage) && help.contains(what)));
    let usage = printed(&["--help"]);
    assert!(COMMANDS.iter().all(|(command, _)| usage.contains(command)), "{usage}");
    for spec in OPTIONS.iter().filter(|spec| !matches!(spec.kind, SpecKind::Button)) {
        assert!(usage.contains(&format!("--{} ", spec.flag())) && usage.contains(spec.doc), "{usage}");
    }
    assert_eq!(printed(&["--version"]), format!("kroo {}\n", env!("CARGO_PKG_VERSION")));
    assert!(printed(&["go", "depth", "3"]).lines().last().is_some_and(|line| line.starts_with("bestmove ")));
    assert!(printed(&["uci"]).ends_with("uciok\n"));
    for wrong in [&["xyzzy"][..], &["perft"], &["perft", "0"], &["go", "depth"], &["--xyzzy"], &["--hash", "1", "--hash"]] {
        let output = run(wrong);
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
        assert!(!output.stderr.is_empty() && output.stdout.is_empty(), "{wrong:?}");
    }
}
