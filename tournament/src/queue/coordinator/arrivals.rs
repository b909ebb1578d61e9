//! Results and notes of workers.

use super::Coordinator;
use crate::failure::Failure;
use crate::queue::connection::StreamEntry;
use crate::queue::error::QueueError;
use crate::queue::games::{assert_fits, games_of};
use crate::queue::job::Job;
use crate::queue::machine::is_name;
use crate::run::{Context, WorkerEvent};
use kroo::printable;
use std::time::{Duration, Instant};

/// The most characters of a note that are shown.
const MAX_NOTE_CHARACTERS: usize = 500;

impl Coordinator {
    /// Takes results and notes, if any come within a time. `catching_up`: games may have been handed out by an earlier
    /// coordinator. Returns whether there were any.
    pub(super) fn take_news(
        &mut self,
        context: &Context<'_>,
        catching_up: bool,
        wait: Duration,
    ) -> Result<bool, QueueError> {
        let most = self.job.as_ref().map_or(1, Job::most_games);
        let [results, notes] = self.broker.news(&mut self.read, most, wait)?;
        self.take_notes(&notes, context)?;
        self.take_results(context, &results, catching_up)?;
        Ok(!results.is_empty() || !notes.is_empty())
    }

    fn take_notes(&mut self, notes: &[StreamEntry], context: &Context<'_>) -> Result<(), QueueError> {
        for entry in notes {
            let Some(note) = entry.text("note") else { continue };
            let worker = author(entry);
            let note: String = printable::line(note).chars().take(MAX_NOTE_CHARACTERS).collect();
            if entry.text("broken").is_some() {
                self.broken = Some((Instant::now(), note.clone()));
            }
            context.note(format!("worker {worker}: {note}"));
        }
        let known: Vec<String> = notes.iter().map(|entry| entry.id.clone()).collect();
        self.broker.forget("notes", &known)
    }

    /// Passes results on to the collector. A game that is not open has been played before.
    fn take_results(
        &mut self,
        context: &Context<'_>,
        results: &[StreamEntry],
        catching_up: bool,
    ) -> Result<(), QueueError> {
        let Some((most, number)) = self.job.as_ref().map(|job| (job.most_games(), job.number.clone())) else {
            return Ok(());
        };
        for entry in results {
            if self.uncommitted.iter().any(|(id, _)| *id == entry.id) {
                continue;
            }
            let worker = author(entry);
            let games = games_of(entry, &number, context.plan, most);
            if let (true, Ok(games)) = (catching_up, &games) {
                let last = games.iter().map(|game| game.scheduled.number).max();
                self.hand_out_up_to(context, last.unwrap_or(0));
            }
            let games = games.and_then(|games| {
                games.iter().try_for_each(|game| assert_fits(game, worker, &self.open, context))?;
                Ok(games)
            });
            let games = match games {
                Ok(games) => games,
                Err(problem) => {
                    self.refuse(worker, &entry.id, &problem, context)?;
                    continue;
                }
            };
            let mut last = None;
            for game in games {
                if self.open.remove(&game.scheduled.number).is_some() {
                    last = last.max(Some(game.scheduled.number));
                    context.tell(WorkerEvent::Finished(Box::new(game)));
                }
            }
            // A result without an open game comes too late.
            self.uncommitted.push((entry.id.clone(), last.unwrap_or(0)));
        }
        Ok(())
    }

    /// Refuses an invalid result, and has its worker leave: something is wrong there. Other workers play its games.
    fn refuse(
        &mut self,
        worker: &str,
        id: &str,
        problem: &Failure,
        context: &Context<'_>,
    ) -> Result<(), QueueError> {
        let text = format!("worker {worker} has brought an invalid result, and is refused: {problem}");
        context.note(printable::line(&text).into_owned());
        self.broker.refuse(worker, &printable::line(&problem.to_string()))?;
        self.broker.forget("results", &[id.to_owned()])?;
        self.compared = None;
        Ok(())
    }

    /// Removes results that the journal has.
    pub(super) fn forget_committed(&mut self, context: &Context<'_>) -> Result<(), QueueError> {
        let committed = context.scheduler.committed();
        let done = self.uncommitted.extract_if(.., |(_, last)| *last <= committed);
        let ids: Vec<String> = done.map(|(id, _)| id).collect();
        self.broker.forget("results", &ids)
    }
}

/// The worker that has written an entry.
fn author(entry: &StreamEntry) -> &str {
    entry.text("worker").filter(|name| is_name(name)).unwrap_or("without a name")
}
