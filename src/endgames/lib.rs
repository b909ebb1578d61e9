//! Builds, packs and checks the files of endgame databases, on one machine or on many.
//!
//! It depends on `kroo-core`, which has the databases themselves: [`kroo_core::endgame`] says what they contain and why their
//! values are right, builds small ones in memory, maps files and probes them. Begin with [`build`], which makes the files of a
//! folder, one database after the other; [`check`], [`pack`] and [`survey_all`] read them again.
//!
//! [`kroo_core::endgame`] also has the algorithms that compute a database, one for each kind of rule set
//! (`core/endgame/database_builder.rs` chooses); this package stores what they compute.
//!
//! | file | content |
//! |---|---|
//! | `builder.rs`, `folder.rs` | builds the files of a folder, and resumes an interrupted build |
//! | `plan.rs`, `needs.rs` | the plan of a build; the memory and the disk space that it takes |
//! | `memory.rs` | the memory that there is |
//! | `checkpoint.rs` | saves the values of a database that is being built |
//! | `out_of_core.rs` | builds databases that do not fit in memory |
//! | `distributed/` | builds databases by several processes; `mpi/`, a package of its own, connects them by MPI |
//! | `writer.rs` | writes files |
//! | `pack.rs`, `packed_writer.rs`, `tile_encoder.rs`, `prediction_training.rs` | from plain files to packed ones, and back |
//! | `check.rs`, `brute_force.rs` | check files |
//! | `survey.rs`, `explorer.rs` | show what files contain |

mod brute_force;
mod builder;
mod check;
#[doc(hidden)]
pub mod checkpoint;
#[doc(hidden)]
pub mod distributed;
mod explorer;
mod folder;
#[doc(hidden)]
pub mod memory;
mod needs;
mod out_of_core;
mod pack;
mod packed_writer;
mod plan;
#[doc(hidden)]
pub mod prediction_training;
mod survey;
#[doc(hidden)]
pub mod tile_encoder;
#[doc(hidden)]
pub mod writer;

pub use brute_force::SampleReport;
pub use builder::{BuildEvent, advice, build};
pub use check::{CheckError, CheckPlan, CheckReport, check};
pub use explorer::explain;
pub use pack::{PackError, PackEvent, PackPlan, PackWay, pack};
pub use plan::{EndgameBuildError, EndgamePlan};
pub use survey::{Survey, survey, survey_all};
pub use writer::save;
