//! The results of a match: totals, standings, crosstable, byes and the end of a test.

use crate::plans::{game, plan};
use kroo::game::{Move, Side};
use kroo_referee::game::{Outcome, Overruns, Termination};
use kroo_referee::ledger::record::GameRecord;
use kroo_referee::ledger::results::{CountedGame, MatchEnd, Results, Score, Summary, Totals};
use kroo_referee::plan::MatchPlan;
use kroo_referee::statistics::{EloModel, Estimate, Sprt, SprtDecision};
use serde_json::json;
use std::time::Duration;

const SOUTH: Outcome = Outcome::Win(Side::South);
const NORTH: Outcome = Outcome::Win(Side::North);

fn tally(plan: &MatchPlan, games: &[GameRecord]) -> Results {
    let mut tally = Results::new(plan);
    games.iter().for_each(|game| tally.add(game));
    tally
}

#[test]
fn each_engine_has_its_own_sums() {
    let plan = plan(&["one", "two"], &json!("round_robin"));
    let mut first = game(1, [0, 1], SOUTH, [20, 10]);
    let millis = Duration::from_millis;
    first.played.time = [millis(1_500), millis(250)];
    first.played.overruns = [Overruns { moves: 2, longest: millis(7) }, Overruns::default()];
    first.played.id_names = [Some("One 1.0".to_owned()), None];
    first.played.replays = 3;
    let letters = first.played.game.position().moves();
    first.played.game.play(letters[0]).expect("legal");
    let reply: Move = first.played.game.position().moves()[0];
    first.played.game.play(reply).expect("legal");
    let stores = first.played.stores();
    let mut second = game(2, [1, 0], Outcome::Draw, [12, 9]);
    second.played.time = [millis(10), millis(1)];
    second.played.id_names = [None, Some("One 1.1".to_owned())];
    second.played.overruns[1] = Overruns { moves: 1, longest: millis(9) };
    let mut third = game(3, [0, 1], NORTH, [5, 24]);
    third.played.termination = Termination::Crash;
    third.played.faults = [true, false];
    let unplayed = game(4, [1, 0], Outcome::Void, [23, 5]);
    let tally = tally(&plan, &[first, second, third, unplayed]);
    // Two moves in four games.
    assert_eq!((tally.games, tally.average_plies(), tally.unexplained), (4, 0.5, 0));

    let [south, north] = stores.map(u64::from);
    let one = Totals {
        wins: 1,
        losses: 1,
        draws: 1,
        bye_games: 0,
        seed_games: 3,
        seeds: south + 9 + 5,
        seeds_against: north + 12 + 24,
        micros: 1_501_000,
        moves: 1,
        overruns: Overruns { moves: 3, longest: millis(9) },
    };
    let two = Totals {
        seeds: one.seeds_against,
        seeds_against: one.seeds,
        micros: 260_000,
        overruns: Overruns::default(),
        ..one
    };
    assert_eq!(tally.engines, [one, two]);
    assert_eq!((one.games(), one.points(), one.score()), (3, 1.5, 0.5));
    assert_eq!((one.average_seeds() * 3.0).round() as u64, one.seeds);
    assert_eq!((one.average_margin() * 3.0).round() as i64, one.seeds as i64 - one.seeds_against as i64);
    assert_eq!(Totals::default().average_seeds(), 0.0);
    assert_eq!((tally.games, tally.replays, tally.average_plies()), (4, 3, 0.5));
    // The last one that was reported.
    assert_eq!(tally.id_names, [Some("One 1.1".to_owned()), None]);
    assert_eq!(tally.terminations[&Termination::Rules], 3);
    assert_eq!(tally.faults, [((0, Termination::Crash), 1)].into());
    // The pair whose second game was not played counts as no pair.
    assert_eq!(tally.couples[&(0, 1)].pairs, [0, 0, 0, 1, 0]);
}

