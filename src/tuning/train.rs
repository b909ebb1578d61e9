//! Training: Adam on the squared error of the expected result (D. Kingma and J. Ba, "Adam: A Method for Stochastic
//! Optimization", ICLR 2015).
//!
//! The network is trained as it will be used: the lead plus what the network adds, put through a sigmoid, shall be the
//! expected result. The target is the score of the search, mixed with the result of the game; what is proven counts as
//! certain. The scale of the sigmoid is fitted to the data, as in Texel's tuning method (P. Österlund, 2014).

use super::data::TrainingPosition;
use crate::evaluate::{
    CENTISEEDS_AN_OUTPUT, Features, HIDDEN, INPUTS, LARGEST_OUTPUT, Network, OUTPUT_BUCKETS, QA, QB,
    output_bucket, sees_stores,
};
use crate::game::{Rules, Verdict, split_mix};
use crate::value::{CENTISEEDS, Kind};

/// How to train.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainPlan {
    /// How often each position is used.
    pub epochs: u64,
    /// Positions of a training step.
    pub batch: usize,
    /// The learning rate of the first step; it falls to nearly nothing.
    pub rate: f32,
    /// The weight of the game's result in the target, from 0 to 1; the rest is the score of the search.
    pub result_share: f32,
    /// The random seed.
    pub seed: u64,
}

/// A training position as the network sees it.
#[derive(Clone, Copy)]
pub struct Sample {
    rows: [u16; INPUTS],
    bucket: u8,
    /// In sigmoid scales.
    lead: f32,
    /// The expected result, from 0 to 1.
    target: f32,
}

/// The expected result at a value in sigmoid scales: the logistic function.
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

/// The sigmoid scale: the hundredths of a seed at which the odds of a side are e to 1. It is the one of 40 candidates, from
/// 60 on by tenths, that fits the results best to the values of the searches.
#[must_use]
pub fn sigmoid_scale(positions: &[TrainingPosition]) -> f32 {
    let loss = |scale: f32| -> f64 {
        let open = positions.iter().filter(|position| position.score.proven().is_none());
        open.map(|position| {
            let error = sigmoid(position.score.value.centiseeds() as f32 / scale) - points(position.result);
            f64::from(error * error)
        })
        .sum()
    };
    let candidates = (0..40).map(|step| 60.0 * 1.1f32.powi(step));
    let best = candidates.map(|scale| (loss(scale), scale)).min_by(|a, b| a.0.total_cmp(&b.0));
    best.expect("there are candidates").1
}

impl Sample {
    /// A training position as the network sees it.
    #[must_use]
    pub fn new<R: Rules>(position: &TrainingPosition, scale: f32, result_share: f32) -> Sample {
        let value = position.score.value.centiseeds() as f32;
        let target = match (position.score.proven(), position.score.value.kind()) {
            (Some(verdict), _) if sees_stores::<R>() => points(verdict),
            (Some(_), _) if position.score.proof.is_exact() => sigmoid(value / scale),
            (Some(verdict), _) => points(verdict),
            (None, Kind::Estimate(_)) => {
                let expected = sigmoid(value / scale);
                expected + result_share * (points(position.result) - expected)
            }
            (None, kind) => {
                let expected = if matches!(kind, Kind::Win(_)) { 1.0 } else { 0.0 };
                expected + result_share * (points(position.result) - expected)
            }
        };
        Sample {
            rows: Features::<R>::rows(position.board),
            bucket: output_bucket(position.board) as u8,
            lead: (i32::from(position.board.lead()) * CENTISEEDS) as f32 / scale,
            target,
        }
    }

    /// The squared error of a value in sigmoid scales.
    #[must_use]
    pub fn squared_error(&self, value: f32) -> f64 {
        f64::from(sigmoid(value) - self.target).powi(2)
    }
}

// The constants of Adam, as the paper gives them.

/// The decay of the first moment, β₁.
const BETA1: f32 = 0.9;
/// The decay of the second moment, β₂.
const BETA2: f32 = 0.999;
/// Keeps the denominator from zero, ε.
const EPSILON: f32 = 1e-8;

// Where training begins, our own choice: units that are a little open, and an output that is small.

/// The bias of the first layer.
const FIRST_BIAS: f32 = 0.3;
/// Other weights are between minus and plus this.
const FIRST_WEIGHTS: f32 = 0.1;

type Layer = [f32; HIDDEN];

