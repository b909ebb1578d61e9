//! Game files: round trips, and errors with their places.

use kroo::game::{Game, Position, Side, Variant, Verdict, split_mix};
use kroo::ogn::{
    self, FileError, FileText, GameRecord, GameText, MoveNotes, ReadError, Reader, open, parse, save,
};
use kroo::protocol::Ending;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};
use support::data::{AUALE, PLAYSTRATEGY};
use support::documents::{random_document, stem};
use support::one_of;
use support::programs::root;

/// A game of at most `most` random moves.
fn random_game(start: Position, seed: u64, most: usize) -> Game {
    let (mut game, mut state) = (Game::new(start), seed);
    while game.moves().len() < most && game.position().verdict().is_none() {
        let moves = game.position().moves();
        let lot = split_mix(&mut state);
        game.play(moves[lot as usize % moves.len()]).expect("a listed move");
    }
    game
}

fn games() -> impl Iterator<Item = GameRecord> {
    let seeds = Variant::ALL.iter().flat_map(|&variant| (0..40).map(move |seed| (variant, seed)));
    seeds.map(|(variant, seed)| {
        let first = random_game(Position::start(variant), seed, seed as usize % 4);
        // Every fourth game begins at a position that is not the start.
        let start = if seed % 4 == 3 { *first.position() } else { Position::start(variant) };
        let mut record = GameRecord::new(random_game(start, seed + 100, [300, 7, 0][seed as usize % 3]));
        let remark = || MoveNotes::of_comment("+1.20/9 (so it thought)");
        record.notes.iter_mut().step_by(3).for_each(|notes| *notes = remark());
        record.set_tag("South", "a \"quoted\" \\ name");
        record.set_tag("Annotator", "nobody");
        record
    })
}

#[test]
fn what_is_written_is_read_again() {
    for record in games() {
        let text = record.to_string();
        let read = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(read.len(), 1);
        assert_eq!(read[0].game, record.game);
        assert_eq!(read[0].notes, record.notes);
        assert_eq!(read[0].tag("South"), Some("a \"quoted\" \\ name"));
        assert_eq!(read[0].result(), record.result());
        assert_eq!(read[0].to_string(), text, "and written the same again");
        let moves = text.split("\n\n").nth(1).expect("moves");
        assert!(moves.lines().all(|line| line.chars().count() < 80), "{text}");
    }
}

#[test]
fn a_file_of_many_games_is_read_and_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("many.ogn");
    let all: Vec<GameRecord> = games().collect();
    save(&path, &all).expect("written");
    let read = open(&path).expect("sound");
    assert_eq!(read.len(), all.len());
    assert!(read.iter().zip(&all).all(|(read, written)| read.game == written.game));
    save(&path, &all[..1]).expect("written again");
    assert_eq!(open(&path).expect("sound").len(), 1);
    let names: Vec<_> = fs::read_dir(folder.path()).expect("a folder").collect();
    assert_eq!(names.len(), 1, "nothing is left beside it");
}

#[test]
fn a_file_that_cannot_be_written_stays_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let wrong = save(&folder.path().join("none/game.ogn"), &[]).expect_err("no such folder");
    assert!(matches!(wrong, FileError::Write { .. }), "{wrong}");
    let missing = open(Path::new("/no/such.ogn")).expect_err("no such file").to_string();
    assert!(missing.starts_with("/no/such.ogn cannot be read: "), "{missing}");
    let wrong = open(folder.path()).expect_err("a folder").to_string();
    assert!(wrong.ends_with("it is a folder, not a file"), "{wrong}");
    let empty = folder.path().join("empty.ogn");
    fs::write(&empty, "\n\n").expect("written");
    assert!(open(&empty).expect_err("no game").to_string().ends_with("no game in this file"));
}

/// Variations of other programs: names of rule sets, order of tags, no numbers, results as the last word.
#[test]
fn harmless_freedoms_are_allowed() {
    let text = "\u{feff}[South \"me\"]\r\n[Variant \"oware\"]\r\n[Result \"*\"]\r\n1.F f\r\nE{a comment\n in lines} *\r\n\r\n\
                [Variant \"Kalah\"]\n[Result \"1-0\"] C F 30-10\n";
    let read = parse(text).expect("sound");
    let moves: Vec<String> =
        read.iter().map(|record| record.game.moves().iter().map(|mv| mv.letter()).collect()).collect();
    assert_eq!(moves, ["FfE", "CF"]);
    assert_eq!(read[0].comments(), ["", "", "a comment in lines"]);
    assert_eq!(read[1].result(), "1-0");
}

