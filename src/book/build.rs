//! Building a book: rounds of opening the cheapest positions and searching what lies behind them.
//!
//! Each search is on one thread, with a table of its own and a fixed number of nodes, and a round opens a fixed number
//! of positions. So the file is the same whatever the number of threads, and whether or not the build was interrupted:
//! begun again, it goes the same way, and what stands in the journal is not searched twice.

use super::journal::{Journal, JournalError, Origin};
use super::tree::{Found, Tree};
use super::{Book, BookError};
use crate::game::{Game, Position, Variant};
use crate::search::{OutOfMemory, Report, Request, Silent, Table, search};
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc;
use std::thread;

/// Positions that are opened in a round.
const ROUND: usize = 4;
/// Nodes of the search that tells one engine from another.
const FINGERPRINT: u64 = 50_000;

/// What to build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The rule set.
    pub variant: Variant,
    /// Where the book goes; its journal stands beside it.
    pub path: PathBuf,
    /// How many positions it is to know.
    pub positions: usize,
    /// Plies from the start that it reaches at the most.
    pub plies: u16,
    /// Nodes of each search.
    pub nodes: u64,
    /// What an owner of the book gives away with a move at the most, in hundredths of a seed.
    pub width: i32,
    /// Searches at a time.
    pub threads: usize,
    /// MiB of each search's table.
    pub hash_mib: usize,
}

/// Why there is no book.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// Something is wrong with the journal.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The book cannot be written.
    #[error(transparent)]
    Book(#[from] BookError),
    /// There is no room for the tables.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
}

/// How far a build has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Positions that the book would know if it ended here.
    pub positions: usize,
    /// Searches made, in this run and before.
    pub searches: usize,
}

/// A build that is going on.
pub struct Builder {
    plan: Plan,
    tree: Tree,
    journal: Journal,
}

impl Builder {
    /// Begins a build, or takes it up where it was interrupted.
    ///
    /// # Errors
    /// If its journal cannot be used, or there is no room for a table.
    pub fn new(plan: Plan) -> Result<Builder, BuildError> {
        let start = Position::start(plan.variant);
        let Plan { variant, nodes, hash_mib, .. } = plan;
        let origin = Origin { variant, nodes, hash_mib, engine: fingerprint(&start)? };
        let journal = Journal::open(&plan.path, &origin)?;
        Ok(Builder { tree: Tree::new(&start, plan.width, plan.plies), journal, plan })
    }

    /// Goes on to the end: writes the book, and takes the journal away.
    ///
    /// # Errors
    /// If the journal or the book cannot be written.
    pub fn run(mut self, tell: &mut dyn FnMut(Progress)) -> Result<Book, BuildError> {
        while self.tree.opened() < self.plan.positions {
            let count = ROUND.min(self.plan.positions - self.tree.opened());
            let chosen = self.tree.cheapest(count);
            if chosen.is_empty() {
                break;
            }
            chosen.into_iter().for_each(|index| self.tree.open(index));
            self.search_all(tell)?;
            self.tree.take_in();
            tell(self.progress());
        }
        let Plan { variant, nodes, ref path, .. } = self.plan;
        let book = Book { variant, nodes, entries: self.tree.entries() };
        book.save(path)?;
        self.journal.remove()?;
        Ok(book)
    }

    fn progress(&self) -> Progress {
        Progress { positions: self.tree.opened(), searches: self.journal.searches() }
    }

    /// Searches every position that nothing is known of, on as many threads as are wanted.
    fn search_all(&mut self, tell: &mut dyn FnMut(Progress)) -> Result<(), BuildError> {
        let mut waiting = VecDeque::new();
        for index in self.tree.unsearched() {
            let position = *self.tree.position(index);
            match self.journal.found(&position.to_string()) {
                Some(found) => self.tree.set_found(index, found),
                None => waiting.push_back((index, position)),
            }
        }
        let threads = self.plan.threads.clamp(1, waiting.len().max(1));
        let (nodes, hash_mib) = (self.plan.nodes, self.plan.hash_mib);
        let waiting = Mutex::new(waiting);
        let next = || waiting.lock().expect("nobody panics with the lock").pop_front();
        thread::scope(|scope| {
            let (sender, ended) = mpsc::channel();
            for _ in 0..threads {
                let sender = sender.clone();
                scope.spawn(move || {
                    while let Some((index, position)) = next() {
                        let found = look(&position, nodes, hash_mib).map(|found| (index, position, found));
                        if sender.send(found).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            for found in ended {
                let (index, position, (found, _)) = found?;
                self.journal.note(position.to_string(), found)?;
                self.tree.set_found(index, found);
                tell(self.progress());
            }
            Ok(())
        })
    }
}

/// One search of so many nodes, with a table of its own: what it found, and the nodes it took.
fn look(position: &Position, nodes: u64, hash_mib: usize) -> Result<(Found, u64), OutOfMemory> {
    let request = Request { nodes, ..Request::new(&Game::new(*position)) };
    let report = search(&request, &Table::new(hash_mib)?, &mut Silent);
    let Report { depth, score, nodes, .. } = report;
    Ok((Found { value: score.value, depth, proven: score.proven().is_some() }, nodes))
}

/// What tells this engine from one that finds something else.
fn fingerprint(start: &Position) -> Result<String, OutOfMemory> {
    let (Found { value, depth, .. }, nodes) = look(start, FINGERPRINT, 1)?;
    Ok(format!("{}-{:04x}-{depth}-{nodes}", env!("CARGO_PKG_VERSION"), value.to_bits()))
}
