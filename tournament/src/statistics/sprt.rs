//! A sequential probability ratio test (A. Wald, 1945): is an engine better by `elo1` (H1) or by `elo0` (H0)?
//!
//! After each result the logarithm of the ratio of both likelihoods is set against two bounds, and the match ends when
//! it reaches one of them. A patch that is worth nothing is found out after a few hundred games, and the errors are as
//! rare as was asked for, however often one looks.

use super::NORMALISED;
use super::likelihood::Sample;
use serde::{Deserialize, Serialize};
use std::f64::consts::SQRT_2;
use std::fmt;
use std::str::FromStr;

/// The largest difference in Elo that a hypothesis may name.
pub const MOST_ELO: f64 = 200.0;
/// What stands for a result that was never seen, so that no hypothesis is ruled out by it.
const NEVER: f64 = 1e-3;
/// What the classical test adds to each count to the same end.
const PRIOR: f64 = 0.5;

/// The least probability of a result, where almost nothing but draws makes BayesElo boundless.
const LEAST: f64 = 1e-9;

macro_rules! models {
    ($($(#[$doc:meta])* $model:ident, $name:literal, $unit:literal;)*) => {
        /// What is meant by a difference in Elo.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum EloModel { $($(#[$doc])* $model),* }

        impl EloModel {
            /// All models.
            pub const ALL: &[EloModel] = &[$(EloModel::$model),*];

            /// The name on the command line.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(EloModel::$model => $name),* }
            }

            /// What `elo0` and `elo1` are measured in.
            #[must_use]
            pub const fn unit(self) -> &'static str {
                match self { $(EloModel::$model => $unit),* }
            }
        }
    };
}

models! {
    /// The distance of the score from ½ in standard deviations of a game: the number of games that a test needs does
    /// not depend on the share of draws. By pairs.
    Normalized, "normalized", "nElo";
    /// What the mean score shows. By pairs.
    Logistic, "logistic", "Elo";
    /// Elo of R. Coulom's BayesElo, for the share of draws that was seen, as a hypothesis on the mean score. By games.
    Bayesian, "bayesian", "BayesElo";
    /// The test of older match runners: the probabilities of BayesElo themselves are the hypotheses, at a difference
    /// that is given in logistic Elo. By games.
    Classical, "classical", "Elo";
}

/// A name that is no model's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the models are {}", EloModel::ALL.iter().map(|model| model.name()).collect::<Vec<_>>().join(", "))]
pub struct UnknownEloModel;

impl FromStr for EloModel {
    type Err = UnknownEloModel;

    fn from_str(text: &str) -> Result<EloModel, UnknownEloModel> {
        EloModel::ALL.iter().copied().find(|model| model.name() == text).ok_or(UnknownEloModel)
    }
}

/// Two hypotheses, and how often each may be taken for the other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: EloModel,
}

/// Why two hypotheses cannot be tested.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// A difference that is too large.
    #[error("elo0 and elo1 must lie from -{MOST_ELO} to {MOST_ELO}")]
    Elo,
    /// The hypotheses are the same, or the wrong way round.
    #[error("elo0 must be less than elo1")]
    Order,
    /// An error that is no probability.
    #[error("alpha and beta must lie between 0 and 1, and add up to less than 1")]
    Errors,
}

/// What a test has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprtDecision {
    /// H1: the engine is better by `elo1`.
    AcceptH1,
    /// H0: it is not.
    AcceptH0,
    /// It takes more games to tell.
    Continue,
}

impl SprtDecision {
    /// In one word.
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

/// Where a test stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SprtStatus {
    /// The logarithm of how many times likelier H1 has made the results than H0.
    pub llr: f64,
    /// H0 is taken when it is this or less.
    pub lower: f64,
    /// H1 is taken when it is this or more.
    pub upper: f64,
    /// What that comes to.
    pub verdict: SprtDecision,
}

impl SprtStatus {
    /// Whether one of the hypotheses has been taken.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.verdict != SprtDecision::Continue
    }

    /// How far it is to the bound on its side, from -1 to 1 and beyond.
    #[must_use]
    pub fn progress(&self) -> f64 {
        if self.llr < 0.0 { -self.llr / self.lower } else { self.llr / self.upper }
    }
}

impl Sprt {
    /// The probability of either error if nobody says otherwise.
    pub const ERROR: f64 = 0.05;