/// Annotations of other programs do not change the game: variations, judgements, and lines for other programs.
#[test]
fn annotations_are_no_moves() {
    let text = "[Variant \"Awari\"]\n[Result \"*\"]\n\n% a line for another program\n1.F?! $1 {good (} f$22(1... e ; no ) here\n\
                {bad )}\n\n)\n2.E! (A (B) b?) (D)e ?? {last} *\n";
    let read = parse(text).expect("sound");
    let moves: String = read[0].game.moves().iter().map(|mv| mv.letter()).collect();
    assert_eq!(moves, "FfEe");
    assert_eq!(read[0].comments(), ["good (", "", "", "last"]);
    let omitted = "line 4, column 1: left out: a line for another program\n\
                   line 5, column 20: left out: the annotation `$22`";
    assert_eq!(read[0].omitted.to_string(), omitted);
    // The page says so, too.
    let json: Value = serde_json::from_str(&ogn::as_json(text.as_bytes())).expect("JSON");
    assert_eq!(json["games"][0]["omitted"], json!([[4, 1, "line"], [5, 20, "annotation $22"]]));
}

/// The import form of PGN, and what annotators write.
#[test]
fn games_of_other_people_are_read() {
    let moves = |text: &str| {
        let text = format!("[Variant \"Awari\"]\n\n{text}\n");
        let record = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}")).remove(0);
        let letters: String = record.game.moves().iter().map(|mv| mv.letter()).collect();
        (letters, record.result().to_owned())
    };
    for text in
        ["1. F f 2. E *", "1. F 1... f 2. E *", "1. F 1. ... f 2 E *", "1 F ... f 2 . E *", "F 1… f 2.E *"]
    {
        assert_eq!(moves(text), ("FfE".to_owned(), "*".to_owned()), "{text}");
    }
    let fen = "[FEN \"4-4-4-4-4-4-4-4-4-4-4-4-0-0-N\"]\n";
    let record =
        parse(&format!("[Variant \"Awari\"]\n{fen}\n1. ... f 2. E *")).expect("North begins").remove(0);
    assert!(record.to_string().contains("\n1... f 2. E 0-0\n"), "{record}");
    for draw in ["1/2-1/2", "½-½", "½–½", "0.5-0.5", "0,5-0,5", "1/2"] {
        for text in [format!("[Result \"{draw}\"]\n1. F f {draw}"), format!("[Result \"{draw}\"]\n1. F f")] {
            let game = &texts(text.as_bytes()).expect("text of games")[0];
            assert_eq!(game.verdict_for(Side::South), Some(Verdict::Draw), "{text}");
        }
        let text = format!("[Variant \"Awari\"]\n[Result \"{draw}\"]\n\n1. F f {draw}\n");
        assert_eq!(parse(&text).expect("a draw")[0].result(), "1/2-1/2", "{draw}");
    }
    for (win, verdict) in [("1–0", Verdict::Win), ("20—25", Verdict::Loss)] {
        let game = &texts(format!("1. F f {win}\n").as_bytes()).expect("text of games")[0];
        assert_eq!(game.verdict_for(Side::South), Some(verdict), "{win}");
    }
}

#[test]
fn a_file_that_is_no_text_is_called_by_its_kind() {
    for (bytes, kind) in [
        (&b"\x1f\x8b\x08\x00\x01\x1b[2J"[..], "a gzip file, not the text of games: unpack it first"),
        (b"PK\x03\x04\x1b[2J", "a zip file, not the text of games: unpack it first"),
        (b"[Variant\0", "a binary file, not the text of games"),
    ] {
        let error = texts(bytes).expect_err(kind).to_string();
        assert_eq!(error, format!("line 1, column 1: this is {kind}"));
    }
}

#[test]
fn what_is_left_out_is_listed() {
    let text = "[Variant \"Awari\"]\n\n(A) 1. F $19 f (1... x a {good} b) (1... f F f f) ± 2. E ({only a remark}) *\n";
    let record = parse(text).expect("a game").remove(0);
    let expected = "line 3, column 1: left out: a variation that follows no move\n\
                    line 3, column 10: left out: the annotation `$19`\n\
                    line 3, column 22: left out: `x` in a variation\n\
                    line 3, column 51: left out: the annotation `±`\n\
                    line 3, column 33: left out: a variation that is illegal: `b`: it is South's turn\n\
                    line 3, column 44: left out: a variation that is illegal: `F`: the pit is empty";
    assert_eq!(record.omitted.to_string(), expected);
    assert_eq!(record.comments(), ["", "", "only a remark"]);
    let again = parse(&record.to_string()).expect("written").remove(0);
    assert_eq!((again.omitted.count(), again.to_string()), (0, record.to_string()));
}

/// A comment, a judgement or nothing, chosen by a random number.
fn decorated(text: &mut String, state: &mut u64) {
    let lot = split_mix(state);
    text.push_str(["", "!", "?!", "", "", " $4", " $1", "", ""][(lot % 9) as usize]);
    text.push_str(
        ["", " {a remark, 1. F (x)}", " ; to the end of the line\n", "", ""][(lot / 9 % 5) as usize],
    );
}

