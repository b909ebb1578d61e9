//! The page of a match: boards, tables and curves while it runs, and the report when it is over.
//!
//! The server is that of `kroo web` ([`kroo::web`]), with its bounds and its rules about clients that may ask. It answers
//! by server-sent events. The page counts nothing: it borrows the counts of the ledger, which are copied for the next game if
//! tables are being made of them. So neither games nor counting ever wait for a listener, each of which has a thread that looks
//! four times a second at what there is and writes what it has not written yet. One that reads slowly looks less often, and what it has missed meanwhile is not kept for it: the tables are whole
//! each time, and of the games the last ones are there. One that takes nothing for ten seconds is disconnected; if it comes
//! back, it begins anew with everything. Tables are made at most once a second, whatever the number of listeners, and not at
//! all without one.
//!
//! `tests/bench/watch.mjs` measures its cost; the figures are in docs/experiments.csv.
//!
//! | request | what it does |
//! |---|---|
//! | `GET /`, `GET /page.css`, `GET /page.js`, `GET /icon.svg` | the page |
//! | `GET /events` | `match`: the engines; then, whenever they change, `boards`, `workers` (through a queue), `tables` and `games`; and at the end `end` |

mod board_data;
#[doc(hidden)]
pub mod live;
mod site;
mod worker_data;

pub(super) use live::LiveMatch;

use crate::plan::MatchPlan;
use crate::run::LiveBoards;
use kroo::web::{Place, Server, WebError};
use site::WatchSite;
use std::sync::Arc;

/// Serves the page of a match whose boards these are. Returns the match as the page shows it, and the page's address.
pub(super) fn serve(
    place: Place,
    plan: &MatchPlan,
    boards: Arc<LiveBoards>,
) -> Result<(Arc<LiveMatch>, String), WebError> {
    let server = Server::bind(place)?;
    let (live, page) = (Arc::new(LiveMatch::new(plan, boards)), server.page());
    server.serve(Arc::new(WatchSite(Arc::clone(&live))))?;
    Ok((live, page))
}
