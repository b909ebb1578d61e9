//! The analysing engine.

use crate::game::Game;
use crate::plan::{Answer, Plan, Resources};
use crate::protocol::{Limits, Settings};
use crate::search::{Clock, Observer, Report, SearchMemory, search};
use crate::time::Instant;
use std::error::Error;
use std::time::Duration;

/// The analysing engine, at full strength, with its options.
pub(super) struct Analyst {
    settings: Settings,
    resources: Resources,
    table: SearchMemory,
}

impl Analyst {
    /// An analyst of a game, with given options.
    pub(super) fn new(settings: &Settings, game: &Game) -> Result<Analyst, Box<dyn Error>> {
        let settings = Settings { variant: game.position().variant(), ..settings.clone() };
        let (resources, table) = (Resources::open(&settings)?, SearchMemory::new(settings.hash_mib)?);
        Ok(Analyst { settings, resources, table })
    }

    /// Clears the table, and changes to the rule set of a game.
    pub(super) fn begin(&mut self, game: &Game) -> Result<(), Box<dyn Error>> {
        let variant = game.position().variant();
        self.table.clear();
        if variant != self.settings.variant {
            self.settings.variant = variant;
            self.resources = Resources::open(&self.settings)?;
        }
        Ok(())
    }

    /// The faults of the endgame files, each once.
    pub(super) fn take_faults(&mut self) -> Vec<String> {
        self.resources.take_faults(&self.settings)
    }

    /// The best lines in an unfinished game, with the search time.
    pub(super) fn search(&self, game: &Game, limits: &Limits, lines: usize) -> (Report, Duration) {
        let started = Instant::now();
        let settings = Settings { multipv: lines, ..self.settings.clone() };
        let plan = Plan::of(limits, game, &settings, &self.resources).expect("no moves are left out");
        let clock = Clock::new(started, plan.time.unwrap_or_default());
        let report = match plan.answer {
            Answer::GameOver(_) => unreachable!("a game that is over has no moves"),
            Answer::Search(request) => search(&request, &self.table, &mut Deadline(clock)),
        };
        (report, clock.elapsed())
    }
}

/// Ends a search when its time is up.
struct Deadline(Clock);

impl Observer for Deadline {
    fn stop(&mut self, _nodes: u64) -> bool {
        self.0.is_up()
    }

    fn iteration(&mut self, _report: &Report) -> bool {
        false
    }
}
