//! Finished games are never lost and never played twice, whatever ends the referee.

use kroo::game::split_mix;
use serde_json::json;
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, UNIX_EPOCH};
use support::programs::{self, referee_path};
use support::scene::{Report, Scene, signal, words};

/// Three engines that always play the same, and play at once.
fn engines(scene: &Scene) -> Vec<String> {
    ["honest", "last", "thoughtful"].map(|manner| scene.engine(manner, &["depth=1", "watchdog=20"])).concat()
}

/// The options of a tournament with a journal.
fn kept(scene: &Scene, options: &str) -> Vec<Vec<String>> {
    let journal = scene.path("journal");
    let place = ["--journal".to_owned(), journal.to_string_lossy().into_owned()];
    vec![engines(scene), words(options), place.to_vec()]
}

/// A game file but for the day.
pub fn undated(games: &str) -> String {
    games.lines().filter(|line| !line.starts_with("[Date ")).map(|line| format!("{line}\n")).collect()
}

fn undisturbed(options: &str) -> Report {
    let scene = Scene::in_memory();
    let report = scene.run(&[engines(&scene), words(options)]);
    assert_eq!(report.status, 0, "{}", report.stderr);
    report
}

fn summary(report: &Report) -> String {
    report.stdout.split_once("\nStandings").unwrap().1.to_owned()
}

fn lines(path: &Path) -> Vec<String> {
    fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}

/// The numbers of the games that were reported as finished.
fn reported(stdout: &str) -> Vec<u64> {
    let finished = stdout.lines().filter_map(|line| line.strip_prefix("Finished game "));
    finished.map(|rest| rest.split(' ').next().unwrap().parse().unwrap()).collect()
}

const TORTURE: &str = "--rounds 12 --max-moves 16 --variant kalah --seed 3";
const GAMES: usize = 72;

/// Starts the tournament again and ends it by a signal after some games, or a moment after its start; returns its output, and
/// whether the tournament was over before the signal.
fn torture(scene: &Scene, name: &str, state: &mut u64) -> (String, bool) {
    let games = split_mix(state) % 9;
    let pause = Duration::from_micros(split_mix(state) % if games == 0 { 40_000 } else { 3_000 });
    let mut referee =
        scene.command(&kept(scene, &format!("{TORTURE} --concurrency 2 --resume"))).spawn().unwrap();
    let mut output = BufReader::new(referee.stdout.take().unwrap());
    let mut stdout = String::new();
    while (reported(&stdout).len() as u64) < games {
        assert_ne!(output.read_line(&mut stdout).unwrap(), 0, "it goes on: {stdout}");
    }
    sleep(pause);
    signal(&referee, name);
    output.read_to_string(&mut stdout).unwrap();
    (stdout, referee.wait().unwrap().success())
}

#[test]
fn violent_ends_leave_every_game_once() {
    let scene = Scene::in_memory();
    let (mut state, mut seen) = (11, BTreeSet::new());
    for round in 0..6 {
        let (stdout, over) = torture(&scene, ["KILL", "INT", "TERM", "KILL"][round % 4], &mut state);
        for number in reported(&stdout) {
            assert!(seen.insert(number), "game {number} was played twice");
        }
        // On a machine that is held up, more games than usual end before a signal arrives.
        if over || seen.len() > GAMES - 10 {
            break;
        }
    }
    assert!(seen.len() >= 10, "it went on each time: {}", seen.len());
    let report = scene.run(&kept(&scene, &format!("{TORTURE} --concurrency 2 --resume")));
    assert_eq!(report.status, 0, "{}", report.stderr);
    report.says("\nResumed: ");
    for number in reported(&report.stdout) {
        assert!(seen.insert(number), "game {number} was played twice");
    }
    // A line that was not printed any more may belong to a game that counts: the journal knows.
    let journal = lines(&scene.path("journal"));
    assert_eq!(journal.len(), GAMES + 1);
    let number =
        |line: &String| line.split_once("\"number\":").unwrap().1.split(',').next().unwrap().parse().unwrap();
    let numbers: BTreeSet<u64> = journal[1..].iter().map(number).collect();
    assert!(numbers.iter().copied().eq(1..=GAMES as u64) && numbers.is_superset(&seen));
    assert_eq!(report.json["result"]["games"], GAMES);
    let expected = undisturbed(TORTURE);
    assert_eq!(undated(&report.games), undated(&expected.games));
    assert_eq!(summary(&report), summary(&expected));
    assert!(scene.await_processes(0));
}

