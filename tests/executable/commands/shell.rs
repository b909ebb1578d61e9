//! Commands at a shell: one answer, and helpful errors.

use crate::command::{answer, kroo, refusal};
use kroo::game::Variant;
use serde_json::Value;
use support::client::Client;

/// Both outputs of a command that reports its progress.
fn reported(words: &[&str]) -> String {
    let output = kroo(words);
    let [out, errors] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).expect("text"));
    assert!(output.status.success(), "{words:?}: {errors}");
    out + &errors
}

fn json(words: &[&str]) -> Value {
    serde_json::from_str(&answer(words)).expect("JSON")
}

/// What several processes write to the same place stays in lines.
#[cfg(unix)]
#[test]
fn a_complaint_is_one_write() {
    for words in [&["solve", "no\u{1b}thing"][..], &["--hash"], &["analyse", "--nodes", "many", "startpos"]] {
        let mut command = std::process::Command::new(support::programs::kroo_path());
        command.args(words);
        let complaint = support::programs::first_complaint(command);
        assert!(complaint.starts_with("kroo: ") && complaint.ends_with('\n'), "{complaint:?}");
        assert!(!complaint.contains('\u{1b}'), "{complaint:?}");
    }
}

#[test]
fn a_position_is_analysed() {
    let words = ["analyse", "--nodes", "30000", "--lines", "3", "startpos", "moves", "FfEc"];
    let text = answer(&words);
    assert!(text.contains("South to move") && text.contains("30000 nodes"), "{text}");
    for number in ["\n1. ", "\n2. ", "\n3. "] {
        assert!(text.contains(number), "{text}");
    }
    let told = json(&[&["analyse", "--json"], &words[1..]].concat());
    assert_eq!((&told["variant"], &told["nodes"]), (&"awari".into(), &30000.into()));
    let lines = told["lines"].as_array().expect("lines");
    assert_eq!(lines.len(), 3);
    let best = lines[0]["pv"].as_str().and_then(|pv| pv.chars().next()).expect("a move");
    assert!(text.contains(&format!("  {best} ")), "{text}");
    assert_eq!(told["best"], best.to_string());
    for object in [&told, &lines[0]] {
        let wdl = object["wdl"].as_array().expect("chances");
        assert_eq!(wdl.iter().filter_map(Value::as_u64).sum::<u64>(), 1000, "{object}");
    }
    let proven = json(&["analyze", "--json", "--variant", "kalah", "0-0-0-0-2-1-0-0-0-0-1-1-22-21-S"]);
    assert_eq!(proven["lines"][0]["proven"], "win");
    assert_eq!(proven["lines"][0]["centiseeds"], 200);
    assert_eq!(proven["wdl"], serde_json::json!([1000, 0, 0]));
    assert_eq!(proven["lines"][0]["found"], Value::Null);
    let over = json(&["analyse", "--json", "0-0-0-0-0-0-0-0-0-0-0-0-30-18-N"]);
    assert_eq!((&over["result"], over["lines"].as_array().map(Vec::len)), (&"1-0".into(), Some(0)));
}

#[test]
fn mistakes_are_answered_with_what_was_meant() {
    let (status, said) = refusal(&["analyse", "no.ogn"]);
    assert!(status == 1 && said.contains("no.ogn cannot be read: No such file"), "{said}");
    let (status, said) = refusal(&["analyse", "startpo"]);
    assert!(status == 2 && said.contains("`startpo` is neither a position"), "{said}");
    for (words, part) in [
        (&["analyse", "--game", "1"][..], "--game is for a game file"),
        (&["analyse", "startpos", "moves", "FF"], "move 2 (`F`): it is North's turn"),
        (
            &["analyse", "startpos", "moves", "FfX"],
            "column 18: expected a pit's letter (A to F or a to f), found `X`",
        ),
        (&["analyse", "startpos", "FfE"], "column 10: expected `moves` or the end of the line, found `FfE`"),
        (&["endgame", "probe", "startpos", "moves", "FfX"], "column 18: expected a pit's letter"),
        (&["rules", "bao"], "bao"),
        (&["rules", "oware", "--emptycapture", "true"], "oware has no option --emptycapture; kalah has"),
        (
            &["rules", "ayoayo", "--seeds-a-pit", "3"],
            "--seeds-a-pit: ayoayo is played with 4 seeds a pit, not 3",
        ),
        (&["--variant", "oware", "rules", "kalah"], "cannot be used with"),
        (&["analyse", "startpos", "no"], "column 10: expected `moves`"),
        (&["pley"], "did you mean `kroo play`?"),
        (&["benhc"], "did you mean `kroo bench`?"),
        (
            &["xyzzy"],
            "no such command; try `kroo play`, `kroo web`, `kroo analyse` or, for a match, `referee`",
        ),
        (&["help", "xyzzy"], "`xyzzy`: no such command"),
    ] {
        let (status, said) = refusal(words);
        assert!(status == 2 && said.contains(part), "{words:?}: {said}");
    }
}

