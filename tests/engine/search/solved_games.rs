//! `awari1978` and `kalah` are solved, so the engine gives nothing away in them. `cargo bench -p bench --bench solved_games`
//! measures the same with a clock.

use kroo::game::{Game, Position, RuleOptions, Side, Variant};
use kroo::level::{LEVELS, Strength};
use kroo::players::{PlayerConfig, Silent, Turn, player};
use kroo::roster::{PLAYERS, PlayerName};
use kroo::search::{
    BestPlay, Choice, Purpose, Request, SearchMemory, best_play, positions_of_solution, prove, search,
};
use kroo::value::CENTISEEDS;
use std::collections::BTreeSet;
use support::games::{is_over, random_game};
use support::one_of;

/// MiB of the tables.
const HASH: usize = 64;
/// Nodes for a move of the searching opponents.
const OPPONENT_NODES: u64 = 2_000;
fn table() -> SearchMemory {
    SearchMemory::new(HASH).expect("memory")
}

/// The final difference of the stores under best play, for a side.
fn margin(game: &Game, side: Side, table: &SearchMemory) -> i32 {
    let request = Request { purpose: Purpose::Analysis, ..Request::new(game) };
    let score = search(&request, table, &mut Silent).score;
    assert!(score.proof.is_exact());
    let margin = score.value.centiseeds() / CENTISEEDS;
    if game.position().side() == side { margin } else { -margin }
}

/// By the values that are compiled in, some of which are won and some lost.
#[test]
fn openings_of_awari1978_have_the_value_of_their_best_move() {
    let (table, mut signs) = (SearchMemory::new(1).expect("memory"), BTreeSet::new());
    let known = |game: &Game, side: Side| {
        let request = Request { solution: true, nodes: 1_000, ..Request::new(game) };
        let score = search(&request, &table, &mut Silent).score;
        assert!(score.proof.is_exact(), "{}", game.position());
        let margin = score.value.centiseeds() / CENTISEEDS;
        if game.position().side() == side { margin } else { -margin }
    };
    let mut games = vec![Game::new(Position::start(Variant::Awari1978))];
    for _ in 0..2 {
        let mut later = Vec::new();
        for game in games {
            let side = game.position().side();
            let after = game.position().moves().into_iter().map(|mv| {
                let mut after = game.clone();
                after.play(mv).expect("a listed move");
                after
            });
            let after: Vec<Game> = after.collect();
            let value = known(&game, side);
            assert_eq!(after.iter().map(|game| known(game, side)).max(), Some(value), "{}", game.position());
            signs.insert(value.signum());
            later.extend(after);
        }
        games = later;
    }
    assert!(signs.contains(&-1) && signs.contains(&1), "{signs:?}");
}

/// All players and levels of a rule set.
fn opponents(variant: Variant) -> Vec<(PlayerName, Strength)> {
    let others = PLAYERS.iter().filter(|(who, ..)| *who != PlayerName::Kroo && who.plays(variant));
    let levels = LEVELS.iter().map(|&(level, _)| (PlayerName::Kroo, Strength::Level(level)));
    others.map(|(who, ..)| (*who, Strength::FULL)).chain(levels).collect()
}

/// From random openings the engine plays against all others in turn, with `nodes` nodes a move, and never gets less than the
/// opening's value.
fn never_gets_less(variant: Variant, openings: u64, plies: usize, nodes: u64) {
    let (opponents, solver) = (opponents(variant), table());
    for number in 0..openings {
        let opening = random_game(variant, number + 1, plies);
        if is_over(&opening) {
            continue;
        }
        let side = Side::BOTH[number as usize % 2];
        let who = opponents[number as usize / 2 % opponents.len()];
        let got = play(&opening, side, who, (nodes, false));
        let worth = margin(&opening, side, &solver);
        assert!(got >= worth, "{}: {side:?} gets {got}, not {worth}, from {who:?}", opening.position());
    }
}