#[test]
fn the_game_file_is_the_same_for_any_number_of_workers() {
    let play = |concurrency: usize| {
        let scene = Scene::in_memory();
        let mut options = kept(&scene, "--rounds 6 --max-moves 40 --seed 9 --concurrency");
        options.insert(2, vec![concurrency.to_string()]);
        let report = scene.run(&options);
        report.assert_played(36);
        (report.games.clone(), summary(&report))
    };
    let alone = play(1);
    assert_eq!(alone, play(2));
    assert_eq!(alone, play(5));
}

#[test]
fn a_journal_that_cannot_be_used_is_refused_with_the_reason() {
    let scene = Scene::in_memory();
    let refused = |options: &str, expected: &str| {
        let before = fs::read(scene.path("journal")).unwrap();
        let report = scene.run(&kept(&scene, options));
        assert_eq!((report.status, report.finished()), (1, 0), "{options}: {}", report.stdout);
        assert!(report.stderr.contains(expected), "{options}: {}", report.stderr);
        assert_eq!(fs::read(scene.path("journal")).unwrap(), before, "nothing is changed");
    };
    let openings = scene.file("openings.txt", "Aa\nBb\n");
    let options = format!("--rounds 2 --max-moves 20 --openings {openings}");
    scene.run(&kept(&scene, &options)).assert_played(12);
    refused(&options, "this journal exists: give --resume to go on");
    for (more, difference) in [
        ("--variant oware", "plan.variant is \"awari\" there and \"oware\" here"),
        ("--each nodes=5", "plan.contestants.0.limits.nodes is nothing there and 5 here"),
        ("--event swiss", "plan.event is \"round_robin\" there and \"swiss\" here"),
        ("--shard 1/2", "plan.shard.of is 1 there and 2 here"),
    ] {
        refused(&format!("{options} --resume {more}"), difference);
    }
    scene.file("openings.txt", "Aa\nCc\n");
    refused(&format!("{options} --resume"), "journal of another tournament: openings is ");
    scene.file("openings.txt", "Aa\nBb\n");
    let good = fs::read_to_string(scene.path("journal")).unwrap();
    scene.file("journal", &good.replacen("\"number\":2", "\"number\":3", 1));
    refused(&format!("{options} --resume"), "this line is damaged (its checksum is ");
    scene.file("journal", "not a journal\n");
    refused(&format!("{options} --resume"), "this is not a journal of the referee: its first line: ");
    scene.file("journal", &good);
    let report = scene.run(&kept(&scene, &format!("{options} --resume --concurrency 2")));
    assert_eq!((report.status, report.finished()), (0, 0), "{}", report.stderr);
}

#[test]
fn a_journal_has_one_referee() {
    let scene = Scene::in_memory();
    let slow = ["late", "honest"].map(|manner| scene.engine(manner, &["depth=1", "watchdog=20"])).concat();
    let journal = words(&format!("--journal {} --resume --rounds 1", scene.path("journal").display()));
    let mut referee = scene.command(&[slow.clone(), journal.clone()]).spawn().unwrap();
    assert!(scene.await_processes(2));
    let report = scene.run(&[slow, journal]);
    assert_eq!(report.status, 1);
    report.complains("another program is writing to");
    signal(&referee, "KILL");
    referee.wait().unwrap();
}

