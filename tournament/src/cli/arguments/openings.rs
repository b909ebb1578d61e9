//! Where the games begin: `--openings`, `--random-plies` and what goes with them.

use super::match_arguments::OpeningArguments;
use crate::failure::Failure;
use crate::schedule::{LARGEST_FILE, Opening, Openings};
use kroo::files;
use kroo::game::{Game, Position, Variant, fair_starts, games_with_fair_starts};
use kroo::ogn::{GameText, Reader};
use kroo::printable;
use std::io::BufReader;
use std::path::Path;

/// The word of `--openings` for the proven fair starts of a game; a file of this name is `./fair`.
pub const FAIR: &str = "fair";
/// The default of `--random-plies`.
const RANDOM_PLIES: u32 = 4;

impl OpeningArguments {
    /// The openings, and a description of them.
    pub(super) fn openings(&self, variant: Variant, max_moves: usize) -> Result<(Openings, String), Failure> {
        let (plies, seed) = (self.random_plies.unwrap_or(RANDOM_PLIES), self.seed());
        let (openings, mut source) = match &self.openings {
            Some(word) if word == Path::new(FAIR) => {
                let fair = fair(variant)?;
                let count = fair.distinct().unwrap_or_default();
                if self.order == "random" {
                    (fair.shuffled(seed), format!("{count} fair starts, shuffled by seed {seed}"))
                } else {
                    (fair, format!("{count} fair starts"))
                }
            }
            Some(path) => {
                let (file, plies) = (path.display(), self.opening_plies.unwrap_or(usize::MAX));
                let listed = listed(variant, path, max_moves, plies)?;
                if self.order == "random" {
                    (listed.shuffled(seed), format!("{file}, shuffled by seed {seed}"))
                } else {
                    (listed, file.to_string())
                }
            }
            None if plies as usize >= max_moves => {
                return Err(Failure::new(format!(
                    "--max-moves {max_moves} leaves no move to play after {plies} random plies, which it counts, too: give a \
                     larger one, or fewer --random-plies"
                )));
            }
            None if plies == 0 => (Openings::start(variant), "the start position".to_owned()),
            None => (Openings::random(variant, plies, seed)?, format!("{plies} random plies, seed {seed}")),
        };
        if self.start > 1 {
            source.push_str(&format!(", from number {}", self.start));
        }
        Ok((openings.starting_at(self.start - 1), source))
    }
}

/// The starts that are proven draws.
fn fair(variant: Variant) -> Result<Openings, Failure> {
    let starts = fair_starts(variant).into_iter().map(|start| Opening::new(Game::new(start)));
    let list = starts.collect::<Result<Vec<_>, _>>()?;
    if list.is_empty() {
        let games: Vec<&str> = games_with_fair_starts().into_iter().map(Variant::name).collect();
        let problem =
            format!("--openings {FAIR}: no fair starts of {variant} are known, only of {}", games.join(", "));
        return Err(Failure::new(format!("{problem}; give a file of openings")));
    }
    Ok(Openings::Listed { list, next: 0 })
}

/// The openings of a file, which is a game file or has an opening in each line.
fn listed(variant: Variant, file: &Path, max_moves: usize, plies: usize) -> Result<Openings, Failure> {
    if file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ogn")) {
        let games = games(variant, file)?;
        return Openings::read(file, &games, max_moves, |game| opening_of(variant, game, plies));
    }
    let lines = Openings::lines(file)?;
    Openings::read(file, &lines, max_moves, |line| Opening::parse(variant, line, plies))
}

/// The games of a file, each with its first line.
fn games(variant: Variant, file: &Path) -> Result<Vec<(usize, GameText)>, Failure> {
    let failed = |error| Failure::at(file.display(), error);
    let input = BufReader::new(files::open_at_most(file, LARGEST_FILE).map_err(failed)?);
    let mut games = Vec::new();
    for game in Reader::new(input) {
        let game = game.map_err(|error| Failure::at(file.display(), error))?;
        if game.variant().is_some_and(|found| found != variant) {
            let found = printable::name(game.tag("Variant").unwrap_or_default()).into_owned();
            let place = format!("{}:{}", file.display(), game.begins.line);
            let problem = format!("a game of {found}, but {variant} is played");
            return Err(Failure::at(place, problem));
        }
        games.push((game.begins.line, game));
    }
    Ok(games)
}

fn opening_of(variant: Variant, game: &GameText, plies: usize) -> Result<Opening, Failure> {
    let start = game.tag("FEN").map_or_else(
        || Ok(Position::start(variant)),
        |fields| Position::parse(variant, fields).map_err(|error| Failure::new(error.to_string())),
    )?;
    Opening::played(start, game.moves.iter().take(plies).map(|text| Ok(text.mv)))
}
