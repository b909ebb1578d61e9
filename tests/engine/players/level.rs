//! Tests of `src/protocol/level.rs`.

use kroo::game::{Game, Handicap, Ladder, Move, Position, Variant};
use kroo::level::*;
use kroo::players::{Silent, Turn};
use kroo::roster::PlayerName;
use kroo::search::{Report, Request};
use support::games::{is_over, random_game};

#[test]
fn the_table_is_in_order() {
    for (index, (level, name)) in LEVELS.iter().enumerate() {
        assert_eq!((*level as usize, level.name()), (index, *name));
        for &variant in Variant::ALL {
            assert_eq!(level.handicap(variant).is_none(), *level == Level::Full);
        }
    }
}

/// Every ladder with the name of its rule set.
fn ladders() -> impl Iterator<Item = (&'static str, Ladder)> {
    let calibrated = Variant::ALL.iter().map(|&variant| (variant.name(), ladder(variant)));
    calibrated.chain([("uncalibrated", UNCALIBRATED)])
}

#[test]
fn each_level_is_held_back_less_than_the_one_below() {
    for (variant, Ladder { levels, .. }) in ladders() {
        for pair in levels.windows(2) {
            let (lower, upper) = (pair[0], pair[1]);
            assert!(lower.depth < upper.depth && lower.max_nodes < upper.max_nodes, "{variant} {pair:?}");
            assert!(is_held_back_more(lower, upper), "{variant} {pair:?}");
        }
    }
}

/// Whether no figure of the first is easier than the second's.
fn is_held_back_more(lower: Handicap, upper: Handicap) -> bool {
    let plies = |of: Handicap| 1000 * u32::from(of.depth) + of.deeper;
    plies(lower) <= plies(upper)
        && lower.max_nodes <= upper.max_nodes
        && lower.overlook >= upper.overlook
        && lower.eval_error >= upper.eval_error
        && lower.row_seed >= upper.row_seed
}

#[test]
fn a_scale_leads_from_the_first_level_to_the_last() {
    for (variant, ladder) in ladders() {
        let (first, last) = (ladder.scale[0], ladder.scale[ladder.scale.len() - 1]);
        assert_eq!((first.0, last.0), (0, 3000), "{variant}");
        assert!(
            ladder.scale.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1),
            "{variant}"
        );
        assert_eq!(ladder.range(), [first.1, last.1]);
        assert!(ELO.contains(&first.1) && ELO.contains(&last.1), "{variant}: {:?}", ladder.range());
    }
}

#[test]
fn the_levels_are_points_of_the_scale() {
    for (variant, ladder) in ladders() {
        let elo_of = |place: u16| ladder.scale.iter().find(|point| point.0 == place).map(|point| point.1);
        for (index, level) in ladder.levels.into_iter().enumerate() {
            let elo = elo_of(1000 * index as u16).unwrap_or_else(|| panic!("{variant} has no level {index}"));
            assert_eq!(ladder.handicap(elo), level, "{variant} {elo}");
        }
    }
}

#[test]
fn the_manual_has_the_elo_of_each_level() {
    let manual = include_str!("../../../docs/manual.md");
    for (index, (_, name)) in LEVELS.iter().take(4).enumerate() {
        let elo = |&variant: &Variant| {
            let ladder = ladder(variant);
            let point = ladder.scale.iter().find(|point| point.0 == 1000 * index as u16).expect("a level");
            format!(" {} |", point.1)
        };
        let row = format!("| `{name}` |{}", Variant::ALL.iter().map(elo).collect::<String>());
        assert!(manual.contains(&row), "{row}");
    }
}

#[test]
fn more_elo_holds_back_less_and_never_more() {
    for (variant, ladder) in ladders() {
        let [least, most] = ladder.range();
        for elo in least..most {
            let (lower, upper) = (ladder.handicap(elo), ladder.handicap(elo + 1));
            assert!(is_held_back_more(lower, upper), "{variant} {elo}: {lower:?} {upper:?}");
        }
        for elo in (least..=most - 25).step_by(25) {
            assert_ne!(ladder.handicap(elo), ladder.handicap(elo + 25), "{variant} {elo}");
        }
        assert_eq!(ladder.handicap(0), ladder.levels[0], "{variant}: below the scale");
        assert_eq!(ladder.handicap(u16::MAX), ladder.levels[3], "{variant}: above the scale");
    }
}

/// A fraction of a ply is a chance to look one ply deeper: from 2.6 plies to 5.2 it is 3.9 half-way.
#[test]
fn fractions_of_a_ply_are_mixed_as_well() {
    let mut ladder = UNCALIBRATED;
    let levels = [(2, 600), (5, 200), (8, 0), (9, 0)];
    for (level, (depth, deeper)) in ladder.levels.iter_mut().zip(levels) {
        (level.depth, level.deeper) = (depth, deeper);
    }
    ladder.scale = &[(0, 1000), (1000, 1100), (3000, 1300)];
    let plies = |elo| {
        let Handicap { depth, deeper, .. } = ladder.handicap(elo);
        (depth, deeper)
    };
    assert_eq!([1000, 1050, 1100].map(plies), [(2, 600), (3, 900), (5, 200)]);
}

#[test]
fn a_strength_is_written_as_it_is_read() {
    for word in ["initiation", "full", "1000", "0"] {
        assert_eq!(word.parse::<Strength>().map(|strength| strength.to_string()), Ok(word.to_owned()));
    }
    for wrong in ["", "2001", "65536", "-500", "strong"] {
        assert_eq!(wrong.parse::<Strength>(), Err(UnknownStrength), "{wrong}");
    }
    assert_eq!(Strength::FULL.handicap(Variant::Oware), None);
}

/// A level finds captures more often than quiet moves, as people do; a player that errs at random finds both equally often.
#[test]
fn a_level_finds_captures_more_often_than_quiet_moves() {
    let [mut found, mut all] = [[0; 2]; 2];
    for seed in 0..300 {
        let game = random_game(Variant::Oware, seed, 8 + seed as usize % 24);
        let Some(best) = clearly_best(&game) else { continue };
        let store = |position: &Position| position.store(game.position().side());
        let capture = store(&game.position().play(best).expect("legal")) > store(game.position());
        let beginner = answer(&game, Strength::Level(Level::Beginner), 1);
        found[usize::from(capture)] += i32::from(beginner.pv[0] == best);
        all[usize::from(capture)] += 1;
    }
    let [quiet, captures] = [0, 1].map(|class| 100 * found[class] / all[class]);
    assert!(all.iter().all(|&all| all >= 80), "{all:?}");
    assert!(captures > quiet + 30, "found {quiet} % of the quiet moves, {captures} % of the captures");
}

/// The move that a short search of full strength prefers by a seed or more.
fn clearly_best(game: &Game) -> Option<Move> {
    let moves = game.position().moves().len();
    if is_over(game) || moves < 3 {
        return None;
    }
    let report = answer(game, Strength::FULL, 2);
    let second = report.others.first()?.score.value;
    (report.score.value.centiseeds() >= second.centiseeds() + 100).then_some(report.pv[0])
}

fn answer(game: &Game, strength: Strength, multipv: usize) -> Report {
    let mut turn = Turn { strength, ..Turn::new(game) };
    turn.request = Request { nodes: 5_000, multipv, ..turn.request };
    super::seated(PlayerName::Kroo, game.position().variant(), 1).choose(&turn, &mut Silent)
}
