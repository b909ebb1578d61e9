//! Building a book in rounds: the positions with the lowest cost are expanded, and their children are searched.
//!
//! Each search runs on one thread, with a table of its own and a fixed number of nodes, and a round expands a fixed number of
//! positions. So the file does not depend on the number of threads or on interruptions: a resumed build makes the same
//! searches, and takes those already in the journal from there.
//!
//! When every position is to be solved, searches have no node limit, and their proofs stay in the table for later ones: an
//! exact value does not depend on what was known before.

use super::journal::{BookJournal, BookJournalError, BookOrigin};
use super::tree::{BookTree, SearchedValue};
use super::{Book, BookError, SOLVED};
use crate::game::{Game, Position, Variant};
use crate::search::{OutOfMemory, Report, Request, SearchMemory, Silent, search, solver_takes};
use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc;
use std::thread;

/// Positions expanded in a round: some 25 searches, enough for several threads.
const ROUND: usize = 4;
/// The positions expanded at once when solving. Each takes long, so only the one with the lowest cost is expanded.
const ROUND_OF_SOLVING: usize = 1;
/// Nodes of the search that identifies the engine.
const FINGERPRINT_NODES: u64 = 50_000;

/// A book to build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookPlan {
    /// The rule set.
    pub variant: Variant,
    /// The file of the book; its journal is in the same folder.
    pub path: PathBuf,
    /// Positions of the book.
    pub positions: usize,
    /// Maximum plies from the start.
    pub plies: u16,
    /// Nodes of each search, or [`BookPlan::SOLVE`] to solve every position, which the rules must allow ([`can_solve`]).
    pub nodes: u64,
    /// Maximum loss of a move that the book side may play, compared with its best one, in hundredths of a seed.
    pub width: i32,
    /// Simultaneous searches.
    pub threads: usize,
    /// MiB of each search's table.
    pub hash_mib: usize,
}

impl BookPlan {
    /// The node limit of searches that run until the position is solved.
    pub const SOLVE: u64 = SOLVED;
}

/// Whether every position of a rule set can be solved: positions never repeat, and the solver can index its seeds.
#[must_use]
pub fn can_solve(variant: Variant) -> bool {
    solver_takes(&Position::start(variant))
}

/// Why a book cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum BookBuildError {
    /// The journal is not usable.
    #[error(transparent)]
    Journal(#[from] BookJournalError),
    /// The book cannot be written.
    #[error(transparent)]
    Book(#[from] BookError),
    /// There is not enough memory for the tables.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// No thread can be started.
    #[error("the system starts no thread: {0}")]
    Thread(io::Error),
}

/// The progress of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookProgress {
    /// Positions in the book now.
    pub positions: usize,
    /// Searches in this run and earlier ones.
    pub searches: usize,
}

/// A build of a book.
pub struct BookBuilder {
    plan: BookPlan,
    tree: BookTree,
    journal: BookJournal,
}

impl BookBuilder {
    /// Begins or resumes a build.
    ///
    /// # Errors
    /// If its journal is not usable, or there is not enough memory for a table.
    pub fn new(plan: BookPlan) -> Result<BookBuilder, BookBuildError> {
        let start = Position::start(plan.variant);
        let BookPlan { variant, nodes, hash_mib, .. } = plan;
        let origin = BookOrigin { variant, nodes, hash_mib, engine: fingerprint(&start)? };
        let journal = BookJournal::open(&plan.path, &origin)?;
        let expands_proven = nodes == BookPlan::SOLVE;
        Ok(BookBuilder { tree: BookTree::new(&start, plan.width, plan.plies, expands_proven), journal, plan })
    }

