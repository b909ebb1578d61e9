//! `kroo analyse`: one answer about a position, or the mistakes of games.

mod analyst;
#[doc(hidden)]
pub mod review;
#[doc(hidden)]
pub mod scores;

use super::flags::number;
use super::flags::{game_names, variant_argument, with_flags};
use super::output::{say, usage_error};
use crate::game::{Game, Move, Variant, draw};
use crate::ogn::{self, FileError, GameRecord, OgnFault};
use crate::play::{has_utf8, read_seconds};
use crate::printable::{self, agreeing, counted};
use crate::progress::Progress;
use crate::protocol::{GameResult, Limits, MAX_DEPTH, ReviewedMoves, Settings, parse_game};
use crate::review::{DEFAULT_NODES, Review};
use analyst::Analyst;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command};
use review::{summary, summary_json};
use scores::PointOfView;
use serde_json::{Value as Json, json};
use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(super) const NAME: &str = "analyse";

/// The file name that means standard input.
const STANDARD_INPUT: &str = "-";
/// The default time for a position, in milliseconds.
const POSITION_TIME: u64 = 2000;
/// The protocol options that apply here.
const FLAGS: [&str; 5] = ["hash", "threads", "movelimit", "endgamepath", "endgameseeds"];

/// An analysis target and its limits.
#[derive(Clone, Debug)]
pub struct AnalysePlan {
    subject: Subject,
    limits: Limits,
    lines: usize,
    view: PointOfView,
    json: bool,
    settings: Settings,
}

#[derive(Clone, Debug)]
enum Subject {
    Position(Box<Game>),
    File { path: PathBuf, number: Option<usize>, variant: Option<Variant> },
}

pub(super) fn usage() -> Command {
    let command = Command::new(NAME)
        .visible_alias("analyze")
        .about("Analyse a position, or find the mistakes of games")
        .arg(
            variant_argument()
                .value_parser(game_names())
                .help("Rule set of a position, or of games without a tag Variant [default: awari]"),
        )
        .arg(Arg::new("subject").value_name("POSITION|FILE").num_args(0..).help(
            "`startpos` or fifteen fields, optionally followed by `moves` and moves; or a game file, `-` for standard \
             input [default: startpos]",
        ))
        .arg(
            Arg::new("time")
                .long("time")
                .value_name("SECONDS")
                .value_parser(|text: &str| read_seconds(text))
                .help("Time limit, for each move of a game [default: 2 for a position]"),
        )
        .arg(number("nodes", 1..=u64::MAX).help("Node limit, for each move of a game [default: 200000 for a game]"))
        .arg(number("depth", 1..=MAX_DEPTH.into()).help("Depth limit in plies"))
        .arg(number("lines", 1..=6).help("Number of best lines of a position [default: 1]"))
        .arg(number("game", 1..=u64::MAX).help("Which game of the file, from 1 [default: all games]"))
        .arg(
            Arg::new("for")
                .long("for")
                .value_name("SIDE")
                .value_parser(PossibleValuesParser::new(PointOfView::NAMES))
                .default_value("south")
                .help("Whose scores to show: South's, or those of the side to move"),
        )
        .arg(
            Arg::new("json")
                .long("json")
                .action(ArgAction::SetTrue)
                .help("Print JSON, one object a line for each position or game"),
        )
        .after_help(
            "Examples:\n  kroo analyse --variant oware startpos moves FfEc --lines 3\n  kroo analyse match.ogn --game 2 --for mover\n  \
             kroo analyse --json --nodes 200000 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S\n\n\
             Marks: ?! half a seed given away, ? one and a half, ?? three or a proven result.\n\
             A second search, four times as long or two plies deeper, confirms each mark.\n\
             Limits of nodes or depth with one thread give the same marks every time.\n\n\
             Accuracy: 100 % minus the average loss of expected result (win 1, draw 1/2) of a\n\
             move; forced moves do not count.\n\n\
             A result is known if endgame files or proofs show it for the best move and for\n\
             the move played: `--endgamepath` and more nodes find more of them.\n\n\
             `kroo solve --moves` searches until the value of every move is proven.\n\n\
             The graph of a game has a sign for each move, the higher the better for South.",
        );
    with_flags(command, |name| FLAGS.contains(&name))
}

