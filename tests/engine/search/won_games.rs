//! Known results on larger boards, in all rule sets: won games are won before move 250 against any defence, and lost ones
//! resist as long as possible.
//!
//! The positions are the hardest of a sample: the side to move wins with no seed to spare, waiting is not enough, and the next
//! capture is the most distant. Two experts defend: one delays the capture as long as possible, the other returns to earlier
//! positions. The distance to conversion is computed here independently, from the rules and the results (which `brute.rs` has
//! checked).

use ahash::AHashMap;
use kroo::endgame::{Endgames, Indexing, board_count};
use kroo::game::{
    Awari, Awari1978, Ayoayo, Board, Cycle, Game, Kalah, MOVE_LIMIT, Move, Oware, Pit, Position, Rules, Side,
    Variant, Verdict, split_mix,
};
use kroo::search::{Request, SearchMemory, Silent, TablebasePolicy, search};
use kroo::value::Value;
use support::games::promised;

/// Nodes for a move.
const NODES: u64 = 20_000;
/// Maximum boards gathered between two captures.
const MAX_BOARDS: usize = 150_000;

/// The value of a board for the side to move, or a draw if unproven.
fn known_value<R: Rules>(board: Board) -> Value {
    if let Some(ending) = R::ending(board) {
        return promised(R::VARIANT, Value::of(&ending));
    }
    let score = Endgames::shared().probe::<R>(board, board.seeds());
    if R::CYCLE == Cycle::EndsGame {
        return Value::ended(score.and_then(|score| score.proven()).unwrap_or(Verdict::Draw), 0);
    }
    promised(R::VARIANT, score.expect("it is covered").value)
}

/// The moves of a board, the resulting boards, and the values for the side that moves.
fn children<R: Rules>(board: Board) -> impl Iterator<Item = (Pit, Board, Value)> {
    R::moves(board).into_iter().filter_map(move |pit| {
        let step = R::play(board, pit)?;
        let value = known_value::<R>(step.board);
        Some((pit, step.board, if step.again { value } else { value.turned() }))
    })
}

/// A board, and whether the attacker is to move.
type Node = (Board, bool);

/// The plies from each board to the next capture or to the end, with best play of both sides; boards from which the goal is out
/// of reach are missing. `None` if there are too many boards.
fn distances_to_conversion<R: Rules>(root: Node, goal: Value) -> Option<AHashMap<Node, u16>> {
    let leaves = |from: Board, to: Board| to.seeds() < from.seeds() || R::ending(to).is_some();
    let (mut nodes, mut numbers) = (vec![root], AHashMap::from([(root, 0)]));
    // The predecessors of each board, and its number of uncounted moves within the level.
    let (mut before, mut left, mut done) = (vec![Vec::new()], Vec::new(), Vec::new());
    while let Some(&(board, attacks)) = nodes.get(left.len()) {
        let from = left.len();
        let kept = children::<R>(board).filter(|&(_, _, value)| !attacks || value >= goal);
        let (away, within): (Vec<_>, Vec<_>) = kept.map(|(_, to, _)| to).partition(|&to| leaves(board, to));
        let is_done = if attacks { !away.is_empty() } else { within.is_empty() };
        done.push(is_done);
        left.push(within.len());
        for to in within.into_iter().filter(|_| !is_done) {
            let number = *numbers.entry((to, !attacks)).or_insert_with(|| {
                nodes.push((to, !attacks));
                before.push(Vec::new());
                nodes.len() - 1
            });
            before[number].push(from);
        }
        if nodes.len() > MAX_BOARDS {
            return None;
        }
    }
    let mut queue: Vec<usize> = (0..nodes.len()).filter(|&node| done[node]).collect();
    let mut plies: Vec<u16> = done.iter().map(|&done| u16::from(done)).collect();
    let mut next = 0;
    while let Some(&node) = queue.get(next) {
        next += 1;
        for &from in &before[node] {
            left[from] -= 1;
            if plies[from] == 0 && (nodes[from].1 || left[from] == 0) {
                plies[from] = plies[node] + 1;
                queue.push(from);
            }
        }
    }
    Some(nodes.into_iter().zip(plies).filter(|&(_, plies)| plies > 0).collect())
}

/// An opponent that knows the results.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Expert {
    /// Attacks the shortest way.
    Attacks,
    /// Resists longest.
    Resists,
    /// Returns to earlier positions, or resists longest.
    Circles,
}

