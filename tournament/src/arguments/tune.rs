//! The arguments of `referee tune`.

use super::contestants::twins;
use super::error::{ArgumentError, TuneError};
use super::match_options::{MatchOptions, common};
use super::syntax::{number, number_arg, path_arg, text_arg, variant_arg, words_arg};
use crate::plan::{MatchPlan, PlanError, Tolerance};
use crate::schedule::Event;
use crate::tuning::{MAX_ITERATIONS, MAX_LAG, Parameter, TuningError, TuningPlan};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use kroo::files;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The command's name.
pub(super) const NAME: &str = "tune";

/// The largest file of parameters, in bytes.
const LARGEST_FILE: u64 = 1 << 20;
/// The most values for a side in the pairs of a batch: a message on a queue has a limit.
const MAX_VALUES: u64 = 20_000;
/// Options of a match that mean nothing here.
const WITHOUT_MEANING: [&str; 2] = ["lenient", "shard"];

const AFTER: &str = "\
The engine plays against itself. In each iteration all parameters are moved at once, each in a random direction; one side gets
these values, the other side the opposite ones, and the result moves the parameters (SPSA). Options of a match mean the same
here, and so do the words after --engine and --each (see referee --help). --seed is that of the directions, too.

--param NAME,START,MIN,MAX,C_END,R_END names an option of the engine. A second field int or float says what values it has, as
in the lines of OpenBench: `NAME, int, START, MIN, MAX, C_END, R_END`. Whole numbers (int) go to an option of the kind spin,
and are rounded up or down by chance; decimal fractions (float) go to one of the kind string. A file for --params has such
lines; text after a # is a comment.
  C_END             how far a value is moved to each side in the last iteration: far enough to be felt in the games
  R_END             by how much of C_END a game more won than lost moves the value then, such as 0.002
With N iterations of K pairs of games, iteration k moves values by c = C_END (N/k)^GAMMA to each side, and a game more won than
lost by R_END C_END^2 ((A+N)/(A+k))^ALPHA / c, where A is a part (--a-ratio) of N.

Iterations overlap, so that many games are played at once: iteration k begins with the values after iteration k-1-LAG, whatever
has been finished since. So with limits by nodes the values are the same for any number of threads and workers, and however
often the run was interrupted. At most 2 K (LAG+1) games are played at once. The first LAG+1 iterations all begin with the
values of the start. A lag costs little as long as it is a small part of all iterations: keep it below a hundredth.

The values are in the lines of the iterations, at the end, in --json and in --html, with a picture of each parameter.
`referee merge --partial JOURNAL --html FILE` shows those of a run that goes on.

Examples:
  referee tune --engine cmd=./engine --param Depth,5,1,12,1,0.01 \\
          --param Fear,float,0.4,0,1,0.05,0.01 --iterations 500
  referee tune --engine cmd=./engine --params parameters.txt \\
          --iterations 5000 --each nodes=20000 --journal tune.journal

Exit status: 0 if all iterations were played; 12 if an engine does not work or refuses an option; 1 after an error in the
arguments, with a file or with the machine; 128 + N if signal N has stopped the run.";

