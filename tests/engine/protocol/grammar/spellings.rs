//! Spellings of people and programs: what is accepted, what is refused, and where.

use kroo::protocol::{Command, GoCommand, Info, Limits, ParseError, Reply, Text};

/// Both lines must parse to the same command.
#[track_caller]
fn same(line: &str, canonical: &str) {
    let command = Command::parse(line).expect(line).expect(line);
    assert_eq!(command.to_string(), canonical, "{line:?}");
}

#[test]
fn spellings_of_commands() {
    same("position startpos moves FfEc", "position startpos moves FfEc");
    same("position startpos moves F f E c", "position startpos moves FfEc");
    same(" \tposition\tstartpos   moves Ff\tE c\r\n", "position startpos moves FfEc");
    same("position startpos moves", "position startpos");
    same("position fen 4-4-S moves  f", "position fen 4-4-S moves f");
    same("position fen anything", "position fen anything");
    same("go", "go");
    same("go infinite depth 3 nodes 007", "go depth 3 nodes 7 infinite");
    same("go btime -20 wtime 1000 winc 0", "go wtime 1000 btime -20 winc 0");
    same("go searchmoves F eA depth 4", "go searchmoves FeA depth 4");
    same("go depth 127 movetime 3600", "go depth 127 movetime 3600");
    same("go  perft\t64", "go perft 64");
    same("setoption name  Move   Overhead  value  20 ", "setoption name Move Overhead value 20");
    same("setoption name EvalFile value /a  b/value c", "setoption name EvalFile value /a  b/value c");
    same("setoption name EvalFile value", "setoption name EvalFile value");
    same("setoption name Clear Hash", "setoption name Clear Hash");
    same("debug off", "debug off");
    same("bench", "bench");
    same("uginewgame", "ucinewgame");
    same("go p1time 1000 p2time -20 p1inc 0 p2inc 5", "go wtime 1000 btime -20 winc 0 binc 5");
    same("query  p1turn ", "query p1turn");
    same("uci\r", "uci");
    for blank in ["", " ", "\t\t", "\r\n", " \r", "\n"] {
        assert_eq!(Command::parse(blank), Ok(None), "{blank:?}");
    }
    let empty = Command::SetOption { name: "X".to_owned(), value: Some(String::new()) };
    assert_eq!(Command::parse("setoption name X value "), Ok(Some(empty)));
}

/// The error must have this column, expectation and text.
#[track_caller]
fn wrong<T: std::fmt::Debug>(
    line: &str,
    read: Result<T, ParseError>,
    column: usize,
    expected: &str,
    found: &str,
) {
    let error = read.expect_err(line);
    assert_eq!((error.column, error.found.as_str()), (column, found), "{line:?}: {error}");
    assert!(error.expected.contains(expected), "{line:?}: {error}");
}

