//! `random`, `greedy`, `careful`: each against a few plain lines, with every turn enumerated.

use super::{chosen, seated};
use kroo::game::{Game, Move, Position, Side, Variant};
use kroo::players::{Silent, Turn};
use kroo::roster::{PLAYERS, PlayerName};
use proptest::prelude::*;
use std::collections::BTreeMap;
use support::games::{any_game, is_over};
use support::one_of;

/// Every turn from a position, in order, with its last position. `None` if there are too many.
fn turns(position: &Position, side: Side) -> Option<Vec<(Vec<Move>, Position)>> {
    let mut all = vec![(Vec::new(), *position)];
    loop {
        let goes_on = |(_, at): &(Vec<Move>, Position)| at.verdict().is_none() && at.side() == side;
        let Some(index) = all.iter().position(goes_on) else { return Some(all) };
        let (line, at) = all.remove(index);
        let next =
            at.moves().into_iter().map(|mv| ([&line[..], &[mv]].concat(), at.play(mv).expect("legal")));
        all.splice(index..index, next);
        if all.len() > 1000 {
            return None;
        }
    }
}

/// The largest gain of one move of the side to move.
fn largest_gain(position: &Position) -> i32 {
    let store = |position: &Position, side| i32::from(position.store(side));
    let side = position.side();
    let gain = |mv| store(&position.play(mv).expect("legal"), side) - store(position, side);
    position.moves().into_iter().map(gain).max().unwrap_or(0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600 / one_of(4) as u32))]

    #[test]
    fn greedy_takes_the_first_turn_that_fills_its_store_most(game in any_game(0..60)) {
        prop_assume!(!is_over(&game));
        let side = game.position().side();
        let turns = turns(game.position(), side);
        prop_assume!(turns.is_some());
        let turns = turns.expect("few");
        let most = turns.iter().map(|(_, end)| end.store(side)).max().expect("a turn");
        let (first, _) = turns.into_iter().find(|(_, end)| end.store(side) == most).expect("a turn");
        let variant = game.position().variant();
        let report = seated(PlayerName::Greedy, variant, 1).choose(&Turn::new(&game), &mut Silent);
        prop_assert_eq!(&report.pv, &first);
        prop_assert_eq!(report.score.value.centiseeds(), i32::from(most) * 100);
    }

    #[test]
    fn careful_takes_one_of_the_turns_that_are_best_after_the_answer(game in any_game(0..60), seed in 0..9u64) {
        prop_assume!(!is_over(&game));
        let side = game.position().side();
        let turns = turns(game.position(), side);
        prop_assume!(turns.is_some());
        let turns = turns.expect("few");
        let worth = |end: &Position| {
            i32::from(end.store(side)) - if end.verdict().is_some() { 0 } else { largest_gain(end) }
        };
        let best = turns.iter().map(|(_, end)| worth(end)).max().expect("a turn");
        let variant = game.position().variant();
        let report = seated(PlayerName::Careful, variant, seed).choose(&Turn::new(&game), &mut Silent);
        let line = turns.iter().find(|(line, _)| *line == report.pv);
        prop_assert!(line.is_some_and(|(_, end)| worth(end) == best), "{:?} {}", report.pv, game.position());
        prop_assert_eq!(report.score.value.centiseeds(), best * 100);
    }

    #[test]
    fn whoever_plays_plays_legal_moves_and_the_same_from_the_same_seed(game in any_game(0..90), seed in any::<u32>()) {
        prop_assume!(!is_over(&game));
        let variant = game.position().variant();
        for &(who, name, variants) in PLAYERS {
            if !variants.contains(&variant) || who == PlayerName::Kroo {
                continue;
            }
            let turn = |nodes| {
                let mut turn = Turn::new(&game);
                turn.request.nodes = nodes;
                turn
            };
            let ask = |nodes| seated(who, variant, seed.into()).choose(&turn(nodes), &mut Silent);
            let report = ask(u64::MAX);
            let mut replay = game.clone();
            for &mv in &report.pv {
                prop_assert!(replay.play(mv).is_ok(), "{} plays {} in {}", name, mv, replay.position());
            }
            prop_assert_eq!(&report.pv, &ask(u64::MAX).pv);
            // The node limit holds, however small, and a move is returned.
            prop_assert!(ask(1).nodes == 1 && ask(2).nodes <= 2 && !ask(1).pv.is_empty());
            // Only requested moves are played, and every line has a first move of its own.
            let mut only = turn(u64::MAX);
            only.request.search_moves = vec![game.position().moves()[0].pit];
            let report = seated(who, variant, 1).choose(&only, &mut Silent);
            prop_assert_eq!(report.pv[0], game.position().moves()[0]);
            let mut wide = turn(u64::MAX);
            wide.request.multipv = 6;
            let report = seated(who, variant, 1).choose(&wide, &mut Silent);
            let mut first: Vec<char> = report.others.iter().map(|line| line.pv[0].letter()).collect();
            first.push(report.pv[0].letter());
            first.sort_unstable();
            let mut legal: Vec<char> = game.position().moves().iter().map(|mv| mv.letter()).collect();
            legal.sort_unstable();
            prop_assert_eq!(first, legal);
            prop_assert!(report.others.iter().all(|line| line.score.value <= report.score.value));
        }
    }
}

