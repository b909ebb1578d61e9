//! The command `setoption`, and the effects of each option.

use super::conversation::Session;
use super::move_record::MoveRecord;
use crate::endgames::Endgames;
use crate::evaluate::Weights;
use crate::game::{Game, Position};
use crate::level::{Strength, ladder};
use crate::plan::{eval_file_kind_changes, player_of, weights_of};
use crate::players::PlayerError;
use crate::printable::counted;
use crate::protocol::{Effect, Info, Reply, Settings, options};
use crate::roster::PlayerName;
use crate::search::SearchMemory;
#[cfg(feature = "tune")]
use crate::search::set_parameter;
use std::io::{self, Write};
use std::mem;
use std::sync::Arc;

/// Why an option was not set.
enum SetOptionError {
    /// The output cannot be written.
    Io(io::Error),
    /// The value is invalid; nothing has changed.
    Refused(String),
}

impl From<io::Error> for SetOptionError {
    fn from(error: io::Error) -> SetOptionError {
        SetOptionError::Io(error)
    }
}

/// The refusal of a value for an option.
fn refused(name: &str, error: impl std::fmt::Display) -> SetOptionError {
    SetOptionError::Refused(format!("option {name}: {error}"))
}

/// The remarks on options that another rule set has set back.
fn resets(before: &Settings, settings: &Settings, name: &str) -> Vec<String> {
    let variant = settings.variant;
    [
        ("Seeds", settings.seeds == 0 && before.seeds != 0, "0", "does not allow the number"),
        ("EmptyCapture", before.empty_capture && !settings.empty_capture, "false", "has no such rule"),
        (
            "RemainingSeeds",
            before.rest_to_opponent && !settings.rest_to_opponent,
            "owner",
            "has no such rule",
        ),
    ]
    .into_iter()
    .filter(|&(option, reset, ..)| reset && !name.eq_ignore_ascii_case(option))
    .map(|(option, _, value, reason)| format!("{option} is {value} again: {variant} {reason}"))
    .collect()
}

/// The remark on an Elo that the rule set does not reach.
fn unreachable_elo(settings: &Settings) -> Option<String> {
    let Strength::Elo(elo) = settings.strength() else { return None };
    let [least, most] = ladder(settings.variant).range();
    let played = elo.clamp(least, most);
    (played != elo).then(|| {
        let variant = settings.variant;
        format!("{variant} is played from {least} to {most} Elo, so UCI_Elo {elo} counts as {played}")
    })
}

impl<W: Write> Session<W> {
    /// Sets an option, or prints why it cannot be set.
    pub(super) fn set_option(&mut self, name: &str, value: Option<&str>) -> io::Result<()> {
        match self.try_to_set(name, value) {
            Ok(()) => Ok(()),
            Err(SetOptionError::Io(error)) => Err(error),
            Err(SetOptionError::Refused(reason)) => self.error(reason),
        }
    }

    fn try_to_set(&mut self, name: &str, value: Option<&str>) -> Result<(), SetOptionError> {
        #[cfg(feature = "tune")]
        if let Some(set) = set_parameter(name, value) {
            return set.map_err(SetOptionError::Refused);
        }
        let mut settings = self.settings.clone();
        let effect = options::set(&mut settings, name, value)
            .map_err(|error| SetOptionError::Refused(error.to_string()))?;
        match effect {
            Effect::Nothing => {}
            Effect::CheckThreads => {
                self.threads_remarked = false;
                self.remark_on_threads(settings.threads)?;
            }
            Effect::ClearTable => self.clear_table(),
            Effect::ResizeTable => {
                let table = SearchMemory::new(settings.hash_mib);
                let table = table.map_err(|error| SetOptionError::Refused(error.to_string()))?;
                self.table = Arc::new(table.after(&self.table));
            }
            Effect::LoadWeights if settings.player == PlayerName::Evolved => {
                self.change_player(&settings).map_err(|error| refused(name, error))?;
            }
            Effect::LoadWeights => {
                self.resources.weights = weights_of(&settings).map_err(|error| refused(name, error))?;
                self.clear_table();
            }
            Effect::NewPlayer => self.new_player(&mut settings, name)?,
            Effect::Reseed => {
                let player = self.player.as_mut();
                player.expect("options are set between searches").reseed(settings.seed);
            }
            Effect::OpenEndgames => {
                self.resources.open_endgames(&settings).map_err(|error| refused(name, error))?;
                self.say_endgames(&settings)?;
            }
            Effect::NewVariant => self.new_variant(&mut settings, name)?,
        }
        let before = mem::replace(&mut self.settings, settings);
        let remark = unreachable_elo(&self.settings);
        if let Some(remark) = remark.filter(|remark| Some(remark) != unreachable_elo(&before).as_ref()) {
            self.say(Reply::Info(Info::text(&remark)))?;
        }
        if matches!(effect, Effect::NewVariant | Effect::OpenEndgames) && self.resources.background.is_some()
        {
            self.resources.build_in_background(&self.settings);
        }
        Ok(())
    }