/// A side's result when the engine plays it from a position on, keeping its table between moves.
fn play(
    opening: &Game,
    side: Side,
    (who, strength): (PlayerName, Strength),
    (nodes, solution): (u64, bool),
) -> i32 {
    let (mut game, table) = (opening.clone(), table());
    let mut opponent =
        player(who, &PlayerConfig::new(game.position().variant())).expect("it plays these rules");
    while !is_over(&game) {
        let report = if game.position().side() == side {
            search(&Request { nodes, solution, ..Request::new(&game) }, &table, &mut Silent)
        } else {
            let request = Request { nodes: OPPONENT_NODES, ..Request::new(&game) };
            opponent.choose(&Turn { request, strength, ..Turn::new(&game) }, &mut Silent)
        };
        game.play(report.pv[0]).expect("legal");
    }
    let store = |side| i32::from(game.position().store(side));
    store(side) - store(side.other())
}

#[test]
fn an_opening_of_awari1978_is_worth_no_less_over_the_board() {
    never_gets_less(Variant::Awari1978, 20 / one_of(2) as u64, 4, 1_000_000);
}

/// With some twenty seeds left: the openings themselves take minutes.
#[test]
fn a_position_of_kalah_is_worth_no_less_over_the_board() {
    never_gets_less(Variant::Kalah, 12, 24, 300_000);
}

/// Kalah solved from the start, with the usual rules, empty captures, the rest to the opponent, and both.
fn kalah_gives_south(seeds: u8, margins: [i32; 4]) {
    let kalah = Variant::Kalah.with_seeds(seeds).expect("it is in the range");
    for (options, wanted) in RuleOptions::ALL.into_iter().zip(margins) {
        let variant = kalah.with_options(options).expect("kalah has them");
        let memory = SearchMemory::new(256).expect("memory");
        let report = search(&Request::new(&Game::new(Position::start(variant))), &memory, &mut Silent);
        assert!(report.score.proof.is_exact(), "{variant}");
        assert_eq!(report.score.value.centiseeds(), wanted * CENTISEEDS, "{variant}");
    }
}

#[test]
fn kalah_with_three_seeds_is_solved_with_every_rule() {
    kalah_gives_south(3, [2, 2, 0, 2]);
}

/// What South gets in the games of `kalah` whose best play is compiled in. M. Rawlings (2015) found 10 and 12 with empty
/// captures, too.
const SOLVED: [(&str, i8); 10] = [
    ("kalah3", 2),
    ("kalah3-emptycapture", 2),
    ("kalah3-opponent", 0),
    ("kalah3-emptycapture-opponent", 2),
    ("kalah", 8),
    ("kalah-emptycapture", 10),
    ("kalah-opponent", 10),
    ("kalah-emptycapture-opponent", 10),
    ("kalah5", 10),
    ("kalah5-emptycapture", 12),
];

#[test]
fn the_best_play_of_kalah_gets_the_value_of_the_start() {
    best_play_gets_the_value(3 * one_of(2));
}

#[test]
#[ignore = "half a minute; called by .ci/long"]
fn the_best_play_of_kalah_gets_the_value_from_everybody() {
    best_play_gets_the_value(1);
}

/// Against one in `share` of all players and levels, others in each game. With 5 seeds the moves are South's only.
fn best_play_gets_the_value(share: usize) {
    let all = best_play(Variant::Kalah);
    let values: Vec<(String, i8)> = all.iter().map(|play| (play.game.to_string(), play.value)).collect();
    assert_eq!(values, SOLVED.map(|(name, value)| (name.to_owned(), value)));
    for (number, BestPlay { game, value, first_side_only, .. }) in all.into_iter().enumerate() {
        let start = Game::new(Position::start(game));
        let request = Request { solution: true, nodes: 2_000, ..Request::new(&start) };
        let report = search(&request, &table(), &mut Silent);
        assert!(report.score.proof.is_exact(), "{game}");
        assert_eq!(report.score.value.centiseeds(), i32::from(value) * CENTISEEDS, "{game}");
        assert!(report.pv.len() > 1, "{game}: {:?}", report.pv);
        assert_eq!(first_side_only, game.seeds_a_pit() == 5, "{game}");
        let sides = if first_side_only {
            vec![(Side::South, value)]
        } else {
            vec![(Side::South, value), (Side::North, -value)]
        };
        for (side, worth) in sides {
            for who in opponents(game).into_iter().skip(number % share).step_by(share) {
                let got = play(&start, side, who, (20_000, true));
                assert!(got >= worth.into(), "{game}: {side:?} gets {got}, not {worth}, from {who:?}");
            }
        }
    }
}

