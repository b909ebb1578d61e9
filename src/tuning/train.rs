//! Training: Adam (Kingma and Ba, 2015) on the squared difference of expected results.
//!
//! The network is trained as it will be used: the lead plus what it adds, laid through a sigmoid, is to meet the
//! expected result. That is what the search said, mixed with how the game ended; what is proven counts as certain.

use super::records::Record;
use crate::evaluate::{
    CENTISEEDS_AN_OUTPUT, Features, HIDDEN, INPUTS, LARGEST_OUTPUT, Network, OUTPUT_BUCKETS, QA, QB,
    output_bucket, sees_stores,
};
use crate::game::{Rules, Verdict, split_mix};
use crate::value::Kind;

/// How to train.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainPlan {
    /// How often each position is looked at.
    pub epochs: u64,
    /// Positions between two steps.
    pub batch: usize,
    /// The length of a step at first; it falls to nothing.
    pub rate: f32,
    /// What the end of the game counts, the rest is the search's word.
    pub result_share: f32,
    /// Where the random numbers begin.
    pub seed: u64,
}

/// A position, made ready.
#[derive(Clone, Copy)]
pub struct Sample {
    rows: [u16; INPUTS],
    bucket: u8,
    lead: f32,
    target: f32,
}

/// The chance to win at a value.
fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

fn points(verdict: Verdict) -> f32 {
    match verdict {
        Verdict::Loss => 0.0,
        Verdict::Draw => 0.5,
        Verdict::Win => 1.0,
    }
}

/// Hundredths of a seed at which a side has a chance of e to 1, as the results say: the best fit to the search's values.
#[must_use]
pub fn spread(records: &[Record]) -> f32 {
    let loss = |spread: f32| -> f64 {
        let open = records.iter().filter(|record| record.score.proven().is_none());
        open.map(|record| {
            let error = sigmoid(record.score.value.centiseeds() as f32 / spread) - points(record.result);
            f64::from(error * error)
        })
        .sum()
    };
    // The loss has one valley.
    let candidates = (0..40).map(|step| 60.0 * 1.1f32.powi(step));
    candidates
        .map(|spread| (loss(spread), spread))
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map_or(250.0, |best| best.1)
}

impl Sample {
    /// A record made ready.
    #[must_use]
    pub fn new<R: Rules>(record: &Record, spread: f32, result_share: f32) -> Sample {
        let value = record.score.value.centiseeds() as f32;
        let target = match (record.score.proven(), record.score.value.kind()) {
            (Some(verdict), _) if sees_stores::<R>() => points(verdict),
            (Some(_), _) if record.score.proof.is_exact() => sigmoid(value / spread),
            (Some(verdict), _) => points(verdict),
            (None, Kind::Estimate(_)) => {
                let said = sigmoid(value / spread);
                said + result_share * (points(record.result) - said)
            }
            (None, kind) => {
                let said = if matches!(kind, Kind::Win(_)) { 1.0 } else { 0.0 };
                said + result_share * (points(record.result) - said)
            }
        };
        Sample {
            rows: Features::<R>::rows(record.board),
            bucket: output_bucket(record.board) as u8,
            lead: f32::from(record.board.lead()) * 100.0 / spread,
            target,
        }
    }

    /// How far a value, in spreads, is from the target.
    #[must_use]
    pub fn squared_error(&self, value: f32) -> f64 {
        f64::from(sigmoid(value) - self.target).powi(2)
    }
}

/// What Adam keeps of the mean slope with each step.
const MEANS_KEPT: f32 = 0.9;
/// What it keeps of the mean squared slope.
const SQUARES_KEPT: f32 = 0.999;

type Layer = [f32; HIDDEN];

/// A network of real numbers, in one run: bias, rows, output, output bias.
pub struct Trainer {
    weights: Vec<f32>,
    slopes: Vec<f32>,
    means: Vec<f32>,
    squares: Vec<f32>,
    rows: usize,
    spread: f32,
    steps: i32,
}

impl Trainer {
    /// A network that adds nothing yet.
    #[must_use]
    pub fn new(rows: usize, spread: f32, seed: u64) -> Trainer {
        let size = (1 + rows + OUTPUT_BUCKETS) * HIDDEN + OUTPUT_BUCKETS;
        let mut state = seed;
        let mut random = || (split_mix(&mut state) >> 40) as f32 / (1u64 << 24) as f32 - 0.5;
        let mut weights: Vec<f32> = (0..size).map(|_| random() * 0.2).collect();
        weights[..HIDDEN].fill(0.3);
        let outputs = (1 + rows) * HIDDEN;
        weights[outputs + OUTPUT_BUCKETS * HIDDEN..].fill(0.0);
        let zeros = vec![0.0; size];
        Trainer {
            weights,
            slopes: zeros.clone(),
            means: zeros.clone(),
            squares: zeros,
            rows,
            spread,
            steps: 0,
        }
    }

