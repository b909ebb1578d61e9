//! On a terminal: colours, a prompt, and lines that fit.

use super::{Running, kroo, listen};
use rustix::process::Signal;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::File;
use std::io::Write;
use std::process::Stdio;

/// A program on a terminal of so many columns, and what is typed there.
fn on_terminal(columns: u16, flags: &[&str], environment: &[(&str, &str)]) -> (Running, File) {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&ours).and_then(|()| unlockpt(&ours)).expect("a terminal");
    let name = ptsname(&ours, Vec::new()).expect("a name").into_string().expect("a name");
    let theirs = File::options().read(true).write(true).open(name).expect("a terminal");
    let size = Winsize { ws_row: 40, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&theirs, size).expect("a terminal");
    let end = || Stdio::from(theirs.try_clone().expect("a terminal"));
    let mut command = kroo(flags);
    command.env("TERM", "xterm-256color").envs(environment.iter().copied());
    let child = command.stdin(end()).stdout(end()).stderr(end()).spawn().expect("it starts");
    let ours = File::from(ours);
    let heard = listen(ours.try_clone().expect("a terminal"));
    (Running { child, heard, text: String::new() }, ours)
}

/// What stands on the screen after a few lines have been typed, one after the other, and the program has ended.
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
        text.contains('\u{1b}')
    };
    assert!(coloured(&[], &[]));
    assert!(!coloured(&[], &[("NO_COLOR", "1")]));
    assert!(coloured(&[], &[("NO_COLOR", "")]), "an empty NO_COLOR says nothing");
    assert!(!coloured(&[], &[("TERM", "dumb")]));
    assert!(!coloured(&["--color", "never"], &[]));
    assert!(coloured(&["--color", "always"], &[("NO_COLOR", "1")]), "who asks for them gets them");
}

#[test]
fn lines_fit_the_terminal() {
    for (columns, framed, names) in
        [(30, false, false), (50, false, false), (51, true, false), (100, true, true)]
    {
        let text = without_colours(&screen(columns, &FLAGS, &[], &SCRIPT)).replace('\r', "");
        for line in text.lines() {
            // A command that is to be copied is one line, however long.
            let fits = line.chars().count() <= usize::from(columns) || line.starts_with("  kroo play ");
            assert!(fits, "{columns}: `{line}`");
        }
        assert_eq!(text.contains("+-----+"), framed, "{columns}:\n{text}");
        assert_eq!(text.contains("South (you)\n"), names, "{columns}:\n{text}");
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
    // Whoever goes on playing is warned again.
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
