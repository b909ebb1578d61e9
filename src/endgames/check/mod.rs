//! Checking databases against the rules: every value against what its moves lead to, and some against brute force.
//!
//! The check shares nothing with the builders. It makes each move by [`Rules::play`], looks boards up like a search, and asks for
//! the offers of the moves at each store that changes the result. That finds every value that does not fit its neighbours. In
//! games with cycles this is not enough (a table of draws may fit as well), so a sample of positions is searched to the end
//! (`brute_force.rs`).

pub(crate) mod brute_force;
pub(crate) mod explorer;
pub(crate) mod survey;

use arrayvec::ArrayVec;
use brute_force::SampleReport;
use kroo_core::endgames::building::watched::{BuildStatus, WatchedPool};
use kroo_core::endgames::probe::database::Database;
use kroo_core::endgames::probe::database_files::find_database;
use kroo_core::endgames::probe::endgames::Endgames;
use kroo_core::endgames::probe::error::EndgameFileError;
use kroo_core::endgames::probe::indexing::{Boards, Indexing, MAX_SEEDS, board_count, database_bytes};
use kroo_core::endgames::probe::thresholds::{Thresholds, open_stores};
use kroo_core::files::shown;
use kroo_core::game::{Board, Flag, Position, ROW, Rules, Side, Variant, Verdict};
use kroo_core::printable::counted;
use kroo_core::thread_pool::ThreadPool;
use kroo_core::under;
use std::path::PathBuf;
use std::sync::Mutex;

/// Boards that are checked together, a task of the thread pool.
const BLOCK: usize = 1 << 12;

/// The databases to check, and the limits of the check.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckPlan {
    /// The rule set.
    pub variant: Variant,
    /// The smallest database whose values are checked; lower ones are assumed correct.
    pub from: u8,
    /// The largest database.
    pub seeds: u8,
    /// The folder of the files.
    pub folder: PathBuf,
    /// Threads to work with.
    pub threads: usize,
    /// Positions that are searched to the end.
    pub samples: u64,
    /// The random seed of the sample.
    pub seed: u64,
}

impl CheckPlan {
    /// Up to how many seeds there is a file for each database, or 0.
    pub fn largest_file(&self) -> u8 {
        let there = |seeds: &u8| find_database(&self.folder, self.variant, *seeds).is_some();
        (0..=MAX_SEEDS).take_while(there).last().unwrap_or(0)
    }
}

/// The databases and boards that a check found correct.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckReport {
    /// From how many seeds on.
    pub from: u8,
    /// Up to how many seeds.
    pub seeds: u8,
    /// Boards whose value fits their moves.
    pub boards: u64,
    /// The result of the sample.
    pub sample: SampleReport,
}

/// Why a check ended early.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the variants are")]
pub enum CheckError {
    #[error(transparent)]
    File(#[from] EndgameFileError),
    #[error("there are no endgames of {variant} in {}: `kroo endgame build` makes them", shown(.folder))]
    None { variant: Variant, folder: PathBuf },
    #[error("the endgames of {variant} in {} end at {}, and the check is to begin at {from}", shown(.folder), counted((*.most).into(), "seed"))]
    Beyond {
        variant: Variant,
        folder: PathBuf,
        most: u8,
        /// The first database to check, by its seeds.
        from: u8,
    },
    #[error(
        "{variant}: the database with {} has a wrong value: {what}; delete its file and those above, and build them again",
        counted((*.seeds).into(), "seed")
    )]
    Wrong { variant: Variant, seeds: u8, what: String },
    #[error("stopped; nothing wrong was found so far")]
    Stopped,
}

/// Checks the databases in a folder. `watch` gets the progress (iteration 1 is the check against the moves, 2 the
/// sample), and returns whether to stop.
///
/// # Errors
/// The first fault found, or that no database can be checked.
pub fn check(
    plan: &CheckPlan,
    watch: &mut dyn FnMut(BuildStatus) -> bool,
) -> Result<CheckReport, CheckError> {
    under!(plan.variant, R => check_under::<R>(plan, watch))
}

