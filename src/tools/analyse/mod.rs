//! `kroo analyse`: one answer about a position, or the mistakes of a game.

mod scores;

use scores::{line_json, score_json, shown};

use super::output::{say, usage_error};
use crate::game::{Game, Move, Position, Side, Variant, Verdict, draw, names};
use crate::ogn::{self, GameRecord};
use crate::play::read_seconds;
use crate::protocol::{Settings, parse_game};
use crate::search::{Clock, Observer, Report, Request, Table, TimeLimits, search};
use crate::value::Score;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde_json::{Value as Json, json};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The name of the subcommand.
pub(super) const NAME: &str = "analyse";

/// Time for a position, and for each move of a game, if nothing is said.
const POSITION_TIME: Duration = Duration::from_secs(2);
const MOVE_TIME: Duration = Duration::from_millis(300);
/// Hundredths of a seed that a move must give away to be marked, with the mark (chosen, not measured). A move that gives a
/// proven result away has the last mark.
const MARKS: [(i32, &str); 3] = [(50, "?!"), (150, "?"), (300, "??")];

/// What is to be analysed, and how.
#[derive(Clone, Debug)]
pub struct AnalysePlan {
    subject: Subject,
    time: Option<Duration>,
    nodes: Option<u64>,
    lines: usize,
    json: bool,
    hash_mib: usize,
    threads: usize,
}

#[derive(Clone, Debug)]
enum Subject {
    Position(Box<Game>),
    File { path: PathBuf, number: Option<usize> },
}

/// The subcommand with its flags.
pub(super) fn usage() -> Command {
    let number = |name: &'static str, range: std::ops::RangeInclusive<u64>| {
        Arg::new(name).long(name).value_name("N").value_parser(value_parser!(u64).range(range))
    };
    Command::new(NAME)
        .visible_alias("analyze")
        .about("Analyse a position, or find the mistakes of a game, and end")
        .arg(
            Arg::new("variant")
                .long("variant")
                .value_name("NAME")
                .value_parser(PossibleValuesParser::new(names()))
                .help("Rule set of a position [default: that of `kroo --variant`]; a game file names its own"),
        )
        .arg(Arg::new("subject").value_name("POSITION|FILE.ogn").num_args(0..).help(
            "`startpos` or fifteen fields, optionally followed by `moves` and moves; or a game file [default: startpos]",
        ))
        .arg(
            Arg::new("time")
                .long("time")
                .value_name("SECONDS")
                .value_parser(|text: &str| read_seconds(text))
                .help("Time limit [default: 2 for a position, 0.3 for each move of a game]"),
        )
        .arg(number("nodes", 1..=u64::MAX).help("Node limit instead of a time limit: with one thread the answer is always the same"))
        .arg(number("lines", 1..=6).default_value("1").help("Number of best lines of a position"))
        .arg(number("game", 1..=u64::MAX).help("Which game of the file, from 1 [default: the last one]"))
        .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print one JSON object instead of text"))
        .after_help(
            "Examples:\n  kroo analyse startpos moves FfEc --lines 3\n  kroo analyse --variant oware match.ogn --game 2\n  \
             kroo analyse --json --nodes 200000 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S\n\n\
             A game's moves are marked ?!, ? and ?? if they give away half a seed, one and a half, or three.\n\
             A move that gives away a proven result is marked ?? in any case.",
        )
}

