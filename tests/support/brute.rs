//! Endgames by brute force, and the engine's endgames compared with them: every board with up to seven seeds, every lead.
//!
//! The moves are the naive model's. The forced values are computed cut by cut: the boards from which a side can force a value in
//! one move, in two, and so on, until there are no more. So neither the rules nor the method is shared with the engine.

use crate::fixpoint::spreads;
use crate::naive::{Naive, Rules as NaiveRules};
use kroo::endgames::Endgames;
use kroo::game::{Awari, Board, Flag, Oware, Position, ROW, Row, Rules, Side, Variant, Verdict};
use kroo::value::{Proof, Score, Value};
use std::collections::HashMap;

/// Seeds on the largest board.
const SEEDS: u8 = 7;
/// Neither side can force it.
const NEVER: u16 = u16::MAX;

/// A board with South to move: the pits, South's store, and whether the move is the second of its turn.
type State = ([u8; 12], u8, bool);

/// The result of a move, seen by the side that makes it.
enum To {
    /// The game is over: the result and the seeds that each side has gained.
    End { result: i32, gains: [i32; 2] },
    /// A board, its side to move (0 the side that has moved), and the seeds that each side has gained.
    Board { state: State, other: bool, gains: [i32; 2], left: u8 },
}

/// The moves of a state by the naive model; none if the game is over.
fn moves(rules: NaiveRules, (pits, store, second): State, stores_matter: bool) -> Vec<To> {
    let seeds: u8 = pits.iter().sum();
    let rest = if stores_matter { rules.seeds() as u8 - seeds - store } else { 0 };
    let fields: Vec<String> = pits.iter().chain([&store, &rest]).map(u8::to_string).collect();
    let naive = Naive::parse(rules, &format!("{}-{}", fields.join("-"), if second { "S2" } else { "S" }));
    if naive.result.is_some() {
        return Vec::new();
    }
    let to = |pit: usize| {
        let mut after = naive.clone();
        after.play(pit);
        let gains = [0, 1].map(|side| after.stores[side] as i32 - naive.stores[side] as i32);
        if let Some(result) = after.result {
            return To::End { result, gains };
        }
        let mut pits = after.pits.map(|seeds| seeds as u8);
        if after.side == 1 {
            pits.rotate_left(ROW);
        }
        let store = if stores_matter { after.stores[after.side] as u8 } else { 0 };
        let left = pits.iter().sum();
        To::Board { state: (pits, store, after.second), other: after.side == 1, gains, left }
    };
    naive.legal().into_iter().map(to).collect()
}

/// The unfinished boards of a database with their moves, indexed by state.
struct Positions {
    seeds: u8,
    states: Vec<(State, Vec<To>)>,
    index: HashMap<State, usize>,
}

impl Positions {
    fn new<R: Rules>(seeds: u8, stores: &[u8]) -> Positions {
        let rules = NaiveRules::named(R::VARIANT.name());
        let seconds: &[bool] = if R::SECOND_MOVE { &[false, true] } else { &[false] };
        let mut database = Positions { seeds, states: Vec::new(), index: HashMap::new() };
        for pits in spreads(seeds) {
            for (&store, &second) in
                stores.iter().flat_map(|store| seconds.iter().map(move |second| (store, second)))
            {
                let state = (pits, store, second);
                let moves = moves(rules, state, !R::LEAD_ADDS && R::SWEEP_WINS);
                if !moves.is_empty() {
                    database.index.insert(state, database.states.len());
                    database.states.push((state, moves));
                }
            }
        }
        database
    }