    /// A test. `alpha` is the probability of taking H1 where H0 holds, `beta` that of taking H0 where H1 holds.
    ///
    /// # Errors
    /// If the hypotheses or the errors are none.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: EloModel) -> Result<Sprt, SprtError> {
        if [elo0, elo1].iter().any(|elo| !elo.is_finite() || elo.abs() > MOST_ELO) {
            return Err(SprtError::Elo);
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order);
        }
        // Written so that what is no number is refused, too.
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(SprtError::Errors);
        }
        Ok(Sprt { elo0, elo1, alpha, beta, model })
    }

    /// The difference under H0, in the model's units.
    #[must_use]
    pub fn elo0(&self) -> f64 {
        self.elo0
    }

    /// The difference under H1, in the model's units.
    #[must_use]
    pub fn elo1(&self) -> f64 {
        self.elo1
    }

    /// The probability of taking H1 where H0 holds.
    #[must_use]
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// The probability of taking H0 where H1 holds.
    #[must_use]
    pub fn beta(&self) -> f64 {
        self.beta
    }

    /// What is meant by Elo.
    #[must_use]
    pub fn model(&self) -> EloModel {
        self.model
    }

    /// The bounds, ln(β/(1−α)) and ln((1−β)/α).
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// Where the test stands after these games (losses, draws, wins) and the complete pairs among them; the model says
    /// which of the two is looked at.
    #[must_use]
    pub fn trial(&self, games: [u64; 3], pairs: [u64; 5]) -> SprtStatus {
        self.at(self.llr_of_pairs(pairs).unwrap_or_else(|| self.llr_of_games(games)))
    }

    /// Where the test stands at a ratio of likelihoods.
    #[must_use]
    pub fn at(&self, llr: f64) -> SprtStatus {
        let (lower, upper) = self.bounds();
        let verdict = match llr {
            _ if llr >= upper => SprtDecision::AcceptH1,
            _ if llr <= lower => SprtDecision::AcceptH0,
            _ => SprtDecision::Continue,
        };
        SprtStatus { llr, lower, upper, verdict }
    }

    /// The logarithm of the ratio of likelihoods by pairs of games that brought 0, ½, 1, 1½ and 2 points; `None` if the
    /// model knows of single games only.
    #[must_use]
    pub fn llr_of_pairs(&self, pairs: [u64; 5]) -> Option<f64> {
        match self.model {
            EloModel::Bayesian | EloModel::Classical => None,
            EloModel::Normalized | EloModel::Logistic if pairs == [0; 5] => Some(0.0),
            EloModel::Normalized => Some(self.by_advantage(&Sample::new(pairs, NEVER), SQRT_2)),
            EloModel::Logistic => Some(self.by_score(&Sample::new(pairs, NEVER))),
        }
    }

    /// The logarithm of the ratio of likelihoods by single games: losses, draws, wins. Without any it is 0.
    #[must_use]
    pub fn llr_of_games(&self, games: [u64; 3]) -> f64 {
        let sample = Sample::new(games, NEVER);
        match self.model {
            _ if games == [0; 3] => 0.0,
            EloModel::Normalized => self.by_advantage(&sample, 1.0),
            EloModel::Logistic => self.by_score(&sample),
            // How often draws are to be expected cannot be told before either engine has won.
            EloModel::Bayesian if games[0] == 0 || games[2] == 0 => 0.0,
            EloModel::Bayesian => {
                let draws = draw_elo(sample.shares());
                let mean = |elo| {
                    let [_, draw, win] = bayesian(elo, draws);
                    sample.with_mean(win + draw / 2.0)
                };
                sample.log_ratio(mean(self.elo1), mean(self.elo0))
            }
            EloModel::Classical => {
                let sample = Sample::of(games.map(|count| count as f64 + PRIOR));
                let draws = draw_elo(sample.shares());
                // Near 0 a difference in Elo is so many times one in BayesElo.
                let x = 10_f64.powf(-draws / 400.0);
                let scale = 4.0 * x / (1.0 + x).powi(2);
                sample.log_ratio(bayesian(self.elo1 / scale, draws), bayesian(self.elo0 / scale, draws))
            }
        }
    }

    fn by_score<const N: usize>(&self, sample: &Sample<N>) -> f64 {
        sample.log_ratio(sample.with_mean(expected(self.elo1)), sample.with_mean(expected(self.elo0)))
    }

    /// A pair's score has `spread` times the advantage of a game's in standard deviations.
    fn by_advantage<const N: usize>(&self, sample: &Sample<N>, spread: f64) -> f64 {
        let found = |elo: f64| sample.with_advantage(elo / NORMALISED * spread);
        sample.log_ratio(found(self.elo1), found(self.elo0))
    }
}

/// The score that a difference in Elo leads to.
fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// BayesElo: probabilities of a loss, a draw and a win, of which none is nothing.
fn bayesian(elo: f64, draw_elo: f64) -> [f64; 3] {
    let (loss, win) = (expected(-elo - draw_elo), expected(elo - draw_elo));
    // The same as what the other two leave, without the error of a small difference.
    let draw = loss * win * (10_f64.powf(draw_elo / 200.0) - 1.0);
    [loss, draw, win].map(|probability| probability.max(LEAST))
}

/// The advantage of a draw that BayesElo reads off shares of losses, draws and wins.
fn draw_elo([loss, _, win]: [f64; 3]) -> f64 {
    200.0 * ((1.0 - loss) / loss * (1.0 - win) / win).log10()
}
