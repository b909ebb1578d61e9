//! A thread that plays games, one after the other.

use super::affinity::WorkerAffinity;
use super::collector::WorkerEvent;
use super::engine_pool::EnginePool;
use super::live_boards::LiveBoards;
use super::scheduler::Scheduler;
use crate::engine::{Engine, EngineError, Stop, Stopped, Supervisor};
use crate::game::{EngineFault, EngineSide, MoveObserver, PlayedGame, play};
use crate::plan::{FinishedGame, MatchPlan};
use crate::schedule::ScheduledGame;
use crossbeam_channel::Sender;
use kroo::game::Side;
use std::sync::Arc;
use std::time::SystemTime;

pub(super) struct GameWorker<'a> {
    plan: &'a MatchPlan,
    stop: &'a Stop,
    bench: EnginePool<'a>,
    news: Sender<WorkerEvent>,
    /// Which worker it is, and where it shows its board, if anybody looks.
    number: usize,
    boards: Option<&'a LiveBoards>,
    /// Where it and its engines sit, if that matters.
    place: Option<WorkerAffinity<'a>>,
}

impl<'a> GameWorker<'a> {
    pub fn new(
        plan: &'a MatchPlan,
        supervisor: &'a Arc<Supervisor>,
        stop: &'a Stop,
        news: Sender<WorkerEvent>,
        number: usize,
        boards: Option<&'a LiveBoards>,
        place: Option<WorkerAffinity<'a>>,
    ) -> GameWorker<'a> {
        let bench = EnginePool::new(plan, supervisor, stop, place);
        GameWorker { plan, stop, bench, news, number, boards, place }
    }

    /// Plays until there is no game left, or play is stopped.
    pub fn play_all(mut self, dealer: &Scheduler) {
        while let Some(scheduled) = dealer.deal(self.stop) {
            let date = SystemTime::now();
            let Ok(mut played) = self.play(&scheduled) else { break };
            played.round_times();
            self.tell(WorkerEvent::Finished(Box::new(FinishedGame { scheduled, date, played })));
        }
        // Others may wait for a game that will not be finished.
        dealer.wake_all();
        self.bench.dismiss();
    }

    fn tell(&self, news: WorkerEvent) {
        // The collector listens until the last worker is gone.
        let _ = self.news.send(news);
    }

    fn play(&mut self, scheduled: &ScheduledGame) -> Result<PlayedGame, Stopped> {
        let news = &self.news;
        let warn = |engine, text| _ = news.send(WorkerEvent::Warning(engine, text));
        let players = scheduled.players;
        match self.bench.call(players, &warn) {
            [Ok(south), Ok(north)] => self.play_with(scheduled, [south, north]),
            engines => {
                let mut faults = [None, None];
                for (seat, engine) in engines.into_iter().enumerate() {
                    match engine {
                        Ok(engine) => self.bench.keep(players[seat], engine),
                        Err(EngineError::OutOfResources(error)) => {
                            self.tell(WorkerEvent::Failed(EngineError::OutOfResources(error).to_string()));
                            self.stop.set();
                            return Err(Stopped);
                        }
                        Err(failure) => faults[seat] = Some(EngineFault::at_start(failure)?),
                    }
                }
                Ok(PlayedGame::unstarted(&scheduled.opening, faults))
            }
        }
    }

    /// Plays a game with engines that are ready. Whoever loses by a fault is killed.
    fn play_with(&mut self, scheduled: &ScheduledGame, engines: [Engine; 2]) -> Result<PlayedGame, Stopped> {
        let [mut south, mut north] = engines;
        if let Some(place) = &self.place {
            place.seat([south.process(), north.process()]);
        }
        let limits = |side: Side| &self.plan.contestants[scheduled.players[side.index()]].limits;
        let mut seats = [
            EngineSide::new(&mut south, limits(Side::South)),
            EngineSide::new(&mut north, limits(Side::North)),
        ];
        let board = self.boards.map(|boards| boards.set_up(self.number, scheduled));
        let board = board.as_ref().map(|board| board as &dyn MoveObserver);
        let counting = self.place.as_ref().map(|place| place.counting(board));
        let watcher = counting.as_ref().map(|counting| counting as &dyn MoveObserver).or(board);
        let played = play(&scheduled.opening, &mut seats, &self.plan.conduct, watcher, self.stop);
        if !played.as_ref().is_ok_and(|played| played.faults == [false; 2]) {
            // Some engine is about to go.
            self.bench.clear();
        }
        let played = played?;
        for (side, engine) in Side::BOTH.into_iter().zip([south, north]) {
            if !played.is_fault_of(side) {
                self.bench.keep(scheduled.players[side.index()], engine);
            }
        }
        Ok(played)
    }
}
