//! The window of batches that a coordinator keeps ahead of the workers.

use super::Coordinator;
use crate::queue::broker::ReadUpTo;
use crate::queue::error::QueueError;
use crate::queue::fetch;
use crate::queue::games::Batch;
use crate::queue::job::json;
use crate::run::Context;
use crate::schedule::{Next, ScheduledGame};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// How often at most results are read before they are compared with the batches.
const MAX_READINGS: usize = 4_096;
/// Batches that are ready for workers, in addition to two for each of their threads.
const SPARE: u64 = 4;
/// The most games that are open, or wait for one before them.
const MAX_OPEN: u64 = 1 << 18;

impl Coordinator {
    /// Compares the batches on the broker with the expected ones, and writes again those that are neither in play nor waiting for
    /// a worker, for any reason.
    pub(super) fn compare(&mut self, context: &Context<'_>) -> Result<(), QueueError> {
        let Some(job) = &self.job else { return Ok(()) };
        let coordinator = (&self.options.address, self.me.as_str());
        if self.offers
            && let Some(note) = fetch::keep(&mut self.broker, coordinator, job, context.stop)?
        {
            self.offers = false;
            context.note(note);
        }
        if !self.broker.is_published(&job.number)? {
            self.broker.publish(&job.number, &job.text())?;
        }
        self.broker.mend()?;
        // Numbers of entries begin anew in a stream that was removed. Results that the journal does not have yet are skipped.
        self.read = ReadUpTo::default();
        // Batches are read first: a result that comes meanwhile is then among the results.
        let (mut written, mut after) = (BTreeSet::new(), None);
        loop {
            let batches = self.broker.batches(after.as_deref())?;
            let Some(last) = batches.last() else { break };
            after = Some(last.id.clone());
            for entry in batches {
                match entry.games().and_then(Batch::parse) {
                    Ok(batch) => written.extend(batch.numbers()),
                    Err(problem) => {
                        let text = format!("removed an invalid batch from the queue: {problem}");
                        context.note(text);
                        self.broker.remove_batch(&entry.id)?;
                    }
                }
            }
        }
        self.hand_out_up_to(context, written.last().copied().unwrap_or(0));
        for _ in 0..MAX_READINGS {
            if !self.take_news(context, true, Duration::ZERO)? {
                break;
            }
        }
        let missing: Vec<ScheduledGame> =
            self.open.values().filter(|game| !written.contains(&game.number)).cloned().collect();
        self.write(&missing)?;
        self.compared = Some(Instant::now());
        Ok(())
    }

    /// Takes games from the scheduler that an earlier coordinator has handed out.
    pub(super) fn hand_out_up_to(&mut self, context: &Context<'_>, last: u64) {
        let found = self.open.last_key_value().map_or(0, |(&number, _)| number);
        let mut next = found.max(context.scheduler.committed());
        while next < last && (self.open.len() as u64) < MAX_OPEN {
            let Next::Play(scheduled) = context.scheduler.try_next() else { return };
            next = scheduled.number;
            self.open.insert(next, scheduled);
        }
    }

    /// Keeps enough batches ready.
    pub(super) fn refill(&mut self, context: &Context<'_>) -> Result<(), QueueError> {
        let batch = 2 * self.options.batch;
        let wanted = (2 * self.roster.slots + SPARE).saturating_mul(batch).min(MAX_OPEN);
        let furthest = context.scheduler.committed().saturating_add((4 * wanted).clamp(1_024, MAX_OPEN));
        let mut fresh: Vec<ScheduledGame> = Vec::new();
        loop {
            // A batch is complete before the loop ends.
            let begins = fresh.last().is_none_or(|game| game.number.is_multiple_of(batch));
            let last = self.open.last_key_value().map_or(0, |(&number, _)| number);
            if begins && (self.open.len() as u64 >= wanted || last >= furthest) {
                break;
            }
            match context.scheduler.try_next() {
                Next::Play(scheduled) => {
                    self.open.insert(scheduled.number, scheduled.clone());
                    fresh.push(scheduled);
                }
                Next::Wait => break,
                Next::End => {
                    self.ended = true;
                    break;
                }
            }
        }
        self.write(&fresh)
    }

    /// Writes games as batches: the pairs of a batch are always the same ones.
    pub(super) fn write(&mut self, games: &[ScheduledGame]) -> Result<(), QueueError> {
        let size = self.options.batch;
        let batches = games.chunk_by(|one, other| one.pair / size == other.pair / size);
        let texts: Vec<String> = batches.map(|games| json(&Batch::of(games))).collect();
        texts.chunks(64).try_for_each(|texts| self.broker.add(texts))
    }
}