fn check_under<R: Rules>(
    plan: &CheckPlan,
    watch: &mut dyn FnMut(BuildStatus) -> bool,
) -> Result<CheckReport, CheckError> {
    let endgames = Endgames::new();
    let threads = &ThreadPool::new(plan.threads);
    let there = endgames.open::<R>(&plan.folder, plan.seeds, threads)?;
    let Some(most) = there else {
        return Err(CheckError::None { variant: R::VARIANT, folder: plan.folder.clone() });
    };
    let from = plan.from;
    if from > most {
        return Err(CheckError::Beyond { variant: R::VARIANT, folder: plan.folder.clone(), most, from });
    }
    let mut report = CheckReport { from, seeds: most, ..CheckReport::default() };
    for seeds in from..=most {
        Checker(&endgames).check_database::<R>(seeds, &mut WatchedPool { threads, watch })?;
        report.boards += database_bytes::<R>(seeds) as u64;
    }
    let wrong = |(seeds, what)| CheckError::Wrong { variant: R::VARIANT, seeds, what };
    let mut stop =
        |fraction| watch(BuildStatus { seeds: most, iteration: 2, fraction, ..BuildStatus::default() });
    let sample = brute_force::sample::<R>(&endgames, most, plan.samples, plan.seed, &mut stop);
    report.sample = sample.map_err(wrong)?.ok_or(CheckError::Stopped)?;
    Ok(report)
}

/// Looks values up in databases that are there.
#[derive(Clone, Copy)]
struct Checker<'a>(&'a Endgames);

