//! Errors of wrong arguments; nothing is started then.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use support::programs::{self, referee_path};
use support::scene::Scene;
use support::source::{read, shown_commands};

/// The error of a referee that refuses its arguments: in this process, if it finds it while it reads them.
fn refused(arguments: &[&str]) -> String {
    if let Err(error) = kroo_referee::cli::parse(["referee"].iter().chain(arguments).map(OsString::from)) {
        return format!("referee: {error}\n");
    }
    let output = Command::new(referee_path()).args(arguments).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {error}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    error
}

/// Each but the first, which has no words and looks for the engine in the referee's folder, and one that a journal completes.
#[test]
fn the_commands_of_the_first_page_are_understood() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("README.md");
    let shown = shown_commands(&read(&readme), "referee");
    for word in ["--engine", "check", "stats"] {
        assert!(shown.iter().any(|words| words.get(1).is_some_and(|first| first == word)), "no {word}");
    }
    for words in shown.iter().filter(|words| words.len() > 1) {
        let arguments: Vec<OsString> = words.iter().map(OsString::from).collect();
        if words.iter().any(|word| word == "--resume") && !words.iter().any(|word| word == "--engine") {
            continue;
        }
        if let Err(error) = kroo_referee::cli::parse(arguments) {
            panic!("`{}`: {error}", words.join(" "));
        }
    }
}

#[test]
fn words_are_named_with_what_is_allowed() {
    let cases = [
        ("foo=1", "--engine: `foo=1`: unknown word; the words are cmd, args, dir"),
        ("foo", "--engine: `foo` has no `=`; the words are cmd, args, dir"),
        ("cmd=y", "--engine: `cmd` is given twice"),
        ("st=fast", "--engine: `st=fast`: expected a number of seconds of at least 0.001, such as 0.1"),
        ("st=0", "--engine: `st=0`: expected a number of seconds of at least 0.001"),
        (
            "tc=a",
            "--engine: `tc=a`: expected [moves/]time[+increment] in seconds, such as 10+0.1, 40/60 or 1:30+1",
        ),
        ("nodes=0", "--engine: `nodes=0`: expected a whole number of at least 1"),
        ("depth=200", "--engine: `depth=200`: expected a whole number from 1 to 127"),
        ("timemargin=-1", "--engine: `timemargin=-1`: expected a whole number of milliseconds"),
        ("watchdog=", "--engine: `watchdog=`: expected a number of seconds"),
        ("startup=x", "--engine: `startup=x`: expected a number of seconds"),
        ("name=", "--engine: `name=`: nothing follows the `=`"),
        ("option.=3", "--engine: `option.=3`: an option has a name"),
        ("args='a", "--engine: `args='a`: a quote is not closed"),
        ("dir=/nowhere", "--engine: `dir=/nowhere`: no such folder"),
        ("stderr=/nowhere/x", "--engine: `stderr=/nowhere/x`: No such file"),
    ];
    for (word, expected) in cases {
        let error = refused(&["--engine", "cmd=x", word, "--engine", "cmd=y"]);
        assert!(error.starts_with(&format!("referee: {expected}")), "{error}");
    }
    let queue = ["--queue", "redis://127.0.0.1"];
    let error =
        refused(&[&queue[..], &["--engine", "cmd=x", "stderr=/dev/null", "--engine", "cmd=y"]].concat());
    assert!(error.contains("--queue: x: workers do not write the standard error of engines"), "{error}");
    let error = refused(&["--engine", "cmd=x", "st=1", "tc=1", "--engine", "cmd=y"]);
    assert!(error.contains("`tc` and `st` exclude each other"), "{error}");
    for (words, expected) in [
        (&["stray"][..], "`stray`: no such command; the commands are audit, check, merge"),
        (&["help", "swiss"], "`swiss`: no such command; the commands are audit"),
        (&["chekc", "x"], "`chekc`: no such command; did you mean `referee check`?"),
    ] {
        let error = refused(words);
        assert!(error.starts_with(&format!("referee: {expected}")), "{error}");
    }
    let error = refused(&["--engine", "cmd=x", "--engine", "cmd=y", "--each", "st=x"]);
    assert!(error.starts_with("referee: --each: `st=x`: expected a number of seconds"), "{error}");
}

