//! A test and its result: a line of the history.

use crate::exit;
use crate::plan::MatchPlan;
use crate::results::{Fault, Summary};
use crate::statistics::{Elo, Sprt, SprtDecision};
use serde::{Deserialize, Serialize};

/// The version of a record. A field more is no new version; one that means something else is.
pub const SCHEMA: u32 = 1;

/// A match that has ended.
#[derive(Clone, Debug)]
pub struct PlayedMatch {
    /// The plan.
    pub plan: MatchPlan,
    /// The results.
    pub summary: Summary,
    /// The exit status of a referee that had played nothing else.
    pub status: u8,
}

/// The verdict of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// H1 is accepted.
    Accepted,
    /// H1 is rejected.
    Rejected,
    /// All games were played, and nothing is decided.
    Inconclusive,
    /// All games were played, without a sequential test.
    Played,
    /// It was interrupted, and can be continued.
    Interrupted,
    /// An engine has broken the match.
    Broken,
}

impl Verdict {
    /// In one word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Accepted => "accepted",
            Verdict::Rejected => "rejected",
            Verdict::Inconclusive => "inconclusive",
            Verdict::Played => "played",
            Verdict::Interrupted => "interrupted",
            Verdict::Broken => "broken",
        }
    }

    /// The exit status of a test, as of a match.
    pub(super) const fn exit_status(self) -> u8 {
        match self {
            Verdict::Accepted | Verdict::Played => 0,
            Verdict::Rejected => exit::REJECTED,
            Verdict::Inconclusive | Verdict::Interrupted => exit::INCONCLUSIVE,
            Verdict::Broken => exit::BROKEN,
        }
    }

    fn of(played: &PlayedMatch) -> Verdict {
        let decision = played.summary.sprt.map(|status| status.decision);
        match decision {
            _ if played.summary.broken.is_some() => Verdict::Broken,
            Some(SprtDecision::AcceptH1) => Verdict::Accepted,
            Some(SprtDecision::AcceptH0) => Verdict::Rejected,
            _ if played.summary.games < played.plan.games() => Verdict::Interrupted,
            Some(SprtDecision::Continue) => Verdict::Inconclusive,
            None => Verdict::Played,
        }
    }
}

/// A commit, and the program that it was built to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideRecord {
    /// As it was given.
    pub revision: String,
    /// The commit; of a working tree with changes one that no branch leads to.
    pub commit: String,
    /// Its name in tables.
    pub short: String,
    /// The first line of its message.
    pub subject: String,
    /// The content of its tree, as git names it.
    pub tree: String,
    /// The content of the program, as git names it.
    pub content: String,
    /// The signature, if it was asked for.
    pub bench: Option<u64>,
    /// Words for this engine only.
    pub words: Vec<String>,
}

/// A figure with its interval of 95 %. An unknown number is `null`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// The figure.
    pub value: Option<f64>,
    /// How far the ends of the interval are from it.
    pub error: Option<f64>,
    /// The lower end.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
}

impl Figure {
    fn of_elo(elo: Elo) -> Figure {
        let [low, high] = elo.ends();
        let (value, error) = match elo {
            Elo::About { value, error } => (Some(value), Some(error)),
            _ => (None, None),
        };
        Figure { value, error, low, high }
    }

    fn of_normalised((value, error): (f64, f64)) -> Figure {
        let [low, high] = [value - error, value + error].map(Some);
        Figure { value: Some(value), error: Some(error), low, high }
    }
}

/// The sequential test, and how far it has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtRecord {
    #[serde(flatten)]
    pub test: Sprt,
    /// The unit of its hypotheses.
    pub unit: String,
    /// The logarithm of the likelihood ratio.
    pub llr: f64,
    /// H0 is accepted at this.
    pub lower: f64,
    /// H1 is accepted at this.
    pub upper: f64,
}

/// The parts of a record that are known before the match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestSubject {
    /// The name of the test, and of its folder in that of the history.
    pub id: String,
    /// The name of the change.
    pub name: String,
    /// The name of the repository's folder.
    pub repository: String,
    /// The commits, and how they were built.
    pub build: String,
    /// The commit it was compared with.
    pub base: SideRecord,
    /// The commit that was tested. All counts and figures are from its side.
    pub head: SideRecord,
}

/// A test of one rule set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestRecord {
    /// The version of this format.
    pub schema: u32,
    #[serde(flatten)]
    pub subject: TestSubject,
    /// When it ended, in seconds since 1970.
    pub ended: u64,
    pub variant: String,
    /// The limits of a move.
    pub limits: String,
    /// Where the openings come from.
    pub openings: String,
    pub games: u64,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// Pairs of games that brought 0, ½, 1, 1½ and 2 points.
    pub pairs: [u64; 5],
    /// The difference in Elo.
    pub elo: Figure,
    /// The difference in normalised Elo.
    pub nelo: Figure,
    /// The sequential test, if there was one.
    pub sprt: Option<SprtRecord>,
    /// Its verdict.
    pub verdict: Verdict,
    /// Why it is broken.
    #[serde(default)]
    pub problem: Option<String>,
    /// Games that were lost by faults, such as `abc1234 time forfeit 2`.
    #[serde(default)]
    pub faults: Vec<String>,
}

impl TestRecord {
    /// The record of a match that ended at a time.
    pub(super) fn new(subject: TestSubject, played: &PlayedMatch, ended: u64) -> TestRecord {
        let PlayedMatch { plan, summary, .. } = played;
        let both = summary.match_of_two();
        let (totals, pairs) = both.map(|games| (games.totals, games.pairs)).unwrap_or_default();
        let estimate = both.and_then(|games| games.estimate);
        let sprt = plan.sprt.zip(summary.sprt).map(|(test, status)| SprtRecord {
            test,
            unit: test.model.unit().to_owned(),
            llr: status.llr,
            lower: status.lower,
            upper: status.upper,
        });
        let fault = |fault: &Fault| format!("{} {} {}", fault.engine, fault.termination, fault.games);
        TestRecord {
            schema: SCHEMA,
            subject,
            ended,
            variant: plan.variant.name().to_owned(),
            limits: plan.limits(),
            openings: plan.openings.clone(),
            games: totals.games(),
            wins: totals.wins,
            draws: totals.draws,
            losses: totals.losses,
            pairs,
            elo: estimate.map(|estimate| Figure::of_elo(estimate.elo())).unwrap_or_default(),
            nelo: estimate
                .and_then(|estimate| estimate.normalised())
                .map(Figure::of_normalised)
                .unwrap_or_default(),
            sprt,
            verdict: Verdict::of(played),
            problem: summary.broken.clone(),
            faults: summary.faults.iter().map(fault).collect(),
        }
    }
}
