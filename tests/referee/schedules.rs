//! Pairings in every kind of event.

use kroo::game::{Variant, split_mix};
use kroo_referee::schedule::{
    Champion, Event, GamePair, GamePairResult, Next, Openings, Pairings, Schedule, Shard,
};
use std::collections::{BTreeMap, BTreeSet};

/// Plays an event in which the engine with the lower place wins both games, or with chance by a seed. Results come at once, or
/// when the schedule waits.
fn played(mut pairings: Pairings, luck: Option<u64>, late: bool) -> (Vec<GamePair>, Option<usize>) {
    let (mut all, mut open) = (Vec::new(), Vec::new());
    let result = |number: u64, game_pair: &GamePair| match luck {
        None if game_pair.pairing.first < game_pair.pairing.second => {
            GamePairResult { half_points: 4, margin: 9, played: true }
        }
        None => GamePairResult { half_points: 0, margin: -9, played: true },
        Some(seed) => {
            let mut state = seed ^ number;
            let half_points = (split_mix(&mut state) % 5) as u8;
            GamePairResult { half_points, margin: (state % 7) as i32 - 3, played: true }
        }
    };
    loop {
        match pairings.step() {
            Next::Play(game_pair) => {
                open.push((all.len() as u64, game_pair));
                all.push(game_pair);
                assert!(all.len() < 10_000, "it ends");
                if late {
                    continue;
                }
            }
            Next::Wait => assert!(!open.is_empty(), "a game is open"),
            Next::End => {
                assert_eq!(pairings.step(), Next::End, "several workers ask");
                let champion = pairings.champion().map(|champion| match champion {
                    Champion::Engine(engine) => engine,
                    Champion::None => panic!("games were played"),
                });
                return (all, champion);
            }
        }
        for (number, game_pair) in open.drain(..) {
            pairings.result(result(number, &game_pair));
        }
    }
}

/// How often each two met.
fn meetings(all: &[GamePair]) -> BTreeMap<(usize, usize), usize> {
    let mut meetings = BTreeMap::new();
    for GamePair { pairing, .. } in all {
        assert_ne!(pairing.first, pairing.second);
        *meetings
            .entry((pairing.first.min(pairing.second), pairing.first.max(pairing.second)))
            .or_default() += 1;
    }
    meetings
}

#[test]
fn a_round_robin_is_everybody_against_everybody() {
    for engines in 2..9 {
        let (all, champion) = played(Pairings::new(Event::RoundRobin, engines, 3, 2, 1), None, false);
        assert_eq!(champion, None);
        let meetings = meetings(&all);
        assert_eq!(meetings.len(), engines * (engines - 1) / 2);
        assert!(meetings.values().all(|&count| count == 6));
        assert_eq!(all.len() as u64, Event::RoundRobin.pairs(engines, 3, 2));
        // Every pairing has every opening once: they are spread evenly.
        for &(first, second) in meetings.keys() {
            let own = all.iter().filter(|one| (one.pairing.first, one.pairing.second) == (first, second));
            assert!(own.map(|one| one.opening).eq(0..6));
        }
    }
}

#[test]
fn a_gauntlet_is_the_first_against_the_others() {
    let event = Event::Gauntlet { gauntlet_seeds: 2 };
    let (all, _) = played(Pairings::new(event, 5, 4, 1, 1), None, false);
    let meetings = meetings(&all);
    let expected: Vec<(usize, usize)> =
        (0..2).flat_map(|seed| (2..5).map(move |other| (seed, other))).collect();
    assert!(meetings.keys().eq(&expected) && meetings.values().all(|&count| count == 4));
    assert_eq!(all.len() as u64, event.pairs(5, 4, 1));
    assert!(Event::named("gauntlet", 3, 3).is_err() && Event::named("gauntlet", 3, 2).is_ok());
    assert!(Event::named("match", 3, 1).is_err() && Event::named("chess", 3, 1).is_err());
}