/// Reads the arguments of `kroo analyse`.
pub(super) fn read(matches: &ArgMatches, settings: &Settings) -> Result<AnalysePlan, clap::Error> {
    let named: Option<Variant> =
        matches.get_one::<String>("variant").map(|name| name.parse().expect("one of the names"));
    let words: Vec<&str> = matches.get_many("subject").into_iter().flatten().map(String::as_str).collect();
    let number = matches.get_one::<u64>("game").map(|&number| number as usize);
    let lines = matches.get_one::<u64>("lines").map(|&lines| lines as usize);
    let subject = match file_among(&words) {
        Some(word) if words.len() > 1 => {
            return Err(usage_error(&format!("one game file at a time: type `kroo analyse {word}`")));
        }
        Some(word) if lines.is_some() => {
            return Err(usage_error(&format!(
                "--lines is for a position: type `kroo analyse {word}` for the game file, or the moves of a game as in \
                 `kroo analyse startpos moves FfEc --lines 3`"
            )));
        }
        Some(word) if may_be_mistyped(word) => {
            return Err(usage_error(&format!(
                "`{word}` is neither a position, which is `startpos` or fifteen fields, nor a file"
            )));
        }
        Some(word) => Subject::File { path: word.into(), number, variant: named },
        None if number.is_some() => {
            return Err(usage_error("--game is for a game file: type `kroo analyse FILE --game N`"));
        }
        None => {
            let text = if words.is_empty() { "startpos".to_owned() } else { words.join(" ") };
            Subject::Position(Box::new(
                parse_game(settings.variant, &text).map_err(|error| usage_error(&error))?,
            ))
        }
    };
    let limits = Limits {
        movetime: matches.get_one("time").map(|time: &Duration| time.as_millis() as u64),
        nodes: matches.get_one("nodes").copied(),
        depth: matches.get_one::<u64>("depth").map(|&depth| depth as u32),
        ..Limits::default()
    };
    let by_default = match &subject {
        Subject::Position(_) => Limits { movetime: Some(POSITION_TIME), ..Limits::default() },
        Subject::File { .. } => Limits { nodes: Some(DEFAULT_NODES), ..Limits::default() },
    };
    Ok(AnalysePlan {
        subject,
        limits: if limits == Limits::default() { by_default } else { limits },
        lines: lines.unwrap_or(1),
        view: matches.get_one("for").map_or(PointOfView::South, |name: &String| PointOfView::called(name)),
        json: matches.get_flag("json"),
        settings: settings.clone(),
    })
}

/// Whether a word neither names an existing file nor looks like a path.
fn may_be_mistyped(word: &str) -> bool {
    word != STANDARD_INPUT && !word.contains(['.', '/', '\\']) && !Path::new(word).exists()
}

/// The first word that names a file: an existing one, or one that cannot be a position. Its content decides whether it is a
/// game file.
fn file_among<'a>(words: &[&'a str]) -> Option<&'a str> {
    let like_file = |word: &str| {
        let is_path = word.contains(['.', '/', '\\']) && !word.contains(char::is_whitespace);
        word == STANDARD_INPUT || is_path || word != "startpos" && Path::new(word).is_file()
    };
    // The fields of a position are joined by dashes.
    if let &[word] = words
        && word != "startpos"
        && !word.is_empty()
        && !word.contains(['-', ' '])
    {
        return Some(word);
    }
    words.iter().copied().find(|word| like_file(word))
}

/// The games of a file, all under the rules of `variant` if given.
fn games_of(path: &Path, variant: Option<Variant>) -> Result<Vec<GameRecord>, Box<dyn Error>> {
    let games = if path == Path::new(STANDARD_INPUT) {
        ogn::read(io::stdin().lock(), Path::new("standard input"), variant)
    } else {
        ogn::open_as(path, variant)
    };
    let games = games.map_err(|error| match &error {
        FileError::Text { error: fault, .. } if matches!(fault.fault, OgnFault::NoVariant) => {
            format!("{error}; type `--variant` and its name, such as `--variant oware`")
        }
        _ => error.to_string(),
    })?;
    for (number, game) in (1..).zip(&games) {
        let own = game.game.start().variant();
        if let Some(other) = variant.filter(|&variant| variant != own) {
            return Err(format!(
                "{}: game {number} is a game of {own}, not of {other}: leave --variant out, or type `--variant {own}`",
                path.display()
            )
            .into());
        }
    }
    Ok(games)
}

impl AnalysePlan {
    /// Analyses, and prints the answer.
    pub fn run(&self) -> Result<(), Box<dyn Error>> {
        match &self.subject {
            Subject::Position(game) => {
                let mut analyst = Analyst::new(&self.settings, game)?;
                warn(&mut analyst)?;
                self.position(game, &analyst)
            }
            Subject::File { path, number, variant } => {
                let games = games_of(path, *variant)?;
                let count = games.len();
                if let Some(number) = number.filter(|&number| number > count) {
                    let (are, games) = (agreeing(count as u64, "is", "are"), counted(count as u64, "game"));
                    return Err(
                        format!("{}: there {are} {games}, and no game {number}", path.display()).into()
                    );
                }
                let wanted = |at: usize| number.is_none_or(|number| number == at);
                let games = || (1..).zip(&games).filter(|&(at, _)| wanted(at));
                let Some((_, first)) = games().next() else { return Ok(()) };
                let mut analyst = Analyst::new(&self.settings, &first.game)?;
                let moves = games().map(|(_, game)| game.game.moves().len() as u64).sum();
                let mut reviewed = Reviewed { progress: Progress::new("moves", moves), moves: 0 };
                for (at, game) in games() {
                    if !self.json && count > 1 {
                        let gap = if at > 1 && number.is_none() { "\n" } else { "" };
                        reviewed.say(&format!("{gap}Game {at} of {count}"))?;
                    }
                    // Verdicts of a game do not depend on earlier games.
                    analyst.begin(&game.game)?;
                    warn(&mut analyst)?;
                    self.game(at, game, &analyst, &mut reviewed)?;
                }
                reviewed.progress.clear();
                Ok(())
            }
        }
    }

