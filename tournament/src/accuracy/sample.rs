//! Positions from games.

use super::options::AccuracyOptions;
use crate::failure::Failure;
use ahash::AHashSet;
use kroo::files;
use kroo::game::{Cycle, Game, Position, Variant, shuffle};
use kroo::ogn::Reader;
use std::io::BufReader;

/// The largest game file, in bytes.
const LARGEST_FILE: u64 = 4 << 30;

/// Different positions of the games of a rule set, with as many seeds as asked for and at least two moves, in an order that
/// depends on the random seed only; and the rule set.
///
/// # Errors
/// If a file cannot be read, or there is no such position.
pub fn sample(options: &AccuracyOptions) -> Result<(Variant, Vec<Position>), Failure> {
    if let Some(variant) = options.variant {
        assert_values_ignore_the_past(variant)?;
    }
    let games = games(options)?;
    let variant = variant(options, &games)?;
    let (mut found, mut seen) = (Vec::new(), AHashSet::new());
    let (mut count, mut positions, mut with_seeds, mut range) = (0, 0, 0, None);
    for played in games.iter().filter(|game| game.start().variant() == variant) {
        count += 1;
        let mut game = Game::new(*played.start());
        for &mv in played.moves() {
            let position = *game.position();
            let seeds = position.board().seeds();
            positions += 1;
            range = range.map_or(Some((seeds, seeds)), |(least, most): (u8, u8)| {
                Some((least.min(seeds), most.max(seeds)))
            });
            if options.seeds.0.contains(&seeds) {
                with_seeds += 1;
                if position.moves().len() > 1 && seen.insert(position.to_string()) {
                    found.push(position);
                }
            }
            game.play(mv).expect("it was played once");
        }
    }
    if found.is_empty() {
        let (least, most) = (*options.seeds.0.start(), *options.seeds.0.end());
        let found = range.map_or("no".to_owned(), |(least, most)| format!("{least} to {most}"));
        return Err(Failure::new(format!(
            "no position of these games has {least} to {most} seeds and two moves to choose from: {count} games of {variant} \
             have {positions} positions, with {found} seeds in their pits; {with_seeds} of them have {least} to {most} seeds, \
             each with one move at most: give other --seeds"
        )));
    }
    let mut seed = options.seed;
    shuffle(&mut found, &mut seed);
    found.truncate(options.positions);
    Ok((variant, found))
}

/// All games of the files.
fn games(options: &AccuracyOptions) -> Result<Vec<Game>, Failure> {
    let mut games = Vec::new();
    for file in &options.games {
        let opened = files::open_at_most(file, LARGEST_FILE);
        let input = opened.map_err(|error| Failure::at(file.display(), error))?;
        for text in Reader::new(BufReader::new(input)) {
            let text = text.map_err(|error| Failure::at(file.display(), error))?;
            let played = text.play().map_err(|error| Failure::at(file.display(), error))?;
            games.push(played.game);
        }
    }
    Ok(games)
}

/// The rule set to measure.
fn variant(options: &AccuracyOptions, games: &[Game]) -> Result<Variant, Failure> {
    let is_there = |variant: &Variant| games.iter().any(|game| game.start().variant() == *variant);
    let found: Vec<Variant> = Variant::ALL.iter().copied().filter(is_there).collect();
    let count = games.len() as u64;
    let variant = match (options.variant, found.as_slice()) {
        (_, []) => {
            return Err(Failure::new(format!(
                "{count} games are read, none of a known rule set: expected games with a tag such as [Variant \"Awari\"]"
            )));
        }
        (Some(variant), found) if found.contains(&variant) => variant,
        (Some(variant), found) => {
            return Err(Failure::new(format!(
                "none of the {count} games is of {variant}; they are of {}: leave --variant out, or give that",
                names(found)
            )));
        }
        (None, [variant]) => *variant,
        (None, found) => {
            return Err(Failure::new(format!(
                "these games are of {}: choose one with --variant",
                names(found)
            )));
        }
    };
    assert_values_ignore_the_past(variant)?;
    Ok(variant)
}

/// Where a repetition ends the game, the value of a position may depend on the past, which endgame files do not know.
fn assert_values_ignore_the_past(variant: Variant) -> Result<(), Failure> {
    if variant.cycle() != Cycle::EndsGame {
        return Ok(());
    }
    let problem =
        format!("in {variant} a repetition may change what the endgame files say, so it cannot be measured");
    Err(Failure::at("accuracy", problem))
}

fn names(variants: &[Variant]) -> String {
    variants.iter().map(|variant| variant.name()).collect::<Vec<_>>().join(", ")
}
