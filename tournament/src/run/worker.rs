//! A thread that plays games, one after the other, and its link to the source of its games: the scheduler of this match, or a
//! queue on another machine.

use super::engine_pool::{EnginePool, NotReady};
use super::live::LiveBoards;
use crate::engine::{Engine, EngineError, LastWords, Stop, Stopped};
use crate::game::{EngineFault, EngineSide, PlayedGame, Termination, play};
use crate::ledger::Scheduler;
use crate::ledger::record::GameRecord;
use crate::schedule::ScheduledGame;
use crossbeam_channel::Sender;
use kroo::game::{Game, Side};
use std::time::SystemTime;

/// How often a game is played again at most after machine stalls.
const MAX_REPLAYS: u32 = 3;

/// An event from a worker.
#[derive(Debug)]
pub enum WorkerEvent {
    /// A game has ended.
    Finished(Box<GameRecord>),
    /// A warning about an engine, given by its place in the list.
    Warning(usize, String),
    /// Something else that a user should know.
    Note(String),
    /// The match cannot go on.
    Failed(String),
    /// An engine does not work, or refuses its options.
    Broken(String),
}

/// Gives a thread its games, and takes their results.
pub trait WorkerLink {
    /// The next game, as soon as it exists; `None` if no game is left for this thread, or it must stop.
    fn next_game(&self, stop: &Stop) -> Option<ScheduledGame>;

    /// Tells what has happened.
    fn tell(&self, event: WorkerEvent);

    /// The thread plays no more. Its last game may not have been finished.
    fn leave(&self);
}

/// A link to the scheduler and the collector of the same process.
pub(super) struct LocalLink<'a> {
    pub scheduler: &'a Scheduler,
    pub events: Sender<WorkerEvent>,
}

impl WorkerLink for LocalLink<'_> {
    fn next_game(&self, stop: &Stop) -> Option<ScheduledGame> {
        self.scheduler.next_game(stop)
    }

    fn tell(&self, event: WorkerEvent) {
        // The collector listens until the last link is gone.
        let _ = self.events.send(event);
    }

    fn leave(&self) {
        // Others may wait for a game that will not be finished.
        self.scheduler.wake_all();
    }
}

/// The needs of a worker.
pub(super) struct GameWorker<'a> {
    pub pool: EnginePool<'a>,
    pub link: &'a dyn WorkerLink,
    /// Its number, from 0.
    pub number: usize,
    /// Where it shows its board, if a page or a terminal shows boards.
    pub boards: Option<&'a LiveBoards>,
}