#[test]
fn errors_of_commands() {
    const END: &str = "the end of the line";
    let table = [
        ("go depth x", 10, "a number of plies from 1 to 127", "`x`"),
        ("bench 128", 7, "from 1 to 127", "`128`"),
        ("query", 6, "`gameover`, `p1turn` or `result`", END),
        ("query side", 7, "`gameover`, `p1turn` or `result`", "`side`"),
        ("go wtime 5 p1time 5", 12, "only once", "`p1time`"),
        ("go depth", 9, "from 1 to 127", END),
        ("go depth +1", 10, "from 1 to 127", "`+1`"),
        ("go nodes --1", 10, "a number of nodes from 1", "`--1`"),
        ("go movetime 1.5", 13, "milliseconds from 0", "`1.5`"),
        ("go depth 3 infinite depth 4", 21, "only once", "`depth`"),
        ("go ponder ponder", 11, "only once", "`ponder`"),
        ("go searchmoves A infinite searchmoves B", 27, "only once", "`searchmoves`"),
        ("go searchmoves", 15, "at least one move", END),
        ("go searchmoves depth 3", 16, "at least one move", "`depth`"),
        ("go searchmoves ABx", 18, "a pit's letter", "`x`"),
        ("go fast", 4, "`infinite`", "`fast`"),
        ("go perft", 9, "from 1 to 64", END),
        ("go perft 65", 10, "from 1 to 64", "`65`"),
        ("go perft 3 depth 2", 12, END, "`depth`"),
        ("perft 0", 7, "from 1 to 64", "`0`"),
        ("bench x", 7, "from 1 to 127", "`x`"),
        ("bench 5 6", 9, END, "`6`"),
        ("position", 9, "`startpos` or `fen`", END),
        ("position start", 10, "`startpos` or `fen`", "`start`"),
        ("position startpos F", 19, "`moves` or the end of the line", "`F`"),
        ("position startpos moves FfgE", 27, "a pit's letter (A to F or a to f)", "`g`"),
        ("  position startpos moves F f Eé", 32, "a pit's letter", "`é`"),
        ("position fen", 13, "a position", END),
        ("position fen moves F", 14, "a position", "`moves`"),
        ("position fen 4-4 4-4", 18, "`moves`", "`4-4`"),
        ("setoption Hash 3", 11, "`name`", "`Hash`"),
        ("setoption name value 3", 16, "the name of an option", "`value`"),
        ("debug", 6, "`on` or `off`", END),
        ("debug yes", 7, "`on` or `off`", "`yes`"),
        ("uci now", 5, END, "`now`"),
        ("\té Go", 2, "`position`", "`é`"),
        ("Go", 1, "`help`", "`Go`"),
        ("gogo", 1, "`go`", "`gogo`"),
        ("stop\nquit", 5, "a single line", "`\\nquit`"),
        ("\0\u{1b}[2J", 1, "`uci`", "`\\0\\u{1b}[2J`"),
    ];
    for (line, column, expected, found) in table {
        wrong(line, Command::parse(line), column, expected, found);
    }
    let error = Command::parse("go depth x").expect_err("x is no number");
    assert_eq!(error.to_string(), "column 10: expected a number of plies from 1 to 127, found `x`");
}

#[test]
fn errors_of_replies() {
    const END: &str = "the end of the line";
    let table = [
        ("bestmove", 9, "a move (A to F or a to f) or `0000`", END),
        ("bestmove (none)", 10, "a move", "`(none)`"),
        ("bestmove g", 10, "a move", "`g`"),
        ("bestmove Ff", 10, "a move", "`Ff`"),
        ("bestmove 000", 10, "`0000`", "`000`"),
        ("", 1, "a reply", END),
        (" \r\n", 1, "a reply", END),
        ("id version 3", 4, "`name` or `author`", "`version`"),
        ("option name Hash", 17, "`type`", END),
        ("option name Hash type dial", 23, "`spin`", "`dial`"),
        ("option name Hash type spin default 1 min 0", 43, "`max`", END),
        ("option name Hash type spin default x", 36, "an integer", "`x`"),
        ("option name P type check default yes", 34, "`true` or `false`", "`yes`"),
        ("option name V type combo default var a", 34, "a value", "`var`"),
        ("option name C type button now", 27, END, "`now`"),
        ("Fen:", 5, "a position", END),
        ("Result: 2-0", 9, "`1-0`", "`2-0`"),
        ("Nodes searched: many", 17, "a number of nodes", "`many`"),
    ];
    for (line, column, expected, found) in table {
        wrong(line, Reply::parse(line), column, expected, found);
    }
    for line in ["", "uciok", "  info", "bestmove", "two\nlines", "A: 3"] {
        assert!(Text::new(line).is_err(), "{line:?}");
    }
}

/// The reply must parse, and be printed as `canonical`.
#[track_caller]
fn prints(line: &str, canonical: &str) {
    assert_eq!(Reply::parse(line).expect(line).to_string(), canonical, "{line:?}");
}

