//! Learning over the protocol: when a game is remembered, what a file holds, what it survives.

use kroo::game::{Game, Move, Position, Side, Variant};
use std::fs;
use std::path::{Path, PathBuf};
use support::client::Client;
use support::data::SESSIONS_1978;
use support::games::played;
use tempfile::TempDir;

/// A game of the original that it lost, as North, and another.
const LOST: &str = "FaEbfDFeBDdEfCcFDaAfeFBfdDaCeDf";

/// A folder, and a file in it that does not exist yet.
fn fresh() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("lessons");
    (folder, path)
}

fn classic(path: &Path) -> Client {
    let path = path.to_str().expect("text");
    Client::with_flags(&["--variant", "awari1978", "--player", "classic1978", "--learnfile", path])
}

fn lessons(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).expect("a file");
    assert!(text.is_empty() || text.ends_with('\n'), "{text:?}");
    text.lines().map(str::to_owned).collect()
}

/// Asks for each move of North in a game, which must be that of the game, and sends the end.
fn play_through(client: &mut Client, moves: &str) {
    client.accepts("ucinewgame");
    for (index, letter) in moves.char_indices().filter(|(_, letter)| letter.is_lowercase()) {
        client.accepts(&format!("position startpos moves {}", &moves[..index]));
        assert_eq!(client.go("go depth 1").letter(), letter, "{}", &moves[..index]);
    }
    client.accepts(&format!("position startpos moves {moves}"));
}

#[test]
fn the_original_goes_on_where_it_was_after_a_restart() {
    let (_folder, path) = fresh();
    let games: Vec<&str> = SESSIONS_1978.lines().filter(|line| !line.starts_with('#')).collect();
    for game in games {
        let moves = game.split(' ').nth(1).expect("moves");
        let mut client = classic(&path);
        play_through(&mut client, moves);
    }
    // It lost one game and drew another; at a third it was not.
    let expected: Vec<String> = ["kroo learn 1".to_owned()]
        .into_iter()
        .chain(["FaEbfDFeBDdEfCcFDaAfeFBfdDaCeDf", "FaEbeDFfBFdECfaFbAEaD"].map(|moves| format!("N {moves}")))
        .collect();
    assert_eq!(lessons(&path), expected);
}

#[test]
fn a_game_is_remembered_once_and_only_if_it_was_played() {
    let (_folder, path) = fresh();
    let mut client = classic(&path);
    // It was not asked for a move, so it has no side in this game.
    client.accepts(&format!("position startpos moves {LOST}"));
    assert_eq!(lessons(&path).len(), 1);
    // An answer in the other side's time is not its move, even if it is played.
    client.accepts("ucinewgame");
    client.accepts("position startpos moves F");
    client.send("go ponder");
    client.send("stop");
    client.best_move();
    client.accepts(&format!("position startpos moves {LOST}"));
    assert_eq!(lessons(&path).len(), 1);
    play_through(&mut client, LOST);
    assert_eq!(lessons(&path).len(), 2);
    for _ in 0..3 {
        client.accepts(&format!("position startpos moves {LOST}"));
        client.accepts("position startpos");
    }
    assert_eq!(lessons(&path).len(), 2);
    // Expected, and played.
    client.accepts("ucinewgame");
    client.accepts("position startpos moves E");
    client.send("go ponder");
    client.send("ponderhit");
    let letter = client.best_move().letter();
    let lost = lost_game(&format!("E{letter}"), Side::North);
    client.accepts(&format!("position startpos moves {lost}"));
    assert_eq!(lessons(&path).len(), 3, "{lost}");
}

/// A game that goes on from some moves and that a side does not win.
fn lost_game(begin: &str, side: Side) -> String {
    for seed in 0..2000 {
        let mut game = played(Variant::Awari1978, begin);
        let mut state = seed;
        while game.position().verdict().is_none() {
            let moves = game.position().moves();
            let mv = moves[kroo::game::split_mix(&mut state) as usize % moves.len()];
            game.play(mv).expect("legal");
        }
        if game.position().verdict_for(side) != Some(kroo::game::Verdict::Win) {
            return game.moves().iter().map(|mv| mv.letter()).collect();
        }
    }
    panic!("{side} wins whatever is played");
}

