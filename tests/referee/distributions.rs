//! The distributions behind estimates, against slow sums.

use kroo_referee::statistics::distributions::{Beta, Z_95, cumulative};
use std::f64::consts::PI;

/// The slow truth: a series (G. Marsaglia, "Evaluating the Normal Distribution", 2004).
fn by_series(x: f64) -> f64 {
    let (mut sum, mut term, mut odd) = (x, x, 1.0);
    while term.abs() > f64::EPSILON * sum.abs() {
        odd += 2.0;
        term *= x * x / odd;
        sum += term;
    }
    0.5 + sum * (-0.5 * x * x).exp() / (2.0 * PI).sqrt()
}

#[test]
fn it_is_the_series() {
    for step in -600..=600 {
        let x = f64::from(step) / 100.0;
        assert!((cumulative(x) - by_series(x)).abs() < 1e-14, "{x}");
    }
    assert!((cumulative(Z_95) - 0.975).abs() < 1e-8);
    assert_eq!((cumulative(-40.0), cumulative(0.0), cumulative(40.0)), (0.0, 0.5, 1.0));
}

/// The slow truth: the density, summed up.
fn by_summing(a: f64, b: f64, x: f64) -> f64 {
    const PARTS: u32 = 200_000;
    let density = |at: f64| at.powf(a - 1.0) * (1.0 - at).powf(b - 1.0);
    let sum = |to: f64| {
        let width = to / f64::from(PARTS);
        (0..PARTS).map(|part| density((f64::from(part) + 0.5) * width) * width).sum::<f64>()
    };
    sum(x) / sum(1.0)
}

#[test]
fn it_is_the_summed_density() {
    for (a, b) in [(1.0, 1.0), (2.0, 5.0), (7.5, 3.25), (40.0, 60.0)] {
        let beta = Beta { a, b };
        for x in [0.01, 0.2, 0.5, 0.77, 0.99] {
            assert!((beta.cumulative(x) - by_summing(a, b, x)).abs() < 1e-5, "{a} {b} {x}");
        }
        for share in [0.025, 0.5, 0.975] {
            assert!((beta.cumulative(beta.quantile(share)) - share).abs() < 1e-9, "{a} {b} {share}");
        }
    }
}

#[test]
fn it_has_the_moments_asked_for() {
    let beta = Beta::with_moments(0.25, 0.0375);
    assert!((beta.a - 1.0).abs() < 1e-12 && (beta.b - 3.0).abs() < 1e-12, "{beta:?}");
}

#[test]
fn a_narrow_one_is_normal() {
    for (a, b) in [(600_000.0, 400_001.0), (30.0, 1_000_000.0)] {
        let (beta, all) = (Beta { a, b }, a + b);
        let (mean, deviation) = (a / all, (a / all * (b / all) / (all + 1.0)).sqrt());
        for x in [-2.0, -1.0, 0.0, 0.5, 3.0] {
            let found = beta.cumulative(mean + x * deviation);
            assert!((found - cumulative(x)).abs() < 1e-9, "{a} {b} {x}: {found}");
        }
    }
    // Below the bound the fraction still counts, and hardly differs.
    let wide = Beta { a: 500_000.0, b: 499_999.0 };
    let beyond = 0.5 + Z_95 * 0.0005;
    assert!(
        (wide.cumulative(beyond) - 0.975).abs() < 1e-3
            && wide.cumulative(0.0) == 0.0
            && wide.cumulative(1.0) == 1.0
    );
}
