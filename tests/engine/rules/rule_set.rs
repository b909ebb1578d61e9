//! Capabilities that every rule set has by its rules alone, without a network or handicaps of its own.
//!
//! `tests/fixtures/rule_set/add.sh` runs these tests, and those of `properties.rs`, with rule sets that it has just added: one file and
//! one line each.

use kroo::endgames::Endgames;
use kroo::evaluate::Weights;
use kroo::game::{Board, Cycle, Game, MOVE_LIMIT, Position, Rules, Side, Variant, Visitor, names, split_mix};
use kroo::level::{LEVELS, Strength};
use kroo::players::{PlayerConfig, Silent, Turn, player};
use kroo::roster::{PLAYERS, PlayerName};
use kroo::value::{Proof, Score, by_margin};
use std::collections::{BTreeSet, HashMap};
use support::naive::{Naive, Rules as NaiveRules};

/// Seeds of the endgames to build and probe.
const SEEDS: u8 = 6;

fn naive(variant: Variant, position: &Position) -> Naive {
    let start = Position::start(variant);
    let seeds = Side::BOTH.map(|side| u32::from(start.row(side).seeds())).iter().sum();
    Naive::parse_of(NaiveRules::named(variant.name()), seeds, &position.to_string())
}

/// A game after some random moves.
fn wandered(variant: Variant, plies: usize, state: &mut u64) -> Game {
    let mut game = Game::new(Position::start(variant));
    for _ in 0..plies {
        let moves = game.position().moves();
        if !moves.is_empty() {
            game.play(moves[split_mix(state) as usize % moves.len()]).expect("a listed move");
        }
    }
    game
}

#[test]
fn names_and_texts_are_there() {
    let names: BTreeSet<&str> = names().into_iter().collect();
    assert_eq!(names.len(), Variant::listed().len());
    for &variant in Variant::ALL {
        let name = variant.name();
        assert!(
            !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()),
            "{name}"
        );
        assert_eq!(name.parse(), Ok(variant));
        assert_eq!(format!("{variant:?}"), name);
        let about = variant.about();
        for text in [about.title, about.sowing, about.capturing, about.ending] {
            assert!(!text.is_empty(), "{name} leaves something untold");
        }
    }
}

#[test]
fn move_sequences_from_the_start_are_those_of_a_slow_count() {
    for &variant in Variant::ALL {
        let start = Position::start(variant);
        for depth in 1..=5 {
            assert_eq!(
                start.perft(depth, &|| false),
                Some(naive(variant, &start).perft(depth)),
                "{variant} {depth}"
            );
        }
    }
}

#[test]
fn a_rule_set_without_network_counts_the_stores() {
    struct Lead<'a>(&'a Weights, Board);
    impl Visitor for Lead<'_> {
        type Output = bool;
        fn visit<R: Rules>(self) -> bool {
            self.0.centiseeds::<R>(self.1) == 100 * i32::from(self.1.lead())
        }
    }
    for &variant in Variant::ALL {
        let weights = Weights::built_in(variant);
        assert_eq!(Weights::from_bytes(&weights.to_bytes(), variant).as_ref(), Ok(&*weights));
        let (mut only_lead, mut state) = (true, 5);
        for plies in 0..40 {
            let board = wandered(variant, plies, &mut state).position().board();
            only_lead &= variant.visit(Lead(&weights, board));
        }
        assert_eq!(only_lead, variant.about().network.is_none(), "{variant}");
    }
}

