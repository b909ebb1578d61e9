//! The nodes of the solver: whether a board gains so much, to the end of the game.
//!
//! Everything is certain here, so a node is simpler than one that looks ahead: a board with empty stores, a number of
//! seeds to gain, and the answer as a bound. What a node costs is memory: a table of hundreds of MiB takes longer to
//! answer than all moves take to make. So a node first works out where what is known of its moves would be, and only
//! then looks; boards with a few seeds more than the endgames have, which are searched in no time, are not
//! looked up at all, and those with some more only when they are searched. Asking about all moves before any is
//! searched (J. Schaeffer, A. Plaat, "New advances in alpha-beta searching", 1996) saves a fifth of the nodes.

use super::ordering::promise;
use super::proven::{Fact, Shelf, number};
use crate::game::{Board, Pit, Rules};
use crate::search::node::Worker;
use crate::value::CENTISEEDS;
use arrayvec::ArrayVec;
use std::cmp::Reverse;

/// Boards with no more seeds than the endgames and these are not kept.
const NOT_KEPT: u8 = 2;
/// Boards with no more seeds than the endgames and these are looked up only when they are searched.
const NOT_ASKED: u8 = 4;

/// A board to solve: it is not over, and its stores are empty.
#[derive(Clone, Copy)]
pub(super) struct Open<'a> {
    pub board: Board,
    pub seeds: u8,
    /// Where to look it up, if that is known.
    pub shelf: Option<Shelf<'a>>,
    /// The move to try first.
    pub first: Option<Pit>,
}

impl Open<'_> {
    pub fn new(board: Board) -> Open<'static> {
        Open { board: board.without_stores(), seeds: board.seeds(), shelf: None, first: None }
    }
}

/// A move of a node, seen by the side that makes it.
#[derive(Clone, Copy)]
pub(super) struct Offer<'a> {
    pub pit: Pit,
    pub again: bool,
    /// What it banks.
    pub banks: i8,
    /// What it gains in all, at least and at most.
    least: i8,
    most: i8,
    /// Where it leads to.
    pub to: Open<'a>,
    promise: i32,
}

impl Offer<'_> {
    /// What the side to move next has to gain so that this gains so much, or, if that is the other side, so that it
    /// does not.
    fn needs(&self, target: i8) -> i8 {
        if self.again { target - self.banks } else { self.banks - target + 1 }
    }

    /// What it gains if the side to move next gains so much.
    fn gains(&self, next: i8) -> i8 {
        self.banks + if self.again { next } else { -next }
    }

    /// Takes in what is certain of where it leads to.
    fn learn(&mut self, fact: Fact) {
        let (worse, better) = if self.again { (fact.least, fact.most) } else { (fact.most, fact.least) };
        (self.least, self.most) = (self.gains(worse), self.gains(better));
        self.to.first = fact.pit;
    }
}

type Offers<'a> = ArrayVec<Offer<'a>, 6>;

impl<'a, R: Rules> Worker<'a, R> {
    /// Whether the side to move can gain so much: a bound of its gain, from below if that is no less than the target,
    /// otherwise from above. If the search was stopped it says nothing.
    pub(super) fn gains(&mut self, open: Open<'a>, target: i8, ply: usize) -> i8 {
        if self.has_to_stop() {
            return target;
        }
        let before = self.nodes;
        self.nodes += 1;
        self.deepest = self.deepest.max(ply);
        let (mut shelf, mut first) = (open.shelf, open.first);
        if shelf.is_none() && open.seeds > self.beyond_endgames(NOT_KEPT) {
            let own = self.table.shelf(number::<R>(open.board, open.seeds));
            shelf = Some(own);
            if let Some(fact) = own.fact() {
                if fact.least >= target {
                    return fact.least;
                }
                if fact.most < target {
                    return fact.most;
                }
                first = fact.pit;
            }
        }
        let (best, pit) = self.best_offer(open.board, target, ply, first);
        if self.stopped {
            return target;
        }
        if let Some(shelf) = shelf {
            let known = shelf.fact().unwrap_or(Fact::of_seeds(open.seeds));
            let fact = if best >= target {
                Fact { least: best.max(known.least), pit, ..known }
            } else {
                Fact { most: best.min(known.most), ..known }
            };
            self.table.remember_fact(shelf, fact, self.nodes - before);
        }
        best
    }