    fn output_at(&self, bucket: u8) -> usize {
        (1 + self.rows + usize::from(bucket)) * HIDDEN
    }

    fn output_bias_at(&self, bucket: u8) -> usize {
        (1 + self.rows + OUTPUT_BUCKETS) * HIDDEN + usize::from(bucket)
    }

    fn layer(&self, at: usize) -> &Layer {
        self.weights[at..at + HIDDEN].first_chunk().expect("a whole layer")
    }

    /// The sums of the first layer, and the expected result.
    fn forward(&self, sample: &Sample) -> (Layer, f32) {
        let mut sums = *self.layer(0);
        for &row in &sample.rows {
            let row = self.layer((1 + usize::from(row)) * HIDDEN);
            sums.iter_mut().zip(row).for_each(|(sum, add)| *sum += add);
        }
        let output = self.layer(self.output_at(sample.bucket));
        let mut total = self.weights[self.output_bias_at(sample.bucket)];
        for (sum, weight) in sums.iter().zip(output) {
            let clipped = sum.clamp(0.0, 1.0);
            total += clipped * clipped * weight;
        }
        (sums, sigmoid(sample.lead + total * CENTISEEDS_AN_OUTPUT / self.spread))
    }

    /// The mean squared difference over some samples.
    #[must_use]
    pub fn loss(&self, samples: &[Sample]) -> f64 {
        let error = |sample: &Sample| f64::from(self.forward(sample).1 - sample.target).powi(2);
        samples.iter().map(error).sum::<f64>() / samples.len().max(1) as f64
    }

    fn backward(&mut self, sample: &Sample) -> f32 {
        let (sums, expected) = self.forward(sample);
        let error = expected - sample.target;
        let slope = 2.0 * error * expected * (1.0 - expected) * CENTISEEDS_AN_OUTPUT / self.spread;
        let at = self.output_at(sample.bucket);
        let mut back = [0.0; HIDDEN];
        for unit in 0..HIDDEN {
            let clipped = sums[unit].clamp(0.0, 1.0);
            let open = sums[unit] > 0.0 && sums[unit] < 1.0;
            back[unit] = if open { slope * self.weights[at + unit] * 2.0 * clipped } else { 0.0 };
            self.slopes[at + unit] += slope * clipped * clipped;
        }
        let bias = self.output_bias_at(sample.bucket);
        self.slopes[bias] += slope;
        let firsts = sample.rows.iter().map(|&row| (1 + usize::from(row)) * HIDDEN);
        for at in firsts.chain([0]) {
            self.slopes[at..at + HIDDEN].iter_mut().zip(&back).for_each(|(sum, add)| *sum += add);
        }
        error * error
    }

    /// Looks at a batch, and takes a step. Returns the sum of its squared differences.
    pub fn step(&mut self, samples: &[Sample], batch: &[u32], rate: f32) -> f64 {
        let loss = batch.iter().map(|&index| f64::from(self.backward(&samples[index as usize]))).sum();
        self.steps += 1;
        let scale = 1.0 / batch.len() as f32;
        let rate = rate * (1.0 - SQUARES_KEPT.powi(self.steps)).sqrt() / (1.0 - MEANS_KEPT.powi(self.steps));
        let firsts = (1 + self.rows) * HIDDEN;
        let largest = f32::from(LARGEST_OUTPUT) / QB as f32;
        let all = self.weights.iter_mut().zip(&mut self.slopes).zip(&mut self.means).zip(&mut self.squares);
        for (index, (((weight, slope), mean), square)) in all.enumerate() {
            let limit = if index < firsts { 1.0 } else { largest };
            let now = *slope * scale;
            *mean = MEANS_KEPT * *mean + (1.0 - MEANS_KEPT) * now;
            *square = SQUARES_KEPT * *square + (1.0 - SQUARES_KEPT) * now * now;
            *weight = (*weight - rate * *mean / (square.sqrt() + 1e-8)).clamp(-limit, limit);
            *slope = 0.0;
        }
        loss
    }

    /// The network in whole numbers.
    #[must_use]
    pub fn quantised(&self) -> Network {
        let first = |at: usize| self.layer(at).map(|weight| (weight * f32::from(QA)).round() as i16);
        let outputs = QB as f32;
        let output_one = (i32::from(QA) * i32::from(QA) * QB) as f32;
        let buckets = std::array::from_fn(|bucket| bucket as u8);
        Network {
            bias: first(0),
            rows: (0..self.rows).map(|row| first((1 + row) * HIDDEN)).collect(),
            output: buckets
                .map(|bucket| self.layer(self.output_at(bucket)).map(|w| (w * outputs).round() as i16)),
            output_bias: buckets
                .map(|bucket| (self.weights[self.output_bias_at(bucket)] * output_one).round() as i32),
        }
    }
}
