//! `kroo tune`: weights from training data.

use super::data::DataError;
use super::epochs::Epochs;
use super::train::{TrainPlan, Trainer};
use super::training_set::{DataFile, TrainingSet};
use crate::bench;
use crate::evaluate::{EvalFileError, Features, Weights};
use crate::files::records::Origin;
use crate::files::{OutputError, shown};
use crate::game::{Rules, Variant, shuffle};
use crate::printable::counted;
use crate::progress::Progress;
use crate::thread_pool::ThreadPool;
use crate::under;
use std::f32::consts::PI;
use std::path::PathBuf;

#[derive(Clone, Debug, PartialEq)]
pub struct TunePlan {
    /// The rule set, which the data must have.
    pub variant: Variant,
    /// Files of training data.
    pub data: Vec<PathBuf>,
    pub out: PathBuf,
    pub train: TrainPlan,
}

/// Why weights cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error("--out: {0}")]
    Output(#[from] OutputError),
    #[error("{}: this is data of {found}, not of {wanted}", shown(.path))]
    Variant { path: PathBuf, found: Variant, wanted: Variant },
    #[error("the data has {}; {LEAST} to {MOST} can be trained on", counted(*.found as u64, "position"))]
    Amount { found: usize },
    #[error(transparent)]
    Weights(#[from] EvalFileError),
}

/// The name and the version of the format of an unfinished training.
const FORMAT: (&str, u32) = ("weights in training", 1);
/// One position in this many is kept for validation, all from the end, because positions of one game are alike.
const VALIDATION: usize = 20;
const LEAST: usize = 100;
/// Maximum number of positions, which have numbers of 32 bits.
const MOST: usize = u32::MAX as usize;
/// The final learning rate, as a fraction of the first.
const LEAST_RATE: f32 = 0.002;

/// Trains, or goes on with the training of an interrupted run, and writes the weight file.
pub fn tune(plan: &TunePlan) -> Result<(), TuneError> {
    Weights::check_output(&plan.out)?;
    let mut files = Vec::new();
    for path in &plan.data {
        let file = DataFile::open(path)?;
        if file.header.variant != plan.variant {
            let (found, wanted) = (file.header.variant, plan.variant);
            return Err(TuneError::Variant { path: path.clone(), found, wanted });
        }
        files.push(file);
    }
    // A file without positions has no scale.
    files.retain(|file| file.positions > 0);
    let found = files.iter().map(|file| file.positions).sum();
    if !(LEAST..=MOST).contains(&found) {
        return Err(TuneError::Amount { found });
    }
    let mut epochs = Epochs::open(&plan.out, &origin(plan, &files))?;
    let weights = under!(plan.variant, R => train::<R>(&files, &plan.train, &mut epochs))?;
    weights.write(&plan.out)?;
    epochs.remove();
    Ok(())
}

/// The inputs that determine the weights.
fn origin(plan: &TunePlan, data: &[DataFile]) -> Origin {
    let train = &plan.train;
    let mut check = crc32fast::Hasher::new();
    data.iter().for_each(|file| check.update(&file.check.to_le_bytes()));
    let positions: usize = data.iter().map(|file| file.positions).sum();
    bench::origin(FORMAT, plan.variant, &Weights::built_in(plan.variant))
        .with("data", format_args!("{positions} positions of checksum {:08x}", check.finalize()))
        .with("epochs", train.epochs)
        .with("batch", train.batch)
        .with("rate", train.rate)
        .with("result share", train.result_share)
        .with("seed", train.seed)
}

/// Trains under the rules of the data.
fn train<R: Rules>(files: &[DataFile], plan: &TrainPlan, epochs: &mut Epochs) -> Result<Weights, DataError> {
    let set = TrainingSet::new(files, plan.result_share);
    let scale = set.scale();
    let sample = |number: usize| set.sample::<R>(number);
    let training = set.len() - set.len() / VALIDATION;
    let validation = training..set.len();
    let mut trainer = Trainer::new(Features::<R>::ROWS, scale, plan.seed);
    let mut order: Vec<u32> = (0..training as u32).collect();
    let mut state = plan.seed ^ 0x7475_6e65;
    let batches = training.div_ceil(plan.batch) as u64;
    let threads = ThreadPool::new(plan.threads);
    let mut progress = Progress::new("batches", plan.epochs * batches);
    for DataFile { positions, scale, .. } in files {
        progress.line(&format!(
            "{}, sigmoid scale {scale:.0} hundredths of a seed",
            counted(*positions as u64, "position")
        ));
    }
    let before = epochs.restore(&mut trainer)?;
    (0..before).for_each(|_| shuffle(&mut order, &mut state));
    let mut done = before * batches;
    progress.skip(done);
    for epoch in before + 1..=plan.epochs {
        shuffle(&mut order, &mut state);
        let mut loss = 0.0;
        for batch in order.chunks(plan.batch) {
            // Half a cosine (I. Loshchilov and F. Hutter, "SGDR", ICLR 2017, without restarts).
            let part = done as f32 / (plan.epochs * batches) as f32;
            let rate = plan.rate * (0.5 + 0.5 * (part * PI).cos()).max(LEAST_RATE);
            loss += trainer.step(&sample, batch, rate, &threads);
            done += 1;
            progress.at(done, "");
        }
        let errors = validation.clone().filter_map(sample).map(|sample| trainer.loss(&sample));
        let (loss, validation_loss) = (loss / training as f64, mean(errors, validation.len()));
        set.check()?;
        epochs.keep(epoch, &trainer)?;
        progress
            .line(&format!("epoch {epoch}: training loss {loss:.6}, validation loss {validation_loss:.6}"));
    }
    let weights = Weights::new::<R>(trainer.quantised());
    let errors =
        validation.clone().filter_map(|number| set.labelled::<R>(number)).map(|(position, sample)| {
            sample.squared_error(weights.centiseeds::<R>(position.board) as f32 / scale)
        });
    let error = mean(errors, validation.len());
    set.check()?;
    progress.finish(&format!("validation loss in whole numbers {error:.6}"));
    Ok(weights)
}

fn mean(errors: impl Iterator<Item = f64>, count: usize) -> f64 {
    errors.sum::<f64>() / count.max(1) as f64
}