/// What the words after `analyse` ask for.
pub(super) fn read(matches: &ArgMatches, settings: &Settings) -> Result<AnalysePlan, clap::Error> {
    let variant: Variant = match matches.get_one::<String>("variant") {
        Some(name) => name.parse().expect("one of the names"),
        None => settings.variant,
    };
    let words: Vec<&str> = matches.get_many("subject").into_iter().flatten().map(String::as_str).collect();
    let number = matches.get_one::<u64>("game").map(|&number| number as usize);
    let is_file = |word: &str| Path::new(word).extension().is_some_and(|it| it.eq_ignore_ascii_case("ogn"));
    let subject = match words[..] {
        [word] if is_file(word) => Subject::File { path: word.into(), number },
        _ if number.is_some() => {
            return Err(usage_error("--game is for a game file, whose name ends in .ogn"));
        }
        _ => {
            let text = if words.is_empty() { "startpos".to_owned() } else { words.join(" ") };
            Subject::Position(Box::new(parse_game(variant, &text).map_err(|error| usage_error(&error))?))
        }
    };
    Ok(AnalysePlan {
        subject,
        time: matches.get_one("time").copied(),
        nodes: matches.get_one("nodes").copied(),
        lines: matches.get_one("lines").map_or(1, |&lines: &u64| lines as usize),
        json: matches.get_flag("json"),
        hash_mib: settings.hash_mib,
        threads: settings.threads,
    })
}

/// Ends a search when its time is up.
struct Deadline(Clock);

impl Observer for Deadline {
    fn stop(&mut self, _nodes: u64) -> bool {
        self.0.is_up()
    }

    fn iteration(&mut self, _report: &Report) -> bool {
        false
    }
}

impl AnalysePlan {
    /// Analyses, and prints the answer.
    ///
    /// # Errors
    /// If the file cannot be read, there is no memory for the table, or the answer cannot be printed.
    pub fn run(&self) -> Result<(), Box<dyn Error>> {
        let table = Table::new(self.hash_mib)?;
        match &self.subject {
            Subject::Position(game) => self.position(game, &table),
            Subject::File { path, number } => {
                let mut games = ogn::open(path)?;
                let number = number.unwrap_or(games.len());
                if number > games.len() {
                    let count = games.len();
                    return Err(
                        format!("{}: there are {count} games, and no game {number}", path.display()).into()
                    );
                }
                self.game(&games.swap_remove(number - 1), &table)
            }
        }
    }

    /// The best lines in a game that is not over.
    fn think(&self, game: &Game, lines: usize, time: Duration, table: &Table) -> (Report, Duration) {
        let movetime = self.nodes.is_none().then(|| self.time.unwrap_or(time));
        let clock = Clock::new(Instant::now(), TimeLimits { movetime, ..TimeLimits::default() });
        let nodes = self.nodes.unwrap_or(u64::MAX);
        let request = Request { nodes, threads: self.threads, multipv: lines, ..Request::new(game) };
        (search(&request, table, &mut Deadline(clock)), clock.elapsed())
    }

    fn position(&self, game: &Game, table: &Table) -> Result<(), Box<dyn Error>> {
        let position = game.position();
        if let Some(result) = result_of(position) {
            let over = json!({ "variant": position.variant().name(), "position": position.to_string(), "result": result,
                "lines": [] });
            return if self.json {
                say(&over.to_string())
            } else {
                say(&format!("{}\nThe game is over: {result}", draw(position).join("\n")))
            };
        }
        let (report, time) = self.think(game, self.lines, POSITION_TIME, table);
        if self.json {
            let lines: Vec<Json> =
                lines_of(&report).into_iter().map(|(score, pv)| line_json(score, pv)).collect();
            return say(&json!({ "variant": position.variant().name(), "position": position.to_string(), "result": null,
                "best": report.pv[0].to_string(), "wdl": report.score.chances(), "depth": report.depth, "nodes": report.nodes, "seconds": seconds(time), "lines": lines })
            .to_string());
        }
        say(&draw(position).join("\n"))?;
        say(&format!("depth {}, {} nodes, {:.1} s\n", report.depth, report.nodes, time.as_secs_f64()))?;
        for (number, (score, pv)) in (1..).zip(lines_of(&report)) {
            let moves: Vec<String> = pv.iter().map(Move::to_string).collect();
            say(&format!("{number}. {:>17}  {}", shown(score), moves.join(" ")))?;
        }
        Ok(())
    }

