//! Learned penalties on the scores of moves, from games that the full engine failed to win.
//!
//! The method is that of the program of 1978, applied to positions instead of beginnings: a lost game costs its moves something
//! the next time, the costs add up, and sooner or later another move is tried. There, every move of the beginning pays. Here,
//! one move of the game pays most: the one after which the engine's score fell most on the way to the result. It pays the
//! engine's error, so that its next score is about what the move brought. Every other move pays a little; a forced move pays
//! nothing.
//!
//! In a position with penalties the search scores all moves, and the best after penalties is played. Proven scores are exempt.
//! Boards are seen from the side to move, so lessons learned as South also apply as North.

use super::lesson_file::LessonFile;
use crate::game::{Board, Game, Move, Position, ROW, Side, Variant, Verdict};
use crate::learn::{LearnError, LearnUpdate, LearnedGame, Lesson};
use crate::search::{Observer, Report};
use crate::value::{CENTISEEDS, Kind, Proof, Score, Value};
use ahash::AHashMap;
use std::path::Path;

/// The least penalty of the blamed move, in hundredths of a seed (chosen, not measured).
const MIN_PENALTY: i32 = 200;
/// The penalty of every other move of the game, in hundredths of a seed: small, but it leads around a blamed move that has no
/// better alternative (chosen, not measured).
const PENALTY_OF_OTHERS: u32 = 20;
/// The largest penalty of the blamed move, in hundredths of a seed, which no estimate exceeds.
const MAX_PENALTY: i32 = 10_000;
/// Maximum positions with a recorded score; a game has fewer.
const MAX_SCORES: usize = 4096;

/// The penalties of a position's moves, in hundredths of a seed, by pit.
pub type Penalties = [u32; ROW];

/// The lessons about a rule set.
#[derive(Debug)]
pub struct LearnedPenalties {
    variant: Variant,
    lesson_file: LessonFile,
    penalties: AHashMap<Board, Penalties>,
    /// The engine's scores of the positions of this game.
    scores: AHashMap<Board, Score>,
}

impl LearnedPenalties {
    /// The lessons of a file about a rule set.
    pub fn new(variant: Variant, path: &Path) -> Result<LearnedPenalties, LearnError> {
        let (penalties, scores) = (AHashMap::new(), AHashMap::new());
        let mut learned = LearnedPenalties { variant, lesson_file: LessonFile::default(), penalties, scores };
        let update = learned.lesson_file.open(Some(path))?;
        learned.apply(&update);
        Ok(learned)
    }

    /// The penalties of a position's moves, if it has any.
    pub fn penalties(&self, board: Board) -> Option<Penalties> {
        self.penalties.get(&board).copied()
    }

    /// Adds the engine's score of a position of this game.
    pub fn add_score(&mut self, board: Board, score: Score) {
        if self.scores.len() >= MAX_SCORES {
            self.scores.clear();
        }
        self.scores.insert(board, score);
    }

    /// Applies lessons from the file.
    fn apply(&mut self, update: &LearnUpdate) {
        if update.replaced {
            self.penalties.clear();
        }
        for LearnedGame { lesson, times } in &update.games {
            self.blame(lesson, *times);
        }
    }

    /// Adds the penalties of a lost game.
    fn blame(&mut self, lesson: &Lesson, times: u32) {
        let Lesson::Kroo { side, start, moves, blamed, penalty } = lesson else { return };
        if start.variant() != self.variant {
            return;
        }
        for own in own_moves(start, moves, *side) {
            let share = if own.number == *blamed { penalty + PENALTY_OF_OTHERS } else { PENALTY_OF_OTHERS };
            let known = &mut self.penalties.entry(own.position.board()).or_default()[own.mv.pit.index()];
            *known = known.saturating_add(share.saturating_mul(times));
        }
    }

    /// Learns from a game that was not won; returns whether it taught anything.
    pub fn learn(&mut self, game: &Game, side: Side) -> bool {
        let blamed = not_won(game, side).and_then(|result| self.to_blame(game, side, result));
        self.scores.clear();
        let Some((blamed, penalty)) = blamed else { return false };
        let lesson =
            Lesson::Kroo { side, start: *game.start(), moves: game.moves().to_vec(), blamed, penalty };
        self.blame(&lesson, 1);
        let update = self.lesson_file.add(lesson);
        self.apply(&update);
        true
    }

    /// The number of the blamed move of a lost game, and its penalty.
    fn to_blame(&self, game: &Game, side: Side, result: i32) -> Option<(usize, u32)> {
        let own = own_moves(game.start(), game.moves(), side);
        let last = own.last()?.number;
        let mut worst: Option<(i32, usize, i32)> = None;
        let mut later = result;
        for OwnMove { number, position, .. } in own.into_iter().rev() {
            let Some(score) = self.scores.get(&position.board()) else { continue };
            let centiseeds = score.value.shown_centiseeds();
            match score.proven() {
                None => {
                    if worst.is_none_or(|(most, ..)| centiseeds - later > most) {
                        worst = Some((centiseeds - later, number, centiseeds - result));
                    }
                }
                // The game had already been lost, whatever was played here.
                Some(Verdict::Loss) => (worst, later) = (None, result),
                Some(Verdict::Draw) if result == 0 => (worst, later) = (None, result),
                // A proven score that later moves gave up is no mistake of this move.
                Some(_) => {}
            }
            if score.proven().is_none_or(|verdict| verdict != Verdict::Loss) {
                later = centiseeds;
            }
        }
        // Without scores, the last move is blamed.
        let (number, mistake) = worst.map_or((last, 0), |(_, number, mistake)| (number, mistake));
        Some((number, mistake.clamp(MIN_PENALTY, MAX_PENALTY) as u32))
    }