    /// The states from which the side to move can force a goal in finitely many moves, and those from which the other side can:
    /// how many of the moves before the last are made within the database. `done` says whether a move out of the database
    /// reaches the goal for a side, 0 being the side that makes it.
    fn forced(&self, done: impl Fn(&To, usize) -> bool) -> [Vec<u16>; 2] {
        let within = |to: &To| match to {
            To::Board { state, other, left, .. } if *left == self.seeds => Some((self.index[state], *other)),
            _ => None,
        };
        let inner: Vec<Vec<(usize, bool)>> =
            self.states.iter().map(|(_, moves)| moves.iter().filter_map(within).collect()).collect();
        let outer = |side: usize| -> Vec<bool> {
            let exits = |moves: &[To]| {
                let mut exits = moves.iter().filter(|to| within(to).is_none());
                if side == 0 { exits.any(|to| done(to, 0)) } else { exits.all(|to| done(to, 1)) }
            };
            self.states.iter().map(|(_, moves)| exits(moves)).collect()
        };
        let outer = [outer(0), outer(1)];
        let mut rounds = [vec![NEVER; self.states.len()], vec![NEVER; self.states.len()]];
        for round in 0..NEVER {
            let mut entered = Vec::new();
            for (number, inner) in inner.iter().enumerate() {
                for side in 0..2 {
                    let gives =
                        |&(state, other): &(usize, bool)| rounds[side ^ usize::from(other)][state] != NEVER;
                    let holds = match side {
                        0 => outer[0][number] || inner.iter().any(gives),
                        _ => outer[1][number] && inner.iter().all(gives),
                    };
                    if holds && rounds[side][number] == NEVER {
                        entered.push((side, number));
                    }
                }
            }
            if entered.is_empty() {
                break;
            }
            entered.into_iter().for_each(|(side, number)| rounds[side][number] = round);
        }
        rounds
    }
}

fn board_of<R: Rules>((pits, store, second): State) -> Board {
    let [a, b, c, d, e, f, g, h, i, j, k, l] = pits;
    let rest = R::SEEDS - store - pits.iter().sum::<u8>();
    let board =
        Board { mover: Row::new([a, b, c, d, e, f], store), other: Row::new([g, h, i, j, k, l], rest) };
    board.flag_if(Flag::SecondMove, second)
}

/// Compares the result of every state with the truth.
fn compare<R: Rules>(endgames: &Endgames, state: State, truth: &Option<Score>) {
    let board = board_of::<R>(state);
    let position = Position::new::<R>(board, Side::South);
    assert!(position.verdict().is_none(), "{position}");
    let score = endgames.probe::<R>(board, board.seeds());
    let told = |score: &Option<Score>| {
        score.map(|score| (score.proven(), score.proof, R::LEAD_ADDS.then_some(score.value)))
    };
    assert_eq!(told(&score), told(truth), "{} {position}", R::VARIANT);
}

fn built<R: Rules>() -> Endgames {
    let endgames = Endgames::new();
    assert!(endgames.build::<R>(SEEDS, &mut || false));
    endgames
}

/// Compares the gain of the side to move, where the lead only adds. Returns the number of boards.
pub fn check_gains(variant: Variant) -> usize {
    under_rules!(variant, R => check_gains_of::<R>())
}

fn check_gains_of<R: Rules>() -> usize {
    let endgames = built::<R>();
    let mut values: HashMap<State, i32> = HashMap::new();
    for seeds in 1..=SEEDS {
        let database = Positions::new::<R>(seeds, &[0]);
        let value = |to: &To| match to {
            To::End { gains, .. } => gains[0] - gains[1],
            To::Board { state, other, gains, .. } => {
                gains[0] - gains[1] + if *other { -values[state] } else { values[state] }
            }
        };
        let mut found = vec![0; database.states.len()];
        for more in 1..=i32::from(seeds) {
            let [mine, theirs] =
                database.forced(|to, side| if side == 0 { value(to) >= more } else { value(to) <= -more });
            for (found, (mine, theirs)) in found.iter_mut().zip(mine.into_iter().zip(theirs)) {
                *found = if mine != NEVER {
                    more
                } else if theirs != NEVER {
                    -more
                } else {
                    *found
                };
            }
        }
        for ((state, _), gain) in database.states.iter().zip(found) {
            values.insert(*state, gain);
            for store in [0, (R::SEEDS - seeds) / 2, R::SEEDS - seeds] {
                let state = (state.0, store, state.2);
                let margin = i32::from(board_of::<R>(state).lead()) + gain;
                let value = Value::ended(verdict(margin), margin as i8);
                compare::<R>(&endgames, state, &Some(Score { value, proof: Proof::EXACT }));
            }
        }
    }
    values.len()
}

fn verdict(result: i32) -> Verdict {
    [Verdict::Loss, Verdict::Draw, Verdict::Win][(result.signum() + 1) as usize]
}

/// The truth about a state of `awari`.
#[derive(Clone, Copy, Debug)]
struct Solved {
    /// 1 if the side to move wins, 0 a draw, -1 if it loses.
    result: i32,
}

