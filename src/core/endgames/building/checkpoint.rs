//! Saves the values of a database during its build, from which an interrupted build resumes. This is the contract only: the
//! search builds databases within seconds, and the package `kroo-endgames` has the files.

use crate::thread_pool::Stopped;

/// Copies the bytes of the values from an offset on into a block, and returns whether it could. Another thread may call it at any
/// moment. Some values may be newer than others, but each was a value of the build.
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
