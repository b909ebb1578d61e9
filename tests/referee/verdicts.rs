//! A match that a test ends: every game up to the verdict counts, and none after it.

use crate::plans::{game, plan};
use kroo::game::{Side, Variant};
use kroo_referee::engine::Stop;
use kroo_referee::game::Outcome;
use kroo_referee::ledger::record::{GameRecord, Journal, JournalHeader};
use kroo_referee::ledger::results::{MatchEnd, Results, Summary};
use kroo_referee::ledger::{Ledger, MatchObserver};
use kroo_referee::plan::MatchPlan;
use kroo_referee::run::{Shown, WorkerEvent, run};
use kroo_referee::schedule::Openings;
use kroo_referee::statistics::{EloModel, Sprt, SprtDecision};
use serde_json::json;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Games that are finished, far more than the test needs.
const GAMES: u64 = 36;

/// Two engines, with a test that decides soon if one of them wins all games.
fn tested() -> MatchPlan {
    let mut plan = plan(&["a", "b"], &json!("round_robin"));
    plan.sprt = Some(Sprt { elo0: 0.0, elo1: 200.0, alpha: 0.05, beta: 0.05, model: EloModel::Logistic });
    plan
}

/// A game that the first engine wins.
fn won(number: u64) -> GameRecord {
    let (players, winner) = if number % 2 == 1 { ([0, 1], Side::South) } else { ([1, 0], Side::North) };
    game(number, players, Outcome::Win(winner), [1 + number as u8 / 20, number as u8 % 20])
}

/// How many of these games, one after the other, decide the test; all of them if they do not.
fn deciding(plan: &MatchPlan, numbers: &[u64]) -> usize {
    let mut tally = Results::new(plan);
    let decides = |&number: &u64| {
        tally.add(&won(number));
        tally.end(plan) == Some(MatchEnd::Decided)
    };
    numbers.iter().position(decides).map_or(numbers.len(), |last| last + 1)
}

/// A match whose games are finished in an order of their own, even after the verdict; it may be stopped then.
fn delivered(
    plan: &MatchPlan,
    journal: Option<&Path>,
    numbers: &[u64],
    is_stopped: bool,
    seen: &mut Seen,
) -> Summary {
    let openings = Openings::start(Variant::Awari);
    let header = JournalHeader::new(plan, openings.digest());
    let journal = journal.map(|path| (Journal::create(path, &header).unwrap(), None));
    let stop = Stop::new().unwrap();
    let summary = run(plan, openings, journal, &stop, &Shown::default(), seen, |context| {
        if is_stopped {
            context.stop.set();
        }
        numbers.iter().for_each(|&number| context.tell(WorkerEvent::Finished(Box::new(won(number)))));
    });
    summary.unwrap()
}

/// The numbers of the games that an observer gets.
#[derive(Default)]
struct Seen {
    finished: Vec<u64>,
    in_order: Vec<u64>,
}

impl MatchObserver for Seen {
    fn finished(&mut self, record: &GameRecord, _: &Ledger<'_>) {
        self.finished.push(record.scheduled.number);
    }

    fn in_order(&mut self, record: &GameRecord, _: &Arc<Results>) {
        self.in_order.push(record.scheduled.number);
    }
}

#[test]
fn games_after_the_verdict_do_not_count() {
    let plan = tested();
    let ascending: Vec<u64> = (1..=GAMES).collect();
    let decided = deciding(&plan, &ascending);
    assert!(decided > 4 && decided + 8 < ascending.len(), "{decided}");
    let by_four = ascending.chunks(4).flat_map(|games| games.iter().rev().copied()).collect();
    let descending = ascending.iter().rev().copied().collect();
    for numbers in [ascending.clone(), by_four, descending] {
        let what = format!("{numbers:?}");
        let folder = tempfile::tempdir().unwrap();
        let (path, mut seen) = (folder.path().join("journal"), Seen::default());
        let summary = delivered(&plan, Some(&path), &numbers, false, &mut seen);
        assert_eq!(summary.score.games, decided as u64, "{what}");
        assert_eq!(summary.score.sprt.map(|status| status.decision), Some(SprtDecision::AcceptH1), "{what}");
        assert!(!summary.interrupted && summary.is_over(), "{what}");
        assert_eq!(seen.in_order, ascending[..decided], "{what}");
        assert_eq!(seen.finished, seen.in_order, "{what}");
        // Written as they finish, games from after the verdict may come before the last one that counts.
        if numbers == ascending {
            let lines = fs::read_to_string(&path).unwrap().lines().count();
            assert_eq!(lines, 1 + decided, "{what}");
        }
    }
}

/// When a match is stopped, games that wait for a missing one decide nothing. Without a test they count, in their order.
#[test]
fn a_test_sees_the_games_up_to_the_first_gap() {
    for (most, gap) in [(GAMES, 3), (GAMES, 1), (6, 3), (3, 2)] {
        for is_tested in [true, false] {
            let mut plan = tested();
            plan.sprt = plan.sprt.filter(|_| is_tested);
            let numbers: Vec<u64> = (1..=most).filter(|&number| number != gap).collect();
            let counted = if is_tested { gap as usize - 1 } else { numbers.len() };
            let mut seen = Seen::default();
            let summary = delivered(&plan, None, &numbers, true, &mut seen);
            let found = (summary.score.games, &seen.in_order[..], summary.interrupted);
            assert_eq!(found, (counted as u64, &numbers[..counted], true), "{most} {gap}");
            let decision = summary.score.sprt.map(|status| status.decision);
            assert_eq!(decision, is_tested.then_some(SprtDecision::Continue), "{most} {gap}");
        }
    }
}
