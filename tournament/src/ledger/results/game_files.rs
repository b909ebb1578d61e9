//! Game files as a source of results: those of the referee, of other programs and of people.

use super::super::record::{fingerprint, number_of};
use super::contest::Contest;
use super::counted::CountedGame;
use super::tally::{MatchEnd, Tally};
use crate::failure::Failure;
use crate::game::{Outcome, Termination};
use crate::plan::MAX_ENGINES;
use crate::schedule::Event;
use crate::statistics::Sprt;
use ahash::AHashMap;
use kroo::files;
use kroo::game::{Side, Verdict};
use kroo::ogn::{GameText, Reader};
use kroo::printable::{self, counted};
use std::collections::BTreeMap;
use std::fmt;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// What game files say of their event.
#[derive(Clone, Debug, Default)]
pub struct GameFiles {
    /// The engines in the order in which they appear, without characters that control a terminal.
    names: Vec<String>,
    places: AHashMap<String, usize>,
    /// How many games there are of each rule set.
    pub rule_sets: BTreeMap<String, u64>,
    /// The limits that the games name, if all name the same.
    limits: Option<String>,
    /// Whether every game is of such an event.
    is_gauntlet: bool,
    is_knockout: bool,
    /// Games without a result, which do not count.
    pub unfinished: u64,
    sprt: Option<Sprt>,
}

impl Contest for GameFiles {
    fn names(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }

    fn event(&self) -> Event {
        match () {
            () if self.is_gauntlet => Event::Gauntlet { gauntlet_seeds: 1 },
            () if self.is_knockout => Event::Knockout,
            () => Event::RoundRobin,
        }
    }

    fn conditions(&self) -> String {
        let rule_sets = self.rule_sets.keys().map(String::as_str).collect::<Vec<_>>().join(" and ");
        let limits = self.limits.iter().filter(|limits| !limits.is_empty());
        std::iter::once(&rule_sets).chain(limits).cloned().collect::<Vec<_>>().join(", ")
    }

    fn test(&self) -> Option<Sprt> {
        self.sprt
    }

    fn counts_single_games(&self) -> bool {
        true
    }

    fn engine(&self, place: usize) -> &str {
        &self.names[place]
    }
}

impl GameFiles {
    /// Counts the games of files. A test is of two engines.
    ///
    /// # Errors
    /// Which file, which line, and what is wrong there.
    pub fn count(paths: &[PathBuf], sprt: Option<Sprt>) -> Result<(GameFiles, Tally), Failure> {
        let (is_gauntlet, is_knockout) = (true, true);
        let mut files = GameFiles { sprt, is_gauntlet, is_knockout, ..GameFiles::default() };
        let mut tally = Tally::default();
        for (number, path) in (1..).zip(paths) {
            let input = files::open(path).map_err(|error| Failure::at(path.display(), error))?;
            for game in Reader::new(BufReader::new(input)) {
                let failed = |error: &dyn fmt::Display| Failure::at(path.display(), error);
                let game = game.map_err(|error| failed(&error))?;
                game.check_end().map_err(|error| failed(&error))?;
                if let Some(game) = files.take(&game, number, path)? {
                    tally.count(&game);
                }
            }
        }
        let engines = files.names.len();
        if sprt.is_some() && engines > 2 {
            let problem = format!("a test is a match of two engines, and these files have {engines}");
            return Err(Failure::at("--sprt", problem));
        }
        tally.reserve(engines);
        if let Some(MatchEnd::Broken(why)) = tally.end(&files) {
            tally.broken = Some(why);
        }
        Ok((files, tally))
    }

    /// A remark on games that cannot be compared, if there are such.
    #[must_use]
    pub fn remark(&self) -> Option<String> {
        let of = |(name, games): (&String, &u64)| format!("{name} {}", counted(*games, "game"));
        let all = self.rule_sets.iter().map(of).collect::<Vec<_>>().join(", ");
        (self.rule_sets.len() > 1)
            .then(|| format!("Games of {} rule sets are counted together: {all}", self.rule_sets.len()))
    }

    /// Takes in a game; `None` if it has no result.
    fn take(
        &mut self,
        game: &GameText,
        file: u64,
        path: &Path,
    ) -> Result<Option<CountedGame<'static>>, Failure> {
        let text = |tag| game.tag(tag).unwrap_or_default();
        let place = || format!("{}: line {}", path.display(), game.begins.line);
        let (south, north) = (self.player(game, "South", place)?, self.player(game, "North", place)?);
        let players = [south, north];
        let Some(south_result) = game.verdict_for(Side::South) else {
            self.unfinished += 1;
            return Ok(None);
        };
        let rule_set = game.variant().map_or_else(
            || printable::name(game.tag("Variant").unwrap_or("unknown")).into_owned(),
            |variant| variant.to_string(),
        );
        let is_first = self.rule_sets.is_empty();
        *self.rule_sets.entry(rule_set).or_default() += 1;
        let limits = printable::name(text("TimeControl")).into_owned();
        match &self.limits {
            None if is_first => self.limits = Some(limits),
            Some(known) if *known != limits => self.limits = Some(String::new()),
            _ => {}
        }
        self.is_gauntlet &= text("Event") == Event::Gauntlet { gauntlet_seeds: 1 }.title(3);
        self.is_knockout &= text("Event") == Event::Knockout.title(3);
        let outcome = match south_result {
            Verdict::Win => Outcome::Win(Side::South),
            Verdict::Draw => Outcome::Draw,
            Verdict::Loss => Outcome::Win(Side::North),
        };
        let termination = Termination::said_in(text("Termination"));
        let loses = |side: Side| matches!(outcome, Outcome::Win(winner) if winner != side);
        let at_fault = termination.is_some_and(Termination::is_fault);
        // What the games of a pair have in common.
        let pair = number_of((file, text("Event"), text("Round"), text("FEN")));
        let start = [game.tag("Variant"), game.tag("FEN")];
        Ok(Some(CountedGame {
            round: text("Round").parse().unwrap_or(0),
            bye: None,
            pair,
            players,
            outcome,
            stores: game.stores(),
            plies: game.moves.len() as u64,
            termination,
            faults: Side::BOTH.map(|side| at_fault && loses(side)),
            fingerprint: fingerprint(players, start, game.moves.iter().map(|text| text.mv)),
            opening: None,
            played: None,
        }))
    }

    /// The place of a player.
    fn player(&mut self, game: &GameText, tag: &str, place: impl Fn() -> String) -> Result<usize, Failure> {
        let missing = || Failure::at(place(), format!("the game has no tag {tag}"));
        let name = game.tag(tag).ok_or_else(missing)?;
        if let Some(&known) = self.places.get(name) {
            return Ok(known);
        }
        let new = self.names.len();
        if new == MAX_ENGINES {
            return Err(Failure::at(
                place(),
                format!("this is player {}, expected at most {MAX_ENGINES}", new + 1),
            ));
        }
        self.places.insert(name.to_owned(), new);
        self.names.push(printable::name(name).into_owned());
        Ok(new)
    }
}
