//! The levels: legal, prompt, reproducible, and in order of strength.

use kroo::game::{Game, Move, Side, Variant, Verdict, split_mix};
use kroo::level::{ELO, LEVELS, Level, Strength};
use kroo::players::{Kroo, Player, Turn};
use kroo::search::{Observer, Report, Request};
use proptest::prelude::*;
use support::games::{any_game, is_over, random_game};

/// Never stops the search; counts its reports.
#[derive(Default)]
struct Count(usize);

impl Observer for Count {
    fn stop(&mut self, _nodes: u64) -> bool {
        false
    }

    fn iteration(&mut self, _report: &Report) -> bool {
        self.0 += 1;
        false
    }
}

fn asked(game: &Game, strength: Strength) -> Report {
    Kroo.choose(&Turn { strength, ..Turn::new(game) }, &mut Count::default())
}

/// The levels that are held back, and any Elo.
fn any_strength() -> impl Strategy<Value = Strength> {
    prop_oneof![prop::sample::select(weak()).prop_map(Strength::Level), ELO.prop_map(Strength::Elo)]
}

/// The levels below full strength.
fn weak() -> Vec<Level> {
    LEVELS.iter().map(|(level, _)| *level).filter(|&level| level != Level::Full).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn a_level_keeps_within_its_handicap_and_answers_the_same_again(
        game in any_game(0..80), strength in any_strength(), nodes in 1..3000u64,
    ) {
        prop_assume!(!is_over(&game));
        let handicap = strength.handicap(game.position().variant()).expect("held back");
        let report = asked(&game, strength);
        let deepest = handicap.depth + u8::from(handicap.deeper > 0);
        prop_assert!(report.nodes <= handicap.max_nodes && (1..=deepest).contains(&report.depth), "{report:?}");
        prop_assert!(report.score.proven().is_none());
        let mut replay = game.clone();
        for &mv in &report.pv {
            prop_assert!(replay.play(mv).is_ok(), "{mv} in {}", replay.position());
        }
        let again = asked(&game, strength);
        prop_assert_eq!((&report.pv, report.score, report.nodes), (&again.pv, again.score, again.nodes));
        // It obeys limits like the full search, and always reports.
        let only = game.position().moves()[0].pit;
        let request = Request { nodes, depth: 1, search_moves: vec![only], ..Request::new(&game) };
        let mut told = Count::default();
        let report = Kroo.choose(&Turn { strength, request, ..Turn::new(&game) }, &mut told);
        prop_assert!(report.nodes <= nodes && report.depth <= 1 && told.0 == 1);
        prop_assert_eq!(report.pv[0].pit, only);
    }
}

/// Plays a game, and returns South's half points: 2, 1 or 0.
fn play(mut game: Game, mut choose: impl FnMut(&Game) -> Move) -> usize {
    for _ in 0..250 {
        if is_over(&game) {
            break;
        }
        let mv = choose(&game);
        game.play(mv).expect("a legal move");
    }
    let [south, north] = Side::BOTH.map(|side| game.position().store(side));
    match game.position().verdict_for(Side::South) {
        Some(verdict) => verdict as usize,
        None => (Verdict::Draw as usize + usize::from(south > north)) - usize::from(south < north),
    }
}

/// One player's half points against another: each opening is played from both sides.
fn points(
    variant: Variant,
    pairs: u64,
    mut one: impl FnMut(&Game) -> Move,
    mut other: impl FnMut(&Game) -> Move,
) -> usize {
    let mut points = 0;
    for seed in 0..pairs {
        let opening = random_game(variant, seed, 4);
        for side in Side::BOTH {
            let south =
                play(
                    opening.clone(),
                    |game| {
                        if game.position().side() == side { one(game) } else { other(game) }
                    },
                );
            points += if side == Side::South { south } else { 2 - south };
        }
    }
    points
}

/// The lowest level is better than random play. `awari1978` has no room for that below the other levels; there it hoards, which
/// is about as bad as random play.
#[test]
fn the_lowest_level_beats_chance() {
    for &variant in Variant::ALL {
        let mut state = 1;
        let won = points(
            variant,
            50,
            |game| asked(game, Strength::Level(Level::Initiation)).pv[0],
            |game| {
                let moves = game.position().moves();
                moves[split_mix(&mut state) as usize % moves.len()]
            },
        );
        let expected = if variant == Variant::Awari1978 { 75..=125 } else { 130..=200 };
        assert!(expected.contains(&won), "{variant}: {won} of 200");
    }
}

/// Two levels apart, so that few games suffice.
#[test]
fn levels_are_in_order() {
    for &variant in Variant::ALL {
        for (weaker, stronger) in [(Level::Initiation, Level::Amateur), (Level::Beginner, Level::Grandmaster)]
        {
            let by = |level| move |game: &Game| asked(game, Strength::Level(level)).pv[0];
            let won = points(variant, 8, by(stronger), by(weaker));
            assert!(won >= 22, "{variant}: {stronger:?} has {won} of 32 against {weaker:?}");
        }
    }
}
