//! The identity of a worker: its machine, and its current work. A fixed search gives a
//! machine's signature, its nodes, and its speed.

use super::error::unreadable;
use crate::engine::proc_fs::{host_name, processor_name};
use crate::failure::Failure;
use crate::run::{Bench, WorkerStatus};
use kroo::bench::quick_signature;
use kroo::printable;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::num::NonZero;
use std::time::Instant;
use std::{process, thread};

/// The most games that a worker plays at once.
const MAX_THREADS: u64 = 65_536;
/// The most characters of a worker's name.
const MAX_NAME: usize = 200;

/// The most nodes of a bench, and in a second.
const MAX_BENCH: u64 = 1 << 40;

impl Bench {
    /// Measures this machine, which takes a moment; `None` if it was stopped.
    pub fn measure(stop: &dyn Fn() -> bool) -> Option<Bench> {
        let began = Instant::now();
        let nodes = quick_signature(stop)?;
        let nps = (nodes as f64 / began.elapsed().as_secs_f64()).max(1.0) as u64;
        Some(Bench { nodes, nps })
    }

    /// Whether a machine can be so.
    pub fn check(self) -> Result<(), String> {
        for (what, found) in [("nodes", self.nodes), ("nps", self.nps)] {
            if !(1..=MAX_BENCH).contains(&found) {
                return Err(format!("{what}: {found}, expected a number from 1 to {MAX_BENCH}"));
            }
        }
        Ok(())
    }

    /// Why a worker with this bench may not play for a coordinator with the other one.
    pub fn difference(self, coordinator: Bench) -> Option<String> {
        (self.nodes != coordinator.nodes).then(|| {
            let (here, there) = (self.nodes, coordinator.nodes);
            format!("its bench visits {here} nodes, and that of the coordinator {there}: they are different versions, or one computes wrongly")
        })
    }
}

impl WorkerStatus {
    /// This machine.
    pub fn here(threads: usize, bench: Bench) -> WorkerStatus {
        let cores = thread::available_parallelism().map_or(1, NonZero::get) as u64;
        let short = |text: Option<String>| printable::name(&text.unwrap_or_default()).into_owned();
        WorkerStatus {
            host: short(host_name()),
            processor: short(processor_name()),
            cores,
            threads: threads as u64,
            games: 0,
            bench,
        }
    }

    /// Reads a worker's description of itself, and checks it.
    pub fn parse(bytes: &[u8]) -> Result<WorkerStatus, Failure> {
        let status: WorkerStatus = serde_json::from_slice(bytes).map_err(unreadable)?;
        status.bench.check().map_err(|problem| Failure::at("bench", problem))?;
        let most = MAX_THREADS;
        for (what, found) in [("cores", status.cores), ("threads", status.threads)] {
            if !(1..=most).contains(&found) {
                let problem = format!("{found}, expected a number from 1 to {most}");
                return Err(Failure::at(what, problem));
            }
        }
        for (what, text) in [("host", &status.host), ("processor", &status.processor)] {
            if *text != printable::name(text) {
                return Err(Failure::at(what, "expected at most 100 printable characters"));
            }
        }
        Ok(status)
    }
}

/// A name that no other worker or coordinator has.
pub(super) fn unique_name() -> String {
    let random = RandomState::new().build_hasher().finish() as u32;
    let host = host_name().unwrap_or_default();
    let host: String =
        host.chars().filter(|c| c.is_ascii_alphanumeric() || "-._".contains(*c)).take(64).collect();
    format!("{host}:{}:{random:08x}", process::id())
}

/// Whether a text can be the name of a worker.
pub(super) fn is_name(text: &str) -> bool {
    (1..=MAX_NAME).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}
