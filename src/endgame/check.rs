//! Checking levels against the rules: every value against what its moves lead to, and some against brute force.
//!
//! The pass shares nothing with the builders: it makes each move by [`Rules::play`], looks the boards up as a search
//! would, and asks for each store at which something changes what the moves offer there. That finds every value that
//! does not fit its neighbours. That all of them are right where play can go round in circles, it cannot tell (a table of
//! draws may fit as well), so a sample is searched out to the end (`brute.rs`).

use super::brute::{self, Tried};
use super::crew::{Crew, Stage};
use super::fault::FileError;
use super::file::file_of;
use super::number::{Boards, Numbering, count};
use super::worth::stores;
use super::{Endgames, planes};
use crate::game::{Board, Flag, Position, Rules, Side, Variant, Verdict, Visitor};
use std::path::PathBuf;
use std::sync::Mutex;

/// Boards that are checked together.
const PIECE: usize = 1 << 12;

/// What to check.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckPlan {
    /// The rule set.
    pub variant: Variant,
    /// The largest level.
    pub seeds: u8,
    /// Where the files are.
    pub folder: PathBuf,
    /// Threads to work with.
    pub threads: usize,
    /// Positions that are searched out.
    pub samples: u64,
    /// What their random numbers begin from.
    pub seed: u64,
}

impl CheckPlan {
    /// The largest level up to which there is a file for each, or 0.
    #[must_use]
    pub fn largest_file(&self) -> u8 {
        let there = |seeds: &u8| file_of(&self.folder, self.variant, *seeds).exists();
        (0..=super::MOST_SEEDS).take_while(there).last().unwrap_or(0)
    }
}

/// What was checked without fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Up to how many seeds.
    pub seeds: u8,
    /// Boards whose value fits what their moves lead to.
    pub boards: u64,
    /// What came of the sample.
    pub tried: Tried,
}

/// Why a check did not come to a good end.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// A file is not what it should be.
    #[error(transparent)]
    File(#[from] FileError),
    /// There are no files.
    #[error("there are no endgames of {variant} in {}: `kroo endgame build` makes them", crate::files::shown(.folder))]
    None {
        /// The rule set.
        variant: Variant,
        /// Where they should be.
        folder: PathBuf,
    },
    /// A value is wrong although its file is sound.
    #[error(
        "{variant}: the level with {seeds} seeds has a wrong value: {fault}; delete its file and those above, and build \
         them again"
    )]
    Wrong {
        /// The rule set.
        variant: Variant,
        /// The level.
        seeds: u8,
        /// What does not fit.
        fault: String,
    },
    /// It was stopped on request.
    #[error("stopped; nothing wrong was found so far")]
    Stopped,
}

/// Checks the levels in a folder. `watch` hears of the stage and says whether to stop.
///
/// # Errors
/// What is wrong, or that there is nothing to check.
pub fn check(plan: &CheckPlan, watch: &mut dyn FnMut(Stage) -> bool) -> Result<Checked, CheckError> {
    plan.variant.visit(Check { plan, watch })
}

struct Check<'a> {
    plan: &'a CheckPlan,
    watch: &'a mut dyn FnMut(Stage) -> bool,
}

impl Visitor for Check<'_> {
    type Output = Result<Checked, CheckError>;

    fn visit<R: Rules>(self) -> Self::Output {
        let Check { plan, watch } = self;
        let endgames = Endgames::new();
        let there = endgames.open::<R>(&plan.folder, plan.seeds, plan.threads)?;
        let Some(most) = there else {
            return Err(CheckError::None { variant: R::VARIANT, folder: plan.folder.clone() });
        };
        let mut checked = Checked { seeds: most, ..Checked::default() };
        for seeds in 0..=most {
            endgames.check_level::<R>(seeds, plan.threads, watch)?;
            checked.boards += (count(seeds) * planes::<R>()) as u64;
        }
        let wrong = |(seeds, fault)| CheckError::Wrong { variant: R::VARIANT, seeds, fault };
        let mut stop = |part| watch(Stage { seeds: most, pass: 2, part, ..Stage::default() });
        let tried = brute::sample::<R>(&endgames, most, plan.samples, plan.seed, &mut stop);
        checked.tried = tried.map_err(wrong)?.ok_or(CheckError::Stopped)?;
        Ok(checked)
    }
}