#[test]
fn a_journal_that_cannot_grow_ends_play_and_loses_nothing() {
    let scene = Scene::in_memory();
    let options = kept(&scene, "--rounds 10 --max-moves 30 --resume").concat();
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -f 16; exec \"$0\" \"$@\"", referee_path()]).args(&options);
    let report = scene.report(command.output().unwrap());
    assert_eq!(report.status, 1, "{}", report.stdout);
    report.complains("File too large");
    report.complains("; no more games are played");
    let (before, journal) = (report.finished(), lines(&scene.path("journal")).len());
    assert_eq!(journal, before + 1, "what counted is there, and nothing else");
    let report = scene.run(&kept(&scene, "--rounds 10 --max-moves 30 --resume"));
    assert_eq!((report.status, report.finished()), (0, 60 - before), "{}", report.stderr);
    assert_eq!(undated(&report.games), undated(&undisturbed("--rounds 10 --max-moves 30").games));
}

#[test]
fn with_a_journal_the_game_file_holds_its_games_and_no_others() {
    let scene = Scene::in_memory();
    scene.file("games.ogn", "[Variant \"Oware Abapa\"]\n");
    let report = scene.run(&kept(&scene, "--rounds 1 --max-moves 20"));
    report.complains("games.ogn: it holds games already");
    assert!(!scene.path("journal").exists());
    scene.file("games.ogn", "");
    scene.run(&kept(&scene, "--rounds 1 --max-moves 20")).assert_played(6);
    scene.file("games.ogn", "A letter to grandmother.");
    let report = scene.run(&kept(&scene, "--rounds 1 --max-moves 20 --resume"));
    report.complains("but is not a game file");
    assert_eq!(report.games, "A letter to grandmother.");
}

#[test]
fn an_engine_is_its_executable_and_not_its_path() {
    let scene = Scene::in_memory();
    let beside = |name: &str| Path::new(referee_path()).with_file_name(format!("examples/{name}"));
    let honest = scene.engine("honest", &["depth=1"]);
    let _built = support::scene::built("examples/instant", &["-p", "kroo-referee", "--example", "instant"]);
    for (name, copy) in [("unruly", "one"), ("unruly", "same"), ("instant", "other")] {
        programs::copy(beside(name), scene.path(copy));
    }
    let play = |copy: &str, options: &str| {
        let engine = words(&format!("--engine cmd={} name=copy depth=1", scene.path(copy).display()));
        let journal =
            words(&format!("--journal {} --max-moves 12 --rounds 2", scene.path("journal").display()));
        scene.run(&[honest.clone(), engine, journal, words(options)])
    };
    play("one", "").assert_played(4);
    let report = play("same", "--resume");
    assert_eq!((report.status, report.finished()), (0, 0), "{}", report.stderr);
    let report = play("other", "--resume");
    assert_eq!((report.status, report.finished()), (1, 0), "{}", report.stdout);
    report.complains("copy is another executable now than the one that has played there");
    // Put in its place, it is another one, too.
    programs::copy(beside("instant"), scene.path("one"));
    let report = play("one", "--resume");
    assert_eq!((report.status, report.finished()), (1, 0), "{}", report.stdout);
}

#[test]
fn an_interrupted_match_says_how_to_go_on() {
    let scene = Scene::in_memory();
    let engines = ["unhurried", "last"].map(|manner| scene.engine(manner, &["depth=1"])).concat();
    let journal = words(&format!("--journal {} --rounds 100000", scene.path("journal").display()));
    let mut referee = scene.command(&[engines, journal]).spawn().unwrap();
    let mut output = BufReader::new(referee.stdout.take().unwrap());
    let mut line = String::new();
    while !line.starts_with("Finished game 3 ") {
        line.clear();
        assert_ne!(output.read_line(&mut line).unwrap(), 0);
    }
    signal(&referee, "INT");
    output.read_to_string(&mut line).unwrap();
    let mut errors = String::new();
    referee.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert_eq!(referee.wait().unwrap().code(), Some(130), "{errors}");
    let (_, command) = errors.split_once("interrupted; to resume: ").unwrap();
    let journal = scene.path("journal");
    assert_eq!(command.trim(), format!("{} --resume --journal {}", referee_path(), journal.display()));
    // It is a line for a shell, and resumes the match.
    let mut again = Command::new("sh")
        .args(["-c", &format!("exec {}", command.trim())])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(again.stdout.take().unwrap());
    let mut all = String::new();
    while !all.contains("\nFinished game ") {
        assert_ne!(output.read_line(&mut all).unwrap(), 0, "{all}");
    }
    assert!(all.contains("\nResumed: "), "{all}");
    signal(&again, "TERM");
    drop(output);
    again.wait().unwrap();
}

