//! Counting games, and pairs of games.

use super::options::Results;
use crate::statistics::{EloModel, Estimate, Sprt, SprtStatus};
use ahash::AHashMap;
use kroo::files;
use kroo::game::{Side, Verdict};
use kroo::ogn::{GameText, ReadError, Reader};
use kroo::printable;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

/// Results of one engine against another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The names of both engines, if they are known.
    pub names: Option<[String; 2]>,
    /// Games lost, drawn and won, if single games are known.
    pub games: Option<[u64; 3]>,
    /// Complete pairs by the points they brought: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
    /// Games of a file that have no result.
    pub unfinished: u64,
}

/// Why results cannot be counted.
#[derive(Debug, thiserror::Error)]
pub enum CountError {
    /// A file cannot be opened.
    #[error("{}: {error}", .file.display())]
    Open {
        /// The file.
        file: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A file cannot be read.
    #[error("{}: {error}", .file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// Where, and why.
        error: ReadError,
    },
    /// A game does not say who has played.
    #[error("{}: line {line}: the game has no tag {tag}", .file.display())]
    NoPlayer {
        /// The file.
        file: PathBuf,
        /// The game's first line.
        line: usize,
        /// The tag.
        tag: &'static str,
    },
    /// There are more than two engines.
    #[error(
        "{}: line {line}: `{}` plays, but what came before is {} against {}: these numbers are of two engines",
        .file.display(), printable::name(.stranger), printable::name(&.names[0]), printable::name(&.names[1])
    )]
    Stranger {
        /// The file.
        file: PathBuf,
        /// The game's first line.
        line: usize,
        /// The third engine.
        stranger: String,
        /// The first two.
        names: [String; 2],
    },
    /// A test counts games, and only pairs are known.
    #[error("--sprt: model={} counts single games, which --ptnml does not tell: give --wdl", .0.name())]
    PairsOnly(EloModel),
}

impl Counts {
    /// The difference in strength that the results show; from pairs if there are any.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimate> {
        let by_games =
            || self.games.and_then(|[losses, draws, wins]| Estimate::of_games(losses, draws, wins));
        Estimate::of_pairs(self.pairs).or_else(by_games)
    }

    /// How many games there are.
    #[must_use]
    pub fn played(&self) -> u64 {
        self.games.map_or(2 * self.pairs.iter().sum::<u64>(), |games| games.iter().sum())
    }

    /// The points of the first engine.
    #[must_use]
    pub fn points(&self) -> f64 {
        match self.games {
            Some([_, draws, wins]) => wins as f64 + draws as f64 / 2.0,
            None => self
                .pairs
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
            None => (self.pairs[2], self.pairs.iter().sum()),
        };
        (all > 0).then(|| draws as f64 / all as f64)
    }

    /// The state of a test.
    ///
    /// # Errors
    /// If it counts games and only pairs are known.
    pub fn sprt(&self, sprt: &Sprt) -> Result<SprtStatus, CountError> {
        if (self.pairs != [0; 5] || self.games.is_none())
            && let Some(llr) = sprt.llr_of_pairs(self.pairs)
        {
            return Ok(sprt.status_at(llr));
        }
        let games = self.games.ok_or(CountError::PairsOnly(sprt.model()))?;
        Ok(sprt.status_at(sprt.llr_of_games(games)))
    }
}

/// Counts results.
///
/// # Errors
/// Which file, which line, and what is wrong there.
pub fn count(results: &Results) -> Result<Counts, CountError> {
    match results {
        &Results::Games(games) => Ok(Counts { games: Some(games), ..Counts::default() }),
        &Results::Pairs(pairs) => Ok(Counts { pairs, ..Counts::default() }),
        Results::Files(files) => {
            let mut counter = Counter::default();
            files.iter().try_for_each(|file| counter.file(file))?;
            Ok(counter.counts)
        }
    }
}

/// Two games of a file are a pair if these are the same: the event, the round, and the start position.
type PairKey = (String, String, String);

#[derive(Default)]
struct Counter {
    counts: Counts,
    /// Pairs with one game so far: the side of the first engine, and its half points.
    half_finished: AHashMap<PairKey, (Side, u8)>,
}

impl Counter {
    fn file(&mut self, file: &Path) -> Result<(), CountError> {
        self.half_finished.clear();
        self.counts.games.get_or_insert_default();
        let named = || file.to_path_buf();
        let input = files::open(file).map_err(|error| CountError::Open { file: named(), error })?;
        for game in Reader::new(BufReader::new(input)) {
            self.game(&game.map_err(|error| CountError::Read { file: named(), error })?, file)?;
        }
        Ok(())
    }

    fn game(&mut self, game: &GameText, file: &Path) -> Result<(), CountError> {
        let player = |tag| {
            let missing = || CountError::NoPlayer { file: file.to_path_buf(), line: game.begins.line, tag };
            game.tag(tag).ok_or_else(missing)
        };
        let players = [player("South")?, player("North")?];
        let names = self.counts.names.get_or_insert_with(|| players.map(str::to_owned));
        if let Some(stranger) = players.iter().find(|player| !names.iter().any(|name| name == *player)) {
            return Err(CountError::Stranger {
                file: file.to_path_buf(),
                line: game.begins.line,
                stranger: (*stranger).to_owned(),
                names: names.clone(),
            });
        }
        let side = if players[0] == names[0] { Side::South } else { Side::North };
        let Some(verdict) = game.verdict_for(side) else {
            self.counts.unfinished += 1;
            return Ok(());
        };
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
        let text = |tag| game.tag(tag).unwrap_or_default().to_owned();
        let key = (text("Event"), text("Round"), text("FEN"));
        match self.half_finished.get(&key) {
            Some(&(other, first)) if other != side => {
                self.half_finished.remove(&key);
                self.counts.pairs[usize::from(first + half_points)] += 1;
            }
            _ => _ = self.half_finished.insert(key, (side, half_points)),
        }
    }
}
