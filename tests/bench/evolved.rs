//! The time that the evolved player takes for a move, in 100 positions of random games of `awari`:
//! `cargo bench -p bench --bench evolved`.
//!
//! The search of Davis and Kendall (2002) took about a minute.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use kroo::game::{Board, Rules, Variant, Visitor, split_mix};
use kroo::players::evolved::{DEPTH, Evaluator, Minimax, legal_pits};
use std::time::{Duration, Instant};
use support::games::{is_over, random_game};

const POSITIONS: usize = 100;
/// Positions are of games of fewer random moves than this.
const MAX_PLIES: u64 = 120;

/// A choice of the player; the search memory is reused as in a game.
struct Choose<'a>(&'a mut Minimax, &'a Evaluator, &'a [Board]);

impl Visitor for Choose<'_> {
    type Output = ();

    fn visit<R: Rules>(self) {
        let Choose(room, evaluator, line) = self;
        let pits = legal_pits::<R>(*line.last().expect("a board"));
        let choice = room.choose::<R>(evaluator, line, &pits, DEPTH, &mut |_| false, &mut |_| {});
        assert!(choice.is_some(), "it is not stopped");
    }
}

fn main() {
    let (mut state, mut room, mut times) = (19, Minimax::default(), Vec::<Duration>::new());
    while times.len() < POSITIONS {
        let plies = (split_mix(&mut state) % MAX_PLIES) as usize;
        let game = random_game(Variant::Awari, split_mix(&mut state), plies);
        if is_over(&game) {
            continue;
        }
        // From -1 to 1.
        let weight = |_| (split_mix(&mut state) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0;
        let evaluator = Evaluator::new(std::array::from_fn(weight));
        let began = Instant::now();
        Variant::Awari.visit(Choose(&mut room, &evaluator, game.line()));
        times.push(began.elapsed());
    }
    times.sort();
    let [median, longest] = [times[POSITIONS / 2], times[POSITIONS - 1]].map(|time| time.as_secs_f64() * 1e3);
    println!("a move at depth {DEPTH}: median {median:.2} ms, longest {longest:.2} ms");
}
