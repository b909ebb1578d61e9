//! The table of a queue's workers.

use crate::plans::game;
use kroo::game::Side;
use kroo_referee::game::Outcome;
use kroo_referee::ledger::record::{GameRecord, WorkerInfo};
use kroo_referee::ledger::results::WorkerTable;
use std::sync::Arc;

const SOUTH: Outcome = Outcome::Win(Side::South);
const NORTH: Outcome = Outcome::Win(Side::North);

fn by(worker: &str, game: GameRecord) -> GameRecord {
    let host = format!("host of {worker}");
    let (worker, processor) = (worker.to_owned(), String::new());
    let info = WorkerInfo { worker, host, processor, cores: 1, nps: 1, time_factor: 1.0 };
    GameRecord { worker: Some(Arc::new(info)), ..game }
}

/// The first worker plays a win, a draw, a loss by a fault and a game without a result: 3 of 6 half points. The second wins
/// for the first engine, in North.
#[test]
fn each_worker_has_its_games_points_and_faults() {
    let mut lost = game(3, [0, 1], NORTH, [5, 24]);
    lost.played.faults = [true, false];
    let records = [
        by("a", game(1, [0, 1], SOUTH, [20, 10])),
        by("a", game(2, [1, 0], Outcome::Draw, [12, 9])),
        by("a", lost),
        by("a", game(4, [1, 0], Outcome::Void, [1, 1])),
        game(5, [0, 1], SOUTH, [20, 10]),
    ];
    let mut table = WorkerTable::default();
    records.iter().for_each(|record| table.add(record));
    assert_eq!(table.at_end(), "", "one worker needs no table");
    table.add(&by("b", game(6, [1, 0], NORTH, [5, 24])));
    let lines: Vec<_> = table
        .lines()
        .map(|(name, line)| (name, line.host.as_str(), line.games, line.score(), line.faults))
        .collect();
    assert_eq!(lines, [("a", "host of a", 4, Some(0.5), 1), ("b", "host of b", 1, Some(1.0), 0)]);
    let text = table.text(2);
    assert_eq!(table.at_end(), format!("\n{text}"));
    let words: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(words[0], ["Worker", "Machine", "Games", "Score", "Faults"]);
    assert_eq!(words[1], ["a", "host", "of", "a", "4", "50.00%", "1"]);
    assert_eq!(words[2], ["b", "host", "of", "b", "1", "100.00%", "0"]);
    assert_eq!(words[3][0], "Score:", "both are in the table");
    assert!(table.text(1).contains("(1 more: "), "{}", table.text(1));
}

#[test]
fn without_a_result_there_is_no_score() {
    let mut table = WorkerTable::default();
    for worker in ["a", "b"] {
        table.add(&by(worker, game(1, [0, 1], Outcome::Void, [1, 1])));
    }
    assert!(table.lines().all(|(_, line)| line.score().is_none()));
    assert_eq!(table.text(2).matches("n/a").count(), 2);
}
