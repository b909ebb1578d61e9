//! Work that is no conversation: commands of the shell that make and read the engine's own files.

mod book;
mod endgame;
mod endgame_progress;
mod curve;
mod learn;
mod trial;
mod tuning;

use crate::game::{Game, Position, Variant};
use crate::protocol::{Command, PositionCommand, Settings, Start};
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
    /// Make training data.
    Datagen(DatagenPlan),
    /// Make weights of training data.
    Tune(TunePlan),
}

impl Tool {
    /// What the command line says of the tools.
    #[must_use]
    pub fn usages() -> [clap::Command; 5] {
        [book::usage(), endgame::usage(), learn::usage(), tuning::datagen_usage(), tuning::tune_usage()]
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
            Tool::Datagen(plan) => Ok(crate::tuning::datagen(plan)?),
            Tool::Tune(plan) => Ok(crate::tuning::tune(plan)?),
        }
    }
}

/// A usage error in these words.
fn usage_error(message: &str) -> clap::Error {
    clap::Error::raw(clap::error::ErrorKind::ValueValidation, format!("{message}\n"))
}

/// The game that words tell, as `position` does; the `fen` before fifteen fields may be left out.
fn game(variant: Variant, words: &str) -> Result<Game, String> {
    let told =
        ["", "fen "].into_iter().find_map(|word| Command::parse(&format!("position {word}{words}")).ok());
    let Some(Some(Command::Position(PositionCommand { start, moves }))) = told else {
        return Err(format!("`{words}` is not `startpos` or fifteen fields, then perhaps `moves` and moves"));
    };
    let start = match start {
        Start::Startpos => Position::start(variant),
        Start::Fen(text) => Position::parse(variant, &text).map_err(|error| error.to_string())?,
    };
    let mut game = Game::new(start);
    for (index, mv) in moves.into_iter().enumerate() {
        game.play(mv).map_err(|error| format!("move {} (`{mv}`): {error}", index + 1))?;
    }
    Ok(game)
}

/// Prints a line. That nobody reads it any more is no error.
fn say(line: &str) -> Result<(), Box<dyn std::error::Error>> {
    match writeln!(io::stdout(), "{line}") {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
