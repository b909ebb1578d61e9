//! The game file and the JSON document.

use crate::records::ogn_reader::{self, Read};
use kroo::game::{Side, Variant, Verdict};
use kroo::ogn::parse;
use std::fs;
use std::os::unix::fs::symlink;
use support::documents::random_document;
use support::scene::{Report, Scene, words};

/// The game file and the JSON document tell the same games, and they are what the rules make of their moves.
fn check(report: &Report, variant: Variant) -> Vec<Read> {
    let read = ogn_reader::read(&report.games);
    let games = report.game_results();
    assert_eq!(read.len(), games.len());
    for (read, json) in read.iter().zip(&games) {
        let game = read.replay(variant);
        let moves: String = read.moves.iter().map(|mv| mv.letter()).collect();
        let opening = json["opening"].as_str().unwrap();
        assert_eq!(moves, format!("{opening}{}", json["moves"].as_str().unwrap()));
        assert_eq!(read.tags.get("FEN").map(String::as_str), json["start"].as_str());
        assert_eq!(json["stores"], serde_json::json!(read.stores));
        for (tag, key) in [("South", "south"), ("North", "north"), ("Result", "result")] {
            assert_eq!(read.tags[tag], json[key], "{tag}");
        }
        assert_eq!(read.tags["Round"], json["round"].to_string());
        assert_eq!(read.tags["OpeningPlies"], opening.len().to_string());
        let ended = json["termination"].as_str().unwrap();
        assert!(read.tags["Termination"].starts_with(ended), "no faults in these matches: {:?}", read.tags);
        let result = match game.position().verdict_for(Side::South) {
            Some(Verdict::Win) => "1-0",
            Some(Verdict::Draw) => "1/2-1/2",
            Some(Verdict::Loss) => "0-1",
            None => ["0-1", "1/2-1/2", "1-0"][(read.stores[0].cmp(&read.stores[1]) as i8 + 1) as usize],
        };
        assert_eq!(read.tags["Result"], result);
        let by_rules = game.position().verdict().is_some();
        assert_eq!(json["termination"], if by_rules { "by the rules" } else { "move limit" });
        for (index, comment) in read.comments.iter().enumerate() {
            assert_eq!(
                comment.is_empty(),
                index < opening.len(),
                "comments for engines' moves, not for the opening"
            );
        }
    }
    read
}

fn mandatory_tags(read: &Read) {
    let mandatory = ["Variant", "Event", "Site", "Date", "Round", "South", "North", "Result"];
    assert_eq!(read.order[..8], mandatory);
    let rest: Vec<&str> = read.order[8..].iter().map(String::as_str).filter(|&tag| tag != "FEN").collect();
    assert_eq!(rest, ["Game", "Termination", "TimeControl", "OpeningPlies", "Players"]);
}

#[test]
fn games_of_every_variant_can_be_read_again() {
    for &variant in Variant::ALL {
        let scene = Scene::new();
        let engines = [scene.engine("honest", &["st=5"]), scene.engine("last", &["tc=60+1"])].concat();
        let report = scene.run(&[engines, words(&format!("--variant {variant} --rounds 4 --max-moves 120"))]);
        report.assert_played(8);
        let read = check(&report, variant);
        read.iter().for_each(mandatory_tags);
        assert_eq!(read[0].tags["TimeControl"], "st=5 vs tc=60+1");
        assert_eq!(read[1].tags["TimeControl"], "tc=60+1 vs st=5");
        assert_eq!(read[7].tags["Round"], "4");
        // The two games of a round have the opening in common, and no two rounds.
        let openings: Vec<&str> = report.json["games"]
            .as_array()
            .unwrap()
            .iter()
            .map(|game| game["opening"].as_str().unwrap())
            .collect();
        assert!(openings.chunks(2).all(|pair| pair[0] == pair[1]));
        assert!(openings[0] != openings[2] && openings[2] != openings[4]);
        let doubled = read.iter().any(|read| read.moves.windows(2).any(|two| two[0].side == two[1].side));
        assert_eq!(doubled, matches!(variant, Variant::Awari1978 | Variant::Kalah | Variant::Avalanche));
    }
}

