//! A match that is being watched, without a browser.

use kroo::game::{Game, Position, Variant};
use kroo_referee::ledger::record::GameRecord;
use kroo_referee::ledger::results::{Results, Summary};
use kroo_referee::output::watch::live::{KEPT_GAMES, LiveMatch};
use kroo_referee::plan::MatchPlan;
use kroo_referee::run::LiveBoards;
use kroo_referee::schedule::Opening;
use serde_json::{Value, json};
use std::sync::Arc;

fn plan() -> MatchPlan {
    crate::plans::plan(&["one", "two"], &json!("round_robin"))
}

fn record(number: u64) -> GameRecord {
    crate::plans::record(
        number,
        [0, 1],
        &Opening::new(Game::new(Position::start(Variant::Awari))).expect("not over"),
    )
}

/// A match and its counts, as the ledger has them.
struct Watched(LiveMatch, Arc<Results>);

impl Watched {
    fn new() -> Watched {
        let plan = plan();
        let counts = Arc::new(Results::new(&plan));
        Watched(LiveMatch::new(&plan, Arc::new(LiveBoards::new(1))), counts)
    }

    fn play(&mut self, numbers: impl IntoIterator<Item = u64>) {
        for number in numbers {
            let record = record(number);
            Arc::make_mut(&mut self.1).add(&record);
            self.0.add(&record, &self.1);
        }
    }
}

impl Watched {
    fn now(&self, told: u64) -> Value {
        serde_json::from_str(&self.0.now(told).expect("JSON")).expect("JSON")
    }
}

fn numbers(now: &Value) -> Vec<u64> {
    let games = now["games"].as_array().expect("a list");
    games.iter().map(|game| game["number"].as_u64().expect("a number")).collect()
}

/// The page borrows the counts only while it makes tables; then they are copied for the next game.
#[test]
fn games_do_not_wait_for_tables() {
    let mut watched = Watched::new();
    watched.play(1..=2);
    let borrowed = Arc::clone(&watched.1);
    watched.play(3..=4);
    assert_eq!((borrowed.games, watched.1.games), (2, 4));
    assert_eq!(watched.now(0)["tables"]["games"], 4);
    assert_eq!(Arc::strong_count(&watched.1), 1, "the page holds no counts");
}

/// Where the ledger has newer counts than the page has been told, the page waits for those.
#[test]
fn counts_that_are_old_make_no_tables() {
    let mut watched = Watched::new();
    watched.play(1..=1);
    Arc::make_mut(&mut watched.1).add(&record(2));
    assert_eq!(watched.now(0)["tables"], Value::Null);
    watched.0.add(&record(2), &watched.1);
    assert_eq!(watched.now(0)["tables"]["games"], 2);
}

#[test]
fn a_page_is_told_what_is_new_and_at_the_end_all_that_is_kept() {
    let mut watched = Watched::new();
    watched.play([1]);
    let first = watched.now(0);
    assert_eq!(
        (numbers(&first), &first["told"], &first["engines"]),
        (vec![1], &json!(1), &json!(["one", "two"]))
    );
    assert!(numbers(&watched.now(1)).is_empty());
    assert!(numbers(&watched.now(1_000)).is_empty(), "a page of another match");
    let last = KEPT_GAMES as u64 + 100;
    watched.play(2..=last);
    assert_eq!(numbers(&watched.now(last - 2)), [last - 1, last]);
    assert_eq!(numbers(&watched.now(1)), (last - 49..=last).collect::<Vec<_>>());
    Arc::make_mut(&mut watched.1).uncounted = 3;
    watched.0.end(&Summary::new(&plan(), &watched.1, true));
    let end = watched.now(1);
    assert_eq!((&end["is_over"], &end["tables"]["games"]), (&json!(true), &json!(last)));
    let about = end["tables"]["about"].as_str().expect("a text");
    assert!(
        about.contains(" 3 games behind a missing one are not counted. The match was interrupted."),
        "{about}"
    );
    assert_eq!(numbers(&end), (101..=last).collect::<Vec<_>>());
}
