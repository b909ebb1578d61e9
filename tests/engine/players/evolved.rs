//! The evolved player against plain minimax, implemented here with the naive rules.

use kroo::game::{Board, Game, Move, Pit, Position, Rules, Side, Variant, Visitor, split_mix};
use kroo::players::evolved::{Choice, Evaluator, Minimax, Terms, legal_pits};
use std::collections::BTreeSet;
use support::naive::{Naive, Rules as NaiveRules};
use support::one_of;

/// How many pits of a row with `seeds` seeds a single move of the other side takes.
fn vulnerable(game: &Naive, taker: usize, seeds: u32) -> usize {
    let pits = game.prey(taker).into_iter().flatten().filter(|&(_, held)| held == seeds);
    pits.map(|(pit, _)| pit).collect::<BTreeSet<usize>>().len()
}

/// f, for a side.
fn f(game: &Naive, weights: [f64; 6], side: usize) -> f64 {
    let other = 1 - side;
    let terms = [
        vulnerable(game, side, 2) as f64,
        vulnerable(game, side, 3) as f64,
        vulnerable(game, other, 2) as f64,
        vulnerable(game, other, 3) as f64,
        f64::from(game.stores[other]),
        f64::from(game.stores[side]),
    ];
    let mut sum = weights[0] * terms[0];
    for term in 1..6 {
        sum += weights[term] * terms[term];
    }
    sum
}

/// Every line to its end, for a side.
fn minimax(game: &Naive, weights: [f64; 6], side: usize, depth: u32) -> f64 {
    let moves = game.legal();
    if depth == 0 || moves.is_empty() {
        return f(game, weights, side);
    }
    let values = moves.into_iter().map(|pit| {
        let mut after = game.clone();
        after.play(pit);
        minimax(&after, weights, side, depth - 1)
    });
    if game.side == side {
        values.fold(f64::NEG_INFINITY, f64::max)
    } else {
        values.fold(f64::INFINITY, f64::min)
    }
}

/// The first of the best moves, and its value.
fn plain(game: &Naive, weights: [f64; 6], depth: u32) -> (usize, f64) {
    let mut best = (usize::MAX, f64::NEG_INFINITY);
    for pit in game.legal() {
        let mut after = game.clone();
        after.play(pit);
        let value = minimax(&after, weights, game.side, depth - 1);
        if value > best.1 {
            best = (pit, value);
        }
    }
    best
}

struct Choose<'a> {
    room: &'a mut Minimax,
    evaluator: &'a Evaluator,
    line: &'a [Board],
    depth: u8,
}

impl Visitor for Choose<'_> {
    type Output = Choice;

    fn visit<R: Rules>(self) -> Choice {
        let Choose { room, evaluator, line, depth } = self;
        let pits = legal_pits::<R>(*line.last().expect("a board"));
        room.choose::<R>(evaluator, line, &pits, depth, &mut |_| false, &mut |_| {})
            .expect("it is not stopped")
    }
}

struct Count(Board, bool);

impl Visitor for Count {
    type Output = Terms;

    fn visit<R: Rules>(self) -> Terms {
        Terms::of::<R>(self.0, self.1)
    }
}

/// Random numbers from a seed.
struct Rng(u64);

impl Rng {
    fn below(&mut self, many: usize) -> usize {
        (split_mix(&mut self.0) % many as u64) as usize
    }

