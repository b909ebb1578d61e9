//! The options, for clap.

use super::{check, merge, opening_set, stats};
use crate::schedule::Event;
use clap::builder::{RangedU64ValueParser, StyledStr};
use clap::{Arg, ArgAction, Command, value_parser};
use kroo::game::names;

const ABOUT: &str = "Plays matches between engines of mancala games and referees them.";

const USAGE: &str = "referee [--engine cmd=PATH [WORD...] --engine cmd=PATH [WORD...] ...] [--each WORD...] [OPTIONS]\n       \
     referee COMMAND ... (each has its own --help)";

const WORDS: &str = "\
Words after --engine and --each (what an engine says itself goes before what --each says):
  cmd=PATH          the program: a file here, else one in dir, else a name to be looked for in PATH;
                    one that cannot be started loses its games
  args=TEXT         its arguments, separated by blanks; quotes keep blanks together
  dir=PATH          the folder it runs in
  name=TEXT         its name in the results [the program's name]
  option.NAME=TEXT  an option, checked against those that the engine declares
  st=SECONDS        time a move
  tc=[MOVES/]TIME[+INCREMENT]
                    a clock, in seconds (or min:sec); the increment is there before the first move
  nodes=N, depth=N  limits that are passed on; all limits combine, except st and tc
                    [st=0.1 if there is no limit at all]
  timemargin=MS     how far a move may be late [50]
  watchdog=SECONDS  how long a move may take if neither st nor tc is given [60]
  startup=SECONDS   how long the engine may take to start, or to get ready for a game [10]
  restart=on|off    whether the engine is started anew for each game [off]
  stderr=FILE       where its standard error goes [nowhere]
  ponder=on|off     whether it thinks on its rival's time, too: `go ponder`, `ponderhit` [off]

Words after --sprt, which ends a match of two engines as soon as one hypothesis can be taken (Wald's test):
  elo0=ELO elo1=ELO the first engine is better by elo0 (H0), or by elo1 (H1); from -200 to 200
  alpha=P, beta=P   the probability of taking H1 where H0 holds, and of H0 where H1 holds [0.05]
  model=NAME        what Elo means: normalized or logistic, which count pairs; bayesian (as BayesElo has it, for the
                    share of draws seen) or classical (the same as older match runners test it), which count games
                    [normalized]

Events: match and round-robin: everybody against everybody else, once a round. gauntlet: the first engines (--seeds)
against all others. swiss: in each round those with the same number of points; who has no opponent has a free round.
knockout: the list is the seeding; a level tie is played on, three pairs at most, then seeds and seeding decide.

Words after --resign and --draw; a score is in seeds, as an engine tells it of its own side:
  moves=N           its own moves in a row with such a score
  score=SEEDS       resign: at least so far behind; draw: at most so far from level
  twosided=on|off   whether both engines must see it so [resign: off, draw: on]
  from=N            draw: not before so many moves of either side [0]

Without --engine, the `kroo` beside the referee plays itself (st=0.02).

An opening in a file is a line with a position (fifteen fields) or with moves from the start (FfEc or F f E c);
what follows a # is a comment.

An engine that makes an illegal move, is late, hangs, crashes or does not start loses that game, is killed with its
children and started again for the next. SIGINT, SIGTERM and, unless it is ignored, SIGHUP stop the games in
progress, which do not count; the results so far are shown and written.

Exit status: 0 all games played, and with --sprt H1 accepted; with --sprt also 10 H1 rejected (H0 taken) and 11
inconclusive when all rounds have been played; 1 an error in the arguments, with a file or with the machine; 128 + N
stopped by signal N.";

/// The grammar of the command line.
pub fn command() -> Command {
    Command::new("referee")
        .version(env!("CARGO_PKG_VERSION"))
        .about(ABOUT)
        .override_usage(USAGE)
        .after_help(WORDS)
        .args_override_self(false)
        .args_conflicts_with_subcommands(true)
        .disable_help_subcommand(true)
        .subcommand_value_name("COMMAND")
        .subcommand(check::command())
        .subcommand(merge::command())
        .subcommand(opening_set::command())
        .subcommand(stats::command())
        .arg(words("engine", "An engine, described by words (see below)"))
        .arg(words("each", "Words for all engines"))
        .arg(text("variant", "NAME", format!("The rule set: {}", names().join(", "))).default_value("awari"))
        .arg(number(
            "rounds",
            1..=1_000_000_000,
            "4",
            "Rounds: every two engines play two games a round, sides swapped; with --sprt 100000 if not given",
        ))
        .arg(
            text("event", "NAME", format!("Who meets whom: {} (see below)", Event::NAMES.join(", ")))
                .default_value("round-robin"),
        )
        .arg(number("seeds", 1..=1_000_000, "1", "Gauntlet: how many engines, the first ones, play against all others"))
        .arg(number("pairs", 1..=1_000_000, "1", "Pairs of games whenever two engines meet in a round"))
        .arg(words("sprt", "Stop as soon as a test is decided (see below)").action(ArgAction::Set))
        .arg(
            text("openings", "FILE", "Begin from these positions or moves (.txt, .ogn), another one each round")
                .conflicts_with_all(["random-plies"]),
        )
        .arg(
            text("order", "ORDER", "The file's openings in their own order (sequential), or shuffled by the seed (random)")
                .value_parser(["sequential", "random"])
                .default_value("sequential"),
        )
        .arg(number("start", 1..=1_000_000_000, "1", "Begin with this opening; after the last comes the first"))
        .arg(
            Arg::new("opening-plies")
                .long("opening-plies")
                .value_name("N")
                .value_parser(value_parser!(u64).range(0..=1_000_000))
                .requires("openings")
                .help("Take no more than so many moves of each opening [all]"),
        )
        .arg(number(
            "random-plies",
            0..=1_000,
            "4",
            "Begin with so many random moves; 0 is the start position",
        ))
        .arg(number(
            "seed",
            0..=u64::MAX,
            "1",
            "The number that random moves, shuffled openings and the draw of a Swiss event come from",
        ))
        .arg(number(
            "max-moves",
            1..=1_000_000,
            "250",
            "After so many moves of either side the stores decide",
        ))
        .arg(
            text("at-max-moves", "RESULT", "What a game is then: decided by the stores, or a draw")
                .value_parser(["stores", "draw"])
                .default_value("stores"),
        )
        .arg(number("repetition", 0..=1_000, "0", "A game is a draw when a position is there for the N-th time; 0: never"))
        .arg(words("resign", "End games that an engine sees as lost (see below)").action(ArgAction::Set))
        .arg(words("draw", "End games that both engines see as level (see below)").action(ArgAction::Set))
        .arg(
            Arg::new("endgame")
                .long("endgame")
                .value_name("DIR")
                .value_parser(clap::value_parser!(std::path::PathBuf))
                .help("End games that the endgames in this folder have decided (`kroo endgame build`)"),
        )
        .arg(number("concurrency", 1..=1_024, "1", "Games played at once"))
        .arg(
            text(
                "affinity",
                "WHEN",
                "Keep each game on a processor of its own: as long as its engines answer at once and are single threads \
                 (auto), always (on, or without a word), or never (off)",
            )
            .num_args(0..=1)
            .value_parser(["auto", "on", "off"])
            .default_missing_value("on")
            .default_value("auto"),
        )
        .arg(text("games-out", "FILE", "Append the games to this file (.ogn)"))
        .arg(text("json", "FILE", "Write everything to this file as JSON"))
        .arg(text("html", "FILE", "Write a report for people to this file, a page for a browser"))
        .arg(text("journal", "FILE", "Keep each finished game in this file, safe from whatever ends the referee"))
        .arg(
            Arg::new("resume")
                .long("resume")
                .action(ArgAction::SetTrue)
                .requires("journal")
                .help("Go on with the journal's tournament, if there is a journal: each game once"),
        )
        .arg(text("shard", "K/N", "Play the K-th of N parts; `referee merge` joins their journals").requires("journal"))
}

pub(super) fn words(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name("WORD").num_args(1..).action(ArgAction::Append).help(help)
}

pub(super) fn text(name: &'static str, value: &'static str, help: impl Into<StyledStr>) -> Arg {
    Arg::new(name).long(name).value_name(value).help(help)
}

pub(super) fn number(
    name: &'static str,
    range: std::ops::RangeInclusive<u64>,
    default: &'static str,
    help: &'static str,
) -> Arg {
    let parser: RangedU64ValueParser = value_parser!(u64).range(range);
    Arg::new(name).long(name).value_name("N").value_parser(parser).default_value(default).help(help)
}
