//! What the match knows of those who watch it.

use super::live::LiveMatch;
use super::site::WatchSite;
use crate::plan::MatchPlan;
use crate::record::GameRecord;
use crate::results::Summary;
use crate::run::{LiveBoards, LiveWorkers};
use kroo::web::{Place, Server, WebError};
use std::fmt;
use std::sync::Arc;

/// A match that can be watched.
pub struct Watch {
    live: Arc<LiveMatch>,
    page: String,
}

impl Watch {
    /// Serves the page of a match whose boards these are.
    ///
    /// # Errors
    /// If the address cannot be used.
    pub fn start(place: Place, plan: &MatchPlan, boards: Arc<LiveBoards>) -> Result<Watch, WebError> {
        let server = Server::bind(place)?;
        let (live, page) = (Arc::new(LiveMatch::new(plan, boards)), server.page());
        server.serve(Arc::new(WatchSite(Arc::clone(&live))))?;
        Ok(Watch { live, page })
    }

    /// The address of the page.
    #[must_use]
    pub fn page(&self) -> &str {
        &self.page
    }

    /// The boards that it shows.
    #[must_use]
    pub fn boards(&self) -> Arc<LiveBoards> {
        Arc::clone(self.live.boards())
    }

    /// The workers that it shows.
    #[must_use]
    pub fn workers(&self) -> Arc<LiveWorkers> {
        Arc::clone(self.live.workers())
    }

    /// Counts a game whose turn has come.
    pub fn add(&self, record: &GameRecord) {
        self.live.add(record);
    }

    /// The match is over: returns when those who watch are told, or have taken nothing for a second.
    pub fn close(self, summary: Summary) {
        self.live.end(summary);
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Watch").field("page", &self.page).finish_non_exhaustive()
    }
}
