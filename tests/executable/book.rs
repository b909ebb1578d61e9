//! Opening books: built the same each time, read with suspicion, played from only when wanted.

use crate::command::{kroo, printed, refused};
use kroo::book::{Book, BookError};
use kroo::game::{Position, Variant};
use kroo::protocol::{Info, Reply};
use kroo::value::Kind;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use support::client::Client;
use support::programs::kroo_path;
use tempfile::TempDir;

/// A build that takes about a second, so that it can be killed halfway.
const PLAN: [&str; 6] = ["--variant", "oware", "--positions", "9", "--nodes", "60000"];

fn build(out: &Path, more: &[&str]) -> Output {
    let out = out.to_str().expect("a name");
    kroo(&[&["book", "build", "--out", out], &PLAN[..], more].concat())
}

fn bytes(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The rule sets with a book.
fn with_books() -> impl Iterator<Item = Variant> {
    Variant::ALL.iter().copied().filter(|variant| variant.about().book.is_some())
}

#[test]
fn the_books_that_are_built_in_know_the_start_and_legal_moves_only() {
    for variant in with_books() {
        let (book, start) = (Book::built_in(variant), Position::start(variant));
        assert_eq!(book.variant(), variant);
        // Solving more positions of this game would take hours.
        assert!(book.len() >= if variant == Variant::Kalah { 2 } else { 50 }, "{variant}");
        let entry = book.probe(&start).expect("the start");
        let mut pits: Vec<_> = entry.moves.iter().map(|(mv, _)| mv.pit).collect();
        pits.sort();
        assert_eq!(pits, start.moves().iter().map(|mv| mv.pit).collect::<Vec<_>>(), "{variant}");
        assert!(entry.moves.windows(2).all(|pair| pair[0].1 >= pair[1].1), "{variant}: {:?}", entry.moves);
        let line = book.line(&start);
        assert!(line.len() >= book.len().min(4) && line[0] == entry.moves[0].0, "{variant}: {line:?}");
        line.into_iter().try_fold(start, |position, mv| position.play(mv)).expect("a legal line");
        // North's positions are South's, seen from the other side.
        let after = start.play(entry.moves[0].0).expect("legal");
        assert!(book.probe(&after).is_some_and(|entry| entry.moves[0].0.side == after.side()), "{variant}");
        for other in Variant::ALL.iter().filter(|&&other| other != variant) {
            assert_eq!(book.probe(&Position::start(*other)), None);
        }
    }
}

#[test]
fn no_byte_can_be_changed_or_left_out() {
    for &variant in Variant::ALL {
        let good = Book::built_in(variant).to_bytes();
        assert_eq!(Book::from_bytes(&good).as_ref(), Ok(Book::built_in(variant)));
        for at in 0..good.len() {
            let mut wrong = good.clone();
            wrong[at] ^= 0x10;
            assert!(Book::from_bytes(&wrong).is_err(), "{variant}: byte {at} changed");
            assert!(Book::from_bytes(&good[..at]).is_err(), "{variant}: only {at} bytes");
        }
        let mut longer = good[..good.len() - 4].to_vec();
        longer.push(0);
        longer.extend(crc32fast::hash(&longer).to_le_bytes());
        assert!(Book::from_bytes(&longer).is_err(), "{variant}: a byte too many");
    }
}

/// The checksum of a forged file is right, and yet no move of it is played that is not legal.
#[test]
fn a_forged_entry_is_refused() {
    let good = Book::built_in(Variant::Kalah).to_bytes();
    // The first entry begins behind the head of 34 bytes: its store is byte 46, its moves are byte 48.
    for (at, value, wanted) in
        [(48, 0b11_1111, "legal moves"), (46, 200, "not a position"), (34, 49, "not a position")]
    {
        let mut forged = good[..good.len() - 4].to_vec();
        assert_ne!(forged[at], value);
        forged[at] = value;
        forged.extend(crc32fast::hash(&forged).to_le_bytes());
        let error = Book::from_bytes(&forged).expect_err("forged").to_string();
        assert!(error.contains("entry 1 (byte 34)") && error.contains(wanted), "{at}: {error}");
    }
}

#[test]
#[cfg_attr(not(debug_assertions), ignore = "failpoints are in builds with debug assertions")]
fn a_build_is_the_same_on_any_number_of_threads_and_after_a_kill() {
    let folder = TempDir::new().expect("a folder");
    let [one, three, killed] = ["one", "three", "killed"].map(|name| folder.path().join(name));
    let said = printed(&build(&one, &[]));
    assert!(
        said.contains("positions   9\n") && said.contains("oware") && said.contains("60000 nodes"),
        "{said}"
    );
    assert_eq!(printed(&kroo(&["book", "info", one.to_str().expect("a name")])), said);
    printed(&build(&three, &["--threads", "3"]));
    assert_eq!(bytes(&one), bytes(&three));
    let journal = folder.path().join("killed.journal");
    let mut arguments = vec!["book", "build", "--out", killed.to_str().expect("a name")];
    arguments.extend(PLAN);
    // Each line of the journal is a step.
    let output =
        Command::new(kroo_path()).args(arguments).env("KROO_TEST_STEPS", "6").output().expect("it starts");
    assert!(!output.status.success(), "it was over before it could be killed");
    assert!(!killed.exists() && journal.exists());
    // A kill can leave a line without its end.
    let begun = fs::read_to_string(&journal).expect("a journal");
    fs::write(&journal, format!("{begun}4-4-4-4")).expect("a journal");
    printed(&build(&killed, &[]));
    assert_eq!(bytes(&one), bytes(&killed));
    let left = fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(left, 3, "neither a journal nor half a book is left");
}

/// The values are exact, so they are the same whatever the tables knew.
#[test]
fn a_solved_book_has_no_estimates() {
    let folder = TempDir::new().expect("a folder");
    let solve = |name: &str, variant: &str, more: &[&str]| {
        let out = folder.path().join(name);
        let words = ["book", "build", "--solve", "--variant", variant, "--positions", "3", "--out"];
        let output = kroo(&[&words[..], &[out.to_str().expect("a name")], more].concat());
        (out, output)
    };
    let (one, output) = solve("one", "awari1978", &[]);
    assert!(printed(&output).contains("values      solved\n"), "{output:?}");
    let (two, output) = solve("two", "awari1978", &["--threads", "2", "--hash", "64"]);
    printed(&output);
    assert_eq!(bytes(&one), bytes(&two));
    let book = Book::open(&one).expect("a book");
    let entry = book.probe(&Position::start(Variant::Awari1978)).expect("the start");
    assert!(book.is_solved() && book.len() == 3);
    assert_eq!(entry.moves[0].1.kind(), Kind::Win(3));
    let (_, output) = solve("never", "oware", &[]);
    assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains("may come back"));
}

