//! `kroo tune`: weights from training data.

use super::data::{DataError, TrainingPosition, read_data};
use super::train::{Sample, Scales, TrainPlan, Trainer, sigmoid_scale};
use crate::evaluate::{EvalFileError, Features, Weights};
use crate::game::{Rules, Variant, Visitor, split_mix};
use crate::progress::Progress;
use std::f32::consts::PI;
use std::path::PathBuf;

/// What to make weights from.
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

/// Why weights cannot be made.
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

/// One position in so many is kept for validation, all of them from the end: positions of the same game are alike.
const VALIDATION: usize = 20;
/// Fewer positions teach nothing.
const LEAST: usize = 100;
/// What the learning rate does not fall below, as a part of that of the first step.
const LEAST_RATE: f32 = 0.002;

/// Trains, and writes the file of weights.
///
/// # Errors
/// If the data cannot be read, is of another rule set or too little, or the weights cannot be written.
pub fn tune(plan: &TunePlan) -> Result<(), TuneError> {
    let mut files = Vec::new();
    for path in &plan.data {
        let (header, found) = read_data(path)?;
        if header.variant != plan.variant {
            let (found, wanted) = (header.variant, plan.variant);
            return Err(TuneError::Variant { path: path.clone(), found, wanted });
        }
        files.push(found);
    }
    // A file without positions has no units.
    files.retain(|positions| !positions.is_empty());
    let found = files.iter().map(Vec::len).sum();
    if found < LEAST {
        return Err(TuneError::TooLittle { found, least: LEAST });
    }
    let weights = plan.variant.visit(Train { files: &files, plan: &plan.train });
    weights.write(&plan.out)?;
    Ok(())
}

/// Trains under the rules of the data.
struct Train<'a> {
    /// The positions of each file.
    files: &'a [Vec<TrainingPosition>],
    plan: &'a TrainPlan,
}

impl Visitor for Train<'_> {
    type Output = Weights;

    fn visit<R: Rules>(self) -> Weights {
        let Train { files, plan } = self;
        let scales: Vec<f32> = files.iter().map(|positions| sigmoid_scale(positions)).collect();
        // The weights speak in the units of the first file, so values do not grow from one generation to the next.
        let scale = scales[0];
        let samples: Vec<Sample> = samples::<R>(files, &scales, plan.result_share);
        let (training, validation) = samples.split_at(samples.len() - samples.len() / VALIDATION);
        let mut trainer = Trainer::new(Features::<R>::ROWS, scale, plan.seed);
        let mut order: Vec<u32> = (0..training.len() as u32).collect();
        let mut state = plan.seed ^ 0x7475_6e65;
        let batches = training.len().div_ceil(plan.batch) as u64;
        let mut progress = Progress::new("batches", plan.epochs * batches);
        for (positions, scale) in files.iter().zip(&scales) {
            let positions = positions.len();
            progress.line(&format!("{positions} positions, sigmoid scale {scale:.0} hundredths of a seed"));
        }
        let mut done = 0;
        for epoch in 1..=plan.epochs {
            shuffle(&mut order, &mut state);
            let mut loss = 0.0;
            for batch in order.chunks(plan.batch) {
                // Half a cosine (I. Loshchilov and F. Hutter, "SGDR", ICLR 2017, without restarts).
                let part = done as f32 / (plan.epochs * batches) as f32;
                let rate = plan.rate * (0.5 + 0.5 * (part * PI).cos()).max(LEAST_RATE);
                loss += trainer.step(training, batch, rate, plan.threads);
                done += 1;
                progress.at(done, "");
            }
            let (loss, validation_loss) = (loss / training.len() as f64, trainer.loss(validation));
            progress.line(&format!(
                "epoch {epoch}: training loss {loss:.6}, validation loss {validation_loss:.6}"
            ));
        }
        let weights = Weights::new::<R>(trainer.quantised());
        let boards = files.iter().flatten().skip(training.len());
        let error = quantised_loss::<R>(&weights, boards, validation, scale);
        progress.finish(&format!("validation loss in whole numbers {error:.6}"));
        weights
    }
}

/// The positions of all files as the network sees them. There is a sigmoid scale for each file.
fn samples<R: Rules>(files: &[Vec<TrainingPosition>], scales: &[f32], result_share: f32) -> Vec<Sample> {
    let network = scales[0];
    let of_file = |(positions, &data): (&Vec<TrainingPosition>, &f32)| {
        let sample = |position| Sample::new::<R>(position, Scales { data, network }, result_share);
        positions.iter().map(sample).collect::<Vec<Sample>>()
    };
    files.iter().zip(scales).flat_map(of_file).collect()
}

/// The mean squared error of the weights as they will be used.
fn quantised_loss<'a, R: Rules>(
    weights: &Weights,
    positions: impl Iterator<Item = &'a TrainingPosition>,
    samples: &[Sample],
    scale: f32,
) -> f64 {
    let errors = positions.zip(samples).map(|(position, sample)| {
        sample.squared_error(weights.centiseeds::<R>(position.board) as f32 / scale)
    });
    let total: f64 = errors.sum();
    total / samples.len().max(1) as f64
}

/// Puts indices into a random order (Fisher and Yates, 1938).
fn shuffle(order: &mut [u32], state: &mut u64) {
    for last in (1..order.len()).rev() {
        let other = split_mix(state) % (last as u64 + 1);
        order.swap(last, other as usize);
    }
}
