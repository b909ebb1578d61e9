//! `setoption` changes a setting completely or not at all: each option is refused in each state, and the whole state is
//! compared.

use kroo::endgames::{Endgames, database_path};
use kroo::game::{Awari, Variant};
use kroo::protocol::options::{OPTIONS, SpecKind};
use kroo::protocol::{Command, Settings};
use kroo::session::Session;
use kroo::session::job::{AfterPause, JobRunner};
use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Seeds of the largest level in the files.
const SEEDS: u8 = 3;

type Talk = Session<Vec<u8>>;

/// Makes a session execute a line, and returns its immediate output.
fn say(session: &mut Talk, line: &str) -> String {
    session.output.clear();
    let command = Command::parse(line).expect("a command").expect("no empty line");
    session.execute(&command).expect("an output");
    String::from_utf8(session.output.clone()).expect("text")
}

/// Runs the job that the session has started.
fn finish_job(session: &mut Talk) {
    session.release().expect("an output");
    if let Some((job, control)) = session.take_job() {
        let events = RefCell::new(Vec::new());
        let runner =
            JobRunner { tell: &|event| events.borrow_mut().push(event), pause: &|| AfterPause::GoOn };
        assert!(runner.run(job, &control).is_none());
        events.into_inner().into_iter().for_each(|event| session.take_event(event).expect("an output"));
    }
    assert!(session.job.is_none());
}

/// Everything that an option could change. Content behind a pointer is compared by the pointer.
fn state(session: &Talk) -> String {
    let Session { settings, game, resources, move_record, .. } = session;
    // Other tests build shared databases, too.
    let endgame_files = format!("{:?}", resources.endgame_files);
    let (_, endgame_files) = endgame_files.split_once("], ").expect("databases are listed first");
    let databases = Arc::as_ptr(&resources.endgame_files.databases);
    let player = session.player.as_deref().map(|player| std::ptr::from_ref(player).cast::<()>());
    let job = session.job.as_ref().map(|job| Arc::as_ptr(&job.control));
    let pointers = (Arc::as_ptr(&session.table), Arc::as_ptr(&resources.weights), databases, player, job);
    format!("{settings:#?} {game:?} {endgame_files:?} {move_record:?} {pointers:?}")
}

/// Lines that are refused in every state.
fn wrong_values(folder: &str) -> Vec<String> {
    let mut lines = vec!["setoption name NoSuchOption value 1".to_owned()];
    for spec in OPTIONS {
        let wrong = match spec.kind {
            SpecKind::Spin { min, max, .. } => {
                vec![(min - 1).to_string(), (max + 1).to_string(), "x".to_owned()]
            }
            SpecKind::Check { .. } | SpecKind::Combo { .. } => vec!["neither".to_owned(), String::new()],
            // Only one player reads this file; see its state.
            SpecKind::Text { .. } if spec.name == "LearnFile" => Vec::new(),
            SpecKind::Text { .. } => vec!["/no/such/file".to_owned(), "/dev/null/x".to_owned()],
            SpecKind::Button => vec!["true".to_owned()],
        };
        lines.extend(wrong.iter().map(|value| format!("setoption name {} value {value}", spec.name)));
    }
    // A file instead of a folder, and folders instead of files.
    lines.push(format!("setoption name EndgamePath value {folder}/kalah-00.endgame"));
    lines.push(format!("setoption name EvalFile value {folder}"));
    lines
}

/// A folder with valid files of awari, and with a file of kalah that is none.
fn files(folder: &Path) {
    let endgames = Endgames::new();
    assert!(endgames.build::<Awari>(SEEDS, &mut || false));
    (0..=SEEDS).for_each(|seeds| {
        kroo::endgame_files::save::<Awari>(&endgames, folder, seeds).expect("room for a file")
    });
    fs::write(database_path(folder, Variant::Kalah, 0), "no endgames").expect("room for a file");
}

/// The lines that lead to each state, and what is refused there in addition.
fn states(folder: &str) -> Vec<(Vec<String>, Vec<&'static str>)> {
    let lines = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect::<Vec<_>>();
    let path = format!("setoption name EndgamePath value {folder}");
    let with_files =
        [vec![path], lines(&["position startpos moves A", "setoption name EndgameSeeds value 2"])];
    vec![
        (vec![], vec!["setoption name Player value classic1978", "setoption name Seeds value 2"]),
        (
            lines(&["position startpos moves Aa", "go depth 3", "setoption name Hash value 2"]),
            vec!["setoption name Player value classic1978", "setoption name Seeds value 1"],
        ),
        (
            lines(&["setoption name UCI_Variant value awari1978", "setoption name Player value classic1978"]),
            vec![
                "setoption name UCI_Variant value awari",
                "setoption name UCI_Variant value kalah",
                "setoption name LearnFile value /no/such/file",
                "setoption name LearnFile value /dev/null/x",
                "setoption name LearnFile value /",
            ],
        ),
        (with_files.concat(), vec![]),
    ]
}

#[test]
fn what_is_refused_leaves_nothing_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    files(folder.path());
    let path = folder.path().to_str().expect("a path");
    for (way, own) in states(path) {
        let mut session = Session::new(Vec::new(), Settings::default()).expect("a session");
        for line in &way {
            say(&mut session, line);
            finish_job(&mut session);
        }
        let before = state(&session);
        for line in wrong_values(path).iter().map(String::as_str).chain(own) {
            let said = say(&mut session, line);
            assert!(said.starts_with("info string error") && said.lines().count() == 1, "{line}: {said}");
            assert_eq!(state(&session), before, "{line}");
        }
        // During a search every option is refused, even with a valid value.
        say(&mut session, "go infinite");
        let before = state(&session);
        let taken =
            ["Hash value 3", "Clear Hash", "UCI_Variant value ayoayo", "Seed value 7", "Level value 1"];
        let taken = taken.map(|option| format!("setoption name {option}"));
        for line in wrong_values(path).iter().chain(&taken) {
            let said = say(&mut session, line);
            assert!(said.starts_with("info string error a search is running"), "{line}: {said}");
            assert_eq!(state(&session), before, "{line}");
        }
        session.stop().expect("an output");
    }
}