/// Moves from a position, with comments, judgements and variations that are legal.
fn annotated(game: &mut Game, moves: usize, depth: usize, state: &mut u64) -> String {
    let mut text = [" ", " {before the first} ", " "][(split_mix(state) % 3) as usize].to_owned();
    for _ in 0..moves {
        let legal = game.position().moves();
        if legal.is_empty() || game.position().verdict().is_some() {
            break;
        }
        let branch = game.clone();
        let mv = legal[split_mix(state) as usize % legal.len()];
        game.play(mv).expect("a listed move");
        text.push_str(["", "1. ", "3... ", "2. ... "][(split_mix(state) % 4) as usize]);
        text.push(mv.letter());
        decorated(&mut text, state);
        text.push(' ');
        while depth > 0 && split_mix(state).is_multiple_of(4) {
            let inner = annotated(&mut branch.clone(), 3, depth - 1, state);
            text.push_str(&format!("({inner}) "));
        }
    }
    text
}

proptest! {
    /// What was read is written, and read as the same: comments, judgements and variations included.
    #[test]
    fn what_is_read_is_written_and_read_again(seed in any::<u64>(), number in 0..Variant::ALL.len()) {
        let variant = Variant::ALL[number];
        let (mut game, mut state) = (Game::new(Position::start(variant)), seed);
        let moves = annotated(&mut game, 12, 2, &mut state);
        let text = format!("[Variant \"{}\"]\n[Result \"*\"]\n\n{moves}*\n", variant.title());
        let read = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}")).remove(0);
        prop_assert_eq!(read.omitted.to_string(), "");
        prop_assert_eq!(&read.game, &game);
        let written = read.to_string();
        let again = parse(&written).unwrap_or_else(|error| panic!("{error}\n{written}")).remove(0);
        prop_assert_eq!(&again.before, &read.before);
        prop_assert_eq!(&again.notes, &read.notes);
        prop_assert_eq!(again.omitted.to_string(), "");
        prop_assert_eq!(&again.to_string(), &written);
        let remarks = |text: &str| text.matches("remark").count() + text.matches("before the").count() + text.matches("to the").count();
        prop_assert_eq!(remarks(&written.replace('\n', " ")), remarks(&text), "no comment is lost: {}\n{}", text, written);
    }
}

/// A document that a program wrote is read as the same document and written letter by letter, also through a page; with a move
/// more, everything before it stays.
#[test]
fn a_document_goes_out_as_it_came_in() {
    for seed in 0..400 / one_of(4) as u64 {
        let mut record = random_document(seed);
        let text = record.to_string();
        let read = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}")).remove(0);
        assert_eq!(read.omitted.to_string(), "", "{text}");
        assert!(read == record && read.to_string() == text, "{text}");
        assert_eq!(through_a_page(&text), Ok(text.clone()));
        let mv = record.game.position().moves()[0];
        record.push(mv, MoveNotes::of_comment("the last } of them")).expect("a legal move");
        let longer = record.to_string();
        let ended = record.game.position().verdict().is_some();
        assert!(ended || longer.replace('\n', " ").starts_with(&stem(&text)), "{text}\n{longer}");
        assert_eq!(parse(&longer).expect("sound")[0], record, "{longer}");
        assert_eq!(through_a_page(&longer), Ok(longer));
    }
}

/// The example of the page about formats is a game, as it is written.
#[test]
fn the_example_of_the_page_is_a_game() {
    let page = fs::read_to_string(root().join("docs/formats.md")).expect("read");
    let (_, section) = page.split_once("\n## Game file\n").expect("the section");
    let (_, block) = section.split_once("```text\n").expect("the example");
    let (example, _) = block.split_once("```").expect("its end");
    let read = parse(example).unwrap_or_else(|error| panic!("{error}\n{example}"));
    assert_eq!(read[0].to_string(), format!("{example}\n"));
}

/// A game is replaced in its file; the others, whatever wrote them, stay as they are.
#[test]
fn one_game_of_a_file_is_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.ogn");
    let first = "\u{feff}% by hand\r\n[Variant \"oware\"]\r\n[Result \"*\"]\r\n1.F $22 f\r\nE{\u{e9}  \u{e8}} *\r\n\r\n";
    let second = "[Variant \"Kalah\"]\n[Result \"*\"]\n\n1. A {\u{e9}} 0-0 ";
    let third = "[Variant \"Awari\"]\n\n1. F 0-0";
    for index in 0..4 {
        fs::write(&path, [first, second, third].concat()).expect("written");
        let (mut file, records) = FileText::open(&path).expect("sound");
        assert_eq!((file.games(), records.len()), (3, 3));
        let other = random_document(7);
        file.put(index, &other);
        file.save(&path).expect("written");
        let kept = |text: &str| String::from_utf8_lossy(file.bytes()).contains(text);
        assert_eq!(
            [kept("1.F $22 f\r\nE{\u{e9}  "), kept("{\u{e9}} 0-0 "), kept("1. F 0-0")],
            [0, 1, 2].map(|place| place != index)
        );
        let (again, read) = FileText::open(&path).expect("sound");
        assert!(again == file && read[index].to_string() == other.to_string(), "game {index}");
        assert_eq!(read.len(), if index == 3 { 4 } else { 3 });
    }
}

