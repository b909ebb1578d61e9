//! A proof that several threads share.
//!
//! All threads search the same claim, and what one proves the others find in the table. They part where every move has to be
//! searched: a move that another thread is searching is deferred, then looked up again, and only then searched, together with
//! that thread, which parts from it farther down. Now and then a thread looks up the boards on its path, and leaves those that
//! have been proven meanwhile.

use super::bounds::TableSlot;
use crate::search::joint_proof::JointProof;
use crate::search::smp::SmpState;

/// A thread's part in a proof.
pub(super) struct Sharing<'a> {
    pub smp: &'a SmpState,
    /// The number of the claim.
    pub number: u64,
    /// The boards on the path that are shared, with their targets.
    pub path: Vec<(TableSlot<'a>, i8)>,
    /// A board of the path that another thread has proven, and the bound.
    pub proven: Option<(usize, i8)>,
    /// Whether this is a helper thread.
    pub helps: bool,
    /// Another thread has answered the claim.
    pub left: bool,
}

impl<'a> Sharing<'a> {
    pub fn new(smp: &'a SmpState, number: u64, helps: bool) -> Sharing<'a> {
        Sharing { smp, number, path: Vec::new(), proven: None, helps, left: false }
    }

    pub fn proof(&self) -> &'a JointProof {
        &self.smp.proof
    }

    /// The first board of the path that has been proven, and the bound.
    pub fn find_proven(&self) -> Option<(usize, i8)> {
        self.path.iter().enumerate().find_map(|(index, (slot, target))| {
            slot.load().and_then(|bounds| bounds.decides(*target)).map(|bound| (index, bound))
        })
    }
}
