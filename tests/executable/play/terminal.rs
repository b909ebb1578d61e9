//! On a terminal: colours, a prompt, and lines that fit.

use super::{Running, kroo, listen};
use rustix::process::Signal;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcgetattr, tcsetwinsize};
use std::fs::File;
use std::io::Write;
use std::num::NonZero;
use std::process::{Command, Stdio};
use support::scene::await_that;

/// Rows of the terminal.
const ROWS: NonZero<u16> = NonZero::new(40).expect("rows");

/// A program on a terminal with a number of columns, and the input.
pub(super) fn on_terminal(columns: u16, flags: &[&str], environment: &[(&str, &str)]) -> (Running, File) {
    let mut command = kroo(flags);
    command.env("TERM", "xterm-256color").envs(environment.iter().copied());
    started_on_terminal(columns, &mut command)
}

/// A terminal: the side of its user, and that of a program.
fn terminal(columns: u16) -> (File, File) {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&ours).and_then(|()| unlockpt(&ours)).expect("a terminal");
    let name = ptsname(&ours, Vec::new()).expect("a name").into_string().expect("a name");
    let theirs = File::options().read(true).write(true).open(name).expect("a terminal");
    let size = Winsize { ws_row: ROWS.get(), ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&theirs, size).expect("a terminal");
    (File::from(ours), theirs)
}

fn started_on_terminal(columns: u16, command: &mut Command) -> (Running, File) {
    let (ours, theirs) = terminal(columns);
    let end = || Stdio::from(theirs.try_clone().expect("a terminal"));
    let child = command.stdin(end()).stdout(end()).stderr(end()).spawn().expect("it starts");
    let heard = listen(ours.try_clone().expect("a terminal"));
    (Running { child, heard, text: String::new() }, ours)
}

/// The screen after several lines of input and the end of the program.
fn screen(columns: u16, flags: &[&str], environment: &[(&str, &str)], lines: &[&str]) -> String {
    let (mut game, mut keys) = on_terminal(columns, flags, environment);
    let mut all = String::new();
    for line in lines {
        all.push_str(&game.until("> "));
        writeln!(keys, "{line}").expect("it reads");
    }
    let (rest, fine) = game.rest();
    assert!(fine, "{all}{rest}");
    all + &rest
}

/// Whether anything sets a colour or a weight; other sequences edit the line.
fn is_coloured(text: &str) -> bool {
    text.split("\u{1b}[").skip(1).any(|rest| {
        let end = rest.find(|sign: char| !sign.is_ascii_digit() && sign != ';').unwrap_or(rest.len());
        rest[end..].starts_with('m') && !["", "0"].contains(&&rest[..end])
    })
}

/// The screen of a terminal after some output.
fn seen(columns: u16, text: &str) -> String {
    let mut terminal = vt100::Parser::new(ROWS, NonZero::new(columns).expect("columns"), 0);
    terminal.process(text.as_bytes());
    terminal.screen().contents()
}

fn without_colours(text: &str) -> String {
    console::strip_ansi_codes(text).into_owned()
}

const SCRIPT: [&str; 3] = ["rules", "4", "quit"];
const FLAGS: [&str; 6] = ["--variant", "awari1978", "--player", "greedy", "--color", "auto"];

#[test]
fn colours_are_for_terminals_and_for_whoever_likes_them() {
    let coloured = |flags: &[&str], environment: &[(&str, &str)]| {
        let text = screen(80, &[&FLAGS[..4], flags].concat(), environment, &SCRIPT);
        // The prompt comes in any case, and the same words.
        assert!(without_colours(&text).contains("> ") && text.contains("AGAIN?"), "{text}");
        is_coloured(&text)
    };
    assert!(coloured(&[], &[]));
    assert!(!coloured(&[], &[("NO_COLOR", "1")]));
    assert!(coloured(&[], &[("NO_COLOR", "")]), "an empty NO_COLOR says nothing");
    assert!(!coloured(&[], &[("TERM", "dumb")]));
    assert!(!coloured(&["--color", "never"], &[]));
    assert!(coloured(&["--color", "always"], &[("NO_COLOR", "1")]), "the flag takes precedence");
}