/// The grammar; these are the options that it shares with a match.
pub(super) fn command(shared: [Vec<Arg>; 5]) -> Command {
    let constant = |name: &'static str, default: &'static str, help: &'static str| {
        text_arg(name, "X", help).value_parser(value_parser!(f64)).default_value(default)
    };
    let hidden = |arg: Arg| {
        let means_nothing = WITHOUT_MEANING.contains(&arg.get_id().as_str());
        arg.hide(means_nothing)
    };
    Command::new(NAME)
        .about("Tune parameters of an engine by games against itself (SPSA)")
        .after_help(AFTER)
        .arg(words_arg("engine", "The engine, described by words [default: the `kroo` beside the referee]"))
        .arg(words_arg("each", "More words for it"))
        .arg(variant_arg("The rule set"))
        .arg(
            text_arg("param", "PARAMETER", "A parameter, NAME,START,MIN,MAX,C_END,R_END; once for each")
                .action(ArgAction::Append),
        )
        .arg(path_arg("params", "FILE", "Take parameters from this file, too: one in each line"))
        .arg(number_arg("iterations", 1..=MAX_ITERATIONS, "500", "How many iterations there are"))
        .arg(number_arg("pairs", 1..=1_000_000, "8", "Pairs of games in an iteration"))
        .arg(number_arg(
            "lag",
            0..=MAX_LAG,
            TuningPlan::LAG.to_string(),
            "Begin each iteration with the values as they were N iterations before the last one (see below)",
        ))
        .arg(constant("alpha", "0.602", "How fast steps become smaller"))
        .arg(constant("gamma", "0.101", "How fast distances become smaller"))
        .arg(constant("a-ratio", "0.1", "The constant A of the steps, as a part of all iterations"))
        .args(shared.into_iter().flatten().map(hidden))
}

/// What the arguments mean.
pub(super) fn options(matches: &ArgMatches) -> Result<MatchOptions, ArgumentError> {
    let constant = |name: &str| matches.get_one(name).copied().unwrap_or_default();
    let tuning = TuningPlan {
        parameters: parameters(matches)?,
        lag: number(matches, "lag"),
        alpha: constant("alpha"),
        gamma: constant("gamma"),
        a_ratio: constant("a-ratio"),
    };
    let iterations = number(matches, "iterations");
    match tuning.check(iterations) {
        Err(error @ TuningError::Parameters(_)) => return Err(TuneError::Parameters(error).into()),
        checked => checked.map_err(|error| PlanError::Tuning(Box::new(error)))?,
    }
    let contestants = twins(matches)?;
    for (name, _) in &contestants[0].engine.options {
        if tuning.parameters.iter().any(|parameter| parameter.name.eq_ignore_ascii_case(name)) {
            return Err(TuneError::Fixed { name: name.clone() }.into());
        }
    }
    let mut options = common(matches, contestants, Event::RoundRobin)?;
    let tolerance = Tolerance { lenient: false, ..options.plan.tolerance };
    let (rounds, pairs, tuning) = (iterations, number(matches, "pairs"), Some(tuning));
    options.plan = MatchPlan { rounds, pairs, tuning, tolerance, ..options.plan };
    options.plan.check()?;
    let most = MAX_VALUES / options.plan.tuning.as_ref().map_or(1, |tuning| tuning.parameters.len() as u64);
    match &options.queue {
        Some(queue) if queue.batch > most => Err(TuneError::Batch { most }.into()),
        _ => Ok(options),
    }
}

/// The parameters of the command line, and after them those of the file.
fn parameters(matches: &ArgMatches) -> Result<Vec<Parameter>, TuneError> {
    let given = matches.get_many::<String>("param").into_iter().flatten();
    let read = |text: &String| {
        text.parse::<Parameter>().map_err(|error| TuneError::Parameter { text: text.clone(), error })
    };
    let mut parameters: Vec<Parameter> = given.map(read).collect::<Result<_, _>>()?;
    if let Some(file) = matches.get_one::<PathBuf>("params") {
        parameters.extend(listed(file)?);
    }
    Ok(parameters)
}

/// The parameters of a file.
fn listed(path: &Path) -> Result<Vec<Parameter>, TuneError> {
    let file = path.to_path_buf();
    let mut text = String::new();
    let opened = files::open_at_most(path, LARGEST_FILE);
    if let Err(error) = opened.and_then(|mut file| file.read_to_string(&mut text)) {
        return Err(TuneError::File { file, error });
    }
    let lines = (1..).zip(text.lines().map(|line| line.split('#').next().unwrap_or_default().trim()));
    let read = |(number, line): (usize, &str)| {
        line.parse().map_err(|error| TuneError::Line { file: file.clone(), line: number, error })
    };
    lines.filter(|(_, line)| !line.is_empty()).map(read).collect()
}
