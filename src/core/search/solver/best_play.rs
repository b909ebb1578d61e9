//! The best play of both sides from a start: a proof of its value, written down move by move.
//!
//! A claim says that the side to move of a board reaches a target, the seeds that it gains, or that it does not. That it does
//! rests on one move, that it does not on every move. So two claims about the start, that it reaches the value and that it does not
//! reach one seed more, hold the value against every move of either side, by the claims that they rest on. Where a search proves
//! a claim at once, only its move is written.
//!
//! The file has a part for each start, without gaps:
//!
//! | bytes | content |
//! |---|---|
//! | 1 | seeds in each pit |
//! | 1 | the optional rules: their index in [`RuleOptions::ALL`], and [`FIRST_SIDE`] if it has that side's moves only |
//! | 1 | the value: the first side's gain |
//! | rest | half a byte for each claim that a board reaches its target, the low half first, in the order of [`walk`] |
//!
//! Such half a byte is a move, and [`LAST`] if nothing is written about what the claim rests on.
//!
//! `cargo bench -p bench --bench solve -- kalah5 --best-play FILE` writes a part.

use super::bounds::ProvenBounds;
use crate::game::{Board, Pit, Position, ROW, Row, RuleOptions, Rules, Side, Variant};
use crate::under;
use ahash::HashMap;

/// The bit of a part without what the second claim about the start rests on.
const FIRST_SIDE: u8 = 128;
/// The bit of a move after which a search proves the rest at once.
const LAST: u8 = 8;

/// What is known of boards with empty stores, by the side to move.
pub(super) type Known = HashMap<Board, ProvenBounds>;

/// A move that keeps the value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move.
    pub pit: Pit,
    /// Whether a search proves at once that it keeps the value.
    pub is_last: bool,
}

/// A claim about the gain of a board's side to move.
#[derive(Clone, Copy)]
struct Claim {
    side: Side,
    board: Board,
    target: i8,
    /// Whether the board reaches it.
    reaches: bool,
}

impl Claim {
    /// Its position, if the side to move gains the value of the game by it.
    fn position<R: Rules>(self, play: &BestPlay) -> Position {
        let Claim { side, board, target, .. } = self;
        let value = if side == Side::South { play.value } else { -play.value };
        let banked = (Position::start(play.game).board().seeds() - board.seeds()) as i8;
        let own = (banked + value - target) / 2;
        let bank = |row: Row, seeds: i8| row.bank(seeds.cast_unsigned());
        let board = Board { mover: bank(board.mover, own), other: bank(board.other, banked - own) };
        Position::new::<R>(board, side)
    }

    /// Whether the game is not over and nothing known says as much.
    fn is_open<R: Rules>(self, known: &Known) -> bool {
        let decides = |bounds: &ProvenBounds| bounds.decides(self.target).is_some();
        R::ending(self.board).is_none() && !known.get(&self.board).is_some_and(decides)
    }

    /// Adds what it says of its board, and the move that it rests on, if that is known.
    fn add_to(self, known: &mut Known, pit: Option<Pit>) {
        let of_seeds = ProvenBounds::of_seeds(self.board.seeds());
        let bounds = known.entry(self.board).or_insert(of_seeds);
        if self.reaches {
            (bounds.at_least, bounds.pit) = (self.target, pit);
        } else {
            bounds.at_most = self.target - 1;
        }
    }

    /// The claim that it rests on if a move is made.
    fn after<R: Rules>(self, pit: Pit) -> Option<Claim> {
        let step = R::play(self.board, pit)?;
        let lead = step.board.lead();
        let board = step.board.without_stores();
        Some(match step.again {
            true => Claim { board, target: self.target - lead, ..self },
            false => {
                let target = 1 - self.target - lead;
                Claim { side: self.side.other(), board, target, reaches: !self.reaches }
            }
        })
    }
}

