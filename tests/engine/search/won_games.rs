//! Known results on larger boards, in all rule sets: won games are won before move 250 against any defence, and lost ones
//! resist as long as possible.
//!
//! The positions are the hardest of a sample. Two experts defend ([`support::experts`]): one delays the next capture as long as
//! possible, the other returns to earlier positions.

use ahash::AHashMap;
use kroo::endgames::Endgames;
use kroo::game::{
    Awari, Awari1978, Ayoayo, Board, Game, Kalah, MOVE_LIMIT, Move, Oware, Position, Rules, Side, Variant,
};
use kroo::search::{Request, SearchMemory, Silent, TablebasePolicy, search};
use kroo::value::Value;
use support::experts::{Expert, any_board, distances_to_conversion, hardest, known_value};
use support::games::promised;

/// Nodes for a move.
const NODES: u64 = 20_000;

/// A game between the engine and an expert: its value for the side that moved first, and its plies.
fn game<R: Rules>(begin: Board, engine_first: bool, expert: Expert, until_capture: bool) -> (Value, u32) {
    let table = SearchMemory::new(1).expect("memory");
    let mut game = Game::new(Position::new::<R>(begin, Side::South));
    let (mut seen, mut known) = (Vec::new(), AHashMap::new());
    let mut ply = 0;
    while ply < MOVE_LIMIT as u32 && game.position().verdict().is_none() {
        let board = game.position().board();
        if until_capture && board.seeds() < begin.seeds() {
            break;
        }
        let side = game.position().side();
        let pit = if (side == Side::South) == engine_first {
            let endgames = TablebasePolicy::UpTo(begin.seeds());
            let request = Request { nodes: NODES, tablebase: endgames, ..Request::new(&game) };
            search(&request, &table, &mut Silent).pv[0].pit
        } else {
            expert.choose(R::VARIANT, board, &mut known, &seen)
        };
        seen.push(board);
        game.play(Move { side, pit }).expect("legal");
        ply += 1;
    }
    let (position, board) = (game.position(), game.position().board());
    let value = match position.verdict() {
        Some(verdict) => promised(R::VARIANT, Value::ended(verdict, board.lead())),
        None => promised(R::VARIANT, Value::of(&R::cycle(board))),
    };
    (if position.side() == Side::South { value } else { value.turned() }, ply)
}

/// A win against both defences. At move 250 the stores decide: where waiting wins, that is a win.
#[expect(clippy::print_stdout, reason = "how long the games last is seen with --nocapture")]
fn is_won<R: Rules>(board: Board) {
    for expert in [Expert::Resists, Expert::Circles] {
        let (value, lasted) = game::<R>(board, true, expert, false);
        let position = Position::new::<R>(board, Side::South);
        println!("{} {position}, {expert:?}: {lasted} plies", R::VARIANT);
        assert!(value >= known_value(R::VARIANT, board), "{} {position}, {expert:?}: {value:?}", R::VARIANT);
    }
}

/// The hardest wins of a level.
fn are_won<R: Rules>(seeds: u8, samples: usize, number: usize) {
    let hard = hardest(R::VARIANT, seeds, samples, number);
    assert!(!hard.is_empty(), "{} {seeds}", R::VARIANT);
    hard.into_iter().for_each(|(board, _)| is_won::<R>(board));
}

/// Two of the hardest of 100 with 11 seeds: the captures are 75 and 65 plies away, with more boards between than one search
/// gathers.
const FAR: [&str; 2] = ["0-4-3-0-0-0-0-2-0-1-0-1-18-19-S", "0-2-0-2-0-0-2-0-0-0-3-2-18-19-S"];

#[test]
fn awari_is_won() {
    for seeds in 10..=11 {
        are_won::<Awari>(seeds, 8, 1);
    }
    for text in FAR {
        is_won::<Awari>(Position::parse(Variant::Awari, text).expect("a position").board());
    }
}

#[test]
#[ignore = "half a minute: `.ci/long` runs it"]
fn awari_of_thirteen_seeds_is_won() {
    are_won::<Awari>(13, 50, 1);
}

#[test]
fn ayoayo_is_won() {
    for seeds in 7..=12 {
        are_won::<Ayoayo>(seeds, 50, 2);
    }
}

#[test]
fn what_is_sure_in_oware_is_won() {
    for seeds in [6, 8, 10] {
        are_won::<Oware>(seeds, 20, 2);
    }
}

/// Lost positions of `awari`: the engine delays the next capture as long as possible.
#[test]
fn what_is_lost_resists() {
    let mut checked = 0;
    for (board, _) in hardest(Variant::Awari, 10, 12, 6) {
        // The winner's best move, after which the loser is to move.
        let first = Expert::Attacks.choose(Variant::Awari, board, &mut AHashMap::new(), &[]);
        let lost = Awari::play(board, first).expect("legal").board;
        if Awari::ending(lost).is_some() || lost.seeds() < board.seeds() {
            continue;
        }
        let goal = known_value(Variant::Awari, lost).turned();
        let Some(plies) = distances_to_conversion(Variant::Awari, (lost, false), goal) else { continue };
        let (_, lasted) = game::<Awari>(lost, true, Expert::Attacks, true);
        assert_eq!(lasted, u32::from(plies[&(lost, false)]), "{}", Position::new::<Awari>(lost, Side::South));
        checked += 1;
    }
    assert!(checked >= 4, "{checked}");
}

/// Where every move brings seeds nearer to a store, keeping the result is enough.
fn is_kept<R: Rules>(seeds: u8, samples: usize) {
    assert!(Endgames::shared().build::<R>(seeds, &mut || false));
    let mut random = 1;
    let boards = (0..samples).map(|_| any_board(R::VARIANT, seeds, &mut random));
    let mut longest = 0;
    for board in boards.filter(|&board| R::ending(board).is_none()) {
        let (value, lasted) = game::<R>(board, true, Expert::Resists, false);
        assert!(
            value >= known_value(R::VARIANT, board),
            "{} {}: {value:?}",
            R::VARIANT,
            Position::new::<R>(board, Side::South)
        );
        longest = longest.max(lasted);
    }
    assert!(longest > 10 && longest < MOVE_LIMIT as u32, "{longest} plies");
}

#[test]
fn where_nothing_comes_back_all_is_kept() {
    is_kept::<Kalah>(12, 300);
    is_kept::<Awari1978>(11, 300);
}