#[test]
fn each_command_has_help() {
    for name in ["play", "rules", "analyse", "solve", "endgame", "openings", "datagen", "tune", "web"] {
        let help = answer(&["help", name]);
        assert!(help.contains(&format!("Usage: kroo {name}")), "{help}");
        assert_eq!(help, answer(&[name, "--help"]));
    }
    for words in [&["endgame", "build"][..], &["endgame", "probe"]] {
        let help = answer(&[&["help"], words].concat());
        assert!(help.contains(&format!("Usage: kroo {}", words.join(" "))), "{help}");
        assert_eq!(help, answer(&[words, &["--help"]].concat()));
    }
    assert_eq!(answer(&["help"]), answer(&["-h"]));
}

#[test]
fn help_is_brief_or_whole_and_reaches_the_commands_of_the_protocol() {
    let (brief, whole) = (answer(&["-h"]), answer(&["--help"]));
    let protocol = answer(&["help", "protocol"]);
    assert!(brief.lines().count() <= 30, "one screen: {brief}");
    for help in [&brief, &whole, &protocol] {
        assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
    }
    for help in [&brief, &whole] {
        assert!(help.contains("\n  rules     Explain the rules of a game\n"), "{help}");
        assert!(help.contains("Usage: kroo [OPTIONS] [COMMAND [ARGUMENTS]]"), "{help}");
        assert!(help.contains("kroo help protocol") && help.contains("kroo play --variant oware"), "{help}");
    }
    assert!(whole.contains("--hash <N>") && whole.contains("[1 to 65536; default: 16]"), "{whole}");
    for (usage, meaning) in kroo::protocol::COMMANDS {
        assert!(protocol.contains(usage) && protocol.contains(meaning), "{usage}");
        let name = usage.split(' ').next().expect("a word");
        // These are subcommands, which explain themselves.
        if !["endgame", "rules", "solve"].contains(&name) {
            let help = answer(&[name, "--help"]);
            assert!(help.contains(usage) && help.contains(meaning), "{help}");
            assert!(help.starts_with("Usage: kroo"), "{help}");
            assert_eq!(help, answer(&["help", name]));
            assert_eq!(help, answer(&["--hash", "8", name, "-h"]));
        }
    }
}

#[test]
fn rules_are_those_of_the_named_game() {
    for words in [&["rules", "oware"][..], &["--variant", "oware", "rules"], &["rules", "--variant", "oware"]]
    {
        let text = answer(words);
        assert!(text.starts_with("The rules of Oware Abapa (oware):\n"), "{words:?}: {text}");
    }
    assert!(answer(&["rules"]).starts_with("The rules of Awari (awari):\n"));
    assert!(answer(&["rules", "KALAH"]).starts_with("The rules of Kalah (kalah):\n"));
    for (words, name) in [
        (&["rules", "--variant", "kalah", "--emptycapture", "true"][..], "kalah-emptycapture"),
        (&["rules", "kalah", "--emptycapture", "true"], "kalah-emptycapture"),
        (&["--seeds-a-pit", "6", "rules", "kalah"], "kalah6"),
    ] {
        assert_eq!(answer(words), answer(&["rules", name]), "{words:?}");
    }
}

/// An option of the protocol means the same before a command and after it.
#[test]
fn options_work_before_and_after_a_command() {
    let position = ["--depth", "4", "startpos", "moves", "F"];
    for (option, name) in [
        (&["--variant", "kalah"][..], "analyse"),
        (&["--hash=2"], "analyze"),
        (&["--threads", "2", "--hash", "3"], "analyse"),
    ] {
        let lines = |words: &[&str]| {
            let text = answer(words);
            text.lines().filter(|line| !line.starts_with("depth ")).collect::<Vec<_>>().join("\n")
        };
        let before = lines(&[option, &[name], &position].concat());
        let after = lines(&[&[name], &position[..], option].concat());
        assert_eq!(before.lines().next(), after.lines().next(), "{option:?}");
        if option[0] != "--threads" {
            assert_eq!(before, after, "{option:?}");
        }
    }
    let probe = ["endgame", "probe", "0-0-0-0-2-1-0-0-0-0-1-1-22-21-S"];
    let said = answer(&[&probe[..], &["--variant", "kalah"]].concat());
    assert_eq!(said, answer(&[&["--variant", "kalah"], &probe[..]].concat()));
    assert_eq!(said, answer(&[&probe[..1], &["--variant=kalah"], &probe[1..]].concat()));
    // Each is refused in both places if its value is.
    for words in [&["--hash", "x", "play"][..], &["play", "--hash", "x"]] {
        let (status, said) = refusal(words);
        assert!(
            status == 2 && said.contains("option Hash takes a number from 1 to 65536, not `x`"),
            "{said}"
        );
    }
}

