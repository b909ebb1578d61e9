//! Saves the values of a database while it is built, so that a long build goes on where it was cut off. Here is the contract
//! only: the search builds databases that take seconds, and the package `kroo-endgames` has the files.

use crate::thread_pool::Stopped;

/// Copies the bytes of the values from an offset on into a block, and returns whether it could. It may be called at any
/// moment, from another thread. Values may be newer or older than others, as long as each was a value of the build.
pub type ReadValues<'a> = &'a (dyn Fn(usize, &mut [u8]) -> bool + Sync);

/// Where the values of a build are saved.
pub trait Checkpoint {
    /// Gives the values of an earlier build, block by block, each with its offset in bytes. Returns how many bytes there were;
    /// the other values begin anew.
    fn load(&mut self, each: &mut dyn FnMut(usize, &[u8])) -> usize;

    /// Calls `work` once, and saves values meanwhile. If the work is stopped, saves all that have changed.
    fn save_during(
        &mut self,
        read: ReadValues<'_>,
        work: &mut dyn FnMut() -> Result<(), Stopped>,
    ) -> Result<(), Stopped>;
}

/// Saves nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoCheckpoint;

impl Checkpoint for NoCheckpoint {
    fn load(&mut self, _: &mut dyn FnMut(usize, &[u8])) -> usize {
        0
    }

    fn save_during(
        &mut self,
        _: ReadValues<'_>,
        work: &mut dyn FnMut() -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        work()
    }
}