impl GameWorker<'_> {
    /// Plays until no game is left, or the match is stopped.
    pub fn play_all(mut self) {
        while let Some(scheduled) = self.link.next_game(self.pool.stop) {
            let date = SystemTime::now();
            let Ok(mut played) = self.play_until_it_counts(&scheduled) else { break };
            played.round_times();
            self.link.tell(WorkerEvent::Finished(Box::new(GameRecord {
                scheduled,
                date,
                played,
                worker: None,
            })));
        }
        self.link.leave();
        let link = self.link;
        self.pool.quit(&|engine, text| link.tell(WorkerEvent::Warning(engine, text)));
    }

    /// Plays a game until it counts. A game lost by a machine stall is no evidence and is played again, but not for ever: an
    /// engine may be what keeps the referee from running. A game that an engine may have disturbed never counts: the first of a
    /// match is played again, and the second ends the match, because an engine could do it whenever it is behind.
    fn play_until_it_counts(&mut self, scheduled: &ScheduledGame) -> Result<PlayedGame, Stopped> {
        let number = scheduled.number;
        let mut replays = 0;
        loop {
            let played = PlayedGame { replays, ..self.play(scheduled)? };
            let again = match played.termination {
                Termination::MachineStall if replays < MAX_REPLAYS => {
                    format!("game {number} is played again ({} of {MAX_REPLAYS})", replays + 1)
                }
                Termination::Disturbed if self.pool.supervisor.note_disturbance() => {
                    format!("game {number} is played again; the second time the match ends")
                }
                Termination::Disturbed => return Err(self.end_disturbed(scheduled, &played)),
                _ => return Ok(played),
            };
            for side in Side::BOTH.into_iter().filter(|&side| played.is_fault_of(side)) {
                let text = format!("{}; {again}", played.detail);
                self.link.tell(WorkerEvent::Warning(scheduled.players[side.index()], text));
            }
            replays += 1;
        }
    }

    /// Ends the match, and names both engines: which of them has disturbed it cannot be known.
    fn end_disturbed(&self, scheduled: &ScheduledGame, played: &PlayedGame) -> Stopped {
        let names = self.pool.plan.names(scheduled);
        let (one, other) = if played.is_fault_of(Side::South) { (0, 1) } else { (1, 0) };
        let (number, detail) = (scheduled.number, &played.detail);
        self.end(WorkerEvent::Broken(format!(
            "game {number} is the second that was disturbed: {} {detail}; {} or {} has done that, and which cannot be known",
            names[one], names[one], names[other]
        )))
    }

    /// Ends the match, and tells why.
    fn end(&self, why: WorkerEvent) -> Stopped {
        self.link.tell(why);
        self.pool.stop.set();
        Stopped
    }

    fn play(&mut self, scheduled: &ScheduledGame) -> Result<PlayedGame, Stopped> {
        let link = self.link;
        let warn = |engine, text| link.tell(WorkerEvent::Warning(engine, text));
        let players = scheduled.players;
        match self.pool.take(scheduled, &warn) {
            [Ok(south), Ok(north)] => self.play_with(scheduled, [south, north]),
            engines => {
                let (mut faults, mut failed) = ([None, None], Vec::new());
                let mut last_words = <[LastWords; 2]>::default();
                for (side, engine) in engines.into_iter().enumerate() {
                    match engine {
                        Ok(engine) => self.pool.put_back(players[side], engine),
                        Err(error) => failed.push((side, error)),
                    }
                }
                // However the match ends here, the other engine gets `quit`.
                for (side, error) in failed {
                    match error {
                        NotReady::Refuses(problem) => return Err(self.end(WorkerEvent::Broken(problem))),
                        NotReady::Fault(error @ EngineError::OutOfResources(_), _) => {
                            return Err(self.end(WorkerEvent::Failed(error.to_string())));
                        }
                        NotReady::Fault(error, words) => {
                            faults[side] = Some(EngineFault::at_start(error)?);
                            last_words[side] = words;
                        }
                    }
                }
                Ok(PlayedGame { last_words, ..PlayedGame::not_started(&scheduled.opening, faults) })
            }
        }
    }

    /// Plays a game with engines that are ready. An engine that loses by a fault is killed.
    fn play_with(&mut self, scheduled: &ScheduledGame, engines: [Engine; 2]) -> Result<PlayedGame, Stopped> {
        let [mut south, mut north] = engines;
        let limits = |side: Side| &self.pool.plan.contestants[scheduled.players[side.index()]].limits;
        let mut sides = [
            EngineSide::new(&mut south, limits(Side::South)),
            EngineSide::new(&mut north, limits(Side::North)),
        ];
        let board = self.boards.map(|boards| boards.begin(self.number, scheduled));
        let shown = board.as_ref().map(|board| |game: &Game| board.moved(game));
        let shown = shown.as_ref().map(|shown| shown as &dyn Fn(&Game));
        let played = play(&scheduled.opening, &mut sides, &self.pool.plan.adjudication, shown);
        if played.is_err() {
            // The match was stopped. The engines may have something to save, as after any game.
            sides.iter_mut().for_each(EngineSide::give_up);
            self.pool.put_back(scheduled.players[Side::South.index()], south);
            self.pool.put_back(scheduled.players[Side::North.index()], north);
            return Err(Stopped);
        }
        let mut played = played?;
        played.id_names = [&south, &north].map(|engine| engine.id_name().map(str::to_owned));
        for (side, mut engine) in Side::BOTH.into_iter().zip([south, north]) {
            if played.is_fault_of(side) {
                played.last_words[side.index()] = engine.kill();
            } else {
                self.pool.put_back(scheduled.players[side.index()], engine);
            }
        }
        Ok(played)
    }
}
