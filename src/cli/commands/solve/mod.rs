//! `kroo solve`: the proven values of positions.

mod batch;
mod certificate;
mod keeper;
mod shown;
mod solver;

use super::flags::{game_names, variant_argument, with_flags};
use super::openings::variant_of_set;
use super::output::{remark, say, usage_error};
use crate::game::{Game, Variant};
use crate::play::read_seconds;
use crate::printable::{clipped, counted};
use crate::progress::Progress;
use crate::protocol::{Question, Settings, SolveCommand};
use crate::search::solver_takes;
use crate::solve::{Answer, Bounds, Pause};
use batch::{AnswerFile, are_moves, game_of};
use clap::builder::PossibleValuesParser;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use keeper::Keeper;
use serde_json::Value as Json;
use shown::Totals;
use solver::Solver;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The name of the subcommand.
pub(super) const NAME: &str = "solve";

/// The exit status if a position is not proven at the limit; that of `referee` for an undecided match.
const UNPROVEN: u8 = 11;
/// The file name that means standard input.
const STANDARD_INPUT: &str = "-";
/// Maximum characters of a word in a message.
const SHOWN: usize = 60;
/// Time between two updates of the progress.
const TELL_EVERY: Duration = Duration::from_millis(200);
/// The protocol options that apply here.
const FLAGS: [&str; 5] = ["hash", "threads", "solution", "endgamepath", "endgameseeds"];

/// Positions to solve.
#[derive(Clone, Debug)]
pub struct SolvePlan {
    subject: Subject,
    task: SolveCommand,
    json: bool,
    out: Option<PathBuf>,
    /// The file of proofs.
    proofs: Option<PathBuf>,
    /// The file for a certificate.
    certificate: Option<PathBuf>,
    settings: Settings,
    /// Whether the user named the rule set.
    is_named: bool,
}

#[derive(Clone, Debug)]
enum Subject {
    Position(Box<Game>),
    /// Positions in a file, or on standard input. Without a rule set that the user named, the file may name its own.
    Batch(Option<PathBuf>),
    /// A certificate to check.
    Check(PathBuf),
}

/// The subcommand with its flags.
pub(super) fn usage() -> Command {
    let command = Command::new(NAME)
        .about("Prove the exact value of positions and their moves")
        .arg(variant_argument().value_parser(game_names()))
        .arg(Arg::new("subject").value_name("POSITION|MOVES|FILE").num_args(0..).help(
            "`startpos` or fifteen fields, optionally followed by `moves` and moves; or only moves; or a file with one of \
             these a line, `-` for standard input [default: startpos]",
        ))
        .arg(
            Arg::new("moves")
                .long("moves")
                .action(ArgAction::SetTrue)
                .help("Prove the value of each move too"),
        )
        .arg(
            Arg::new("bound")
                .long("bound")
                .value_name("WHAT")
                .value_parser(PossibleValuesParser::new(Question::NAMES))
                .help("Prove less than the value: `win`, whether the mover wins; `draw`, whether it wins, draws or loses"),
        )
        .arg(
            Arg::new("limit")
                .long("limit")
                .value_name("LIMIT")
                .value_delimiter(',')
                .value_parser(read_limit)
                .help("Limit for each position: `time=SECONDS`, `nodes=N`, or both, separated by a comma [default: none]"),
        )
        .arg(
            Arg::new("json")
                .long("json")
                .action(ArgAction::SetTrue)
                .help("Print JSON, one object a line for each position"),
        )
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("Add the answers to FILE as JSON; the same command continues an interrupted batch"),
        )
        .arg(
            Arg::new("proofs")
                .long("proofs")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("Keep what took long to prove in FILE, each minute and at the end; the same command goes on from there"),
        )
        .arg(
            Arg::new("certificate")
                .long("certificate")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .conflicts_with_all(["out", "proofs", "bound", "limit"])
                .help("ayoayo: prove the value by lines that end in the endgame files, and write a proof that can be checked"),
        )
        .arg(
            Arg::new("check")
                .long("check")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .conflicts_with_all(["variant", "subject", "moves", "bound", "limit", "json", "out", "proofs", "certificate"])
                .help("Check a certificate: each record by the rules and the endgame files, without a search"),
        )
        .after_help(
            "Examples:\n  kroo solve --variant kalah --hash 256 --solution false\n  \
             kroo solve --variant kalah3 --moves startpos moves E\n  \
             kroo solve --variant kalah-emptycapture --bound draw --hash 1024 --out answers.jsonl starts.txt\n  \
             kroo solve --variant kalah5 --hash 4096 --threads 2 --solution false --proofs kalah5.proofs\n  \
             kroo solve --variant ayoayo --hash 2048 --certificate ayoayo.certificate\n  \
             kroo solve --check ayoayo.certificate\n\n\
             Values are in seeds, for the side to move. The positions of a batch share the\n\
             transposition table, so similar positions are solved faster.\n\n\
             kalah, awari1978 and avalanche can be solved from any position, given time. In\n\
             the other rule sets positions can repeat: there a search and the endgame files\n\
             prove what they can, and the rest is bounds.\n\n\
             `kroo analyse --lines` shows the best lines after a limit, proven or not;\n\
             `kroo solve --moves` searches until the value of every move is proven.\n\n\
             The exit status is 0 if everything asked is proven, 11 if not.",
        );
    with_flags(command, |name| FLAGS.contains(&name))
}

