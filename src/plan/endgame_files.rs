//! A session's endgame files: those of `EndgamePath`, or those in the user's folder.
//!
//! A named folder is deliberate: every search may use its files. Those in the user's folder are a default that differs between
//! machines: reproducible searches do not use them. In either folder, a file with a fault is left out, with all larger ones, and
//! the fault is reported once, before a search.

use crate::endgames::{EndgameFileError, Endgames, Gap, user_folder};
use crate::game::Variant;
use crate::protocol::{Limits, Settings};
use crate::search::TablebasePolicy;
use crate::under;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A session's endgames.
#[derive(Clone, Debug)]
pub struct EndgameFiles {
    /// The databases from files and those built in memory; without files, those that all sessions share.
    pub databases: Arc<Endgames>,
    /// Seeds of the largest database with a sound file of the rule set, and with all smaller ones.
    pub seeds: Option<u8>,
    /// The folder of the databases, if any.
    folder: Option<PathBuf>,
    /// Whether `EndgamePath` names the folder.
    named: bool,
    /// The fault of the first file that is not used, until it is reported.
    fault: Option<Arc<EndgameFileError>>,
    /// The gap in the files, until it is reported.
    gap: Option<Gap>,
}

impl EndgameFiles {
    fn none(variant: Variant) -> EndgameFiles {
        let databases = Arc::clone(Endgames::shared_with(variant.options()));
        EndgameFiles { databases, seeds: None, folder: None, named: false, fault: None, gap: None }
    }

    /// Maps the current files for the rule set of the settings.
    pub fn open(settings: &Settings) -> Result<EndgameFiles, EndgameFileError> {
        let variant = settings.variant;
        if Endgames::why_no_files(variant).is_some() {
            return Ok(EndgameFiles::none(variant));
        }
        if !settings.endgame_path.is_empty() {
            return open_in(Path::new(&settings.endgame_path), variant, true);
        }
        let Some(folder) = user_folder().filter(|folder| folder.is_dir()) else {
            return Ok(EndgameFiles::none(variant));
        };
        match open_in(&folder, variant, false) {
            Ok(files) if files.seeds.is_some() => Ok(files),
            Ok(EndgameFiles { gap, fault, .. }) => {
                Ok(EndgameFiles { gap, fault, ..EndgameFiles::none(variant) })
            }
            Err(error) => Ok(EndgameFiles { fault: Some(Arc::new(error)), ..EndgameFiles::none(variant) }),
        }
    }

    /// The endgames for a search with these limits: all that exist for a timed search, otherwise only those of named files, which
    /// keeps it reproducible. Without background work, a search builds the databases that it has paid for.
    pub fn policy(&self, limits: &Limits, built_beside: bool) -> (TablebasePolicy, Arc<Endgames>) {
        let counted = limits.depth.is_some() || limits.nodes.is_some();
        let repeatable = counted && !limits.by_time();
        let policy = match self.seeds {
            _ if built_beside && !repeatable => TablebasePolicy::Available,
            Some(seeds) if self.named || !repeatable => TablebasePolicy::UpTo(seeds),
            _ => {
                let shared = Endgames::shared_with(self.databases.options());
                return (TablebasePolicy::Earned, Arc::clone(shared));
            }
        };
        (policy, Arc::clone(&self.databases))
    }

    /// The faults of the files, each once: in the user's folder, or in files truncated or modified since they were mapped. The
    /// session continues without them.
    pub fn take_faults(&mut self, variant: Variant) -> Vec<String> {
        let lost = under!(variant, R => self.databases.take_lost_files::<R>());
        if !lost.is_empty() {
            self.seeds = self.seeds.min(built(&self.databases, variant));
        }
        let fault = self.fault.take().map(|error| error.to_string());
        let gap = self.take_gap().map(|gap| gap.to_string());
        fault.into_iter().chain(gap).chain(lost.iter().map(ToString::to_string)).collect()
    }

    /// The gap in the files, once.
    pub fn take_gap(&mut self) -> Option<Gap> {
        self.gap.take()
    }

    /// The folder of the files, if `EndgamePath` names it.
    pub fn named_folder(&self) -> Option<&Path> {
        self.folder.as_deref().filter(|_| self.named)
    }
}

fn open_in(folder: &Path, variant: Variant, named: bool) -> Result<EndgameFiles, EndgameFileError> {
    let databases = Arc::<Endgames>::default();
    let fault = under!(variant, R => databases.open_sound::<R>(folder))?.map(Arc::new);
    let (seeds, gap) = (built(&databases, variant), Gap::find(folder, variant));
    Ok(EndgameFiles { databases, seeds, folder: Some(folder.to_owned()), named, fault, gap })
}

/// The most seeds up to which all databases of a rule set exist.
pub fn built(databases: &Endgames, variant: Variant) -> Option<u8> {
    under!(variant, R => databases.built::<R>())
}
