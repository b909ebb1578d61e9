//! The endgames of a session: small ones built in the background, and files from `EndgamePath`.
//!
//! The background work starts with the session and is done before most games leave their openings. Nobody waits for
//! it: a search uses the endgames that are there when an iteration begins. A search that is limited only by depth or
//! nodes does not use them, so that it is repeatable; it builds what its own nodes pay for (`crate::search`).

use crate::endgame::{EndgameFileError, Endgames, MAX_SEEDS, ThreadPool, explain, level_path};
use crate::game::{Position, Rules, Visitor, draw};
use crate::protocol::{Limits, Settings};
use crate::search::TablebasePolicy;
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Time limit of the background work. A level that is not done by then is dropped.
const BACKGROUND_TIME: Duration = Duration::from_millis(400);
/// Most seeds for which endgames are built in the background: 2.7 million boards, with the smaller levels.
const BACKGROUND_SEEDS: u8 = 12;

/// The background work; it stops when this is dropped.
#[derive(Debug)]
pub(super) struct BackgroundEndgames(Arc<AtomicBool>);

impl BackgroundEndgames {
    /// Starts to build the endgames of the rule set, unless the settings use none.
    pub(super) fn start(settings: &Settings) -> Option<BackgroundEndgames> {
        let seeds = settings.endgame_seeds.min(BACKGROUND_SEEDS);
        if seeds == 0 {
            return None;
        }
        let variant = settings.variant;
        BackgroundEndgames::running(move |stopped| variant.visit(BuildInBackground { seeds, stopped }))
    }

    /// Starts work that checks now and then whether it should stop. Nobody waits for its end.
    pub(super) fn running(work: impl FnOnce(Arc<AtomicBool>) + Send + 'static) -> Option<BackgroundEndgames> {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        // If no thread can be started, the session does without these endgames.
        let spawned = thread::Builder::new().name("endgames".to_owned()).spawn(move || work(stopped));
        spawned.ok().map(|_| BackgroundEndgames(stop))
    }
}

impl Drop for BackgroundEndgames {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

struct BuildInBackground {
    seeds: u8,
    stopped: Arc<AtomicBool>,
}

impl Visitor for BuildInBackground {
    type Output = ();

    fn visit<R: Rules>(self) {
        let started = Instant::now();
        let watch = &mut |_| self.stopped.load(Ordering::Relaxed) || started.elapsed() > BACKGROUND_TIME;
        Endgames::shared().build_with::<R>(self.seeds, &mut ThreadPool { threads: 1, watch });
    }
}

/// Maps the endgame files of `EndgamePath` for the rule set. Returns the largest number of seeds with a file.
pub(super) fn open(settings: &Settings) -> Result<Option<u8>, EndgameFileError> {
    if settings.endgame_path.is_empty() {
        return Ok(None);
    }
    settings.variant.visit(OpenFiles(Path::new(&settings.endgame_path)))
}

struct OpenFiles<'a>(&'a Path);

impl Visitor for OpenFiles<'_> {
    type Output = Result<Option<u8>, EndgameFileError>;

    fn visit<R: Rules>(self) -> Result<Option<u8>, EndgameFileError> {
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let files =
            (0..=R::SEEDS).take_while(|&seeds| level_path(self.0, R::VARIANT, seeds).exists()).count();
        Endgames::shared().open::<R>(self.0, MAX_SEEDS, threads)?;
        Ok(files.checked_sub(1).map(|seeds| seeds as u8))
    }
}

/// Which endgames a search with these limits may use: all there are if time limits it, otherwise only those with
/// files, so that the search is repeatable.
pub(super) fn policy(limits: &Limits, files: Option<u8>) -> TablebasePolicy {
    let counted = limits.depth.is_some() || limits.nodes.is_some();
    let clock =
        limits.movetime.or(limits.winc).or(limits.binc).is_some() || limits.wtime.or(limits.btime).is_some();
    match files {
        _ if !counted || clock => TablebasePolicy::Available,
        Some(seeds) => TablebasePolicy::UpTo(seeds),
        None => TablebasePolicy::Earned,
    }
}

/// Most seeds for which the command `endgame` builds what is missing while the user waits: 0.6 million boards, with the
/// smaller levels.
const ON_DEMAND_SEEDS: u8 = 10;

/// A drawing of a position, and what the endgames know about it.
pub(super) fn probe(position: &Position) -> Result<Vec<String>, String> {
    let mut lines = draw(position);
    if position.verdict().is_none() {
        let seeds = position.board().seeds();
        if seeds <= ON_DEMAND_SEEDS {
            position.variant().visit(BuildUpTo(seeds));
        }
        let known = explain(Endgames::shared(), position).ok_or_else(|| {
            format!(
                "endgame: nothing is known about a position with {seeds} seeds in the pits: `kroo endgame build` makes \
                 files for EndgamePath"
            )
        })?;
        lines.extend(known);
    }
    Ok(lines)
}

struct BuildUpTo(u8);

impl Visitor for BuildUpTo {
    type Output = bool;

    fn visit<R: Rules>(self) -> bool {
        Endgames::shared().build::<R>(self.0, &mut || false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Oware, Variant};
    use crate::search::{Observer, Report, Request, Table, search};

    /// An observer that builds endgames in the middle of a search, or does not.
    struct Builder {
        builds: bool,
        hits: Vec<u64>,
    }

    /// After how many iterations the endgames are there.
    const ITERATIONS: usize = 4;

    impl Observer for Builder {
        fn stop(&mut self, _nodes: u64) -> bool {
            false
        }

        fn iteration(&mut self, report: &Report) -> bool {
            self.hits.push(report.tablebase_hits);
            if self.builds && self.hits.len() == ITERATIONS {
                // What the background work does, but without its time limit.
                assert!(Endgames::shared().build::<Oware>(9, &mut || false));
            }
            false
        }
    }

    /// No other test of this executable builds endgames of oware, which all searches share.
    #[test]
    fn a_search_uses_them_as_soon_as_they_are_there() {
        let fen = "2-0-1-2-0-1-1-0-2-0-1-2-18-18-S";
        let game = Game::new(Position::parse(Variant::Oware, fen).expect("a position"));
        let hits = |builds| {
            let mut builder = Builder { builds, hits: Vec::new() };
            let limits = Limits { movetime: Some(1000), ..Limits::default() };
            let request = Request { tablebase: policy(&limits, None), depth: 9, ..Request::new(&game) };
            let last = search(&request, &Table::new(1).expect("memory"), &mut builder);
            assert!(
                last.nodes < 100_000,
                "a search that pays for endgames with its own nodes: {}",
                last.nodes
            );
            builder.hits
        };
        let without = hits(false);
        assert!(Endgames::shared().built::<Oware>() < Some(9));
        let with = hits(true);
        assert!(Endgames::shared().built::<Oware>() >= Some(9));
        assert_eq!(with[..ITERATIONS], without[..ITERATIONS]);
        let gained = |hits: &[u64]| hits[ITERATIONS] - hits[ITERATIONS - 1];
        assert!(gained(&with) > gained(&without), "{with:?}, {without:?}");
    }
}