/// A part of `--limit`.
#[derive(Clone, Copy, Debug)]
enum Limit {
    Time(Duration),
    Nodes(u64),
}

fn read_limit(text: &str) -> Result<Limit, String> {
    let wrong = || format!("`{}` is neither `time=SECONDS` nor `nodes=N`", clipped(text, SHOWN));
    match text.split_once('=').ok_or_else(wrong)? {
        ("time", seconds) => read_seconds(seconds).map(Limit::Time),
        ("nodes", nodes) => match nodes.parse() {
            Ok(nodes) if nodes > 0 => Ok(Limit::Nodes(nodes)),
            _ => Err(format!("`{}` is not a number of nodes from 1", clipped(nodes, SHOWN))),
        },
        _ => Err(wrong()),
    }
}

/// Reads the arguments of `kroo solve`.
pub(super) fn read(matches: &ArgMatches, settings: &Settings) -> Result<SolvePlan, clap::Error> {
    let words: Vec<&str> = matches.get_many("subject").into_iter().flatten().map(String::as_str).collect();
    let limits: Vec<Limit> = matches.get_many("limit").into_iter().flatten().copied().collect();
    let time = |limit: &Limit| if let Limit::Time(time) = limit { Some(*time) } else { None };
    let nodes = |limit: &Limit| if let Limit::Nodes(nodes) = limit { Some(*nodes) } else { None };
    let question = match matches.get_one::<String>("bound").map(String::as_str) {
        Some("win") => Question::Win,
        Some(_) => Question::Draw,
        None => Question::Value,
    };
    let task = SolveCommand {
        moves: matches.get_flag("moves"),
        question,
        movetime: limits.iter().find_map(time).map(|time| (time.as_millis() as u64).max(1)),
        nodes: limits.iter().find_map(nodes),
    };
    let subject = match matches.get_one::<PathBuf>("check") {
        Some(file) => Subject::Check(file.clone()),
        None => subject(&words, settings)?,
    };
    let certificate = matches.get_one::<PathBuf>("certificate").cloned();
    if certificate.is_some() {
        if settings.variant != Variant::Ayoayo {
            return Err(usage_error("--certificate: only ayoayo has certificates: type `--variant ayoayo`"));
        }
        if matches!(subject, Subject::Batch(_)) {
            return Err(usage_error("--certificate is for one position at a time"));
        }
    }
    Ok(SolvePlan {
        subject,
        task,
        json: matches.get_flag("json"),
        out: matches.get_one::<PathBuf>("out").cloned(),
        proofs: matches.get_one::<PathBuf>("proofs").cloned(),
        certificate,
        is_named: matches.value_source("variant") == Some(ValueSource::CommandLine),
        settings: settings.clone(),
    })
}

/// The subject that the words name: a file if one exists with this name or the name can be nothing else, otherwise a position.
fn subject(words: &[&str], settings: &Settings) -> Result<Subject, clap::Error> {
    if let &[word] = words {
        if word == STANDARD_INPUT {
            return Ok(Subject::Batch(None));
        }
        let can_be_position = word == "startpos" || !word.contains(['.', '/', '\\']);
        if word != "startpos" && Path::new(word).exists() || !can_be_position {
            return Ok(Subject::Batch(Some(word.into())));
        }
        if word != "startpos" && !word.contains(['-', ' ']) && !are_moves(word) {
            return Err(usage_error(&format!(
                "`{}` is neither a position, nor moves, nor a file",
                clipped(word, SHOWN)
            )));
        }
    }
    let text = if words.is_empty() { "startpos".to_owned() } else { words.join(" ") };
    let game = game_of(settings.variant, &text).map_err(|error| usage_error(&error))?;
    Ok(Subject::Position(Box::new(game)))
}

impl SolvePlan {
    /// Solves the positions, and prints the answers.
    ///
    /// # Errors
    /// If a file cannot be read or written, there is not enough memory for the table, or the answers cannot be printed.
    pub(super) fn run(&self) -> Result<ExitCode, Box<dyn Error>> {
        if let (Subject::Position(game), Some(file)) = (&self.subject, &self.certificate) {
            return self.certify(game, file);
        }
        let games = match &self.subject {
            Subject::Position(game) => vec![(**game).clone()],
            Subject::Batch(path) => batch::read(path.as_deref(), |text| self.variant(text))?,
            Subject::Check(file) => {
                say(&certificate::check(&self.solver(Variant::Ayoayo)?, file)?)?;
                return Ok(ExitCode::SUCCESS);
            }
        };
        let expected: Vec<Json> = games.iter().map(|game| shown::asked(game, self.task)).collect();
        let mut file = self.out.as_deref().map(|path| AnswerFile::open(path, &expected)).transpose()?;
        let mut totals = Totals::default();
        if let Some(file) = &file {
            for answer in &file.answers {
                let proven = answer["proven"] == true;
                totals.add(answer["result"].as_str(), proven, answer["nodes"].as_u64().unwrap_or(0));
            }
            totals.before = file.answers.len() as u64;
        }
        self.solve(&games[totals.before as usize..], games.len() as u64, &mut totals, file.as_mut())
    }

