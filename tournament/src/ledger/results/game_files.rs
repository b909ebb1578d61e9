//! Game files as a source of results: those of the referee, of other programs and of people.

use super::super::record::{fingerprint, number_of};
use super::contest::Contest;
use super::counted::CountedGame;
use super::counts::{MatchEnd, Results};
use crate::failure::Failure;
use crate::game::{Outcome, Termination};
use crate::plan::{MAX_ENGINES, MAX_PAIRS};
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

/// The most games that a bye counts as won.
const MAX_BYE: u64 = 2 * MAX_PAIRS;

/// The tag of a game that does not count, because an earlier one, needed by a test, is missing. Its value is `no`.
pub const COUNTED: &str = "Counted";

/// What game files say of their event.
#[derive(Clone, Debug, Default)]
pub struct GameFiles {
    /// The names of the engines, without characters that control a terminal: those of a list by their places there, even if a
    /// game names them only later, and then all others in the order of their games.
    names: Vec<Option<String>>,
    places: AHashMap<String, usize>,
    /// How many games there are of each rule set.
    pub rule_sets: BTreeMap<String, u64>,
    /// The limits that the games name, if all name the same.
    limits: Option<String>,
    /// The event that all games belong to; `None` if one says another, or none.
    event: Option<Event>,
    /// The games that a bye counts as won, if there are byes.
    games_of_bye: Option<u64>,
    /// Games without a result, which do not count.
    pub unfinished: u64,
    sprt: Option<Sprt>,
}

/// The place of a game in an event, from its tags.
struct EventTags {
    event: Event,
    round: u64,
    number: u64,
    /// The places of South and North in the list of engines, and how many are there.
    players: [usize; 2],
    engines: usize,
    /// The engine that has a bye, its name, and the games that this counts as won.
    bye: Option<(usize, String, u64)>,
}

impl EventTags {
    /// The tags of a game; `None` unless a referee has written it.
    fn of(game: &GameText) -> Option<EventTags> {
        let number = |tag: &str| game.tag(tag)?.parse::<u64>().ok();
        let (players, engines) = game.tag("Players")?.split_once(" of ")?;
        let (south, north) = players.split_once(" and ")?;
        let place = |text: &str| text.parse::<usize>().ok()?.checked_sub(1);
        let (players, engines) = ([place(south)?, place(north)?], engines.parse().ok()?);
        let event = Event::titled(game.tag("Event")?)?;
        let bye = match (game.tag("Bye"), number("ByeGames")) {
            (Some(bye), Some(games)) => {
                let (engine, name) = bye.split_once(' ')?;
                Some((place(engine)?, name.to_owned(), games)).filter(|_| games <= MAX_BYE)
            }
            _ => None,
        };
        let mut all = players.iter().chain(bye.as_ref().map(|(engine, ..)| engine));
        let fits = engines <= MAX_ENGINES && all.all(|&engine| engine < engines);
        let has_byes = event == Event::Swiss && engines % 2 == 1;
        let tags =
            EventTags { event, round: number("Round")?, number: number("Game")?, players, engines, bye };
        (fits && tags.number > 0 && tags.bye.is_some() == has_byes).then_some(tags)
    }
}

impl Contest for GameFiles {
    fn names(&self) -> Vec<&str> {
        (0..self.names.len()).map(|place| self.engine(place)).collect()
    }

    fn event(&self) -> Event {
        self.event.unwrap_or(Event::RoundRobin)
    }

    fn has_ranks(&self) -> bool {
        self.event.is_some()
    }

    fn games_of_bye(&self) -> Option<u64> {
        self.games_of_bye
    }

    fn conditions(&self) -> String {
        let rule_sets = self.rule_sets.keys().map(String::as_str).collect::<Vec<_>>().join(" and ");
        let limits = self.limits.iter().filter(|limits| !limits.is_empty());
        std::iter::once(&rule_sets).chain(limits).cloned().collect::<Vec<_>>().join(", ")
    }

    fn test(&self) -> Option<Sprt> {
        self.sprt
    }

    /// Only the files of a match tell which games are pairs.
    fn counts_single_games(&self) -> bool {
        self.event.is_none()
    }

    fn engine(&self, place: usize) -> &str {
        self.names[place].as_deref().unwrap_or("(not in these files)")
    }
}

