//! The graph-history interaction problem: positions in which a table that forgets the path of its results is wrong.
//!
//! A position that repeats has the value of a cycle only on the path on which it has occurred. [`Liar`] is a search that
//! ignores this: it searches everything, without a horizon, and stores every result. The positions below are some of those
//! where that gives a wrong result, though each single step looks sound. The engine searches the same positions, one after the
//! other with one table, and must be right.

use kroo::game::{Awari, Ayoayo, Board, Game, Move, Oware, Position, Rules, Side, came_back};
use kroo::search::{Observer, Report, Request, SearchMemory, Silent, TablebasePolicy, search};
use kroo::value::{Kind, Score, Value};
use std::collections::HashMap;
use support::fixpoint::{boards, known, solve};

/// Positions that the liar gets wrong in `awari`, with three and four seeds on the board.
const AWARI: &[&str] = &[
    "1-0-0-0-0-1-0-1-0-0-0-0-24-21-S",
    "0-1-0-1-0-0-1-0-0-0-0-0-23-22-S",
    "0-0-1-1-0-0-0-1-0-0-0-0-24-21-S",
    "0-0-1-0-1-0-0-0-1-0-0-0-23-22-S",
    "2-0-1-0-0-0-1-0-0-0-0-0-22-22-S",
    "2-0-0-0-1-0-1-0-0-0-0-0-21-23-S",
    "2-0-0-0-1-0-0-0-1-0-0-0-22-22-S",
    "1-1-0-1-0-0-1-0-0-0-0-0-21-23-S",
    "1-1-0-0-0-1-0-0-0-1-0-0-21-23-S",
    "1-1-0-0-0-0-0-2-0-0-0-0-21-23-S",
    "1-1-0-0-0-0-0-1-0-1-0-0-22-22-S",
    "1-1-0-0-0-0-0-0-1-0-1-0-21-23-S",
];
/// The same in `ayoayo`.
const AYOAYO: &[&str] = &[
    "2-0-0-0-0-1-0-0-0-0-1-0-21-23-S",
    "0-0-0-1-1-0-0-0-1-0-1-0-23-21-S",
    "0-0-0-0-1-1-0-1-0-0-1-0-23-21-S",
    "1-0-0-1-0-0-2-0-0-0-0-0-21-23-S",
    "1-0-0-0-1-0-0-1-1-0-0-0-22-22-S",
    "0-1-1-0-0-1-0-0-0-0-0-1-22-22-S",
    "0-1-0-0-1-0-0-0-1-0-0-1-22-22-S",
    "0-0-1-1-0-2-0-0-0-0-0-0-21-23-S",
    "0-0-1-0-1-0-1-0-0-0-0-1-22-22-S",
    "0-0-0-2-0-1-0-0-0-0-1-0-21-23-S",
    "0-0-0-1-1-0-0-1-0-0-0-1-22-22-S",
    "0-0-0-0-1-2-0-0-0-0-1-0-21-23-S",
];
/// The same in `oware`.
const OWARE: &[&str] = &[
    "1-0-0-0-0-1-0-1-0-0-0-0-24-21-S",
    "0-1-0-1-0-0-1-0-0-0-0-0-23-22-S",
    "0-1-0-0-1-0-0-1-0-0-0-0-22-23-S",
    "0-0-1-1-0-0-0-1-0-0-0-0-24-21-S",
    "0-0-1-0-1-0-0-0-1-0-0-0-23-22-S",
    "0-0-1-0-0-1-1-1-0-0-0-0-21-23-S",
    "1-0-0-0-1-0-1-0-0-0-0-0-21-24-S",
    "0-0-1-1-0-0-1-0-0-0-0-0-21-24-S",
    "0-0-0-1-1-0-0-0-0-1-0-0-22-23-S",
    "0-0-0-0-1-1-0-0-0-0-0-1-21-24-S",
];

/// A search with a table that stores every result, even from cycles.
#[derive(Default)]
struct Liar {
    table: HashMap<Board, Value>,
}

impl Liar {
    fn value<R: Rules>(&mut self, board: Board, path: &mut Vec<Board>) -> Value {
        if let Some(ending) = R::ending(board) {
            return Value::of(&ending);
        }
        if came_back(path, path.len(), board).is_some() {
            return Value::of(&R::cycle(board));
        }
        if let Some(&stored) = self.table.get(&board) {
            return stored;
        }
        path.push(board);
        let steps: Vec<_> = R::moves(board).into_iter().filter_map(|pit| R::play(board, pit)).collect();
        let best = steps.iter().map(|step| self.value::<R>(step.board, path).turned()).max();
        path.pop();
        let best = best.unwrap_or_else(|| Value::of(&R::stuck(board)));
        self.table.insert(board, best);
        best
    }
}

