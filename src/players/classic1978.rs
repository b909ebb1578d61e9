//! The program of BASIC Computer Games (1978), move for move, with its learning and its quirks.
//!
//! For each of its moves it computes the answers: the pit where the last bean of each pit of the other side would fall, and the
//! beans opposite. It uses arithmetic, not sowing. It therefore misses bonus moves, the capturing bean, and the end of the game,
//! and does not count the laps of a sowing. The move with the greatest value wins, the last one tried among equals.
//!
//! It learns from every game that it fails to win. Such a game is kept as a number, its first eight moves in base 6; each kept
//! game that begins as this one would with a move costs that move two beans. To compare beginnings it divides by powers of six
//! and adds a tenth against rounding, which now and then confuses a game with its neighbour; this is reproduced.

use super::candidates::{Candidate, report_choice, requested_moves};
use super::player::{Player, Turn};
use super::turn_search::after;
use crate::game::{Game, Move, Position, ROW, Side, Variant};
use crate::learn::{LearnError, LearnFile, Lesson, begins_at_start};
use crate::search::{Observer, Report};
use ahash::AHashMap;
use std::mem::take;
use std::path::Path;

/// Cells of the board, stores included.
const CELLS: usize = 14;
/// The other side's store, in cells counted from that side's left pit.
const THEIR_STORE: usize = ROW;
const OWN_STORE: usize = CELLS - 1;
/// Moves of a game that its code contains.
const CODED: usize = 8;
/// The last move of a game that kept games affect.
const LAST_LEARNED: usize = 9;
/// Beans that each kept game with the same beginning costs a move.
const PENALTY: i64 = 2;

/// The program of 1978.
#[derive(Debug, Default)]
pub struct Classic1978 {
    /// The games not won as South, and as North.
    kept: [Kept; 2],
    /// The file that keeps them.
    file: Option<LearnFile>,
    remarks: Vec<String>,
}

impl Classic1978 {
    /// A player with the lessons of a file, if any.
    pub fn new(learn_file: Option<&Path>) -> Result<Classic1978, LearnError> {
        let mut classic = Classic1978::default();
        if let Some(path) = learn_file {
            let (file, learned) = LearnFile::open(path)?;
            learned.lessons.iter().for_each(|lesson| classic.keep(lesson));
            let path = path.display();
            classic.remarks.extend(
                learned
                    .torn
                    .map(|torn| format!("the last line of {path} was cut off and is left out: `{torn}`")),
            );
            classic.file = Some(file);
        }
        Ok(classic)
    }

    fn keep(&mut self, lesson: &Lesson) {
        self.kept[lesson.side.index()].keep(code(&lesson.moves));
    }
}

/// Games that were not won.
#[derive(Clone, Debug, Default)]
struct Kept {
    /// How many kept games have a beginning, by the number of moves and their code as the program compares it.
    beginnings: [AHashMap<u32, i64>; LAST_LEARNED],
}

impl Kept {
    fn keep(&mut self, code: u32) {
        for (index, counts) in self.beginnings.iter_mut().enumerate() {
            *counts.entry(beginning(code, index + 1)).or_default() += 1;
        }
    }

    /// How many kept games begin with `moves` moves of this code, by the program's arithmetic.
    fn count(&self, moves: usize, code: u32) -> i64 {
        let counts = moves.checked_sub(1).and_then(|index| self.beginnings.get(index));
        counts.and_then(|counts| counts.get(&code)).copied().unwrap_or(0)
    }
}

/// The code of a game: its first moves as digits of base 6; shorter games have fewer digits.
fn code(moves: &[Move]) -> u32 {
    moves.iter().take(CODED).fold(0, |code, mv| code * 6 + mv.pit.index() as u32)
}

/// The program's version of a coded game's first `moves` moves: the code divided by a power of six, plus a tenth, rounded down,
/// but exact. For the ninth move the power is a sixth.
fn beginning(code: u32, moves: usize) -> u32 {
    match CODED.checked_sub(moves) {
        None => 6 * code,
        Some(rest) => {
            let power = 6_u64.pow(rest as u32);
            ((10 * u64::from(code) + power) / (10 * power)) as u32
        }
    }
}

/// The value of a move that led to a position, for the side that made it, without lessons.
fn value(position: &Position, side: Side) -> i64 {
    let cells = cells(position, side);
    cells[OWN_STORE] - cells[THEIR_STORE] - reply(&cells)
}

/// The beans in the cells, from the other side's left pit on.
fn cells(position: &Position, side: Side) -> [i64; CELLS] {
    let mut cells = [0; CELLS];
    for (row, owner) in [side.other(), side].into_iter().enumerate() {
        let first = row * (ROW + 1);
        let pits = position.row(owner).pits();
        (0..ROW).for_each(|pit| cells[first + pit] = i64::from(pits[pit]));
        cells[first + ROW] = i64::from(position.store(owner));
    }
    cells
}

/// The largest capture of the other side, by the program's arithmetic.
fn reply(cells: &[i64; CELLS]) -> i64 {
    let replies = (0..ROW).filter(|&pit| cells[pit] > 0).map(|pit| {
        let (mut last, mut reply) = (pit + cells[pit] as usize, 0);
        while last >= CELLS {
            last -= CELLS;
            reply = 1;
        }
        let store = last == THEIR_STORE || last == OWN_STORE;
        if cells[last] == 0 && !store { reply + cells[OWN_STORE - 1 - last] } else { reply }
    });
    replies.max().unwrap_or(0)
}

impl Player for Classic1978 {
    fn choose(&mut self, turn: &Turn, observer: &mut dyn Observer) -> Report {
        let game = &turn.request.game;
        let position = game.position();
        assert_eq!(position.variant(), Variant::Awari1978, "the program plays no other game");
        let side = position.side();
        let number = game.moves().len() + 1;
        let before = code(game.moves());
        let from_start = begins_at_start(game);
        let candidates: Vec<Candidate> = requested_moves(turn)
            .into_iter()
            .map(|mv| {
                let begun = before * 6 + mv.pit.index() as u32;
                let alike = if from_start { self.kept[side.index()].count(number, begun) } else { 0 };
                let value = value(&after(position, mv), side) - PENALTY * alike;
                Candidate { line: vec![mv], value }
            })
            .collect();
        // Of equals the last: the pit nearest to the own store.
        let best = candidates.iter().enumerate().max_by_key(|(_, candidate)| candidate.value);
        let chosen = best.map_or(0, |(index, _)| index);
        report_choice(turn, candidates, chosen, 1, observer)
    }

    fn learn(&mut self, game: &Game, side: Side) -> bool {
        let Some(lesson) = Lesson::of(game, side) else { return false };
        self.keep(&lesson);
        if let Some(Err(error)) = self.file.as_mut().map(|file| file.add(&lesson)) {
            self.remarks.push(format!(
                "error LearnFile: {error}; the lesson is written with the next one or at the end"
            ));
        }
        true
    }

    fn remarks(&mut self) -> Vec<String> {
        take(&mut self.remarks)
    }
}
