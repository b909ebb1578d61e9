//! Whether two samples may come from one source: tests of counts in categories.
//!
//! [`Association`] is the general Cochran–Mantel–Haenszel test (A. Agresti, "Categorical Data Analysis", 2002, section 7.5.3) of
//! one sample against all others, in strata that are each homogeneous. With a single stratum it is Pearson's chi-square
//! times (N − 1) / N. [`more_than_chance`] is Fisher's exact test, for what is rare. Of many tests [`corrected`] says which ones
//! mean something.

/// The categories of pairs of games: 0, ½, 1, 1½ and 2 points.
const CATEGORIES: usize = 5;
/// The least expected count in a category: below that the distribution is no chi-square (W. Cochran, Biometrics 10, 1954).
const LEAST_EXPECTED: f64 = 5.0;
/// A variance below this share of the largest one is a rounding error.
const SINGULAR: f64 = 1e-9;
/// Terms of the series and of the continued fraction; they need about the square root of the value.
const MAX_TERMS: u32 = 100_000;
/// They have converged when a term changes them by less than this share.
const PRECISION: f64 = 1e-15;

/// One sample against all others: what was counted of it, what was to be expected, and how much that varies by chance.
#[derive(Clone, Debug, Default)]
pub struct Association {
    observed: [f64; CATEGORIES],
    expected: [f64; CATEGORIES],
    /// What is expected of the others.
    rest: [f64; CATEGORIES],
    covariance: [[f64; CATEGORIES]; CATEGORIES],
}

/// A chi-square and its degrees of freedom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChiSquare {
    /// The value.
    pub value: f64,
    /// The degrees of freedom: categories that could be told apart, less one.
    pub degrees: u32,
}

impl Association {
    /// Adds a stratum: the counts of the sample, and those of all samples together.
    pub fn add(&mut self, sample: [u64; CATEGORIES], all: [u64; CATEGORIES]) {
        let of = sample.iter().sum::<u64>() as f64;
        let whole = all.iter().sum::<u64>() as f64;
        // Where nobody else has played, nothing can be compared.
        if of == 0.0 || of >= whole {
            return;
        }
        let factor = of * (whole - of) / (whole * whole * (whole - 1.0));
        for one in 0..CATEGORIES {
            let total = all[one] as f64;
            self.observed[one] += sample[one] as f64;
            self.expected[one] += of * total / whole;
            self.rest[one] += (whole - of) * total / whole;
            for (other, (covariance, &count)) in self.covariance[one].iter_mut().zip(&all).enumerate() {
                let diagonal = if one == other { whole * total } else { 0.0 };
                *covariance += factor * (diagonal - total * count as f64);
            }
        }
    }

    /// The test. `None` if there is too little to be tested.
    #[must_use]
    pub fn chi_square(&self) -> Option<ChiSquare> {
        let groups = self.groups();
        // The last group follows from the others.
        let free = groups.len().checked_sub(1).filter(|&free| free > 0)?;
        let sum = |group: &[usize], of: &dyn Fn(usize) -> f64| group.iter().map(|&one| of(one)).sum::<f64>();
        let difference: Vec<f64> = groups[..free]
            .iter()
            .map(|group| sum(group, &|one| self.observed[one] - self.expected[one]))
            .collect();
        let covariance = |row: &Vec<usize>| {
            let column =
                |column: &Vec<usize>| sum(row, &|one| sum(column, &|other| self.covariance[one][other]));
            groups[..free].iter().map(column).collect()
        };
        let matrix: Vec<Vec<f64>> = groups[..free].iter().map(covariance).collect();
        let solved = solve(matrix, difference.clone())?;
        let value = difference.iter().zip(&solved).map(|(one, other)| one * other).sum::<f64>();
        Some(ChiSquare { value: value.max(0.0), degrees: free as u32 })
    }

    /// Neighbouring categories, joined until enough is expected in each.
    fn groups(&self) -> Vec<Vec<usize>> {
        let least = |group: &Vec<usize>| {
            let sum = |of: &[f64; CATEGORIES]| group.iter().map(|&one| of[one]).sum::<f64>();
            sum(&self.expected).min(sum(&self.rest))
        };
        let mut groups: Vec<Vec<usize>> = (0..CATEGORIES).map(|one| vec![one]).collect();
        while groups.len() > 1 {
            let weakest = (0..groups.len())
                .min_by(|&one, &other| least(&groups[one]).total_cmp(&least(&groups[other])));
            let Some(weakest) = weakest.filter(|&weakest| least(&groups[weakest]) < LEAST_EXPECTED) else {
                break;
            };
            let beside = [weakest.checked_sub(1), Some(weakest + 1).filter(|&next| next < groups.len())];
            let neighbour = beside.into_iter().flatten();
            let neighbour =
                neighbour.min_by(|&one, &other| least(&groups[one]).total_cmp(&least(&groups[other])));
            let Some(neighbour) = neighbour else { break };
            let joined = groups.remove(weakest.max(neighbour));
            groups[weakest.min(neighbour)].extend(joined);
        }
        groups
    }
}