/// PlayStrategy numbers the pits of a row from the mover's left.
#[test]
fn files_of_playstrategy_are_read() {
    let games = parse(PLAYSTRATEGY).expect("sound");
    let moves: Vec<String> =
        games.iter().map(|record| record.game.moves().iter().map(|mv| mv.letter()).collect()).collect();
    assert_eq!(moves, ["FfEcDb", "fE", "CFaBb"]);
    assert_eq!((games[0].tag("PlayStrategyId"), games[0].comments()[1]), (Some("aBcD1234"), "usual"));
    assert!(
        games[0].to_string().ends_with("\n\n1. F f {usual} 2. E (2. B! c) c 3. D b 0-0\n\n"),
        "{}",
        games[0]
    );
    // Turns may lack their dots in games that are written by letters.
    assert_eq!(parse("[Variant \"Awari\"]\n\n1 F f 2 E *\n").expect("sound")[0].game.moves().len(), 3);
    let error = parse("[Variant \"Awari\"]\n\n1. 6 6 2. 6 *\n").expect_err("an empty pit").to_string();
    assert_eq!(error, "line 3, column 11: `F`: the pit is empty");
}

/// What is wrong with a game ends it on a page, which says so; what is before it is shown.
#[test]
fn a_page_gets_a_game_up_to_its_fault() {
    let game = |moves: &str| {
        json(format!("[Variant \"Awari\"]\n[Result \"*\"]\n\n{moves} *\n").as_bytes())["games"][0].take()
    };
    let cut = game("1. F f 2. E c 3. D b 4. F A");
    assert_eq!(cut["moves"].as_array().map(Vec::len), Some(7), "{cut}");
    assert_eq!(cut["omitted"], json!([[4, 27, "rest pit A turn N"]]));
    let more = game("1. F f 2. E b+2 3. D");
    assert_eq!(more["moves"].as_array().map(Vec::len), Some(5), "{more}");
    assert_eq!(more["omitted"], json!([[4, 13, "banked b 0 2"]]));
    assert!(game("1. F f")["omitted"].is_null());
    let many = game(&"1. F $99 f $99".replace("$99", &"$99 ".repeat(7)));
    assert_eq!((many["omitted"].as_array().map(Vec::len), &many["more"]), (Some(10), &json!(4)));
}

/// A page gets a word for each fault of a text, and has a sentence for it in both languages.
#[test]
fn a_page_has_sentences_for_what_is_wrong_with_a_file() {
    let over =
        "[Variant \"Kalah\"]\n[FEN \"0-0-0-0-0-1-0-0-0-0-0-1-30-16-S\"]\n[Result \"0-1\"]\n\n1. F 31-17\n";
    let deep = format!("[Variant \"Oware\"]\n\n1. F {}{} f *", "(1. A ".repeat(40), ")".repeat(40));
    let awari = |text: &str| format!("[Variant \"Awari\"]\n[Result \"*\"]\n\n{text}");
    for (text, words) in [
        ("1. F x *".to_owned(), "word x"),
        ("1. F * f".to_owned(), "after f"),
        ("1. F {never".to_owned(), "open"),
        ("1. F (1. A".to_owned(), "open"),
        ("1. F ) f *".to_owned(), "closed"),
        ("[Variant Awari]".to_owned(), "tag"),
        ("\u{1f}\0".to_owned(), "text"),
        (format!("1. F {{{}}} *", "x".repeat(ogn::LARGEST_JSON)), "long"),
        (awari("% other\n1. F *"), "line"),
        (awari("1. F $99 *"), "annotation $99"),
        ("[Event \"a\"]\n[Event \"b\"]\n[Variant \"Awari\"]\n\n1. F *".to_owned(), "twice Event"),
        (awari("(1. A) 1. F *"), "loose"),
        (deep, "deep 32"),
        (awari("1. F (1. A A) f *"), "illegal pit A turn N"),
        (awari("1. F f 2. F *"), "rest pit F empty"),
        (awari("1. F f+3 *"), "banked f 0 3"),
        (awari("1. F f 20-5"), "stores 0 0 20-5"),
        (awari("[OpeningPlies \"four\"]\n1. F f *"), "opening four"),
        (over.to_owned(), "result 1-0 0-1"),
    ] {
        let bytes = &text.as_bytes()[..text.len().min(ogn::LARGEST_JSON + 1)];
        let read = json(bytes);
        let fault = if read["error"].is_null() { &read["games"][0]["omitted"][0] } else { &read["error"] };
        assert_eq!(fault[2], words, "{text:.80}: {read:.200}");
        for language in ["english", "french"] {
            let path = root().join(format!("clients/web/{language}.js"));
            let page = fs::read_to_string(path).expect("read");
            for word in words
                .split(' ')
                .filter(|word| ["pit", "rest", "illegal"].contains(word))
                .chain(words.split(' ').take(1))
            {
                assert!(page.contains(&format!("  \"reason {word}\": ")), "{language}: {word}");
            }
        }
    }
}