#[test]
fn replies_of_foreign_engines() {
    prints("info", "info");
    prints("info nps 5 depth 3 pv F f E", "info depth 3 nps 5 pv FfE");
    prints("info depth x nodes 7 time 1.5 nps 9", "info nodes 7 nps 9");
    prints("info depth nodes 7", "info nodes 7");
    prints("info score lowerbound cp -12 nodes 3", "info score cp -12 lowerbound nodes 3");
    prints("info score mate -3 wdl 0 1 999 depth 2", "info depth 2 score mate -3 wdl 0 1 999");
    prints("info score cp wdl 1 x 2 proven maybe depth 4", "info depth 4");
    prints("info score cp 1 wdl 1 2 99999 depth 4", "info depth 4 score cp 1");
    prints("info score 15 depth 4", "info depth 4");
    prints("info score cp 99999999999 proven win depth 4", "info depth 4");
    prints("info cpuload 300 currline 1 F f hashfull 999", "info hashfull 999");
    prints("info multipv 1 pv (none) nodes 4", "info multipv 1 nodes 4");
    prints("info depth 1 string  depth 2  and so on ", "info depth 1 string depth 2  and so on");
    prints("info string", "info string");
    prints("info currmove Ff currmovenumber 2", "info currmovenumber 2");
    prints("bestmove F ponder (none)", "bestmove F");
    prints("bestmove 0000 ponder", "bestmove 0000");
    prints("bestmove\tF  ponder f eval 3", "bestmove F ponder f");
    prints("readyok then", "readyok");
    prints("id name", "id name");
    prints(
        "option name A  B type spin max 3 default 2 min 1",
        "option name A B type spin default 2 min 1 max 3",
    );
    prints("option name S type string", "option name S type string default <empty>");
    prints("option name S type string default", "option name S type string default <empty>");
    prints(
        "option name S type combo var a b var c default c",
        "option name S type combo default c var a b var c",
    );
    for text in
        ["A: 3 4", "A:3", "g: 4", "   A  B  C", "informal", "Nodes/second: 5", "bestmove: F", "readyokay"]
    {
        assert_eq!(Reply::parse(text), Text::new(text).map(Reply::Text), "{text:?}");
        prints(text, text);
    }
    assert_eq!(Reply::Info(Info::text(" a\nb ")).to_string(), "info string a b");
}

/// Every number gives a program its `bestmove`.
#[test]
fn a_number_of_go_that_is_out_of_range_becomes_the_nearest() {
    for (text, read, remark) in [
        ("go depth 200", "go depth 127", "go: depth 200 is out of range; using 127"),
        ("go depth 0 nodes 1", "go depth 1 nodes 1", "go: depth 0 is out of range; using 1"),
        ("go depth -1", "go depth 1", "go: depth -1 is out of range; using 1"),
        ("go nodes 0", "go nodes 1", "go: nodes 0 is out of range; using 1"),
        (
            "go nodes 18446744073709551616",
            "go nodes 18446744073709551615",
            "nodes 18446744073709551616 is out",
        ),
        ("go movetime -1", "go movetime 0", "go: movetime -1 is out of range; using 0"),
        ("go wtime 5 winc -20", "go wtime 5 winc 0", "go: winc -20 is out of range; using 0"),
        ("go btime -9999999999999999999999", "go btime -9223372036854775808", "using -9223372036854775808"),
        (
            "go movestogo -3 wtime 100",
            "go wtime 100 movestogo 0",
            "go: movestogo -3 is out of range; using 0",
        ),
        ("go mate 0", "go mate 1", "go: mate 0 is out of range; using 1"),
    ] {
        let Ok(Some(Command::Go(GoCommand::Search(limits)))) = Command::parse(text) else { panic!("{text}") };
        assert_eq!(GoCommand::Search(limits.clone()).to_string(), read);
        assert!(
            matches!(&limits.clamped[..], [one] if one.to_string().contains(remark)),
            "{text}: {limits:?}"
        );
    }
    let zero = GoCommand::Search(Limits { movetime: Some(0), ..Limits::default() });
    assert_eq!(Command::parse("go movetime -0"), Ok(Some(Command::Go(zero))));
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_line() {
    assert!(Command::parse("\u{feff}uci\r\n").is_err());
    assert!(Command::parse("\u{feff}").is_err());
    assert_ne!(Reply::parse("\u{feff}uciok"), Ok(Reply::UciOk));
}
