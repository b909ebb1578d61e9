//! A scheduled game as text, for batches of the queue and for lines of journals.

use crate::plan::{MAX_ROUNDS, MatchPlan};
use crate::schedule::{Opening, Pairing, ScheduledGame, letters, moves_of};
use crate::tuning::Settings;
use kroo::game::Position;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A scheduled game of a plan. The number of its pair and the sides follow from its number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduledText {
    /// Its number in the schedule, from 1.
    pub number: u64,
    /// The round, from 1.
    pub round: u64,
    /// The engine that is South in the pair's first game, and the other one, by their places in the list.
    pub engines: [usize; 2],
    /// The position that the opening starts from, if that is not the rule set's start position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The moves of the opening, one letter each.
    pub opening: String,
    /// The values of the parameters that are tuned, by the engines' places in the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settings: Option<Settings>,
    /// The engine that has a bye in this round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bye: Option<usize>,
}

impl ScheduledText {
    pub fn of(scheduled: &ScheduledGame) -> ScheduledText {
        let opening = scheduled.opening.game();
        let start = opening.start();
        ScheduledText {
            number: scheduled.number,
            round: scheduled.pairing.round,
            engines: [scheduled.pairing.first, scheduled.pairing.second],
            start: (*start != Position::start(start.variant())).then(|| start.to_string()),
            opening: letters(opening.moves()),
            settings: scheduled.settings.as_deref().cloned(),
            bye: scheduled.bye,
        }
    }

    /// The game, if this plan may have it.
    pub fn scheduled(self, plan: &MatchPlan) -> Result<ScheduledGame, String> {
        let ScheduledText { number, round, engines: [first, second], start, opening, settings, bye } = self;
        let engines = plan.contestants.len();
        let pair = number.checked_sub(1).ok_or("games are numbered from 1")? / 2;
        if first >= engines || second >= engines || first == second {
            return Err("its engines are not in the list".to_owned());
        }
        if !(1..=MAX_ROUNDS).contains(&round) {
            return Err("the tournament has no such round".to_owned());
        }
        let start = match start {
            Some(text) => {
                Position::parse(plan.variant, &text).map_err(|error| format!("its start: {error}"))?
            }
            None => Position::start(plan.variant),
        };
        let opening = Opening::played(start, moves_of(opening.chars()))
            .and_then(|opening| opening.within(plan.adjudication.max_moves));
        let opening = Arc::new(opening.map_err(|error| format!("its opening: {error}"))?);
        match (&plan.tuning, &settings) {
            (Some(tuning), Some(settings)) => tuning.check_settings(settings)?,
            (None, None) => {}
            _ => return Err("only games of a tuning run have settings, and all of these".to_owned()),
        }
        let is_bye = |engine: usize| engine < engines && ![first, second].contains(&engine);
        if bye.is_some() != plan.games_of_bye().is_some() || !bye.is_none_or(is_bye) {
            return Err("its round has no such bye".to_owned());
        }
        let players = if number % 2 == 1 { [first, second] } else { [second, first] };
        let pairing = Pairing { round, first, second };
        Ok(ScheduledGame { number, pair, pairing, players, opening, settings: settings.map(Arc::new), bye })
    }
}
