//! Commands that change nothing: advice, analysis, rules, and the state of the game.

use super::command::PLAY_COMMANDS;
use super::game_loop::GameLoop;
use super::narration::rules;
use super::narration::seeds;
use super::opponent::{in_seeds, in_words, written};
use super::screen::Paint;
use super::sides::{HumanSides, capital};
use crate::game::{Cell, Move, Side};
use crate::review::{Judgement, lines_of};
use crate::roster::PlayerName;
use crate::search::Report;
use std::io;

/// Moves of a line to show: more do not fit on a line of 80 characters.
const SHOWN: usize = 8;
/// The effect of Ctrl-C during an analysis.
const INTERRUPT: &str = "Ctrl-C shows what it has found so far";

impl GameLoop {
    /// The first moves of a line.
    fn shortened(line: &[Move]) -> String {
        let more = if line.len() > SHOWN { " …" } else { "" };
        format!("{}{more}", written(&line[..line.len().min(SHOWN)]))
    }

    /// Whether the game is over; if so, prints that.
    fn refuse_if_over(&mut self) -> io::Result<bool> {
        if self.position().verdict().is_none() && self.ended.is_none() {
            return Ok(false);
        }
        self.screen.wrong("The game is over.").map(|()| true)
    }

    /// `hint`: a good move.
    pub(super) fn hint(&mut self) -> io::Result<()> {
        if self.refuse_if_over()? {
            return Ok(());
        }
        self.announce_thinking(INTERRUPT)?;
        let analysis = self.opponent.advise(&self.record.game, &self.input);
        let _ = self.input.take_stop();
        let Report { score, depth, pv: line, .. } = &analysis.report;
        let expected = match score.proven() {
            Some(_) => in_words(*score),
            None => format!(
                "an expected lead of {} seeds at the end, looking {}",
                in_words(*score),
                ahead(*depth)
            ),
        };
        let (best, line) = (self.notation.pit(analysis.best()), GameLoop::shortened(line));
        let text = format!("Kroo suggests pit {best}: {expected}. A likely continuation: {line}");
        self.screen.say(&text)
    }

    /// `think`: the engine's analysis of each move.
    pub(super) fn think(&mut self) -> io::Result<()> {
        if self.refuse_if_over()? {
            return Ok(());
        }
        self.announce_thinking(INTERRUPT)?;
        let analysis = self.opponent.advise(&self.record.game, &self.input);
        let _ = self.input.take_stop();
        let (depth, side) = (analysis.report.depth, self.position().side());
        self.screen.say(&format!(
            "{side} to move, looking {}. The numbers are {side}'s expected lead at the end, in seeds:",
            ahead(depth)
        ))?;
        for (score, line) in analysis.lines() {
            let (expected, first) = (in_words(score), self.notation.pit(line[0]));
            self.screen.say(&format!("  {first} {expected}: {}", GameLoop::shortened(line)))?;
        }
        Ok(())
    }

    /// `why`: the opponent's analysis of its last move.
    pub(super) fn why(&mut self) -> io::Result<()> {
        let Some(analysis) = &self.last_analysis else {
            return self.screen.wrong("The engine has not moved yet.");
        };
        let Report { score, depth, pv: line, nodes, .. } = &analysis.report;
        let expected = match self.opponent.settings.engine.player {
            PlayerName::Kroo if score.proven().is_some() => in_words(*score),
            PlayerName::Kroo => format!("a lead of {} seeds at the end", in_words(*score)),
            _ => format!("{} by its own count", in_seeds(score.value)),
        };
        let name = capital(self.opponent.name());
        let text = format!(
            "{name} played pit {} and expected {expected}, looking {} in {:.2} s ({nodes} node{}). Its line: {}",
            self.notation.pit(line[0]),
            ahead(*depth),
            analysis.time.as_secs_f64(),
            if *nodes == 1 { "" } else { "s" },
            GameLoop::shortened(line)
        );
        self.screen.say(&text)
    }