impl ChiSquare {
    /// The probability of at least this value by chance.
    #[must_use]
    pub fn probability(&self) -> f64 {
        upper_gamma(f64::from(self.degrees) / 2.0, self.value / 2.0)
    }
}

/// Solves a system of linear equations. `None` if it has no single solution.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let size = right.len();
    let largest = matrix.iter().flatten().fold(0.0_f64, |most, value| most.max(value.abs()));
    for step in 0..size {
        let pivot = (step..size)
            .max_by(|&one, &other| matrix[one][step].abs().total_cmp(&matrix[other][step].abs()))?;
        if matrix[pivot][step].abs() <= SINGULAR * largest {
            return None;
        }
        matrix.swap(step, pivot);
        right.swap(step, pivot);
        let (done, below) = matrix.split_at_mut(step + 1);
        for (row, place) in below.iter_mut().zip(step + 1..) {
            let factor = row[step] / done[step][step];
            row.iter_mut().zip(&done[step]).for_each(|(value, &above)| *value -= factor * above);
            right[place] -= factor * right[step];
        }
    }
    for step in (0..size).rev() {
        let known: f64 = (step + 1..size).map(|column| matrix[step][column] * right[column]).sum();
        right[step] = (right[step] - known) / matrix[step][step];
    }
    Some(right)
}

/// The regularised upper incomplete gamma function Q(a, x) (NIST Digital Library of Mathematical Functions, 8.2.4): by the
/// series 8.11.4 below a + 1, and else by the continued fraction 8.9.2.
fn upper_gamma(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let factor = (a * x.ln() - x - libm::lgamma(a)).exp();
    if x < a + 1.0 {
        let (mut term, mut sum) = (1.0 / a, 1.0 / a);
        for step in 1..MAX_TERMS {
            term *= x / (a + f64::from(step));
            sum += term;
            if term < sum * PRECISION {
                break;
            }
        }
        return (1.0 - factor * sum).clamp(0.0, 1.0);
    }
    // The method of Lentz.
    let mut b = x + 1.0 - a;
    let (mut c, mut d) = (1.0 / f64::MIN_POSITIVE, 1.0 / b);
    let mut value = d;
    for step in 1..MAX_TERMS {
        let step = f64::from(step);
        let coefficient = -step * (step - a);
        b += 2.0;
        let nonzero = |value: f64| if value.abs() < f64::MIN_POSITIVE { f64::MIN_POSITIVE } else { value };
        d = 1.0 / nonzero(coefficient * d + b);
        c = nonzero(b + coefficient / c);
        value *= d * c;
        if (d * c - 1.0).abs() < PRECISION {
            break;
        }
    }
    (factor * value).clamp(0.0, 1.0)
}

/// Fisher's exact test, one-sided: the probability of at least `found` among `of`, if `all_found` among `all` are spread by chance.
#[must_use]
pub fn more_than_chance(found: u64, of: u64, all_found: u64, all: u64) -> f64 {
    let choose = |n: u64, k: u64| {
        let gamma = |value: u64| libm::lgamma(value as f64 + 1.0);
        gamma(n) - gamma(k) - gamma(n - k)
    };
    let most = of.min(all_found);
    let least = (of + all_found).saturating_sub(all);
    let ways = |k: u64| (choose(all_found, k) + choose(all - all_found, of - k) - choose(all, of)).exp();
    (found.max(least)..=most).map(ways).sum::<f64>().clamp(0.0, 1.0)
}

