//! Options of `referee stats`.

use super::adjudication::sprt;
use crate::failure::Failure;
use crate::ledger::results::ResultNumbers;
use crate::statistics::Sprt;
use clap::{ArgAction, Args};
use std::path::PathBuf;

const AFTER: &str = "\
Numbers are those of the first engine. Game files show what the match showed: of two engines the results of the one that is \
South in the first game, of more the standings. Files must be given before --sprt, whose words are those of a match (see referee --help).

Exit status: 0; with --sprt 0 if H1 is accepted, 10 if it is rejected (H0 accepted), 11 if the test is undecided, 12 if it has \
no verdict because an engine has lost all its games by faults; 1 after an error.";

/// The most games of each kind. Their sums are exact in floating point, too.
const MAX_COUNT: u64 = 1_000_000_000_000;

/// Options of `referee stats`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
#[command(after_help = AFTER)]
pub struct StatsOptions {
    /// Game files (.ogn)
    pub games: Vec<PathBuf>,
    /// The number of games of each kind
    #[arg(
        long,
        num_args = 3,
        value_names = ["WINS", "LOSSES", "DRAWS"],
        conflicts_with_all = ["ptnml", "games"]
    )]
    pub wdl: Option<Vec<u64>>,
    /// The number of pairs of games that brought 0, ½, 1, 1½ and 2 points
    #[arg(long, num_args = 5, value_names = ["LL", "LD", "DD", "WD", "WW"], conflicts_with = "games")]
    pub ptnml: Option<Vec<u64>>,
    /// Show what this test says about the results
    #[arg(long, value_name = "WORD", num_args = 1.., action = ArgAction::Set)]
    pub sprt: Option<Vec<String>>,
    /// Print the numbers as JSON
    #[arg(long)]
    pub json: bool,
}

/// Results to be counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResultSource {
    /// Numbers of results.
    Numbers(ResultNumbers),
    /// The games of these files.
    Files(Vec<PathBuf>),
}

impl StatsOptions {
    /// Where the results come from.
    pub fn results(&self) -> Result<ResultSource, Failure> {
        match (counts("wdl", self.wdl.as_deref())?, counts("ptnml", self.ptnml.as_deref())?) {
            (Some([wins, losses, draws]), _) => {
                Ok(ResultSource::Numbers(ResultNumbers::Games([losses, draws, wins])))
            }
            (None, Some(pairs)) => Ok(ResultSource::Numbers(ResultNumbers::Pairs(pairs))),
            (None, None) if !self.games.is_empty() => Ok(ResultSource::Files(self.games.clone())),
            (None, None) => Err(Failure::new(
                "stats: no results: give --wdl W L D, --ptnml LL LD DD WD WW, or game files",
            )),
        }
    }

    /// The test of the results.
    pub fn test(&self) -> Result<Option<Sprt>, Failure> {
        let test = self.sprt.as_deref().map(sprt).transpose();
        test.map_err(|error| Failure::new(format!("stats: {error}")))
    }
}

/// The counts after an option, if it is given.
fn counts<const N: usize>(option: &str, given: Option<&[u64]>) -> Result<Option<[u64; N]>, Failure> {
    if given.into_iter().flatten().any(|&count| count > MAX_COUNT) {
        return Err(Failure::new(format!("stats: {option}: more than {MAX_COUNT} games")));
    }
    Ok(given.and_then(|counts| counts.try_into().ok()))
}
