//! The options of `referee tune`.

use super::contestants::{each, twins};
use super::match_arguments::{CommonArguments, Engines, FileArguments};
use super::match_options::MatchOptions;
use crate::failure::Failure;
use crate::plan::{MatchPlan, variant_help};
use crate::schedule::{Event, Openings};
use crate::tuning::{MAX_ITERATIONS, MAX_LAG, Parameter, TuningPlan};
use clap::{Args, value_parser};
use kroo::game::Variant;
use std::path::{Path, PathBuf};

/// The most values for a side in the pairs of a batch: a message on a queue has a limit.
const MAX_VALUES: u64 = 20_000;

const AFTER: &str = "\
The engine plays against itself. In each iteration all parameters are moved at once, each in a random direction; one side gets \
these values, the other side the opposite ones, and the result moves the parameters (SPSA). Options of a match mean the same \
here, and so do the words after --engine and --each (see referee --help). --seed also draws the directions.

--param NAME,START,MIN,MAX,C_END,R_END names an option of the engine. A second field int or float gives the kind of its values, as \
in the lines of OpenBench: `NAME, int, START, MIN, MAX, C_END, R_END`. Whole numbers (int) go to an option of the kind spin, \
and are rounded up or down by chance; decimal fractions (float) go to one of the kind string. A file for --params has such \
lines; text after a # is a comment.
  C_END             how far a value is moved to each side in the last iteration:
                    far enough to be felt in the games
  R_END             by how much of C_END a game more won than lost moves the
                    value then, such as 0.002
With N iterations of K pairs of games, iteration k moves values by c = C_END (N/k)^GAMMA to each side, and a game more won than \
lost by R_END C_END^2 ((A+N)/(A+k))^ALPHA / c, where A is a part (--a-ratio) of N.

Iterations overlap, and many games are played at once: iteration k begins with the values after iteration k-1-LAG, and \
ignores later ones. With limits by nodes the values are therefore the same for any number of threads, workers and \
interruptions. At most 2 K (LAG+1) games are played at once. The first LAG+1 iterations all begin with the \
values of the start. A lag costs little as long as it is a small part of all iterations: keep it below a hundredth.

The values are in the lines of the iterations, at the end, in --json and in --html, with a picture of each parameter. \
`referee merge --partial JOURNAL --html FILE` shows the values of a run in progress.

Examples:
  referee tune --engine cmd=./engine --param Depth,5,1,12,1,0.01 \\
          --param Fear,float,0.4,0,1,0.05,0.01 --iterations 500
  referee tune --engine cmd=./engine --params parameters.txt \\
          --iterations 5000 --each nodes=20000 --journal tune.journal

Exit status: 0 if all iterations were played; 12 if an engine does not work or refuses an option; 1 after an error in the \
arguments, with a file or with the machine; 128 + N if signal N has stopped the run.";

/// Options of `referee tune`.
#[derive(Clone, Debug, Args)]
#[command(after_help = AFTER)]
pub struct TuneArguments {
    #[command(flatten)]
    engines: Engines,
    /// More words for it
    #[arg(long, value_name = "WORD", num_args = 1..)]
    each: Vec<String>,
    #[arg(long, value_name = "NAME", default_value = "awari", help = variant_help("The rule set"))]
    variant: Variant,
    /// A parameter, NAME,START,MIN,MAX,C_END,R_END; once for each
    #[arg(long, value_name = "PARAMETER")]
    param: Vec<String>,
    /// Take parameters from this file, too: one in each line
    #[arg(long, value_name = "FILE")]
    params: Option<PathBuf>,
    /// How many iterations there are
    #[arg(long, value_name = "N", default_value = "500", value_parser = value_parser!(u64).range(1..=MAX_ITERATIONS))]
    iterations: u64,
    /// Pairs of games in an iteration
    #[arg(long, value_name = "N", default_value = "8", value_parser = value_parser!(u64).range(1..=1_000_000))]
    pairs: u64,
    /// Begin each iteration with the values as they were N iterations before the last one (see below)
    #[arg(long, value_name = "N", default_value_t = TuningPlan::LAG, value_parser = value_parser!(u64).range(0..=MAX_LAG))]
    lag: u64,
    /// How fast steps become smaller
    #[arg(long, value_name = "X", default_value = "0.602")]
    alpha: f64,
    /// How fast distances become smaller
    #[arg(long, value_name = "X", default_value = "0.101")]
    gamma: f64,
    /// The constant A of the steps, as a fraction of all iterations
    #[arg(long, value_name = "X", default_value = "0.1")]
    a_ratio: f64,
    #[command(flatten)]
    common: CommonArguments,
    #[command(flatten)]
    files: FileArguments,
}

impl TuneArguments {
    /// The parsed options.
    pub fn options(&self) -> Result<MatchOptions, Failure> {
        let parameters = self.parameters()?;
        let (lag, alpha, gamma, a_ratio) = (self.lag, self.alpha, self.gamma, self.a_ratio);
        let tuning = TuningPlan { parameters, lag, alpha, gamma, a_ratio };
        tuning.check(self.iterations).map_err(|error| match tuning.parameters.len() {
            0 => {
                let give = "give each with --param NAME,START,MIN,MAX,C_END,R_END, or all with --params FILE";
                Failure::at("tune", format!("{error}; {give}"))
            }
            _ => Failure::at("tuning", error),
        })?;
        let contestants = twins(&self.engines, &each(&self.each, self.common.running.sandbox)?)?;
        for (name, _) in &contestants[0].engine.options {
            if tuning.parameters.iter().any(|parameter| parameter.name.eq_ignore_ascii_case(name)) {
                let problem = format!(
                    "`{name}` is a parameter, and has a value by option.{name}: leave one of them out"
                );
                return Err(Failure::at("tune", problem));
            }
        }
        let values = tuning.parameters.len() as u64;
        let mut options = self.common.options(contestants, self.variant, Event::RoundRobin, &self.files)?;
        let (rounds, pairs, tuning) = (self.iterations, self.pairs, Some(tuning));
        options.plan = MatchPlan { rounds, pairs, tuning, ..options.plan };
        options.plan.check()?;
        let most = MAX_VALUES / values;
        match &options.queue {
            Some(queue) if queue.batch > most => {
                let problem = format!("at most {most} with {values} parameters");
                Err(Failure::at("--batch", problem))
            }
            _ => Ok(options),
        }
    }

    /// The parameters of the command line, and after them those of the file.
    fn parameters(&self) -> Result<Vec<Parameter>, Failure> {
        let read = |text: &String| {
            text.parse::<Parameter>().map_err(|error| Failure::at(format!("--param {text}"), error))
        };
        let mut parameters: Vec<Parameter> = self.param.iter().map(read).collect::<Result<_, _>>()?;
        if let Some(file) = &self.params {
            parameters.extend(listed(file)?);
        }
        Ok(parameters)
    }
}

/// The parameters of a file.
fn listed(path: &Path) -> Result<Vec<Parameter>, Failure> {
    let lines = Openings::lines(path).map_err(|error| Failure::at("--params", error))?;
    let read = |(number, line): &(usize, String)| {
        line.parse().map_err(|error| Failure::at(format!("--params {}:{number}", path.display()), error))
    };
    lines.iter().map(read).collect()
}