    fn position(&self, game: &Game, analyst: &Analyst) -> Result<(), Box<dyn Error>> {
        let position = game.position();
        let told = |rest: Json| {
            let mut told = json!({ "variant": position.variant().name(), "position": position.to_string(),
                "for": self.view.name() });
            if let (Some(told), Json::Object(rest)) = (told.as_object_mut(), rest) {
                told.extend(rest);
            }
            told.to_string()
        };
        if position.verdict().is_some() {
            let result = GameResult::of(position).word();
            return if self.json {
                say(&told(json!({ "result": result, "best": null, "wdl": null, "lines": [] })))
            } else {
                say(&format!("{}\nThe game is over: {result}", draw(position).join("\n")))
            };
        }
        let (report, time) = analyst.search(game, &self.limits, self.lines);
        let seen = |score| self.view.of(score, position.side());
        let lines = report.lines();
        if self.json {
            let lines: Vec<Json> = lines.iter().map(|line| self.view.line_json(line)).collect();
            return say(&told(json!({ "result": null, "best": report.pv.first().map(Move::to_string),
                "wdl": seen(report.score).chances(), "depth": report.depth, "nodes": report.nodes,
                "seconds": seconds(time), "lines": lines })));
        }
        say(&draw(position).join("\n"))?;
        let nodes = counted(report.nodes, "node");
        say(&format!("depth {}, {nodes}, {:.1} s", report.depth, time.as_secs_f64()))?;
        say(&format!("{}\n", self.view.header()))?;
        for (number, line) in (1..).zip(&lines) {
            say(&self.view.line(number, line))?;
        }
        Ok(())
    }

    fn game(
        &self,
        number: usize,
        record: &GameRecord,
        analyst: &Analyst,
        reviewed: &mut Reviewed,
    ) -> Result<(), Box<dyn Error>> {
        let name = |tag| record.tag(tag).unwrap_or("?").to_owned();
        let variant = record.game.start().variant();
        if !self.json {
            let title: String =
                format!("{} - {} ({variant}), {}", name("South"), name("North"), record.result());
            reviewed.say(&title.chars().map(|c| if c.is_control() { '?' } else { c }).collect::<String>())?;
            reviewed.say(self.view.header())?;
        }
        let opening = record.opening();
        let (mut before, mut moves) = (Game::new(*record.game.start()), Vec::new());
        for &mv in &record.game.moves()[..opening] {
            if self.json {
                moves.push(review::opening_json(&before, mv));
            } else {
                reviewed.say(&review::opening_line(&before, mv))?;
            }
            before.play(mv).expect("a move of a game is legal in it");
            reviewed.next();
        }
        let mut review = Review::new(&record.game, ReviewedMoves::after(opening), &self.limits);
        while let Some(look) = review.look() {
            let (report, _) = analyst.search(look.game, look.limits, look.lines);
            let Some(judgement) = review.take(&report) else { continue };
            if !self.json {
                reviewed.say(&review::line(judgement, self.view))?;
            }
            reviewed.next();
        }
        let judgements = review.judgements();
        if self.json {
            moves.extend(judgements.iter().map(|judgement| review::json(judgement, self.view)));
            let told = json!({ "game": number, "variant": variant.name(), "south": name("South"),
                "north": name("North"), "result": record.result(), "for": self.view.name(),
                "opening": opening, "moves": moves, "summary": summary_json(judgements) });
            return reviewed.say(&printable::json(&told.to_string()));
        }
        reviewed.say(&summary(judgements, self.view, has_utf8()).join("\n"))
    }
}

/// Prints the faults of the endgame files to standard error; the analysis continues without them.
fn warn(analyst: &mut Analyst) -> Result<(), Box<dyn Error>> {
    for fault in analyst.take_faults() {
        printable::to_stderr(&format!("kroo: {fault}"))?;
    }
    Ok(())
}

struct Reviewed {
    progress: Progress,
    moves: u64,
}

impl Reviewed {
    fn next(&mut self) {
        self.moves += 1;
        self.progress.at(self.moves, "");
    }

    fn say(&self, line: &str) -> Result<(), Box<dyn Error>> {
        self.progress.beside(|| say(line))
    }
}

fn seconds(time: Duration) -> f64 {
    time.as_millis() as f64 / 1000.0
}