/// How often each line is chosen.
fn drawn(who: PlayerName, game: &Game, times: usize) -> BTreeMap<String, usize> {
    let mut player = seated(who, game.position().variant(), 3);
    let mut counts = BTreeMap::new();
    for _ in 0..times {
        let report = player.choose(&Turn::new(game), &mut Silent);
        *counts.entry(report.pv.iter().map(|mv| mv.letter()).collect()).or_default() += 1;
    }
    counts
}

#[test]
fn lots_fall_evenly_on_moves_and_on_equal_turns() {
    let start = Game::new(Position::start(Variant::Oware));
    let counts = drawn(PlayerName::Random, &start, 6000);
    assert!(counts.len() == 6 && counts.values().all(|count| (880..1120).contains(count)), "{counts:?}");
    // At kalah's start several turns of two moves are equal; each is chosen equally often.
    let start = Game::new(Position::start(Variant::Kalah));
    let side = start.position().side();
    let turns = turns(start.position(), side).expect("few");
    let worth = |end: &Position| i32::from(end.store(side)) - largest_gain(end);
    let best = turns.iter().map(|(_, end)| worth(end)).max().expect("a turn");
    let equal = turns.iter().filter(|(_, end)| worth(end) == best).count();
    assert!(equal > 1, "{equal}");
    let counts = drawn(PlayerName::Careful, &start, 1000 * equal);
    assert_eq!(counts.len(), equal);
    assert!(counts.values().all(|count| (850..1150).contains(count)), "{counts:?}");
}

#[test]
fn another_seed_plays_another_game() {
    for who in [PlayerName::Random, PlayerName::Careful] {
        let game = |seed| {
            let mut player = seated(who, Variant::Awari, seed);
            let mut game = Game::new(Position::start(Variant::Awari));
            while !is_over(&game) && game.moves().len() < 60 {
                let mv = chosen(&mut *player, &game);
                game.play(mv).expect("legal");
            }
            game.moves().to_vec()
        };
        assert_eq!(game(5), game(5));
        assert_ne!(game(5), game(6));
    }
}

#[test]
fn in_a_long_chain_greedy_finds_the_longest() {
    // Many pits reach the store, in many orders: tens of thousands of turns.
    let fen = "6-5-4-3-2-1-4-4-4-4-4-4-3-0-S";
    let game = Game::new(Position::parse(Variant::Kalah, fen).expect("a position"));
    let report = seated(PlayerName::Greedy, Variant::Kalah, 1).choose(&Turn::new(&game), &mut Silent);
    let mut replay = game.clone();
    report.pv.iter().for_each(|&mv| replay.play(mv).expect("legal"));
    assert!(report.pv.len() > 6 && report.nodes < 5000, "{} moves, {} nodes", report.pv.len(), report.nodes);
    assert_eq!(report.score.value.centiseeds(), 100 * i32::from(replay.position().store(Side::South)));
}

#[test]
fn the_roster_is_in_order() {
    for (index, (who, name, variants)) in PLAYERS.iter().enumerate() {
        assert_eq!((*who as usize, who.name(), who.variants()), (index, *name, *variants));
    }
    assert!(Variant::ALL.iter().all(|&variant| PlayerName::default().plays(variant)));
}
