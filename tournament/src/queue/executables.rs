//! The executables of a job on this machine, found by their content.

use super::content::content_of;
use super::error::QueueError;
use super::job::Job;
use crate::journal::ProgramContent;
use crate::plan::Contestant;
use std::fs;
use std::path::{Path, PathBuf};

/// Files of a folder that are looked at.
const MAX_FILES: usize = 10_000;

/// The executables of all engines: each where the coordinator has it, or in a folder, whatever it is called there.
///
/// # Errors
/// The first engine of which there is none.
pub(super) fn find_executables(job: &Job, folder: Option<&Path>) -> Result<Vec<PathBuf>, QueueError> {
    let both = job.plan.contestants.iter().zip(job.contents());
    let find = |(contestant, content): (&Contestant, &ProgramContent)| {
        let engine = &contestant.engine;
        let found = engine.program().filter(|path| is(path, content)).or_else(|| in_folder(folder?, content));
        found.ok_or_else(|| {
            let mut places = engine.command.display().to_string();
            if let Some(folder) = folder {
                places.push_str(&format!(" and in {}", folder.display()));
            }
            let text = format!(
                "{}: no executable with {content} was found ({places}); --engines FOLDER",
                engine.name
            );
            QueueError::Unfit(kroo::printable::line(&(text + " names another place")).into_owned())
        })
    };
    both.map(find).collect()
}

fn in_folder(folder: &Path, content: &ProgramContent) -> Option<PathBuf> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).ok()?.take(MAX_FILES).flatten().map(|file| file.path()).collect();
    files.sort();
    files.into_iter().find(|path| is(path, content))
}

/// Whether a file has this content; another length shows it at once.
fn is(path: &Path, content: &ProgramContent) -> bool {
    let same_length = fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() == content.bytes);
    same_length && content_of(path).is_ok_and(|found| found == *content)
}
