//! Learning over the protocol: when a game is remembered, what a file holds, what it survives.

use kroo::game::{Game, Move, Position, Side, Variant};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::client::Client;
use support::data::SESSIONS_1978;
use support::games::played;
use support::programs::kroo_path;
use support::scene::await_that;
use tempfile::TempDir;

/// A game of the original that it lost, as North, and another.
const LOST: &str = "FaEbfDFeBDdEfCcFDaAfeFBfdDaCeDf";

/// A folder, and a file in it that does not exist yet.
pub fn fresh() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("lessons");
    (folder, path)
}

fn classic(path: &Path) -> Client {
    let path = path.to_str().expect("text");
    Client::with_flags(&["--variant", "awari1978", "--player", "classic1978", "--learnfile", path])
}

pub fn lessons(path: &Path) -> Vec<String> {
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
        client.quit_cleanly();
    }
    // It lost one game and drew another; at a third it was not.
    let expected: Vec<String> = ["kroo learn 1".to_owned()]
        .into_iter()
        .chain(
            [("FaEbfDFeBDdEfCcFDaAfeFBfdDaCeDf", "19-15"), ("FaEbeDFfBFdECfaFbAEaD", "16-16")]
                .map(|(moves, stores)| format!("classic1978 N {stores} {moves}.")),
        )
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
    client.quit_cleanly();
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
            assert!(line.starts_with(&format!("classic1978 {} ", side.letter())) && line.contains(&moves));
        }
        let last = moves.chars().last().and_then(Move::from_letter).expect("a move");
        ends[usize::from(lost.contains(&last.side))] += 1;
    }
    assert!(ends[0] > 0 && ends[1] > 0, "games ended by the loser and by the winner: {ends:?}");
    client.quit_cleanly();
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
    client.quit_cleanly();
}

/// Both players refuse files with these contents with these words, and leave them unchanged after a game too.
fn refused(cases: &[(Vec<u8>, &str)]) {
    let (_folder, path) = fresh();
    let paths: Vec<PathBuf> =
        (0..cases.len()).map(|number| path.with_extension(number.to_string())).collect();
    let is_unchanged = || {
        let mut all = paths.iter().zip(cases);
        all.all(|(path, (content, _))| fs::read(path).expect("there") == *content)
    };
    paths.iter().zip(cases).for_each(|(path, (content, _))| fs::write(path, content).expect("written"));
    for player in ["kroo", "classic1978"] {
        let mut client = Client::with_flags(&["--variant", "awari1978", "--player", player]);
        for (path, (_, wanted)) in paths.iter().zip(cases) {
            let error = client.refuses(&format!("setoption name LearnFile value {}", path.display()));
            assert!(error.contains(wanted) && error.contains("lessons"), "{error}");
        }
        assert!(is_unchanged(), "{player}");
        play_through_somehow(&mut client);
        assert!(is_unchanged(), "{player}");
        client.quit_cleanly();
    }
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
        ("hello.", "line 3, column 1: expected `classic1978` or `kroo`, found `hello`"),
        ("classic1978 N 10-13 BfFc", "line 3, column 25: expected a full stop"),
        ("classic1978 M 10-13 BfFc.", "column 13: expected `S` or `N`, found `M`"),
        ("classic1978 N 10-99 BfFc.", "column 15: expected the stores"),
        ("classic1978 N 10-13 BxFc.", "column 21: expected moves"),
        ("classic1978 N 10-13 BfFc x0.", "column 26: expected how often"),
        ("classic1978 N 10-13 BfFc x1 y.", "column 29: expected a full stop"),
        ("kroo chess S startpos A 1 200.", "column 6: expected a rule set"),
        ("kroo kalah S 1-2-3 A 1 200.", "column 14: expected `startpos` or a position"),
        ("kroo kalah S startpos Ca 1 200.", "column 24: expected a legal move, found `a`"),
        ("kroo kalah S startpos Aa 2 200.", "column 26: expected the number of one of that side"),
        ("kroo kalah S startpos Aa 3 200.", "column 26: expected the number of one of that side"),
        ("kroo kalah S startpos Aa 1 0.", "column 28: expected a number from 1 to 10000"),
        ("classic1978 N 10-13 Bf\u{0}.", "column 21: expected moves"),
    ] {
        add(format!("kroo learn 1\n# mine\n{line}\n").as_bytes(), wanted);
    }
    add(b"kroo learn 1\nclassic1978 N \xff\xfe.\n", "line 2, column 15: expected text");
    refused(&cases);
}

