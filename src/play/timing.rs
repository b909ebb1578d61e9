//! The clocks of people in a game: when they run, what they say, and the flag.

use super::clock::{Clocks, shown};
use super::command::ClockChoice;
use super::game_loop::{GameLoop, TakenBack};
use super::sides::{HumanSides, capital};
use crate::game::Side;
use crate::protocol::Ending;
use std::io;

impl GameLoop {
    /// Lets the clock of the person to move run, once the game has a move.
    pub(super) fn run_clock(&mut self) {
        let side = self.position().side();
        let is_due =
            self.ended.is_none() && !self.record.game.moves().is_empty() && self.humans.includes(side);
        self.clocks.iter_mut().for_each(|clocks| clocks.run(is_due.then_some(side)));
    }

    /// The time of the person to move, as a sentence after others.
    pub(super) fn time_left(&self, side: Side) -> String {
        let left = |clocks: Clocks| format!(" Time left: {}.", shown(clocks.left(side)));
        self.clocks.map_or_else(String::new, left)
    }

    /// Ends the game if the time of a person has run out.
    pub(super) fn drop_flag(&mut self) -> io::Result<()> {
        match self.clocks.and_then(|clocks| clocks.fallen()) {
            Some(side) => {
                self.taken_back = TakenBack::default();
                self.state_end(Some(Ending::Time(side)));
                self.end(Ending::Time(side))?;
                self.run_clock();
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// `clock`: sets the clocks of people, or shows them.
    pub(super) fn set_clock(&mut self, choice: Option<ClockChoice>) -> io::Result<()> {
        match choice {
            Some(ClockChoice::Off) => self.clocks = None,
            Some(ClockChoice::Set(_)) if self.humans == HumanSides::None => {
                return self.screen.wrong("Clocks are for people, and you are only watching.");
            }
            Some(ClockChoice::Set(setting)) => {
                self.clocks = Some(Clocks::new(setting, self.record.notes.len()))
            }
            None => {}
        }
        if choice.is_some() {
            self.describe();
        }
        let Some(clocks) = self.clocks else { return self.screen.say("People play without clocks.") };
        let times: Vec<String> = Side::BOTH
            .into_iter()
            .filter(|&side| self.humans.includes(side))
            .map(|side| {
                let whose = capital(&self.narrator().subject(side).possessive());
                format!("{whose} time left: {}.", shown(clocks.left(side)))
            })
            .collect();
        self.screen.say(&times.join(" "))
    }
}