/// Runs the referee with these words alone, in a folder.
fn bare(scene: &Scene, folder: &Path, line: &str) -> Report {
    scene.report(Command::new(referee_path()).args(words(line)).current_dir(folder).output().unwrap())
}

/// Plays a match, and then cuts the journal off after some games, as if the referee had been ended there.
fn cut_after(scene: &Scene, games: usize, options: &str) -> Report {
    let report = scene.run(&kept(scene, options));
    assert_eq!(report.status, 0, "{}", report.stderr);
    let journal = scene.path("journal");
    let kept: String = lines(&journal)[..=games].iter().map(|line| format!("{line}\n")).collect();
    fs::write(journal, kept).unwrap();
    report
}

#[test]
fn a_journal_is_enough_to_resume_its_match() {
    for (line, games) in [
        ("--rounds 3 --event gauntlet --max-moves 30 --seed 4 --each nodes=9 --concurrency 2", 5),
        ("--rounds 3 --event swiss --max-moves 30 --random-plies 6 --draw moves=3 score=1 from=8", 3),
        ("--event knockout --variant kalah --repetition 3 --affinity --recover", 1),
    ] {
        let scene = Scene::in_memory();
        let whole = cut_after(&scene, games, line);
        let journal = scene.path("journal");
        fs::remove_file(scene.path("games.json")).unwrap();
        // From another folder, with a relative path.
        let folder = scene.path("elsewhere");
        fs::create_dir(&folder).unwrap();
        let report = bare(&scene, &folder, "--journal ../journal --resume");
        assert_eq!((report.status, report.stderr.as_str()), (0, ""), "{line}: {}", report.stdout);
        assert!(report.stdout.contains(&format!("\nResumed: {games} of ")), "{line}: {}", report.stdout);
        assert_eq!(undated(&report.games), undated(&whole.games), "{line}");
        assert_eq!(summary(&report), summary(&whole), "{line}");
        assert_eq!(report.json["result"]["head_to_head"], whole.json["result"]["head_to_head"], "{line}");
        // Given options must agree with the journal; otherwise they are refused, and nothing changes.
        let before = fs::read(&journal).unwrap();
        let given = line.split(" --each").next().unwrap();
        let given = format!("{given} --resume --journal {}", journal.display());
        let report = bare(&scene, Path::new("."), &given);
        assert_eq!(report.status, 0, "{}", report.stderr);
        assert_eq!(fs::read(&journal).unwrap(), before);
        if !line.contains("gauntlet") {
            continue;
        }
        let report = bare(&scene, &folder, "--resume --journal ../journal --each nodes=10");
        report.complains("began in another folder");
        let whole = [engines(&scene), words(&format!("{line} --resume --journal ../journal"))].concat();
        let report =
            scene.report(Command::new(referee_path()).args(whole).current_dir(&folder).output().unwrap());
        assert_eq!((report.status, report.stderr.as_str()), (0, ""), "{line}");
        for (given, difference) in [
            ("--seed 9", "plan.openings is "),
            ("--event round-robin", "plan.event is "),
            ("--rounds 2 --event gauntlet", "plan."),
            ("--max-moves 31", "plan.adjudication.max_moves is "),
            ("--each nodes=77", "plan.contestants.0.limits.nodes is "),
        ] {
            let again = format!("{given} --resume --journal {}", journal.display());
            let report = bare(&scene, Path::new("."), &again);
            assert_eq!((report.status, report.stdout.as_str()), (1, ""), "{given}");
            let refused = format!("this is the journal of another tournament: {difference}");
            report.complains(&refused);
            report.complains(" there and ");
        }
        assert_eq!(fs::read(&journal).unwrap(), before);
    }
}