/// An option that a command does not use is not ignored.
#[test]
fn an_option_in_the_wrong_place_is_told_where_it_belongs() {
    for (words, part) in [
        (
            &["--hash", "3", "endgame", "build", "--seeds", "1"][..],
            "`kroo endgame build` does not use --hash; `kroo play`, ",
        ),
        (
            &["endgame", "build", "--seeds", "1", "--hash", "3"],
            "`kroo endgame build` does not use --hash; `kroo play`, ",
        ),
        (&["endgame", "--hash", "3", "info"], "`kroo endgame info` does not use --hash; "),
        (&["play", "--multipv", "2"], "unexpected argument '--multipv'"),
        (
            &["--lines", "3", "analyse", "startpos"],
            "--lines is an option of `kroo analyse`: type it after the command",
        ),
        (
            &["--seeds", "3", "endgame", "build"],
            "--seeds is an option of `kroo endgame build` and `kroo endgame verify`: ",
        ),
        (&["--hash", "2", "play", "--hash", "3"], "cannot be used multiple times"),
    ] {
        let (status, said) = refusal(words);
        assert!(status == 2 && said.contains(part), "{words:?}: {said}");
    }
}

/// The command that a probe advises is accepted.
#[test]
fn advice_about_endgames_can_be_followed() {
    let folder = tempfile::tempdir().expect("a folder");
    let dir = folder.path().to_str().expect("text");
    let small = ["endgame", "probe", "--variant", "kalah", "--dir", dir, "2-2-2-1-1-1-1-1-1-1-1-0-20-14-S"];
    let (status, said) = refusal(&small);
    let command = said.split('`').nth(1).expect("a command");
    assert!(
        status == 1 && said.contains("do not reach 14 seeds: `kroo endgame build --variant kalah "),
        "{said}"
    );
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    assert_eq!(words.last(), Some(&dir), "the files go where they were looked for");
    reported(&words);
    answer(&small);
    let (status, said) = refusal(&["endgame", "probe", "--variant", "ayoayo", "startpos"]);
    assert!(
        status == 1 && said.contains("the endgames do not reach 48 seeds: they are more than this machine"),
        "{said}"
    );
    let said = Client::with_flags(&["--variant", "ayoayo"]).refuses("endgame");
    assert!(said.contains("do not reach 48 seeds in the pits: they are more than this machine"), "{said}");
}

#[test]
fn one_thing_is_not_called_many() {
    let folder = tempfile::tempdir().expect("a folder");
    let dir = folder.path().to_str().expect("text");
    let said = reported(&["endgame", "build", "--seeds", "1", "--variant", "kalah", "--out", dir]);
    assert!(said.contains("kalah up to 1 seed, 13 positions: 2 databases built, 0 were there"), "{said}");
    assert!(said.contains("kalah-00.endgame: 1 position in "), "{said}");
    let said = reported(&["endgame", "verify", "--samples", "1", "--variant", "kalah", "--dir", dir]);
    assert!(said.starts_with("kalah up to 1 seed: 13 values fit "), "{said}");
    assert!(answer(&["analyse", "--nodes", "1"]).contains(", 1 node, "));
}

/// A level builds on all those below it, so a file above a gap is not read.
#[test]
fn a_gap_in_the_endgame_files_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let dir = folder.path().to_str().expect("text");
    reported(&["endgame", "build", "--seeds", "9", "--variant", "kalah", "--out", dir]);
    std::fs::remove_file(kroo::endgames::database_path(folder.path(), Variant::Kalah, 6))
        .expect("it is there");
    let gap = format!(
        "there is no file of kalah for 6 seeds in `{dir}`, so the files for 7 to 9 are ignored: `kroo endgame build \
         --variant kalah --seeds 9 --out {dir}` closes the gap\n"
    );
    let said = answer(&["endgame", "info", dir]);
    assert!(said.ends_with(&gap), "{said}");
    let said = answer(&["--variant", "kalah", "--endgamepath", dir, "go", "depth", "1"]);
    assert!(said.contains(&format!("EndgamePath: {gap}")), "{said}");
    for words in [&["verify", "--samples", "0"][..], &["probe", "1-1-1-1-1-1-1-1-0-0-0-0-20-20-S"]] {
        let output =
            kroo(&[&["endgame"], &words[..1], &["--variant", "kalah", "--dir", dir], &words[1..]].concat());
        assert!(output.status.success(), "{words:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), gap, "{words:?}");
    }
    reported(&["endgame", "build", "--seeds", "9", "--variant", "kalah", "--out", dir]);
    assert!(!answer(&["endgame", "info", dir]).contains("there is no file"));
}
