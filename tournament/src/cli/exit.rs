//! Exit statuses.

use crate::ledger::results::Summary;
use crate::statistics::{SprtDecision, SprtStatus};

/// An error in the arguments, or with a file; or games are missing that a test needs.
pub const FAILED: u8 = 1;
/// `referee check` has found faults.
pub const FAULTS: u8 = 2;
/// The SPRT has accepted H0.
pub const REJECTED: u8 = 10;
/// All games were played, and the SPRT is still undecided.
pub const INCONCLUSIVE: u8 = 11;
/// An engine does not start, keeps dying, or refuses its options: the match has no verdict.
pub const BROKEN: u8 = 12;

/// The exit status of a match: whether its files are `complete`, its verdict, and whether it is broken.
pub fn of_match(complete: bool, summary: &Summary) -> u8 {
    match complete {
        true if summary.broken.is_some() => BROKEN,
        true if summary.interrupted && summary.score.sprt.is_some() => FAILED,
        true => of_sprt(summary.score.sprt),
        false => FAILED,
    }
}

/// The exit status of a match that was played to its end.
pub fn of_sprt(sprt: Option<SprtStatus>) -> u8 {
    match sprt.map(|status| status.decision) {
        None | Some(SprtDecision::AcceptH1) => 0,
        Some(SprtDecision::AcceptH0) => REJECTED,
        Some(SprtDecision::Continue) => INCONCLUSIVE,
    }
}
