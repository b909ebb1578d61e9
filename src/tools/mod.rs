//! Work that is no conversation: commands of the shell that make and read the engine's own files.

mod book;
mod curve;
mod endgame;
mod endgame_progress;
mod learn;
mod play;
mod trial;
mod tuning;

use crate::play::Plan;
use crate::protocol::Settings;
use crate::tuning::{DatagenPlan, TunePlan};
use clap::ArgMatches;
use std::io::{self, Write};

/// A command of the shell.
#[derive(Clone, Debug)]
pub enum Tool {
    /// `kroo book …`.
    Book(book::BookCommand),
    /// `kroo endgame …`.
    Endgame(endgame::EndgameCommand),
    /// `kroo learn …`.
    Learn(learn::LearnCommand),
    /// Play with a person.
    Play(Box<Plan>),
    /// Make training data.
    Datagen(DatagenPlan),
    /// Make weights of training data.
    Tune(TunePlan),
}

impl Tool {
    /// What the command line says of the tools.
    #[must_use]
    pub fn usages() -> [clap::Command; 6] {
        [
            play::usage(),
            book::usage(),
            endgame::usage(),
            learn::usage(),
            tuning::datagen_usage(),
            tuning::tune_usage(),
        ]
    }

    /// The tool that the words after the flags name, if any; what a tool is not told stands in the settings.
    ///
    /// # Errors
    /// If what is told does not fit together.
    pub fn read(matches: &ArgMatches, settings: &Settings) -> Result<Option<Tool>, clap::Error> {
        match matches.subcommand() {
            Some((book::NAME, matches)) => {
                book::read(matches, settings.variant).map(|command| Some(Tool::Book(command)))
            }
            Some((endgame::NAME, matches)) => {
                endgame::read(matches, settings.variant).map(|command| Some(Tool::Endgame(command)))
            }
            Some((learn::NAME, matches)) => Ok(Some(Tool::Learn(learn::read(matches, settings.variant)))),
            Some((play::NAME, matches)) => Ok(Some(Tool::Play(Box::new(play::read(matches, settings)?)))),
            Some((tuning::DATAGEN, matches)) => Ok(Some(Tool::Datagen(tuning::datagen(matches, settings)))),
            Some((tuning::TUNE, matches)) => Ok(Some(Tool::Tune(tuning::tune(matches, settings)))),
            _ => Ok(None),
        }
    }

    /// Does the work.
    ///
    /// # Errors
    /// Why it could not be done.
    pub fn run(&self) -> Result<(), Box<dyn std::error::Error>> {
        match self {
            Tool::Book(command) => command.run(),
            Tool::Endgame(command) => command.run(),
            Tool::Learn(command) => command.run(),
            Tool::Play(plan) => Ok(crate::play::play(plan)?),
            Tool::Datagen(plan) => Ok(crate::tuning::datagen(plan)?),
            Tool::Tune(plan) => Ok(crate::tuning::tune(plan)?),
        }
    }
}

/// A usage error in these words.
fn usage_error(message: &str) -> clap::Error {
    clap::Error::raw(clap::error::ErrorKind::ValueValidation, format!("{message}\n"))
}

/// Prints a line. That nobody reads it any more is no error.
fn say(line: &str) -> Result<(), Box<dyn std::error::Error>> {
    match writeln!(io::stdout(), "{line}") {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