#[test]
fn lines_fit_the_terminal() {
    for (columns, framed, names) in
        [(30, false, false), (50, false, false), (51, true, false), (60, true, false), (100, true, true)]
    {
        let text = without_colours(&screen(columns, &FLAGS, &[], &SCRIPT)).replace('\r', "");
        for line in text.lines() {
            // A command that is to be copied is one line, however long.
            let fits = line.chars().count() <= usize::from(columns) || line.starts_with("  kroo play ");
            assert!(fits, "{columns}: `{line}`");
        }
        assert_eq!(text.contains("+-----+"), framed, "{columns}:\n{text}");
        assert_eq!(text.contains("South (you)\n"), names, "{columns}:\n{text}");
        assert_eq!(text.contains("  South\n"), columns == 60, "{columns}:\n{text}");
    }
}

#[test]
fn the_frame_is_of_lines_where_the_language_has_them() {
    let frame = |environment: &[(&str, &str)], flags: &[&str]| {
        let text = screen(80, &[&FLAGS[..4], flags].concat(), environment, &["quit"]);
        (text.contains('╭'), text.contains("+-----+"))
    };
    assert_eq!(frame(&[("LC_ALL", "C.UTF-8")], &[]), (true, false));
    assert_eq!(frame(&[("LC_ALL", "C")], &[]), (false, true));
    assert_eq!(frame(&[("LC_ALL", "C.UTF-8")], &["--board", "ascii"]), (false, true));
    assert_eq!(frame(&[("LC_ALL", "C")], &["--board", "plain"]), (false, false));
}

#[test]
fn ctrl_c_at_the_prompt_warns_once_and_then_leaves() {
    let (mut game, mut keys) = on_terminal(80, &FLAGS, &[("NO_COLOR", "1")]);
    game.until("> ");
    game.signal(Signal::INT);
    game.until("Press Ctrl-C again to leave");
    game.until("> ");
    // After further moves, the warning comes again.
    writeln!(keys, "1").expect("it reads");
    game.until("Greedy sows");
    game.until("> ");
    game.signal(Signal::INT);
    game.until("Press Ctrl-C again to leave");
    game.until("> ");
    game.signal(Signal::INT);
    let (rest, fine) = game.rest();
    assert!(fine && rest.contains("--position startpos moves A"), "{rest}");
}

#[test]
fn the_end_of_the_input_leaves() {
    let (mut game, mut keys) = on_terminal(80, &FLAGS, &[("NO_COLOR", "1")]);
    game.until("> ");
    keys.write_all(b"\x04").expect("it reads");
    assert!(game.rest().1);
}

#[test]
fn a_byte_that_is_not_utf8_does_not_end_the_game() {
    let (mut game, mut keys) = on_terminal(80, &FLAGS, &[("NO_COLOR", "1")]);
    game.until("> ");
    keys.write_all(b"\xff\r").expect("it reads");
    game.until("I do not know");
    game.until("> ");
    writeln!(keys, "moves").expect("it reads");
    game.until("Moves so far");
    game.until("> ");
    writeln!(keys, "quit").expect("it reads");
    assert!(game.rest().1);
}

/// The second board replaces the first one, with the events since then below it.
#[test]
fn the_board_is_drawn_in_place() {
    let lines = ["4", "1", "quit"];
    let text = screen(80, &FLAGS, &[], &lines);
    let (once, sentence) = (|text: &str| text.matches("North (greedy)").count(), "Greedy sows pit");
    let board = seen(80, &text);
    assert_eq!(once(&board), 1, "{board}");
    assert!(board.contains("You sow pit 1 (A)") && board.contains(sentence), "{board}");
    assert!(!board.contains("You sow pit 4 (D)"), "what was said before the last move is gone: {board}");
    assert!(
        board.contains("anticlockwise") || board.starts_with("Awari 1978."),
        "what stood above stays: {board}"
    );
    // Long answers push the board up; it is not looked for above the top of the screen.
    let long = ["rules", "help", "rules", "1", "quit"];
    let board = seen(80, &screen(80, &FLAGS, &[], &long));
    assert!(board.contains("You sow pit 1 (A)") && once(&board) == 1, "{board}");
    // Boards follow each other with `--redraw never`, and where the terminal cannot move its cursor.
    for (flags, environment) in [(&["--redraw", "never"][..], &[][..]), (&[], &[("TERM", "dumb")])] {
        let text = screen(80, &[&FLAGS, flags].concat(), environment, &lines);
        assert!(once(&seen(80, &text)) > 1, "{text}");
    }
}