/// Walks through the claims that the value of a start rests on, and adds what they say to `known`. `choose` tells the move of a
/// claim that a board reaches its target. Returns `None` if it has no answer.
fn walk<R: Rules>(
    play: &BestPlay,
    known: &mut Known,
    choose: &mut dyn FnMut(Claim) -> Option<Choice>,
) -> Option<()> {
    let board = Position::start(play.game).board();
    let at_least = Claim { side: Side::South, board, target: play.value, reaches: true };
    let less = Claim { target: play.value + 1, reaches: false, ..at_least };
    let mut waiting = vec![less, at_least];
    if play.first_side_only {
        waiting.remove(0).add_to(known, None);
    }
    while let Some(claim) = waiting.pop() {
        if !claim.is_open::<R>(known) {
            continue;
        }
        if !claim.reaches {
            claim.add_to(known, None);
            let moves: Vec<Pit> = R::moves(claim.board).into_iter().collect();
            waiting.extend(moves.into_iter().rev().filter_map(|pit| claim.after::<R>(pit)));
            continue;
        }
        let Choice { pit, is_last } = choose(claim)?;
        claim.add_to(known, Some(pit));
        let rests_on = claim.after::<R>(pit)?;
        if !is_last {
            waiting.push(rests_on);
        } else if rests_on.is_open::<R>(known) {
            rests_on.add_to(known, None);
        }
    }
    Some(())
}

/// The best play of both sides of a game with a value: each move, in the order of the file.
#[derive(Clone, Debug)]
pub struct BestPlay {
    /// The game.
    pub game: Variant,
    /// What the first side gains.
    pub value: i8,
    /// Whether the moves are only those of the first side.
    pub first_side_only: bool,
    /// The moves, from positions whose side to move can gain the value, seen by that side.
    pub moves: Vec<(Position, Choice)>,
}

/// Parses a file.
///
/// # Panics
/// If it is not for this rule set.
fn parse<R: Rules>(file: &[u8], known: &mut Known) -> Vec<BestPlay> {
    let (mut all, mut rest) = (Vec::new(), file);
    while let [seeds, rules, value, halves @ ..] = rest {
        let game = R::VARIANT.with_seeds(*seeds).expect("a number of seeds of this rule set");
        let game = game.with_options(RuleOptions::ALL[usize::from(rules & !FIRST_SIDE)]);
        let mut play = BestPlay {
            game: game.expect("rules of this rule set"),
            value: value.cast_signed(),
            first_side_only: rules & FIRST_SIDE != 0,
            moves: Vec::new(),
        };
        let (mut halves, mut moves) = (halves.iter().flat_map(|byte| [byte & 15, byte >> 4]), Vec::new());
        let mut next = |claim: Claim| {
            let half = halves.next()?;
            let pit = Some(usize::from(half & !LAST)).filter(|&pit| pit < ROW)?;
            let choice = Choice { pit: Pit::new(pit), is_last: half & LAST != 0 };
            moves.push((claim.position::<R>(&play), choice));
            Some(choice)
        };
        walk::<R>(&play, known, &mut next).expect("a file has a move for each claim");
        rest = &rest[3 + moves.len().div_ceil(2)..];
        play.moves = moves;
        all.push(play);
    }
    assert!(rest.is_empty(), "a file has no byte too many");
    all
}

/// What a file says.
///
/// # Panics
/// If it is not for this rule set.
pub(super) fn read<R: Rules>(file: &[u8]) -> Known {
    let mut known = Known::default();
    parse::<R>(file, &mut known);
    known
}

/// The best play that is compiled in for a rule set's games.
pub fn best_play(rules: Variant) -> Vec<BestPlay> {
    let file = rules.about().best_play;
    file.map_or(Vec::new(), |file| under!(rules, R => parse::<R>(file, &mut Known::default())))
}

impl BestPlay {
    /// Finds the moves, and returns the part of a file with them. `choose` is given positions whose side to move can gain the
    /// value, seen by that side, and tells a move that keeps it.
    pub fn find(&mut self, choose: &mut dyn FnMut(Position) -> Choice) -> Vec<u8> {
        under!(self.game, R => self.find_under::<R>(choose));
        let rules = self.game.options().index() as u8 | if self.first_side_only { FIRST_SIDE } else { 0 };
        let half = |(_, Choice { pit, is_last }): &(Position, Choice)| {
            pit.index() as u8 | if *is_last { LAST } else { 0 }
        };
        let bytes = self.moves.chunks(2).map(|pair| half(&pair[0]) | pair.get(1).map_or(0, half) << 4);
        [self.game.seeds_a_pit(), rules, self.value.cast_unsigned()].into_iter().chain(bytes).collect()
    }

    fn find_under<R: Rules>(&mut self, choose: &mut dyn FnMut(Position) -> Choice) {
        let mut moves = Vec::new();
        let mut next = |claim: Claim| {
            let position = claim.position::<R>(self);
            moves.push((position, choose(position)));
            moves.last().map(|&(_, choice)| choice)
        };
        walk::<R>(self, &mut Known::default(), &mut next).expect("it always has an answer");
        self.moves = moves;
    }
}