/// Aualé writes no last word for an open game, the stores as the result, and tags only for a game without moves.
#[test]
fn files_of_auale_are_read() {
    let read = parse(AUALE).expect("sound");
    let moves: Vec<usize> = read.iter().map(|record| record.game.moves().len()).collect();
    assert_eq!(moves, [0, 3, 1]);
    assert_eq!((read[1].result(), read[1].comments()[1]), ("*", "a remark"));
    assert_eq!(read[2].result(), "1-0", "the winner, and not the stores");
    let game = &texts(AUALE.as_bytes()).expect("text of games")[2];
    assert_eq!((game.verdict_for(Side::South), game.stores()), (Some(Verdict::Win), Some([26, 21])));
}

#[test]
fn how_a_game_was_settled_is_read_and_written_again() {
    let settled = |result: &str, termination: &str| {
        let text = format!(
            "[Variant \"Awari\"]\n[Result \"{result}\"]\n[Termination \"{termination}\"]\n\n1. F f {result}\n"
        );
        let read = parse(&text).expect("sound").remove(0);
        let again = parse(&read.to_string()).expect("sound").remove(0);
        assert_eq!((again.result(), again.tag("Termination")), (result, Some(termination)));
        assert_eq!(again.ending(0), read.ending(0));
        read.ending(0)
    };
    assert_eq!(settled("1-0", "resignation"), Some(Ending::Resignation(Side::North)));
    assert_eq!(settled("0-1", "time forfeit: a was late"), Some(Ending::Time(Side::South)));
    assert_eq!(settled("1/2-1/2", "agreement"), Some(Ending::Agreement));
    assert_eq!(settled("0-1", "illegal move"), Some(Ending::Stated(Verdict::Loss)));
    assert_eq!(settled("*", "unfinished"), None);
}