/// A network of real numbers that is being trained. All its weights are in one vector: the bias of the first layer, its
/// rows, the output weights of each bucket, and the output bias of each bucket.
pub struct Trainer {
    weights: Vec<f32>,
    /// The sum over a batch, by weight.
    gradients: Vec<f32>,
    /// The first and second moments of Adam, by weight.
    first_moments: Vec<f32>,
    second_moments: Vec<f32>,
    rows: usize,
    scale: f32,
    steps: i32,
}

impl Trainer {
    /// A network with random weights, for features with so many rows.
    #[must_use]
    pub fn new(rows: usize, scale: f32, seed: u64) -> Trainer {
        let size = (1 + rows + OUTPUT_BUCKETS) * HIDDEN + OUTPUT_BUCKETS;
        let mut state = seed;
        let mut random = || (split_mix(&mut state) >> 40) as f32 / (1u64 << 24) as f32 - 0.5;
        let mut weights: Vec<f32> = (0..size).map(|_| random() * (2.0 * FIRST_WEIGHTS)).collect();
        weights[..HIDDEN].fill(FIRST_BIAS);
        let outputs = (1 + rows) * HIDDEN;
        weights[outputs + OUTPUT_BUCKETS * HIDDEN..].fill(0.0);
        let zeros = vec![0.0; size];
        Trainer {
            weights,
            gradients: zeros.clone(),
            first_moments: zeros.clone(),
            second_moments: zeros,
            rows,
            scale,
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

    /// The accumulator of the first layer, and the expected result.
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
        (sums, sigmoid(sample.lead + total * CENTISEEDS_AN_OUTPUT / self.scale))
    }

    /// The mean squared error over some samples.
    #[must_use]
    pub fn loss(&self, samples: &[Sample]) -> f64 {
        let error = |sample: &Sample| f64::from(self.forward(sample).1 - sample.target).powi(2);
        samples.iter().map(error).sum::<f64>() / samples.len().max(1) as f64
    }

    /// Adds the gradients of a sample (backpropagation). Returns its squared error.
    fn backward(&mut self, sample: &Sample) -> f32 {
        let (sums, expected) = self.forward(sample);
        let error = expected - sample.target;
        let gradient = 2.0 * error * expected * (1.0 - expected) * CENTISEEDS_AN_OUTPUT / self.scale;
        let at = self.output_at(sample.bucket);
        let mut back = [0.0; HIDDEN];
        for unit in 0..HIDDEN {
            let clipped = sums[unit].clamp(0.0, 1.0);
            let open = sums[unit] > 0.0 && sums[unit] < 1.0;
            back[unit] = if open { gradient * self.weights[at + unit] * 2.0 * clipped } else { 0.0 };
            self.gradients[at + unit] += gradient * clipped * clipped;
        }
        let bias = self.output_bias_at(sample.bucket);
        self.gradients[bias] += gradient;
        let firsts = sample.rows.iter().map(|&row| (1 + usize::from(row)) * HIDDEN);
        for at in firsts.chain([0]) {
            self.gradients[at..at + HIDDEN].iter_mut().zip(&back).for_each(|(sum, add)| *sum += add);
        }
        error * error
    }

    /// A training step with a batch of samples. Returns the sum of their squared errors.
    pub fn step(&mut self, samples: &[Sample], batch: &[u32], rate: f32) -> f64 {
        let loss = batch.iter().map(|&index| f64::from(self.backward(&samples[index as usize]))).sum();
        self.steps += 1;
        let scale = 1.0 / batch.len() as f32;
        let rate = rate * (1.0 - BETA2.powi(self.steps)).sqrt() / (1.0 - BETA1.powi(self.steps));
        let firsts = (1 + self.rows) * HIDDEN;
        let largest = f32::from(LARGEST_OUTPUT) / QB as f32;
        let moments = self.first_moments.iter_mut().zip(&mut self.second_moments);
        let all = self.weights.iter_mut().zip(&mut self.gradients).zip(moments);
        for (index, ((weight, gradient), (first, second))) in all.enumerate() {
            // What the whole numbers of the finished network can hold.
            let limit = if index < firsts { 1.0 } else { largest };
            let mean = *gradient * scale;
            *first = BETA1 * *first + (1.0 - BETA1) * mean;
            *second = BETA2 * *second + (1.0 - BETA2) * mean * mean;
            *weight = (*weight - rate * *first / (second.sqrt() + EPSILON)).clamp(-limit, limit);
            *gradient = 0.0;
        }
        loss
    }

    /// The network in whole numbers, as a search uses it.
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