    /// Solves one position of `ayoayo`, and writes the certificate.
    fn certify(&self, game: &Game, file: &Path) -> Result<ExitCode, Box<dyn Error>> {
        let solver = self.solver(self.settings.variant)?;
        let mut progress = Progress::new("positions", 1);
        let written = {
            let mut tell = self.teller(0, &mut progress);
            certificate::write(&solver, game, self.task, file, &mut tell)?
        };
        progress.clear();
        let certificate::Written { answer, records, endgame_seeds } = written;
        if self.json {
            let mut told = shown::json(game, &answer, self.task);
            (told["records"], told["endgame_seeds"]) = (records.into(), endgame_seeds.into());
            say(&told.to_string())?;
        } else {
            say(&shown::text(game, &answer, self.task))?;
            let (file, records) = (file.display(), counted(records as u64, "record"));
            say(&format!("{file}: {records}, with endgame files to {endgame_seeds} seeds"))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The rule set of positions: the one that the user named, or that the file names, or the usual one.
    fn variant(&self, text: &str) -> Variant {
        let told = if self.is_named { None } else { variant_of_set(text) };
        told.unwrap_or(self.settings.variant)
    }

    /// The solver; faults of its files are remarks.
    fn solver(&self, variant: Variant) -> Result<Solver, Box<dyn Error>> {
        let mut solver = Solver::new(&Settings { variant, ..self.settings.clone() })?;
        for fault in solver.take_faults() {
            remark(&format!("kroo: {fault}"));
        }
        Ok(solver)
    }

    fn solve(
        &self,
        games: &[Game],
        all: u64,
        totals: &mut Totals,
        mut file: Option<&mut AnswerFile>,
    ) -> Result<ExitCode, Box<dyn Error>> {
        let began = Instant::now();
        let variant = games.first().map_or(self.settings.variant, |game| game.position().variant());
        let solver = self.solver(variant)?;
        let mut keeper =
            self.proofs.as_deref().map(|path| Keeper::open(path, variant, &solver)).transpose()?;
        let mut progress = Progress::new("positions", all);
        progress.skip(totals.before);
        for (done, game) in (totals.before..).zip(games) {
            let answer = self.answer(&solver, game, done, &mut progress, keeper.as_mut());
            let stopped = keeper.as_ref().and_then(Keeper::stopped);
            let json = shown::json(game, &answer, self.task);
            // What a signal has stopped is no answer.
            if let Some(file) = &mut file
                && (json["proven"] == true || stopped.is_none())
            {
                file.append(&json)?;
            }
            totals.add(json["result"].as_str(), json["proven"] == true, answer.nodes);
            let line = if self.json { json.to_string() } else { shown::text(game, &answer, self.task) };
            progress.beside(|| say(&line))?;
            if let Some(keeper) = &mut keeper {
                keeper.keep(&solver.table)?;
            }
            if let Some(status) = stopped {
                progress.clear();
                remark("kroo: stopped; the same command goes on from here");
                return Ok(status);
            }
        }
        progress.clear();
        if all > 1 && !self.json {
            say(&totals.text(began.elapsed()))?;
        }
        if totals.unproven == 0 {
            return Ok(ExitCode::SUCCESS);
        }
        if let Some(game) = games.iter().find(|game| !solver_takes(game.position())) {
            let variant = game.position().variant();
            remark(&format!(
                "kroo: positions of {variant} can repeat, so not every value can be proven: endgame files of more seeds prove more"
            ));
        }
        Ok(ExitCode::from(UNPROVEN))
    }

    fn answer(
        &self,
        solver: &Solver,
        game: &Game,
        done: u64,
        progress: &mut Progress,
        mut keeper: Option<&mut Keeper>,
    ) -> Answer {
        let mut tell = self.teller(done, progress);
        solver.solve(game, self.task, &mut |bounds, nodes| {
            tell(bounds, nodes);
            keeper.as_mut().map_or(Pause::GoOn, |keeper| keeper.pause(&solver.table))
        })
    }

    /// Shows the present bounds and the nodes of a position, after `done` others; with a file of proofs each new bound stays.
    fn teller<'a>(&self, done: u64, progress: &'a mut Progress) -> impl FnMut(Bounds, u64) + 'a {
        let (began, question) = (Instant::now(), self.task.question);
        let (mut told, mut last, stays) = (began, None, self.proofs.is_some());
        move |bounds: Bounds, nodes: u64| {
            let is_new = last.replace(bounds).is_some_and(|last| last != bounds);
            if !is_new && told.elapsed() < TELL_EVERY {
                return;
            }
            told = Instant::now();
            let bounds = shown::bounds_text(bounds, question);
            let line = format!("{bounds}, {}", shown::effort(nodes, began.elapsed()));
            if is_new && stays {
                progress.beside(|| remark(&format!("kroo: {line}")));
            }
            progress.at(done, &line);
        }
    }
}