#[test]
fn standings_are_by_points_then_by_those_that_were_beaten() {
    let plan = plan(&["a", "b", "c", "d"], &json!("round_robin"));
    let games = [
        game(1, [0, 1], SOUTH, [20, 5]),
        game(2, [1, 0], SOUTH, [20, 6]),
        game(3, [0, 2], SOUTH, [20, 7]),
        game(4, [2, 0], SOUTH, [20, 8]),
        game(5, [1, 2], SOUTH, [20, 9]),
        game(6, [2, 1], SOUTH, [20, 19]),
        game(7, [3, 0], NORTH, [5, 20]),
        game(8, [3, 1], NORTH, [1, 24]),
    ];
    let tally = tally(&plan, &games);
    // Points 3, 3, 2, 0. The points of those that `a` and `b` have beaten are 3 + 2 + 0 each, and both have 3 wins; the margins
    // are 15 − 14 + 13 − 12 + 15 = 17 and −15 + 14 + 11 − 1 + 23 = 32.
    assert_eq!(tally.order(&plan), [1, 0, 2, 3]);
    let summary = Summary::new(&plan, &tally, false);
    let ranks: Vec<_> = summary.standings().map(|standing| (standing.rank, standing.name.as_str())).collect();
    assert_eq!(ranks, [(Some(1), "b"), (Some(2), "a"), (Some(3), "c"), (Some(4), "d")]);
    assert_eq!([summary.against(0, 1), summary.against(1, 0)], [(1.0, 2), (1.0, 2)]);
    assert_eq!([summary.against(3, 1), summary.against(1, 3)], [(0.0, 1), (1.0, 1)]);
    assert_eq!(summary.against(2, 3), (0.0, 0));
    // The winner of a knockout is first, whatever its points.
    let mut knockout = tally.clone();
    knockout.champion = Some(2);
    assert_eq!(knockout.order(&plan), [2, 1, 0, 3]);
}

#[test]
fn the_opponents_points_decide_before_the_wins() {
    let plan = plan(&["a", "b", "c", "d"], &json!("round_robin"));
    let games = [
        game(1, [0, 3], SOUTH, [20, 5]),
        game(2, [3, 0], SOUTH, [20, 6]),
        game(3, [1, 2], Outcome::Draw, [20, 7]),
        game(4, [2, 1], Outcome::Draw, [20, 8]),
        game(5, [2, 3], SOUTH, [20, 9]),
    ];
    let tally = tally(&plan, &games);
    // `b` has no win, but its two draws are with the best: 1 × 2 against 1 × 1 for `a` and for `d`, which has fewer seeds.
    let points: Vec<f64> = tally.engines.iter().map(Totals::points).collect();
    assert_eq!(points, [1.0, 1.0, 2.0, 1.0]);
    assert_eq!(tally.order(&plan), [2, 1, 0, 3]);
}

/// The loser of the final is second, although an engine that was out before it has as many points and more seeds.
#[test]
fn a_knockout_is_ranked_by_the_round_reached() {
    let plan = plan(&["a", "b", "c", "d"], &json!("knockout"));
    let in_round = |round: u64, number: u64, players: [usize; 2], outcome: Outcome| {
        let mut game = game(number, players, outcome, [20, number as u8]);
        game.scheduled.pairing.round = round;
        game
    };
    let games = [
        in_round(1, 1, [0, 3], SOUTH),
        in_round(1, 2, [3, 0], NORTH),
        in_round(1, 3, [1, 2], Outcome::Draw),
        in_round(1, 4, [2, 1], Outcome::Draw),
        in_round(2, 5, [0, 1], SOUTH),
        in_round(2, 6, [1, 0], NORTH),
    ];
    let mut tally = tally(&plan, &games);
    tally.champion = Some(0);
    assert_eq!(tally.order(&plan), [0, 1, 2, 3]);
    // Before its end, too.
    tally.champion = None;
    assert_eq!(tally.order(&plan), [0, 1, 2, 3]);
}

/// A test that is given the same openings again and again ends, as nothing new comes.
#[test]
fn a_test_ends_when_nothing_new_comes() {
    let mut plan = plan(&["a", "b"], &json!("round_robin"));
    plan.sprt = Some(Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: EloModel::Logistic });
    let played = |pairs: u64, openings: u64| {
        let game = |number: u64| {
            let players = [1 - number as usize % 2, number as usize % 2];
            let opening = ((number - 1) / 2 % openings) as u8;
            game(number, players, Outcome::Draw, [1 + opening / 20, 1 + opening % 20])
        };
        tally(&plan, &(1..=2 * pairs).map(game).collect::<Vec<_>>())
    };
    for (openings, repeated) in [(1, 20), (6, 20), (10, 20), (11, 22)] {
        assert_eq!(played(openings + repeated - 1, openings).end(&plan), None, "{openings}");
        let tally = played(openings + repeated, openings);
        assert_eq!(tally.end(&plan), Some(MatchEnd::Exhausted), "{openings}");
        let why = tally.exhausted(&plan).expect("nothing new comes");
        assert!(
            why.contains(&format!("last {repeated} pairs")) && why.contains(&format!(": {openings} opening")),
            "{why}"
        );
        let summary = Summary::new(&plan, &tally, false);
        assert!(
            summary.is_over() && summary.exhausted.is_some_and(|why| why.contains(" repeated earlier ones "))
        );
    }
    assert_eq!(played(30, 30).end(&plan), None);
}

