//! `kroo endgame info`: what files of endgames hold, in figures.

use super::output::say;
use crate::endgame::{Survey, survey, survey_all};
use crate::game::Variant;
use std::error::Error;
use std::path::Path;

/// Prints the figures of a file, or of all files in a folder.
pub(super) fn info(path: &Path, threads: usize) -> Result<(), Box<dyn Error>> {
    let mut found: Vec<(Variant, Vec<Survey>)> = Vec::new();
    if path.is_dir() {
        for &variant in Variant::ALL {
            found.push((variant, survey_all(path, variant, threads)?));
        }
    } else {
        let (variant, figures) = survey(path, threads)?;
        found.push((variant, vec![figures]));
    }
    found.retain(|(_, levels)| !levels.is_empty());
    if found.is_empty() {
        return Err(
            format!("there are no endgames in {}: `kroo endgame build` makes them", path.display()).into()
        );
    }
    say("results for the side to move, with as many seeds in its store as the other side or one less:")?;
    for (variant, levels) in found {
        say(&format!("{variant}:"))?;
        say("seeds    positions        bytes   codes  rare         lost        drawn          won    exact")?;
        for level in &levels {
            let [lost, drawn, won] = level.results;
            say(&format!(
                "{:5} {:12} {:12} {:7} {:5} {lost:12} {drawn:12} {won:12} {:7.3}%",
                level.seeds,
                level.boards,
                level.bytes,
                level.codes,
                level.rare,
                100.0 * level.exact as f64 / level.boards as f64
            ))?;
        }
        let sum = |of: fn(&Survey) -> u64| levels.iter().map(of).sum::<u64>();
        say(&format!("  all {:12} {:12}", sum(|level| level.boards), sum(|level| level.bytes)))?;
    }
    Ok(())
}
