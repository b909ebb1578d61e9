//! Command lines that journals record, so that `--resume --journal FILE` needs nothing else.

use super::arguments::FAIR;
use super::command_line::command;
use crate::failure::Failure;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use kroo::cli::usage::explained;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Options whose values are paths.
const PATHS: [&str; 8] = ["openings", "endgame", "games-out", "json", "html", "journal", "log", "params"];
/// Options that concern only the run in which they are given.
const OWN: [&str; 2] = ["journal", "resume"];

/// The command of a tuning run.
const TUNE: &str = "tune";

/// An option as it was given: its name and its words.
type Spelled = (String, Vec<OsString>);

/// A command line that resumes the match of a journal.
#[derive(Clone, Debug)]
pub struct Resumption {
    /// The command, unless it is a match.
    name: Option<String>,
    journal: PathBuf,
    given: Vec<Spelled>,
}

impl Resumption {
    /// The command line, if it asks for that. Its first word is the program's name.
    pub fn of(arguments: &[OsString]) -> Option<Resumption> {
        // What is wrong with it shows when it is parsed.
        let matches = command().try_get_matches_from(arguments).ok()?;
        let (name, command, matches) = found(&matches)?;
        if !matches.get_flag("resume") {
            return None;
        }
        let journal = matches.get_one::<PathBuf>("journal")?.clone();
        Some(Resumption { name, journal, given: spelled(&command, matches) })
    }

    /// The journal.
    pub fn journal(&self) -> &Path {
        &self.journal
    }

    /// Whether the journal has to say everything.
    pub fn is_bare(&self) -> bool {
        self.name.is_none() && self.given.iter().all(|(option, _)| OWN.contains(&option.as_str()))
    }

    /// Whether it describes the engines, so that it is understood, and they run, in the folder in which it is given.
    pub fn has_engines(&self) -> bool {
        self.has("engine")
    }

    fn has(&self, option: &str) -> bool {
        self.given.iter().any(|(given, _)| given == option)
    }

    /// The whole command line: what is given here takes precedence over what was recorded. `folders` are this one and the one in
    /// which the match began, if they differ. The result is for this one if engines are given here, and else for the other.
    ///
    /// # Errors
    /// If the recorded words are not understood, or are of another command; or if words for the engines of another folder are
    /// given.
    pub fn over(&self, recorded: &[String], folders: Option<[&Path; 2]>) -> Result<Vec<OsString>, Failure> {
        let journal = self.journal.display();
        // Some options need a journal.
        let journal_word = format!("--journal={journal}");
        let recorded = recorded.iter().chain([&journal_word]).map(String::as_str);
        let arguments = ["referee"].into_iter().chain(recorded);
        let not_understood = |problem: &str| {
            // The usage after the first line is that of this command line.
            let problem = problem.lines().next().unwrap_or_default().to_owned();
            let problem = format!("the command line in this journal is not understood: {problem}");
            Failure::new(format!("{}: {problem}", self.journal.display()))
        };
        let matches =
            command().try_get_matches_from(arguments).map_err(|error| not_understood(&explained(&error)))?;
        let (name, mut command, matches) = found(&matches).ok_or_else(|| not_understood("it is no match"))?;
        if self.name.is_some() && self.name != name {
            let name = self.name.as_deref().unwrap_or_default();
            return Err(Failure::new(format!(
                "{journal}: this is not the journal of `referee {name}`: leave `{name}` out"
            )));
        }
        let (mut all, mut given) = (spelled(&command, matches), self.given.clone());
        match folders {
            None => {}
            Some([_, there]) if self.has_engines() => paths_from(there, &mut all),
            Some(_) if self.has("each") => {
                return Err(Failure::new(format!(
                    "{journal}: its match began in another folder, where the words after --each may mean something else: resume \
                     it there, or give its engines, too"
                )));
            }
            Some([here, _]) => paths_from(here, &mut given),
        }
        command.build();
        let conflicts = |one: &str, other: &str| {
            let found = |name: &str| command.get_arguments().find(move |arg| arg.get_long() == Some(name));
            found(one).is_some_and(|arg| {
                command.get_arg_conflicts_with(arg).iter().any(|arg| arg.get_long() == Some(other))
            })
        };
        all.retain(|(option, _)| {
            !given
                .iter()
                .any(|(other, _)| option == other || conflicts(option, other) || conflicts(other, option))
        });
        let words = all.into_iter().chain(given).flat_map(|(_, words)| words);
        Ok(["referee".into()].into_iter().chain(name.map(OsString::from)).chain(words).collect())
    }
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
    for (_, words) in options.iter_mut().filter(|(option, _)| PATHS.contains(&option.as_str())) {
        words.iter_mut().for_each(|word| *word = path(word).unwrap_or_else(|| word.clone()));
    }
}

/// The words of a match or a tuning run for its journal: those that were given, without the journal itself.
pub(super) fn words(matches: &ArgMatches) -> Vec<String> {
    let Some((name, command, matches)) = found(matches) else { return Vec::new() };
    let options =
        spelled(&command, matches).into_iter().filter(|(option, _)| !OWN.contains(&option.as_str()));
    name.into_iter().chain(texts(options.flat_map(|(_, words)| words))).collect()
}

fn texts(words: impl Iterator<Item = OsString>) -> impl Iterator<Item = String> {
    words.map(|word| word.to_string_lossy().into_owned())
}

/// A command, or that of a match, with its options.
fn command_of(name: Option<&str>) -> Option<Command> {
    let command = command();
    match name {
        None => Some(command),
        Some(name) => command.find_subcommand(name).cloned(),
    }
}

/// A command line with a journal: a match or a tuning run.
fn found(matches: &ArgMatches) -> Option<(Option<String>, Command, &ArgMatches)> {
    let (name, matches) = match matches.subcommand() {
        None => (None, matches),
        Some((TUNE, matches)) => (Some(TUNE), matches),
        Some(_) => return None,
    };
    Some((name.map(str::to_owned), command_of(name)?, matches))
}

/// The options that were given, each as words that say the same.
fn spelled(command: &Command, matches: &ArgMatches) -> Vec<Spelled> {
    let long = |arg: &Arg| arg.get_long().unwrap_or_default().to_owned();
    given(command, matches).map(|arg| (long(arg), words_of(arg, matches))).collect()
}

fn given<'a>(command: &'a Command, matches: &ArgMatches) -> impl Iterator<Item = &'a Arg> {
    command.get_arguments().filter(|arg| {
        let id = arg.get_id().as_str();
        matches.try_contains_id(id).is_ok() && matches.value_source(id) == Some(ValueSource::CommandLine)
    })
}

fn words_of(arg: &Arg, matches: &ArgMatches) -> Vec<OsString> {
    let long = format!("--{}", arg.get_long().unwrap_or_default());
    if matches!(arg.get_action(), ArgAction::SetTrue) {
        return vec![long.into()];
    }
    let occurrences = matches.get_raw_occurrences(arg.get_id().as_str()).into_iter().flatten();
    let spelled = occurrences.map(|words| {
        let words: Vec<OsString> = words.map(OsString::from).collect();
        match words.as_slice() {
            // One value is joined to its option, so that it may begin with anything.
            [word] => {
                let mut joined = OsString::from(format!("{long}="));
                joined.push(word);
                vec![joined]
            }
            _ => [OsString::from(&long)].into_iter().chain(words).collect(),
        }
    });
    spelled.collect::<Vec<_>>().concat()
}
