//! The endgames that a session works out by itself: small ones, in the background, as soon as it begins.
//!
//! They are ready before most games leave their openings, and nobody waits for them: a search takes those that are
//! there when an iteration begins. A search that is limited by depth or nodes alone does not look at them, so that it
//! stays the same every time; it works out what it has paid for with its nodes (`crate::search`).

use crate::endgame::{Crew, Endgames, FileError, MOST_SEEDS, explain, file_of};
use crate::game::{Position, Rules, Visitor, draw};
use crate::protocol::{Limits, Settings};
use crate::search::Given;
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Time for the background's endgames; a level that is not done by then is dropped.
const TIME: Duration = Duration::from_millis(400);
/// Seeds of the largest of them: 2.7 million boards with those below.
const SEEDS: u8 = 12;

/// The work in the background; it ends when this is dropped.
#[derive(Debug)]
pub(super) struct Background(Arc<AtomicBool>);

impl Background {
    /// Begins to work out the endgames of a rule set, if any are to be used.
    pub(super) fn begin(settings: &Settings) -> Option<Background> {
        let seeds = settings.endgame_seeds.min(SEEDS);
        if seeds == 0 {
            return None;
        }
        let over = Arc::new(AtomicBool::new(false));
        let work = Work { seeds, over: Arc::clone(&over) };
        let variant = settings.variant;
        // Without a thread there are no endgames, which are not needed.
        let spawned = thread::Builder::new().name("endgames".to_owned()).spawn(move || variant.visit(work));
        spawned.ok().map(|_| Background(over))
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

struct Work {
    seeds: u8,
    over: Arc<AtomicBool>,
}

impl Visitor for Work {
    type Output = ();

    fn visit<R: Rules>(self) {
        let began = Instant::now();
        let watch = &mut |_| self.over.load(Ordering::Relaxed) || began.elapsed() > TIME;
        Endgames::shared().build_with::<R>(self.seeds, &mut Crew { threads: 1, watch });
    }
}

/// Maps the endgames of `EndgamePath` for the rule set. Says up to how many seeds there are files.
pub(super) fn open(settings: &Settings) -> Result<Option<u8>, FileError> {
    if settings.endgame_path.is_empty() {
        return Ok(None);
    }
    settings.variant.visit(Open(Path::new(&settings.endgame_path)))
}

struct Open<'a>(&'a Path);

impl Visitor for Open<'_> {
    type Output = Result<Option<u8>, FileError>;

    fn visit<R: Rules>(self) -> Result<Option<u8>, FileError> {
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let files = (0..=R::SEEDS).take_while(|&seeds| file_of(self.0, R::VARIANT, seeds).exists()).count();
        Endgames::shared().open::<R>(self.0, MOST_SEEDS, threads)?;
        Ok(files.checked_sub(1).map(|seeds| seeds as u8))
    }
}

/// Which endgames a search with these limits takes for granted: where time decides, whatever there is, otherwise
/// those that have files.
pub(super) fn given(limits: &Limits, files: Option<u8>) -> Given {
    let counted = limits.depth.is_some() || limits.nodes.is_some();
    let clock =
        limits.movetime.or(limits.winc).or(limits.binc).is_some() || limits.wtime.or(limits.btime).is_some();
    match files {
        _ if !counted || clock => Given::WhatThereIs,
        Some(seeds) => Given::UpTo(seeds),
        None => Given::Nothing,
    }
}

/// Seeds of the largest level that is worked out while somebody waits for a word about a position: 0.6 million boards
/// with those below.
const AT_ONCE: u8 = 10;

/// Draws a position and tells what the endgames know of it.
pub(super) fn explore(position: &Position) -> Result<Vec<String>, String> {
    let mut lines = draw(position);
    if position.verdict().is_none() {
        let seeds = position.board().seeds();
        if seeds <= AT_ONCE {
            position.variant().visit(UpTo(seeds));
        }
        let known = explain(Endgames::shared(), position).ok_or_else(|| {
            format!(
                "endgame: nothing is known of a position with {seeds} seeds in the pits: `kroo endgame build` makes \
                 files for EndgamePath"
            )
        })?;
        lines.extend(known);
    }
    Ok(lines)
}

struct UpTo(u8);

impl Visitor for UpTo {
    type Output = bool;

    fn visit<R: Rules>(self) -> bool {
        Endgames::shared().build::<R>(self.0, &mut || false)
    }
}
