//! Ways to bring a known result about.
//!
//! The endgames say who wins, not how. A side that would lose by waiting has to make its captures some day, and nobody
//! sees sixty plies ahead. So where the root is covered and deepening has not found the way, the boards between here
//! and the next capture are gathered, those that the attacker keeps the result with, and counted backwards: each gets
//! the plies in which the attacker can leave the level, against any defence. Going down these numbers wins; staying as
//! high as possible resists longest. They serve the following moves too, up to the next capture. Where a search does not
//! get through with the boards, the next one goes on: what comes after its root is among them.
//!
//! Where a position that comes back ends the game, only a win that is sure is brought about. Boards that the game has
//! been to since the last capture are ends then, with what coming back pays; and who goes down the numbers comes to no
//! board twice.

use crate::endgame::{Endgames, Numbering};
use crate::game::{Board, Cycle, Rules, Verdict};
use crate::value::{Kind, Value};
use ahash::AHashMap;

/// Boards of a graph at the most; each takes some 90 bytes.
const MOST_BOARDS: usize = 1 << 20;
/// The moves of the last one may be more.
const SPARE: usize = 6;

/// Plies to the next capture or to the end, by board, for boards with the attacker to move and for the others.
#[derive(Debug)]
pub struct Ways {
    seeds: u8,
    /// The lead and the worth that the attacker has.
    lead: i8,
    goal: Value,
    trodden: Vec<(Board, bool)>,
    graph: Graph,
    /// Nodes whose moves have been followed.
    followed: usize,
    /// All of them, and the plies have been counted.
    complete: bool,
    /// The search that gathers boards, and how many there were before it.
    search: Option<(u8, usize)>,
}

/// Not known yet.
const UNKNOWN: u16 = u16::MAX;
/// No move.
const NONE: u32 = u32::MAX;
/// With so many boards there is room for the most at once: moving a larger table would take too long to answer in time.
const MANY: usize = 1 << 14;
/// Boards between two looks at the clock.
const POLL: usize = 256;

/// Who has to work for a result: `Some(true)` if that is the side to move, `None` if there is nothing to do. Where waiting
/// wins there may be: a win that nobody brings about is one at move 250.
pub fn attacks<R: Rules>(board: Board, worth: Value) -> Option<bool> {
    let wins = matches!(worth.kind(), Kind::Win(_));
    let stands = class::<R>(Value::of(&R::cycle(board)));
    let worth = class::<R>(worth);
    if R::CYCLE == Cycle::EndsGame || worth == stands {
        return wins.then_some(true);
    }
    Some(worth > stands)
}

/// What has to be kept of a value: all of it, or who wins.
fn class<R: Rules>(value: Value) -> Value {
    let verdict = match value.kind() {
        Kind::Win(_) => Verdict::Win,
        Kind::Loss(_) => Verdict::Loss,
        Kind::Estimate(_) => Verdict::Draw,
    };
    if R::LEAD_ADDS { value } else { Value::ended(verdict, 0) }
}

/// What a board is worth to one of its sides; where that is not known for certain, what is sure.
fn worth<R: Rules>(endgames: &Endgames, board: Board, mover: bool) -> Option<Value> {
    let value = match R::ending(board) {
        Some(ending) => Value::of(&ending),
        None => {
            let score = endgames.probe::<R>(board, board.seeds());
            if R::CYCLE == Cycle::EndsGame
                && !score.is_some_and(|score| if mover { score.proof.at_least } else { score.proof.at_most })
            {
                return Some(Value::LEAST);
            }
            score?.value
        }
    };
    Some(if mover { value } else { value.turned() })
}

/// Boards that the game has been to since the last capture, and whether the attacker was to move there.
type Trodden = [(Board, bool)];

/// The boards between the root and the next capture.
#[derive(Debug, Default)]
struct Graph {
    /// Boards by their numbers in the level, and whether the attacker is to move: see [`key`].
    nodes: Vec<u64>,
    numbers: AHashMap<u64, u32>,
    /// The moves that lead to a node are a chain: the last one that was found, and for each move where it comes from and
    /// which one was found before. Nothing has to be sorted, which could not be broken off.
    last_to: Vec<u32>,
    edges: Vec<(u32, u32)>,
    /// Moves of a defender that lead to boards whose plies are not known.
    open: Vec<u8>,
    plies: Vec<u16>,
    /// Nodes whose plies are known, in the order of these, and how many of them have been counted back from.
    known: Vec<u32>,
    counted: usize,
}

fn key(board: Board, attacker: bool) -> u64 {
    (Numbering::get().rank(board) as u64) << 1 | u64::from(attacker)
}

