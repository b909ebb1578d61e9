//! The iterations over a database, in steps of bounded size: ask, answer, evaluate, put.

use super::exchange::{Exchange, PeerLost, Reduction};
use super::limits::{Limits, Traffic};
use super::share::{DatabaseShare, Unit};
use kroo_core::endgames::building::cell::Cell;
use kroo_core::game::Rules;

/// Units that are one task of a thread.
const UNITS: usize = 32;

/// The progress of the iterations, and their traffic.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Step {
    pub iteration: u32,
    /// The part of this iteration that is done on the rank that has most left, from 0 to 1.
    pub fraction: f64,
    pub traffic: Traffic,
}

/// Whether to go on after a step. All ranks must want the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    GoOn,
    Stop,
}

/// Iterates until nothing changes on any rank, or `after` wants to stop. Returns whether the database is done.
pub(super) fn iterate<R: Rules, C: Cell>(
    database: &mut DatabaseShare<'_, R, C>,
    exchange: &mut dyn Exchange,
    limits: &Limits,
    mut after: impl FnMut(&DatabaseShare<'_, R, C>, &mut dyn Exchange, &Step) -> Result<Next, PeerLost>,
) -> Result<bool, PeerLost> {
    let mut step = Step::default();
    for iteration in 1.. {
        step.iteration = iteration;
        let active = database.active(iteration == 1);
        let (mut done, mut changes) = (0, 0);
        loop {
            let units = &active[done..active.len().min(done + limits.units)];
            done += work(database, exchange, limits, units, &mut step.traffic, &mut changes)?;
            let left = if active.is_empty() { 0 } else { (active.len() - done) * 1000 / active.len() };
            let more = if done < active.len() { 1 + left as u64 } else { 0 };
            let more = exchange.all_reduce_one(Reduction::Max, more)?;
            step.fraction = 1.0 - more as f64 / 1000.0;
            if after(database, exchange, &step)? == Next::Stop {
                return Ok(false);
            }
            if more == 0 {
                break;
            }
        }
        let late = exchange.put(vec![Vec::new(); exchange.size()], true)?;
        changes += database.apply(&late);
        if exchange.all_reduce_one(Reduction::Sum, changes)? == 0 {
            return Ok(true);
        }
        database.changed = database.take_changes();
        exchange.all_reduce(Reduction::Or, &mut database.changed)?;
    }
    Ok(true)
}

/// A step: evaluates some of the units, and returns how many. A rank with none left answers the others.
fn work<R: Rules, C: Cell>(
    database: &mut DatabaseShare<'_, R, C>,
    exchange: &mut dyn Exchange,
    limits: &Limits,
    units: &[Unit],
    traffic: &mut Traffic,
    changes: &mut u64,
) -> Result<usize, PeerLost> {
    let asked = ask(database, exchange.size(), limits, units);
    let requests = exchange.all_to_all(asked.requests)?;
    let replies: Vec<Vec<u64>> = requests.iter().map(|requests| answer(database, requests)).collect();
    let own: usize = replies.iter().map(Vec::len).sum();
    traffic.requests += 8 * requests.iter().map(Vec::len).sum::<usize>() as u64;
    traffic.replies += 8 * own as u64;
    let replies = exchange.all_to_all(replies)?;
    let units = &units[..asked.units];
    let tasks: Vec<&[Unit]> = units.chunks(UNITS).collect();
    let evaluated = database
        .threads
        .map(tasks.len(), |task| database.evaluate(tasks[task], &replies, asked.read[task].clone()));
    drop(replies);
    let mut puts = vec![Vec::new(); exchange.size()];
    for evaluated in evaluated {
        traffic.evaluations += evaluated.boards;
        traffic.local += evaluated.local;
        traffic.remote += evaluated.remote;
        evaluated.puts.into_iter().for_each(|(owner, put)| puts[owner].push(put));
    }
    *changes += put(database, exchange, limits, puts, traffic)?;
    Ok(asked.units)
}

struct Asked {
    /// The number of units that can be evaluated with the answers.
    units: usize,
    requests: Vec<Vec<u64>>,
    /// By task: how many words of each rank's reply are for the tasks before.
    read: Vec<Vec<usize>>,
}

/// Collects requests for as many units as can be answered by buffers of bounded size.
fn ask<R: Rules, C: Cell>(
    database: &DatabaseShare<'_, R, C>,
    size: usize,
    limits: &Limits,
    units: &[Unit],
) -> Asked {
    let tasks: Vec<&[Unit]> = units.chunks(UNITS).collect();
    let planned = database.threads.map(tasks.len(), |task| database.requests(tasks[task]));
    let most = limits.requests.div_ceil(size);
    let mut asked = Asked { units: 0, requests: vec![Vec::new(); size], read: Vec::new() };
    let mut read = vec![0; size];
    for (requests, units) in planned.into_iter().zip(tasks) {
        if asked.units > 0 && asked.requests.iter().any(|requests| requests.len() >= most) {
            break;
        }
        requests.into_iter().for_each(|(owner, request)| asked.requests[owner].push(request));
        asked.read.push(read.clone());
        units.iter().for_each(|&unit| database.count_replies(unit, &mut read));
        asked.units += units.len();
    }
    asked
}

/// The answers to a rank's requests.
fn answer<R: Rules, C: Cell>(database: &DatabaseShare<'_, R, C>, requests: &[u64]) -> Vec<u64> {
    let tasks: Vec<&[u64]> = requests.chunks(8 * UNITS).collect();
    let replies = database.threads.map(tasks.len(), |task| {
        let mut reply = Vec::new();
        tasks[task].iter().for_each(|&request| database.serve(request, &mut reply));
        reply
    });
    replies.concat()
}

/// Puts what has changed, in batches of bounded size, until no rank has any left. Returns how many boards of this one have
/// changed.
fn put<R: Rules, C: Cell>(
    database: &mut DatabaseShare<'_, R, C>,
    exchange: &mut dyn Exchange,
    limits: &Limits,
    mut puts: Vec<Vec<u64>>,
    traffic: &mut Traffic,
) -> Result<u64, PeerLost> {
    let mut changes = 0;
    loop {
        let left = |puts: &Vec<u64>| puts.len().saturating_sub(limits.batch);
        let batches = puts.iter_mut().map(|puts| puts.split_off(left(puts))).collect::<Vec<_>>();
        let here = batches[exchange.rank()].len();
        traffic.puts += 8 * (batches.iter().map(Vec::len).sum::<usize>() - here) as u64;
        traffic.batches += batches.iter().filter(|batch| !batch.is_empty()).count() as u64;
        let arrived = exchange.put(batches, false)?;
        changes += database.apply(&arrived);
        let more = u64::from(puts.iter().any(|puts| !puts.is_empty()));
        if exchange.all_reduce_one(Reduction::Max, more)? == 0 {
            return Ok(changes);
        }
    }
}
