//! Communication between ranks: the few collective operations that a distributed build needs.

use std::sync::mpsc::{Receiver, Sender, channel};

/// An operation that combines the numbers of all ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    Max,
    Min,
    /// Their sum.
    Sum,
    /// Every bit that one of them has.
    Or,
}

impl Reduction {
    /// Combines two numbers.
    pub fn of(self, one: u64, other: u64) -> u64 {
        match self {
            Reduction::Max => one.max(other),
            Reduction::Min => one.min(other),
            Reduction::Sum => one + other,
            Reduction::Or => one | other,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("another process of the build has ended")]
pub struct PeerLost;

/// A rank, and how it reaches the others. All ranks call the same methods in the same order.
pub trait Exchange {
    /// Which one this is, from 0.
    fn rank(&self) -> usize;

    fn size(&self) -> usize;

    /// Sends each rank a message, and returns what each has sent here, by rank.
    fn all_to_all(&mut self, messages: Vec<Vec<u64>>) -> Result<Vec<Vec<u64>>, PeerLost>;

    /// The same for puts, which may arrive late, in any order, and more than once. With `flush` whatever was put before
    /// has arrived once at least when this returns.
    fn put(&mut self, messages: Vec<Vec<u64>>, flush: bool) -> Result<Vec<Vec<u64>>, PeerLost> {
        let _ = flush;
        self.all_to_all(messages)
    }

    /// Replaces each number by the reduction of all ranks' numbers at the same index.
    fn all_reduce(&mut self, reduction: Reduction, numbers: &mut [u64]) -> Result<(), PeerLost> {
        let all = self.all_to_all(vec![numbers.to_vec(); self.size()])?;
        for (place, number) in numbers.iter_mut().enumerate() {
            let of_ranks = all.iter().map(|numbers| numbers[place]);
            *number = of_ranks.reduce(|one, other| reduction.of(one, other)).unwrap_or(*number);
        }
        Ok(())
    }

    /// The same for one number.
    fn all_reduce_one(&mut self, reduction: Reduction, number: u64) -> Result<u64, PeerLost> {
        let mut numbers = [number];
        self.all_reduce(reduction, &mut numbers)?;
        Ok(numbers[0])
    }
}

/// Ranks that are threads of one process.
#[derive(Debug)]
pub struct LocalExchange {
    rank: usize,
    to: Vec<Sender<Vec<u64>>>,
    from: Vec<Receiver<Vec<u64>>>,
}

impl LocalExchange {
    /// `size` ranks that reach each other.
    pub fn ranks(size: usize) -> Vec<LocalExchange> {
        let new = |rank| LocalExchange { rank, to: Vec::new(), from: Vec::new() };
        let mut ranks: Vec<LocalExchange> = (0..size).map(new).collect();
        for one in 0..size {
            for other in 0..size {
                let (to, from) = channel();
                ranks[one].to.push(to);
                ranks[other].from.push(from);
            }
        }
        ranks
    }
}

impl Exchange for LocalExchange {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.to.len()
    }

    fn all_to_all(&mut self, messages: Vec<Vec<u64>>) -> Result<Vec<Vec<u64>>, PeerLost> {
        for (to, message) in self.to.iter().zip(messages) {
            to.send(message).map_err(|_| PeerLost)?;
        }
        self.from.iter().map(|from| from.recv().map_err(|_| PeerLost)).collect()
    }
}