#[test]
fn north_may_begin_and_a_second_move_may_be_pending() {
    let scene = Scene::new();
    let fens = "0-0-0-1-0-1-0-2-0-0-0-3-15-14-N\n0-0-0-1-0-1-0-2-0-0-0-3-15-14-S2\n";
    let openings = scene.file("openings.txt", fens);
    let engines = [scene.engine("honest", &[]), scene.engine("last", &[])].concat();
    let report = scene.run(&[engines, words("--variant awari1978 --rounds 2 --openings"), vec![openings]]);
    report.assert_played(4);
    let read = check(&report, Variant::Awari1978);
    assert!(
        read.iter().zip([0, 0, 1, 1]).all(|(read, line)| read.tags["FEN"] == fens.lines().nth(line).unwrap())
    );
    assert_eq!(read[0].numbers[0].0, "1...");
    assert_eq!(read[2].numbers[0].0, "1.");
    read.iter().for_each(mandatory_tags);
}

#[test]
fn comments_tell_score_depth_and_time() {
    let scene = Scene::new();
    let engines = [scene.engine("thoughtful", &[]), scene.engine("depthless", &[])].concat();
    let report = scene.run(&[engines, words("--rounds 1 --max-moves 10 --random-plies 0")]);
    let read = check(&report, Variant::Awari);
    for (read, first) in read.iter().zip([Side::South, Side::North]) {
        for (mv, comment) in read.moves.iter().zip(&read.comments) {
            let (score, time) = comment.split_once(' ').unwrap();
            assert_eq!(score, if mv.side == first { "-1.25/3" } else { "+0.35" });
            assert!(time.strip_suffix('s').unwrap().parse::<f64>().unwrap() < 5.0);
        }
    }
    let game = &report.game_results()[0];
    assert_eq!(
        (&game["searches"]["scores"][0], &game["searches"]["scores"][1]),
        (&(-125).into(), &35.into())
    );
    assert_eq!(
        (&game["searches"]["depths"][0], &game["searches"]["depths"][1]),
        (&3.into(), &serde_json::Value::Null)
    );
}

#[test]
fn games_are_appended_and_json_is_replaced() {
    let scene = Scene::new();
    let engines = [scene.engine("honest", &["name=\"A\\"]), scene.engine("last", &[])].concat();
    let engines: Vec<String> = engines.into_iter().filter(|word| word != "name=honest").collect();
    for games in [2, 4] {
        let report = scene.run(&[engines.clone(), words("--rounds 1 --max-moves 8")]);
        report.assert_played(2);
        assert_eq!(ogn_reader::read(&report.games).len(), games);
        assert_eq!(ogn_reader::read(&report.games)[0].tags["South"], "\"A\\");
    }
    let left: Vec<_> =
        fs::read_dir(scene.dir.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "no temporary file is left: {left:?}");
}

#[test]
fn pipes_and_devices_are_no_outputs() {
    let scene = Scene::new();
    let pipe = scene.path("pipe").to_string_lossy().into_owned();
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let play = |words_of_it: &[&str], options: &[&str]| {
        let engines = [scene.engine("noisy", words_of_it), scene.engine("honest", &[])].concat();
        let mut command = std::process::Command::new(support::programs::referee_path());
        command.args(engines).args(words("--rounds 1 --max-moves 8")).args(options);
        scene.report(command.output().unwrap())
    };
    for place in [pipe.as_str(), "/dev/full", "/dev/zero"] {
        for option in ["--games-out", "--json", "--html", "--journal", "--log"] {
            let report = play(&[], &[option, place]);
            assert_eq!((report.status, report.finished()), (1, 0), "{option} {place}: {}", report.stdout);
            assert!(report.stderr.contains(", not a file"), "{option} {place}: {}", report.stderr);
        }
        let report = play(&[&format!("stderr={place}")], &[]);
        assert_eq!((report.status, report.finished()), (1, 0), "stderr={place}: {}", report.stdout);
        report.complains("it is a pipe or a device, not a file");
    }
    let null = "/dev/null";
    let report =
        play(&["stderr=/dev/null"], &["--games-out", null, "--json", null, "--html", null, "--log", null]);
    assert_eq!((report.status, report.finished(), report.stderr.as_str()), (0, 2, ""), "{}", report.stdout);
}

