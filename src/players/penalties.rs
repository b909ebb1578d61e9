//! What the strong engine remembers of games that it did not win: moves, and by how much less it thinks of them.
//!
//! The idea is that of the program of 1978, on positions instead of beginnings: what led to a lost game costs something
//! the next time, the costs add up, and so sooner or later something else is tried. There every move of the
//! beginning pays. Here one move of the game pays most: the one after which the engine's opinion of its game fell most on the
//! way to the result, for that is where it was wrong. It pays what the engine was mistaken by, so that the next time it is
//! worth about what it brought. Every other move pays a little; a move without an alternative pays nothing.
//!
//! Where a position is remembered the search values all moves, and the best after the penalties is played. What is proven
//! is not doubted. Boards are seen from the side to move, so what was learned as South serves as North.

use super::lesson_file::Notebook;
use crate::game::{Board, Game, Move, Position, ROW, Side, Variant, Verdict};
use crate::learn::{LearnError, Lesson, News, Record};
use crate::search::{Observer, Report};
use crate::value::{CENTISEEDS, Proof, Score, Value};
use ahash::AHashMap;
use std::path::Path;

/// A move to blame costs at least so many hundredths of a seed.
const LEAST_PENALTY: i32 = 200;
/// Every other move of the game costs so many: it is not much, but it leads past a mistake that has no better way out.
const EACH: u32 = 20;
/// The move to blame costs at most so many.
const MOST_PENALTY: i32 = 10_000;
/// Opinions of so many positions are kept at the most; a game has fewer.
const MOST_OPINIONS: usize = 4096;

/// By how much less the moves of a position are thought of, in hundredths of a seed.
pub type Penalties = [u32; ROW];

/// What was learned of a rule set.
#[derive(Debug)]
pub struct Memory {
    variant: Variant,
    notebook: Notebook,
    penalties: AHashMap<Board, Penalties>,
    /// What the engine thought of the positions of this game.
    opinions: AHashMap<Board, Score>,
}

impl Memory {
    /// What a file tells of a rule set.
    pub fn new(variant: Variant, path: &Path) -> Result<Memory, LearnError> {
        let (penalties, opinions) = (AHashMap::new(), AHashMap::new());
        let mut memory = Memory { variant, notebook: Notebook::default(), penalties, opinions };
        let news = memory.notebook.open(Some(path))?;
        memory.take(&news);
        Ok(memory)
    }

    /// What is remembered of a position, if anything.
    pub fn penalties(&self, board: Board) -> Option<Penalties> {
        self.penalties.get(&board).copied()
    }

    /// Notes what the engine thinks of a position.
    pub fn note(&mut self, board: Board, score: Score) {
        if self.opinions.len() >= MOST_OPINIONS {
            self.opinions.clear();
        }
        self.opinions.insert(board, score);
    }

    fn take(&mut self, news: &News) {
        if news.anew {
            self.penalties.clear();
        }
        for Record { lesson, times } in &news.records {
            self.blame(lesson, *times);
        }
    }

    /// Lets the moves of a lost game pay.
    fn blame(&mut self, lesson: &Lesson, times: u32) {
        let Lesson::Lost { side, start, moves, blamed, penalty } = lesson else { return };
        if start.variant() != self.variant {
            return;
        }
        for own in own_moves(start, moves, *side) {
            let share = if own.number == *blamed { penalty + EACH } else { EACH };
            let known = &mut self.penalties.entry(own.position.board()).or_default()[own.mv.pit.index()];
            *known = known.saturating_add(share.saturating_mul(times));
        }
    }

    /// Learns from a game that was not won; says whether there was anything to learn.
    pub fn learn(&mut self, game: &Game, side: Side) -> bool {
        let blamed = not_won(game, side).and_then(|result| self.to_blame(game, side, result));
        self.opinions.clear();
        let Some((blamed, penalty)) = blamed else { return false };
        let lesson =
            Lesson::Lost { side, start: *game.start(), moves: game.moves().to_vec(), blamed, penalty };
        self.blame(&lesson, 1);
        let news = self.notebook.add(lesson);
        self.take(&news);
        true
    }

