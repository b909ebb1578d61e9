//! Builds, packs and checks the files of endgame databases, on one machine or on many.
//!
//! An n-seed database has the result of every position with n seeds in the pits. [`kroo_core::endgames`] explains the values and
//! why they are right; it computes databases in memory, maps files and probes them. This package turns these databases into
//! files: it plans memory and disk, saves checkpoints, and resumes after a kill.
//!
//! | type | content |
//! |---|---|
//! | [`EndgamePlan`] | rule set, seeds, folder and limits of a build |
//! | [`BuildEvent`] | the progress of a build; its receiver may stop it |
//! | [`Survey`] | the figures of a finished file |
//!
//! # A build
//! [`build()`] makes the missing databases of a folder, one after the other, and opens all of them.
//!
//! ```
//! use kroo_core::game::{Awari, Position, Variant, Verdict};
//! use kroo_endgames::{EndgamePlan, build};
//!
//! let place = tempfile::tempdir()?;
//! let (variant, folder) = (Variant::Awari, place.path().to_owned());
//! let plan = EndgamePlan { variant, seeds: 5, folder, threads: 1, memory: None };
//! let endgames = build(&plan, &mut |_event| false)?; // `true` stops it; the same call then resumes
//!
//! let position = Position::parse(Variant::Awari, "0-0-0-0-0-1-1-0-0-0-0-1-24-21-S")?;
//! let score = endgames.probe::<Awari>(position.board(), 3).expect("three seeds are there");
//! assert_eq!(score.proven(), Some(Verdict::Win));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`pack()`] makes the files about half as large, [`check()`] compares every value with what its moves lead to, and
//! [`survey_all`] counts what files contain.
//!
//! # Imports
//! It imports `kroo-core`, and no other package of the project. It never computes a value by itself: the algorithms, one for
//! each kind of rule set, are those of [`kroo_core::endgames`]. Its modules import one way:
//! `writer ← building ← pack`, and `check` needs none of them.

#[doc(hidden)]
pub mod building;
mod check;
#[doc(hidden)]
pub mod pack;
#[doc(hidden)]
pub mod writer;

pub use building::plan::{EndgameBuildError, EndgamePlan};
pub use building::{BuildEvent, advice, build};
pub use check::brute_force::SampleReport;
pub use check::explorer::explain;
pub use check::survey::{Survey, survey, survey_all};
pub use check::{CheckError, CheckPlan, CheckReport, check};
pub use pack::{PackError, PackEvent, PackPlan, PackWay, pack};
pub use writer::save;
