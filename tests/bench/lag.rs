//! How far from the best values a tuning by simulated games ends, for several lags (`referee help tune`):
//! `cargo bench -p bench --bench lag`.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

#[path = "../referee/hill.rs"]
mod hill;

use hill::climb;

/// Random seeds of each figure.
const SEEDS: u64 = 200;

fn main() {
    println!("mean distance of two values from the best ones, 140 and 0.3");
    for lag in [0, 4, 16, 64, 256] {
        for iterations in [200, 500, 2_000] {
            let off: Vec<[f64; 2]> = (0..SEEDS).map(|seed| climb(lag, seed, iterations)).collect();
            let mean = |place: usize| off.iter().map(|off| off[place]).sum::<f64>() / SEEDS as f64;
            println!("lag {lag}, {iterations} iterations: {:.2} {:.4}", mean(0), mean(1));
        }
    }
}
