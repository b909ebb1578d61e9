//! What a search asks of the endgames: which levels, in the tree, and at the root.

pub(super) mod conversion;

use crate::game::{Cycle, Rules, Verdict};
use crate::search::Given;
use crate::search::node::{At, Worker};
use crate::search::result::Found;
use crate::search::root::{Root, RootMove};
use crate::value::{Score, Value};
use conversion::{self as ways, Ways};

/// Boards that ways to a known result may take for each node of the search.
const BOARDS_A_NODE: usize = 8;
/// Boards that they may take in any case: a few milliseconds.
const SOME_BOARDS: usize = 10_000;

impl<R: Rules> Worker<'_, R> {
    /// What the endgames say of a board, if that is enough for the window.
    #[inline]
    pub(in crate::search) fn look_up(&mut self, at: At, alpha: Value, beta: Value) -> Option<Found> {
        let seeds = at.board.seeds();
        if R::CYCLE == Cycle::EndsGame && at.quiet > 0 {
            return None;
        }
        let score = if self.covered.is_some_and(|covered| seeds <= covered) {
            self.endgames.probe::<R>(at.board, seeds)?
        } else {
            self.astray(at, seeds)?
        };
        let cuts = score.proof.at_least && score.value >= beta || score.proof.at_most && score.value <= alpha;
        (cuts || score.proof.is_exact()).then(|| {
            self.hits += 1;
            Found::free(score.value, score.proof)
        })
    }

    /// What the endgames say of a board with as many seeds as a root that they know, if it is not what they say of the
    /// root. The boards that keep the root's result are searched, for the way that brings it about.
    #[inline]
    fn astray(&self, at: At, seeds: u8) -> Option<Score> {
        let (_, worth) = self.goal.filter(|goal| goal.0 == seeds)?;
        let score = self.endgames.probe::<R>(at.board, seeds)?;
        // The sides take turns wherever play can go round in circles.
        let seen_from_the_root = if at.ply.is_multiple_of(2) { score.value } else { score.value.turned() };
        (seen_from_the_root != worth).then_some(score)
    }

    /// Builds the endgames that have become worth their cost, and looks the root up.
    pub(in crate::search) fn consult(&mut self, root: &mut Root) {
        if self.most_covered == 0 {
            return;
        }
        let earned = self.table.endgames_worth_their_cost::<R>(self.nodes, root.at.board.seeds());
        let Some(wanted) = self.given().max(earned).map(|seeds| seeds.min(self.most_covered)) else { return };
        let (observer, nodes) = (&mut self.observer, self.nodes);
        // Also before the first iteration: without endgames there is something to say as well.
        if self.endgames.build::<R>(wanted, &mut || observer.stop(nodes)) {
            self.look_up_to(root, wanted);
            if let Some(team) = self.team {
                team.look_up_to(wanted);
            }
        } else {
            self.table.endgames_were_late();
        }
    }

    /// Where the result is known: leaves the moves that bring it about soonest, or last for who suffers it. A win that
    /// deepening has found is not enough: there may be one as good after every move, for ever. It may take a few times
    /// as many boards as nodes so far, and what has been gathered serves the searches that follow.
    pub(in crate::search) fn find_ways(&mut self, root: &mut Root) {
        let Some(certain) = self.to_bring_about(root) else { return };
        let worth = certain.value;
        let board = root.at.board;
        let found = root.best().score.and_then(|score| score.proven()).is_some();
        let Some(attacker) = ways::attacks::<R>(board, worth).filter(|&attacks| !(attacks && found)) else {
            return;
        };
        if root.lines > 1 || root.restricted || root.moves.len() == 1 {
            return;
        }
        let trodden = &self.path[self.root - root.at.quiet..self.root];
        let mut ways = self.table.ways();
        if !ways.as_ref().is_some_and(|ways| ways.have::<R>(board, worth, trodden)) {
            *ways = Ways::begin::<R>(board, worth, trodden);
        }
        let Some(ways) = ways.as_mut() else { return };
        let most = SOME_BOARDS.max(BOARDS_A_NODE * self.nodes as usize);
        let (observer, nodes) = (&mut self.observer, self.nodes);
        let known =
            ways.gather::<R>(self.endgames, self.table.generation(), most, &mut || observer.stop(nodes));
        if !known || !ways.have::<R>(board, worth, trodden) {
            return;
        }
        let plies = |mv: &RootMove| {
            let after = R::play(board, mv.pit)?.board;
            ways.plies_after::<R>(self.endgames, after, attacker)
        };
        let all = root.moves.iter().filter_map(plies);
        let best = if attacker { all.min() } else { all.max() };
        let keeps = |mv: &RootMove| plies(mv) == best;
        if best.is_some() && R::CYCLE == Cycle::EndsGame {
            root.narrow(keeps, certain);
        } else if best.is_some() {
            root.moves.retain(keeps);
        }
    }

    /// What the endgames know of a root.
    fn to_bring_about(&self, root: &Root) -> Option<Score> {
        let (board, seeds) = (root.at.board, root.at.board.seeds());
        match R::CYCLE {
            Cycle::EndsGame if self.covered.is_some_and(|covered| seeds <= covered) => {
                self.endgames.probe::<R>(board, seeds)
            }
            _ => root.certain,
        }
    }

    /// Up to how many seeds the endgames are taken for granted.
    fn given(&self) -> Option<u8> {
        match self.given {
            Given::Nothing => None,
            Given::UpTo(seeds) => Some(seeds),
            Given::WhatThereIs => self.endgames.built::<R>(),
        }
    }

    /// Takes what the endgames of up to so many seeds say of the root; boards below it are looked up from here on.
    pub(in crate::search) fn look_up_to(&mut self, root: &mut Root, built: u8) {
        self.covered = root.consult::<R>(self.endgames, built);
        // Where a result is to be kept and brought about, boards that have lost it need no search.
        self.goal = root.certain.filter(|_| R::CYCLE == Cycle::ScoreStands).and_then(|score| {
            (score.proven() != Some(Verdict::Draw)).then_some((root.at.board.seeds(), score.value))
        });
    }
}