    /// `review`: judges the last move, or the person's last move against the engine.
    pub(super) fn review(&mut self) -> io::Result<()> {
        let judged = |mv: &Move| !matches!(self.humans, HumanSides::One(_)) || self.humans.includes(mv.side);
        let Some(index) = self.record.game.moves().iter().rposition(judged) else {
            return self.screen.wrong("You have not moved yet.");
        };
        let played = self.record.game.moves()[index];
        let mut before = self.record.game.clone();
        while before.moves().len() > index {
            before.undo();
        }
        self.announce_thinking(INTERRUPT)?;
        let analysis = self.opponent.advise(&before, &self.input);
        let _ = self.input.take_stop();
        let judgement = Judgement::new(&before, played, &lines_of(&analysis.report));
        let Judgement { best, best_line: line, .. } = &judgement;
        let depth = analysis.report.depth;
        let sign = judgement.sign().map(|sign| format!(" ({sign})")).unwrap_or_default();
        let text = match judgement.played {
            _ if line[0] == played => {
                format!(
                    "Pit {} was the best move: {}, looking {}.",
                    self.notation.pit(played),
                    in_words(*best),
                    ahead(depth)
                )
            }
            Some(score) if score.value == best.value => {
                format!(
                    "Pit {} was as good as any other move: {}.",
                    self.notation.pit(played),
                    in_words(score)
                )
            }
            Some(score) => format!(
                "Pit {}{sign}: {}. Looking {}, pit {} {}: {}, with {}",
                self.notation.pit(played),
                in_words(score),
                ahead(depth),
                self.notation.pit(line[0]),
                if judgement.mark.is_some() { "was better" } else { "is the engine's choice" },
                in_words(*best),
                GameLoop::shortened(line)
            ),
            None => {
                format!(
                    "There was no time to look at pit {}. Pit {} is a good move.",
                    self.notation.pit(played),
                    self.notation.pit(line[0])
                )
            }
        };
        self.screen.say(&text)
    }

    /// `moves`: the moves played, and the effects of each legal move.
    pub(super) fn tell_moves(&mut self) -> io::Result<()> {
        let moves = self.record.game.moves();
        let so_far = if moves.is_empty() { "none".to_owned() } else { written(moves) };
        self.screen.say(&format!("Moves so far: {so_far}"))?;
        if self.ended.is_some() {
            return Ok(());
        }
        for mv in self.position().moves() {
            let effects = self.record.game.effects(mv).expect("a listed move is legal");
            let last = match effects.last {
                Cell::Pit(mv) => format!("{mv}"),
                Cell::Store(side) => format!("{side}'s store"),
            };
            let mut line =
                format!("  {} {}, the last in {last}", self.notation.pit(mv), seeds(effects.seeds));
            if effects.laps > 1 {
                line.push_str(&format!(" after {} laps", effects.laps));
            }
            if effects.captured() > 0 {
                line.push_str(&format!(", captures {}", effects.captured()));
            }
            if effects.end.is_some() {
                line.push_str(", ends the game");
            } else if effects.again {
                line.push_str(", moves again");
            }
            self.screen.say(&line)?;
        }
        Ok(())
    }

    /// `rules`: the rules of the game.
    pub(super) fn tell_rules(&mut self) -> io::Result<()> {
        let variant = self.position().variant();
        let title = self.screen.paint(Paint::Strong, variant.title());
        self.screen.line(&title)?;
        rules(variant, self.opponent.settings.engine.move_limit)
            .iter()
            .try_for_each(|paragraph| self.screen.say(paragraph))
    }

    /// `help`: the commands.
    pub(super) fn help(&mut self) -> io::Result<()> {
        for (usage, meaning) in PLAY_COMMANDS {
            self.screen.say(&format!("  {usage}: {meaning}"))?;
        }
        self.screen.say(
            "You can shorten a command as long as it stays unambiguous: `mov` for `moves`, `u` for `undo`, `q` for `quit`.",
        )
    }

    /// `position`: the current position in the notation of the protocol.
    pub(super) fn tell_position(&mut self) -> io::Result<()> {
        let (position, words) = (self.position().to_string(), self.words());
        let stores = Side::BOTH.map(|side| self.position().store(side));
        self.screen.line(&position)?;
        self.screen.line(&words)?;
        self.screen.say(&format!("South has {}, North {}.", seeds(stores[0]), seeds(stores[1])))
    }
}

/// The depth of a search, in words.
fn ahead(depth: u8) -> String {
    format!("{depth} move{} ahead", if depth == 1 { "" } else { "s" })
}