/// Probabilities of several tests, each so much larger that the least of them means what it would mean alone (S. Holm, Scandinavian Journal of
/// Statistics 6, 1979).
#[must_use]
pub fn corrected(probabilities: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..probabilities.len()).collect();
    order.sort_by(|&one, &other| probabilities[one].total_cmp(&probabilities[other]));
    let (mut corrected, mut least) = (vec![1.0; probabilities.len()], 0.0_f64);
    for (place, test) in order.into_iter().enumerate() {
        least = least.max((probabilities.len() - place) as f64 * probabilities[test]).min(1.0);
        corrected[test] = least;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;
    use kroo::game::split_mix;

    #[test]
    fn the_tail_is_that_of_the_tables() {
        // Critical values as in any table of the distribution.
        for (degrees, value, probability) in [
            (1, 3.841_459, 0.05),
            (2, 5.991_465, 0.05),
            (4, 9.487_729, 0.05),
            (4, 18.466_83, 0.001),
            (3, 0.351_846, 0.95),
        ] {
            let found = ChiSquare { value, degrees }.probability();
            assert!((found - probability).abs() < 1e-7, "{degrees} {value}: {found}");
        }
        // With two degrees of freedom it is an exponential function.
        for value in [1e-9, 0.5, 2.0, 3.9, 4.1, 50.0, 700.0] {
            let found = ChiSquare { value, degrees: 2 }.probability();
            assert!((found / (-value / 2.0).exp() - 1.0).abs() < 1e-11, "{value}: {found}");
        }
        assert_eq!(ChiSquare { value: 0.0, degrees: 3 }.probability(), 1.0);
        assert_eq!(ChiSquare { value: 1e6, degrees: 3 }.probability(), 0.0);
    }

    /// The slow truth for one stratum.
    fn pearson(sample: [u64; 5], rest: [u64; 5]) -> f64 {
        let (of, others) = (sample.iter().sum::<u64>() as f64, rest.iter().sum::<u64>() as f64);
        let all = of + others;
        let cells = sample.iter().map(|&one| (one, of)).zip(rest.iter().map(|&one| (one, others)));
        cells
            .flat_map(|(one, other)| {
                let total = (one.0 + other.0) as f64;
                [one, other]
                    .map(|(count, row)| (count as f64 - row * total / all).powi(2) / (row * total / all))
            })
            .sum()
    }

    #[test]
    fn with_one_stratum_it_is_that_of_pearson() {
        for (sample, rest) in
            [([10, 20, 30, 20, 10], [30, 25, 90, 40, 9]), ([8, 9, 10, 11, 50], [60, 70, 80, 90, 95])]
        {
            let all = std::array::from_fn(|one| sample[one] + rest[one]);
            let mut association = Association::default();
            association.add(sample, all);
            let found = association.chi_square().expect("enough pairs");
            let whole = all.iter().sum::<u64>() as f64;
            assert_eq!(found.degrees, 4);
            assert!((found.value - pearson(sample, rest) * (whole - 1.0) / whole).abs() < 1e-9, "{found:?}");
        }
    }

    #[test]
    fn rare_categories_are_joined_and_too_few_games_are_not_tested() {
        let test = |sample: [u64; 5], all: [u64; 5]| {
            let mut association = Association::default();
            association.add(sample, all);
            association.chi_square().map(|found| found.degrees)
        };
        assert_eq!(test([0, 1, 20, 20, 1], [0, 3, 60, 60, 3]), Some(1));
        assert_eq!(test([0, 0, 30, 0, 0], [0, 0, 60, 0, 0]), None);
        assert_eq!(test([1, 1, 1, 1, 1], [9, 9, 9, 9, 9]), None);
        // Whoever has played everything cannot be compared with others.
        assert_eq!(test([20; 5], [20; 5]), None);
    }

    /// A stratum in which one sample is more lucky than the others.
    fn random_counts(state: &mut u64, pairs: u64, better: u64) -> [u64; 5] {
        let mut counts = [0; 5];
        for _ in 0..pairs {
            let half = |state: &mut u64| (split_mix(state) % (100 + better)).min(99) / 34;
            counts[(half(state) + half(state)) as usize] += 1;
        }
        counts
    }

    #[test]
    fn chance_is_called_chance_as_often_as_it_says() {
        let (mut state, mut called, rounds) = (7, 0, 2_000);
        for _ in 0..rounds {
            let mut association = Association::default();
            // Two strata that differ from each other.
            for better in [0, 60] {
                let (sample, rest) =
                    (random_counts(&mut state, 60, better), random_counts(&mut state, 240, better));
                association.add(sample, std::array::from_fn(|one| sample[one] + rest[one]));
            }
            called += u32::from(association.chi_square().expect("enough pairs").probability() < 0.05);
        }
        // 5 % of 2,000 are 100, with a standard deviation of 10.
        assert!((60..=140).contains(&called), "{called}");
    }

    #[test]
    fn one_that_is_better_is_found() {
        let mut state = 3;
        let (sample, rest) = (random_counts(&mut state, 100, 80), random_counts(&mut state, 400, 0));
        let mut association = Association::default();
        association.add(sample, std::array::from_fn(|one| sample[one] + rest[one]));
        assert!(association.chi_square().expect("enough pairs").probability() < 1e-6);
    }

    #[test]
    fn the_exact_test_counts_all_ways() {
        // The lady tasting tea: 4 of 4 right by chance 1 time in 70, at least 3 of 4 right 17 times.
        assert!((more_than_chance(4, 4, 4, 8) - 1.0 / 70.0).abs() < 1e-12);
        assert!((more_than_chance(3, 4, 4, 8) - 17.0 / 70.0).abs() < 1e-12);
        assert!((more_than_chance(0, 10, 3, 100) - 1.0).abs() < 1e-9);
        assert!((more_than_chance(0, 0, 0, 5) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn many_tests_need_more_evidence() {
        assert_eq!(corrected(&[0.5, 0.01, 0.02]), [0.5, 0.03, 0.04]);
        assert_eq!(corrected(&[0.9, 0.6]), [1.0, 1.0]);
        assert!(corrected(&[]).is_empty());
    }
}