/// Every player at every level plays a legal game to its end.
#[test]
fn everybody_plays_a_game() {
    for &variant in Variant::ALL {
        for &(who, ..) in PLAYERS.iter().filter(|(who, ..)| who.plays(variant)) {
            let levels = if who == PlayerName::Kroo { LEVELS } else { &LEVELS[LEVELS.len() - 1..] };
            for &(level, _) in levels {
                let mut player = player(who, &PlayerConfig::new(variant)).expect("it plays these rules");
                let mut state = 9;
                let mut game = wandered(variant, 2, &mut state);
                while game.position().verdict().is_none() && game.moves().len() < MOVE_LIMIT {
                    let moves = game.position().moves();
                    let mv = if game.position().side() == Side::South {
                        let mut turn = Turn::new(&game);
                        (turn.request.depth, turn.request.nodes, turn.strength) =
                            (4, 3000, Strength::Level(level));
                        player.choose(&turn, &mut Silent).pv[0]
                    } else {
                        moves[split_mix(&mut state) as usize % moves.len()]
                    };
                    game.play(mv).unwrap_or_else(|error| panic!("{variant} {who:?} {level:?}: {error}"));
                }
            }
        }
    }
}

/// The exact final difference for the side to move, by exhaustive search.
fn margin(game: &Naive, known: &mut HashMap<String, i32>) -> i32 {
    let lead = |game: &Naive| game.stores[game.side] as i32 - game.stores[1 - game.side] as i32;
    if game.result.is_some() {
        return lead(game);
    }
    let text = game.text();
    if let Some(&margin) = known.get(&text) {
        return margin;
    }
    let tried = game.legal().into_iter().map(|pit| {
        let mut next = game.clone();
        next.play(pit);
        let value = margin(&next, known);
        if next.side == game.side { value } else { -value }
    });
    let best = tried.max().expect("a game that is not over has a move");
    known.insert(text, best);
    best
}

/// A board with few seeds in the pits, the rest in the stores.
fn with_few_seeds<R: Rules>(seeds: u8, state: &mut u64) -> Position {
    let mut numbers = [0; 14];
    (0..seeds).for_each(|_| numbers[split_mix(state) as usize % 12] += 1);
    let rest = R::SEEDS - seeds;
    numbers[12] = rest / 2;
    numbers[13] = rest - rest / 2;
    let text: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    Position::parse(R::VARIANT, &format!("{}-S", text.join("-"))).expect("seeds add up")
}

/// Visitor: without cycles, endgames and search agree with exhaustive search.
struct Exact;

impl Visitor for Exact {
    type Output = ();

    fn visit<R: Rules>(self) {
        let (endgames, mut known, mut state) = (Endgames::new(), HashMap::new(), 3);
        assert!(endgames.build::<R>(SEEDS, &mut || false));
        let exact = |margin: i32| Score { value: by_margin(margin as i8), proof: Proof::EXACT };
        for round in 0..250 {
            let position = with_few_seeds::<R>(1 + round % SEEDS, &mut state);
            if position.verdict().is_some() {
                continue;
            }
            let board = position.board();
            let score = endgames.probe::<R>(board, board.seeds()).unwrap_or_default();
            if R::CYCLE == Cycle::Impossible {
                let truth = margin(&naive(R::VARIANT, &position), &mut known);
                assert_eq!(score, exact(truth), "{position} in {}", R::VARIANT);
            }
        }
        let searches = if R::CYCLE == Cycle::Impossible { 6 } else { 0 };
        for _ in 0..searches {
            let position = with_few_seeds::<R>(10, &mut state);
            if position.verdict().is_some() {
                continue;
            }
            let mut turn = Turn::new(&Game::new(position));
            (turn.request.depth, turn.request.nodes) = (30, 2_000_000);
            let mut kroo =
                player(PlayerName::Kroo, &PlayerConfig::new(R::VARIANT)).expect("it plays all rules");
            let score = kroo.choose(&turn, &mut Silent).score;
            let truth = margin(&naive(R::VARIANT, &position), &mut known);
            assert_eq!(score, exact(truth), "{position} in {}", R::VARIANT);
        }
    }
}

#[test]
fn endgames_and_searches_to_the_end_are_right() {
    Variant::ALL.iter().for_each(|variant| variant.visit(Exact));
}
