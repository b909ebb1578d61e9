//! Warnings about engines, each given once.

use crate::plans::{plan, record};
use kroo::game::{Game, Position, Variant};
use kroo_referee::game::{IdleWork, Outcome, Termination};
use kroo_referee::ledger::results::Results;
use kroo_referee::ledger::warnings::Warnings;
use kroo_referee::schedule::Opening;
use serde_json::json;
use std::time::Duration;

/// Work in this many milliseconds of those that were watched.
fn idle(worked: u64, watched: u64) -> IdleWork {
    IdleWork { watched: Duration::from_millis(watched), worked: Duration::from_millis(worked) }
}

#[test]
fn a_tenth_of_a_second_and_a_twentieth_of_the_time_are_work() {
    for (worked, watched, is_work) in
        [(100, 2_000, true), (99, 200, false), (100, 2_001, false), (500, 600, true), (0, 0, false)]
    {
        assert_eq!(idle(worked, watched).is_work(), is_work, "{worked} of {watched}");
    }
}

#[test]
fn work_on_the_rival_s_time_brings_one_warning() {
    let plan = plan(&["one", "two"], &json!("round_robin"));
    let opening = Opening::new(Game::new(Position::start(Variant::Awari))).expect("not over");
    let (mut tally, mut warnings, mut heard) =
        (Results::new(&plan), Warnings::new(&plan), Vec::<String>::new());
    // The times of all games count, by engine; `two` is South in the second game.
    for (number, players, idle_work) in [
        (1, [0, 1], [idle(0, 900), idle(60, 700)]),
        (2, [1, 0], [idle(60, 800), idle(0, 900)]),
        (3, [0, 1], [idle(0, 9), idle(90, 90)]),
    ] {
        let mut game = record(number, players, &opening);
        (game.played.outcome, game.played.termination) = (Outcome::Draw, Termination::Rules);
        game.played.idle_work = idle_work;
        tally.add(&game);
        warnings.look(&game, &tally, &mut |text| heard.push(text.to_owned()));
        assert_eq!(heard.len(), usize::from(number > 1), "{:?}", heard);
    }
    assert_eq!(
        heard,
        [
            "two: it works while the other side is to move although it does not ponder: so far 0.12 s of processor time in \
          1.50 s that were watched"
        ]
    );
}