/// The results of `awari` for every lead that can occur.
fn solve_awari() -> HashMap<State, Solved> {
    let mut values: HashMap<State, Solved> = HashMap::new();
    for seeds in 1..=SEEDS {
        let stores: Vec<u8> = (24 - seeds..=24).collect();
        let database = Positions::new::<Awari>(seeds, &stores);
        let value = |to: &To| match to {
            To::End { result, .. } => *result,
            To::Board { state, other, .. } => {
                if *other {
                    -values[state].result
                } else {
                    values[state].result
                }
            }
        };
        let force = |least: i32| {
            database.forced(|to, side| if side == 0 { value(to) >= least } else { value(to) <= -least })
        };
        let ([wins, loses], [draws, drawn]) = (force(1), force(0));
        let mut found = Vec::new();
        for (number, (state, _)) in database.states.iter().enumerate() {
            // Endless play leaves the score unchanged; one of the two may be able to force an end.
            let unchanged = (2 * i32::from(state.1) - 48 + i32::from(seeds)).signum();
            let can = |set: &Vec<u16>| set[number] != NEVER;
            let least = if can(&wins) {
                1
            } else if can(&draws) {
                0
            } else {
                -1
            };
            let most = if can(&loses) {
                -1
            } else if can(&drawn) {
                0
            } else {
                1
            };
            found.push((*state, Solved { result: unchanged.max(least).min(most) }));
        }
        values.extend(found);
    }
    values
}

/// Compares the result of `awari` for every lead that can occur.
pub fn check_results_of_awari() {
    let endgames = built::<Awari>();
    let values = solve_awari();
    for (&state, solved) in &values {
        let board = board_of::<Awari>(state);
        let (lead, left) = (board.lead(), board.seeds() as i8);
        let [least, most] =
            [(true, false), (false, true)].map(|(at_least, at_most)| Proof { at_least, at_most });
        let score = match verdict(solved.result) {
            Verdict::Win => Score { value: Value::ended(Verdict::Win, lead - left), proof: least },
            Verdict::Draw => Score { value: Value::DRAW, proof: Proof::EXACT },
            Verdict::Loss => Score { value: Value::ended(Verdict::Loss, lead + left), proof: most },
        };
        compare::<Awari>(&endgames, state, &Some(score));
    }
    assert!(values.len() > 300_000, "{}", values.len());
}

/// Compares the seeds that each side of `oware` is sure of, whatever a repetition pays, and the consequence for every lead.
pub fn check_shares_of_oware() {
    let endgames = built::<Oware>();
    // The certain gains of the side to move and of the other side.
    let mut values: HashMap<State, [i32; 2]> = HashMap::new();
    let (mut exact, mut all) = (0, 0);
    for seeds in 1..=SEEDS {
        let database = Positions::new::<Oware>(seeds, &[0]);
        let value = |to: &To, side: usize| match to {
            To::End { gains, .. } => gains[side],
            To::Board { state, other, gains, .. } => gains[side] + values[state][side ^ usize::from(*other)],
        };
        let mut found = vec![[0; 2]; database.states.len()];
        for more in 1..=i32::from(seeds) {
            let sets = database.forced(|to, side| value(to, side) >= more);
            for (side, set) in sets.into_iter().enumerate() {
                set.into_iter()
                    .zip(&mut found)
                    .filter(|(round, _)| *round != NEVER)
                    .for_each(|(_, found)| found[side] = more);
            }
        }
        for ((state, _), shares) in database.states.iter().zip(found) {
            values.insert(*state, shares);
            let (sure, possible) = (shares[0], i32::from(seeds) - shares[1]);
            assert!(sure <= possible);
            exact += usize::from(sure == possible);
            all += 1;
            for store in 24 - seeds..=24 {
                let state = (state.0, store, false);
                let (lead, left) = (board_of::<Oware>(state).lead(), seeds as i8);
                let (least, most) = (i32::from(store) + sure - 24, i32::from(store) + possible - 24);
                let score =
                    |value, at_least, at_most| Some(Score { value, proof: Proof { at_least, at_most } });
                let truth = match (least.signum(), most.signum()) {
                    (1, _) => score(Value::ended(Verdict::Win, lead - left), true, false),
                    (_, -1) => score(Value::ended(Verdict::Loss, lead + left), false, true),
                    (-1, 1) => None,
                    _ => score(Value::DRAW, least == 0, most == 0),
                };
                compare::<Oware>(&endgames, state, &truth);
            }
        }
    }
    assert!(exact * 4 > all, "{exact} of {all} are exact");
}
