//! Options that journals record: `--resume --journal FILE` then needs no others.

use super::arguments::FAIR;
use super::command_line::command;
use crate::failure::Failure;
use crate::ledger::record::{JournalHeader, RecordedCommand};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use kroo::cli::usage::explained;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Options with paths as values.
const PATHS: [&str; 8] = ["openings", "endgame", "games-out", "json", "html", "journal", "log", "params"];
/// Options that concern only their own run.
const OWN: [&str; 2] = ["journal", "resume"];
/// The command of a tuning run.
const TUNE: &str = "tune";

/// An option as it was given: words that say the same, the first with its name.
type Spelled = Vec<OsString>;

/// A command line that resumes the match of a journal.
#[derive(Clone, Debug)]
pub(super) struct Resumption {
    /// The command, unless it is a match.
    name: Option<&'static str>,
    pub journal: PathBuf,
    given: Vec<Spelled>,
}

impl Resumption {
    /// The command line, if it asks for that. Its first word is the program's name.
    pub fn of(arguments: &[OsString]) -> Option<Resumption> {
        // Errors are reported when it is parsed.
        let matches = command().try_get_matches_from(arguments).ok()?;
        let (name, matches) = found(&matches)?;
        if !matches.get_flag("resume") {
            return None;
        }
        let journal = matches.get_one::<PathBuf>("journal")?.clone();
        Some(Resumption { name, journal, given: spelled(name, matches) })
    }

    /// Whether all options come from the journal.
    pub fn is_bare(&self) -> bool {
        self.name.is_none() && self.given.iter().all(|words| OWN.contains(&name_of(words)))
    }

    /// Whether it describes the engines, which then run in the folder of this command line.
    pub fn has_engines(&self) -> bool {
        self.has("engine")
    }

    fn has(&self, option: &str) -> bool {
        self.given.iter().any(|words| name_of(words) == option)
    }

    /// The whole command line: options given here take precedence over recorded ones. `here` is this folder, if the match began
    /// in another one. The result is for this folder if engines are given here, otherwise for the other.
    ///
    /// # Errors
    /// If the recorded options are not understood, or are of another command; or if words for the engines of another folder
    /// are given.
    pub fn over(
        mut self,
        header: &JournalHeader,
        recorded: &RecordedCommand,
        here: Option<&Path>,
    ) -> Result<ArgMatches, Failure> {
        let failed = |problem: &str| Failure::at(self.journal.display(), problem);
        let name = header.plan.tuning.as_ref().map(|_| TUNE);
        if let Some(given) = self.name.filter(|_| self.name != name) {
            let problem = format!("this is not the journal of `referee {given}`: leave `{given}` out");
            return Err(failed(&problem));
        }
        let words = |words: &Vec<String>| words.iter().map(OsString::from).collect();
        let mut all: Vec<Spelled> = recorded.options.iter().map(words).collect();
        match here {
            None => {}
            Some(_) if self.has_engines() => paths_from(Path::new(&recorded.folder), &mut all),
            Some(_) if self.has("each") => {
                return Err(failed(
                    "its match began in another folder, where the words after --each may mean something else: resume it \
                     there, or give its engines, too",
                ));
            }
            Some(here) => paths_from(here, &mut self.given),
        }
        let mut grammar = command_of(name);
        grammar.build();
        let conflicts = |one: &str, other: &str| {
            let found = |name: &str| grammar.get_arguments().find(move |arg| arg.get_long() == Some(name));
            found(one).is_some_and(|arg| {
                grammar.get_arg_conflicts_with(arg).iter().any(|arg| arg.get_long() == Some(other))
            })
        };
        all.retain(|words| {
            let option = name_of(words);
            let mut given = self.given.iter().map(|words| name_of(words));
            !given.any(|other| option == other || conflicts(option, other) || conflicts(other, option))
        });
        let words = all.into_iter().chain(self.given).flatten();
        let start = ["referee"].into_iter().chain(name).map(OsString::from);
        command().try_get_matches_from(start.chain(words)).map_err(|error| {
            // The usage after the first line is that of this command line.
            let problem = explained(&error);
            let problem = problem.lines().next().unwrap_or_default();
            let journal = self.journal.display();
            Failure::at(journal, format!("the command line in this journal is not understood: {problem}"))
        })
    }
}

/// The name of an option that was given.
fn name_of(words: &[OsString]) -> &str {
    let first = words.first().and_then(|word| word.to_str()).unwrap_or_default();
    let long = first.strip_prefix("--").unwrap_or_default();
    long.split('=').next().unwrap_or_default()
}

/// The same options with the paths that they have from this folder.
fn paths_from(folder: &Path, options: &mut [Spelled]) {
    let path = |word: &OsString| {
        let (long, path) = word.to_str()?.split_once('=')?;
        if long == "--openings" && path == FAIR {
            return None;
        }
        Some(format!("{long}={}", folder.join(path).display()).into())
    };
    for words in options.iter_mut().filter(|words| PATHS.contains(&name_of(words))) {
        words.iter_mut().for_each(|word| *word = path(word).unwrap_or_else(|| word.clone()));
    }
}

/// The options of a match or a tuning run for its journal: those that were given, without the journal itself.
pub(super) fn options(matches: &ArgMatches) -> Vec<Vec<String>> {
    let Some((name, matches)) = found(matches) else { return Vec::new() };
    let given = spelled(name, matches).into_iter().filter(|words| !OWN.contains(&name_of(words)));
    given.map(|words| words.iter().map(|word| word.to_string_lossy().into_owned()).collect()).collect()
}

/// A command, or that of a match, with its options.
fn command_of(name: Option<&str>) -> Command {
    let command = command();
    name.and_then(|name| command.find_subcommand(name)).cloned().unwrap_or(command)
}

/// A command line with a journal: a match or a tuning run.
fn found(matches: &ArgMatches) -> Option<(Option<&'static str>, &ArgMatches)> {
    match matches.subcommand() {
        None => Some((None, matches)),
        Some((TUNE, matches)) => Some((Some(TUNE), matches)),
        Some(_) => None,
    }
}

/// The options that were given, each as words that say the same.
fn spelled(name: Option<&str>, matches: &ArgMatches) -> Vec<Spelled> {
    let is_given = |arg: &&Arg| {
        let id = arg.get_id().as_str();
        matches.try_contains_id(id).is_ok() && matches.value_source(id) == Some(ValueSource::CommandLine)
    };
    let spell = |arg: &Arg| {
        let long = format!("--{}", arg.get_long().unwrap_or_default());
        if matches!(arg.get_action(), ArgAction::SetTrue) {
            return vec![long.into()];
        }
        let occurrences = matches.get_raw_occurrences(arg.get_id().as_str()).into_iter().flatten();
        let spelled = occurrences.map(|words| match words.collect::<Vec<_>>().as_slice() {
            // One value is joined to its option and may begin with any character.
            [word] => {
                let mut joined = OsString::from(format!("{long}="));
                joined.push(word);
                vec![joined]
            }
            words => [OsStr::new(&long)].iter().chain(words).map(OsString::from).collect(),
        });
        spelled.collect::<Vec<_>>().concat()
    };
    command_of(name).get_arguments().filter(is_given).map(spell).collect()
}