#[test]
fn a_journal_of_another_build_is_not_used() {
    let folder = TempDir::new().expect("a folder");
    let (out, journal) = (folder.path().join("b"), folder.path().join("b.journal"));
    let other = "kroo book journal 1: kalah, 5 nodes, hash 1, engine x\n";
    fs::write(&journal, other).expect("a journal");
    let output = build(&out, &[]);
    let error = refused(&output);
    assert!(
        error.contains("b.journal") && error.contains("kalah, 5 nodes") && error.contains("delete it"),
        "{error}"
    );
    assert_eq!(fs::read_to_string(&journal).expect("a journal"), other);
    let head = error.split("this build is `").nth(1).and_then(|rest| rest.split('`').next()).expect("a head");
    fs::write(&journal, format!("{head}\n4-4-4-4-4-0-5-5-5-5-4-4-0-0-S zz 3 0\n")).expect("a journal");
    let output = build(&out, &[]);
    assert!(refused(&output).contains("line 2: expected a position"), "{output:?}");
    let output = build(&folder.path().join("no/such/folder"), &[]);
    assert!(refused(&output).contains("no/such/folder"), "{output:?}");
}

#[test]
fn probe_shows_every_move() {
    let output = kroo(&["--variant", "kalah", "book", "probe", "startpos"]);
    let text = printed(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines.len() == 7
            && lines[0] == "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S: solved"
            && lines[1].ends_with("C +8.00 win"),
        "{lines:?}"
    );
    let searched = kroo(&["--variant", "oware", "book", "probe", "startpos"]);
    let text = printed(&searched);
    let first = text.lines().next().expect("a line");
    assert!(first.contains(": to depth ") && first.ends_with(" nodes"), "{first}");
    let fen = kroo(&["book", "probe", "--variant", "kalah", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"]);
    assert_eq!(printed(&fen), printed(&output));
    let unknown = kroo(&["book", "probe", "0-0-0-0-0-1-1-0-0-0-0-0-23-23-S"]);
    assert!(printed(&unknown).ends_with("is not in the book\n"));
    for wrong in
        [&["startpos", "moves", "FF"][..], &["here"], &["4-4"], &[], &["--file", "/no/such", "startpos"]]
    {
        let output = kroo(&[&["book", "probe"], wrong].concat());
        assert!(
            !output.status.success() && !output.stderr.is_empty() && output.stdout.is_empty(),
            "{wrong:?}"
        );
    }
}

/// The info of a `go`, and whether it came from the book.
fn go(client: &mut Client, line: &str) -> (Vec<Reply>, bool) {
    client.send(line);
    let said = client.until("`bestmove`", |reply| matches!(reply, Reply::BestMove { .. }));
    let from_book = is_from_book(&said);
    (said, from_book)
}

fn is_from_book(said: &[Reply]) -> bool {
    said.iter().any(|reply| matches!(reply, Reply::Info(Info { string: Some(text), .. }) if text == "book"))
}

#[test]
fn the_book_is_played_only_when_it_is_wanted() {
    for variant in with_books() {
        let best = Book::built_in(variant).line(&Position::start(variant));
        let mut client = Client::with_flags(&["--variant", variant.name()]);
        assert!(!go(&mut client, "go depth 3").1, "it is off at first");
        client.set("OwnBook", "true");
        let (said, from_book) = go(&mut client, "go movetime 20000");
        let [Reply::Info(info), Reply::Info(_), answer] = &said[..] else { panic!("{said:?}") };
        assert!(from_book && info.nodes == Some(0) && info.score.is_some());
        assert_eq!(info.pv, best);
        assert_eq!(*answer, Reply::BestMove { best: Some(best[0]), ponder: Some(best[1]) });
        let other = Position::start(variant).moves()[2];
        for line in ["go depth 2 mate 3".to_owned(), format!("go depth 2 searchmoves {other}")] {
            assert!(!go(&mut client, &line).1, "{line}");
        }
        client.send("go infinite");
        assert!(!is_from_book(&client.expect("info depth 3 ")));
        client.send("stop");
        client.best_move();
        client.set("Level", "amateur");
        assert!(!go(&mut client, "go depth 2").1);
        client.set("Level", "full");
        // An answer from the book waits like any other.
        client.send("go ponder movetime 1");
        client.expect("info string book");
        client.stays_silent();
        client.send("ponderhit");
        assert_eq!(client.best_move().best, Some(best[0]));
        client.set("OwnBook", "false");
        assert!(!go(&mut client, "go depth 2").1);
        client.quit_cleanly();
    }
}

#[test]
fn a_file_takes_the_place_of_the_book_or_is_refused() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("some book");
    let name = path.to_str().expect("a name");
    Book::built_in(Variant::Kalah).save(&path).expect("a book");
    assert!(matches!(Book::open_for(&path, Variant::Awari), Err(BookError::Foreign { .. })));
    let mut client = Client::with_flags(&["--variant", "kalah", "--ownbook", "true"]);
    client.set("BookFile", name);
    assert!(go(&mut client, "go depth 1").1);
    let broken = folder.path().join("broken");
    let whole = bytes(&path);
    fs::write(&broken, &whole[..whole.len() - 9]).expect("a file");
    for (file, wanted) in [
        ("/no/such/file", "cannot be read: No such file"),
        (folder.path().to_str().expect("a name"), "it is a folder, not a file"),
        (broken.to_str().expect("a name"), "is not a sound book: its checksum is"),
    ] {
        let error = client.refuses(&format!("setoption name BookFile value {file}"));
        assert!(error.contains(wanted) && error.contains(file), "{error}");
        assert!(go(&mut client, "go depth 1").1, "the book from before is still there");
    }
    client.set("UCI_Variant", "awari");
    assert!(!go(&mut client, "go depth 1").1, "a book of another rule set rests");
    client.set("BookFile", "<empty>");
    assert!(go(&mut client, "go depth 1").1);
    let error = client.refuses(&format!("setoption name BookFile value {name}"));
    assert!(
        error.contains("is a book of kalah, and the rule set is awari: set UCI_Variant first"),
        "{error}"
    );
    client.quit_cleanly();
    let output = kroo(&["--bookfile", name, "d"]);
    assert!(refused(&output).contains("is a book of kalah"), "{output:?}");
}

/// The book has one answer, so several lines are searched.
#[test]
fn with_several_lines_the_book_is_not_asked() {
    let mut client = Client::with_flags(&["--variant", "kalah", "--ownbook", "true"]);
    assert!(go(&mut client, "go depth 2").1);
    client.set("MultiPV", "2");
    assert!(!go(&mut client, "go depth 2").1);
    client.set("MultiPV", "1");
    assert!(go(&mut client, "go depth 2").1);
}

/// With width 0 the book plays only best moves, so it reaches fewer positions.
#[test]
fn a_wide_book_holds_positions_after_worse_moves() {
    let folder = TempDir::new().expect("a folder");
    let [narrow, wide] = ["0", "4800"].map(|width| {
        let path = folder.path().join(width);
        let plan = "--variant oware --positions 60 --plies 3 --nodes 500 --width";
        let words = ["book", "build", "--out", path.to_str().expect("a name")].into_iter();
        printed(&kroo(&words.chain(plan.split(' ')).chain([width]).collect::<Vec<_>>()));
        Book::open(&path).expect("a book").len()
    });
    assert!(narrow < wide, "{narrow} and {wide}");
}
