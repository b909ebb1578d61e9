//! The commands.

use super::conversation::{FinalReply, NAME, RunningJob, Session};
use super::job::Job;
use super::move_record::MoveRecord;
use super::{endgames, evaluation, info};
use crate::bench;
use crate::game::{Game, Position, Side, draw, fair_starts};
use crate::plan::{Answer, Plan, THREADS_PER_PROCESSOR, useful_threads};
use crate::players::Turn;
use crate::protocol::options::OPTIONS;
use crate::protocol::{
    COMMANDS, Command, Dialect, GameResult, GoCommand, Info, Limits, PositionCommand, Query, Reply, Response,
};
#[cfg(feature = "tune")]
use crate::protocol::{OptionKind, OptionLine};
#[cfg(feature = "tune")]
use crate::search::parameters;
use crate::search::{self, Clock, Request};
use crate::time::Instant;
use std::io::{self, Write};
use std::sync::Arc;

impl<W: Write> Session<W> {
    #[doc(hidden)]
    pub fn execute(&mut self, command: &Command) -> io::Result<()> {
        if self.job.is_some() && must_wait(command) {
            return self.error("a search is running: send `stop` and wait for its answer first");
        }
        match command {
            Command::Uci => self.introduce(Dialect::Uci)?,
            Command::Ugi => self.introduce(Dialect::Ugi)?,
            Command::IsReady => {
                if self.settings.solution {
                    search::prepare(self.settings.variant);
                }
                if self.job.is_none() {
                    self.table.touch();
                }
                self.say(Reply::ReadyOk)?;
            }
            Command::SetOption { name, value } => self.set_option(name, value.as_deref())?,
            Command::NewGame => {
                self.clear_table();
                self.game = Game::new(Position::start(self.settings.variant));
                self.move_record = MoveRecord::default();
            }
            Command::Position(position) => match position.game(self.settings.variant) {
                Ok(game) => {
                    self.game = game;
                    self.move_record.set_up(&self.game);
                    self.learn()?;
                }
                Err(error) => {
                    self.text(format!("Reason: {}", error.word()))?;
                    self.error(format_args!("position: {error}"))?;
                }
            },
            Command::Go(GoCommand::Search(limits)) => self.go(limits)?,
            Command::Go(GoCommand::Perft(plies)) | Command::Perft(plies) => {
                self.start_job(Job::Perft(*self.game.position(), *plies));
            }
            Command::Bench(depth) => {
                let depth = depth.map_or(bench::DEFAULT_DEPTH, |depth| depth as u8);
                self.start_job(Job::Bench(depth));
            }
            Command::Query(query) => self.respond(*query)?,
            Command::Stop => self.stop()?,
            Command::PonderHit => self.ponder_hit()?,
            Command::Quit => self.quit()?,
            Command::Display => self.display()?,
            Command::Eval => self.evaluate()?,
            Command::Endgame(position) => self.probe_endgames(position.as_ref())?,
            Command::Review(moves, limits) => self.begin_review(*moves, limits)?,
            Command::Solve(task) => self.begin_solve(*task)?,
            Command::Sow(moves) => self.sow(moves)?,
            Command::Rules => {
                let rules = self.settings.variant.explained();
                rules.into_iter().try_for_each(|line| self.text(line))?;
            }
            Command::FairStarts => self.list_fair_starts()?,
            Command::Help => self.help()?,
            Command::Debug(_) => {}
        }
        Ok(())
    }

    /// Answers `uci` or `ugi`, and uses that dialect from now on.
    fn introduce(&mut self, dialect: Dialect) -> io::Result<()> {
        self.dialect = dialect;
        self.say(Reply::IdName(NAME.to_owned()))?;
        self.say(Reply::IdAuthor("the Kroo authors".to_owned()))?;
        for spec in OPTIONS {
            self.say(Reply::Option(spec.line()))?;
        }
        #[cfg(feature = "tune")]
        for (name, default, range) in parameters() {
            let [default, min, max] = [default, *range.start(), *range.end()].map(i64::from);
            self.say(Reply::Option(OptionLine {
                name: name.to_owned(),
                kind: OptionKind::Spin { default, min, max },
            }))?;
        }
        self.say(dialect.hello_ok())
    }