    /// Weights of many kinds: fine, and coarse so that values are often equal; some zeros; large stores.
    fn weights(&mut self) -> [f64; 6] {
        let kind = self.below(4);
        let mut weights = std::array::from_fn(|_| match kind {
            0 => self.below(3) as f64 - 1.0,
            1 => (self.below(9) as f64 - 4.0) / 4.0,
            _ => (split_mix(&mut self.0) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0,
        });
        if kind == 3 {
            weights[4] *= 8.0;
            weights[5] *= 8.0;
        }
        weights
    }
}

/// An unfinished game after `plies` random moves, in both representations.
fn wandered(variant: Variant, rules: NaiveRules, plies: usize, rng: &mut Rng) -> Option<(Game, Naive)> {
    let (mut game, mut naive) = (Game::new(Position::start(variant)), Naive::start(rules));
    for _ in 0..plies {
        let moves = naive.legal();
        let pit = moves[rng.below(moves.len())];
        let side = Side::BOTH[naive.side];
        game.play(Move { side, pit: Pit::new(pit) }).expect("both know the rules");
        naive.play(pit);
        if naive.result.is_some() {
            return None;
        }
    }
    Some((game, naive))
}

/// An unfinished set-up of few seeds in the pits, or of one large pit.
fn set_up(variant: Variant, rules: NaiveRules, rng: &mut Rng) -> Option<(Game, Naive)> {
    let mut numbers = [0; 14];
    let seeds = rules.seeds() as usize;
    let inside = 4 + rng.below(26);
    if rng.below(2) == 0 {
        numbers[rng.below(12)] += 11 + rng.below(8);
    }
    (0..inside).for_each(|_| numbers[rng.below(12)] += 1);
    let left = seeds.checked_sub(numbers.iter().sum())?;
    numbers[12] = left / 2 + rng.below(3).min(left - left / 2);
    numbers[13] = left - numbers[12];
    let side = ["S", "N"][rng.below(2)];
    let text = numbers.map(|number| format!("{number}-")).concat() + side;
    let naive = Naive::parse(rules, &text);
    let position = Position::parse(variant, &text).expect("the seeds add up");
    naive.result.is_none().then(|| (Game::new(position), naive))
}

fn positions(variant: Variant, many: usize, seed: u64) -> Vec<(Game, Naive, Rng)> {
    let rules = NaiveRules::named(variant.name());
    let mut rng = Rng(seed);
    let mut found = Vec::new();
    while found.len() < many {
        let place = match found.len() % 3 {
            0 => {
                let plies = rng.below(30);
                wandered(variant, rules, plies, &mut rng)
            }
            1 => {
                let plies = 30 + rng.below(120);
                wandered(variant, rules, plies, &mut rng)
            }
            _ => set_up(variant, rules, &mut rng),
        };
        if let Some((game, naive)) = place {
            found.push((game, naive, Rng(split_mix(&mut rng.0))));
        }
    }
    found
}

/// Compares choices and their values; the search memory is reused as in a game.
fn choose_alike(variant: Variant, many: usize, seed: u64, depths: [u64; 5]) {
    let mut room = Minimax::default();
    for (index, (game, naive, mut rng)) in positions(variant, many, seed).into_iter().enumerate() {
        let weights = rng.weights();
        let depth = depths[index % 5];
        let evaluator = Evaluator::new(weights);
        let line = game.line().to_vec();
        let found =
            variant.visit(Choose { room: &mut room, evaluator: &evaluator, line: &line, depth: depth as u8 });
        let (pit, value) = plain(&naive, weights, depth as u32);
        let wanted = Choice { pit: Pit::new(pit), value };
        assert_eq!(found, wanted, "{variant} {} depth {depth} {weights:?}", naive.text());
    }
}

#[test]
fn a_thousand_choices_are_those_of_plain_minimax() {
    choose_alike(Variant::Awari, 1000 / one_of(4), 7, [1, 2, 3, 4, 5]);
}

#[test]
fn at_the_papers_depth_and_beside_it() {
    choose_alike(Variant::Awari, 25 / one_of(4), 11, [6, 7, 6, 7, 6]);
}

#[test]
fn in_the_other_games_too() {
    for &variant in Variant::ALL {
        choose_alike(variant, 150 / one_of(3), 13, [1, 2, 3, 4, 3]);
    }
}

#[test]
fn terms_are_counted_as_the_rules_say() {
    for &variant in Variant::ALL {
        for (game, naive, _) in positions(variant, 2000 / one_of(4), 17) {
            let (side, board) = (naive.side, game.position().board());
            for (asked, for_mover) in [(side, true), (1 - side, false)] {
                let terms = variant.visit(Count(board, for_mover));
                let found = [terms.theirs.twos, terms.theirs.threes, terms.own.twos, terms.own.threes];
                let other = 1 - asked;
                let wanted = [(asked, 2), (asked, 3), (other, 2), (other, 3)]
                    .map(|(taker, seeds)| vulnerable(&naive, taker, seeds) as u8);
                assert_eq!(found, wanted, "{variant} {} for {asked}", naive.text());
                assert_eq!(u32::from(terms.own_store), naive.stores[asked]);
                assert_eq!(u32::from(terms.their_store), naive.stores[other]);
            }
        }
    }
}

/// Appendix C: E takes eleven and wins at once; D first, and E takes thirteen two moves later.
#[test]
fn it_prefers_thirteen_seeds_to_a_win() {
    let text = "0-0-0-2-17-0-0-0-0-0-1-0-19-9-S";
    let position = Position::parse(Variant::Awari, text).expect("a position");
    let evaluator = Evaluator::new([0.0, 0.0, 0.0, 0.0, -1.0, 1.0]);
    let line = [position.board()];
    let choice = Variant::Awari.visit(Choose {
        room: &mut Minimax::default(),
        evaluator: &evaluator,
        line: &line,
        depth: 3,
    });
    assert_eq!(choice, Choice { pit: Pit::new(3), value: 23.0 });
}
