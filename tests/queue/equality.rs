//! The games, tables and verdicts of a queue are those of one machine.

use crate::stage::Stage;
use support::scene::words;

/// The results at the end of what was printed, without the table of workers.
fn results(output: &str) -> String {
    let begin = output.find("\nStandings").or_else(|| output.find("\nResults")).unwrap_or(0);
    let results = output[begin..].split("\n\nWorker ").next().unwrap();
    let lines = results.lines().filter(|line| !line.starts_with("Finished") && !line.starts_with("Progress"));
    lines.map(|line| format!("{line}\n")).collect()
}

/// Plays the same on one machine, and through a queue with some workers; journals, results and exit status must agree.
fn assert_same(engines: &[&str], options: &str, workers: &[&[&str]]) {
    let Some(stage) = Stage::new() else { return };
    let engines =
        engines.iter().map(|engine| stage.scene.engine(engine, &["depth=1"])).collect::<Vec<_>>().concat();
    let arguments = [engines, words(options)];
    let alone = stage.alone("alone", &arguments);
    let printed = String::from_utf8(alone.stdout).unwrap();
    assert!(alone.stderr.is_empty(), "{}", String::from_utf8_lossy(&alone.stderr));
    for (number, workers) in workers.iter().enumerate() {
        let journal = format!("queue-{number}");
        let mut workers: Vec<_> = workers.iter().map(|options| stage.worker(options)).collect();
        let mut coordinator = stage.coordinator(&journal, &arguments);
        let status = coordinator.wait();
        assert_eq!(status, alone.status.code().unwrap(), "{}", coordinator.errors());
        stage.assert_same(&journal, "alone");
        assert_eq!(results(&coordinator.output()), results(&printed));
        for worker in &mut workers {
            assert_eq!(worker.wait(), 0, "{}", worker.errors());
            assert!(!worker.errors().contains("warning"), "{}", worker.errors());
        }
        // Nothing is left there but the end, which tells all games.
        let games = stage.games("alone");
        let told = stage.ask("GET kroo:{test}:progress").unwrap();
        assert!(told.contains(&format!("\"games\":{games},")), "{told}");
        assert_eq!(stage.number("EXISTS kroo:{test}:batches kroo:{test}:results kroo:{test}:job"), 0);
    }
    assert!(stage.scene.await_processes(0));
}

#[test]
fn a_match_is_the_same_with_any_number_of_workers() {
    let options = "--rounds 40 --max-moves 40 --random-plies 4 --seed 7 --variant oware";
    assert_same(
        &["honest", "last"],
        options,
        &[&[""], &["", "--concurrency 3"], &["", "", "", "--concurrency 2"]],
    );
}

#[test]
fn a_batch_of_several_pairs_is_the_same_games() {
    let options = "--rounds 11 --pairs 2 --max-moves 30 --random-plies 3 --variant kalah";
    let batched = format!("{options} --batch 3");
    let Some(stage) = Stage::new() else { return };
    let engines =
        ["honest", "last", "thoughtful"].map(|engine| stage.scene.engine(engine, &["nodes=1"])).concat();
    stage.alone("alone", &[engines.clone(), words(options)]);
    let _workers = [stage.worker("--concurrency 2"), stage.worker("")];
    let mut coordinator = stage.coordinator("queue", &[engines, words(&batched)]);
    assert_eq!(coordinator.wait(), 0, "{}", coordinator.errors());
    stage.assert_same("queue", "alone");
}

#[test]
fn an_sprt_is_decided_at_the_same_game() {
    // Of engines that play alike it takes many games, and of these some are played too many.
    let options = "--sprt elo0=-100 elo1=100 --max-moves 40 --random-plies 6 --rounds 400";
    assert_same(&["honest", "last"], options, &[&["--concurrency 2"], &["", "--concurrency 3"]]);
    let options = "--sprt elo0=0 elo1=50 model=bayesian --max-moves 60 --random-plies 6 --rounds 30";
    assert_same(&["thoughtful", "last"], options, &[&["", ""]]);
}

#[test]
fn what_depends_on_results_is_the_same() {
    let four = ["honest", "last", "thoughtful", "talkative"];
    for options in [
        "--event swiss --rounds 3 --pairs 3 --max-moves 40 --random-plies 3",
        "--event knockout --pairs 3 --max-moves 40 --random-plies 3",
        "--event gauntlet --rounds 3 --max-moves 40 --random-plies 3",
    ] {
        assert_same(&four, options, &[&["", "--concurrency 3"]]);
    }
}