#[test]
fn what_cannot_be_opened_is_refused() {
    let (folder, _) = fresh();
    let mut client = Client::new();
    for (path, wanted) in [
        (folder.path().to_path_buf(), "is not an ordinary file"),
        (PathBuf::from("/dev/zero"), "is not an ordinary file"),
        (folder.path().join("no/such/folder"), "cannot be opened: No such file or directory"),
    ] {
        let error = client.refuses(&format!("setoption name LearnFile value {}", path.display()));
        assert!(error.contains(wanted), "{error}");
    }
    assert!(client.go("go depth 3").best.is_some());
    client.quit_cleanly();
}

#[test]
fn a_last_line_that_was_cut_off_is_left_out_and_taken_away() {
    let whole = format!("kroo learn 1\nclassic1978 N 19-15 {LOST}.\n");
    let full = format!("{whole}classic1978 N 16-16 FaEbeDFfBFdECfaFbAEaD.\n");
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
        assert_eq!(update.games.len(), expected, "{cut}");
        drop(file);
        assert_eq!(lessons(&path).len(), 1 + expected, "{cut}");
    }
    let (_folder, path) = fresh();
    fs::write(&path, &full[..full.len() - 9]).expect("written");
    let mut client = Client::with_flags(&["--variant", "awari1978", "--player", "classic1978"]);
    let said = client.says(&format!("setoption name LearnFile value {}", path.display()));
    assert!(
        said.len() == 1 && said[0].to_string().contains("was cut off and is left out: `classic1978 N 16-16")
    );
    client.quit_cleanly();
}

#[test]
fn trouble_later_is_told_once_and_nothing_is_lost() {
    let (_folder, path) = fresh();
    let mut client = classic(&path);
    client.sync();
    fs::write(&path, "another program's notes\n").expect("written");
    client.send("ucinewgame");
    let said = client.sync();
    assert!(said[0].to_string().contains("is not a file of lessons") && said.len() == 1, "{said:?}");
    // It plays on as it would, and learns; lines of other programs are unchanged.
    for (index, letter) in LOST.char_indices().filter(|(_, letter)| letter.is_lowercase()) {
        client.accepts(&format!("position startpos moves {}", &LOST[..index]));
        assert_eq!(client.go("go depth 1").letter(), letter);
    }
    client.accepts(&format!("position startpos moves {LOST}"));
    assert_eq!(fs::read_to_string(&path).expect("there"), "another program's notes\n");
    // Once there is room for it, it is written.
    fs::remove_file(&path).expect("removed");
    client.accepts("ucinewgame");
    assert_eq!(lessons(&path), ["kroo learn 1", &format!("classic1978 N 19-15 {LOST}.")]);
    client.quit_cleanly();
}

#[test]
fn another_engine_sees_what_one_has_learned() {
    let (_folder, path) = fresh();
    let (mut one, mut other) = (classic(&path), classic(&path));
    let first = "position startpos moves F";
    other.accepts(first);
    let before = other.go("go depth 1").last().score;
    play_through(&mut one, LOST);
    // At the next `go` without a word, and in a new game.
    other.accepts(first);
    let after = other.go("go depth 1").last().score;
    assert_ne!(before, after, "a answers F, and has cost a game");
    other.accepts("ucinewgame");
    play_through(&mut other, "CfFbEdFDcBbECeBfaFfeDdEcF");
    one.quit_cleanly();
    other.quit_cleanly();
}