/// The value of a position where a repetition ends the game, by exhaustive search with all earlier positions; `None` if that
/// takes too long.
fn by_play<R: Rules>(
    board: Board,
    path: &mut Vec<Board>,
    (mut alpha, beta): (Value, Value),
    budget: &mut u32,
) -> Option<Value> {
    *budget = budget.checked_sub(1)?;
    if let Some(ending) = R::ending(board) {
        return Some(Value::of(&ending));
    }
    if came_back(path, path.len(), board).is_some() {
        return Some(Value::of(&R::cycle(board)));
    }
    let steps: Vec<_> = R::moves(board).into_iter().filter_map(|pit| R::play(board, pit)).collect();
    if steps.is_empty() {
        return Some(Value::of(&R::stuck(board)));
    }
    path.push(board);
    let mut best = Value::LEAST;
    for step in steps {
        let window = (beta.turned(), alpha.turned());
        let value = if step.board.seeds() == board.seeds() {
            by_play::<R>(step.board, path, window, budget)
        } else {
            by_play::<R>(step.board, &mut Vec::new(), window, budget)
        };
        let Some(value) = value else { break };
        best = best.max(value.turned());
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    path.pop();
    (*budget > 0).then_some(best)
}

/// Compares the proof of a move or a position with its value.
pub fn check(score: Score, truth: Value, what: &str) {
    assert!(!score.proof.at_least || truth >= score.value, "{what}: {score:?}, but {truth:?}");
    assert!(!score.proof.at_most || truth <= score.value, "{what}: {score:?}, but {truth:?}");
}

/// Searches each position, and each of its moves alone, which the endgame tablebase does not answer.
fn cannot_be_fooled<R: Rules>(seeds: u8, texts: &[&str]) {
    let values = solve(R::VARIANT, seeds);
    let table = SearchMemory::new(1).expect("memory");
    let (mut asked, mut proven) = (0, 0);
    for text in texts {
        let position = Position::parse(R::VARIANT, text).expect("a position");
        let (board, game) = (position.board(), Game::new(position));
        let truth = values[&board];
        assert_ne!(Liar::default().value::<R>(board, &mut Vec::new()), truth, "{text}: no lie");
        let request = Request { nodes: 20_000, ..Request::new(&game) };
        let score = search(&request, &table, &mut Silent).score;
        check(score, truth, text);
        assert!(score.proven().is_some(), "{text}: {score:?}");
        for mv in position.moves() {
            let only = Request { search_moves: vec![mv.pit], ..request.clone() };
            let score = search(&only, &table, &mut Silent).score;
            let step = R::play(board, mv.pit).expect("legal");
            check(score, known(R::VARIANT, &values, step.board).turned(), &format!("{text} {mv}"));
            asked += 1;
            proven += u32::from(score.proven().is_some());
        }
    }
    assert!(proven * 2 > asked, "{proven} of {asked}");
}

/// One position in this many has each of its moves searched alone.
const STRIDE: usize = 3;

/// A search of some of the moves must not assume that there are no others: the game may return to the root, and then the others
/// can be played.
fn moves_alone<R: Rules>(seeds: u8) {
    let values = solve(R::VARIANT, seeds);
    let table = SearchMemory::new(1).expect("memory");
    let (mut asked, mut proven) = (0, 0);
    let all =
        (2..=seeds).flat_map(|seeds| boards(R::VARIANT, seeds)).filter(|board| values.contains_key(board));
    for board in all.step_by(STRIDE) {
        let position = Position::new::<R>(board, Side::South);
        let game = Game::new(position);
        for mv in position.moves() {
            let request =
                Request { search_moves: vec![mv.pit], depth: 30, nodes: 2_000, ..Request::new(&game) };
            let score = search(&request, &table, &mut Silent).score;
            let step = R::play(board, mv.pit).expect("legal");
            check(score, known(R::VARIANT, &values, step.board).turned(), &format!("{position} {mv}"));
            asked += 1;
            proven += u32::from(score.proven().is_some());
        }
    }
    assert!(proven * 3 > asked, "{proven} of {asked}");
}

/// After F the position repeats, and then B draws. A search of F alone sees a loss by three.
#[test]
fn the_other_move_waits() {
    let position = Position::parse(Awari::VARIANT, "0-1-0-0-0-1-0-0-0-0-0-1-21-24-S").expect("a position");
    let game = Game::new(position);
    for mv in position.moves() {
        let request = Request { search_moves: vec![mv.pit], nodes: 20_000, ..Request::new(&game) };
        let score = search(&request, &SearchMemory::new(1).expect("memory"), &mut Silent).score;
        check(score, Value::DRAW, &mv.to_string());
    }
}

#[test]
fn awari_moves_alone() {
    moves_alone::<Awari>(3);
}

#[test]
fn ayoayo_moves_alone() {
    moves_alone::<Ayoayo>(3);
}

#[test]
fn awari() {
    cannot_be_fooled::<Awari>(4, AWARI);
}

#[test]
fn ayoayo() {
    cannot_be_fooled::<Ayoayo>(4, AYOAYO);
}

/// Games that continue from such positions, with a search at each move that knows the past.
#[test]
fn oware() {
    let table = SearchMemory::new(1).expect("memory");
    let (mut asked, mut proven) = (0, 0);
    for text in OWARE {
        let position = Position::parse(Oware::VARIANT, text).expect("a position");
        let mut game = Game::new(position);
        let whole = (Value::LEAST, Value::MOST);
        for ply in 0..12 {
            if game.position().verdict().is_some() {
                break;
            }
            let board = game.position().board();
            let mut past = game.line()[..game.line().len() - 1].to_vec();
            let truth = by_play::<Oware>(board, &mut past, whole, &mut 400_000).expect("a small game");
            if ply == 0 {
                assert_ne!(Liar::default().value::<Oware>(board, &mut Vec::new()), truth, "{text}: no lie");
            }
            let request = Request { nodes: 20_000, ..Request::new(&game) };
            let report = search(&request, &table, &mut Silent);
            check(report.score, truth, &format!("{text} after {:?}", game.moves()));
            asked += 1;
            proven += u32::from(report.score.proven().is_some());
            // The last legal move, not the best, so that the table knows positions that the game has not had.
            game.play(*game.position().moves().last().expect("a move")).expect("legal");
        }
    }
    assert!(proven * 2 > asked, "{proven} of {asked}");
}

/// A game of `oware` after moves.
fn game_after(text: &str, moves: &str) -> Game {
    let mut game = Game::new(Position::parse(Oware::VARIANT, text).expect("a position"));
    for letter in moves.chars() {
        game.play(Move::from_letter(letter).expect("a letter")).expect("legal");
    }
    game
}

/// The value of a game's position, with all earlier ones.
fn value_of(game: &Game) -> Value {
    let (board, past) = game.line().split_last().expect("the position");
    let whole = (Value::LEAST, Value::MOST);
    by_play::<Oware>(*board, &mut past.to_vec(), whole, &mut 400_000).expect("a small game")
}

/// North's only move comes back to the first position, where South would lose without the repetition. The table has learnt that
/// from searches of the same positions without their past.
#[test]
fn what_was_proven_of_a_board_does_not_hold_where_it_ends_the_game() {
    let (first, moves) = ("1-0-0-0-0-2-0-0-0-0-0-0-21-24-S", "FbAaBcCdDeEfAbBcCdDeE");
    let table = SearchMemory::new(1).expect("memory");
    let solved = |game: &Game| {
        let tablebase = TablebasePolicy::UpTo(0);
        let request = Request { nodes: 500, endgame_seeds: 0, tablebase, ..Request::new(game) };
        search(&request, &table, &mut Silent).score
    };
    let last = game_after(first, moves);
    let before = game_after(first, &moves[..moves.len() - 1]);
    for game in [&game_after(first, ""), &last, &before] {
        let without_past = Game::new(*game.position());
        check(solved(&without_past), value_of(&without_past), &game.position().to_string());
    }
    assert_eq!(value_of(&last), Value::DRAW);
    assert_eq!(value_of(&Game::new(*last.position())).kind(), Kind::Win(6));
    check(solved(&last), Value::DRAW, moves);
}

/// Has no time for the way to a known win.
struct Hurried;

impl Observer for Hurried {
    fn stop(&mut self, _nodes: u64) -> bool {
        false
    }

    fn interrupts(&mut self) -> bool {
        true
    }

    fn iteration(&mut self, _report: &Report) -> bool {
        false
    }
}

/// The tablebase has wins that lead through visited positions. Every position of these games is searched with its past, then
/// without it, and with it again.
#[test]
fn the_tablebase_does_not_know_the_past() {
    for (text, moves) in [
        ("0-1-1-0-0-0-0-0-1-0-0-0-22-23-S", "CcDdEeBfFaCb"),
        ("0-0-1-0-1-0-0-0-0-0-0-1-22-23-S", "EfFaCbAcDdB"),
        ("0-1-0-0-0-0-0-1-0-0-0-1-22-23-S", "BfCbDcAdEeBfF"),
        ("1-0-0-0-0-1-0-1-0-0-0-0-23-22-S", "FbAaBcCdDeE"),
        ("0-1-0-0-0-0-0-0-1-0-1-0-22-23-S", "BeCcDdEeFfBaCbDcAdEeF"),
        ("0-0-1-0-0-1-0-1-0-0-0-0-23-22-S", "FaCbDdEeFfAaB"),
    ] {
        for seeds in [0, 3] {
            let table = SearchMemory::new(1).expect("memory");
            for plies in 6..=moves.len() {
                let game = game_after(text, &moves[..plies]);
                let without_past = Game::new(*game.position());
                for game in [&game, &without_past, &game] {
                    let tablebase = TablebasePolicy::UpTo(seeds);
                    let request = Request { nodes: 100, tablebase, ..Request::new(game) };
                    let truth = value_of(game);
                    let what = format!("{text} {} of {plies}, {seeds} seeds", game.moves().len());
                    check(search(&request, &table, &mut Hurried).score, truth, &what);
                    check(search(&request, &table, &mut Silent).score, truth, &what);
                }
            }
        }
    }
}