#[test]
fn files_that_cannot_be_made_stop_everything_before_it_begins() {
    let scene = Scene::new();
    for option in ["--games-out", "--json"] {
        let engines = [scene.engine("honest", &[]), scene.engine("last", &[])].concat();
        let mut command = std::process::Command::new(support::programs::referee_path());
        command.args(engines).args([option, "/nowhere/at/all"]);
        let report = scene.report(command.output().unwrap());
        assert_eq!((report.status, report.stdout.as_str()), (1, ""), "{option}");
        report.complains("/nowhere/at/all");
    }
}

/// A short match that writes to these.
fn writing(scene: &Scene, options: &[&std::ffi::OsStr]) -> Report {
    let engines = [scene.engine("honest", &[]), scene.engine("last", &[])].concat();
    let mut command = std::process::Command::new(support::programs::referee_path());
    command.args(engines).args(words("--rounds 1 --max-moves 8")).args(options);
    scene.report(command.output().unwrap())
}

#[test]
fn json_goes_where_links_lead() {
    let scene = Scene::new();
    let (file, link) = (scene.path("kept/games.json"), scene.path("link"));
    fs::create_dir(scene.path("kept")).unwrap();
    symlink("kept/games.json", &link).unwrap();
    for _ in 0..2 {
        assert_eq!(writing(&scene, &["--json".as_ref(), link.as_ref()]).status, 0);
        assert!(link.is_symlink() && file.is_file() && !file.is_symlink());
    }
}

#[test]
fn two_outputs_are_two_files() {
    let scene = Scene::new();
    let (file, link, hard) = (scene.path("games.ogn"), scene.path("link"), scene.path("hard"));
    symlink("games.ogn", &link).unwrap();
    let refused = |json: &std::path::Path| {
        let report =
            writing(&scene, &["--games-out".as_ref(), file.as_ref(), "--json".as_ref(), json.as_ref()]);
        assert_eq!((report.status, report.stdout.as_str()), (1, ""));
        report.complains(" are the same file");
    };
    refused(&file);
    refused(&link);
    assert!(!file.exists());
    fs::write(&file, "").unwrap();
    fs::hard_link(&file, &hard).unwrap();
    refused(&link);
    refused(&hard);
}

#[test]
fn the_outputs_of_a_merge_are_two_files_and_no_journal() {
    let scene = Scene::new();
    let [journal, other] = ["journal", "other"].map(|name| scene.path(name).into_os_string());
    assert_eq!(writing(&scene, &["--journal".as_ref(), &journal]).status, 0);
    for (json, html) in [(&other, &other), (&journal, &other), (&other, &journal)] {
        let mut command = std::process::Command::new(support::programs::referee_path());
        command.arg("merge").arg(&journal).arg("--json").arg(json).arg("--html").arg(html);
        let report = scene.report(command.output().unwrap());
        assert_eq!((report.status, report.stdout.as_str()), (1, ""));
        report.complains(" are the same file");
    }
}

#[test]
fn a_json_file_that_cannot_be_made_is_named_as_the_user_does() {
    let report = writing(&Scene::new(), &["--json".as_ref(), "/nowhere/at/all".as_ref()]);
    assert_eq!(report.stderr, "referee: /nowhere/at/all: there is no folder /nowhere/at\n");
}

#[test]
fn a_document_takes_the_place_of_its_like_and_of_nothing_else() {
    let scene = Scene::new();
    let file = scene.path("document");
    for (option, other) in [("--json", "--html"), ("--html", "--json")] {
        let write = |option: &str| writing(&scene, &[option.as_ref(), file.as_ref()]);
        fs::write(&file, "").unwrap();
        assert_eq!((write(option).status, write(option).status), (0, 0), "{option}");
        let before = fs::read(&file).unwrap();
        let report = write(other);
        assert_eq!((report.status, report.stdout.as_str()), (1, ""), "{other}");
        report.complains("document: something else is in this file");
        assert_eq!(fs::read(&file).unwrap(), before, "it is as it was");
    }
}