    /// The number of the move that a lost game is put down to, and what it costs.
    fn to_blame(&self, game: &Game, side: Side, result: i32) -> Option<(usize, u32)> {
        let own = own_moves(game.start(), game.moves(), side);
        let last = own.last()?.number;
        let mut worst: Option<(i32, usize, i32)> = None;
        let mut later = result;
        for Own { number, position, .. } in own.into_iter().rev() {
            let Some(score) = self.opinions.get(&position.board()) else { continue };
            let opinion = score.value.centiseeds();
            match score.proven() {
                None => {
                    if worst.is_none_or(|(most, ..)| opinion - later > most) {
                        worst = Some((opinion - later, number, opinion - result));
                    }
                }
                // Whatever it did then, the game had been lost before.
                Some(Verdict::Loss) => (worst, later) = (None, result),
                Some(Verdict::Draw) if result == 0 => (worst, later) = (None, result),
                // A proof that was not followed up is no mistake of this move.
                Some(_) => {}
            }
            if score.proven().is_none_or(|verdict| verdict != Verdict::Loss) {
                later = opinion;
            }
        }
        // If it knew nothing of the game, it is put down to the end.
        let (number, mistake) = worst.map_or((last, 0), |(_, number, mistake)| (number, mistake));
        Some((number, mistake.clamp(LEAST_PENALTY, MOST_PENALTY) as u32))
    }

    pub fn refresh(&mut self) {
        let news = self.notebook.news();
        self.take(&news);
    }

    pub fn remarks(&mut self) -> Vec<String> {
        self.notebook.remarks()
    }
}

/// A move of a side in a game, where it had a choice.
struct Own {
    /// Its place in the game, from 1.
    number: usize,
    /// Where it was made.
    position: Position,
    mv: Move,
}

/// The moves of a side in a game, but for those without an alternative.
fn own_moves(start: &Position, moves: &[Move], side: Side) -> Vec<Own> {
    let mut position = *start;
    let mut own = Vec::new();
    for (index, &mv) in moves.iter().enumerate() {
        if mv.side == side && position.moves().len() > 1 {
            own.push(Own { number: index + 1, position, mv });
        }
        let Ok(next) = position.play(mv) else { break };
        position = next;
    }
    own
}

/// What a game was worth to a side that did not win it, in hundredths of a seed. One that goes on is decided by the stores.
fn not_won(game: &Game, side: Side) -> Option<i32> {
    let position = game.position();
    let lead = i32::from(position.store(side)) - i32::from(position.store(side.other()));
    match position.verdict_for(side) {
        Some(Verdict::Win) => None,
        // With everything captured a side can lose that has more.
        Some(Verdict::Loss) => Some(lead.min(-1) * CENTISEEDS),
        Some(Verdict::Draw) => Some(0),
        None => (lead <= 0).then_some(lead * CENTISEEDS),
    }
}

/// Stands between a search of all moves and whoever listens, and puts what is remembered into what is told.
pub struct Mindful<'a> {
    penalties: Penalties,
    /// How many best lines are wanted.
    lines: usize,
    /// How many an iteration has had.
    most: usize,
    told: Option<Report>,
    observer: &'a mut dyn Observer,
}

impl<'a> Mindful<'a> {
    pub fn new(penalties: Penalties, lines: usize, observer: &'a mut dyn Observer) -> Mindful<'a> {
        Mindful { penalties, lines, most: 0, told: None, observer }
    }

    /// What is answered: what was told last.
    pub fn answer(self, last: Report) -> Report {
        match self.told {
            Some(told) => Report { nodes: last.nodes, ..told },
            None => self.weighed(&last),
        }
    }

    /// The lines in order, penalties taken off, as many as are wanted.
    fn weighed(&self, report: &Report) -> Report {
        let best = std::iter::once((report.score, report.pv.clone()));
        let mut lines: Vec<(Score, Vec<Move>)> = best.chain(report.others.iter().cloned()).collect();
        for (score, line) in &mut lines {
            let penalty = line.first().map_or(0, |mv| self.penalties[mv.pit.index()]);
            if penalty > 0 && score.proven().is_none() {
                let value = Value::estimate(score.value.centiseeds().saturating_sub_unsigned(penalty));
                *score = Score { value, proof: Proof::NONE };
            }
        }
        lines.sort_by_key(|(score, _)| std::cmp::Reverse(score.value));
        lines.truncate(self.lines.max(1));
        let (score, line) = lines.remove(0);
        Report { score, pv: line, others: lines, ..report.clone() }
    }
}

impl Observer for Mindful<'_> {
    fn stop(&mut self, nodes: u64) -> bool {
        self.observer.stop(nodes)
    }

    /// An iteration that was cut off has not seen every move, so it says nothing against an earlier one.
    fn iteration(&mut self, report: &Report) -> bool {
        let seen = 1 + report.others.len();
        if seen < self.most {
            return true;
        }
        self.most = seen;
        let weighed = self.weighed(report);
        let enough = self.observer.iteration(&weighed);
        self.told = Some(weighed);
        enough
    }

    fn current(&mut self, depth: u8, mv: Move, number: usize) {
        self.observer.current(depth, mv, number);
    }
}
