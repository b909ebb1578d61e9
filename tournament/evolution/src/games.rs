//! All games of a generation, on several threads.
//!
//! A game depends on its two players only. So any thread may play it at any time, and the games between survivors are taken
//! from the generation before.

use crate::game::{Evolved, Outcome, play};
use crate::population::{Generation, Individual};
use crate::settings::Settings;
use ahash::AHashMap;
use kroo::game::{Position, Rules, Variant, Verdict, Visitor};
use kroo::players::evolved::{Evaluator, Minimax};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Results by the numbers of South and North.
pub type Known = AHashMap<(u64, u64), Outcome>;

/// Plays the unknown games between the players of a generation, and ranks the players.
///
/// Afterwards, `known` has the games of these players. `played` is called, from any thread, after each game.
pub fn generation(
    settings: &Settings,
    variant: Variant,
    (number, players): (u32, &[Individual]),
    threads: usize,
    known: &mut Known,
    played: &(dyn Fn(u64) + Sync),
) -> Generation {
    let weight = |swapped: bool| u64::from((settings.games_per_pairing + u32::from(!swapped)) / 2);
    let pairs: Vec<(usize, usize)> = (0..players.len())
        .flat_map(|south| (0..players.len()).map(move |north| (south, north)))
        .filter(|&(south, north)| south != north && weight(south > north) > 0)
        .collect();
    let ids = |(south, north): (usize, usize)| (players[south].id, players[north].id);
    let missing: Vec<(usize, usize)> =
        pairs.iter().copied().filter(|&pair| !known.contains_key(&ids(pair))).collect();
    for &pair in pairs.iter().filter(|&&pair| known.contains_key(&ids(pair))) {
        played(weight(pair.0 > pair.1));
    }
    let told = |(south, north)| played(weight(south > north));
    let outcomes = variant.visit(Play { settings, players, pairs: &missing, threads, told: &told });
    let found: Known = missing.iter().map(|&pair| ids(pair)).zip(outcomes).collect();
    *known = pairs
        .iter()
        .map(|&pair| (ids(pair), found.get(&ids(pair)).or(known.get(&ids(pair))).copied()))
        .map(|(ids, outcome)| (ids, outcome.expect("every pair has met")))
        .collect();
    let games = pairs.iter().map(|&pair| (pair, known[&ids(pair)], weight(pair.0 > pair.1)));
    ranked(settings, number, players, games)
}

/// Counts the points and orders the players; among equals, the older one is first.
fn ranked(
    settings: &Settings,
    number: u32,
    players: &[Individual],
    games: impl Iterator<Item = ((usize, usize), Outcome, u64)>,
) -> Generation {
    let [win, draw, loss] = settings.points;
    let mut points = vec![0; players.len()];
    let (mut at_limit, mut moves, mut results) = (0, 0, [0; 3]);
    for ((south, north), outcome, times) in games {
        let (mine, theirs, result) = match outcome.verdict {
            Verdict::Win => (win, loss, 0),
            Verdict::Draw => (draw, draw, 1),
            Verdict::Loss => (loss, win, 2),
        };
        points[south] += mine * times as i64;
        points[north] += theirs * times as i64;
        results[result] += times;
        at_limit += times * u64::from(outcome.at_limit);
        moves += times * u64::from(outcome.moves);
    }
    let mut ranking: Vec<(Individual, i64)> = players.iter().cloned().zip(points).collect();
    ranking.sort_by_key(|&(_, points)| std::cmp::Reverse(points));
    Generation { generation: number, ranking, at_limit, moves, results }
}

struct Play<'a> {
    settings: &'a Settings,
    players: &'a [Individual],
    pairs: &'a [(usize, usize)],
    threads: usize,
    told: &'a (dyn Fn((usize, usize)) + Sync),
}

impl Visitor for Play<'_> {
    type Output = Vec<Outcome>;

    fn visit<R: Rules>(self) -> Vec<Outcome> {
        let Play { settings, players, pairs, threads, told } = self;
        let evaluator: Vec<Evaluator> = players.iter().map(|player| Evaluator::new(player.weights)).collect();
        let start = Position::start(R::VARIANT);
        let memory = || [Minimax::default(), Minimax::default()];
        on_threads(threads, pairs.len(), memory, |[souths, norths], game| {
            let ((south, north), depth) = (pairs[game], settings.depth);
            let mut one = Evolved { evaluator: &evaluator[south], depth, room: souths };
            let mut other = Evolved { evaluator: &evaluator[north], depth, room: norths };
            let outcome = play::<R>([&mut one, &mut other], settings.max_moves, start);
            told((south, north));
            outcome
        })
    }
}

/// Does numbered tasks on several threads, each with a memory of its own. Returns their results in order.
pub(crate) fn on_threads<M, T: Clone + Send>(
    threads: usize,
    tasks: usize,
    memory: impl Fn() -> M + Sync,
    task: impl Fn(&mut M, usize) -> T + Sync,
) -> Vec<T> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(vec![None; tasks]));
    let work = || {
        let mut memory = memory();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= tasks {
                break;
            }
            let result = task(&mut memory, number);
            done.lock().expect("no thread panics while it holds the lock")[number] = Some(result);
        }
    };
    thread::scope(|scope| {
        // If the system starts no more threads, the existing ones do the work.
        let start = |_: &usize| thread::Builder::new().spawn_scoped(scope, work).is_ok();
        let _ = (1..threads.max(1)).take_while(start).count();
        work();
    });
    let done = done.into_inner().expect("no thread panics while it holds the lock");
    done.into_iter().map(|result| result.expect("every task was done")).collect()
}
