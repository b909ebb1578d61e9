//! What is told on request: advice, thoughts, rules, and how the game stands.

use super::command::COMMANDS;
use super::opponent::{in_seeds, in_words, written};
use super::rules::rules;
use super::screen::Paint;
use super::seats::{Seats, capital};
use super::sitting::Sitting;
use super::story::{pit, seeds};
use crate::game::{Cell, Game, Move, Side};
use crate::roster::PlayerName;
use crate::search::Report;
use std::io;

/// Moves of a line that are shown.
const SHOWN: usize = 8;
/// How advice comes sooner.
const ENOUGH: &str = "Ctrl-C has it say what it knows";

impl Sitting {
    /// The moves of a line that are worth showing.
    fn line_of(line: &[Move]) -> String {
        let more = if line.len() > SHOWN { " …" } else { "" };
        format!("{}{more}", written(&line[..line.len().min(SHOWN)]))
    }

    /// Says so if nothing can be thought about. Then there is nothing to do.
    fn is_over(&mut self) -> io::Result<bool> {
        if self.position().verdict().is_none() && self.ended.is_none() {
            return Ok(false);
        }
        self.screen.wrong("The game is over.").map(|()| true)
    }

    /// A good move.
    pub(super) fn hint(&mut self) -> io::Result<()> {
        if self.is_over()? {
            return Ok(());
        }
        self.ask_for_patience(ENOUGH)?;
        let thought = self.opponent.advise(&self.game, &self.ear);
        let _ = self.ear.take_stop();
        let Report { score, depth, pv: line, .. } = &thought.report;
        let worth = match score.proven() {
            Some(_) => in_words(*score),
            None => format!("{} seeds in the end, as far as {} tell", in_words(*score), ahead(*depth)),
        };
        let (best, line) = (pit(thought.best()), Sitting::line_of(line));
        let story = format!("Try pit {best}: {worth}. It could go on: {line}");
        self.screen.say(&story)
    }

    /// All moves, weighed.
    pub(super) fn think(&mut self) -> io::Result<()> {
        if self.is_over()? {
            return Ok(());
        }
        self.ask_for_patience(ENOUGH)?;
        let thought = self.opponent.weigh(&self.game, &self.ear);
        let _ = self.ear.take_stop();
        let (depth, side) = (thought.report.depth, self.position().side());
        self.screen.say(&format!(
            "For {side}, looking {}; numbers are seeds that {side} will have more than the other at the end:",
            ahead(depth)
        ))?;
        for (score, line) in thought.lines() {
            let (worth, first) = (in_words(score), pit(line[0]));
            self.screen.say(&format!("  {first} {worth}: {}", Sitting::line_of(line)))?;
        }
        Ok(())
    }

    /// What the opponent thought when it moved.
    pub(super) fn why(&mut self) -> io::Result<()> {
        let Some(thought) = &self.thought else {
            return self.screen.wrong("The engine has not moved yet.");
        };
        let Report { score, depth, pv: line, nodes, .. } = &thought.report;
        let seen = match self.opponent.effort.who {
            PlayerName::Kroo => format!("{} for itself at the end", in_words(*score)),
            _ => format!("{} by its own count", in_seeds(score.value)),
        };
        let name = capital(self.opponent.name());
        let story = format!(
            "{name} played pit {} and expected {seen}, looking {} in {:.2} s ({nodes} nodes). It thought of: {}",
            pit(line[0]),
            ahead(*depth),
            thought.time.as_secs_f64(),
            Sitting::line_of(line)
        );
        self.screen.say(&story)
    }