#[test]
fn lines_can_be_edited_completed_and_said_again() {
    let (mut game, mut keys) = on_terminal(80, &FLAGS, &[]);
    game.until("> ");
    keys.write_all(b"mov\t\r").expect("it reads");
    game.until("Moves so far: none");
    game.until("> ");
    // Two steps to the left, and the letter that was forgotten; then the line before the last.
    keys.write_all(b"rles\x1b[D\x1b[D\x1b[Du\r").expect("it reads");
    game.until("anticlockwise");
    game.until("> ");
    keys.write_all(b"\x1b[A\x1b[A\r").expect("it reads");
    game.until("Moves so far: none");
    game.until("> ");
    keys.write_all(b"quit\r").expect("it reads");
    assert!(game.rest().1);
}

/// Whatever ends the program while a line is typed, the terminal is as it was.
#[test]
fn the_terminal_is_left_as_it_was() {
    // Of another terminal, since the editor may be quicker than this thread.
    let before = tcgetattr(&terminal(80).1).expect("a terminal").local_modes;
    let (mut game, keys) = on_terminal(80, &FLAGS, &[]);
    game.until("> ");
    let edited = || tcgetattr(&keys).expect("a terminal").local_modes != before;
    assert!(await_that(edited), "the editor takes the keys one by one");
    game.signal(Signal::TERM);
    game.rest();
    assert_eq!(tcgetattr(&keys).expect("a terminal").local_modes, before);
}

/// `kroo play` without flags asks for the game and the level, and proposes a weak one.
#[test]
fn whoever_says_nothing_is_asked_for_the_game_and_the_level() {
    let (mut game, mut keys) = on_terminal(80, &[], &[("NO_COLOR", "1")]);
    let questions = game.until("> ");
    assert!(questions.contains("Which game"), "{questions}");
    for &variant in kroo::game::Variant::ALL {
        let line = format!("  {}: {}", variant.title(), variant.about().gist);
        assert!(!variant.about().gist.is_empty() && questions.contains(&line), "{line}: {questions}");
    }
    assert!(questions.lines().all(|line| line.chars().count() <= 80), "{questions}");
    for (typed, answer) in [
        ("chess", "Type a number from 1 to 6 or a name"),
        ("kalah", "How well should the engine play?"),
        ("6", "Type a number from 1 to 5 or a name, or an Elo"),
        ("init", "You play South against Kroo (initiation)"),
    ] {
        writeln!(keys, "{typed}").expect("it reads");
        game.until(answer);
        game.until("> ");
    }
    writeln!(keys, "quit").expect("it reads");
    assert!(game.rest().1);
    let both = screen(80, &[], &[("NO_COLOR", "1")], &["", "", "quit"]);
    assert!(both.contains("Oware Abapa. You play South against Kroo (beginner)"), "{both}");
    let level = screen(80, &["--variant", "kalah"], &[], &["full", "quit"]);
    assert!(!level.contains("Which game") && level.contains("Kroo (full)"), "{level}");
    let elo = screen(80, &[], &[], &["kalah3", "700", "quit"]);
    assert!(elo.contains("or an Elo from 249 to 1038") && elo.contains("Kroo (700)"), "{elo}");
    // After leaving there, no further question comes.
    assert!(!screen(80, &[], &[], &["quit"]).contains("How well"));
    assert!(!screen(80, &[], &[], &["exit"]).contains("How well"));
}

/// A review of games takes long, so a terminal shows how far it is, and the bar leaves the answer alone.
#[test]
fn an_analysis_shows_its_progress_on_a_terminal() {
    let scratch = tempfile::tempdir().expect("a folder");
    let path = scratch.path().join("game.ogn");
    std::fs::write(&path, "[Variant \"Kalah\"]\n\n1. A a 2. B *\n").expect("written");
    let mut command = Command::new(support::programs::kroo_path());
    command.args(["analyse", "--depth", "2"]).arg(&path).env("TERM", "xterm-256color").env("LC_ALL", "C");
    let (mut analysis, _keys) = started_on_terminal(80, &mut command);
    // It holds the other end of the terminal.
    drop(command);
    let (text, fine) = analysis.rest();
    assert!(fine && text.contains(" of 3 moves"), "{text}");
    let shown = seen(80, &text);
    assert!(!shown.contains(" of 3 moves") && shown.contains("\n  1.   A"), "{shown}");
    assert!(shown.contains("\nCourse (0 lost, 9 won for South): "), "{shown}");
}
