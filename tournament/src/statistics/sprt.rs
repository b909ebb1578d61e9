//! The sequential probability ratio test, SPRT: is an engine better by `elo1` (H1) or by `elo0` (H0)?
//!
//! After each result the logarithm of the likelihood ratio of the two hypotheses, the LLR, is compared with two bounds, and the
//! match ends when it reaches one of them (A. Wald, "Sequential Tests of Statistical Hypotheses", Annals of Mathematical
//! Statistics 16, 1945). The errors are as rare as was asked for, although one looks after every result.
//!
//! A hypothesis about Elo does not say how often draws occur. So each hypothesis is represented by its most likely distribution:
//! the generalised SPRT (X. Li, J. Liu and Z. Ying, "Generalized Sequential Probability Ratio Test for Separate Families of
//! Hypotheses", Sequential Analysis 33, 2014; for game results M. Van den Bergh, see [`likelihood`](super::likelihood)).

use super::estimate::NELO_PER_DEVIATION;
use super::likelihood::Sample;
use serde::{Deserialize, Serialize};
use std::f64::consts::SQRT_2;
use std::fmt;
use std::str::FromStr;

/// The largest difference that a hypothesis may name, in Elo of its model.
pub const MAX_ELO: f64 = 200.0;
/// The count of an unseen category, which keeps every hypothesis possible. The usual value of match runners.
const UNSEEN: f64 = 1e-3;
/// The classical test's addition to each count for the same reason, as in cutechess-cli; the test by BayesElo adds it only until
/// both engines have won a game.
const HALF_A_RESULT: f64 = 0.5;
/// With fewer games a test by BayesElo waits until both engines have won one.
const FEW_GAMES: u64 = 30;
/// The share of its bound from which an LLR allows an estimate of a test's length, and the least number of games.
const LEAST_SHARE: f64 = 0.2;
const LEAST_GAMES: u64 = 20;
/// The smallest probability of a result in the model of BayesElo, which has no bound if almost all games are drawn.
const MIN_PROBABILITY: f64 = 1e-9;

macro_rules! models {
    ($($(#[$doc:meta])* $model:ident, $name:literal, $unit:literal;)*) => {
        /// The meaning of a difference in Elo.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum EloModel { $($(#[$doc])* $model),* }

        impl EloModel {
            pub const ALL: &[EloModel] = &[$(EloModel::$model),*];

            /// Its name on the command line.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(EloModel::$model => $name),* }
            }

            /// The unit of `elo0` and `elo1`.
            #[must_use]
            pub const fn unit(self) -> &'static str {
                match self { $(EloModel::$model => $unit),* }
            }
        }
    };
}

models! {
    /// Normalised Elo: the distance of the mean score from ½ in standard deviations of a game. With it the number of games that a
    /// test needs does not depend on the share of draws. Counts pairs.
    Normalized, "normalized", "nElo";
    /// Elo of the mean score. Counts pairs.
    Logistic, "logistic", "Elo";
    /// Elo of the program BayesElo (R. Coulom, 2005) at the share of draws that was seen; the hypothesis is about the mean score.
    /// Counts games.
    Bayesian, "bayesian", "BayesElo";
    /// The test of older match runners, such as cutechess-cli: the hypotheses are the probabilities of BayesElo themselves, at
    /// a difference in logistic Elo. Counts games.
    Classical, "classical", "Elo";
}

impl FromStr for EloModel {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<EloModel, &'static str> {
        let found = EloModel::ALL.iter().copied().find(|model| model.name() == text);
        found.ok_or("the models are normalized, logistic, bayesian, classical")
    }
}

/// Two hypotheses, and how often a wrong one may be accepted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The difference under H0, in the unit of the model.
    pub elo0: f64,
    /// The difference under H1.
    pub elo1: f64,
    /// The probability of accepting H1 although H0 holds.
    pub alpha: f64,
    /// The probability of accepting H0 although H1 holds.
    pub beta: f64,
    pub model: EloModel,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum SprtDecision {
    /// H1 is accepted: the engine is better by `elo1`.
    #[serde(rename = "accepted")]
    AcceptH1,
    /// H0 is accepted, and H1 rejected.
    #[serde(rename = "rejected")]
    AcceptH0,
    /// Nothing yet: more games are needed.
    #[serde(rename = "inconclusive")]
    Continue,
}

impl SprtDecision {
    /// The decision about H1 in one word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            SprtDecision::AcceptH1 => "accepted",
            SprtDecision::AcceptH0 => "rejected",
            SprtDecision::Continue => "inconclusive",
        }
    }
}

impl fmt::Display for SprtDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The state of an SPRT.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtStatus {
    /// The logarithm of the likelihood ratio, H1 over H0.
    pub llr: f64,
    /// H0 is accepted at this or less.
    pub lower: f64,
    /// H1 is accepted at this or more.
    pub upper: f64,
    #[serde(rename = "verdict")]
    pub decision: SprtDecision,
}

impl SprtStatus {
    /// Whether one of the hypotheses has been accepted.
    pub fn is_decided(&self) -> bool {
        self.decision != SprtDecision::Continue
    }

    /// Whether the LLR has reached a bound: a match may have reasons to decide nothing all the same.
    pub fn is_at_bound(&self) -> bool {
        self.llr <= self.lower || self.llr >= self.upper
    }

    /// About how many games are missing after `games`, if the LLR goes on as before: towards the bound on its side, in equal steps.
    /// `None` while it says little.
    pub fn games_left(&self, games: u64) -> Option<f64> {
        let share = self.progress().abs();
        (share >= LEAST_SHARE && games >= LEAST_GAMES).then(|| games as f64 * (1.0 / share - 1.0).max(0.0))
    }