#[test]
fn nobody_meets_twice_in_a_swiss_event_if_that_can_be_avoided() {
    for engines in [2, 3, 4, 5, 8, 9, 16, 33] {
        let rounds = (engines as u64 - 1).min(6);
        for luck in [None, Some(1), Some(2)] {
            let (all, _) = played(Pairings::new(Event::Swiss, engines, rounds, 1, 7), luck, false);
            assert_eq!(all.len() as u64, Event::Swiss.pairs(engines, rounds, 1));
            for round in 1..=rounds {
                let own = all.iter().filter(|one| one.pairing.round == round);
                let players: Vec<usize> =
                    own.flat_map(|one| [one.pairing.first, one.pairing.second]).collect();
                assert_eq!(players.len(), engines / 2 * 2);
                assert_eq!(players.iter().collect::<BTreeSet<_>>().len(), players.len(), "once a round");
            }
            // The first rounds of many engines can always be drawn so; a whole round robin may need a rematch.
            if rounds as usize <= engines / 2 {
                assert!(meetings(&all).values().all(|&count| count == 1), "{engines} {luck:?}");
            }
        }
    }
    // More rounds than opponents: it goes on with rematches.
    let (all, _) = played(Pairings::new(Event::Swiss, 3, 9, 1, 7), Some(3), false);
    assert_eq!(all.len(), 9);
}

#[test]
fn in_a_swiss_event_engines_with_the_same_points_meet() {
    let (all, _) = played(Pairings::new(Event::Swiss, 16, 4, 1, 3), None, false);
    let mut points = [0; 16];
    for round in 1..=4 {
        let own: Vec<&GamePair> = all.iter().filter(|one| one.pairing.round == round).collect();
        assert!(
            own.iter().all(|one| points[one.pairing.first] == points[one.pairing.second]),
            "round {round}"
        );
        own.iter().for_each(|one| points[one.pairing.first.min(one.pairing.second)] += 1);
    }
    assert_eq!(points[0], 4, "the best has met only equals and won");
}

#[test]
fn a_knockout_has_one_winner_for_any_number() {
    for engines in 2..40 {
        let (all, champion) = played(Pairings::new(Event::Knockout, engines, 4, 2, 1), None, false);
        assert_eq!(champion, Some(0), "{engines}");
        assert_eq!(all.len(), 2 * (engines - 1), "each tie knocks one out");
        assert_eq!(meetings(&all).len(), engines - 1);
        let last = all.last().unwrap().pairing;
        assert_eq!((last.first, last.second), (0, 1), "the first two meet in the final");
        assert!(played(Pairings::new(Event::Knockout, engines, 4, 1, 1), Some(5), false).1.is_some());
    }
}

#[test]
fn a_level_tie_is_extended_and_then_decided() {
    let mut pairings = Pairings::new(Event::Knockout, 2, 1, 1, 1);
    for number in 0..4 {
        assert!(
            matches!(pairings.step(), Next::Play(one) if one.opening == number && one.pairing.round == 1)
        );
        assert_eq!(pairings.step(), Next::Wait);
        let margin = if number == 3 { -5 } else { 1 };
        pairings.result(GamePairResult { half_points: 2, margin, played: true });
    }
    assert_eq!((pairings.step(), pairings.champion()), (Next::End, Some(Champion::Engine(1))), "by seeds");
}

/// Of three engines one is absent in each round. A win of a bye counts where the next pairs are drawn.
#[test]
fn a_bye_goes_to_the_last_and_counts_as_a_win() {
    for seed in 0..20 {
        // Three rounds of three engines: each has one bye, first the one that is drawn last.
        let (all, _) = played(Pairings::new(Event::Swiss, 3, 3, 1, seed), None, false);
        let absent: Vec<usize> = all.iter().map(|one| 3 - one.pairing.first - one.pairing.second).collect();
        // After the first round the winner has a win, the engine that was absent too, and the loser none.
        let loser = all[0].pairing.first.max(all[0].pairing.second);
        assert_eq!(absent[1], loser, "{seed}: {all:?}");
        assert_eq!(absent.iter().collect::<BTreeSet<_>>().len(), 3, "{seed}");
        // Of seven engines, the absent one of the first round has as many points as the three that have won, and meets one.
        let (all, _) = played(Pairings::new(Event::Swiss, 7, 2, 1, seed), None, false);
        let (first, second): (Vec<&GamePair>, Vec<_>) = all.iter().partition(|one| one.pairing.round == 1);
        let sides = |one: &&GamePair| [one.pairing.first, one.pairing.second];
        let there: BTreeSet<usize> = first.iter().flat_map(sides).collect();
        let bye = (0..7).find(|engine| !there.contains(engine)).expect("seven are odd");
        let winners: BTreeSet<usize> =
            first.iter().map(|one| one.pairing.first.min(one.pairing.second)).collect();
        let met = second.iter().find(|one| sides(one).contains(&bye)).expect("it has no second bye");
        let other = met.pairing.first + met.pairing.second - bye;
        assert!(winners.contains(&other), "{seed}: {bye} meets {other}");
    }
}

