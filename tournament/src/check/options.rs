//! Options of `referee check`.

use crate::plan::variant_help;
use clap::builder::{RangedU64ValueParser, TypedValueParser};
use clap::{Args, value_parser};
use kroo::game::{MOVE_LIMIT, Variant};
use std::time::Duration;

const AFTER: &str = "\
WORD is args=TEXT, dir=PATH, option.NAME=TEXT, startup=SECONDS or stderr=FILE, as after --engine (see referee --help).

Exit status: 0 if there is no fault; 2 if there are faults; 1 after an error in the arguments or with the machine; \
128 + N if signal N has stopped the check.";

/// Options of `referee check`.
#[derive(Clone, Debug, Args)]
#[command(after_help = AFTER)]
pub struct CheckOptions {
    /// The program
    pub engine: String,
    /// Words that describe it (see below)
    #[arg(value_name = "WORD")]
    pub words: Vec<String>,
    /// The rule set of an engine that offers no choice.
    #[arg(
        long,
        value_name = "NAME",
        default_value = "awari",
        help = variant_help("The rule set of an engine without the option UCI_Variant")
    )]
    pub variant: Variant,
    /// Random games for each rule set
    #[arg(long, value_name = "N", default_value = "2", value_parser = value_parser!(u32).range(1..=10_000))]
    pub games: u32,
    /// Moves of each random game
    #[arg(
        long,
        value_name = "N",
        default_value_t = MOVE_LIMIT,
        value_parser = RangedU64ValueParser::<usize>::new().range(1..=10_000)
    )]
    pub max_moves: usize,
    /// The random seed of these games
    #[arg(long, value_name = "N", default_value = "1")]
    pub seed: u64,
    /// How late an answer may be, in milliseconds
    #[arg(long, value_name = "MS", default_value = "50", value_parser = milliseconds(0..=60_000))]
    pub margin: Duration,
    /// How long an answer may take without a time limit, in milliseconds
    #[arg(long, value_name = "MS", default_value = "2000", value_parser = milliseconds(1..=600_000))]
    pub answer_timeout: Duration,
    /// Carry out this check only, by its name in the report (may be repeated)
    #[arg(long, value_name = "CHECK", hide_possible_values = true)]
    pub only: Vec<String>,
    /// Speak UGI, not UCI, and check the answers to `query`
    #[arg(long)]
    pub ugi: bool,
    /// Print the checks and the positions set up for rules as tables in Markdown
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
}

fn milliseconds(range: std::ops::RangeInclusive<u64>) -> impl TypedValueParser<Value = Duration> {
    RangedU64ValueParser::<u64>::new().range(range).map(Duration::from_millis)
}
