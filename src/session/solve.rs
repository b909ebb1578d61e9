//! `solve`: the proven value of a position and of its moves.

use super::conversation::{RunningJob, Session};
use super::info;
use super::job::Job;
use crate::game::Move;
use crate::protocol::{Bound, Info, InfoScore, Question, Reply, ScoreValue, SolveCommand};
use crate::solve::{Answer, Bounds, Solving};
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

impl<W: Write> Session<W> {
    /// Starts to solve the current position.
    pub(super) fn begin_solve(&mut self, task: SolveCommand) -> io::Result<()> {
        self.leave_lost_files_out()?;
        self.remark_on_threads(self.settings.threads)?;
        let solving = Solving::new(&self.game, task, &self.settings, &self.resources);
        let job = self.job.insert(RunningJob::new(false, true));
        if let Some(background) = &self.resources.background {
            job.control.set_growth(background.growth());
        }
        let table = Arc::clone(&self.table);
        self.send(Job::Solve(Box::new(solving), table));
        Ok(())
    }

    /// Prints how far it is.
    pub(super) fn say_bounds(&mut self, bounds: Bounds, nodes: u64, elapsed: Duration) -> io::Result<()> {
        let bounds = [(Bound::Lower, bounds.at_least), (Bound::Upper, bounds.at_most)];
        bounds.into_iter().try_for_each(|(bound, value)| {
            let value = ScoreValue::Cp(value.shown_centiseeds());
            self.say(Reply::Info(Info {
                score: Some(InfoScore { value, bound, proven: None, found: None, wdl: None }),
                nodes: Some(nodes),
                nps: Some(info::per_second(nodes, elapsed)),
                time: Some(elapsed.as_millis() as u64),
                ..Info::default()
            }))
        })
    }

    /// Prints the answer, and `solveok`.
    pub(super) fn end_solve(&mut self, answer: &Answer, task: SolveCommand) -> io::Result<()> {
        self.job = None;
        self.leave_lost_files_out()?;
        for (mv, bounds) in &answer.moves {
            self.text(format!("solve move {mv} {}", words_of(*bounds, task.question)))?;
        }
        let Answer { bounds, play, nodes, time, .. } = answer;
        let play: String = play.iter().copied().map(Move::letter).collect();
        let pv = if play.is_empty() { play } else { format!(" pv {play}") };
        let (bounds, time) = (words_of(*bounds, task.question), time.as_millis());
        self.text(format!("solve position {bounds} nodes {nodes} time {time}{pv}"))?;
        self.text("solveok".to_owned())
    }
}

/// Whether a question is answered, and the bounds in seeds.
fn words_of(bounds: Bounds, question: Question) -> String {
    let word = if bounds.answer(question) { "proven" } else { "unproven" };
    format!("{word} atleast {} atmost {}", bounds.at_least.shown_seeds(), bounds.at_most.shown_seeds())
}