impl Graph {
    fn number(&mut self, key: u64) -> u32 {
        let next = self.nodes.len() as u32;
        if self.nodes.len() == MANY {
            self.numbers.reserve(MOST_BOARDS + SPARE - MANY);
        }
        *self.numbers.entry(key).or_insert_with(|| {
            self.nodes.push(key);
            self.last_to.push(NONE);
            self.open.push(0);
            self.plies.push(UNKNOWN);
            next
        })
    }

    /// The next capture is so near.
    fn leaves(&mut self, node: usize) {
        self.plies[node] = 1;
        self.known.push(node as u32);
    }

    fn has(&self, board: Board, attacker: bool) -> bool {
        self.numbers.contains_key(&key(board, attacker))
    }

    /// The plies from a board, if they are known.
    fn plies(&self, board: Board, attacker: bool) -> Option<u16> {
        let node = *self.numbers.get(&key(board, attacker))?;
        Some(self.plies[node as usize]).filter(|&plies| plies != UNKNOWN)
    }

    /// Follows the moves of a node. The attacker leaves the level as soon as that keeps the goal.
    fn expand<R: Rules>(
        &mut self,
        endgames: &Endgames,
        (from, board): (usize, Board),
        goal: Value,
        trodden: &Trodden,
    ) -> Option<()> {
        let attacker = self.nodes[from] & 1 == 1;
        let steps = R::moves(board).into_iter().filter_map(|pit| R::play(board, pit));
        let mut within = arrayvec::ArrayVec::<Board, 6>::new();
        let mut escapes = 0;
        for step in steps {
            let leaves = step.board.seeds() < board.seeds() || R::ending(step.board).is_some();
            if trodden.contains(&(step.board, !attacker)) {
                let paid = Value::of(&R::cycle(step.board));
                let kept = class::<R>(if attacker { paid.turned() } else { paid }) >= goal;
                if attacker && kept {
                    self.leaves(from);
                    return Some(());
                }
                escapes += u8::from(!attacker && !kept);
            } else if !attacker {
                within.extend((!leaves).then_some(step.board));
            } else if class::<R>(worth::<R>(endgames, step.board, false)?) >= goal {
                if leaves {
                    self.leaves(from);
                    return Some(());
                }
                within.push(step.board);
            }
        }
        if !attacker && within.is_empty() && escapes == 0 {
            self.leaves(from);
        }
        self.open[from] = within.len() as u8 + escapes;
        for board in within {
            let to = self.number(key(board, !attacker)) as usize;
            let before = std::mem::replace(&mut self.last_to[to], self.edges.len() as u32);
            self.edges.push((from as u32, before));
        }
        Some(())
    }

    /// Counts backwards from the nodes that leave the level; says whether that is done.
    fn count(&mut self, stop: &mut dyn FnMut() -> bool) -> bool {
        while let Some(&node) = self.known.get(self.counted) {
            if self.counted.is_multiple_of(POLL) && stop() {
                return false;
            }
            self.counted += 1;
            let plies = self.plies[node as usize] + 1;
            let mut next = self.last_to[node as usize];
            while let Some(&(before, earlier)) = self.edges.get(next as usize) {
                next = earlier;
                let before = before as usize;
                self.open[before] -= 1;
                let known = self.nodes[before] & 1 == 1 || self.open[before] == 0;
                if known && self.plies[before] == UNKNOWN {
                    self.plies[before] = plies;
                    self.known.push(before as u32);
                }
            }
        }
        true
    }
}

impl Ways {
    /// The ways from a board that the endgames cover, whose worth they know, and on which somebody has to attack; they
    /// have yet to be gathered. `trodden` are the boards that led here, the last one last.
    pub fn begin<R: Rules>(board: Board, value: Value, trodden: &[Board]) -> Option<Ways> {
        let attacker = attacks::<R>(board, value)?;
        let mut graph = Graph::default();
        graph.number(key(board, attacker));
        Some(Ways {
            seeds: board.seeds(),
            lead: if attacker { board.lead() } else { -board.lead() },
            goal: class::<R>(if attacker { value } else { value.turned() }),
            trodden: with_sides(trodden, attacker).collect(),
            graph,
            followed: 0,
            complete: false,
            search: None,
        })
    }

