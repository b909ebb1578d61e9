//! The bench: a machine is known by what its search visits, and measured by how fast it does.

use crate::run::Bench;
use kroo::bench::quick_signature;
use std::time::Instant;

/// The most nodes of a bench, and in a second.
const MOST: u64 = 1 << 40;

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
            if !(1..=MOST).contains(&found) {
                return Err(format!("{what}: {found}, expected a number from 1 to {MOST}"));
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