    /// The LLR as a share of the bound on its side, from -1 to 1 and beyond.
    pub fn progress(&self) -> f64 {
        if self.llr < 0.0 { -self.llr / self.lower } else { self.llr / self.upper }
    }
}

impl Sprt {
    /// The default of `alpha` and of `beta`.
    pub const ERROR: f64 = 0.05;

    /// Whether these are two hypotheses, and the errors probabilities.
    pub fn check(&self) -> Result<(), &'static str> {
        if [self.elo0, self.elo1].iter().any(|elo| !elo.is_finite() || elo.abs() > MAX_ELO) {
            return Err("elo0 and elo1 must lie from -200 to 200");
        }
        if self.elo0 >= self.elo1 {
            return Err("elo0 must be less than elo1");
        }
        // Written such that NaN is refused, too.
        if !(self.alpha > 0.0 && self.beta > 0.0 && self.alpha + self.beta < 1.0) {
            return Err("alpha and beta must lie between 0 and 1, and add up to less than 1");
        }
        Ok(())
    }

    /// Wald's bounds of the LLR, ln(β/(1−α)) and ln((1−β)/α).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The state after these games (losses, draws, wins) and the complete pairs among them. The model says which of the two
    /// counts.
    pub fn status(&self, games: [u64; 3], pairs: [u64; 5]) -> SprtStatus {
        self.status_at(self.llr_of_pairs(pairs).unwrap_or_else(|| self.llr_of_games(games)))
    }

    /// The state at this LLR.
    pub fn status_at(&self, llr: f64) -> SprtStatus {
        let (lower, upper) = self.bounds();
        let decision = match llr {
            _ if llr >= upper => SprtDecision::AcceptH1,
            _ if llr <= lower => SprtDecision::AcceptH0,
            _ => SprtDecision::Continue,
        };
        SprtStatus { llr, lower, upper, decision }
    }

    /// The LLR of pairs of games that brought 0, ½, 1, 1½ and 2 points; `None` if the model counts single games only.
    pub fn llr_of_pairs(&self, pairs: [u64; 5]) -> Option<f64> {
        match self.model {
            EloModel::Bayesian | EloModel::Classical => None,
            EloModel::Normalized | EloModel::Logistic if pairs == [0; 5] => Some(0.0),
            EloModel::Normalized => Some(self.by_t_value(&Sample::new(pairs, UNSEEN), SQRT_2)),
            EloModel::Logistic => Some(self.by_mean(&Sample::new(pairs, UNSEEN))),
        }
    }

    /// The LLR of single games: losses, draws, wins. Without any it is 0.
    pub fn llr_of_games(&self, games: [u64; 3]) -> f64 {
        let sample = Sample::new(games, UNSEEN);
        let one_sided = games[0] == 0 || games[2] == 0;
        match self.model {
            _ if games == [0; 3] => 0.0,
            EloModel::Normalized => self.by_t_value(&sample, 1.0),
            EloModel::Logistic => self.by_mean(&sample),
            // Before both engines have won a game, the share of draws can only be estimated with a prior, and from few games
            // not even so.
            EloModel::Bayesian if one_sided && games.iter().sum::<u64>() < FEW_GAMES => 0.0,
            EloModel::Bayesian => {
                let sample = if one_sided { Sample::of(games.map(with_prior)) } else { sample };
                let draws = draw_elo(sample.shares());
                let mean = |elo| {
                    let [_, draw, win] = bayesian(elo, draws);
                    sample.with_mean(win + draw / 2.0)
                };
                sample.log_likelihood_ratio(mean(self.elo1), mean(self.elo0))
            }
            EloModel::Classical => {
                let sample = Sample::of(games.map(with_prior));
                let draws = draw_elo(sample.shares());
                // The slope of logistic Elo over BayesElo at 0.
                let x = 10_f64.powf(-draws / 400.0);
                let slope = 4.0 * x / (1.0 + x).powi(2);
                let probabilities = |elo: f64| bayesian(elo / slope, draws);
                sample.log_likelihood_ratio(probabilities(self.elo1), probabilities(self.elo0))
            }
        }
    }

    fn by_mean<const N: usize>(&self, sample: &Sample<N>) -> f64 {
        let found = |elo: f64| sample.with_mean(expected_score(elo));
        sample.log_likelihood_ratio(found(self.elo1), found(self.elo0))
    }

    /// A unit's score has `factor` times a game's distance from ½ in standard deviations: √2 for pairs of games.
    fn by_t_value<const N: usize>(&self, sample: &Sample<N>, factor: f64) -> f64 {
        let found = |elo: f64| sample.with_t_value(elo / NELO_PER_DEVIATION * factor);
        sample.log_likelihood_ratio(found(self.elo1), found(self.elo0))
    }
}

/// A count of results with half a result that was not seen.
fn with_prior(count: u64) -> f64 {
    count as f64 + HALF_A_RESULT
}

/// The expected score at a difference in Elo.
fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The model of BayesElo: the probabilities of a loss, a draw and a win, all above 0.
fn bayesian(elo: f64, draw_elo: f64) -> [f64; 3] {
    let (loss, win) = (expected_score(-elo - draw_elo), expected_score(elo - draw_elo));
    // This is 1 − loss − win, without the error of a small difference.
    let draw = loss * win * (10_f64.powf(draw_elo / 200.0) - 1.0);
    [loss, draw, win].map(|probability| probability.max(MIN_PROBABILITY))
}

/// The parameter of BayesElo for draws, in Elo, from the shares of losses, draws and wins.
fn draw_elo([loss, _, win]: [f64; 3]) -> f64 {
    200.0 * ((1.0 - loss) / loss * (1.0 - win) / win).log10()
}