    /// The bound that the moves of a node give, and the move that gives it if it is enough.
    fn best_offer(&mut self, board: Board, target: i8, ply: usize, first: Option<Pit>) -> (i8, Option<Pit>) {
        let mut offers = self.offers(board, target);
        for offer in &mut offers {
            if let Some(fact) = offer.to.shelf.and_then(Shelf::fact) {
                offer.learn(fact);
            }
            if offer.least >= target {
                return (offer.least, Some(offer.pit));
            }
        }
        let most = |offer: &Offer<'_>| if offer.most < target { offer.most } else { i8::MIN };
        let mut best = offers.iter().map(most).fold(i8::MIN, i8::max);
        offers.retain(|offer| offer.most >= target);
        let known = offers.iter().position(|offer| Some(offer.pit) == first);
        let first = usize::from(known.is_some());
        for index in 0..offers.len() {
            match known {
                Some(known) if index == 0 => offers.swap(0, known),
                _ => bring_forward::<R>(board, &mut offers[index..], index == first),
            }
            let offer = offers[index];
            let found = offer.gains(self.gains(offer.to, offer.needs(target), ply + 1));
            if self.stopped {
                return (target, None);
            }
            best = best.max(found);
            if found >= target {
                return (found, Some(offer.pit));
            }
        }
        (best, None)
    }

    /// The moves of a node, and what the rules, the seeds and the endgames say of them.
    #[inline]
    fn offers(&mut self, board: Board, target: i8) -> Offers<'a> {
        let mut offers = Offers::new();
        for pit in R::moves(board) {
            let Some(step) = R::play(board, pit) else { continue };
            let (again, lead) = (step.again, step.board.lead());
            let to = Open::new(step.board);
            let banks = if again { lead } else { -lead };
            let mut offer = Offer { pit, again, banks, least: 0, most: 0, to, promise: 0 };
            if let Some(gain) = self.end_of(to) {
                offer.learn(Fact { least: gain, most: gain, pit: None });
            } else {
                offer.learn(Fact::of_seeds(to.seeds));
                let open = offer.least < target && offer.most >= target;
                if open && to.seeds > self.beyond_endgames(NOT_ASKED) {
                    let shelf = self.table.shelf(number::<R>(to.board, to.seeds));
                    shelf.touch();
                    offer.to.shelf = Some(shelf);
                }
            }
            offers.push(offer);
        }
        offers
    }

    /// The gain of a board that is over or that the endgames know.
    #[inline]
    fn end_of(&mut self, open: Open<'_>) -> Option<i8> {
        if let Some(ending) = R::ending(open.board) {
            return Some(ending.margin());
        }
        if self.covered.is_none_or(|covered| open.seeds > covered) {
            return None;
        }
        let score = self.endgames.probe::<R>(open.board, open.seeds)?;
        self.hits += 1;
        Some((score.value.centiseeds() / CENTISEEDS) as i8)
    }

    /// So many seeds more than the endgames have.
    #[inline]
    fn beyond_endgames(&self, seeds: u8) -> u8 {
        self.covered.map_or(0, |covered| covered + seeds)
    }

    /// A move of a board that gains so much, if one does and is found.
    pub(super) fn move_that_gains(&mut self, board: Board, target: i8) -> Option<Pit> {
        let first = self.table.shelf(number::<R>(board.without_stores(), board.seeds())).fact();
        let (best, pit) = self.best_offer(board.without_stores(), target, 1, first.and_then(|fact| fact.pit));
        pit.filter(|_| best >= target && !self.stopped)
    }
}

/// Brings the most promising of the moves that are left to the front. Mostly the first is enough, so nothing is sorted.
fn bring_forward<R: Rules>(board: Board, offers: &mut [Offer<'_>], fresh: bool) {
    if fresh && offers.len() > 1 {
        for offer in &mut *offers {
            offer.promise = promise::<R>(board, offer);
        }
    }
    let most =
        (0..offers.len()).max_by_key(|&index| (offers[index].promise, Reverse(offers[index].pit.index())));
    offers.swap(0, most.unwrap_or(0));
}
