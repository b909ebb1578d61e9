//! Training: Adam on the squared error of the expected result (D. Kingma and J. Ba, "Adam: A Method for Stochastic
//! Optimization", ICLR 2015).
//!
//! The network is trained as it will be used: the sigmoid of the lead plus the network's output is fitted to the expected
//! result. The target is the search score, mixed with the game result; proven scores are certain. The scale of the sigmoid is
//! fitted to the data, as in Texel's tuning method (P. Österlund, 2014), separately for each file: searches with other weights
//! have other units.

use super::data::TrainingPosition;
use crate::evaluate::{
    CENTISEEDS_AN_OUTPUT, Features, HIDDEN, INPUTS, LARGEST_OUTPUT, Network, OUTPUT_BUCKETS, QA, QB,
    output_bucket, sees_stores,
};
use crate::game::{Rules, Verdict, split_mix};
use crate::thread_pool::ThreadPool;
use crate::value::{CENTISEEDS, Kind};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainPlan {
    /// How often each position is used.
    pub epochs: u64,
    /// Positions in a training step.
    pub batch: usize,
    /// The learning rate of the first step; it decays to nearly zero.
    pub rate: f32,
    /// The weight of the game result in the target, from 0 to 1; the rest is the search score.
    pub result_share: f32,
    pub seed: u64,
    /// Threads to use. The weights do not depend on their number.
    pub threads: usize,
}

/// Sigmoid scales: the score in hundredths of a seed at which the odds are e to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scales {
    /// Of the searches behind a training position.
    pub data: f32,
    /// Of the trained network.
    pub network: f32,
}

/// A training position as the network's input.
#[derive(Clone, Copy)]
pub struct Sample {
    rows: [u16; INPUTS],
    bucket: u8,
    /// The lead, in the network's sigmoid scales.
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

/// Finds the sigmoid scale of the searches behind some positions: of 40 candidates, from 60 up in steps of a tenth, the one
/// that best fits the results to the search scores.
pub struct SigmoidFit {
    /// The sum of squared errors for each candidate.
    losses: [f64; SigmoidFit::CANDIDATES],
}

impl SigmoidFit {
    const CANDIDATES: usize = 40;

    pub fn new() -> SigmoidFit {
        SigmoidFit { losses: [0.0; SigmoidFit::CANDIDATES] }
    }

    fn candidate(index: usize) -> f32 {
        60.0 * 1.1f32.powi(index as i32)
    }

    /// Adds a position. Proven scores are ignored, because they do not depend on the scale.
    pub fn add(&mut self, position: &TrainingPosition) {
        if position.score.proven().is_none() {
            let value = position.score.value.centiseeds() as f32;
            for (index, loss) in self.losses.iter_mut().enumerate() {
                let error = sigmoid(value / SigmoidFit::candidate(index)) - points(position.result);
                *loss += f64::from(error * error);
            }
        }
    }

    pub fn scale(&self) -> f32 {
        let losses = self.losses.iter().enumerate();
        let best = losses.min_by(|one, other| one.1.total_cmp(other.1)).expect("there are candidates");
        SigmoidFit::candidate(best.0)
    }
}

impl Sample {
    pub fn new<R: Rules>(position: &TrainingPosition, scales: Scales, result_share: f32) -> Sample {
        let value = position.score.value.centiseeds() as f32;
        let target = match (position.score.proven(), position.score.value.kind()) {
            (Some(verdict), _) if sees_stores::<R>() => points(verdict),
            (Some(_), _) if position.score.proof.is_exact() => sigmoid(value / scales.network),
            (Some(verdict), _) => points(verdict),
            (None, Kind::Estimate(_)) => {
                let expected = sigmoid(value / scales.data);
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
            lead: (i32::from(position.board.lead()) * CENTISEEDS) as f32 / scales.network,
            target,
        }
    }

    /// The squared error of a value in the network's sigmoid scales.
    pub fn squared_error(&self, value: f32) -> f64 {
        f64::from(sigmoid(value) - self.target).powi(2)
    }
}

// The constants of Adam, from the paper.

/// The decay of the first moment, β₁.
const BETA1: f32 = 0.9;
/// The decay of the second moment, β₂.
const BETA2: f32 = 0.999;
/// Keeps the denominator from zero, ε.
const EPSILON: f32 = 1e-8;

// The initial weights are our choice: units that are slightly active, and a small output.

/// The bias of the first layer.
const FIRST_BIAS: f32 = 0.3;
/// Maximum absolute value of the other weights.
const FIRST_WEIGHTS: f32 = 0.1;

/// Parts in which a batch is summed with any number of threads, which makes sums reproducible. More threads are idle.
const PARTS: usize = 8;

type Layer = [f32; HIDDEN];

/// A floating-point network in training. All weights are in one vector: the bias of the first layer, its rows, the output
/// weights of each bucket, and the output bias of each bucket.
pub struct Trainer {
    weights: Vec<f32>,
    /// The gradients of each part of a batch, by weight.
    gradients: [Vec<f32>; PARTS],
    /// The first and second moments of Adam, by weight.
    first_moments: Vec<f32>,
    second_moments: Vec<f32>,
    rows: usize,
    scale: f32,
    steps: i32,
}

impl Trainer {
    /// A network with random weights for `rows` features, with the sigmoid scale `scale`.
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
            gradients: std::array::from_fn(|_| zeros.clone()),
            first_moments: zeros.clone(),
            second_moments: zeros,
            rows,
            scale,
            steps: 0,
        }
    }