    /// How good the last move was: a person's, where one plays against the engine.
    pub(super) fn review(&mut self) -> io::Result<()> {
        let judged = |mv: &Move| !matches!(self.seats, Seats::One(_)) || self.seats.is_person(mv.side);
        let Some(index) = self.game.moves().iter().rposition(judged) else {
            return self.screen.wrong("There is no move of yours yet.");
        };
        let played = self.game.moves()[index];
        let before = replayed(&self.game, index);
        self.ask_for_patience(ENOUGH)?;
        let thought = self.opponent.weigh(&before, &self.ear);
        let _ = self.ear.take_stop();
        let lines = thought.lines();
        let (best, line) = lines[0];
        let found = lines.iter().find(|(_, line)| line[0] == played);
        let depth = thought.report.depth;
        let story = match found {
            _ if line[0] == played => {
                format!(
                    "Pit {} was the best move: {}, looking {depth} moves ahead.",
                    pit(played),
                    in_words(best)
                )
            }
            Some((score, _)) if score.value == best.value => {
                format!("Pit {} was as good as any: {}.", pit(played), in_words(*score))
            }
            Some((score, _)) => format!(
                "Pit {}: {}. Looking {}, pit {} was better: {}, with {}",
                pit(played),
                in_words(*score),
                ahead(depth),
                pit(line[0]),
                in_words(best),
                Sitting::line_of(line)
            ),
            None => {
                format!("There was no time to look at pit {}. Pit {} is good.", pit(played), pit(line[0]))
            }
        };
        self.screen.say(&story)
    }

    /// The moves so far, and what each possible one does.
    pub(super) fn tell_moves(&mut self) -> io::Result<()> {
        let moves = self.game.moves();
        let so_far = if moves.is_empty() { "none".to_owned() } else { written(moves) };
        self.screen.say(&format!("Moves so far: {so_far}"))?;
        if self.ended.is_some() {
            return Ok(());
        }
        for mv in self.position().moves() {
            let told = self.game.effects(mv).expect("a listed move is legal");
            let last = match told.last {
                Cell::Pit(mv) => format!("{mv}"),
                Cell::Store(side) => format!("{side}'s store"),
            };
            let mut line = format!("  {} {}, the last in {last}", pit(mv), seeds(told.seeds));
            if told.laps > 1 {
                line.push_str(&format!(" after {} laps", told.laps));
            }
            if told.captured() > 0 {
                line.push_str(&format!(", captures {}", told.captured()));
            }
            if told.end.is_some() {
                line.push_str(", ends the game");
            } else if told.again {
                line.push_str(", sows again");
            }
            self.screen.say(&line)?;
        }
        Ok(())
    }

    /// The rules.
    pub(super) fn tell_rules(&mut self) -> io::Result<()> {
        let variant = self.position().variant();
        let title = self.screen.paint(Paint::Strong, variant.title());
        self.screen.line(&title)?;
        rules(variant).into_iter().try_for_each(|paragraph| self.screen.say(paragraph))
    }

    /// What can be typed.
    pub(super) fn help(&mut self) -> io::Result<()> {
        for (usage, meaning) in COMMANDS {
            self.screen.say(&format!("  {usage}: {meaning}"))?;
        }
        self.screen.say("Words may be cut short as long as they are plain: `mov` for `moves`, `u` for `undo`, `q` for `quit`.")
    }

    /// Where the game stands, in the notation.
    pub(super) fn tell_position(&mut self) -> io::Result<()> {
        let (position, words) = (self.position().to_string(), self.words());
        let stores = Side::BOTH.map(|side| self.position().store(side));
        self.screen.line(&position)?;
        self.screen.line(&words)?;
        self.screen.say(&format!("South has {}, North {}.", seeds(stores[0]), seeds(stores[1])))
    }
}

/// How far a search has looked.
fn ahead(depth: u8) -> String {
    format!("{depth} move{} ahead", if depth == 1 { "" } else { "s" })
}

/// A game up to its so manieth move.
pub(super) fn replayed(game: &Game, moves: usize) -> Game {
    let mut again = Game::new(*game.start());
    for &mv in &game.moves()[..moves] {
        again.play(mv).expect("the moves of a game that was played are legal");
    }
    again
}