/// Plays against itself, told only what it has answered, until a game ends; returns the moves.
fn self_play(client: &mut Client, begin: &str) -> String {
    let mut moves = begin.to_owned();
    client.accepts("ucinewgame");
    loop {
        client.accepts(&format!("position startpos moves {moves}"));
        match client.go("go depth 1").letter() {
            '0' => return moves,
            letter => moves.push(letter),
        }
    }
}

#[test]
fn the_end_counts_whoever_makes_it_and_each_side_has_its_own() {
    let (_folder, path) = fresh();
    let mut client = classic(&path);
    let mut expected = 1;
    let mut ends = [0; 2];
    for begin in ["", "A", "B", "C", "D", "E", "F", "Fa", "Fb", "Ac", "Bd", "Ce", "DAa", "Ea", "Eb"] {
        let moves = self_play(&mut client, begin);
        let game = played(Variant::Awari1978, &moves);
        let lost: Vec<Side> = Side::BOTH
            .into_iter()
            .filter(|&side| game.position().verdict_for(side) != Some(kroo::game::Verdict::Win))
            .collect();
        expected += lost.len();
        let lines = lessons(&path);
        assert_eq!(lines.len(), expected, "{moves}");
        for (line, side) in lines[expected - lost.len()..].iter().zip(&lost) {
            assert_eq!(*line, format!("{} {moves}", side.letter()));
        }
        let last = moves.chars().last().and_then(Move::from_letter).expect("a move");
        ends[usize::from(lost.contains(&last.side))] += 1;
    }
    assert!(ends[0] > 0 && ends[1] > 0, "games ended by the loser and by the winner: {ends:?}");
}

#[test]
fn a_game_that_begins_elsewhere_is_not_kept() {
    let (_folder, path) = fresh();
    let mut client = classic(&path);
    for fen in ["3-3-3-3-3-4-3-3-3-3-3-2-0-0-S", "3-3-3-3-3-3-3-3-3-3-3-3-0-0-S2"] {
        client.accepts("ucinewgame");
        let start = Position::parse(Variant::Awari1978, fen).expect("a position");
        let mut game = Game::new(start);
        while game.position().verdict().is_none() {
            let moves: String = game.moves().iter().map(|mv| mv.letter()).collect();
            client.accepts(&format!("position fen {fen} moves {moves}"));
            game.play(client.go("go depth 1").best.expect("a move")).expect("legal");
        }
        let moves: String = game.moves().iter().map(|mv| mv.letter()).collect();
        client.accepts(&format!("position fen {fen} moves {moves}"));
    }
    assert_eq!(lessons(&path).len(), 1);
}

/// Files with these contents are refused with these words, and unchanged after a game too.
fn refused(cases: &[(Vec<u8>, &str)]) {
    let (_folder, path) = fresh();
    let paths: Vec<PathBuf> =
        (0..cases.len()).map(|number| path.with_extension(number.to_string())).collect();
    let is_unchanged = || {
        let mut all = paths.iter().zip(cases);
        all.all(|(path, (content, _))| fs::read(path).expect("there") == *content)
    };
    paths.iter().zip(cases).for_each(|(path, (content, _))| fs::write(path, content).expect("written"));
    let mut client = Client::with_flags(&["--variant", "awari1978", "--player", "classic1978"]);
    for (path, (_, wanted)) in paths.iter().zip(cases) {
        let error = client.refuses(&format!("setoption name LearnFile value {}", path.display()));
        assert!(error.contains(wanted) && error.contains("lessons"), "{error}");
    }
    assert!(is_unchanged());
    play_through_somehow(&mut client);
    assert!(is_unchanged());
}

