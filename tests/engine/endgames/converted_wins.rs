//! Known results are converted: won games are won before move 250, lost ones last.

use kroo::game::{Awari, Board, Game, Move, Pit, Position, Rules, Side, Variant, Verdict};
use kroo::search::{Request, SearchMemory, Silent, TablebasePolicy, search};
use std::collections::HashMap;
use support::brute::{NEVER, SEEDS, Solved, State, board, solved_awari};

/// Nodes for a move, searched in a few milliseconds.
const NODES: u64 = 20_000;

type Truth = HashMap<State, Solved>;

fn solved(truth: &Truth, board: Board) -> Option<Solved> {
    let pits: Vec<u8> = board.mover.pits().into_iter().chain(board.other.pits()).collect();
    truth.get(&(pits.try_into().expect("twelve"), board.mover.store(), false)).copied()
}

/// The engine's move.
fn engine(game: &Game, table: &SearchMemory) -> Pit {
    let request = Request { nodes: NODES, tablebase: TablebasePolicy::UpTo(SEEDS), ..Request::new(game) };
    search(&request, table, &mut Silent).pv[0].pit
}

/// Of the moves with the best value for the side to move, the one with the most distant end, or the nearest.
fn expert(truth: &Truth, board: Board, longest: bool) -> Pit {
    let value = |pit: Pit| {
        let after = Awari::play(board, pit).expect("legal").board;
        let (result, rounds) = match Awari::ending(after) {
            Some(ending) => (-(ending.verdict as i32 - 1), 0),
            None => {
                let solved = solved(truth, after).expect("a board with few seeds");
                // A capture starts a new count, and is as good as an end.
                let rounds = if after.seeds() < board.seeds() { 0 } else { i32::from(solved.rounds) + 1 };
                (-solved.result, rounds)
            }
        };
        (result, if longest { rounds } else { -rounds })
    };
    Awari::moves(board).into_iter().max_by_key(|&pit| value(pit)).expect("a move")
}

/// A game between the engine and an expert: its result for the side that moved first, and its plies.
fn game(truth: &Truth, begin: Board, engine_first: bool) -> (Verdict, u32) {
    let table = SearchMemory::new(1).expect("memory");
    let mut game = Game::new(Position::new::<Awari>(begin, Side::South));
    for ply in 0..250 {
        if let Some(verdict) = game.position().verdict() {
            return (verdict, ply);
        }
        let board = game.position().board();
        let pit = if (ply % 2 == 0) == engine_first {
            engine(&game, &table)
        } else {
            expert(truth, board, engine_first)
        };
        game.play(Move { side: game.position().side(), pit }).expect("legal");
    }
    let board = game.position().board();
    let lead = if game.position().side() == Side::South { board.lead() } else { -board.lead() };
    ([Verdict::Loss, Verdict::Draw, Verdict::Win][(lead.signum() + 1) as usize], 250)
}

/// The states of the largest database with a result that takes longest to convert.
fn hardest(truth: &Truth, result: i32, number: usize) -> Vec<(State, Solved)> {
    let is_hard = |(state, solved): &(&State, &Solved)| {
        state.0.iter().sum::<u8>() == SEEDS && solved.result == result && solved.rounds != NEVER
            // Otherwise waiting would win.
            && (2 * i32::from(state.1) - 48 + i32::from(SEEDS)) * result <= 0
    };
    let mut hard: Vec<(State, Solved)> =
        truth.iter().filter(is_hard).map(|(&state, &solved)| (state, solved)).collect();
    hard.sort_by_key(|(state, solved)| (std::cmp::Reverse(solved.rounds), *state));
    hard.truncate(number);
    hard
}

#[test]
fn won_games_are_won_and_lost_ones_last() {
    are_converted(5);
}

#[test]
#[ignore = "a minute: `.ci/long` runs it"]
fn more_won_games_are_won_and_lost_ones_last() {
    are_converted(100);
}

/// Plays the `number` hardest won games, and the `number` hardest lost ones.
fn are_converted(number: usize) {
    let truth = solved_awari();
    let hard = hardest(truth, 1, number);
    assert!(hard[0].1.rounds > 20, "{:?}", hard[0]);
    for (state, solved) in hard {
        let (verdict, plies) = game(truth, board(Variant::Awari, state), true);
        assert_eq!(verdict, Verdict::Win, "{state:?}, {solved:?}: after {plies} plies");
    }
    let (mut lasted, mut could) = (0, 0);
    for (state, solved) in hardest(truth, -1, number) {
        let (_, plies) = game(truth, board(Variant::Awari, state), true);
        lasted += plies.min(u32::from(solved.rounds) + 1);
        could += u32::from(solved.rounds) + 1;
    }
    assert!(lasted * 10 >= could * 9, "lost games lasted {lasted} plies of {could}");
}
