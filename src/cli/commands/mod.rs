//! The subcommands of `kroo`: tools for the engine's own files, and play with a person.

#[doc(hidden)]
pub mod analyse;
mod endgame;
mod endgame_info;
mod endgame_progress;
mod flags;
mod openings;
mod output;
mod play;
mod rules;
mod solve;
mod tuning;
#[doc(hidden)]
pub mod web;

use crate::game::Variant;
use crate::play::PlayOptions;
use crate::tuning::{DatagenPlan, TunePlan};
use crate::web::WebOptions;
use clap::ArgMatches;
use output::usage_error;
use std::process::ExitCode;

pub use endgame::memory_limit;
pub use endgame_progress::BoardProgress;
pub use flags::{FlagError, flag, flags, settings};

#[derive(Clone, Debug)]
pub enum Tool {
    /// `kroo analyse …`.
    Analyse(Box<analyse::AnalysePlan>),
    /// `kroo endgame …`.
    Endgame(endgame::EndgameCommand),
    /// `kroo openings …`.
    Openings(openings::OpeningsPlan),
    /// `kroo play …`.
    Play(Box<PlayOptions>),
    /// `kroo rules …`, with the game.
    Rules(Variant),
    /// `kroo solve …`.
    Solve(Box<solve::SolvePlan>),
    /// `kroo datagen …`: make training data.
    Datagen(DatagenPlan),
    /// `kroo tune …`: train weights.
    Tune(TunePlan),
    /// `kroo web …`.
    Web(WebOptions),
}

impl Tool {
    pub fn usages() -> [clap::Command; 9] {
        [
            play::usage(),
            web::usage(),
            rules::usage(),
            analyse::usage(),
            solve::usage(),
            endgame::usage(),
            openings::usage(),
            tuning::datagen_usage(),
            tuning::tune_usage(),
        ]
    }

    /// Reads the subcommand of the command line, if any.
    pub fn read(matches: &ArgMatches) -> Result<Option<Tool>, clap::Error> {
        let Some((name, matches)) = matches.subcommand() else { return Ok(None) };
        let innermost = matches.subcommand().map_or(matches, |(_, matches)| matches);
        let settings = settings(innermost).map_err(|error| usage_error(&error.to_string()))?;
        if [tuning::DATAGEN, tuning::TUNE].contains(&name) {
            usual_rules(settings.variant)?;
        }
        Ok(Some(match name {
            endgame::NAME => Tool::Endgame(endgame::read(matches, settings.variant)?),
            analyse::NAME => Tool::Analyse(Box::new(analyse::read(matches, &settings)?)),
            openings::NAME => Tool::Openings(openings::read(matches, settings.variant)),
            rules::NAME => Tool::Rules(settings.variant),
            solve::NAME => Tool::Solve(Box::new(solve::read(matches, &settings)?)),
            play::NAME => Tool::Play(Box::new(play::read(matches, &settings)?)),
            tuning::DATAGEN => Tool::Datagen(tuning::datagen(matches, &settings)),
            tuning::TUNE => Tool::Tune(tuning::tune(matches, &settings)),
            web::NAME => Tool::Web(web::read(matches)?),
            _ => unreachable!("clap knows no other subcommand"),
        }))
    }

    /// Runs the subcommand, and returns the exit status.
    pub fn run(&self) -> Result<ExitCode, Box<dyn std::error::Error>> {
        match self {
            Tool::Analyse(plan) => plan.run()?,
            Tool::Endgame(command) => command.run()?,
            Tool::Openings(plan) => plan.run()?,
            Tool::Play(options) => crate::play::play(options)?,
            Tool::Rules(variant) => rules::run(*variant)?,
            Tool::Solve(plan) => return plan.run(),
            Tool::Datagen(plan) => crate::tuning::datagen(plan)?,
            Tool::Tune(plan) => crate::tuning::tune(plan)?,
            Tool::Web(options) => web::serve(options)?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Refuses optional rules, which no file of data or weights names.
fn usual_rules(variant: Variant) -> Result<(), clap::Error> {
    if variant.options().are_usual() {
        return Ok(());
    }
    Err(usage_error(&format!(
        "--variant: {variant} has optional rules, and only games with the usual rules have such files"
    )))
}
