//! The endgames that a session works out by itself: small ones, in the background, as soon as it begins.
//!
//! They are ready before most games leave their openings, and nobody waits for them: a search takes those that are
//! there when an iteration begins. A search that is limited by depth or nodes alone does not look at them, so that it
//! stays the same every time; it works out what it has paid for with its nodes (`crate::search`).

use crate::endgame::{Crew, Endgames, FileError, MOST_SEEDS, explain, file_of};
use crate::game::{Position, Rules, Visitor, draw};
use crate::protocol::{Limits, Settings};
use crate::search::TablebasePolicy;
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
        let variant = settings.variant;
        Background::doing(move |over| variant.visit(Work { seeds, over }))
    }

    /// Begins work that looks now and then whether it is over. Nobody waits for its end.
    fn doing(work: impl FnOnce(Arc<AtomicBool>) + Send + 'static) -> Option<Background> {
        let over = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&over);
        // Without a thread there are no endgames, which are not needed.
        let spawned = thread::Builder::new().name("endgames".to_owned()).spawn(move || work(told));
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
pub(super) fn given(limits: &Limits, files: Option<u8>) -> TablebasePolicy {
    let counted = limits.depth.is_some() || limits.nodes.is_some();
    let clock =
        limits.movetime.or(limits.winc).or(limits.binc).is_some() || limits.wtime.or(limits.btime).is_some();
    match files {
        _ if !counted || clock => TablebasePolicy::Available,
        Some(seeds) => TablebasePolicy::UpTo(seeds),
        None => TablebasePolicy::Earned,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Oware, Variant};
    use crate::search::{Observer, Report, Request, Table, search};
    use crate::session::Session;
    use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
    use std::io::{self, PipeWriter, Write};

    /// What takes longer than this waits for something.
    const WATCHDOG: Duration = Duration::from_secs(60);

    /// An output that hands its lines to somebody.
    struct Lines(Sender<String>, Vec<u8>);

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            for &byte in bytes {
                if byte == b'\n' {
                    let line = String::from_utf8(std::mem::take(&mut self.1)).expect("text");
                    self.0.send(line).map_err(|_| io::ErrorKind::BrokenPipe)?;
                } else {
                    self.1.push(byte);
                }
            }
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// A conversation beside work in the background that does not end before it is let go.
    struct Held {
        input: PipeWriter,
        output: Receiver<String>,
        /// Hears of the end of the conversation.
        ended: Receiver<()>,
        /// Lets the work go.
        gate: Sender<()>,
        /// Hears of the end of the work.
        worked: Receiver<()>,
    }

    impl Held {
        fn begin() -> Held {
            let (reader, input) = io::pipe().expect("a pipe");
            let ((gate, opened), (told, worked)) = (bounded::<()>(1), bounded(1));
            let ((say, output), (end, ended)) = (unbounded(), bounded(1));
            thread::spawn(move || {
                let output = Lines(say, Vec::new());
                let session = Session::new(output, Settings::default()).expect("a session");
                let work = move |_| {
                    opened.recv().expect("somebody opens");
                    told.send(()).expect("somebody listens");
                };
                session.converse_beside(reader, Background::doing(work)).expect("an output");
                end.send(()).expect("somebody listens");
            });
            Held { input, output, ended, gate, worked }
        }

        /// Sends lines and waits for the one that answers them.
        fn ask(&mut self, lines: &str, answer: &str) {
            writeln!(self.input, "{lines}").expect("a reader");
            loop {
                let line = self.output.recv_timeout(WATCHDOG);
                if line.unwrap_or_else(|_| panic!("{lines}: no {answer}")).starts_with(answer) {
                    return;
                }
            }
        }

        /// The conversation ends, the work has not; then that may end too.
        fn ends(self) {
            self.ended.recv_timeout(WATCHDOG).expect("the conversation ends");
            assert!(self.worked.is_empty());
            self.gate.send(()).expect("it is held");
            self.worked.recv_timeout(WATCHDOG).expect("the work ends");
        }
    }

    #[test]
    fn nobody_waits_for_the_background() {
        let mut held = Held::begin();
        held.ask("uci", "uciok");
        held.ask("isready", "readyok");
        held.ask("position startpos\ngo movetime 30", "bestmove");
        held.ask("go depth 3", "bestmove");
        held.ask("go infinite\nstop", "bestmove");
        held.ask("go wtime 100 btime 100", "bestmove");
        held.ask("ucinewgame\nsetoption name Hash value 2\nisready", "readyok");
        held.ask("position fen 0-2-0-0-1-2-1-1-0-0-2-1-19-19-S\ngo movetime 30", "bestmove");
        writeln!(held.input, "quit").expect("a reader");
        held.ends();
    }

    #[test]
    fn the_end_does_not_wait_for_it_either() {
        let mut held = Held::begin();
        held.ask("uci", "uciok");
        held.input = io::pipe().expect("a pipe").1;
        held.ends();
    }

    /// A search's observer who builds endgames in the middle of it, or does not.
    struct Builder {
        builds: bool,
        hits: Vec<u64>,
    }

    /// When they are there.
    const AFTER: usize = 4;

    impl Observer for Builder {
        fn stop(&mut self, _nodes: u64) -> bool {
            false
        }

        fn iteration(&mut self, report: &Report) -> bool {
            self.hits.push(report.tablebase_hits);
            if self.builds && self.hits.len() == AFTER {
                // What the background does, but as long as it takes.
                assert!(Endgames::shared().build::<Oware>(9, &mut || false));
            }
            false
        }
    }

    /// No other test of this executable searches: the endgames that all searches share are those that are built here.
    #[test]
    fn a_search_uses_them_as_soon_as_they_are_there() {
        let fen = "2-0-1-2-0-1-1-0-2-0-1-2-18-18-S";
        let game = Game::new(Position::parse(Variant::Oware, fen).expect("a position"));
        let hits = |builds| {
            let mut builder = Builder { builds, hits: Vec::new() };
            let limits = Limits { movetime: Some(1000), ..Limits::default() };
            let request = Request { tablebase: given(&limits, None), depth: 9, ..Request::new(&game) };
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
        assert_eq!(with[..AFTER], without[..AFTER]);
        let gained = |hits: &[u64]| hits[AFTER] - hits[AFTER - 1];
        assert!(gained(&with) > gained(&without), "{with:?}, {without:?}");
    }
}
