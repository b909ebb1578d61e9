//! The executables of a match, known by their contents: see [`ProgramContent`].

use super::error::QueueError;
use super::fetch::Fetcher;
use super::job::Job;
use crate::engine::{ProgramContent, has_content};
use crate::plan::Contestant;
use std::fs;
use std::path::{Path, PathBuf};

/// Files of a folder that are looked at.
const MAX_FILES: usize = 10_000;

/// The executables of all engines: each where the coordinator has it, or in a folder, whatever it is called there, or else
/// fetched from the queue, if that may be done. `None` if it was stopped, or the match is over.
pub(super) fn find_executables(
    job: &Job,
    folder: Option<&Path>,
    mut fetcher: Option<Fetcher<'_>>,
) -> Result<Option<Vec<PathBuf>>, QueueError> {
    let both = job.plan.contestants.iter().zip(job.contents());
    let find = |(contestant, content): (&Contestant, &ProgramContent)| {
        let engine = &contestant.engine;
        let here = engine.program().filter(|path| has_content(path, content));
        match (here.or_else(|| in_folder(folder?, content)), &mut fetcher) {
            (Some(found), _) => Ok(Some(found)),
            (None, Some(fetcher)) => fetcher.fetch(&engine.name, content),
            (None, None) => Err(missing(contestant, content, folder)),
        }
    };
    both.map(find).collect()
}

fn missing(contestant: &Contestant, content: &ProgramContent, folder: Option<&Path>) -> QueueError {
    let engine = &contestant.engine;
    let mut places = engine.command.display().to_string();
    if let Some(folder) = folder {
        places.push_str(&format!(" and in {}", folder.display()));
    }
    let text = format!(
        "{}: no executable with {content} was found ({places}); --engines FOLDER names another place, and --fetch fetches it \
         from a coordinator that has --offer-engines",
        engine.name
    );
    QueueError::Unfit(kroo::printable::line(&text).into_owned())
}

fn in_folder(folder: &Path, content: &ProgramContent) -> Option<PathBuf> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).ok()?.take(MAX_FILES).flatten().map(|file| file.path()).collect();
    files.sort();
    files.into_iter().find(|path| has_content(path, content))
}
