//! The state of a training run on the disk: an interrupted run resumes after its last whole epoch.
//!
//! Two places take turns: one of them is always whole. The file is removed when the weights are written.

use super::data::DataError;
use super::train::Trainer;
use crate::files::records::{Origin, PlacedFile, RECORD_HEAD, partial_path};
use crate::files::remove_abandoned;
use std::path::Path;

/// The places of records.
const PLACES: u64 = 2;

pub(super) struct Epochs(PlacedFile);

impl Epochs {
    /// Opens or creates the file for some weights. No other run writes them as long as it is open.
    pub fn open(weights: &Path, origin: &Origin) -> Result<Epochs, DataError> {
        let file = PlacedFile::open(&partial_path(weights), origin)?;
        // Leftovers that cannot be removed do no harm.
        let _ = remove_abandoned(weights);
        Ok(Epochs(file))
    }

    /// Takes the state after the last whole epoch, and returns the number of epochs.
    pub fn restore(&mut self, trainer: &mut Trainer) -> Result<u64, DataError> {
        let mut record = record(0, trainer);
        let (mut last, mut best) = (0, None);
        for place in 0..PLACES {
            let at = place * (RECORD_HEAD + record.len()) as u64;
            if !self.0.read(at, place, &mut record)? {
                continue;
            }
            let (epoch, state) = record.split_first_chunk().expect("it begins with a number");
            if u64::from_le_bytes(*epoch) > last {
                (last, best) = (u64::from_le_bytes(*epoch), Some(state.to_vec()));
            }
        }
        if let Some(state) = best {
            trainer.restore(&state);
        }
        Ok(last)
    }

    /// Keeps the state after an epoch.
    pub fn keep(&mut self, epoch: u64, trainer: &Trainer) -> Result<(), DataError> {
        let (record, place) = (record(epoch, trainer), epoch % PLACES);
        let at = place * (RECORD_HEAD + record.len()) as u64;
        self.0.write(at, place, &record)?;
        Ok(self.0.sync()?)
    }

    /// The weights are written.
    pub fn remove(self) {
        self.0.remove();
    }
}

/// The number of epochs, and the state.
fn record(epoch: u64, trainer: &Trainer) -> Vec<u8> {
    [&epoch.to_le_bytes()[..], &trainer.state()].concat()
}