    pub fn refresh(&mut self) {
        let update = self.lesson_file.read_new();
        self.apply(&update);
    }

    /// Whether lessons are still unwritten.
    pub fn has_unsaved(&self) -> bool {
        self.lesson_file.has_unsaved()
    }

    /// Writes the unwritten lessons.
    pub fn save(&mut self) {
        let update = self.lesson_file.save();
        self.apply(&update);
    }

    pub fn remarks(&mut self) -> Vec<String> {
        self.lesson_file.remarks()
    }
}

/// A move of a side in a game, where it had a choice.
struct OwnMove {
    /// Its number in the game, from 1.
    number: usize,
    /// The position before it.
    position: Position,
    mv: Move,
}

/// The moves of a side in a game, except forced ones.
fn own_moves(start: &Position, moves: &[Move], side: Side) -> Vec<OwnMove> {
    let mut position = *start;
    let mut own = Vec::new();
    for (index, &mv) in moves.iter().enumerate() {
        if mv.side == side && position.moves().len() > 1 {
            own.push(OwnMove { number: index + 1, position, mv });
        }
        let Ok(next) = position.play(mv) else { break };
        position = next;
    }
    own
}

/// The final lead of a side in a game that it did not win, in hundredths of a seed. The stores decide an unfinished game.
fn not_won(game: &Game, side: Side) -> Option<i32> {
    let position = game.position();
    let lead = i32::from(position.store(side)) - i32::from(position.store(side.other()));
    match position.verdict_for(side) {
        Some(Verdict::Win) => None,
        // After a capture of everything, the side with more seeds can lose.
        Some(Verdict::Loss) => Some(lead.min(-1) * CENTISEEDS),
        Some(Verdict::Draw) => Some(0),
        None => (lead <= 0).then_some(lead * CENTISEEDS),
    }
}

/// Passes reports of a search of all moves on to its observer, with penalties subtracted.
pub struct PenaltyObserver<'a> {
    penalties: Penalties,
    /// The searched position.
    board: Board,
    /// How many best lines are requested.
    multipv: usize,
    /// The most lines of an iteration so far.
    max_lines: usize,
    told: Option<Report>,
    observer: &'a mut dyn Observer,
}

impl<'a> PenaltyObserver<'a> {
    pub fn new(
        (board, penalties): (Board, Penalties),
        multipv: usize,
        observer: &'a mut dyn Observer,
    ) -> PenaltyObserver<'a> {
        PenaltyObserver { penalties, board, multipv, max_lines: 0, told: None, observer }
    }

    /// The answer: the last report passed on.
    pub fn answer(self, last: Report) -> Report {
        match self.told {
            Some(told) => Report { nodes: last.nodes, ..told },
            None => self.penalized(&last),
        }
    }

    /// The requested lines, ordered by score less penalty.
    pub fn penalized(&self, report: &Report) -> Report {
        let best = std::iter::once((report.score, report.pv.clone()));
        let mut lines: Vec<(Score, Vec<Move>)> = best.chain(report.others.iter().cloned()).collect();
        for (score, line) in &mut lines {
            let penalty = line.first().map_or(0, |mv| self.penalties[mv.pit.index()]);
            let is_lost = matches!(score.value.kind(), Kind::Loss(_));
            if penalty > 0 && score.proven().is_none() && !is_lost {
                let centiseeds = score.value.shown_centiseeds().saturating_sub_unsigned(penalty);
                let value = Value::estimate_for(self.board, centiseeds);
                *score = Score { value, proof: Proof::NONE };
            }
        }
        lines.sort_by_key(|(score, _)| std::cmp::Reverse(score.value));
        lines.truncate(self.multipv.max(1));
        let (score, line) = lines.remove(0);
        Report { score, pv: line, others: lines, ..report.clone() }
    }
}

impl Observer for PenaltyObserver<'_> {
    fn stop(&mut self, nodes: u64) -> bool {
        self.observer.stop(nodes)
    }

    fn interrupts(&mut self) -> bool {
        self.observer.interrupts()
    }

    /// An interrupted iteration has not seen every move, so it does not replace an earlier one.
    fn iteration(&mut self, report: &Report) -> bool {
        let seen = 1 + report.others.len();
        if seen < self.max_lines {
            return true;
        }
        self.max_lines = seen;
        let penalized = self.penalized(report);
        let enough = self.observer.iteration(&penalized);
        self.told = Some(penalized);
        enough
    }

    fn current(&mut self, depth: u8, mv: Move, number: usize) {
        self.observer.current(depth, mv, number);
    }

    fn fewer_threads(&mut self, searching: usize, wanted: usize) {
        self.observer.fewer_threads(searching, wanted);
    }

    fn wants_endgames(&mut self, seeds: u8) {
        self.observer.wants_endgames(seeds);
    }
}