    /// Gathers boards, at most so many in this search, and says whether all is known.
    pub fn gather<R: Rules>(
        &mut self,
        endgames: &Endgames,
        search: u8,
        most: usize,
        stop: &mut dyn FnMut() -> bool,
    ) -> bool {
        let nodes = self.graph.nodes.len();
        let (_, before) =
            *self.search.insert(self.search.filter(|known| known.0 == search).unwrap_or((search, nodes)));
        let most = MOST_BOARDS.min(before + most);
        while !self.complete {
            let Some(&key) = self.graph.nodes.get(self.followed) else {
                self.complete = self.graph.count(stop);
                return self.complete;
            };
            if self.graph.nodes.len() > most || self.followed.is_multiple_of(POLL) && stop() {
                return false;
            }
            let node = (self.followed, self.board_of::<R>(key));
            if self.graph.expand::<R>(endgames, node, self.goal, &self.trodden).is_none() {
                return false;
            }
            self.followed += 1;
        }
        true
    }

    fn board_of<R: Rules>(&self, key: u64) -> Board {
        let Board { mover, other } = Numbering::get().board(self.seeds, (key >> 1) as usize);
        let lead = if key & 1 == 1 { self.lead } else { -self.lead };
        let stored = (R::SEEDS - self.seeds) as i8;
        let store = ((stored + lead) / 2) as u8;
        Board { mover: mover.bank(store), other: other.bank(stored as u8 - store) }
    }

    /// Whether a board with this worth is among them, after these boards: none that lies ahead has been trodden.
    pub fn have<R: Rules>(&self, board: Board, value: Value, trodden: &[Board]) -> bool {
        let Some(attacker) = attacks::<R>(board, value) else { return false };
        let (lead, value) = if attacker { (board.lead(), value) } else { (-board.lead(), value.turned()) };
        if (self.seeds, self.lead, self.goal) != (board.seeds(), lead, class::<R>(value)) {
            return false;
        }
        let trodden: Vec<(Board, bool)> = with_sides(trodden, attacker).collect();
        // What was an end when they were gathered must be one now.
        if !self.trodden.iter().all(|before| trodden.contains(before)) {
            return false;
        }
        let Some(ahead) = self.graph.plies(board, attacker).filter(|_| self.complete) else {
            return self.graph.has(board, attacker);
        };
        let behind = |&(board, attacker): &(Board, bool)| {
            self.graph.plies(board, attacker).is_none_or(|it| it > ahead)
        };
        trodden.iter().all(behind)
    }

    /// The plies after a move to the next capture or to the end: as few as possible for the attacker, as many as possible
    /// for the other side. `None` if the move gives the result away, or is not known.
    pub fn plies_after<R: Rules>(
        &self,
        endgames: &Endgames,
        after: Board,
        attacker_moved: bool,
    ) -> Option<u16> {
        let value = worth::<R>(endgames, after, !attacker_moved)?;
        if attacker_moved && class::<R>(value) < self.goal {
            return None;
        }
        if after.seeds() < self.seeds || R::ending(after).is_some() {
            return Some(0);
        }
        self.graph.plies(after, !attacker_moved)
    }
}

/// Boards that led to one where the attacker is to move or not, the last one last, and whether it was to move there.
fn with_sides(trodden: &[Board], attacker: bool) -> impl Iterator<Item = (Board, bool)> {
    trodden.iter().rev().enumerate().map(move |(back, &board)| (board, attacker ^ (back % 2 == 0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endgame::Boards;
    use crate::game::Awari;

    #[test]
    fn work_that_is_broken_off_again_and_again_comes_to_the_same() {
        let endgames = Endgames::new();
        assert!(endgames.build::<Awari>(6, &mut || false));
        let mut large = 0;
        for board in Boards::with(6).step_by(97) {
            let board = Board { mover: board.mover.bank(21), other: board.other.bank(21) };
            let Some(score) = endgames.probe::<Awari>(board, 6).filter(|_| Awari::ending(board).is_none())
            else {
                continue;
            };
            let begin = || Ways::begin::<Awari>(board, score.value, &[]);
            let (Some(mut whole), Some(mut pieces)) = (begin(), begin()) else { continue };
            assert!(whole.gather::<Awari>(&endgames, 1, MOST_BOARDS, &mut || false));
            let (mut asked, mut rounds) = (0, 0);
            let mut stop = || {
                asked += 1;
                asked % 2 == 0
            };
            while !pieces.gather::<Awari>(&endgames, 1, MOST_BOARDS, &mut stop) {
                rounds += 1;
            }
            assert_eq!((&whole.graph.nodes, &whole.graph.plies), (&pieces.graph.nodes, &pieces.graph.plies));
            let looks = whole.graph.nodes.len() / POLL + whole.graph.known.len() / POLL;
            assert!(asked >= looks, "{asked} looks at the clock at {} boards", whole.graph.nodes.len());
            large = large.max(rounds);
        }
        assert!(large > 1, "no board needs more than a few looks");
    }
}