#[test]
fn a_journal_that_is_not_there_begins_no_match_of_its_own() {
    let scene = Scene::in_memory();
    let journal = scene.path("missing");
    for content in [None, Some("")] {
        content.iter().for_each(|text| fs::write(&journal, text).unwrap());
        let report = bare(&scene, Path::new("."), &format!("--resume --journal {}", journal.display()));
        let expected = format!("referee: {}: there is no match to resume\n", journal.display());
        assert_eq!((report.status, report.stderr), (1, expected));
        assert_eq!(journal.exists(), content.is_some());
    }
    // A journal of before does not know its command line.
    scene.run(&kept(&scene, "--rounds 1 --max-moves 6"));
    let text = fs::read_to_string(scene.path("journal")).unwrap();
    let mut header: serde_json::Value = serde_json::from_str(&text.lines().next().unwrap()[9..]).unwrap();
    header.as_object_mut().unwrap().remove("command").unwrap();
    fs::write(&journal, support::scene::line(&header.to_string())).unwrap();
    let report = bare(&scene, Path::new("."), &format!("--resume --journal {}", journal.display()));
    assert!(report.stderr.contains("this journal does not record its command line: give it, too"));
    // One from elsewhere may record anything.
    let unknown = "the command line in this journal is not understood: unexpected argument";
    for (recorded, problem) in [
        (json!([["--flag"]]), unknown),
        (json!([["check", "kroo"]]), unknown),
        (json!([["--rounds", "1"], []]), ""),
    ] {
        header["command"] = json!({"folder": scene.path(""), "options": recorded});
        fs::write(&journal, support::scene::line(&header.to_string())).unwrap();
        let report = bare(&scene, Path::new("."), &format!("--resume --journal {}", journal.display()));
        assert_eq!((report.status, report.stdout.as_str()), (1, ""), "{}", report.stderr);
        report.complains(problem);
    }
}

#[test]
fn more_rounds_are_added_to_a_match() {
    for event in ["gauntlet", "swiss"] {
        let line = format!("--event {event} --max-moves 12 --pairs 2");
        let expected = undisturbed(&format!("{line} --rounds 5"));
        let scene = Scene::in_memory();
        let first = scene.run(&kept(&scene, &format!("{line} --rounds 2 --concurrency 2")));
        let journal = scene.path("journal");
        let before = fs::read_to_string(&journal).unwrap();
        let again = |more: &str| {
            bare(&scene, Path::new("."), &format!("--resume --journal {}{more}", journal.display()))
        };
        let report = again(" --rounds 1");
        report.complains("plan.rounds is 2 there and 1 here");
        assert_eq!(fs::read_to_string(&journal).unwrap(), before);
        let report = again(" --rounds 5");
        assert_eq!((report.status, report.stderr.as_str()), (0, ""));
        let resumed = format!("\nResumed: {} of ", first.finished());
        report.says(&resumed);
        assert_eq!(undated(&report.games), undated(&expected.games), "{event}");
        assert_eq!(summary(&report), summary(&expected), "{event}");
        // The games of before are as they were, and the journal asks for all rounds now.
        let after = fs::read_to_string(&journal).unwrap();
        let games = before.split_once('\n').unwrap().1;
        assert!(after.split_once('\n').unwrap().1.starts_with(games));
        assert_eq!(again("").stdout, again(" --rounds 5").stdout);
        assert_eq!(fs::read_to_string(&journal).unwrap(), after);
        assert_eq!(bare(&scene, Path::new("."), &format!("merge {}", journal.display())).status, 0);
        assert!(again(" --rounds 2").stderr.contains("plan.rounds is 5 there and 2 here"));
        assert_eq!(fs::read_dir(scene.path("")).unwrap().count(), 3, "nothing is left behind");
    }
}

