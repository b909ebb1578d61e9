//! `review`: a chain of searches, one or two for each move of the game.

use super::conversation::{RunningJob, Session};
use super::info;
use super::job::Job;
use crate::game::Side;
use crate::level::{Level, Strength};
use crate::plan::{Answer, Plan};
use crate::players::{Kroo, Turn};
use crate::protocol::{Limits, Reply, ReviewedMoves, Settings};
use crate::review::{Counts, DEFAULT_NODES, Judgement, Review};
use crate::roster::PlayerName;
use crate::search::{Clock, Report};
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

impl<W: Write> Session<W> {
    pub(super) fn begin_review(&mut self, moves: ReviewedMoves, limits: &Limits) -> io::Result<()> {
        if !(1..).zip(self.game.moves()).any(|(number, &mv)| moves.includes(number, mv)) {
            return self.error("review: the game has no such moves: send them with `position`");
        }
        let by_default = Limits { nodes: Some(DEFAULT_NODES), ..Limits::default() };
        let limits = if *limits == Limits::default() { &by_default } else { limits };
        self.leave_lost_files_out()?;
        self.remark_on_threads(self.settings.threads)?;
        self.review = Some(Review::new(&self.game, moves, limits));
        self.search_for_review()
    }

    /// Takes the report of a search, and starts the next one.
    pub(super) fn go_on_with_review(&mut self, report: &Report) -> io::Result<()> {
        let Some((job, review)) = self.job.take().zip(self.review.as_mut()) else { return Ok(()) };
        let is_stopped = job.control.is_stopped();
        if !is_stopped && let Some(judgement) = review.take(report).cloned() {
            self.say_judgement(report, job.started.elapsed(), &judgement)?;
        }
        if is_stopped { self.end_review() } else { self.search_for_review() }
    }

    /// Starts the next search of the review, or ends it.
    fn search_for_review(&mut self) -> io::Result<()> {
        let Some(look) = self.review.as_ref().and_then(Review::look) else { return self.end_review() };
        let settings = Settings {
            multipv: look.lines,
            player: PlayerName::Kroo,
            level: Level::Full,
            limit_strength: false,
            ..self.settings.clone()
        };
        let plan =
            Plan::of(look.limits, look.game, &settings, &self.resources).expect("no moves are left out");
        let Answer::Search(request) = plan.answer else { unreachable!("a reviewed position has moves") };
        let turn = Turn { request: *request, strength: Strength::FULL, table: Arc::clone(&self.table) };
        let job = self.job.insert(RunningJob::new(false, true));
        if let Some(time) = plan.time {
            job.control.set_clock(Clock::new(job.started, time));
        }
        if let Some(background) = &self.resources.background {
            job.control.set_growth(background.growth());
        }
        self.send(Job::Choose(Box::new(turn), Box::new(Kroo), None));
        Ok(())
    }

    /// Prints the lines of a position and the judgement of the move.
    fn say_judgement(&mut self, report: &Report, elapsed: Duration, judgement: &Judgement) -> io::Result<()> {
        for info in info::infos(report, elapsed, self.settings.show_wdl) {
            self.say(Reply::Info(info))?;
        }
        let Judgement { ply, mv, best_line, .. } = judgement;
        let loss = judgement.loss().map(|loss| format!(" loss {loss:.1}")).unwrap_or_default();
        let mark = judgement.sign().map(|sign| format!(" mark {sign}")).unwrap_or_default();
        self.text(format!("review ply {ply} move {mv} best {}{loss}{mark}", best_line[0]))
    }

    /// Prints the counts of each side and `reviewok`.
    fn end_review(&mut self) -> io::Result<()> {
        self.job = None;
        let Some(review) = self.review.take() else { return Ok(()) };
        for side in Side::BOTH {
            let Counts { marks: [half, one, three], accuracy, known, given_away } =
                Counts::of(review.judgements(), side);
            let accuracy = accuracy.map(|accuracy| format!(" accuracy {accuracy:.1}")).unwrap_or_default();
            let name = side.to_string().to_lowercase();
            self.text(format!(
                "review {name} ?! {half} ? {one} ?? {three}{accuracy} known {known} given {given_away}"
            ))?;
        }
        self.text("reviewok".to_owned())
    }
}