    /// Everything that training goes on from.
    pub fn state(&self) -> Vec<u8> {
        let numbers = [&self.weights, &self.first_moments, &self.second_moments];
        let numbers = numbers.into_iter().flatten().flat_map(|number| number.to_le_bytes());
        self.steps.to_le_bytes().into_iter().chain(numbers).collect()
    }

    /// Goes on from a state of a trainer of the same size.
    pub fn restore(&mut self, state: &[u8]) {
        let (words, _) = state.as_chunks::<4>();
        let (steps, numbers) = words.split_first().expect("a state begins with the steps");
        self.steps = i32::from_le_bytes(*steps);
        let mut numbers = numbers.iter().map(|word| f32::from_le_bytes(*word));
        for own in [&mut self.weights, &mut self.first_moments, &mut self.second_moments] {
            own.iter_mut().zip(&mut numbers).for_each(|(own, number)| *own = number);
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

    /// The squared error of a sample.
    pub fn loss(&self, sample: &Sample) -> f64 {
        f64::from(self.forward(sample).1 - sample.target).powi(2)
    }

    /// Adds the gradients of a sample (backpropagation). Returns its squared error.
    fn backward(&self, sample: &Sample, gradients: &mut [f32]) -> f32 {
        let (sums, expected) = self.forward(sample);
        let error = expected - sample.target;
        let gradient = 2.0 * error * expected * (1.0 - expected) * CENTISEEDS_AN_OUTPUT / self.scale;
        let at = self.output_at(sample.bucket);
        let mut back = [0.0; HIDDEN];
        let outputs = self.layer(at).iter().zip(&mut gradients[at..at + HIDDEN]);
        for ((&sum, back), (weight, gathered)) in sums.iter().zip(&mut back).zip(outputs) {
            let clipped = sum.clamp(0.0, 1.0);
            let open = sum > 0.0 && sum < 1.0;
            *back = if open { gradient * weight * 2.0 * clipped } else { 0.0 };
            *gathered += gradient * clipped * clipped;
        }
        gradients[self.output_bias_at(sample.bucket)] += gradient;
        let firsts = sample.rows.iter().map(|&row| (1 + usize::from(row)) * HIDDEN);
        for at in firsts.chain([0]) {
            gradients[at..at + HIDDEN].iter_mut().zip(&back).for_each(|(sum, add)| *sum += add);
        }
        error * error
    }

    /// A training step with a batch of samples, by their numbers. Returns the sum of their squared errors.
    pub fn step(
        &mut self,
        sample: &(impl Fn(usize) -> Option<Sample> + Sync),
        batch: &[u32],
        rate: f32,
        threads: &ThreadPool,
    ) -> f64 {
        let mut gradients = std::mem::take(&mut self.gradients);
        let mut batches = batch.chunks(batch.len().div_ceil(PARTS).max(1));
        let parts = gradients.iter_mut().map(|gradients| (batches.next().unwrap_or(&[]), gradients));
        let losses = threads.map_each(parts.collect(), |(batch, gradients)| -> f64 {
            gradients.fill(0.0);
            let samples = batch.iter().filter_map(|&number| sample(number as usize));
            samples.map(|sample| f64::from(self.backward(&sample, gradients))).sum()
        });
        self.steps += 1;
        let rate = rate * (1.0 - BETA2.powi(self.steps)).sqrt() / (1.0 - BETA1.powi(self.steps));
        self.adam(&gradients, 1.0 / batch.len() as f32, rate, threads);
        self.gradients = gradients;
        losses.iter().sum()
    }

    /// Updates the weights by the sums of a batch's gradients.
    fn adam(&mut self, gradients: &[Vec<f32>; PARTS], mean: f32, rate: f32, threads: &ThreadPool) {
        let firsts = (1 + self.rows) * HIDDEN;
        let share = self.weights.len().div_ceil(PARTS);
        let moments = self.first_moments.chunks_mut(share).zip(self.second_moments.chunks_mut(share));
        let parts = self.weights.chunks_mut(share).zip(moments).enumerate();
        threads.map_each(parts.collect(), |(part, (weights, (first, second)))| {
            let moments = first.iter_mut().zip(second);
            for (index, (weight, (first, second))) in (part * share..).zip(weights.iter_mut().zip(moments)) {
                // The range of the quantised network.
                let limit = if index < firsts { 1.0 } else { f32::from(LARGEST_OUTPUT) / QB as f32 };
                let gradient = gradients.iter().map(|part| part[index]).sum::<f32>() * mean;
                *first = BETA1 * *first + (1.0 - BETA1) * gradient;
                *second = BETA2 * *second + (1.0 - BETA2) * gradient * gradient;
                *weight = (*weight - rate * *first / (second.sqrt() + EPSILON)).clamp(-limit, limit);
            }
        });
    }

    /// The integer network for searches.
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