/// The option is for `classic1978`: other players take any value, and the file is refused when that player is chosen.
#[test]
fn other_players_do_not_read_the_file() {
    let (_folder, path) = fresh();
    fs::write(&path, "my notes\n").expect("written");
    let mut client = Client::with_flags(&["--variant", "awari1978"]);
    client.set("LearnFile", path.to_str().expect("text"));
    play_through_somehow(&mut client);
    let error = client.refuses("setoption name Player value classic1978");
    assert!(error.contains("LearnFile") || error.contains("is not a file of lessons"), "{error}");
    client.set("LearnFile", "");
    client.set("Player", "classic1978");
    play_through_somehow(&mut client);
    drop(client);
    assert_eq!(fs::read_to_string(&path).expect("there"), "my notes\n");
}

/// A game to its end, told twice.
fn play_through_somehow(client: &mut Client) {
    let moves = self_play(client, "");
    client.accepts(&format!("position startpos moves {moves}"));
}

#[test]
fn a_file_that_is_something_else_is_refused_and_left_alone() {
    let mut cases: Vec<(Vec<u8>, &str)> = Vec::new();
    let mut add = |content: &[u8], wanted| cases.push((content.to_vec(), wanted));
    add(b"MZ\x90\0\0\0", "is not a file of lessons");
    add(b"kroo learn 2\n", "its first line is `kroo learn 2`, expected `kroo learn 1`");
    add(b"kroo learn 1.\nx", "is not a file of lessons");
    add(b"[Event \"?\"]", "is not a file of lessons");
    add(b"\n\n\n", "is not a file of lessons");
    add(&[0; 4096], "is not a file of lessons");
    for (line, wanted) in [
        ("", "line 3, column 1: expected `S` or `N`, found ``"),
        ("# mine", "line 3, column 1: expected `S` or `N`, found `# mine`"),
        ("M FaEb", "column 1: expected `S` or `N`, found `M FaEb`"),
        ("N", "column 2: expected a space, found ``"),
        ("N ", "column 3: expected a move, found ``"),
        ("N FaEx", "column 6: expected a legal move, found `x`"),
        ("N FaEbfDF", "column 10: expected the rest of the game, found ``"),
        (&format!("N {LOST}."), "column 34: expected a legal move, found `.`"),
        (&format!("N {LOST}a"), "column 34: expected a legal move, found `a`"),
        (&format!("N {LOST}\r"), "column 34: expected a legal move"),
        (&format!("S {LOST}"), "column 1: expected the side that did not win, found `S "),
        ("N Fa\u{0}", "column 5: expected a legal move"),
    ] {
        add(format!("kroo learn 1\nN {LOST}\n{line}\n").as_bytes(), wanted);
    }
    add(b"kroo learn 1\nN Fa\xff\xfe\n", "line 2, column 5: expected a legal move");
    add(b"\xef\xbb\xbfkroo learn 1\n", "is not a file of lessons");
    // A last line without its end, which no crash can leave.
    add(b"kroo learn 1\nmy notes", "line 2, column 1: expected `S` or `N`, found `my notes`");
    refused(&cases);
}

#[test]
fn what_cannot_be_opened_is_refused() {
    let (folder, _) = fresh();
    let mut client = Client::with_flags(&["--variant", "awari1978", "--player", "classic1978"]);
    for (path, wanted) in [
        (folder.path().to_path_buf(), "cannot be written: it is a folder, not a file"),
        (PathBuf::from("/dev/zero"), "cannot be written: it is a device"),
        (folder.path().join("no/such/folder"), "cannot be written: there is no folder"),
    ] {
        let error = client.refuses(&format!("setoption name LearnFile value {}", path.display()));
        assert!(error.contains(wanted), "{error}");
    }
    assert!(client.go("go depth 3").best.is_some());
}