impl Endgames {
    /// Checks every value of a level against those that its moves lead to.
    fn check_level<R: Rules>(
        &self,
        seeds: u8,
        threads: usize,
        watch: &mut dyn FnMut(Stage) -> bool,
    ) -> Result<(), CheckError> {
        let fault = Mutex::new(None);
        let note = |text: String| {
            let mut fault = fault.lock().expect("nobody panics with it");
            fault.get_or_insert(text);
        };
        let pieces = count(seeds).div_ceil(PIECE);
        let stage = Stage { seeds, pass: 1, ..Stage::default() };
        let done = Crew { threads, watch }.share(stage, pieces, |piece| {
            let from = piece * PIECE;
            for board in Boards::from(seeds, from).take(PIECE.min(count(seeds) - from)) {
                if let Err(text) = self.check_board::<R>(board, seeds) {
                    note(text);
                    break;
                }
            }
        });
        match fault.into_inner().expect("nobody panics with it") {
            Some(fault) => Err(CheckError::Wrong { variant: R::VARIANT, seeds, fault }),
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
            let worth = self.worth::<R>(board);
            let possible = stores(seeds);
            for store in worth.0.into_iter().flat_map(|at| [at.wrapping_sub(1), at]) {
                if possible.contains(&store) {
                    let rest = R::SEEDS - seeds - store;
                    let board = Board { mover: board.mover.bank(store), other: board.other.bank(rest) };
                    let says = worth.result::<R>(board, seeds).ok_or("a worth that says nothing")?;
                    let moves = self.result_by_moves::<R>(board);
                    if says != moves {
                        return differ(board, &format!("a {says:?}"), &format!("a {moves:?}"));
                    }
                }
            }
        } else {
            let (says, moves) = (self.worth::<R>(board).shares(seeds), self.shares_by_moves::<R>(board));
            if says != moves {
                return differ(board, &format!("worth {says:?} seeds"), &format!("worth {moves:?}"));
            }
        }
        Ok(())
    }

    fn level_of<R: Rules>(&self, seeds: u8) -> &super::Level {
        self.levels[R::VARIANT as usize][usize::from(seeds)].get().expect("the levels below are there too")
    }

    fn worth<R: Rules>(&self, board: Board) -> super::Worth {
        self.level_of::<R>(board.seeds()).worth(Numbering::get().rank(board))
    }

    /// What the level says that the mover will gain.
    fn gain<R: Rules>(&self, board: Board) -> i8 {
        let (seeds, number) = (board.seeds(), Numbering::get().rank(board));
        let second = R::SECOND_MOVE && board.has(Flag::SecondMove);
        self.level_of::<R>(seeds).codes[if second { number + count(seeds) } else { number }] as i8
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

    fn result_by_moves<R: Rules>(&self, board: Board) -> Verdict {
        if let Some(ending) = R::ending(board) {
            return ending.verdict;
        }
        let steps = R::moves(board).into_iter().filter_map(|pit| R::play(board, pit));
        let offers = steps.map(|step| {
            let after = R::ending(step.board).map_or_else(
                || self.worth::<R>(step.board).result::<R>(step.board, step.board.seeds()),
                |ending| Some(ending.verdict),
            );
            after.expect("thresholds leave nothing open").turned()
        });
        offers.max().unwrap_or_else(|| R::stuck(board).verdict)
    }

    fn shares_by_moves<R: Rules>(&self, board: Board) -> [u8; 2] {
        if let Some(ending) = R::ending(board) {
            return [ending.board.mover.store(); 2];
        }
        let mut best = [0, 0];
        for step in R::moves(board).into_iter().filter_map(|pit| R::play(board, pit)) {
            let offer = match R::ending(step.board) {
                Some(ending) => [ending.board.other.store(); 2],
                None => {
                    let left = step.board.seeds();
                    let [least, most] = self.worth::<R>(step.board).shares(left);
                    [most, least].map(|share| step.board.other.store() + left - share)
                }
            };
            best = [best[0].max(offer[0]), best[1].max(offer[1])];
        }
        best
    }
}
