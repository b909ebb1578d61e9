//! Shared test support: a slow model of the rules, a client of the executable, matches of the referee, inputs for readers, and
//! programs that some machines lack.
//!
//! It depends on `kroo`, which its slow model ([`naive`]) does not use. Begin with [`client`] for a session.

#![allow(missing_docs, reason = "the names of a test's helpers say what they are")]
#![expect(clippy::unwrap_used, reason = "a test may panic")]
#![allow(clippy::new_without_default, reason = "`new` starts a process or makes a folder")]

use std::path::{Path, PathBuf};
use std::time::Duration;

/// Evaluates an expression with the rules of a variant as a type. So it is compiled here, and optimised, not in each test.
macro_rules! under_rules {
    ($variant:expr, $rules:ident => $body:expr) => {{
        use kroo::game::{Avalanche, Awari, Awari1978, Ayoayo, Kalah, Oware, Variant};
        macro_rules! with {
            ($type:ty) => {{
                type $rules = $type;
                $body
            }};
        }
        match $variant {
            Variant::Avalanche => with!(Avalanche),
            Variant::Awari => with!(Awari),
            Variant::Awari1978 => with!(Awari1978),
            Variant::Ayoayo => with!(Ayoayo),
            Variant::Kalah => with!(Kalah),
            Variant::Oware => with!(Oware),
            other => panic!("{other} is not among the rules of `under_rules`"),
        }
    }};
}

/// Every awaited event takes less, however busy the machine is.
pub const PATIENCE: Duration = Duration::from_secs(180);

/// A test of all kill points, bytes or seeds takes one in `many`; with `KROO_ALL`, as each night in `.ci/long`, all of them.
pub fn one_of(many: usize) -> usize {
    if std::env::var_os("KROO_ALL").is_some() { 1 } else { many }
}

/// Where small files are that are synced again and again: in memory, if the system has such a place.
fn memory() -> PathBuf {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() }
}

/// A folder for such files.
pub fn folder_in_memory() -> tempfile::TempDir {
    tempfile::tempdir_in(memory()).unwrap()
}

pub mod browser;
pub mod brute;
pub mod certificate;
pub mod client;
pub mod data;
pub mod documents;
pub mod endgames;
pub mod experts;
pub mod fixpoint;
pub mod fuzz;
pub mod games;
pub mod labels;
pub mod limit;
pub mod lines;
pub mod naive;
pub mod programs;
pub mod python;
pub mod scene;
pub mod source;
pub mod spectator;
pub mod tools;
