//! The grammar of `referee`, for clap: the options of a match, and the commands.

use super::help::{fitted, headed};
use super::syntax::{flag_arg, number_arg, path_arg, text_arg, variant_arg, words_arg};
use super::{accuracy, audit, check, history, merge, opening_set, stats, status, test, tune, worker};
use crate::plan::{MAX_REPETITION, Tolerance};
use crate::queue::{BATCH, LEASE};
use crate::schedule::Event;
use clap::{ArgAction, Command, value_parser};
use kroo::game::MOVE_LIMIT;
use kroo::usage::VERSION;
use std::net::IpAddr;

const ABOUT: &str = "Play matches between engines of mancala games.";

/// The port of `--watch` if none is given: the one after that of `kroo web`.
const WATCH_PORT: &str = "8018";

const USAGE: &str = "referee --engine cmd=PATH [WORD...] --engine cmd=PATH [WORD...] [OPTIONS]\n       \
     referee COMMAND ... (`referee help COMMAND` explains it)";

const WORDS: &str = "\
Words that describe an engine, after --engine or, for all engines, after --each:
  cmd=PATH          the program: a file in dir, else a file, else a name to look up in PATH;
                    an engine that cannot be started ends the match (see --recover)
  args=TEXT         its arguments, split as in a shell: quotes keep blanks together
  dir=PATH          the folder to run it in
  name=TEXT         its name in the results [default: the program's name]
  protocol=uci|ugi  the protocol that it speaks (with ugi: without ponder) [default: uci]
  option.NAME=TEXT  a value for one of the options that the engine declares (see --lenient)
  st=SECONDS        the time for each move
  tc=[MOVES/]TIME[+INCREMENT]
                    a clock: TIME in seconds (or min:sec) for MOVES moves, or for the whole game;
                    INCREMENT is added before each move
  nodes=N, depth=N  limits that are passed on to the engine; limits combine, except st with tc
                    [default if there is no limit at all: st=0.1]
  timemargin=MS     how late a move may be, in milliseconds; with tc, how late all moves of a game together,
                    until time is added [default: 50]
  watchdog=SECONDS  without st and tc: how long a move may take before the engine counts as hung [default: 60]
  startup=SECONDS   how long the engine may take to start, and to get ready for a game [default: 10]
  quit=SECONDS      how long the engine may take to exit after `quit`, before it is killed [default: 1]
  restart=on|off    whether the engine is restarted for each game [default: off]
  stderr=FILE       the file to which its standard error is appended [default: it is discarded]
  stderrlimit=KIB   of that, so much is kept from the beginning and so much from the end [default: 1024]
  env.NAME=TEXT     an environment variable; with nothing after the = the referee's own value. Engines get PATH, HOME,
                    USER, LOGNAME, LANG, LANGUAGE, LC_*, TZ and TMPDIR, and no others
  memory=MIB        memory for the data of each of its processes, and in a control group with limits for all of them together
                    [default: three quarters of the machine's]
  processes=N       how many processes it may have; with more, all are killed [default: 64]
  files=N           how many files each of its processes may have open [default: 1024]
  files=PATH[:PATH]
                    files and folders that it may read in a sandbox besides its program; a path has a `/`
  filesize=MIB      the longest file that it may write, in a sandbox not less than its program [default: 1024]
  sandbox=on|off    whether it runs in a sandbox made by bubblewrap: no network, no processes of others, no files but its
                    program, the system's programs and libraries, files= and dir= [default: off; --sandbox puts all engines into one]
  ponder=on|off     whether it ponders, that is, searches on its opponent's time [default: off]

Words after --sprt. The match of two engines ends as soon as one of two hypotheses can be accepted (Wald's test):
  elo0=ELO elo1=ELO
                    the first engine is better by elo0 (hypothesis H0), or by elo1 (H1); from -200 to 200
  alpha=P, beta=P   the probability of accepting H1 although H0 holds, and H0 although H1 holds [default: 0.05]
  model=NAME        what Elo means: normalized or logistic, which count pairs of games; bayesian (Elo of the program
                    BayesElo) or classical (the test of older match runners), which count single games
                    [default: normalized]

Events:
  match             two engines play each other
  round-robin       every engine meets every other one, once in each round
  gauntlet          the first engines (see --gauntlet-seeds) meet all others, but not each other
  swiss             in each round, engines with the same number of points meet; if the number of engines is odd, one
                    of them has a bye
  knockout          the loser of a tie is out; the order of the engines is the seeding; a level tie is extended by at most
                    three pairs of games, then the seeds captured decide, and then the seeding

Words after --resign and --draw. Scores are in seeds, as an engine tells them, from its own side; a proven win is more than
all seeds:
  moves=N           how many of its own moves in a row must have such a score
  score=SEEDS       --resign: it is at least so far behind; --draw: it is at most so far from level
  twosided=on|off   whether both engines must agree [default: off for --resign, on for --draw]
  from=N            --draw: not before so many moves of both sides [default: 0]

Without --engine, the `kroo` next to the referee plays its player `evolved` (nodes=20000).

A file of openings has one in each line: a position (fifteen fields), or moves from the start (FfEc or F f E c).
Text after a # is a comment.

An engine that makes an illegal move, is late, hangs, crashes or does not start loses that game. It is killed with its
children and restarted for the next game. What it has said last stands beside its fault, with the end of its standard error. A game that is lost because the referee itself did not run (a machine stall) is
played again, three times at most. SIGINT, SIGTERM and SIGHUP (unless it is ignored) stop the match: games in
progress do not count, and the results so far are shown and written.

A journal records the command line, without the password of a queue. A match that is resumed takes from there whatever is not
given again and, unless --engine is given, runs in the folder in which it began. It starts the programs that the journal
names: resume only journals that you trust.

A broken match has no verdict. All engines are started once before the first game; if one does not start, or complains
about an option that was set, nothing is played. An engine that keeps dying ends the match later (see --max-faults).

Exit status: 0 if all games were played, and with --sprt if H1 was accepted; 10 if --sprt has rejected H1 (accepted H0);
11 if --sprt was still undecided after all rounds; 12 if the match was broken by an engine, or --sprt has no verdict because an
engine has lost all its games by faults; 1 after an error in the
arguments, with a file or with the machine; 128 + N if signal N has stopped the match.";

/// The end of the help, in both forms.
const EXAMPLES: &str = "\
Examples:
  referee --engine cmd=./new --engine cmd=./old --each st=0.1 --rounds 100
  referee --engine cmd=./new --engine cmd=./old --each tc=8+0.08 \\
          --sprt elo0=0 elo1=5 --journal test.journal
  referee stats games.ogn";

/// The grammar of the command line.
pub fn command() -> Command {
    fitted(grammar())
}

fn grammar() -> Command {
    Command::new("referee")
        .version(VERSION)
        .about(ABOUT)
        .override_usage(USAGE)
        .after_help(format!(
            "{EXAMPLES}\n\n`referee --help` has all options, and the words after --engine, --sprt and others."
        ))
        .after_long_help(format!("{WORDS}\n\n{EXAMPLES}"))
        .args_override_self(false)
        .args_conflicts_with_subcommands(true)
        .subcommand_value_name("COMMAND")
        .subcommand(accuracy::command())
        .subcommand(check::command())
        .subcommand(history::command())
        .subcommand(merge::command())
        .subcommand(audit::command())
        .subcommand(opening_set::command())
        .subcommand(stats::command())
        .subcommand(status::command())
        .subcommand(tune::command([
            opening_args(),
            adjudication_args(),
            running_args(),
            output_args(),
            queue_args(),
        ]))
        .subcommand(test::command(test_args()))
        .subcommand(worker::command())
        .args(event_args())
        .args(opening_args())
        .args(adjudication_args())
        .args(running_args())
        .args(output_args())
        .args(queue_args())
}

/// The options of a match that `referee test` has, too: those that say what is played, and those that say how.
pub(super) fn test_args() -> [Vec<clap::Arg>; 2] {
    let among = |args: Vec<clap::Arg>, names: &'static [&'static str]| {
        args.into_iter().filter(|arg| names.contains(&arg.get_id().as_str()))
    };
    let played = among(event_args(), &["each", "rounds", "pairs", "sprt"])
        .chain(opening_args())
        .chain(adjudication_args());
    let how = running_args().into_iter();
    let how = how.chain(among(output_args(), &["watch", "listen", "log", "log-limit"])).chain(queue_args());
    [played.collect(), how.collect()]
}

/// Who plays whom, how often.
fn event_args() -> Vec<clap::Arg> {
    let events = format!("Who meets whom: {} (see below)", Event::NAMES.join(", "));
    headed(
        "Event",
        vec![
            words_arg("engine", "An engine, described by words (see below); once for each engine"),
            words_arg("each", "Words for all engines; an engine's own words take precedence"),
            variant_arg("The rule set"),
            number_arg(
                "rounds",
                1..=1_000_000_000,
                "4",
                "Rounds; two engines that meet in a round play two games, with sides swapped; with --sprt at most 100000 rounds, \
             or as many as there are openings in a file, unless this is given",
            ),
            text_arg("event", "NAME", events).default_value("round-robin"),
            number_arg(
                "gauntlet-seeds",
                1..=1_000_000,
                "1",
                "In a gauntlet: how many engines, the first ones given, meet all others",
            ),
            number_arg(
                "pairs",
                1..=1_000_000,
                "1",
                "Pairs of games that two engines play when they meet in a round",
            ),
            words_arg("sprt", "Stop as soon as a sequential probability ratio test is decided (see below)")
                .action(ArgAction::Set),
        ],
    )
}

/// Where the games begin.
fn opening_args() -> Vec<clap::Arg> {
    headed("Openings", vec![
        text_arg("openings", "FILE", "Take the openings from this file (.txt, .ogn), another one for each round")
            .conflicts_with_all(["random-plies"]),
        text_arg(
            "order",
            "ORDER",
            "The order of these openings: that of the file (sequential), or shuffled by the random seed (random)",
        )
        .value_parser(["sequential", "random"])
        .default_value("sequential"),
        number_arg(
            "start",
            1..=1_000_000_000,
            "1",
            "Start with the N-th opening; after the last one of a file comes the first",
        ),
        text_arg("opening-plies", "N", "Use only the first N moves of each opening [default: all]")
            .value_parser(value_parser!(u64).range(0..=1_000_000))
            .requires("openings"),
        number_arg(
            "random-plies",
            0..=1_000,
            "4",
            "Without --openings: start with N random moves; 0 is the start position; 4 lead to 1,014 positions in awari, and a \
             pair of games that repeats another one does not count as evidence",
        ),
        number_arg(
            "seed",
            0..=u64::MAX,
            "1",
            "The random seed, for random moves, for --order random and for the first round of a Swiss event",
        ),
    ])
}

/// Which games are adjudicated.
fn adjudication_args() -> Vec<clap::Arg> {
    headed(
        "Adjudication",
        vec![
            number_arg(
                "max-moves",
                1..=1_000_000,
                MOVE_LIMIT.to_string(),
                "The move limit: after N moves of both sides together, the game is over and the larger store wins",
            ),
            text_arg(
                "at-max-moves",
                "RESULT",
                "The result at the move limit: the larger store wins (stores), or a draw (draw)",
            )
            .value_parser(["stores", "draw"])
            .default_value("stores"),
            number_arg(
                "repetition",
                0..=MAX_REPETITION,
                "0",
                "A game is a draw when a position occurs for the N-th time; 0: never",
            ),
            words_arg("resign", "End games that an engine sees as lost (see below)").action(ArgAction::Set),
            words_arg("draw", "End games that both engines see as level (see below)").action(ArgAction::Set),
            path_arg(
                "endgame",
                "DIR",
                "End games once the endgame files in this folder know the result (`kroo endgame build` makes them)",
            ),
        ],
    )
}

/// How the match is run.
fn running_args() -> Vec<clap::Arg> {
    headed("Engines and machine", vec![
        number_arg("concurrency", 1..=1_024, "1", "How many games are played at the same time"),
        text_arg(
            "affinity",
            "WHEN",
            "Keep the engines of a game and the thread that referees it on one processor: as long as the engines are single threads \
             and answer at once (auto), always (on, or --affinity alone), or never (off)",
        )
        .num_args(0..=1)
        .value_parser(["auto", "on", "off"])
        .default_missing_value("on")
        .default_value("auto"),
        number_arg(
            "max-faults",
            1..=1_000_000,
            Tolerance::MAX_FAULTS.to_string(),
            "End the match when an engine has lost N games in a row because it did not start, crashed or gave no answer",
        )
        .conflicts_with("recover"),
        flag_arg("recover", "Play on whatever engines do: they lose their games, and the match is played to its end"),
        flag_arg(
            "lenient",
            "Only warn about an option that an engine does not have, does not accept, or complains about",
        ),
        flag_arg("sandbox", "Run all engines in a sandbox that bubblewrap makes; the word sandbox=off excepts one"),
    ])
}

/// What is written where.
fn output_args() -> Vec<clap::Arg> {
    headed("Files and pages", vec![
        text_arg("games-out", "FILE", "Append the games to this file (.ogn)"),
        text_arg("json", "FILE", "Write everything to this file as JSON"),
        text_arg("html", "FILE", "Write a report to this file, a page for a web browser; the games of a large match go to the folder FILE.games"),
        text_arg(
            "watch",
            "PORT",
            format!(
                "Serve a page for a web browser that shows the match as it is played: boards, tables, and games [port: {WATCH_PORT}, \
                 if none is given; 0 takes one that is free]"
            ),
        )
        .num_args(0..=1)
        .default_missing_value(WATCH_PORT)
        .value_parser(value_parser!(u16)),
        text_arg(
            "listen",
            "ADDRESS",
            "Address for that page [default: 127.0.0.1, for this machine only]",
        )
        .value_parser(value_parser!(IpAddr))
        .requires("watch"),
        text_arg(
            "journal",
            "FILE",
            "Save each finished game in this file at once, so that an interrupted match can be resumed",
        ),
        text_arg(
            "log",
            "FILE",
            "Append everything that is said to engines and by them to this file, with times: `>` to an engine, `<` from it",
        ),
        number_arg(
            "log-limit",
            1..=1_000_000_000,
            "1024",
            "How much is written to that file at most, in MiB",
        ),
        flag_arg(
            "resume",
            "Resume the match of the journal, if there is one; no game is played twice. --resume --journal FILE is enough: the journal \
             records the command line. Options of the match that are given must agree with it; a larger --rounds adds rounds",
        )
        .requires("journal"),
        text_arg(
            "shard",
            "K/N",
            "Play only the K-th of N parts; `referee merge` joins the journals of all parts, and decides an SPRT",
        )
        .requires("journal")
        .conflicts_with("queue"),
    ])
}

/// Where the games are played, if not here.
fn queue_args() -> Vec<clap::Arg> {
    headed("Workers", vec![
        text_arg(
            "queue",
            "URL",
            "Have the games played by workers: write them into the queue redis://[USER@]HOST[:PORT][#NAME], from which \
             `referee worker URL` takes them on any number of machines",
        )
        .conflicts_with("log"),
        number_arg("batch", BATCH, "1", "Pairs of games that a worker takes at once from the queue").requires("queue"),
        number_arg(
            "lease",
            LEASE,
            "60",
            "After N seconds without a sign of life of a worker its games are given to another one",
        )
        .requires("queue"),
        text_arg(
            "scale-clocks",
            "WHEN",
            "Whether workers multiply the times of st and tc by how much slower they are than this machine, by the engine's bench",
        )
        .value_parser(["on", "off"])
        .default_value("on")
        .requires("queue"),
        flag_arg(
            "offer-engines",
            "Put the engines' executables into the queue, for workers that have not got them and have --fetch",
        )
        .requires("queue"),
        super::match_options::insecure_arg().requires("queue"),
    ])
}