    fn game(&self, record: &GameRecord, table: &Table) -> Result<(), Box<dyn Error>> {
        let mut game = Game::new(*record.game.start());
        let name = |tag| record.tag(tag).unwrap_or("?").to_owned();
        let variant = game.position().variant();
        if !self.json {
            let title: String =
                format!("{} - {} ({variant}), {}", name("South"), name("North"), record.result());
            say(&title.chars().map(|c| if c.is_control() { '?' } else { c }).collect::<String>())?;
        }
        let mut told = Vec::new();
        let mut marks = [[0_u32; 3]; 2];
        for (ply, &mv) in (1..).zip(record.game.moves()) {
            let count = game.position().moves().len();
            let (report, _) = self.think(&game, count, MOVE_TIME, table);
            let lines = lines_of(&report);
            let (best, best_line) = lines[0];
            // A search that was cut short may not have a line for every move.
            let played = lines.iter().find(|(_, line)| line[0] == mv).map(|(score, _)| *score);
            let mark = played.and_then(|played| mark_of(best, played));
            if let Some(mark) = mark {
                marks[mv.side.index()][mark] += 1;
            }
            let sign = mark.map_or("", |mark| MARKS[mark].1);
            if self.json {
                told.push(json!({ "ply": ply, "side": mv.side.to_string(), "move": mv.to_string(),
                    "score": played.map(score_json), "best": best_line[0].to_string(), "best_score": score_json(best),
                    "pv": best_line.iter().map(Move::to_string).collect::<String>(), "mark": (!sign.is_empty()).then_some(sign) }));
            } else {
                let score = played.map_or_else(|| "?".to_owned(), shown);
                let better = match mark {
                    Some(_) => format!("  better {}", written(best, best_line)),
                    None => String::new(),
                };
                say(format!("{ply:>3}. {mv}{sign:<2} {score:>17}{better}").trim_end())?;
            }
            game.play(mv)?;
        }
        if self.json {
            return say(&json!({ "variant": variant.name(), "south": name("South"), "north": name("North"),
                "result": record.result(), "moves": told })
            .to_string());
        }
        for side in Side::BOTH {
            let [half, one, three] = marks[side.index()];
            say(&format!("{side}: {half} ?!, {one} ?, {three} ??"))?;
        }
        Ok(())
    }
}

/// The lines of a report, the best first.
fn lines_of(report: &Report) -> Vec<(Score, &[Move])> {
    let others = report.others.iter().map(|(score, line)| (*score, line.as_slice()));
    std::iter::once((report.score, report.pv.as_slice())).chain(others).collect()
}

/// The mark of a move, from its score and that of the best one.
fn mark_of(best: Score, played: Score) -> Option<usize> {
    let rank = |verdict: Option<Verdict>| match verdict {
        Some(Verdict::Win) => 1,
        Some(Verdict::Loss) => -1,
        Some(Verdict::Draw) | None => 0,
    };
    let gave_result_away = rank(best.proven()) > rank(played.proven()) && best.proven().is_some()
        || played.proven() == Some(Verdict::Loss) && best.proven() != Some(Verdict::Loss);
    if gave_result_away {
        return Some(MARKS.len() - 1);
    }
    let given = best.value.shown_centiseeds() - played.value.shown_centiseeds();
    // Among won or lost games the margin is no mistake.
    let is_decided = best.proven().is_some() && best.proven() == played.proven();
    MARKS.iter().rposition(|&(least, _)| given >= least && !is_decided)
}

fn result_of(position: &Position) -> Option<&'static str> {
    position.verdict_for(Side::South).map(|verdict| match verdict {
        Verdict::Win => "1-0",
        Verdict::Draw => "1/2-1/2",
        Verdict::Loss => "0-1",
    })
}

fn written(score: Score, line: &[Move]) -> String {
    let moves: Vec<String> = line.iter().take(6).map(Move::to_string).collect();
    format!("{} ({})", moves.join(" "), shown(score))
}

fn seconds(time: Duration) -> f64 {
    time.as_millis() as f64 / 1000.0
}