/// Texts, with `\n` for the ends of their lines, and their errors. `A` and `K` stand for the tags of a game of awari or kalah,
/// `E` for those of a game that its next move ends.
const WRONG: &str = r#"
A1. F f 2. F 0-0\n | line 3, column 11: `F`: the pit is empty
A1. F F 0-0\n | line 3, column 6: `F`: it is North's turn
A1. F g 0-0\n | line 3, column 6: `g` is not a move: expected a letter from A
A1.FF 0-0\n | line 3, column 3: `FF` is not a move
K1. C+2 F 1-0\n | line 3, column 4: `C` brings 1 seed into the store, not 2
K1. C+ F 1-0\n | line 3, column 4: `C+` is not a move
K1. C+300 F 1-0\n | line 3, column 4: `C+300` is not a move
A1. F f\n0-1\n | line 4, column 1: the stores hold 0-0 at this end, not `0-1`
E1. F 27-21\n | line 3, column 10: the result is `0-1`, but by the rules the game has ended 1-0
E1. F 0-1\n | line 3, column 10: the result is `0-1`, but by the rules the game has ended 1-0
A1. F f\n | line 4, column 1: the game breaks off
A1. F f | line 3, column 7: the game breaks off
A1. F\n\n1... f 0-0\n | line 4, column 1: the game breaks off
[Variant "Awari"]\n1. F\n[Variant "Awari"]\n0-0 | line 3, column 1: the game breaks off
[Variant "Awari"]\n[Result "1-0"]\n\n1. F f | line 4, column 7: the game breaks off
A1. F {oh\n f 0-0\n | line 3, column 6: the comment that begins here has no closing
A1. F (f\n\n(e) * | line 3, column 6: the variation that begins here has no closing
A1. F) * | line 3, column 5: this `)` closes no variation
A1. F $x * | line 3, column 6: `$x` is not a move
A1. F?!? * | line 3, column 4: `F?!?` is not a move
A1. F f 0-0 E\n | line 3, column 12: `E` follows the end of the game
[Variant "Bao"]\n\n0-0\n | line 1, column 11: no rule set is called `Bao`; the rule sets are awari,
\n[South "me"]\n\n0-0\n | line 2, column 1: the game has no tag [Variant "…"]
F f 0-0\n | line 1, column 1: the game has no tag [Variant
[Variant "Awari"]\n[FEN "4-4-S"]\n0-0\n | line 2, column 7: FEN: 3 fields, expected 15
[Variant Awari]\n\n0-0\n | line 1, column 1: not a tag: expected a line like [South "name"]
[Variant "Awari\n"]\n0-0\n | line 1, column 1: not a tag
[South "me\ | line 1, column 1: not a tag
"#;

#[test]
fn what_is_wrong_is_named_with_line_and_column() {
    for (text, expected) in WRONG.lines().filter_map(|row| row.split_once(" | ")) {
        let tags = |name: &str| format!("[Variant \"{name}\"]\n");
        let over = "[FEN \"0-0-0-0-0-1-1-0-0-0-0-0-26-20-S\"]\n[Result \"0-1\"]\n";
        let text = match text.split_at(1) {
            ("A", moves) => format!("{}\n{moves}", tags("Awari")),
            ("K", moves) => format!("{}\n{moves}", tags("Kalah")),
            ("E", moves) => format!("{}{over}\n{moves}", tags("Kalah")),
            _ => text.to_owned(),
        };
        let error = parse(&text.replace("\\n", "\n")).expect_err(expected).to_string();
        assert!(error.starts_with(expected), "{error}\n{expected}");
    }
}

/// The text of games, which need not be legal or complete.
fn texts(text: &[u8]) -> Result<Vec<GameText>, ReadError> {
    Reader::new(text).collect()
}

#[test]
fn games_are_read_as_people_write_them() {
    let text = "\u{feff}[Variant \"Oware Abapa\"]\r\n[South \"a \\\"b\\\" \\\\\"]\n[Result \"0-1\"]\n\n\
                1. F f{one\nmore} 2. E b+2 ; rest of the line\n20-25\n\n\n[Variant \"kalah\"]\n\nA {x} {y}";
    let games = texts(text.as_bytes()).expect("text of games");
    let [first, second] = games.as_slice() else { panic!("{games:?}") };
    let told = (first.begins.line, first.variant(), first.tag("South"));
    assert_eq!(told, (1, Some(Variant::Oware), Some("a \"b\" \\")));
    let letters: String = first.moves.iter().map(|text| text.mv.letter()).collect();
    assert_eq!((letters.as_str(), first.moves[1].notes.comment.as_str()), ("FfEb", "one more"));
    assert_eq!((first.moves[3].banked, first.moves[2].banked), (Some(2), None));
    assert_eq!((first.stores(), first.verdict_for(Side::North)), (Some([20, 25]), Some(Verdict::Win)));
    assert_eq!((second.begins.line, second.variant()), (10, Some(Variant::Kalah)));
    assert_eq!((second.moves[0].notes.comment.as_str(), second.verdict_for(Side::South)), ("x y", None));
}

/// Results of games that cannot be replayed: neither their rules nor their moves need be known.
#[test]
fn results_are_read_without_rules() {
    let verdict = |text: &str| texts(text.as_bytes()).expect("text of games")[0].verdict_for(Side::South);
    assert_eq!(verdict("[Variant \"Bao\"]\n\n1. F F F 20-28\n"), Some(Verdict::Loss));
    assert_eq!(verdict("1. F f 24-24\n"), Some(Verdict::Draw));
    assert_eq!(verdict("1. F f 1-0\n"), Some(Verdict::Win), "points, or one seed against none");
    assert_eq!(verdict("[Result \"1/2-1/2\"]\n1. F f *\n"), Some(Verdict::Draw), "the tag decides");
    assert_eq!(verdict("[Result \"*\"]\n1. F f 25-20\n"), None);
    assert_eq!(verdict("1. F f\n"), None);
    let stores = |text: &str| texts(text.as_bytes()).expect("text of games")[0].stores();
    assert_eq!(stores("[Result \"1-0\"]\n1. F f 1-0\n"), None, "a result, not seeds");
    assert_eq!(stores("[Result \"*\"]\n1. F f 1-0\n"), Some([1, 0]));
}

/// The games of a text, as a page gets them.
fn json(text: &[u8]) -> Value {
    serde_json::from_str(&ogn::as_json(text)).expect("JSON")
}

#[test]
fn a_page_gets_variations_judgements_and_comments() {
    let text = "[Variant \"Kalah\"]\n[South \"a \\\"b\\\" \\\\ \u{1b}\"]\n[South \"other\"]\n[Result \"20-28\"]\n\n\
                1.C {one} {two} F?! $1 $2 (1. A {quiet} $4 b (1... c) 2. B) (1. E x ! f $9) a $3 2. A *\n\n\
                [Variant \"Bao\"]\n1. F *\n\n[Variant \"oware\"]\n(1. A) 1. F 20-28\n";
    let read = json(text.as_bytes());
    let [first, second, third] = read["games"].as_array().expect("games").as_slice() else {
        panic!("{read}")
    };
    assert_eq!(
        first["tags"],
        json!([["Variant", "Kalah"], ["South", "a \"b\" \\ \u{1b}"], ["Result", "20-28"]])
    );
    assert_eq!((&first["variant"], &first["result"]), (&json!("kalah"), &json!("0-1")));
    let inner = json!([
        ["A", "??", "quiet", [], ""],
        ["b", "", "", [[["c", "", "", [], ""]]], ""],
        ["B", "", "", [], ""]
    ]);
    let other = json!([["E", "!", "", [], ""], ["f", "", "", [], ""]]);
    let moves = json!([
        ["C", "", "one two", [], ""],
        ["F", "?!", "", [inner, other], ""],
        ["a", "!!", "", [], ""],
        ["A", "", "", [], ""]
    ]);
    assert_eq!(first["moves"], moves);
    assert_eq!((&second["variant"], &second["result"]), (&Value::Null, &json!("*")));
    let expected = (&json!([["F", "", "", [], ""]]), &json!("*"));
    assert_eq!((&third["moves"], &third["result"]), expected, "the last word is no stated result");
    assert_eq!(json(b"1. F x *")["error"], json!([1, 6, "word x"]));
    for wrong in ["1. F (1. A f *", "1. F ) f *", "1. F * f", "[FEN \"1\nquit\"]\n\n1. A *\n"] {
        assert!(json(wrong.as_bytes())["error"].is_array(), "{wrong}");
    }
}

/// A page's game as text; the error if it is refused.
fn written(game: &Value) -> Result<String, String> {
    let answer: Value = serde_json::from_str(&ogn::from_json(game.to_string().as_bytes())).expect("JSON");
    let part = |name: &str| answer[name].as_str().map(str::to_owned);
    part("text").ok_or_else(|| part("error").expect("a text or an error"))
}

/// The text of a game that a page has read and written.
fn through_a_page(text: &str) -> Result<String, String> {
    let read = ogn::as_json(text.as_bytes());
    let game = read.strip_prefix("{\"games\":[").and_then(|game| game.strip_suffix("]}")).expect("one game");
    let answer: Value = serde_json::from_str(&ogn::from_json(game.as_bytes())).expect("JSON");
    answer["text"].as_str().map(str::to_owned).ok_or_else(|| answer["error"].to_string())
}

/// A page's game is written as the referee writes games, with annotations and variations, and read as the same game again.
#[test]
fn a_page_writes_variations_judgements_and_comments() {
    let text = "[Variant \"Kalah\"]\n[Event \"?\"]\n[Site \"?\"]\n[Date \"?\"]\n[Round \"?\"]\n[South \"a \\\"b\\\" \\\\ \"]\n\
                [North \"?\"]\n[Result \"0-1\"]\n[Termination \"resignation\"]\n\n\
                1. C+1 {one (two)} F+1?! (1. A!! {quiet} b (1... c+1) 2. B+1) (1. E+1 f+1) a 2.\nA?? 2-0\n\n";
    assert_eq!(through_a_page(text).as_deref(), Ok(text));
    // The referee's own games, without annotations, come back letter by letter.
    for record in games().take(40).step_by(9) {
        let text = record.to_string();
        assert_eq!(through_a_page(&text), Ok(text));
    }
    // Braces and line breaks of a comment neither end it nor the game.
    let mut torn =
        json!({"tags": [["Variant", "oware"], ["Result", "*"]], "moves": [["F", "", " } {\n\n[x]", []]]});
    assert!(written(&torn).is_ok_and(|text| text.ends_with("\n\n1. F\n; } { [x]\n0-0\n\n")));
    let mut refused = |path: &str, value: Value, reason: &str| {
        let old = torn.pointer_mut(path).map(|place| std::mem::replace(place, value)).expect("a place");
        let error = written(&torn).expect_err(path);
        assert!(error.contains(reason), "{error}");
        *torn.pointer_mut(path).expect("a place") = old;
    };
    refused("/moves/0/0", json!("f"), "`f`: it is South's turn");
    refused("/moves/0/0", json!("x"), "`x` is no move");
    refused("/moves/0/1", json!("??!"), "`F??!` is no move");
    refused("/moves/0/1", json!("{"), "`F{` is no move");
    refused("/moves/0/3", json!([[["f", "", "", []]]]), "`f`: it is South's turn");
    refused("/tags/0/1", json!("bao"), "no rule set is called `bao`");
    refused("/tags/1/1", json!("?"), "the tag Result cannot be `?`: a result is 1-0, 0-1, 1/2-1/2 or *");
    refused(
        "/tags",
        json!([["Variant", "oware"], ["a b", ""]]),
        "the name of a tag is one word without quotes and brackets",
    );
    refused(
        "/tags",
        json!([["Variant", "oware"], ["x", "a\nb"]]),
        "the tag x cannot be `a\\nb`: a value is one line of text",
    );
    refused("/moves", json!(5), "invalid type");
    let deep = (0..100).fold(json!([]), |inner, _| json!([[["F", "", "", inner]]]));
    refused("/moves/0/3", deep, "recursion limit");
}

/// A large file is read in parts: each ends between two games, and together they have all games.
#[test]
fn a_page_gets_all_games_of_a_large_file() {
    let games: Vec<String> = (0..8000)
        .map(|number| format!("[Round \"{number}\"]\n\n1. F {{{}}} *\n\n", "x".repeat(number % 400)))
        .collect();
    let file = games.concat();
    let (mut rest, mut rounds, mut parts) = (file.as_bytes(), Vec::new(), 0);
    loop {
        let read = json(&rest[..rest.len().min(ogn::LARGEST_JSON + 1)]);
        assert!(read["error"].is_null(), "{}", read["error"]);
        let found = read["games"].as_array().expect("games");
        rounds.extend(found.iter().map(|game| game["tags"][0][1].as_str().expect("a round").to_owned()));
        parts += 1;
        let Some(length) = read["rest"].as_u64() else { break };
        rest = &rest[length as usize..];
    }
    assert!(parts > 1 && rounds.iter().enumerate().all(|(number, round)| number.to_string() == *round));
    assert_eq!(rounds.len(), games.len());
    // A game that is larger than a part is no end of the file; what is wrong leaves the games before it.
    let huge = format!("1. F {{{}}} *\n\n", "x ".repeat(ogn::LARGEST_JSON));
    let read = json(&huge.as_bytes()[..=ogn::LARGEST_JSON]);
    assert_eq!(read["error"], json!([1, 1, "long"]));
    let read = json(b"1. F *\n\n1. x *\n");
    assert_eq!(read["games"].as_array().map(Vec::len), Some(1));
    assert_eq!(read["error"], json!([3, 4, "word x"]));
}

/// Variations within each other take no more of the stack than the deepest that are kept, however many there are.
#[test]
fn variations_may_be_deep() {
    let deep = "F (".repeat(200_000) + &")".repeat(200_000) + " *\n";
    let [game] = &texts(deep.as_bytes()).expect("a game")[..] else { panic!("more than a game") };
    let (mut depth, mut moves) = (0, &game.moves);
    while let Some(inner) = moves.first().and_then(|first| first.notes.variations.first()) {
        (depth, moves) = (depth + 1, &inner.moves);
    }
    assert_eq!(depth, 32);
}

/// Every text, however torn, is games or an error with a place inside it; and both stages read what was written.
#[test]
fn torn_files_are_refused_and_nothing_worse() {
    let whole: String = games().take(60).step_by(7).map(|record| record.to_string()).collect();
    let mut state = 5;
    let mut refused = 0;
    for _ in 0..2000 / one_of(4) {
        let mut bytes = whole.as_bytes()[..split_mix(&mut state) as usize % whole.len()].to_vec();
        for _ in 0..split_mix(&mut state) % 4 {
            let at = split_mix(&mut state) as usize % bytes.len().max(1);
            let byte = b"[]{}\"\\; \n-+.A\xff"[split_mix(&mut state) as usize % 14];
            bytes.splice(at..at, [byte]);
        }
        let text = String::from_utf8_lossy(&bytes);
        let lines = text.lines().count() + 1;
        match texts(&bytes) {
            Err(ReadError::Text(error)) => assert!((1..=lines).contains(&error.place.line), "{error}"),
            Err(error) => panic!("{error}"),
            Ok(games) => assert!(games.iter().all(|game| game.ends.line <= lines)),
        }
        assert!(json(&bytes).is_object());
        match parse(&text) {
            Ok(games) => assert!(games.iter().all(|record| parse(&record.to_string()).is_ok())),
            Err(error) => {
                refused += 1;
                assert!((1..=lines).contains(&error.place.line), "{error}");
            }
        }
    }
    assert!(refused > 1000 / one_of(4), "most are torn: {refused}");
}

#[test]
fn a_line_without_end_is_refused() {
    let error = texts(&vec![b'F'; 3 << 20]).expect_err("too long").to_string();
    assert_eq!(error, "line 1, column 1: the line is longer than 1048576 bytes");
    // Reading time is linear in the length of a line.
    let long = "F ".repeat(1 << 18) + "*\n";
    assert_eq!(texts(long.as_bytes()).expect("one game")[0].moves.len(), 1 << 18);
}

/// Inside a line, a comment or a variation.
#[test]
fn reading_resumes_with_the_line_after_a_fault() {
    for fault in ["1. x y", "1. F {a\n\0", "1. F (A\n\0"] {
        let text = format!("{fault}\n1. E *\n");
        let mut reader = Reader::new(text.as_bytes());
        assert!(matches!(reader.next(), Some(Err(_))) && reader.next().is_none(), "{fault:?}");
        reader.resume();
        let game = reader.next().expect("a game").expect(fault);
        assert!(game.moves.len() == 1 && reader.next().is_none(), "{fault:?}");
    }
}

#[test]
fn a_file_of_the_largest_size_is_read_and_no_larger_one() {
    let part = format!("1. F *\n\n%{}\n", "x".repeat((1 << 20) - 10));
    let mut bytes = part.repeat(64).into_bytes();
    let read = |bytes: &[u8]| ogn::read(bytes, Path::new("x"), Some(Variant::Awari));
    assert_eq!((bytes.len(), read(&bytes).expect("games").len()), (64 << 20, 64));
    bytes.push(b'\n');
    let error = read(&bytes).expect_err("too large").to_string();
    assert!(error.contains("67108864"), "{error}");
}

#[test]
fn dates_of_known_days() {
    let at = |seconds| ogn::date::date(UNIX_EPOCH + Duration::from_secs(seconds));
    assert_eq!(at(0), "1970.01.01");
    assert_eq!(at(951_782_400), "2000.02.29");
    assert_eq!(at(1_704_067_199), "2023.12.31");
    assert_eq!(at(4_107_542_400), "2100.03.01");
}
