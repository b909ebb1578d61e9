//! The limits of a step, and the traffic of a build.

/// The most work that a step of a distributed build does. The files do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub threads: usize,
    /// Ranks on this machine. They share its available memory.
    pub ranks_here: usize,
    /// Stretches of 256 boards that a rank evaluates in a step.
    pub units: usize,
    /// Requests that a rank sends in a step; each is answered with at most 512 bytes. An owner answers about as many at
    /// most, since no rank may send it more than its part of them.
    pub requests: usize,
    /// Puts to one rank in one message.
    pub batch: usize,
}

impl Limits {
    /// Four million boards in a step, and batches of a hundred thousand puts: with fewer the network is not busy, with more
    /// caches are too small.
    pub fn with_threads(threads: usize) -> Limits {
        Limits { threads, ranks_here: 1, units: 1 << 14, requests: 1 << 16, batch: 100_000 }
    }

    /// Bytes of the buffers of one of `size` ranks: requests, their answers, both ways, and puts.
    pub fn bytes(&self, size: usize) -> u64 {
        let replies = 2 * self.requests * (512 + 8);
        let puts = 2 * 8 * self.units * 256 + 8 * self.batch * size;
        (replies + puts) as u64
    }
}

/// The evaluations and messages of a rank while it built a database.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Boards that were evaluated.
    pub evaluations: u64,
    /// Looks at boards of slabs that the rank has itself.
    pub local: u64,
    /// Looks at boards of slabs that others have.
    pub remote: u64,
    /// Bytes of requests.
    pub requests: u64,
    /// Bytes of answers.
    pub replies: u64,
    /// Bytes of puts to other ranks.
    pub puts: u64,
    /// Messages with puts.
    pub batches: u64,
}

impl Traffic {
    /// All of it, to be added up.
    pub(super) fn numbers(&self) -> [u64; 7] {
        let Traffic { evaluations, local, remote, requests, replies, puts, batches } = *self;
        [evaluations, local, remote, requests, replies, puts, batches]
    }

    /// The same from the sums.
    pub(super) fn of_numbers(
        [evaluations, local, remote, requests, replies, puts, batches]: [u64; 7],
    ) -> Traffic {
        Traffic { evaluations, local, remote, requests, replies, puts, batches }
    }
}