#[test]
fn a_gauntlet_is_ranked_by_elo() {
    let plan = plan(&["seed", "b", "c"], &json!({"gauntlet": {"seeds": 1}}));
    // `b` has more points, from more games with a worse score.
    let mut games = Vec::new();
    for number in 1..=8 {
        let outcome = if number % 2 == 1 { SOUTH } else { Outcome::Draw };
        games.push(game(number, [0, 1], outcome, [20, number as u8]));
    }
    games.push(game(9, [0, 2], NORTH, [10, 20]));
    let tally = tally(&plan, &games);
    assert!(tally.engines[1].points() > tally.engines[2].points());
    assert_eq!(tally.order(&plan), [2, 0, 1]);
    assert_eq!(tally.order_so_far(&plan), [2, 0, 1]);
}

/// Once a round, with the first of its games that counts.
#[test]
fn the_absent_engine_of_a_swiss_round_wins_a_pair() {
    let plan = plan(&["a", "b", "c"], &json!("swiss"));
    let in_round = |number: u64, players: [usize; 2]| {
        let mut game = game(number, players, SOUTH, [20, number as u8]);
        game.scheduled.bye = Some(3 - players[0] - players[1]);
        game
    };
    let tally = tally(&plan, &[in_round(1, [0, 1]), in_round(2, [1, 0]), in_round(3, [1, 2])]);
    let byes: Vec<u64> = tally.engines.iter().map(|totals| totals.bye_games).collect();
    assert_eq!(byes, [2, 0, 2]);
    assert_eq!((tally.engines[2].points(), tally.engines[2].score()), (2.0, 0.0));
}

/// Two engines, of which the first wins all games, with a test that such results decide soon.
fn decided(games: u64, fault: bool) -> (MatchPlan, Results) {
    let mut plan = plan(&["a", "b"], &json!("round_robin"));
    plan.sprt = Some(Sprt { elo0: 0.0, elo1: 200.0, alpha: 0.05, beta: 0.05, model: EloModel::Logistic });
    let won = |number: u64| {
        let (players, outcome) = if number % 2 == 1 { ([0, 1], SOUTH) } else { ([1, 0], NORTH) };
        let mut game = game(number, players, outcome, [10, number as u8]);
        if fault {
            game.played.termination = Termination::Crash;
            game.played.faults = [outcome == NORTH, outcome == SOUTH];
        }
        game
    };
    let tally = tally(&plan, &(1..=games).map(won).collect::<Vec<_>>());
    (plan, tally)
}

#[test]
fn a_test_ends_a_match_unless_faults_or_a_part_do() {
    let (plan, few) = decided(2, false);
    assert_eq!(few.sprt(&plan).map(|status| status.decision), Some(SprtDecision::Continue));
    assert_eq!(few.end(&plan), None);
    let (mut plan, tally) = decided(20, false);
    assert_eq!(tally.sprt(&plan).map(|status| status.decision), Some(SprtDecision::AcceptH1));
    assert_eq!(tally.end(&plan), Some(MatchEnd::Decided));
    assert!(Summary::new(&plan, &tally, false).is_over());
    let mut broken = tally.clone();
    broken.broken = Some("why".to_owned());
    assert_eq!(broken.end(&plan), Some(MatchEnd::Broken("why".to_owned())));
    assert_eq!(broken.sprt(&plan).map(|status| status.decision), Some(SprtDecision::Continue));
    plan.shard = serde_json::from_value(json!({"part": 1, "of": 2})).expect("a part");
    assert_eq!((tally.sprt(&plan), tally.end(&plan)), (None, None));

    // Before the LLR is at a bound, an engine that has only lost by faults may still win a game.
    let ended = |games: &u64| {
        let (plan, tally) = decided(*games, true);
        let is_at_bound = tally.sprt(&plan).is_some_and(|status| status.is_at_bound());
        assert_eq!(tally.end(&plan).is_some(), is_at_bound, "{games} games");
        is_at_bound
    };
    assert!((1..=20).find(ended).is_some_and(|games| games > 4));
    let (plan, tally) = decided(20, true);
    assert_eq!(tally.sprt(&plan).map(|status| status.decision), Some(SprtDecision::Continue));
    assert_eq!(tally.end(&plan), tally.faults_only(&plan).map(MatchEnd::Broken));
    assert!(tally.end(&plan).is_some());
}

/// A Swiss event hands out two engines as (a, b) in one round and as (b, a) in another.
#[test]
fn two_engines_have_one_record_whoever_is_first_in_a_pairing() {
    let plan = plan(&["a", "b"], &json!("swiss"));
    let games: Vec<GameRecord> = (1..=8)
        .map(|number| {
            // `a` wins both games of the first two pairs, and loses those of the last two.
            let players = [1 - number as usize % 2, number as usize % 2];
            let winner = if number <= 4 { 0 } else { 1 };
            let outcome = if players[0] == winner { SOUTH } else { NORTH };
            let mut game = game(number, players, outcome, [20, number as u8]);
            if game.scheduled.pair % 2 == 1 {
                let pairing = &mut game.scheduled.pairing;
                (pairing.first, pairing.second) = (pairing.second, pairing.first);
            }
            game
        })
        .collect();
    let tally = tally(&plan, &games);
    let couples: Vec<_> = tally.couples.iter().collect();
    let [(&(0, 1), couple)] = couples[..] else { panic!("{couples:?}") };
    assert_eq!((couple.totals.wins, couple.totals.losses, couple.pairs), (4, 4, [2, 0, 0, 0, 2]));
}