/// Neither a journal nor the command that starts an engine can have such a path.
#[test]
fn a_folder_whose_name_is_not_utf8_is_refused_or_does_not_matter() {
    use std::os::unix::ffi::OsStrExt;
    let scene = Scene::in_memory();
    let folder = scene.dir.path().join(std::ffi::OsStr::from_bytes(b"not\xffutf8"));
    fs::create_dir(&folder).unwrap();
    let engines = ["honest", "last"].map(|manner| scene.engine(manner, &["depth=1"])).concat();
    let unruly = engines[1].trim_start_matches("cmd=");
    programs::copy(unruly, folder.join("unruly"));
    let run = |words: &[String]| {
        scene.report(Command::new(referee_path()).args(words).current_dir(&folder).output().unwrap())
    };
    let inside: Vec<String> = engines.iter().map(|word| word.replace(unruly, "./unruly")).collect();
    let options = words("--rounds 1 --max-moves 10 --journal journal");
    let report = run(&[inside, options.clone()].concat());
    assert_eq!((report.status, report.stdout.as_str()), (1, ""), "{}", report.stderr);
    report.complains("this path is not UTF-8: rename its folders, or move it");
    assert!(!folder.join("journal").exists());
    let report = run(&[engines, options].concat());
    assert_eq!((report.status, report.finished()), (0, 2), "{}", report.stderr);
    let again = run(&words("--resume --journal journal"));
    assert_eq!((again.status, summary_of_two(&again)), (0, summary_of_two(&report)), "{}", again.stderr);
}

fn summary_of_two(report: &Report) -> String {
    report.stdout.split_once("\nResults of ").unwrap().1.to_owned()
}

/// The file of a match that was resumed on another day has both days.
#[test]
fn each_game_has_its_own_date() {
    let scene = Scene::in_memory();
    let report = scene.run(&kept(&scene, "--rounds 1 --max-moves 8"));
    report.assert_played(6);
    let day = |date: u64| kroo::ogn::date(UNIX_EPOCH + Duration::from_secs(date));
    let today = day(report.json["games"][0]["date"].as_u64().unwrap());
    let path = scene.path("journal");
    let mut journal = lines(&path);
    for game in &mut journal[1..] {
        let (_, json) = game.split_once(' ').unwrap();
        let mut record: serde_json::Value = serde_json::from_str(json).unwrap();
        record["date"] = 86_400.into();
        *game = support::scene::line(&record.to_string()).trim_end().to_owned();
    }
    fs::write(&path, journal.join("\n") + "\n").unwrap();
    let page = scene.path("page.html").display().to_string();
    let resumed = [kept(&scene, "--rounds 2 --max-moves 8 --resume"), vec![vec!["--html".to_owned(), page]]];
    let report = scene.run(&resumed.concat());
    assert_eq!(report.status, 0, "{}", report.stderr);
    let expected = [vec!["1970.01.02".to_owned(); 6], vec![today; 6]].concat();
    let dates: Vec<String> =
        report.game_results().iter().map(|game| day(game["date"].as_u64().unwrap())).collect();
    assert_eq!(dates, expected);
    let tags = report.games.lines().filter_map(|line| line.strip_prefix("[Date \"")?.strip_suffix("\"]"));
    assert!(tags.eq(&expected), "{}", report.games);
    let page = fs::read_to_string(scene.path("page.html")).unwrap();
    for date in [&expected[0], &expected[6]] {
        assert_eq!(page.matches(&format!("\"date\":\"{date}\"")).count(), 6, "{date}");
    }
}
