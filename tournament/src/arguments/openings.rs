//! Where the games begin: `--openings`, `--random-plies` and what goes with them.

use super::error::ArgumentError;
use super::syntax::{number, text};
use crate::schedule::{LARGEST_FILE, Opening, OpeningError, Openings, OpeningsError};
use clap::ArgMatches;
use kroo::files;
use kroo::game::{Position, Variant};
use kroo::ogn::{GameText, Reader};
use std::io::BufReader;
use std::path::Path;

/// The openings, and a description of them.
pub(super) fn openings(
    matches: &ArgMatches,
    variant: Variant,
    max_moves: usize,
) -> Result<(Openings, String), ArgumentError> {
    let (plies, seed) = (number(matches, "random-plies") as u32, number(matches, "seed"));
    let start = number(matches, "start");
    let (openings, mut source) = match text(matches, "openings") {
        Some(file) => {
            let plies = matches.get_one::<u64>("opening-plies").map_or(usize::MAX, |&plies| plies as usize);
            let listed = listed(variant, Path::new(file), max_moves, plies)?;
            if text(matches, "order") == Some("random") {
                (listed.shuffled(seed), format!("{file}, shuffled by seed {seed}"))
            } else {
                (listed, file.to_owned())
            }
        }
        None if plies as usize >= max_moves => return Err(ArgumentError::NoMovesLeft { plies, max_moves }),
        None if plies == 0 => (Openings::start(variant), "the start position".to_owned()),
        None => (Openings::random(variant, plies, seed)?, format!("{plies} random plies, seed {seed}")),
    };
    if start > 1 {
        source.push_str(&format!(", from number {start}"));
    }
    Ok((openings.from_opening(start - 1), source))
}

/// The openings of a file, which is a game file or has an opening in each line.
fn listed(variant: Variant, file: &Path, max_moves: usize, plies: usize) -> Result<Openings, ArgumentError> {
    if file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ogn")) {
        let games = games(variant, file)?;
        return Ok(Openings::read(file, &games, max_moves, |game| opening_of(variant, game, plies))?);
    }
    let lines = Openings::lines(file)?;
    Ok(Openings::read(file, &lines, max_moves, |line| Opening::parse_first(variant, line, plies))?)
}

/// The games of a file, with the lines at which they begin.
fn games(variant: Variant, file: &Path) -> Result<Vec<(usize, GameText)>, ArgumentError> {
    let failed = |error| OpeningsError::File { file: file.to_path_buf(), error };
    let input = BufReader::new(files::open_at_most(file, LARGEST_FILE).map_err(failed)?);
    let mut games = Vec::new();
    for game in Reader::new(input) {
        let game = game.map_err(|error| ArgumentError::GameFile { file: file.to_path_buf(), error })?;
        if game.variant().is_some_and(|found| found != variant) {
            let found = game.tag("Variant").unwrap_or_default().to_owned();
            return Err(ArgumentError::OtherVariant {
                file: file.to_path_buf(),
                line: game.begins.line,
                found,
                variant,
            });
        }
        games.push((game.begins.line, game));
    }
    Ok(games)
}

/// The opening of a game.
fn opening_of(variant: Variant, game: &GameText, plies: usize) -> Result<Opening, OpeningError> {
    let start = game.tag("FEN").map_or_else(
        || Ok(Position::start(variant)),
        |fields| Position::parse(variant, fields).map_err(OpeningError::from),
    )?;
    Opening::played(start, game.moves.iter().take(plies).map(|text| Ok(text.mv)))
}