/// The compiled moves are asked for in their order, and give the compiled file.
#[test]
fn the_best_play_of_kalah_is_written_as_it_is_read() {
    let mut written = Vec::new();
    for BestPlay { game, value, first_side_only, moves } in best_play(Variant::Kalah) {
        let mut answers = moves.iter();
        let mut again = BestPlay { game, value, first_side_only, moves: Vec::new() };
        written.extend(again.find(&mut |position| {
            let (expected, choice) = answers.next().expect("no more claims than moves");
            assert_eq!(position, *expected, "{game}");
            *choice
        }));
        assert_eq!(again.moves, moves, "{game}");
    }
    assert_eq!(Some(&*written), Variant::Kalah.about().best_play);
}

/// Of the moves that are compiled in some of each game are proven anew by a solver without them, where that takes few nodes.
#[test]
fn the_best_play_of_kalah_is_proven() {
    for BestPlay { game, value, moves, .. } in best_play(Variant::Kalah) {
        let (table, mut proven) = (table(), 0);
        for (position, Choice { pit, .. }) in moves.iter().step_by(1 + moves.len() / (300 / one_of(4))) {
            let target = if position.side() == Side::South { value } else { -value };
            let request =
                Request { nodes: 5_000, search_moves: vec![*pit], ..Request::new(&Game::new(*position)) };
            if let Some(bound) = prove(&request, target, &table, &mut Silent).bound {
                assert!(bound >= target, "{game}, {position}: {pit:?} gets at most {bound}");
                proven += 1;
            }
        }
        assert!(proven >= 40 / one_of(4), "{game}: {proven} of {} moves", moves.len());
    }
}

/// M. Rawlings (2015) found 8 and, with empty captures, 10 too.
#[test]
#[ignore = "a minute; called by .ci/long"]
fn kalah_with_four_seeds_is_solved_with_every_rule() {
    kalah_gives_south(4, [8, 10, 10, 10]);
}

#[test]
#[ignore = "a minute; called by .ci/long"]
fn two_hundred_openings_of_awari1978() {
    never_gets_less(Variant::Awari1978, 200, 4, 1_000_000);
}

#[test]
#[ignore = "half an hour; called by .ci/long"]
fn two_hundred_openings_of_kalah() {
    never_gets_less(Variant::Kalah, 200, 4, 20_000_000);
}

#[test]
fn the_first_moves_of_awari1978_have_their_known_values() {
    let table = table();
    let mut values: Vec<i32> = Vec::new();
    let start = Position::start(Variant::Awari1978);
    for mv in start.moves() {
        let mut game = Game::new(start);
        game.play(mv).expect("legal");
        values.push(margin(&game, start.side(), &table));
    }
    values.sort_unstable();
    assert_eq!(values, [-11, -9, -7, -1, 2, 3]);
}

/// The compiled-in solution of the first plies of `awari1978` equals the solver's, and answers at once with a best move.
#[test]
fn the_solved_opening_of_awari1978_is_the_solvers() {
    let known_to = 7;
    let table = table();
    for number in 0..4 * (known_to + 1) {
        let plies = number / 4;
        let game = random_game(Variant::Awari1978, 100 + number as u64, plies);
        let side = game.position().side();
        if is_over(&game) {
            continue;
        }
        let request = Request { solution: true, ..Request::new(&game) };
        let report = search(&request, &self::table(), &mut Silent);
        let worth = margin(&game, side, &table);
        let position = game.position();
        assert!(report.score.proof.is_exact(), "{position}");
        assert_eq!(report.score.value.centiseeds() / CENTISEEDS, worth, "{position}");
        assert!(plies == known_to || report.nodes < 2_000, "{position}: {} nodes", report.nodes);
        let mut after = game.clone();
        after.play(report.pv[0]).expect("legal");
        if !is_over(&after) {
            assert_eq!(margin(&after, side, &table), worth, "{position}: {}", report.pv[0]);
        }
    }
}

/// Every byte of it, which takes nine minutes of a processor.
#[test]
#[ignore = "solves 66,000 positions"]
fn the_whole_solved_opening_of_awari1978_is_the_solvers() {
    let (table, knowing) = (table(), table());
    for position in positions_of_solution(Variant::Awari1978, 7) {
        let game = Game::new(position);
        let request = Request { solution: true, ..Request::new(&game) };
        let known = search(&request, &knowing, &mut Silent).score.value.centiseeds() / CENTISEEDS;
        assert_eq!(known, margin(&game, position.side(), &table), "{position}");
    }
}
