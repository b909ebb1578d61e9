//! Ratings of many engines at once.

use kroo::game::split_mix;
use kroo_referee::statistics::distributions::Z_95;
use kroo_referee::statistics::{HeadToHeadScore, Ratings};
use proptest::prelude::*;

fn meeting(first: usize, second: usize, pairs: [u64; 5]) -> HeadToHeadScore {
    let games = 2 * pairs.iter().sum::<u64>();
    let half_points: u64 = (0..).zip(pairs).map(|(points, count): (u64, u64)| points * count).sum();
    HeadToHeadScore { first, second, games, points: half_points as f64 / 2.0, pairs }
}

fn elo(ratings: &Ratings, engine: usize) -> f64 {
    ratings.engines[engine].unwrap().elo
}

#[test]
fn of_two_it_is_the_difference_that_the_score_shows() {
    let ratings = Ratings::new(2, &[meeting(0, 1, [10, 20, 40, 50, 30])]);
    let score: f64 = (20.0 + 80.0 + 150.0 + 120.0) / 600.0;
    let expected = -400.0 * (1.0 / score - 1.0).log10();
    let lead = elo(&ratings, 0) - elo(&ratings, 1);
    // The prior, a drawn game of each against the mean, draws them together a little.
    assert!((0.99 * expected..expected).contains(&lead), "{lead} {expected}");
    assert!((elo(&ratings, 0) + elo(&ratings, 1)).abs() < 1e-9);
}

#[test]
fn each_scores_what_is_expected_of_it() {
    let meetings = [
        meeting(0, 1, [3, 5, 9, 8, 6]),
        meeting(0, 2, [1, 2, 5, 9, 12]),
        meeting(1, 2, [4, 4, 4, 7, 9]),
        meeting(3, 1, [5, 1, 1, 1, 0]),
    ];
    let ratings = Ratings::new(4, &meetings);
    // At the summit of the likelihood the points of each are those expected by the ratings, and those of its game against an
    // engine of the mean rating, which moves with all of them.
    let prior = |engine: usize| 1.0 / (1.0 + 10_f64.powf(-elo(&ratings, engine) / 400.0)) - 0.5;
    let mean = (0..4).map(prior).sum::<f64>() / 4.0;
    for engine in 0..4 {
        let (mut scored, mut expected) = (0.0, 0.0);
        for one in &meetings {
            let games = one.games as f64;
            let share =
                1.0 / (1.0 + 10_f64.powf((elo(&ratings, one.second) - elo(&ratings, one.first)) / 400.0));
            if one.first == engine {
                (scored, expected) = (scored + one.points, expected + games * share);
            } else if one.second == engine {
                (scored, expected) = (scored + games - one.points, expected + games * (1.0 - share));
            }
        }
        let by_prior = prior(engine) - mean;
        assert!((scored - expected - by_prior).abs() < 1e-6, "{engine}: {scored} {expected} {by_prior}");
    }
}

#[test]
fn perfect_scores_and_groups_that_never_meet_have_an_answer_that_says_so() {
    let everything_won = [meeting(0, 1, [0, 0, 0, 0, 9]), meeting(1, 2, [1, 2, 3, 2, 1])];
    let ratings = Ratings::new(3, &everything_won);
    assert!(elo(&ratings, 0) > 200.0 && elo(&ratings, 0) < 2_000.0, "{ratings:?}");
    let strangers = Ratings::new(5, &[meeting(0, 1, [1, 2, 3, 2, 1]), meeting(2, 3, [0, 2, 3, 2, 1])]);
    assert!(strangers.engines[4].is_none());
    assert!(strangers.engines.iter().flatten().all(|rating| rating.elo.is_finite() && rating.error > 0.0));
    assert_eq!(Ratings::new(2, &[]).engines, [None, None]);
}

#[test]
fn no_rating_jumps_at_somebody_s_first_loss() {
    // The winner of all games loses half a pair, or a whole one: its rating falls, but not abruptly.
    for won in 1..200 {
        let rating = |pairs| {
            let ratings = Ratings::new(3, &[meeting(0, 1, pairs), meeting(1, 2, [1, 2, 3, 2, 1])]);
            elo(&ratings, 0)
        };
        let (before, half, after) =
            (rating([0, 0, 0, 0, won]), rating([0, 0, 1, 0, won]), rating([1, 0, 0, 0, won]));
        assert!(after < half && half < before, "{won}: {before} {half} {after}");
        assert!(before - half < 250.0, "{won}: {before} {half}");
    }
}