#[test]
fn repeated_games_are_no_new_evidence() {
    let plan = plan(&["a", "b"], &json!("round_robin"));
    let games: Vec<GameRecord> = (1..=6)
        .map(|number| game(number, [1 - number as usize % 2, number as usize % 2], SOUTH, [20, 5]))
        .collect();
    let tally = tally(&plan, &games);
    // The same game with sides swapped is another one.
    assert_eq!((tally.games, tally.distinct_games(), tally.repeated_pairs()), (6, 2, 2));
}

/// Under the models by games a test could end between the two games of a pair.
#[test]
fn a_test_by_games_never_ends_after_half_a_pair() {
    let mut plan = plan(&["a", "b"], &json!("round_robin"));
    for (model, draws) in [(EloModel::Classical, 100), (EloModel::Bayesian, 3)] {
        for elo1 in [60.0, 80.0, 100.0, 120.0, 150.0, 200.0] {
            plan.sprt = Some(Sprt { elo0: 0.0, elo1, alpha: 0.2, beta: 0.2, model });
            let mut tally = Results::new(&plan);
            let ends = |number: &u64| {
                let (players, won) = if number % 2 == 1 { ([0, 1], SOUTH) } else { ([1, 0], NORTH) };
                // Some draws and losses: without them draws cannot be expected.
                let outcome = match number % (2 * draws) {
                    1 | 2 if draws < 100 => Outcome::Draw,
                    4 if draws < 100 => SOUTH,
                    _ => won,
                };
                tally.add(&game(*number, players, outcome, [1 + *number as u8 / 20, *number as u8 % 20]));
                tally.end(&plan) == Some(MatchEnd::Decided)
            };
            let games = (1..=400).find(ends).expect("it ends");
            assert_eq!(games % 2, 0, "{model:?} {elo1}");
        }
    }
}

#[test]
fn a_score_is_the_same_while_games_are_played_and_after_them() {
    let two = plan(&["a", "b"], &json!("round_robin"));
    let drawn: Vec<GameRecord> = (1..=4)
        .map(|number| {
            let players = if number % 2 == 1 { [0, 1] } else { [1, 0] };
            game(number, players, Outcome::Draw, [20, number as u8])
        })
        .collect();
    let tally = tally(&two, &drawn);
    let score = Score::of(&tally, &two);
    assert_eq!(score, Summary::new(&two, &tally, false).score);
    assert_eq!((score.games, &score.points[..], &score.played[..]), (4, &[2.0, 2.0][..], &[4, 4][..]));
    assert_eq!(score.elo, Estimate::of_pairs([0, 0, 2, 0, 0]).map(|estimate| estimate.elo()));
    let elos = tally.ratings().engines.into_iter().map(|rating| rating.expect("it has played").elo);
    assert!(elos.map(f64::abs).all(|elo| elo < 1e-6), "half the points are no difference");
}

#[test]
fn a_large_gauntlet_is_ranked_at_its_end() {
    for (engines, is_ranked) in [(64, true), (65, false)] {
        let names: Vec<String> = (0..engines).map(|engine| format!("e{engine}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let plan = plan(&names, &json!({"gauntlet": {"seeds": 1}}));
        let tally = tally(&plan, &[game(1, [0, 1], SOUTH, [20, 5])]);
        assert_eq!(!tally.order_so_far(&plan).is_empty(), is_ranked);
        assert_eq!(tally.order(&plan).len(), engines);
        assert_eq!(Score::of(&tally, &plan).elo, None, "of two engines only");
    }
}

/// A game of a file that does not say why it ended.
#[test]
fn an_end_without_a_reason_is_counted_apart() {
    let plan = plan(&["a", "b"], &json!("round_robin"));
    let record = game(1, [0, 1], SOUTH, [20, 5]);
    let mut tally = Results::new(&plan);
    for termination in [None, Some(Termination::Rules), None] {
        tally.count(&CountedGame { termination, ..CountedGame::of(&record) });
    }
    assert_eq!((tally.games, tally.unexplained), (3, 2));
    assert_eq!(tally.terminations.into_iter().collect::<Vec<_>>(), [(Termination::Rules, 1)]);
}
