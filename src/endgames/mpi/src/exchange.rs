//! The ranks of a build as processes of an MPI job.

use kroo_endgames::building::distributed::{Exchange, PeerLost, Reduction};
use mpi::Count;
use mpi::collective::SystemOperation;
use mpi::datatype::{Partition, PartitionMut};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives};

/// All processes of the job. When one of them ends, MPI ends the others: no method returns [`PeerLost`].
pub struct MpiExchange {
    world: SimpleCommunicator,
}

/// The starts of messages that follow each other, from their lengths.
fn starts(counts: &[Count]) -> Vec<Count> {
    let next = |start: &mut Count, &count: &Count| Some(std::mem::replace(start, *start + count));
    counts.iter().scan(0, next).collect()
}

impl MpiExchange {
    /// The processes of a communicator.
    pub fn new(world: SimpleCommunicator) -> MpiExchange {
        MpiExchange { world }
    }

    /// Whether this MPI computes the largest and the smallest of large unsigned numbers as it should. Some take them for
    /// negative ones (pmodels/mpich#6083).
    pub fn computes_extremes(&mut self) -> bool {
        let rank = self.rank() as u64;
        let [large, small] = [u64::MAX - rank, 1 + rank];
        // Even ranks give numbers that look negative if taken as signed, odd ranks small ones.
        let odd = self.size() > 1;
        let mut extremes = |reduction, number| self.all_reduce_one(reduction, number);
        let mixed = if rank.is_multiple_of(2) { large } else { small };
        extremes(Reduction::Max, mixed) == Ok(u64::MAX)
            && extremes(Reduction::Min, mixed) == Ok(if odd { 2 } else { u64::MAX })
            && extremes(Reduction::Or, 1 << 63 | rank.min(1)) == Ok(1 << 63 | u64::from(odd))
    }
}

impl Exchange for MpiExchange {
    fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    fn size(&self) -> usize {
        self.world.size() as usize
    }

    fn all_to_all(&mut self, messages: Vec<Vec<u64>>) -> Result<Vec<Vec<u64>>, PeerLost> {
        let sent: Vec<Count> = messages.iter().map(|message| message.len() as Count).collect();
        let mut received = vec![0; self.size()];
        self.world.all_to_all_into(&sent, &mut received);
        let send = messages.concat();
        drop(messages);
        let mut receive = vec![0; received.iter().map(|&count| count as usize).sum()];
        let places = starts(&received);
        {
            let send = Partition::new(&send, &sent[..], starts(&sent));
            let mut receive = PartitionMut::new(&mut receive[..], &received[..], &places[..]);
            self.world.all_to_all_varcount_into(&send, &mut receive);
        }
        let message =
            |(&start, &count): (&Count, &Count)| receive[start as usize..][..count as usize].to_vec();
        Ok(places.iter().zip(&received).map(message).collect())
    }

    fn all_reduce(&mut self, reduction: Reduction, numbers: &mut [u64]) -> Result<(), PeerLost> {
        let mine = numbers.to_vec();
        let operation = match reduction {
            Reduction::Max => SystemOperation::max(),
            Reduction::Min => SystemOperation::min(),
            Reduction::Sum => SystemOperation::sum(),
            Reduction::Or => SystemOperation::bitwise_or(),
        };
        self.world.all_reduce_into(&mine[..], numbers, operation);
        Ok(())
    }
}