#[test]
fn options_are_named_with_what_is_allowed() {
    let table = "\
        --variant chess | invalid value 'chess' for '--variant <NAME>': no rule set is called `chess`; the rule sets are awari,
        --rounds 0 | invalid value '0' for '--rounds <N>': 0 is not in 1..=1000000000
        --rounds many | invalid value 'many' for '--rounds <N>'
        --concurrency 0 | invalid value '0' for '--concurrency <N>'
        --max-moves 0 | invalid value '0' for '--max-moves <N>'
        --seed -1 | unexpected argument '-1' found
        --openings /nowhere | /nowhere: No such file or directory
        --openings x --random-plies 3 | the argument '--openings <FILE>' cannot be used with '--random-plies <N>'
        --max-moves 4 | --max-moves 4 leaves no move to play after 4 random plies, which it counts
        --random-plies 300 | --max-moves 250 leaves no move to play after 300 random plies
        --random-plies 999 --max-moves 5000 --variant awari1978 | no game of awari1978 goes on after 999 random moves: choose
        --frobnicate | unexpected argument '--frobnicate' found
        --at-max-moves win | invalid value 'win' for '--at-max-moves <RESULT>'
        --repetition 1 | --repetition: every position occurs once: expected 0, or 2 and more
        --resign moves=3 | --resign: `score=SEEDS` is missing
        --resign score=3 | --resign: `moves=N` is missing
        --resign moves=0 score=3 | --resign: `moves=0`: expected at least 1
        --resign moves=3 score=-1 | --resign: `score=-1`: expected a number of seeds from 0 to 48
        --resign moves=3 score=1 from=3 | --resign: `from=3`: unknown word; the words are moves, score, twosided
        --draw moves=3 moves=4 score=1 | --draw: `moves` is given twice
        --draw moves=3 score=1 twosided=no | --draw: `twosided=no`: expected `on` or `off`
        --event swiss --shard 1/2 --journal x | part 1/2 of an event in which what is played depends on the results of all parts
        --shard 3/2 | invalid value '3/2' for '--shard <K/N>': expected K/N, the K-th of N parts
        --each ponder=on protocol=ugi | --engine: an engine with `protocol=ugi` cannot ponder
        --each protocol=xboard | --each: `protocol=xboard`: expected uci or ugi
        --event swiss --sprt elo0=0 elo1=5 | an SPRT of a Swiss event: a test is a match
        --event knockout --sprt elo0=0 elo1=5 | an SPRT of a knockout event: a test is a match
        --event knockout --rounds 50 | --rounds: a knockout has as many rounds as it takes
        --engine cmd=z --sprt elo0=0 elo1=5 | an SPRT of 3 engines: a test is a match of two
        --sprt elo0=0 | --sprt: `elo1=ELO` is missing, as in elo0=0 elo1=5
        --sprt elo1=5 | --sprt: `elo0=ELO` is missing
        --sprt elo0=0 elo1=five | --sprt: `elo1=five`: expected a number
        --sprt elo0=0 elo1=5 gamma=1 | --sprt: `gamma=1`: unknown word; the words are elo0, elo1, alpha, beta, model
        --sprt elo0 elo1=5 | --sprt: `elo0` has no `=`; the words are elo0
        --sprt elo0=0 elo0=1 elo1=5 | --sprt: `elo0` is given twice
        --sprt elo0=5 elo1=0 | --sprt: elo0 must be less than elo1
        --sprt elo0=0 elo1=inf | --sprt: elo0 and elo1 must lie from -200 to 200
        --sprt elo0=0 elo1=5 alpha=1 | --sprt: alpha and beta must lie between 0 and 1, and add up to less than 1
        --sprt elo0=0 elo1=5 model=chess | --sprt: `model=chess`: the models are normalized, logistic, bayesian, classical";
    for (options, expected) in table.lines().map(|row| row.split_once(" | ").unwrap()) {
        let line = format!("--engine cmd=x --engine cmd=y {options}");
        let error = refused(&line.split_whitespace().collect::<Vec<_>>());
        assert!(error.starts_with(&format!("referee: {expected}")), "{error}");
    }
}

