//! The clocks of people.

use super::interrupted_game::piped;
use super::talk;
use super::terminal::on_terminal;
use kroo::ogn::open;
use std::fs;
use std::io::Write;
use std::path::Path;
use support::scene::await_that;

/// The output, standard error and success after lines through a pipe.
fn said(flags: &[&str], lines: &[&str]) -> (String, String, bool) {
    talk(flags, Path::new("."), lines)
}

/// A flag falls while nothing is typed; what comes later is no move, and `undo` takes the loss back.
#[test]
fn a_flag_falls() {
    let scratch = tempfile::tempdir().expect("a folder");
    let path = scratch.path().join("game.ogn");
    let words = ["--side", "both", "--clock", "0.02", "--save", path.to_str().expect("a name")];
    let (mut game, mut input) = piped(&words);
    // The first move has no clock.
    game.until("Time left: 0:01.2");
    writeln!(input, "3").expect("it reads");
    game.until("North's turn");
    game.until("North's time ran out. South wins.");
    let is_saved = || {
        let records = open(&path).expect("a file");
        (records[0].tag("Result"), records[0].tag("Termination")) == (Some("1-0"), Some("time forfeit"))
    };
    assert!(await_that(is_saved));
    writeln!(input, "3\nclock\nclock off\nundo").expect("it reads");
    game.until("The game is over. `new` starts another one, `undo` takes a move back.");
    game.until("South's time left: 0:01.2. North's time left: 0:00.0.");
    game.until("People play without clocks.");
    game.until("The loss on time is taken back.");
    writeln!(input, "3").expect("it reads");
    game.until("North sows pit");
    drop(input);
    assert!(game.rest().1);
}

/// The prompt is still there when the flag falls, and takes commands.
#[test]
fn a_flag_falls_at_a_terminal() {
    let (mut game, mut keys) =
        on_terminal(80, &["--side", "both", "--variant", "oware", "--clock", "0.02"], &[]);
    game.until("> ");
    writeln!(keys, "3").expect("it reads");
    game.until("time ran out");
    game.until("> ");
    writeln!(keys, "new").expect("it reads");
    game.until("A new game");
    game.until("Time left: 0:01.2");
    writeln!(keys, "quit").expect("it reads");
    assert!(game.rest().1);
}

/// The engine has no clock, a move gains its seconds, and a saved game keeps all.
#[test]
fn clocks_gain_and_are_saved() {
    let scratch = tempfile::tempdir().expect("a folder");
    let path = scratch.path().join("game.ogn");
    let file = path.to_str().expect("a name");
    let script = ["3", "clock", "4", "clock", &format!("save {file}"), "quit"];
    let (first, _, fine) = said(&["--nodes", "100", "--clock", "60+180"], &script);
    assert!(fine && first.contains("Time left: 60:00."), "{first}");
    // The first move has no clock and gains nothing; the second gains three minutes.
    let left = |said: &str| -> Vec<String> {
        said.lines().filter_map(|line| line.strip_prefix("Your time left: ").map(str::to_owned)).collect()
    };
    let times = left(&first);
    assert!(times.len() == 2 && times[0].as_str() <= "60:00." && times[1].starts_with("6"), "{first}");
    assert!(times[1].as_str() > "61" && !first.contains("Kroo's time left"), "{first}");
    let record = &open(&path).expect("a file")[0];
    assert_eq!(record.tag("Clock"), Some("60+180"));
    assert!(record.comments()[2].starts_with("[%clk 1:0"), "{record}");
    let (again, _, fine) =
        said(&["--load", file], &["clock", "new", "clock", "clock 5+3", "position startpos moves A"]);
    assert!(fine && left(&again)[0].as_str() > "61" && left(&again)[1] == "60:00.", "{again}");
    assert!(again.contains("Your time left: 5:00.") && again.contains("kroo play"), "{again}");
    assert!(again.contains(" --clock 5+3 --position startpos moves A"), "{again}");
    // What is no clock in a file is left out.
    let text = fs::read_to_string(&path).expect("a file").replace("60+180", "60+180 x");
    fs::write(&path, text).expect("it is written");
    let (none, _, fine) = said(&["--load", file], &["clock"]);
    assert!(fine && none.contains("People play without clocks."), "{none}");
}

/// The clocks after moves that are taken back are those of the position, and not increments of moves that do not count.
#[test]
fn undo_takes_increments_back() {
    let mut script: Vec<&str> = ["3", "4"].repeat(10);
    script.extend(["undo 20", "clock"]);
    let flags = ["--side", "both", "--variant", "kalah", "--clock", "1+10"];
    let (output, ..) = said(&flags, &script);
    let last = output.lines().rfind(|line| line.contains("South's time left")).expect("the clocks");
    assert!(last.contains("South's time left: 1:00. North's time left: 1:00."), "{output}");
}

#[test]
fn bad_clocks_are_refused() {
    let (_, errors, fine) = said(&["--clock", "5:00"], &[]);
    assert!(!fine && errors.contains("`5:00` is not a clock: expected minutes from 0.01 to 180"), "{errors}");
    let (_, errors, fine) = said(&["--clock", "5", "--side", "none"], &[]);
    assert!(!fine && errors.contains("--clock is for people"), "{errors}");
    let (text, _, fine) = said(&["--nodes", "100"], &["clock 0", "clock"]);
    assert!(
        fine && text.contains("`0` is not a clock") && text.contains("People play without clocks."),
        "{text}"
    );
}
