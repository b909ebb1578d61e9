//! A thread that plays games, one after the other.

use super::affinity::Place;
use super::bench::Bench;
use super::boards::Boards;
use super::collect::News;
use super::deal::Dealer;
use crate::engine::{Engine, Failure, Guardian, Stop, Stopped};
use crate::game::{Fault, Played, Seat, Watcher, play};
use crate::plan::{GameRecord, Plan};
use crate::schedule::Fixture;
use crossbeam_channel::Sender;
use kroo::game::Side;
use std::sync::Arc;
use std::time::SystemTime;

pub(super) struct Worker<'a> {
    plan: &'a Plan,
    stop: &'a Stop,
    bench: Bench<'a>,
    news: Sender<News>,
    /// Which worker it is, and where it shows its board, if anybody looks.
    number: usize,
    boards: Option<&'a Boards>,
    /// Where it and its engines sit, if that matters.
    place: Option<Place<'a>>,
}

impl<'a> Worker<'a> {
    pub fn new(
        plan: &'a Plan,
        guardian: &'a Arc<Guardian>,
        stop: &'a Stop,
        news: Sender<News>,
        number: usize,
        boards: Option<&'a Boards>,
        place: Option<Place<'a>>,
    ) -> Worker<'a> {
        let bench = Bench::new(plan, guardian, stop, place);
        Worker { plan, stop, bench, news, number, boards, place }
    }

    /// Plays until there is no game left, or play is stopped.
    pub fn play_all(mut self, dealer: &Dealer) {
        while let Some(fixture) = dealer.deal(self.stop) {
            let date = SystemTime::now();
            let Ok(mut played) = self.play(&fixture) else { break };
            played.round_times();
            self.tell(News::Finished(Box::new(GameRecord { fixture, date, played })));
        }
        // Others may wait for a game that will not be finished.
        dealer.wake_all();
        self.bench.dismiss();
    }

    fn tell(&self, news: News) {
        // The collector listens until the last worker is gone.
        let _ = self.news.send(news);
    }

    fn play(&mut self, fixture: &Fixture) -> Result<Played, Stopped> {
        let news = &self.news;
        let warn = |engine, text| _ = news.send(News::Warning(engine, text));
        let players = fixture.players;
        match self.bench.call(players, &warn) {
            [Ok(south), Ok(north)] => self.play_with(fixture, [south, north]),
            engines => {
                let mut faults = [None, None];
                for (seat, engine) in engines.into_iter().enumerate() {
                    match engine {
                        Ok(engine) => self.bench.keep(players[seat], engine),
                        Err(Failure::Exhausted(error)) => {
                            self.tell(News::Failed(Failure::Exhausted(error).to_string()));
                            self.stop.set();
                            return Err(Stopped);
                        }
                        Err(failure) => faults[seat] = Some(Fault::at_start(failure)?),
                    }
                }
                Ok(Played::unstarted(&fixture.opening, faults))
            }
        }
    }

    /// Plays a game with engines that are ready. Whoever loses by a fault is killed.
    fn play_with(&mut self, fixture: &Fixture, engines: [Engine; 2]) -> Result<Played, Stopped> {
        let [mut south, mut north] = engines;
        if let Some(place) = &self.place {
            place.seat([south.process(), north.process()]);
        }
        let limits = |side: Side| &self.plan.contestants[fixture.players[side.index()]].limits;
        let mut seats =
            [Seat::new(&mut south, limits(Side::South)), Seat::new(&mut north, limits(Side::North))];
        let board = self.boards.map(|boards| boards.set_up(self.number, fixture));
        let board = board.as_ref().map(|board| board as &dyn Watcher);
        let counting = self.place.as_ref().map(|place| place.counting(board));
        let watcher = counting.as_ref().map(|counting| counting as &dyn Watcher).or(board);
        let played = play(&fixture.opening, &mut seats, &self.plan.conduct, watcher, self.stop);
        if !played.as_ref().is_ok_and(|played| played.faults == [false; 2]) {
            // Some engine is about to go.
            self.bench.clear();
        }
        let played = played?;
        for (side, engine) in Side::BOTH.into_iter().zip([south, north]) {
            if !played.is_fault_of(side) {
                self.bench.keep(fixture.players[side.index()], engine);
            }
        }
        Ok(played)
    }
}
