//! `kroo endgame info`: figures of endgame files.

use super::output::say;
use crate::endgame_files::{Survey, survey, survey_all};
use crate::endgames::{EndgameFileError, Gap, ThreadPool};
use crate::game::Variant;
use std::error::Error;
use std::path::Path;

/// Prints the figures of a file, or of all files in a folder, optionally of one rule set.
pub(super) fn info(path: &Path, named: Option<Variant>, threads: &ThreadPool) -> Result<(), Box<dyn Error>> {
    let (mut found, mut faults): (Vec<(Variant, Vec<Survey>)>, Vec<EndgameFileError>) = Default::default();
    if path.is_dir() {
        for &variant in Variant::ALL.iter().filter(|&&variant| named.is_none_or(|named| named == variant)) {
            let (sound, broken): (Vec<_>, Vec<_>) =
                survey_all(path, variant, threads).into_iter().partition(Result::is_ok);
            found.push((variant, sound.into_iter().flatten().collect()));
            faults.extend(broken.into_iter().filter_map(Result::err));
        }
    } else {
        let (variant, figures) = survey(path, threads)?;
        found.push((variant, vec![figures]));
    }
    let folder = path.is_dir().then_some(path);
    found.retain(|(variant, databases)| !databases.is_empty() && named.is_none_or(|named| named == *variant));
    if found.is_empty() && faults.is_empty() {
        let (of, flag) = named.map_or_else(Default::default, |variant| {
            (format!(" of {variant}"), format!(" --variant {variant}"))
        });
        return Err(format!(
            "there are no endgames{of} in {}: `kroo endgame build{flag}` makes them",
            path.display()
        )
        .into());
    }
    let faults = faults.iter().map(ToString::to_string).reduce(|all, fault| format!("{all}\n{fault}"));
    if !found.is_empty() {
        show(found, folder)?;
    }
    faults.map_or(Ok(()), |faults| Err(faults.into()))
}

/// Prints the figures of databases, of a folder or of one file.
fn show(found: Vec<(Variant, Vec<Survey>)>, folder: Option<&Path>) -> Result<(), Box<dyn Error>> {
    say("results for the side to move with equal stores, or one seed behind if the total is odd:")?;
    for (variant, databases) in found {
        say(&format!("{variant}:"))?;
        say("seeds    positions        bytes   codes  rare         lost        drawn          won    exact")?;
        for database in &databases {
            let [lost, drawn, won] = database.results;
            say(&format!(
                "{:5} {:12} {:12} {:7} {:5} {lost:12} {drawn:12} {won:12} {:7.3}%",
                database.seeds,
                database.boards,
                database.bytes,
                database.codes,
                database.rare,
                100.0 * database.exact as f64 / database.boards as f64
            ))?;
        }
        let sum = |of: fn(&Survey) -> u64| databases.iter().map(of).sum::<u64>();
        say(&format!("  all {:12} {:12}", sum(|database| database.boards), sum(|database| database.bytes)))?;
        if let Some(gap) = folder.and_then(|folder| Gap::find(folder, variant)) {
            say(&gap.to_string())?;
        }
    }
    Ok(())
}