    /// Replaces the player by the one of the settings; it starts with an empty record.
    fn change_player(&mut self, settings: &Settings) -> Result<(), PlayerError> {
        self.player = Some(player_of(settings)?);
        self.move_record = MoveRecord::default();
        Ok(())
    }

    /// Sets another player, or another file to learn from.
    fn new_player(&mut self, settings: &mut Settings, name: &str) -> Result<(), SetOptionError> {
        let kind_changes = eval_file_kind_changes(&self.settings, settings);
        let eval_file = if kind_changes { mem::take(&mut settings.eval_file) } else { String::new() };
        self.change_player(settings).map_err(|error| refused(name, error))?;
        self.print_remarks()?;
        if !eval_file.is_empty() {
            self.resources.weights = Weights::built_in(settings.variant);
            self.clear_table();
            self.say(Reply::Info(Info::text("EvalFile is empty again: it was for another player")))?;
        }
        Ok(())
    }

    /// Sets another rule set, at its start position. All checks come first: a refusal changes nothing.
    fn new_variant(&mut self, settings: &mut Settings, name: &str) -> Result<(), SetOptionError> {
        let reset = resets(&self.settings, settings, name);
        let eval_file = mem::take(&mut settings.eval_file);
        let player = player_of(settings).map_err(|error| match error {
            PlayerError::OtherRules { .. } => refused(name, format_args!("{error}; set Player first")),
            error => refused(name, error),
        })?;
        self.resources
            .change_variant(settings)
            .map_err(|error| refused(name, format_args!("{error}; or set EndgamePath first")))?;
        self.player = Some(player);
        self.move_record = MoveRecord::default();
        self.game = Game::new(Position::start(settings.variant));
        self.clear_table();
        self.say_endgames(settings)?;
        self.print_remarks()?;
        if !eval_file.is_empty() {
            self.say(Reply::Info(Info::text("EvalFile is empty again: it was for another rule set")))?;
        }
        Ok(reset.into_iter().try_for_each(|text| self.say(Reply::Info(Info::text(&text))))?)
    }

    /// Prints which endgame files of the rule set exist, if a folder is set or the user has any.
    fn say_endgames(&mut self, settings: &Settings) -> io::Result<()> {
        let variant = settings.variant;
        let found = match self.resources.endgame_files.seeds {
            None if settings.endgame_path.is_empty() => None,
            Some(seeds) => Some(format!("endgames of {variant} up to {}", counted(seeds.into(), "seed"))),
            None => {
                let why = Endgames::why_no_files(variant).map_or_else(String::new, |why| format!(": {why}"));
                Some(format!("no endgames of {variant} in {}{why}", settings.endgame_path))
            }
        };
        let gap = self.resources.endgame_files.take_gap().map(|gap| gap.to_string());
        found.into_iter().chain(gap).try_for_each(|text| self.say(Reply::Info(Info::text(&text))))
    }

    /// Replaces the transposition table by an empty one. This costs nothing until the table is used, however large. Without
    /// enough memory for two, the old one is cleared.
    pub(super) fn clear_table(&mut self) {
        match SearchMemory::new(self.settings.hash_mib) {
            Ok(table) => self.table = Arc::new(table.after(&self.table)),
            Err(_) => self.table.clear(),
        }
    }
}