#[test]
fn a_last_line_that_was_cut_off_is_left_out_and_taken_away() {
    let whole = format!("kroo learn 1\nN {LOST}\n");
    let full = format!("{whole}N FaEbeDFfBFdECfaFbAEaD\n");
    for cut in 0..full.len() {
        let (_folder, path) = fresh();
        fs::write(&path, &full[..cut]).expect("written");
        let (file, update) =
            kroo::learn::LearnFile::open(&path).unwrap_or_else(|error| panic!("{cut}: {error}"));
        let expected = match cut {
            _ if cut >= full.len() - 1 => 2,
            _ if cut >= whole.len() - 1 => 1,
            _ => 0,
        };
        assert_eq!(update.lessons.len(), expected, "{cut}");
        drop(file);
        assert_eq!(lessons(&path).len(), 1 + expected, "{cut}");
    }
    let (_folder, path) = fresh();
    fs::write(&path, &full[..full.len() - 9]).expect("written");
    let mut client = Client::with_flags(&["--variant", "awari1978", "--player", "classic1978"]);
    let said = client.says(&format!("setoption name LearnFile value {}", path.display()));
    assert!(said.len() == 1 && said[0].to_string().contains("was cut off and is left out: `N FaEbeD"));
}

/// Lets it lose a game and returns what it says at the end.
fn lose(client: &mut Client) -> Vec<String> {
    client.accepts("ucinewgame");
    for (index, letter) in LOST.char_indices().filter(|(_, letter)| letter.is_lowercase()) {
        client.accepts(&format!("position startpos moves {}", &LOST[..index]));
        client.go(&format!("go depth 1 searchmoves {letter}"));
    }
    let said = client.says(&format!("position startpos moves {LOST}"));
    said.iter().map(ToString::to_string).collect()
}

#[test]
fn trouble_later_is_told_and_nothing_is_lost() {
    let (_folder, path) = fresh();
    let mut client = classic(&path);
    client.sync();
    fs::write(&path, "another program's notes\n").expect("written");
    let said = lose(&mut client);
    assert!(said.len() == 1 && said[0].contains("is not a file of lessons"), "{said:?}");
    assert_eq!(fs::read_to_string(&path).expect("there"), "another program's notes\n");
    // Once there is room for it, it is written with the next one.
    fs::remove_file(&path).expect("removed");
    assert_eq!(lose(&mut client), [""; 0]);
    let lost = format!("N {LOST}");
    assert_eq!(lessons(&path), ["kroo learn 1", &lost, &lost]);
}

#[test]
fn an_engine_knows_what_another_has_learned_before_its_start() {
    let (_folder, path) = fresh();
    let (mut one, mut before) = (classic(&path), classic(&path));
    before.sync();
    play_through(&mut one, LOST);
    let mut after = classic(&path);
    let [before, after] = [&mut before, &mut after].map(|other| {
        other.accepts("position startpos moves F");
        other.go("go depth 1").last().score
    });
    assert_ne!(before, after, "a answers F, and has cost a game");
}

#[test]
fn a_file_that_somebody_holds_is_waited_for_and_then_written_later() {
    let (_folder, path) = fresh();
    let mut client = classic(&path);
    client.sync();
    let held = fs::File::open(&path).expect("there");
    held.lock().expect("locked");
    let said = lose(&mut client);
    assert!(said.len() == 1 && said[0].contains("another program is writing to"), "{said:?}");
    // Nothing waits for the lock inside a clock, nor does `stop`.
    client.accepts("position startpos");
    for line in ["go movetime 20", "go infinite"] {
        client.send(line);
        client.send("stop");
        let said = client.expect("bestmove");
        assert!(!said.iter().any(|reply| reply.to_string().contains("writing")), "{line}: {said:?}");
    }
    assert_eq!(lessons(&path).len(), 1);
    held.unlock().expect("unlocked");
    drop(client);
    assert_eq!(lessons(&path), ["kroo learn 1", &format!("N {LOST}")]);
}