    /// Answers a question of UGI. UGI managers have no other arbiter: `MoveLimit` ends a game here, because `awari` may cycle for
    /// ever.
    fn respond(&mut self, query: Query) -> io::Result<()> {
        let position = self.game.position_at_limit(self.settings.move_limit);
        self.say(Reply::Response(match query {
            Query::GameOver => Response::Truth(position.verdict().is_some()),
            Query::P1Turn => Response::Truth(position.side() == Side::South),
            Query::Result => Response::Result(GameResult::of(&position)),
        }))
    }

    fn list_fair_starts(&mut self) -> io::Result<()> {
        let starts = fair_starts(self.settings.variant);
        starts.iter().try_for_each(|start| self.say(Reply::Fen(start.to_string())))?;
        self.text(format!("Fair starts: {}", starts.len()))
    }

    /// Starts a job whose reply is not held back.
    fn start_job(&mut self, job: Job) {
        self.job = Some(RunningJob::new(false, true));
        self.send(job);
    }

    /// Lets the player learn from a finished game, once for each game.
    ///
    /// A player that is choosing a move cannot learn; the game waits until the search has ended.
    pub(super) fn learn(&mut self) -> io::Result<()> {
        let Some(player) = &mut self.player else { return Ok(()) };
        if let Some(game) = self.move_record.take_finished() {
            for side in self.move_record.sides(&game) {
                self.move_record.learned |= player.learn(&game, side);
            }
        }
        self.print_remarks()
    }

    /// Prints the player's remarks, for example about a file that it cannot write.
    pub(super) fn print_remarks(&mut self) -> io::Result<()> {
        let remarks = self.player.as_mut().map(|player| player.remarks()).unwrap_or_default();
        remarks.iter().try_for_each(|remark| self.say(Reply::Info(Info::text(remark))))
    }

    /// Plans a `go` and starts it.
    fn go(&mut self, limits: &Limits) -> io::Result<()> {
        let started = Instant::now();
        for clamped in &limits.clamped {
            self.say(Reply::Info(Info::text(&clamped.to_string())))?;
        }
        self.leave_lost_files_out()?;
        let plan = match Plan::of(limits, &self.game, &self.settings, &self.resources) {
            Ok(plan) => plan,
            Err(error) => return self.error(error),
        };
        self.move_record.search_begins(&self.game, plan.ponders);
        let job = self.job.insert(RunningJob::new(plan.held, plan.bounded));
        if plan.ponders {
            job.ponder = plan.time;
        } else if let Some(time) = plan.time {
            job.control.set_clock(Clock::new(started, time));
        }
        if let Some(background) = &self.resources.background {
            job.control.set_growth(background.growth());
        }
        match plan.answer {
            Answer::GameOver(verdict) => {
                let info = info::game_over(self.game.position(), verdict, self.settings.show_wdl);
                self.say(Reply::Info(info))?;
                self.finish(FinalReply::GameOver)
            }
            Answer::Search(request) => self.search(*request),
        }
    }

    /// Starts the player's choice on the search thread.
    fn search(&mut self, request: Request) -> io::Result<()> {
        self.remark_on_threads(self.settings.threads)?;
        let turn = Turn { request, strength: self.settings.strength(), table: Arc::clone(&self.table) };
        let player = self.player.take().expect("no other job runs");
        self.send(Job::Choose(Box::new(turn), player, None));
        Ok(())
    }

    /// Reports damaged endgame files, and continues without them.
    pub(super) fn leave_lost_files_out(&mut self) -> io::Result<()> {
        let faults = self.resources.take_faults(&self.settings);
        faults.into_iter().try_for_each(|fault| self.error(fault))
    }