/// Games are appended to whatever is there, such that both the old and the new ones can be read.
#[test]
fn an_old_game_file_stays_whole() {
    let scene = Scene::new();
    let engines = ["honest", "last"].map(|manner| scene.engine(manner, &["depth=1"])).concat();
    let play = || scene.run(&[engines.clone(), words("--rounds 1 --max-moves 10")]);
    let first = play().games;
    let games = ogn_reader::read(&first).len();
    for (ending, separator) in [("", "\n\n"), ("\n", "\n"), ("\n\n", ""), ("\r\n", "\n")] {
        let old = format!("{}{ending}", first.trim_end());
        scene.file("games.ogn", &old);
        let report = play();
        assert_eq!((report.status, report.stderr.as_str()), (0, ""));
        assert!(
            report.games.starts_with(&format!("{old}{separator}[Variant ")),
            "{ending:?}: {}",
            report.games
        );
        let all: Vec<_> = kroo::ogn::Reader::new(report.games.as_bytes()).collect();
        assert_eq!(all.len(), 2 * games, "{ending:?}: {}", report.games);
        assert!(all.iter().all(|game| game.as_ref().is_ok_and(|game| game.last.is_some())));
    }
    // Half a game at the end: its moves, and no result.
    let half = first.trim_end().rsplit_once(' ').unwrap().0;
    for half in [half.to_owned(), format!("{half}\n"), format!("{half}\n\n")] {
        scene.file("games.ogn", &half);
        let report = play();
        assert_eq!(report.status, 0, "{}", report.stderr);
        report.complains("games.ogn: its last game has no result; it is left as it is");
        assert!(report.games.starts_with(&half));
        assert_eq!(kroo::ogn::Reader::new(report.games.as_bytes()).filter(Result::is_ok).count(), 2 * games);
    }
    // After these no other game could be read.
    let begin = first.split_once("[Variant").unwrap().1.find("[Date").unwrap();
    for half in [
        format!("{first}\n[Variant \"Oware Abapa\"]\n[Event"),
        first[..begin].to_owned(),
        format!("{half} {{a comm"),
    ] {
        scene.file("games.ogn", &half);
        let report = play();
        assert_eq!((report.status, report.finished()), (1, 0), "{}", report.stdout);
        report.complains("games.ogn: its last game is cut off");
        assert_eq!(report.games, half);
    }
}

/// The referee edits no game: documents of any program stay in its file, byte for byte, and its own games are documents that are
/// written as they were read.
#[test]
fn documents_in_a_game_file_stay_as_they_are() {
    let scene = Scene::new();
    let documents: String = (0..60).map(|seed| random_document(seed).to_string()).collect();
    scene.file("games.ogn", &documents);
    let engines = ["honest", "last"].map(|manner| scene.engine(manner, &["depth=1"])).concat();
    let report = scene.run(&[engines, words("--max-moves 10 --rounds 2")]);
    assert_eq!(report.status, 0, "{}", report.stderr);
    let own = report.games.strip_prefix(&documents).expect("the documents, and games after them");
    let records = parse(own).expect("sound");
    assert_eq!(records.len(), 4);
    assert_eq!(records.iter().map(ToString::to_string).collect::<String>(), own);
}

/// A game file is written again when its match is resumed, but not if that would lose other games.
#[test]
fn a_resumed_match_takes_no_games_of_others_away() {
    let scene = Scene::new();
    let engines = ["honest", "last"].map(|manner| scene.engine(manner, &["depth=1"])).concat();
    let journal =
        |name: &str| words(&format!("--max-moves 10 --rounds 2 --journal {}", scene.path(name).display()));
    let other = scene.run(&[engines.clone(), journal("other"), words("--seed 2")]).games;
    fs::remove_file(scene.path("games.ogn")).unwrap();
    let own = scene.run(&[engines.clone(), journal("own")]).games;
    let resume = || scene.run(&[engines.clone(), journal("own"), words("--resume")]);
    let second = own.match_indices("[Variant").nth(1).unwrap().0;
    let torn = &own[..own.trim_end().len() - 20];
    for kept in ["", &own[..second], torn, &own[..second + 30], &own] {
        scene.file("games.ogn", kept);
        let report = resume();
        assert_eq!((report.status, &report.games), (0, &own), "{}", report.stderr);
    }
    for foreign in [other.clone(), format!("{own}{other}"), format!("{}{other}", &own[..second])] {
        scene.file("games.ogn", &foreign);
        let report = resume();
        assert_eq!((report.status, report.stdout.as_str()), (1, ""), "{}", report.stderr);
        let refused =
            ": this game is not one of the journal, and would be lost: give another name with --games-out\n";
        assert!(
            report.stderr.contains("games.ogn: line ") && report.stderr.ends_with(refused),
            "{}",
            report.stderr
        );
        assert_eq!(report.games, foreign);
    }
}