impl Expert {
    fn choose<R: Rules>(self, board: Board, known: &mut AHashMap<Node, u16>, seen: &[Board]) -> Pit {
        let attacks = self == Expert::Attacks;
        let goal = known_value::<R>(board);
        if R::CYCLE != Cycle::Impossible && !known.contains_key(&(board, attacks)) {
            let goal = if attacks { goal } else { goal.turned() };
            known.extend(distances_to_conversion::<R>((board, attacks), goal).unwrap_or_default());
        }
        let order = |&(_, to, kept): &(Pit, Board, Value)| {
            let plies = if to.seeds() < board.seeds() || R::ending(to).is_some() {
                0
            } else {
                i32::from(known.get(&(to, !attacks)).copied().unwrap_or(1000))
            };
            let again = self == Expert::Circles && seen.contains(&to);
            (kept, again, if attacks { -plies } else { plies })
        };
        children::<R>(board).max_by_key(order).expect("a move").0
    }
}

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
            expert.choose::<R>(board, &mut known, &seen)
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

/// A random board, with the other seeds divided evenly between the stores.
fn any_board<R: Rules>(seeds: u8, random: &mut u64) -> Board {
    let board = Indexing::get().unrank(seeds, (split_mix(random) % board_count(seeds) as u64) as usize);
    let store = (R::SEEDS - seeds) / 2;
    with_store::<R>(board, store)
}

fn with_store<R: Rules>(board: Board, store: u8) -> Board {
    let rest = R::SEEDS - board.seeds() - store;
    Board { mover: board.mover.bank(store), other: board.other.bank(rest) }
}

/// The smallest store with which the side to move wins; where the lead only adds, that of equal stores.
fn barely<R: Rules>(board: Board) -> Option<Board> {
    if R::ending(board).is_some() {
        return None;
    }
    if R::LEAD_ADDS {
        return Some(board).filter(|&board| known_value::<R>(board) > Value::DRAW);
    }
    let (seeds, bare) = (board.seeds(), board.without_stores());
    let wins = |&store: &u8| known_value::<R>(with_store::<R>(bare, store)) > Value::DRAW;
    (24 - seeds..=24).find(wins).map(|store| with_store::<R>(bare, store))
}

/// The boards of a random sample that are hardest to win (or, with the other side to move, to hold), with the plies to the next
/// capture.
fn hardest<R: Rules>(seeds: u8, samples: usize, number: usize) -> Vec<(Board, u16)> {
    assert!(Endgames::shared().build::<R>(seeds, &mut || false));
    let mut random = u64::from(seeds);
    let hard = (0..samples).filter_map(|_| {
        let board = barely::<R>(any_board::<R>(seeds, &mut random))?;
        let goal = known_value::<R>(board);
        // Otherwise waiting would be enough.
        if promised(R::VARIANT, Value::of(&R::cycle(board))) >= goal {
            return None;
        }
        let plies = distances_to_conversion::<R>((board, true), goal)?;
        Some((board, plies[&(board, true)]))
    });
    let mut hard: Vec<(Board, u16)> = hard.collect();
    hard.sort_by_key(|&(_, plies)| std::cmp::Reverse(plies));
    hard.truncate(number);
    hard
}

/// A win against both defences. At move 250 the stores decide: where waiting wins, that is a win.
#[expect(clippy::print_stdout, reason = "how long the games last is seen with --nocapture")]
fn is_won<R: Rules>(board: Board) {
    for expert in [Expert::Resists, Expert::Circles] {
        let (value, lasted) = game::<R>(board, true, expert, false);
        let position = Position::new::<R>(board, Side::South);
        println!("{} {position}, {expert:?}: {lasted} plies", R::VARIANT);
        assert!(value >= known_value::<R>(board), "{} {position}, {expert:?}: {value:?}", R::VARIANT);
    }
}

/// The hardest wins of a level.
fn are_won<R: Rules>(seeds: u8, samples: usize, number: usize) {
    let hard = hardest::<R>(seeds, samples, number);
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
    for (board, _) in hardest::<Awari>(10, 12, 6) {
        // The winner's best move, after which the loser is to move.
        let first = Expert::Attacks.choose::<Awari>(board, &mut AHashMap::new(), &[]);
        let lost = Awari::play(board, first).expect("legal").board;
        if Awari::ending(lost).is_some() || lost.seeds() < board.seeds() {
            continue;
        }
        let goal = known_value::<Awari>(lost).turned();
        let Some(plies) = distances_to_conversion::<Awari>((lost, false), goal) else { continue };
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
    let boards = (0..samples).map(|_| any_board::<R>(seeds, &mut random));
    let mut longest = 0;
    for board in boards.filter(|&board| R::ending(board).is_none()) {
        let (value, lasted) = game::<R>(board, true, Expert::Resists, false);
        assert!(
            value >= known_value::<R>(board),
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