    /// Warns once if `Threads` is too many for this machine.
    pub(super) fn remark_on_threads(&mut self, wanted: usize) -> io::Result<()> {
        let most = useful_threads(wanted);
        if wanted == most || std::mem::replace(&mut self.threads_remarked, true) {
            return Ok(());
        }
        let text = format!(
            "Threads {wanted} is too many for this machine; using {most} ({THREADS_PER_PROCESSOR} per processor)"
        );
        self.say(Reply::Info(Info::text(&text)))
    }

    /// The expected move was played: starts the clock, and releases the reply.
    fn ponder_hit(&mut self) -> io::Result<()> {
        let Some(job) = &mut self.job else { return Ok(()) };
        let Some(limits) = job.ponder.take() else { return Ok(()) };
        self.move_record.ponder_hit();
        job.control.set_clock(Clock::new(Instant::now(), limits));
        self.release()
    }

    fn display(&mut self) -> io::Result<()> {
        let position = self.game.position_at_limit(self.settings.move_limit);
        for line in draw(&position) {
            self.text(line)?;
        }
        self.say(Reply::Fen(position.to_string()))?;
        self.say(Reply::Result(GameResult::of(&position)))
    }

    fn evaluate(&mut self) -> io::Result<()> {
        let position = *self.game.position();
        if position.verdict().is_some() {
            return self.text("the game is over, so there is nothing to evaluate".to_owned());
        }
        let lines = evaluation::describe(&position, &self.resources.weights);
        lines.into_iter().try_for_each(|line| self.text(line))
    }

    /// Shows the endgames' result of a position, by default the current one.
    fn probe_endgames(&mut self, command: Option<&PositionCommand>) -> io::Result<()> {
        let given = match command.map(|command| command.game(self.settings.variant)).transpose() {
            Ok(given) => given,
            Err(error) => return self.error(format_args!("endgame: position: {error}")),
        };
        let position = *given.as_ref().unwrap_or(&self.game).position();
        let databases = &self.resources.endgame_files.databases;
        if endgames::is_ready(databases, &position) {
            let known = endgames::probe(
                databases,
                self.resources.endgame_files.named_folder(),
                &position,
                &mut || false,
            );
            return self.say_endgame(known);
        }
        if self.job.is_some() {
            return self.error(
                "endgame: a search is running, and these endgames have to be built first: send `stop`",
            );
        }
        self.start_job(Job::Endgame(position, Arc::clone(&self.resources.endgame_files.databases)));
        self.await_job();
        Ok(())
    }

    /// Prints the answer of `endgame`.
    pub(super) fn say_endgame(&mut self, known: Result<Vec<String>, String>) -> io::Result<()> {
        self.leave_lost_files_out()?;
        match known {
            Ok(lines) => lines.into_iter().try_for_each(|line| self.text(line)),
            Err(error) => self.error(error),
        }
    }

    fn help(&mut self) -> io::Result<()> {
        for (usage, description) in COMMANDS {
            self.text(format!("  {usage}"))?;
            self.text(format!("      {description}"))?;
        }
        Ok(())
    }
}

/// Whether a command would disturb a running job.
fn must_wait(command: &Command) -> bool {
    match command {
        Command::SetOption { .. }
        | Command::NewGame
        | Command::Go(_)
        | Command::Review(..)
        | Command::Solve(_)
        | Command::Bench(_)
        | Command::Perft(_) => true,
        Command::Uci
        | Command::Ugi
        | Command::Query(_)
        | Command::Debug(_)
        | Command::IsReady
        | Command::Position(_)
        | Command::Stop
        | Command::PonderHit
        | Command::Quit
        | Command::Display
        | Command::Eval
        | Command::Endgame(_)
        | Command::Sow(_)
        | Command::Rules
        | Command::FairStarts
        | Command::Help => false,
    }
}
