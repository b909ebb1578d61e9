//! The data besides games that results depend on: a plan, or the tags of game files.

use crate::plan::MatchPlan;
use crate::schedule::{Event, Shard};
use crate::statistics::Sprt;

/// The event that games belong to.
pub trait Contest {
    /// The names of the engines, by their places.
    fn names(&self) -> Vec<&str>;

    /// The kind of event, which decides how engines are ranked.
    fn event(&self) -> Event;

    /// The rule set, and the limits if they are known: `oware, nodes=3000`.
    fn conditions(&self) -> String;

    /// The test of a match of two engines; a part of a match decides none.
    fn test(&self) -> Option<Sprt>;

    /// The games that a bye counts as won, if there are byes.
    fn games_of_bye(&self) -> Option<u64> {
        None
    }

    /// Whether single games count for a test if no pair is complete.
    fn counts_single_games(&self) -> bool {
        false
    }

    /// Whether pairs that repeat another one count.
    fn counts_repeated_pairs(&self) -> bool {
        false
    }

    /// The name of an engine.
    fn engine(&self, place: usize) -> &str {
        self.names()[place]
    }

    /// Whether it is known how engines are ranked.
    fn has_ranks(&self) -> bool {
        true
    }

    /// Whether engines are ranked by Elo and not by points: those of a gauntlet have different opponents and numbers of games.
    fn is_ranked_by_elo(&self) -> bool {
        matches!(self.event(), Event::Gauntlet { .. })
    }
}

impl Contest for MatchPlan {
    fn names(&self) -> Vec<&str> {
        self.all_names()
    }

    fn event(&self) -> Event {
        self.event
    }

    fn conditions(&self) -> String {
        format!("{}, {}", self.variant, self.limits())
    }

    fn test(&self) -> Option<Sprt> {
        self.sprt.filter(|_| self.shard == Shard::WHOLE)
    }

    fn games_of_bye(&self) -> Option<u64> {
        MatchPlan::games_of_bye(self)
    }

    fn counts_repeated_pairs(&self) -> bool {
        self.tuning.is_some()
    }

    fn engine(&self, place: usize) -> &str {
        self.name(place)
    }
}