/// Of two engines the variance of a strength is half of 1 / (2w + p), where w is the weight of their games and p that of the
/// prior's; it is multiplied by the dispersion of the pairs.
#[test]
fn errors_of_two_engines_are_those_of_the_formula() {
    let elo_per_logit = 400.0 / std::f64::consts::LN_10;
    let weight = |logit: f64| 1.0 / (1.0 + (-logit).exp()) / (1.0 + logit.exp());
    for pairs in
        [[25, 0, 50, 0, 25], [0, 0, 100, 0, 0], [10, 20, 40, 20, 10], [0, 1, 2, 7, 90], [0, 0, 0, 0, 1]]
    {
        let ratings = Ratings::new(2, &[meeting(0, 1, pairs)]);
        let (strength, count) = (elo(&ratings, 0) / elo_per_logit, pairs.iter().sum::<u64>() as f64);
        let (expected, of_a_game) = (1.0 / (1.0 + (-2.0 * strength).exp()), weight(2.0 * strength));
        let off = |points: usize| (points as f64 / 4.0 - expected).powi(2) / (of_a_game / 2.0);
        let spread: f64 = pairs.iter().enumerate().map(|(points, &count)| count as f64 * off(points)).sum();
        let dispersion = (1.0 + spread) / count;
        let variance = 0.5 / (2.0 * 2.0 * count * of_a_game + weight(strength));
        let error = Z_95 * elo_per_logit * (dispersion * variance).sqrt();
        for rating in ratings.engines.iter().flatten() {
            assert!((rating.error - error).abs() < 1e-6 * error, "{pairs:?}: {rating:?}, {error}");
        }
    }
    let even = Ratings::new(2, &[meeting(0, 1, [25, 0, 50, 0, 25])]);
    assert!(
        even.engines
            .iter()
            .flatten()
            .all(|rating| rating.elo.abs() < 1e-9 && (rating.error - 24.165_506).abs() < 1e-3)
    );
}

/// Games that repeat others do not count.
#[test]
fn an_engine_without_a_game_that_counts_has_no_rating() {
    let ratings = Ratings::new(3, &[meeting(0, 1, [1, 2, 3, 2, 1]), meeting(1, 2, [0; 5])]);
    assert!(ratings.engines[1].is_some() && ratings.engines[2].is_none(), "{ratings:?}");
    let one_game = HeadToHeadScore { games: 1, points: 1.0, ..meeting(0, 1, [0; 5]) };
    assert!(elo(&Ratings::new(2, &[one_game]), 0) > 0.0);
}

/// A pair of games between engines whose strengths are known; some games are drawn.
fn drawn(lead: f64, state: &mut u64) -> usize {
    let expected = 1.0 / (1.0 + 10_f64.powf(-lead / 400.0));
    let game = |state: &mut u64| {
        let draw = 0.5 * expected.min(1.0 - expected);
        let chance = split_mix(state) as f64 / u64::MAX as f64;
        // A draw takes as much from wins as from losses.
        match chance {
            _ if chance < expected - draw / 2.0 => 2,
            _ if chance < expected + draw / 2.0 => 1,
            _ => 0,
        }
    };
    game(state) + game(state)
}

#[test]
fn errors_hold_the_truth_about_as_often_as_they_say() {
    const TRUTH: [f64; 4] = [120.0, 30.0, -40.0, -110.0];
    let (mut state, mut within, mut all) = (4, 0, 0);
    for _ in 0..250 {
        let mut meetings = Vec::new();
        for first in 0..4 {
            for second in first + 1..4 {
                let mut pairs = [0; 5];
                (0..40).for_each(|_| pairs[drawn(TRUTH[first] - TRUTH[second], &mut state)] += 1);
                meetings.push(meeting(first, second, pairs));
            }
        }
        let ratings = Ratings::new(4, &meetings);
        for (rating, truth) in ratings.engines.iter().flatten().zip(TRUTH) {
            within += u32::from((rating.elo - truth).abs() <= rating.error);
            all += 1;
        }
    }
    let share = f64::from(within) / f64::from(all);
    assert!((0.92..0.98).contains(&share), "{share}");
}

proptest! {
    #[test]
    fn ratings_are_always_numbers(
        counts in prop::collection::vec((0..5_usize, 0..5_usize, prop::array::uniform5(prop_oneof![Just(0), 0..2000_u64])), 0..12)
    ) {
        let meetings: Vec<HeadToHeadScore> =
            counts.into_iter().filter(|(one, other, _)| one != other).map(|(one, other, pairs)| meeting(one, other, pairs)).collect();
        let ratings = Ratings::new(5, &meetings);
        for rating in ratings.engines.iter().flatten() {
            prop_assert!(rating.elo.is_finite() && rating.error.is_finite() && rating.error >= 0.0, "{:?}", ratings);
        }
        let played: Vec<f64> = ratings.engines.iter().flatten().map(|rating| rating.elo).collect();
        prop_assert!(played.iter().sum::<f64>().abs() < 1e-3);
    }
}