#[test]
fn the_shell_says_what_a_file_holds_and_makes_it_shorter() {
    let (_folder, path) = fresh();
    let game = format!("classic1978 N 19-15 {LOST}.\n");
    let other = "kroo kalah S startpos Aa 1 250.\n";
    fs::write(&path, format!("kroo learn 1\n# mine\n{game}{other}{game}\n{other}{game}")).expect("written");
    let learn = |word: &str| {
        let output = Command::new(kroo_path()).arg("learn").arg(word).arg(&path).output().expect("it runs");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("text")
    };
    let mut client = classic(&path);
    let told = learn("info");
    assert!(told.contains("5 lines") && told.contains("0 games as South and 3 as North"), "{told}");
    assert!(told.contains("kroo remembers 2 games of kalah"), "{told}");
    assert!(learn("compact").contains("5 lines before, 2 lines now"));
    let short = [
        "kroo learn 1".to_owned(),
        format!("classic1978 N 19-15 {LOST} x3."),
        "kroo kalah S startpos Aa 1 250 x2.".to_owned(),
    ];
    assert_eq!(lessons(&path), short);
    assert!(learn("info").contains("0 games as South and 3 as North"));
    // An engine that had the old one open goes on with the new one: it holds three games, and adds a fourth.
    client.accepts("position startpos moves F");
    let thinks = client.go("go depth 1 searchmoves a").last().score;
    let mut fresh = classic(&path);
    fresh.accepts("position startpos moves F");
    assert_eq!(fresh.go("go depth 1 searchmoves a").last().score, thinks);
    let moves = self_play(&mut client, "");
    assert!(lessons(&path).len() > 3 && lessons(&path)[3].contains(&moves));
    client.quit_cleanly();
    fresh.quit_cleanly();
    let wrong =
        Command::new(kroo_path()).args(["learn", "compact", "/no/such/file"]).output().expect("it runs");
    assert!(!wrong.status.success() && String::from_utf8_lossy(&wrong.stderr).contains("/no/such/file"));
}

#[test]
fn a_file_that_somebody_holds_is_waited_for_and_then_written_later() {
    let (_folder, path) = fresh();
    let mut client = classic(&path);
    client.sync();
    let held = fs::File::open(&path).expect("there");
    held.lock().expect("locked");
    for (index, letter) in LOST.char_indices().filter(|(_, letter)| letter.is_lowercase()) {
        client.accepts(&format!("position startpos moves {}", &LOST[..index]));
        assert_eq!(client.go("go depth 1").letter(), letter);
    }
    let said = client.says(&format!("position startpos moves {LOST}"));
    assert!(
        said.len() == 1 && said[0].to_string().contains("locked by another process for 500ms"),
        "{said:?}"
    );
    assert_eq!(lessons(&path).len(), 1);
    // Nothing waits for the lock inside a clock, nor does `stop`.
    client.accepts("position startpos");
    for line in ["go movetime 20", "go infinite"] {
        client.send(line);
        client.send("stop");
        let said = client.expect("bestmove");
        assert!(!said.iter().any(|reply| reply.to_string().contains("locked")), "{line}: {said:?}");
    }
    assert_eq!(lessons(&path).len(), 1);
    held.unlock().expect("unlocked");
    client.accepts("ucinewgame");
    assert_eq!(lessons(&path), ["kroo learn 1", &format!("classic1978 N 19-15 {LOST}.")]);
    // Unwritten lessons are written in the next idle moment, without a remark.
    held.lock().expect("locked");
    client.accepts("ucinewgame");
    for (index, letter) in LOST.char_indices().filter(|(_, letter)| letter.is_lowercase()) {
        client.accepts(&format!("position startpos moves {}", &LOST[..index]));
        client.go(&format!("go depth 1 searchmoves {letter}"));
    }
    assert_eq!(client.says(&format!("position startpos moves {LOST}")).len(), 1);
    held.unlock().expect("unlocked");
    assert!(await_that(|| lessons(&path).len() == 3), "{:?}", lessons(&path));
    client.quit_cleanly();
}
