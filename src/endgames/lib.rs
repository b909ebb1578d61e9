//! Builds, packs and checks the files of endgame databases, on one machine or on many.
//!
//! It depends on `kroo-core`, which has the databases themselves: [`kroo_core::endgames`] says what they contain and why their
//! values are right, builds small ones in memory, maps files and probes them. Begin with [`build()`], which makes the files of a
//! folder, one database after the other; [`check()`], [`pack()`] and [`survey_all`] read them again.
//!
//! [`kroo_core::endgames`] also has the algorithms that compute a database, one for each kind of rule set
//! (`core/endgames/build/database_builder.rs` chooses); this package stores what they compute.
//!
//! | room | content |
//! |---|---|
//! | `build/` | builds the files of a folder: in memory, on the disk (`out_of_core/`), by several processes (`distributed/`) |
//! | `pack/` | from plain files to packed ones, and back |
//! | `check/` | checks files, and shows what they contain |
//! | `writer.rs` | writes a file |
//! | `mpi/`, a package of its own | connects processes by MPI |
//!
//! Imports go one way: `writer ← build ← pack`, and `check` needs none of them.

#[doc(hidden)]
pub mod build;
mod check;
#[doc(hidden)]
pub mod pack;
#[doc(hidden)]
pub mod writer;

pub use build::plan::{EndgameBuildError, EndgamePlan};
pub use build::{BuildEvent, advice, build};
pub use check::brute_force::SampleReport;
pub use check::explorer::explain;
pub use check::survey::{Survey, survey, survey_all};
pub use check::{CheckError, CheckPlan, CheckReport, check};
pub use pack::{PackError, PackEvent, PackPlan, PackWay, pack};
pub use writer::save;