/// The engines of a round that goes on have not seen its openings.
#[test]
fn each_round_of_a_knockout_has_other_openings() {
    // All games are level, so all ties are extended.
    let mut pairings = Pairings::new(Event::Knockout, 8, 1, 2, 1);
    let mut rounds: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
    loop {
        match pairings.step() {
            Next::Play(one) => {
                rounds.entry(one.pairing.round).or_default().insert(one.opening);
                pairings.result(GamePairResult { half_points: 2, margin: 0, played: true });
            }
            Next::Wait => panic!("its results are there"),
            Next::End => break,
        }
    }
    assert_eq!(rounds.len(), 3);
    let all: BTreeSet<u64> = rounds.values().flatten().copied().collect();
    assert_eq!(all.len(), rounds.values().map(BTreeSet::len).sum::<usize>(), "{rounds:?}");
}

/// Where neither engine can begin a game, neither goes on; and without a game in the final there is no winner.
#[test]
fn a_knockout_without_a_game_has_no_winner() {
    let champion = |playing: &[usize]| {
        let mut pairings = Pairings::new(Event::Knockout, 4, 1, 1, 1);
        loop {
            let game_pair = match pairings.step() {
                Next::Play(game_pair) => game_pair,
                Next::Wait => panic!("its results are there"),
                Next::End => break,
            };
            let [first, second] =
                [game_pair.pairing.first, game_pair.pairing.second].map(|engine| playing.contains(&engine));
            let half_points = [2, 4, 0][usize::from(first != second) + usize::from(!first & second)];
            pairings.result(GamePairResult { half_points, margin: 0, played: first || second });
        }
        pairings.champion()
    };
    assert_eq!(champion(&[]), Some(Champion::None));
    assert_eq!(champion(&[3]), Some(Champion::Engine(3)));
    assert_eq!(champion(&[0, 1]), Some(Champion::Engine(0)));
}

#[test]
fn a_schedule_depends_on_seed_and_results_only() {
    for event in [Event::RoundRobin, Event::Gauntlet { gauntlet_seeds: 3 }, Event::Swiss, Event::Knockout] {
        let pairings = |seed| Pairings::new(event, 11, 4, 2, seed);
        let all = played(pairings(5), Some(9), false);
        assert_eq!(all, played(pairings(5), Some(9), true), "not on when results come");
        if event == Event::Swiss {
            assert_ne!(all, played(pairings(6), Some(9), false));
        }
    }
}

#[test]
fn each_round_of_a_swiss_event_has_other_openings() {
    let (all, _) = played(Pairings::new(Event::Swiss, 4, 3, 2, 7), None, false);
    let openings = |round| -> BTreeSet<u64> {
        all.iter().filter(|one| one.pairing.round == round).map(|one| one.opening).collect()
    };
    assert_eq!(
        [1, 2, 3].map(openings),
        [BTreeSet::from([0, 1]), BTreeSet::from([2, 3]), BTreeSet::from([4, 5])]
    );
}

#[test]
fn a_pair_has_the_sums_of_its_games() {
    let [won, void] = [(2, 7, true), (1, -3, false)].map(|(half_points, margin, played)| GamePairResult {
        half_points,
        margin,
        played,
    });
    let both = GamePairResult { half_points: 3, margin: 4, played: true };
    assert_eq!([won.with(void), void.with(won)], [both; 2]);
    assert!(!void.with(void).played);
}

/// Two engines, two rounds: the second is drawn once both games of the first are over.
#[test]
fn a_schedule_waits_for_both_games_of_a_pair() {
    let mut schedule = Schedule::new(
        Pairings::new(Event::Swiss, 2, 2, 1, 1),
        Shard::WHOLE,
        Openings::random(Variant::Awari, 2, 1).unwrap(),
    );
    let mut number = || match schedule.step() {
        Next::Play(game) => Some(game.number),
        _ => None,
    };
    assert_eq!([number(), number(), number()], [Some(1), Some(2), None]);
    let half = GamePairResult { half_points: 1, margin: 0, played: true };
    schedule.finished(half);
    assert!(matches!(schedule.step(), Next::Wait));
    schedule.finished(half);
    assert!(matches!(schedule.step(), Next::Play(game) if game.number == 3));
}