#[test]
fn engines_are_two_or_more_with_names_of_their_own() {
    let error = refused(&["--engine", "cmd=x"]);
    assert!(error.starts_with("referee: one --engine is not enough: give two or more, or none"), "{error}");
    let error = refused(&["--engine", "cmd=x", "name=A", "--engine", "cmd=y", "name=A"]);
    assert!(
        error.starts_with("referee: two engines have the name `A`: give each its own with name="),
        "{error}"
    );
    let error = refused(&["--engine", "name=A", "--engine", "cmd=y"]);
    assert!(error.starts_with("referee: --engine: `cmd=PATH` is missing"), "{error}");
}

#[test]
fn names_are_taken_from_commands_and_made_different() {
    let scene = Scene::new();
    let engines = scene.engine("honest", &[]);
    let unnamed: Vec<String> = engines.into_iter().filter(|word| !word.starts_with("name=")).collect();
    let report = scene.run(&[
        [unnamed.clone(), unnamed.clone(), unnamed].concat(),
        support::scene::words("--rounds 1 --max-moves 6"),
    ]);
    report.assert_played(6);
    assert!(report.stdout.starts_with("unruly vs unruly 2 vs unruly 3: awari, 6 games"), "{}", report.stdout);
}

#[test]
fn names_that_are_given_go_before_those_that_are_taken() {
    let scene = Scene::new();
    let engines = scene.engine("honest", &[]);
    let unnamed: Vec<String> = engines.into_iter().filter(|word| !word.starts_with("name=")).collect();
    let named = |name: &str| [&unnamed[..], &[format!("name={name}")]].concat();
    let all = [unnamed.clone(), unnamed.clone(), named("unruly"), named("unruly 2")].concat();
    let report = scene.run(&[all, support::scene::words("--rounds 1 --max-moves 5")]);
    report.assert_played(12);
    let header = "unruly 3 vs unruly 4 vs unruly vs unruly 2: awari, 12 games";
    assert!(report.stdout.starts_with(header), "{}", report.stdout);
}

#[test]
fn a_program_may_be_in_the_folder_it_runs_in() {
    let scene = Scene::new();
    let engines = scene.engine("honest", &[]);
    let engine = engines[1].strip_prefix("cmd=").unwrap();
    std::fs::create_dir_all(scene.path("home/bin")).unwrap();
    // A folder is no program, whatever its name.
    std::fs::create_dir(scene.path("plain")).unwrap();
    for link in ["home/plain", "home/bin/below"] {
        std::os::unix::fs::symlink(engine, scene.path(link)).unwrap();
    }
    let mut command = scene.command(&[support::scene::words(
        "--engine cmd=plain dir=home --engine cmd=bin/below dir=home --rounds 1 --max-moves 8",
    )]);
    let report = scene.report(command.current_dir(scene.dir.path()).output().unwrap());
    report.assert_played(2);
    assert_eq!(report.json["result"]["faults"].as_array().unwrap().len(), 0, "{}", report.stdout);
}

/// Arguments of an engine are split as a POSIX shell splits them.
#[test]
fn arguments_of_engines_are_split_as_in_a_shell() {
    let scene = Scene::new();
    let file = scene.path("arguments.txt");
    let shell = |name: &str| {
        let script = "args=-c 'printf \"[%s]\" \"$@\" >&2' sh  one \"two  words\" it\\'s";
        ["--engine", "cmd=/bin/sh", name].map(str::to_owned).into_iter().chain([script.to_owned()])
    };
    let mut command = Command::new(referee_path());
    command.args(shell("name=a")).arg(format!("stderr={}", file.display())).args(shell("name=b"));
    command.args(["--rounds", "1"]).output().unwrap();
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.starts_with("[one][two  words][it's]"), "{text}");
}

#[test]
fn help_and_version_are_printed() {
    for (flag, text) in
        [("--help", "timemargin=MS"), ("--version", concat!("referee ", env!("CARGO_PKG_VERSION")))]
    {
        let output = Command::new(referee_path()).arg(flag).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert!(String::from_utf8(output.stdout).unwrap().contains(text));
    }
}

#[test]
fn without_engines_there_must_be_one_beside_the_referee() {
    let scene = Scene::new();
    let lonely = scene.path("referee");
    // By another process: while this one has the copy open for writing, children of other tests may hold it, too.
    assert!(Command::new("cp").arg(referee_path()).arg(&lonely).status().unwrap().success());
    let output = Command::new(&lonely).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    let expected =
        format!("referee: no --engine is given, and there is no {} to play:", scene.path("kroo").display());
    assert!(error.starts_with(&expected), "{error}");
}

