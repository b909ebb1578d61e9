//! `kroo tune`: weights from training data.

use super::records::{DataError, Record, read};
use super::train::{Sample, TrainPlan, Trainer, spread};
use crate::evaluate::{EvalFileError, Features, Weights};
use crate::game::{Rules, Variant, Visitor, split_mix};
use crate::progress::Progress;
use std::path::PathBuf;

/// What to make weights of.
#[derive(Clone, Debug, PartialEq)]
pub struct TunePlan {
    /// The rule set that the data must be of.
    pub variant: Variant,
    /// Files of training data.
    pub data: Vec<PathBuf>,
    /// The file of weights.
    pub out: PathBuf,
    /// How to train.
    pub train: TrainPlan,
}

/// Why there are no weights.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// The data cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A file of data is of another rule set.
    #[error("{}: this is data of {found}, not of {wanted}", path.display())]
    Variant {
        /// The file.
        path: PathBuf,
        /// Its rule set.
        found: Variant,
        /// The rule set asked for.
        wanted: Variant,
    },
    /// There is too little to learn from.
    #[error("the data has {found} positions, and {least} are needed at least")]
    TooLittle {
        /// Positions found.
        found: usize,
        /// Positions needed.
        least: usize,
    },
    /// The weights cannot be written.
    #[error(transparent)]
    Weights(#[from] EvalFileError),
}

/// One position in so many is kept for validation, in one piece at the end: positions of one game are alike.
const VALIDATION: usize = 20;
/// Fewer positions teach nothing.
const LEAST: usize = 100;

/// Trains, and writes the file of weights.
///
/// # Errors
/// If the data cannot be read, is of another rule set or too little, or the weights cannot be written.
pub fn tune(plan: &TunePlan) -> Result<(), TuneError> {
    let mut records = Vec::new();
    for path in &plan.data {
        let (header, found) = read(path)?;
        if header.variant != plan.variant {
            let (found, wanted) = (header.variant, plan.variant);
            return Err(TuneError::Variant { path: path.clone(), found, wanted });
        }
        records.extend(found);
    }
    if records.len() < LEAST {
        return Err(TuneError::TooLittle { found: records.len(), least: LEAST });
    }
    let weights = plan.variant.visit(Train { records: &records, plan: &plan.train });
    weights.write(&plan.out)?;
    Ok(())
}

/// Trains under the rules of the data.
struct Train<'a> {
    records: &'a [Record],
    plan: &'a TrainPlan,
}

impl Visitor for Train<'_> {
    type Output = Weights;

    fn visit<R: Rules>(self) -> Weights {
        let Train { records, plan } = self;
        let spread = spread(records);
        let samples: Vec<Sample> =
            records.iter().map(|record| Sample::new::<R>(record, spread, plan.result_share)).collect();
        let (seen, kept) = samples.split_at(samples.len() - samples.len() / VALIDATION);
        let mut trainer = Trainer::new(Features::<R>::ROWS, spread, plan.seed);
        let mut order: Vec<u32> = (0..seen.len() as u32).collect();
        let mut state = plan.seed ^ 0x7475_6e65;
        let batches = seen.len().div_ceil(plan.batch) as u64;
        let mut progress = Progress::new("batches", plan.epochs * batches);
        let data = samples.len();
        progress.line(&format!("{data} positions, a chance of e to 1 at {spread:.0} hundredths of a seed"));
        let mut done = 0;
        for epoch in 1..=plan.epochs {
            shuffle(&mut order, &mut state);
            let mut loss = 0.0;
            for batch in order.chunks(plan.batch) {
                let way = done as f32 / (plan.epochs * batches) as f32;
                let rate = plan.rate * (0.5 + 0.5 * (way * std::f32::consts::PI).cos()).max(0.002);
                loss += trainer.step(seen, batch, rate);
                done += 1;
                progress.at(done, "");
            }
            let (training, validation) = (loss / seen.len() as f64, trainer.loss(kept));
            progress.line(&format!(
                "epoch {epoch}: training loss {training:.6}, validation loss {validation:.6}"
            ));
        }
        let weights = Weights::new::<R>(trainer.quantised());
        let error = quantised_loss::<R>(&weights, &records[seen.len()..], kept, spread);
        progress.finish(&format!("validation loss in whole numbers {error:.6}"));
        weights
    }
}

/// The mean squared difference of the weights as they will be used.
fn quantised_loss<R: Rules>(weights: &Weights, records: &[Record], samples: &[Sample], spread: f32) -> f64 {
    let pairs = records.iter().zip(samples);
    let total: f64 = pairs
        .map(|(record, sample)| sample.squared_error(weights.centiseeds::<R>(record.board) as f32 / spread))
        .sum();
    total / samples.len().max(1) as f64
}

/// Puts numbers into a random order (Fisher and Yates, 1938).
fn shuffle(order: &mut [u32], state: &mut u64) {
    for last in (1..order.len()).rev() {
        let other = split_mix(state) % (last as u64 + 1);
        order.swap(last, other as usize);
    }
}