impl GameFiles {
    /// Counts the games of files. A test is of two engines.
    pub fn count(paths: &[PathBuf], sprt: Option<Sprt>) -> Result<(GameFiles, Results), Failure> {
        let mut files = GameFiles { sprt, ..GameFiles::default() };
        let mut tally = Results::default();
        for (number, path) in (1..).zip(paths) {
            let input = files::open(path).map_err(|error| Failure::at(path.display(), error))?;
            for game in Reader::new(BufReader::new(input)) {
                let failed = |error: &dyn fmt::Display| Failure::at(path.display(), error);
                let game = game.map_err(|error| failed(&error))?;
                game.check_end().map_err(|error| failed(&error))?;
                if game.tag(COUNTED) == Some("no") {
                    tally.uncounted += 1;
                    continue;
                }
                let winner = game.tag("EventWinner").map(str::to_owned);
                if let Some(game) = files.take(&game, number, path)? {
                    tally.games_of_bye = files.games_of_bye.unwrap_or(0);
                    tally.count(&game);
                }
                if let Some(winner) = winner {
                    tally.champion = files.places.get(&winner).copied();
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
        let is_first = self.rule_sets.is_empty() && self.names.is_empty();
        let tags = EventTags::of(game);
        if let (true, Some(tags)) = (is_first, &tags) {
            (self.event, self.names) = (Some(tags.event), vec![None; tags.engines]);
        }
        let listed = tags.as_ref().map(|tags| tags.players.map(Some)).unwrap_or_default();
        let south = self.player(game.tag("South"), "South", listed[0], place)?;
        let north = self.player(game.tag("North"), "North", listed[1], place)?;
        let players = [south, north];
        let mut bye = None;
        if let Some((engine, name, games)) = tags.as_ref().and_then(|tags| tags.bye.as_ref()) {
            bye = Some(self.player(Some(name), "Bye", Some(*engine), place)?).filter(|found| found == engine);
            self.games_of_bye = Some(*games);
        }
        let is_same = |tags: &EventTags| {
            let has_byes = tags.bye.is_some() == bye.is_some();
            Some(tags.event) == self.event && tags.players == players && has_byes
        };
        if !tags.as_ref().is_some_and(is_same) {
            self.event = None;
        }
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
        let outcome = match south_result {
            Verdict::Win => Outcome::Win(Side::South),
            Verdict::Draw => Outcome::Draw,
            Verdict::Loss => Outcome::Win(Side::North),
        };
        let termination = Termination::said_in(text("Termination"));
        let loses = |side: Side| matches!(outcome, Outcome::Win(winner) if winner != side);
        let at_fault = termination.is_some_and(Termination::is_fault);
        // The common key of a pair's games.
        let pair = match &tags {
            Some(tags) => number_of((file, (tags.number - 1) / 2)),
            None => number_of((file, text("Event"), text("Round"), text("FEN"))),
        };
        let start = [game.tag("Variant"), game.tag("FEN")];
        Ok(Some(CountedGame {
            round: tags.as_ref().map_or(0, |tags| tags.round),
            bye,
            pair,
            players,
            outcome,
            // `1-0` may be the stores or the result: then the moves tell.
            stores: game.stores().or_else(|| Some(game.clone().play().ok()?.stores())),
            plies: game.moves.len() as u64,
            termination,
            faults: Side::BOTH.map(|side| at_fault && loses(side)),
            fingerprint: fingerprint(players, start, game.moves.iter().map(|text| text.mv)),
            opening: None,
            played: None,
        }))
    }

    /// The place of a player: that of a list, or else the next one.
    fn player(
        &mut self,
        name: Option<&str>,
        tag: &str,
        listed: Option<usize>,
        place: impl Fn() -> String,
    ) -> Result<usize, Failure> {
        let name = name.ok_or_else(|| Failure::at(place(), format!("the game has no tag {tag}")))?;
        if let Some(&known) = self.places.get(name) {
            return Ok(known);
        }
        let free = listed.filter(|&listed| self.names.get(listed).is_some_and(Option::is_none));
        let new = free.unwrap_or(self.names.len());
        if new == MAX_ENGINES {
            return Err(Failure::at(
                place(),
                format!("this is player {}, expected at most {MAX_ENGINES}", new + 1),
            ));
        }
        if new == self.names.len() {
            self.names.push(None);
        }
        self.names[new] = Some(printable::name(name).into_owned());
        self.places.insert(name.to_owned(), new);
        Ok(new)
    }
}