    /// Builds to the end, writes the book, and deletes the journal.
    ///
    /// # Errors
    /// If the journal or the book cannot be written.
    pub fn run(mut self, watch: &mut dyn FnMut(BookProgress)) -> Result<Book, BookBuildError> {
        while self.tree.expanded() < self.plan.positions {
            let round = if self.plan.nodes == BookPlan::SOLVE { ROUND_OF_SOLVING } else { ROUND };
            let count = round.min(self.plan.positions - self.tree.expanded());
            let chosen = self.tree.next_to_expand(count);
            if chosen.is_empty() {
                break;
            }
            chosen.into_iter().for_each(|index| self.tree.expand(index));
            self.search_all(watch)?;
            self.tree.back_up();
            watch(self.progress());
        }
        let BookPlan { variant, nodes, ref path, .. } = self.plan;
        let book = Book { variant, nodes, entries: self.tree.entries() };
        book.save(path)?;
        self.journal.remove()?;
        Ok(book)
    }

    fn progress(&self) -> BookProgress {
        BookProgress { positions: self.tree.expanded(), searches: self.journal.searches() }
    }

    /// Searches every position without a value, on the plan's number of threads.
    fn search_all(&mut self, watch: &mut dyn FnMut(BookProgress)) -> Result<(), BookBuildError> {
        let mut waiting = VecDeque::new();
        for index in self.tree.unsearched() {
            let position = *self.tree.position(index);
            match self.journal.value(&position.to_string()) {
                Some(value) => self.tree.set_value(index, value),
                None => waiting.push_back((index, position)),
            }
        }
        let threads = self.plan.threads.clamp(1, waiting.len().max(1));
        let (nodes, hash_mib) = (self.plan.nodes, self.plan.hash_mib);
        let waiting = Mutex::new(waiting);
        let next = || waiting.lock().expect("no thread panics while it holds the lock").pop_front();
        thread::scope(|scope| {
            let (sender, ended) = mpsc::channel();
            let mut started = 0;
            for _ in 0..threads {
                let sender = sender.clone();
                let work = move || {
                    let mut searcher = Searcher { nodes, hash_mib, table: None };
                    while let Some((index, position)) = next() {
                        let searched = searcher.search(&position);
                        if sender.send(searched.map(|(value, _)| (index, position, value))).is_err() {
                            return;
                        }
                    }
                };
                // If the system starts no more threads, the existing ones do the work.
                match thread::Builder::new().spawn_scoped(scope, work) {
                    Ok(_) => started += 1,
                    Err(_) if started > 0 => break,
                    Err(error) => return Err(BookBuildError::Thread(error)),
                }
            }
            drop(sender);
            for searched in ended {
                let (index, position, value) = searched?;
                self.journal.add(position.to_string(), value)?;
                self.tree.set_value(index, value);
                watch(self.progress());
            }
            Ok(())
        })
    }
}

/// A thread's searches.
struct Searcher {
    nodes: u64,
    hash_mib: usize,
    /// The proofs of earlier positions.
    table: Option<SearchMemory>,
}

impl Searcher {
    /// Searches a position with a table of its own to the plan's node limit, or to a proof. Returns its value and the nodes
    /// used.
    fn search(&mut self, position: &Position) -> Result<(SearchedValue, u64), OutOfMemory> {
        let solve = self.nodes == BookPlan::SOLVE;
        let table = match self.table.take().filter(|_| solve) {
            Some(table) => table,
            None => SearchMemory::new(self.hash_mib)?,
        };
        let request = Request::new(&Game::new(*position));
        let request = match solve {
            true => Request { solver_share: Request::SOLVER_SHARE_OF_ANALYSIS, ..request },
            false => Request { nodes: self.nodes, ..request },
        };
        let Report { depth, score, nodes, .. } = search(&request, &table, &mut Silent);
        self.table = Some(table);
        assert!(!solve || score.proof.is_exact(), "a search without limits solves {position}");
        // The depth of a search that ends with a proof depends on what was known before.
        let depth = if solve { 0 } else { depth };
        Ok((SearchedValue { value: score.value, depth, proven: score.proven().is_some() }, nodes))
    }
}

/// Identifies the engine by the result of a search.
fn fingerprint(start: &Position) -> Result<String, OutOfMemory> {
    let mut searcher = Searcher { nodes: FINGERPRINT_NODES, hash_mib: 1, table: None };
    let (SearchedValue { value, depth, .. }, nodes) = searcher.search(start)?;
    Ok(format!("{}-{:04x}-{depth}-{nodes}", env!("CARGO_PKG_VERSION"), value.to_bits()))
}