/// Several folders have a program of the same name: each engine is that of its own folder, and not one in the current folder.
#[test]
fn a_program_in_the_folder_of_an_engine_goes_before_one_in_the_current_folder() {
    let scene = Scene::new();
    let honest = scene.engine("honest", &[]);
    let program = honest[1].strip_prefix("cmd=").unwrap();
    for folder in ["Main", "Test"] {
        std::fs::create_dir(scene.path(folder)).unwrap();
        let text = format!("#!/bin/sh\nexec {program} {folder}\n");
        programs::script(scene.path(&format!("{folder}/charlie")), &text);
    }
    let play = |line: &str| {
        let mut command =
            scene.command(&[support::scene::words(&format!("{line} --rounds 1 --max-moves 8"))]);
        let _ = std::fs::remove_file(scene.path("games.ogn"));
        let report = scene.report(command.current_dir(scene.dir.path()).output().unwrap());
        assert_eq!(report.status, 0, "{}", report.stderr);
        report
    };
    let both = "--engine dir=Main cmd=charlie --engine dir=Test cmd=charlie";
    assert_eq!(play(both).stderr, "");
    // Another one in the current folder changes nothing.
    scene.file("charlie", "not a program");
    assert_eq!(play(both).stderr, "");
    let same = "are the same engine: ";
    for line in [
        "--engine dir=Main cmd=charlie --engine dir=Main cmd=charlie",
        "--engine dir=Main cmd=charlie --engine dir=Main cmd=./charlie name=other",
        "--engine cmd=Main/charlie --engine dir=Main cmd=charlie",
        "--engine cmd=Main/charlie name=a option.A=1 --engine cmd=Main/charlie name=b option.a=1 --lenient",
        "--engine dir=Main cmd=charlie name=a --engine dir=Main cmd=charlie name=b --engine dir=Main cmd=charlie name=c",
    ] {
        let report = play(line);
        assert_eq!(report.stderr.matches(same).count(), 1, "{line}: {}", report.stderr);
    }
    std::os::unix::fs::symlink(scene.path("Main/charlie"), scene.path("link")).unwrap();
    assert!(play("--engine cmd=link --engine cmd=Main/charlie").stderr.contains(same));
    for line in [
        "--engine cmd=Main/charlie name=a args=1 --engine cmd=Main/charlie name=b args=2",
        "--engine cmd=Main/charlie name=a nodes=5 --engine cmd=Main/charlie name=b nodes=6",
        "--engine cmd=Main/charlie name=a env.A=1 --engine cmd=Main/charlie name=b env.A=2",
        "--engine cmd=/bin/sh args=charlie dir=Main name=a --engine cmd=/bin/sh args=charlie dir=Test name=b",
    ] {
        assert_eq!(play(line).stderr, "", "{line}");
    }
}

/// An option that chooses another game than the referee's is refused wherever it is given.
#[test]
fn the_rule_set_is_that_of_the_referee() {
    for arguments in [
        "--engine cmd=x option.UCI_Variant=kalah --engine cmd=y",
        "--engine cmd=x --engine cmd=y option.uci_variant=awari",
        "--engine cmd=x --engine cmd=y --each option.UCI_VARIANT=kalah",
        "check x option.UCI_Variant=kalah",
        "tune --engine cmd=x option.UCI_Variant=kalah --param Hash,5,1,12,1,0.01",
    ] {
        let error = refused(&arguments.split(' ').collect::<Vec<_>>());
        assert!(
            error.contains("sets UCI_Variant for all engines") && error.contains("use --variant"),
            "{error}"
        );
    }
    for option in ["Seeds=5", "emptycapture=true", "RemainingSeeds=opponent"] {
        let error = refused(&["--engine", "cmd=x", &format!("option.{option}"), "--engine", "cmd=y"]);
        assert!(error.contains("for all engines") && error.contains("use --variant"), "{error}");
    }
    let error = refused(&["--engine", "cmd=x", "option.MoveLimit=9", "--engine", "cmd=y"]);
    assert!(error.contains("use --max-moves"), "{error}");
}