impl Checker<'_> {
    /// Checks every value of a database against those that its moves lead to.
    fn check_database<R: Rules>(&self, seeds: u8, pool: &mut WatchedPool<'_>) -> Result<(), CheckError> {
        let wrong = Mutex::new(None);
        let note = |text: String| {
            let mut wrong = wrong.lock().expect("no task panics");
            wrong.get_or_insert(text);
        };
        let blocks = board_count(seeds).div_ceil(BLOCK);
        let status = BuildStatus { seeds, iteration: 1, ..BuildStatus::default() };
        let done = pool.run(status, blocks, |block| {
            let from = block * BLOCK;
            for board in Boards::from(seeds, from).take(BLOCK.min(board_count(seeds) - from)) {
                if let Err(text) = self.check_board::<R>(board, seeds) {
                    note(text);
                    break;
                }
            }
        });
        match wrong.into_inner().expect("no task panics") {
            Some(what) => Err(CheckError::Wrong { variant: R::VARIANT, seeds, what }),
            None => done.map_err(|_| CheckError::Stopped),
        }
    }

    fn check_board<R: Rules>(&self, board: Board, seeds: u8) -> Result<(), String> {
        let differ = |board: Board, says: &str, moves: &str| {
            let position = Position::new::<R>(board, Side::South);
            Err(format!("{position} is {says}, but its moves make it {moves}"))
        };
        if R::LEAD_ADDS {
            for second in [false, true].into_iter().filter(|&second| !second || R::SECOND_MOVE) {
                let board = board.flag_if(Flag::SecondMove, second);
                let (says, moves) = (self.gain::<R>(board), self.gain_by_moves::<R>(board));
                if says != moves {
                    return differ(board, &format!("a gain of {says}"), &moves.to_string());
                }
            }
        } else if R::SWEEP_WINS {
            let thresholds = self.thresholds::<R>(board);
            let possible = open_stores::<R>(seeds);
            // Moves do not depend on the stores and are made once.
            let steps = self.steps::<R>(board);
            for store in thresholds.0.into_iter().flat_map(|at| [at.wrapping_sub(1), at]) {
                if possible.contains(&store) {
                    let stores = [store, R::SEEDS - seeds - store];
                    let board = banked(board, stores);
                    let says = thresholds.result::<R>(board, seeds).ok_or("thresholds that say nothing")?;
                    let moves = result_by_moves::<R>(board, &steps, stores);
                    if says != moves {
                        return differ(board, &format!("a {says:?}"), &format!("a {moves:?}"));
                    }
                }
            }
        } else {
            let (says, moves) = (self.thresholds::<R>(board).shares(seeds), self.shares_by_moves::<R>(board));
            if says != moves {
                return differ(board, &format!("worth {says:?} seeds"), &format!("worth {moves:?}"));
            }
        }
        Ok(())
    }

    fn database_of<R: Rules>(&self, board: Board) -> &Database {
        self.0.database::<R>(board.seeds()).expect("the databases below are there too")
    }

    fn thresholds<R: Rules>(&self, board: Board) -> Thresholds {
        self.database_of::<R>(board).thresholds(Indexing::get().rank(board))
    }

    /// The gain of the mover according to the database.
    fn gain<R: Rules>(&self, board: Board) -> i8 {
        let index = Indexing::get().rank(board);
        let second = R::SECOND_MOVE && board.has(Flag::SecondMove);
        let index = if second { index + board_count(board.seeds()) } else { index };
        self.database_of::<R>(board).values.get(index) as i8
    }

    fn gain_by_moves<R: Rules>(&self, board: Board) -> i8 {
        if let Some(ending) = R::ending(board) {
            return ending.margin();
        }
        let steps = R::moves(board).into_iter().filter_map(|pit| R::play(board, pit));
        let offers = steps.map(|step| {
            let rest = R::ending(step.board)
                .map_or_else(|| step.board.lead() + self.gain::<R>(step.board), |ending| ending.margin());
            if step.again { rest } else { -rest }
        });
        offers.max().unwrap_or_else(|| R::stuck(board).margin())
    }

    /// The boards after each move, with their thresholds according to the databases.
    fn steps<R: Rules>(&self, board: Board) -> ArrayVec<(Board, Thresholds), ROW> {
        let steps = R::moves(board).into_iter().filter_map(|pit| R::play(board, pit));
        steps.map(|step| (step.board, self.thresholds::<R>(step.board))).collect()
    }

    fn shares_by_moves<R: Rules>(&self, board: Board) -> [u8; 2] {
        // With empty stores a majority says nothing.
        let ending = |board: Board| R::ending(board).filter(|ending| ending.board.seeds() == 0);
        if let Some(ending) = ending(board) {
            return [ending.board.mover.store(); 2];
        }
        let mut best = [0, 0];
        for step in R::moves(board).into_iter().filter_map(|pit| R::play(board, pit)) {
            let offer = match ending(step.board) {
                Some(ending) => [ending.board.other.store(); 2],
                None => {
                    let left = step.board.seeds();
                    let [least, most] = self.thresholds::<R>(step.board).shares(left);
                    [most, least].map(|share| step.board.other.store() + left - share)
                }
            };
            best = [best[0].max(offer[0]), best[1].max(offer[1])];
        }
        best
    }
}

/// A board with more in the stores of the mover and of the other side.
fn banked(board: Board, [mover, other]: [u8; 2]) -> Board {
    Board { mover: board.mover.bank(mover), other: board.other.bank(other) }
}

/// The best result of moves, given by what they lead to from the same pits with empty stores.
fn result_by_moves<R: Rules>(
    board: Board,
    steps: &[(Board, Thresholds)],
    [mover, other]: [u8; 2],
) -> Verdict {
    if let Some(ending) = R::ending(board) {
        return ending.verdict;
    }
    let offers = steps.iter().map(|&(after, thresholds)| {
        let after = banked(after, [other, mover]);
        let result = R::ending(after)
            .map_or_else(|| thresholds.result::<R>(after, after.seeds()), |ending| Some(ending.verdict));
        result.expect("thresholds leave nothing open").turned()
    });
    offers.max().unwrap_or_else(|| R::stuck(board).verdict)
}
