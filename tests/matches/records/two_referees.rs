//! Two referees do not write one file.

use std::fs;
use std::process::{Command, Stdio};
use support::programs::referee_path;
use support::scene::{Scene, await_that, signal, words};

#[test]
fn a_file_has_one_referee_and_the_second_is_told_which() {
    for (option, file) in [("--games-out", "games.ogn"), ("--json", "games.json"), ("--html", "page.html")] {
        let scene = Scene::in_memory();
        let endless = ["last", "honest"].map(|manner| scene.engine(manner, &["depth=1"])).concat();
        let place = scene.path(file);
        let command = |engines: &[String], rounds: &str| {
            let mut command = Command::new(referee_path());
            command.args(engines).args(["--rounds", rounds, "--max-moves", "8"]).arg(option).arg(&place);
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            command
        };
        let mut first = command(&endless, "100000").stdout(Stdio::null()).spawn().unwrap();
        assert!(scene.await_processes(2));
        let quick = ["honest", "last"].map(|manner| scene.engine(manner, &["depth=1"])).concat();
        let second = scene.report(command(&quick, "1").output().unwrap());
        assert_eq!((second.status, second.finished()), (1, 0), "{option}: {}", second.stderr);
        let expected = format!("another program is writing to it: referee, process {}", first.id());
        assert!(
            second.stderr.contains(file) && second.stderr.contains(&expected),
            "{option}: {}",
            second.stderr
        );
        signal(&first, "KILL");
        first.wait().unwrap();
        // Whatever ends the first, the next one can write.
        assert!(await_that(|| scene.processes() == 0));
        let third = scene.report(command(&quick, "1").output().unwrap());
        assert_eq!((third.status, third.finished()), (0, 2), "{option}: {}", third.stderr);
        assert!(fs::metadata(&place).unwrap().len() > 0);
    }
}

#[test]
fn two_referees_that_begin_at_once_leave_the_games_of_one() {
    let scene = Scene::in_memory();
    let engines = ["honest", "last"].map(|manner| scene.engine(manner, &["depth=1"])).concat();
    let referees: Vec<_> = (0..6)
        .map(|_| scene.command(&[engines.clone(), words("--rounds 40 --max-moves 8")]).spawn().unwrap())
        .collect();
    let statuses: Vec<_> =
        referees.into_iter().map(|referee| referee.wait_with_output().unwrap().status.code()).collect();
    let played = statuses.iter().filter(|&&status| status == Some(0)).count();
    assert!(played > 0 && statuses.iter().all(|status| [Some(0), Some(1)].contains(status)), "{statuses:?}");
    let games = kroo::ogn::parse(&fs::read_to_string(scene.path("games.ogn")).unwrap()).unwrap();
    assert_eq!(games.len(), 80 * played, "whole games, one referee's after another's");
}
