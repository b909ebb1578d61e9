//! A tuning by simulated games, where the best values are known. `tests/bench/lag.rs` uses it as well.

use kroo::game::split_mix;
use kroo_referee::tuning::{Spsa, TuningPlan};

/// A tuning of the parameters in these lines.
pub fn spsa(lines: &[&str], iterations: u64, seed: u64) -> Spsa {
    let parameters = lines.iter().map(|line| line.parse().expect(line)).collect();
    Spsa::new(TuningPlan { parameters, ..TuningPlan::default() }, iterations, seed)
}

/// Games of two engines on a hill: the higher one wins more often. Returns how far the two values end from the best ones.
pub fn climb(lag: u64, seed: u64, iterations: u64) -> [f64; 2] {
    let lines = ["A,20,0,200,8,0.004", "B,float,0.9,0,1,0.05,0.004"];
    let spsa = spsa(&lines, iterations, seed);
    let height = |settings: &[String]| {
        let [a, b] = [0, 1].map(|place| settings[place].parse::<f64>().expect("a number"));
        -((a - 140.0) / 60.0).powi(2) - ((b - 0.3) / 0.3).powi(2)
    };
    let mut history = vec![spsa.start()];
    let mut state = seed ^ 0x5eed;
    for iteration in 1..=iterations {
        let known = iteration.saturating_sub(1 + lag) as usize;
        let settings = spsa.settings(&history[known], iteration);
        let better = height(settings.of(0)) - height(settings.of(1));
        let chance = 1.0 / (1.0 + (-better).exp());
        let won = (0..16).filter(|_| (split_mix(&mut state) as f64 / u64::MAX as f64) < chance).count();
        let mut values = history.last().expect("there is one").clone();
        spsa.update(&mut values, iteration, 2 * won as i64 - 16);
        history.push(values);
    }
    let end = history.last().expect("there is one");
    [(end[0] - 140.0).abs(), (end[1] - 0.3).abs()]
}
