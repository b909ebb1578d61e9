//! Options of `referee accuracy`.

use crate::arguments::{Engines, measured, variant_help};
use crate::failure::Failure;
use crate::plan::Contestant;
use clap::Args;
use clap::builder::RangedU64ValueParser;
use kroo::endgame::{MAX_SEEDS, user_folder};
use kroo::game::Variant;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

/// Where engines look for the user's data: there is nothing, so they find no endgame files by themselves.
const NO_DATA: (&str, &str) = ("XDG_DATA_HOME", "/nonexistent");

const AFTER: &str = "\
The games of --games give different positions with two moves or more. Each engine is asked for a move in each of them, after
`ucinewgame`, and the endgame files show its cost: the result of the game, or seeds. Where files have only the winner (awari), the
cost is the number of seeds that the mover would need more in its store to be as well off. In oware the value of a position may
depend on earlier moves, so it cannot be measured.

The words after --engine and --each are those of a match (see referee --help); a limit is st=, nodes= or depth=. The engines do
not find files in the folder of the user's data: their XDG_DATA_HOME is /nonexistent unless env.XDG_DATA_HOME= says otherwise.

Example:
  referee --engine cmd=./kroo name=a --engine cmd=./kroo name=b \\
          --each nodes=5000 --rounds 400 --random-plies 8 --games-out games.ogn
  referee accuracy --games games.ogn --endgame endgames \\
          --engine cmd=./kroo st=0.1

Exit status: 0; 1 after an error in the arguments, with a file, an engine or the machine; 128 + N if signal N has stopped it,
with the table of what was measured until then.";

/// Options of `referee accuracy`.
#[derive(Clone, Debug, Args)]
#[command(after_help = AFTER)]
pub struct AccuracyOptions {
    /// The words of the engines.
    #[command(flatten)]
    pub engines: Engines,
    /// Words for all engines
    #[arg(long, value_name = "WORD", num_args = 1..)]
    pub each: Vec<String>,
    /// The rule set; `None` for that of the games.
    #[arg(long, value_name = "NAME", help = variant_help("The rule set, if the games have several"))]
    pub variant: Option<Variant>,
    /// Games to take positions from (.ogn)
    #[arg(long, value_name = "FILE", required = true)]
    pub games: Vec<PathBuf>,
    /// How many positions at most
    #[arg(
        long,
        value_name = "N",
        default_value = "10000",
        value_parser = RangedU64ValueParser::<usize>::new().range(1..=100_000_000)
    )]
    pub positions: usize,
    /// How many seeds the positions have in their pits
    #[arg(long, value_name = "A-B", default_value = "18-24")]
    pub seeds: SeedRange,
    /// The random seed of the choice
    #[arg(long, value_name = "N", default_value = "1")]
    pub seed: u64,
    /// The folder with the endgame files [default: where kroo builds them]
    #[arg(long, value_name = "DIR")]
    pub endgame: Option<PathBuf>,
}

/// Numbers of seeds: `18-24`, or one number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeedRange(pub RangeInclusive<u8>);

impl FromStr for SeedRange {
    type Err = String;

    fn from_str(text: &str) -> Result<SeedRange, String> {
        let (least, most) = text.split_once('-').unwrap_or((text, text));
        match (least.parse(), most.parse()) {
            (Ok(least), Ok(most)) if least <= most && most <= MAX_SEEDS => Ok(SeedRange(least..=most)),
            _ => Err(format!("expected a range such as 18-24, of at most {MAX_SEEDS} seeds")),
        }
    }
}

impl AccuracyOptions {
    /// The engines, with their limits.
    ///
    /// # Errors
    /// If a word is not understood, or something cannot be measured.
    pub fn contestants(&self) -> Result<Vec<Contestant>, Failure> {
        let mut contestants = measured(&self.engines, &self.each)?;
        for contestant in &mut contestants {
            if contestant.limits.clock.is_some() {
                let problem = "a clock (tc) is for games; give st=SECONDS, nodes=N or depth=N";
                return Err(Failure::new(format!("accuracy: {problem}")));
            }
            let variables = &mut contestant.engine.confinement.variables;
            if !variables.iter().any(|(name, _)| name == NO_DATA.0) {
                variables.push((NO_DATA.0.to_owned(), Some(NO_DATA.1.to_owned())));
            }
        }
        Ok(contestants)
    }

    /// The folder with the endgame files.
    ///
    /// # Errors
    /// If none is given, and the environment names no folder of the user.
    pub fn endgame_folder(&self) -> Result<PathBuf, Failure> {
        self.endgame.clone().or_else(user_folder).ok_or_else(|| Failure::no_folder("--endgame"))
    }
}
