//! Work that is no conversation: commands of the shell that make and read the engine's own files.

mod book;

use crate::game::Variant;
use clap::ArgMatches;

/// A command of the shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tool {
    /// `kroo book …`.
    Book(book::BookCommand),
}

impl Tool {
    /// What the command line says of the tools.
    #[must_use]
    pub fn usages() -> [clap::Command; 1] {
        [book::usage()]
    }

    /// The tool that the words after the flags name, if any; `variant` is the rule set if the tool is told none.
    ///
    /// # Errors
    /// If what is told does not fit together.
    pub fn read(matches: &ArgMatches, variant: Variant) -> Result<Option<Tool>, clap::Error> {
        match matches.subcommand() {
            Some((book::NAME, matches)) => {
                book::read(matches, variant).map(|command| Some(Tool::Book(command)))
            }
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
        }
    }
}
