//! Counting games, and pairs of games.

use super::options::ResultSource;
use crate::failure::Failure;
use crate::game::Termination;
use crate::record::{fingerprint, number_of};
use crate::results::{FaultCounts, GameOfPair, PairCounts};
use crate::statistics::{Estimate, Sprt, SprtDecision, SprtStatus};
use ahash::AHashSet;
use kroo::files;
use kroo::game::{Side, Verdict};
use kroo::ogn::{GameText, Reader};
use kroo::printable;
use std::io::BufReader;
use std::path::Path;

/// Results of one engine against another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The names of both engines, if they are known.
    pub names: Option<[String; 2]>,
    /// Games lost, drawn and won, if single games are known.
    pub games: Option<[u64; 3]>,
    /// Complete pairs.
    pub pairs: PairCounts,
    /// Games of a file that have no result.
    pub unfinished: u64,
    /// How many games of files are not the same, move by move, as another one with the same engines on the same sides.
    pub distinct_games: Option<u64>,
    /// The faults by which the first engine (0) and the second (1) have lost games of files.
    faults: FaultCounts,
}

impl Counts {
    /// The difference in strength that the results show.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimate> {
        self.pairs.estimate(self.games)
    }

    /// How many games there are.
    #[must_use]
    pub fn played(&self) -> u64 {
        self.games.map_or(2 * self.pairs.counts.iter().sum::<u64>(), |games| games.iter().sum())
    }

    /// The points of the first engine.
    #[must_use]
    pub fn points(&self) -> f64 {
        match self.games {
            Some([_, draws, wins]) => wins as f64 + draws as f64 / 2.0,
            None => self
                .pairs
                .counts
                .iter()
                .zip(0_u32..)
                .map(|(&count, half)| count as f64 * f64::from(half) / 2.0)
                .sum(),
        }
    }

    /// The share of drawn games; if only pairs are known, of pairs that brought each engine one point. `None` without results.
    #[must_use]
    pub fn draw_ratio(&self) -> Option<f64> {
        let (draws, all) = match self.games {
            Some(games) => (games[1], games.iter().sum::<u64>()),
            None => (self.pairs.counts[2], self.pairs.counts.iter().sum()),
        };
        (all > 0).then(|| draws as f64 / all as f64)
    }

    /// A sentence about an engine that has lost all its games by faults, if there is one.
    #[must_use]
    pub fn faults_only(&self) -> Option<String> {
        let (names, games) = (self.names.as_ref()?, self.games?);
        let engine = (0..names.len())
            .find(|&engine| self.faults.lost_all(engine, games.iter().sum(), games[2 * engine]))?;
        Some(self.faults.lost_all_text(engine, &printable::name(&names[engine])))
    }

    /// Why a test decides nothing although its LLR has reached a bound: an engine has lost all games by its faults.
    #[must_use]
    pub fn faulty_verdict(&self, status: &SprtStatus) -> Option<String> {
        self.faults_only().filter(|_| status.is_at_bound())
    }

    /// The state of a test. Games that an engine has lost by faults alone decide none.
    ///
    /// # Errors
    /// If it counts games and only pairs are known.
    pub fn sprt(&self, sprt: &Sprt) -> Result<SprtStatus, Failure> {
        let status = self.status(sprt)?;
        Ok(match self.faults_only() {
            Some(_) => SprtStatus { decision: SprtDecision::Continue, ..status },
            None => status,
        })
    }

    fn status(&self, sprt: &Sprt) -> Result<SprtStatus, Failure> {
        if (self.pairs.counts != [0; 5] || self.games.is_none())
            && let Some(llr) = sprt.llr_of_pairs(self.pairs.counts)
        {
            return Ok(sprt.status_at(llr));
        }
        let games = self.games.ok_or_else(|| {
            let problem = "counts single games, which --ptnml does not tell: give --wdl";
            Failure::new(format!("--sprt: model={} {problem}", sprt.model.name()))
        })?;
        // As in a match: complete pairs, each of them once. A file without pairs has nothing but its games.
        let games = if self.pairs.games == [0; 3] { games } else { self.pairs.games };
        Ok(sprt.status_at(sprt.llr_of_games(games)))
    }
}

/// Counts results.
///
/// # Errors
/// Which file, which line, and what is wrong there.
pub fn count(results: &ResultSource) -> Result<Counts, Failure> {
    match results {
        &ResultSource::Games(games) => Ok(Counts { games: Some(games), ..Counts::default() }),
        &ResultSource::Pairs(pairs) => Ok(Counts { pairs: PairCounts::of(pairs), ..Counts::default() }),
        ResultSource::Files(files) => {
            let mut counter = Counter::default();
            files.iter().try_for_each(|file| counter.file(file))?;
            Ok(counter.counts)
        }
    }
}

#[derive(Default)]
struct Counter {
    counts: Counts,
    /// How many files were read before this one.
    files: u64,
    /// Fingerprints of the games.
    games: AHashSet<u64>,
}

impl Counter {
    fn file(&mut self, file: &Path) -> Result<(), Failure> {
        self.files += 1;
        self.counts.games.get_or_insert_default();
        let input = files::open(file).map_err(|error| Failure::at(file.display(), error))?;
        for game in Reader::new(BufReader::new(input)) {
            self.game(&game.map_err(|error| Failure::at(file.display(), error))?, file)?;
        }
        Ok(())
    }

    fn game(&mut self, game: &GameText, file: &Path) -> Result<(), Failure> {
        let place = format!("{}: line {}", file.display(), game.begins.line);
        let player = |tag| {
            let missing = || Failure::at(&place, format!("the game has no tag {tag}"));
            game.tag(tag).ok_or_else(missing)
        };
        let players = [player("South")?, player("North")?];
        let names = self.counts.names.get_or_insert_with(|| players.map(str::to_owned));
        if let Some(stranger) = players.iter().find(|player| !names.iter().any(|name| name == *player)) {
            let [stranger, one, other] = [*stranger, &names[0], &names[1]].map(printable::name);
            let problem = format!(
                "`{stranger}` plays, but what came before is {one} against {other}: these numbers are of two engines"
            );
            return Err(Failure::at(place, problem));
        }
        let side = if players[0] == names[0] { Side::South } else { Side::North };
        let Some(verdict) = game.verdict_for(side) else {
            self.counts.unfinished += 1;
            return Ok(());
        };
        let reason = Termination::said_in(game.tag("Termination").unwrap_or_default());
        if let Some(reason) = reason.filter(|reason| reason.is_fault() && verdict != Verdict::Draw) {
            let loser = usize::from(verdict == Verdict::Win);
            self.counts.faults.add(loser, reason);
        }
        self.add(game, side, verdict);
        Ok(())
    }

    fn add(&mut self, game: &GameText, side: Side, verdict: Verdict) {
        let half_points = match verdict {
            Verdict::Loss => 0,
            Verdict::Draw => 1,
            Verdict::Win => 2,
        };
        self.counts.games.get_or_insert_default()[usize::from(half_points)] += 1;
        let text = |tag| game.tag(tag).unwrap_or_default();
        // What the games of a pair have in common.
        let pair = number_of((self.files, text("Event"), text("Round"), text("FEN")));
        let start = [game.tag("Variant"), game.tag("FEN")];
        let fingerprint = fingerprint(side.index(), start, game.moves.iter().map(|text| text.mv));
        self.games.insert(fingerprint);
        self.counts.distinct_games = Some(self.games.len() as u64);
        self.counts.pairs.add(pair, GameOfPair { side, half_points, fingerprint });
    }
}
