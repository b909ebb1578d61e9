//! The subcommands of `kroo`: making and reading the engine's own files, and playing with a person.

mod analyse;
mod book;
mod endgame;
mod endgame_info;
mod endgame_progress;
mod learn;
mod output;
mod play;
mod trial;
mod tuning;
mod web;

use crate::play::PlayOptions;
use crate::protocol::Settings;
use crate::tuning::{DatagenPlan, TunePlan};
use crate::web::WebOptions;
use clap::ArgMatches;

pub use endgame_progress::BoardProgress;

/// A subcommand with its arguments.
#[derive(Clone, Debug)]
pub enum Tool {
    /// `kroo analyse …`.
    Analyse(analyse::AnalysePlan),
    /// `kroo book …`.
    Book(book::BookCommand),
    /// `kroo endgame …`.
    Endgame(endgame::EndgameCommand),
    /// `kroo learn …`.
    Learn(learn::LearnCommand),
    /// `kroo play …`.
    Play(Box<PlayOptions>),
    /// `kroo datagen …`: make training data.
    Datagen(DatagenPlan),
    /// `kroo tune …`: train weights.
    Tune(TunePlan),
    /// `kroo web …`.
    Web(WebOptions),
}

impl Tool {
    /// The subcommands with their flags, for the command line.
    #[must_use]
    pub fn usages() -> [clap::Command; 8] {
        [
            play::usage(),
            web::usage(),
            analyse::usage(),
            book::usage(),
            endgame::usage(),
            learn::usage(),
            tuning::datagen_usage(),
            tuning::tune_usage(),
        ]
    }

    /// The subcommand on the command line, if there is one. Its defaults come from the settings.
    ///
    /// # Errors
    /// If its arguments do not fit together.
    pub fn read(matches: &ArgMatches, settings: &Settings) -> Result<Option<Tool>, clap::Error> {
        match matches.subcommand() {
            Some((book::NAME, matches)) => {
                book::read(matches, settings.variant).map(|command| Some(Tool::Book(command)))
            }
            Some((endgame::NAME, matches)) => {
                endgame::read(matches, settings.variant).map(|command| Some(Tool::Endgame(command)))
            }
            Some((analyse::NAME, matches)) => Ok(Some(Tool::Analyse(analyse::read(matches, settings)?))),
            Some((learn::NAME, matches)) => Ok(Some(Tool::Learn(learn::read(matches, settings.variant)))),
            Some((play::NAME, matches)) => Ok(Some(Tool::Play(Box::new(play::read(matches, settings)?)))),
            Some((tuning::DATAGEN, matches)) => Ok(Some(Tool::Datagen(tuning::datagen(matches, settings)))),
            Some((tuning::TUNE, matches)) => Ok(Some(Tool::Tune(tuning::tune(matches, settings)))),
            Some((web::NAME, words)) => Ok(Some(Tool::Web(web::read(words, matches)?))),
            _ => Ok(None),
        }
    }

    /// Runs the subcommand.
    ///
    /// # Errors
    /// If it fails.
    pub fn run(&self) -> Result<(), Box<dyn std::error::Error>> {
        match self {
            Tool::Analyse(plan) => plan.run(),
            Tool::Book(command) => command.run(),
            Tool::Endgame(command) => command.run(),
            Tool::Learn(command) => command.run(),
            Tool::Play(options) => Ok(crate::play::play(options)?),
            Tool::Datagen(plan) => Ok(crate::tuning::datagen(plan)?),
            Tool::Tune(plan) => Ok(crate::tuning::tune(plan)?),
            Tool::Web(options) => web::serve(options),
        }
    }
}
