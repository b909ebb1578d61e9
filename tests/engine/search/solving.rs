//! Solving: labels are those of an independent model, and work that is stopped or left loses nothing.

use kroo::game::{Game, Move, Position, Side, Variant, Verdict, split_mix};
use kroo::plan::Resources;
use kroo::protocol::{Question, Settings, SolveCommand};
use kroo::search::SearchMemory;
use kroo::solve::{Answer, Bounds, Pause, Solving};
use kroo::value::{CENTISEEDS, Value};
use std::collections::HashMap;
use std::ops::RangeInclusive;
use support::data::{SOLVED, lines};
use support::games::is_over;
use support::labels::Labels;
use support::naive::Naive;

fn table() -> SearchMemory {
    SearchMemory::new(4).expect("memory")
}

/// Solves a position; `pause` is asked at every check.
fn solve(game: &Game, task: SolveCommand, table: &SearchMemory, pause: &mut dyn FnMut() -> Pause) -> Answer {
    let settings = Settings { variant: game.position().variant(), solution: false, ..Settings::default() };
    let resources = Resources::open(&settings).expect("no files are named");
    let mut solving = Solving::new(game, task, &settings, &resources);
    while !solving.work(table, None, &mut |_, _, _| pause()) {}
    solving.answer()
}

/// A value in seeds, also that of a win.
fn margin(value: Value) -> i32 {
    value.centiseeds() / CENTISEEDS
}

fn exact(bounds: Bounds) -> i32 {
    margin(bounds.value().expect("it is proven"))
}

/// A random game with at most so many seeds in the pits, not over.
fn late_game(variant: Variant, seed: u64, most: u8) -> Option<Game> {
    let mut state = seed;
    let mut game = Game::new(Position::start(variant));
    while !is_over(&game) && game.position().board().seeds() > most {
        let moves = game.position().moves();
        game.play(moves[split_mix(&mut state) as usize % moves.len()]).expect("legal");
    }
    (!is_over(&game)).then_some(game)
}

/// The same game in the slow model.
fn naive(game: &Game) -> Naive {
    let position = game.position();
    let seeds = Position::start(position.variant()).board().seeds();
    Naive::parse_game(position.variant().name(), u32::from(seeds), &position.to_string())
}

#[test]
fn a_thousand_labels_are_those_of_the_slow_model() {
    labels_are_those_of_the_slow_model(1000, 5..=8);
}

#[test]
#[ignore = "minutes; called by .ci/long"]
fn two_thousand_labels_of_more_seeds_are_those_of_the_slow_model() {
    labels_are_those_of_the_slow_model(2000, 5..=16);
}

fn labels_are_those_of_the_slow_model(positions: u64, seeds: RangeInclusive<u8>) {
    let task = SolveCommand { moves: true, ..SolveCommand::default() };
    let (mut labels, table) = (HashMap::<&str, Labels>::new(), table());
    let mut count = 0;
    let names = ["kalah", "kalah3", "kalah-emptycapture", "awari1978", "avalanche"];
    for (number, name) in (0..).zip(names.into_iter().cycle()) {
        if count == positions {
            break;
        }
        let variant: Variant = name.parse().expect("a game");
        let Some(game) = late_game(variant, number, seeds.start() + (number % seeds.len() as u64) as u8)
        else {
            continue;
        };
        let answer = solve(&game, task, &table, &mut || Pause::GoOn);
        let (position, model) = (game.position(), naive(&game));
        let labels = labels.entry(name).or_default();
        let sign = if position.side() == Side::South { 1 } else { -1 };
        assert_eq!(exact(answer.bounds), sign * labels.lead(&model), "{name} {position}");
        let wanted = labels.of_moves(&model);
        assert_eq!(answer.moves.len(), wanted.len(), "{name} {position}");
        for (mv, bounds) in &answer.moves {
            let pit = position.moves().iter().position(|legal| legal == mv).expect("a legal move");
            assert_eq!(exact(*bounds), sign * wanted[pit].1, "{name} {position} {mv}");
        }
        let best: Vec<i32> = answer.moves.iter().map(|(_, bounds)| exact(*bounds)).collect();
        assert!(best.is_sorted_by(|one, other| one >= other) && best[0] == exact(answer.bounds), "{best:?}");
        assert_plays_to(&game, &answer);
        count += 1;
    }
}

/// Best play is legal, and reaches the value at the end of the game.
fn assert_plays_to(game: &Game, answer: &Answer) {
    let (mut after, side) = (game.clone(), game.position().side());
    assert_eq!(answer.play.first(), answer.best.as_ref());
    for mv in &answer.play {
        after.play(*mv).expect("legal");
    }
    let position = after.position();
    assert!(position.verdict().is_some(), "{} {:?}", game.position(), answer.play);
    let lead = i32::from(position.board().lead());
    let lead = if position.side() == side { lead } else { -lead };
    assert_eq!(lead, exact(answer.bounds), "{} {:?}", game.position(), answer.play);
}

/// The results that another program has found, in all rule sets: none differs, and most are proven.
#[test]
fn solved_results_are_found() {
    let task = SolveCommand { question: Question::Draw, nodes: Some(50_000), ..SolveCommand::default() };
    let (mut proven, mut all) = (0, 0);
    for (line, words) in lines(SOLVED) {
        let variant: Variant = words[0].parse().expect("a game");
        let game = Game::new(Position::parse(variant, words[1]).expect("a position"));
        let answer = solve(&game, task, &table(), &mut || Pause::GoOn);
        all += 1;
        if let Some(result) = answer.bounds.result() {
            proven += 1;
            let wanted = match words[2] {
                "1" => Verdict::Win,
                "0" => Verdict::Draw,
                _ => Verdict::Loss,
            };
            assert_eq!(result, wanted, "line {line}");
        }
    }
    assert!(proven * 10 >= all * 7, "{proven} of {all}");
}

/// Work that is left at every few checks ends with the answer of work that is not.
#[test]
fn work_that_is_left_goes_on() {
    let mut left = 0;
    for (number, name) in
        (0..60).zip(["kalah", "awari1978", "avalanche", "awari", "ayoayo"].into_iter().cycle())
    {
        let variant: Variant = name.parse().expect("a game");
        let Some(game) = late_game(variant, 7 * number + 1, 18) else { continue };
        for moves in [false, true] {
            let limit = Some(30_000).filter(|_| ["awari", "ayoayo"].contains(&name));
            let task = SolveCommand { moves, nodes: limit, ..SolveCommand::default() };
            let whole = solve(&game, task, &table(), &mut || Pause::GoOn);
            // As those of a conversation without threads, the slices grow.
            let (mut checks, mut slice) = (0, 2);
            let parts = solve(&game, task, &table(), &mut || {
                checks += 1;
                if checks < slice {
                    return Pause::GoOn;
                }
                (checks, slice, left) = (0, slice * 2, left + 1);
                Pause::Leave
            });
            if limit.is_none() {
                assert_eq!(parts.bounds, whole.bounds, "{name} {}", game.position());
                let sorted = |answer: &Answer| {
                    let mut moves: Vec<(Move, i32)> =
                        answer.moves.iter().map(|(mv, bounds)| (*mv, exact(*bounds))).collect();
                    moves.sort_by_key(|(mv, _)| mv.letter());
                    moves
                };
                assert_eq!(sorted(&parts), sorted(&whole), "{name} {}", game.position());
            } else {
                let meet = parts.bounds.at_least <= whole.bounds.at_most
                    && whole.bounds.at_least <= parts.bounds.at_most;
                assert!(meet, "{name} {}: {:?} {:?}", game.position(), parts.bounds, whole.bounds);
            }
        }
    }
    assert!(left > 50, "it was left {left} times");
}

/// A stop ends it with true bounds, and says that they prove nothing.
#[test]
fn work_that_is_stopped_has_true_bounds() {
    let game = late_game(Variant::Kalah, 5, 30).expect("it is not over");
    let value = exact(solve(&game, SolveCommand::default(), &table(), &mut || Pause::GoOn).bounds);
    let task = SolveCommand { moves: true, ..SolveCommand::default() };
    let mut checks = 0;
    let stopped = solve(&game, task, &table(), &mut || {
        checks += 1;
        if checks == 4 { Pause::Stop } else { Pause::GoOn }
    });
    let (at_least, at_most) = (margin(stopped.bounds.at_least), margin(stopped.bounds.at_most));
    assert!(at_least <= value && value <= at_most, "{value} is not from {at_least} to {at_most}");
    assert!(!stopped.is_proven(Question::Value), "it was stopped");
    assert_eq!(stopped.moves.len(), game.position().moves().len());
}

#[test]
fn a_finished_game_has_its_value() {
    let over =
        Game::new(Position::parse(Variant::Oware, "0-0-0-0-0-0-0-0-0-0-0-0-30-18-N").expect("a position"));
    let answer = solve(&over, SolveCommand::default(), &table(), &mut || panic!("there is nothing to do"));
    assert_eq!((answer.best, answer.bounds.result()), (None, Some(Verdict::Loss)));
    assert!(answer.is_proven(Question::Value) && answer.bounds.at_least.shown_seeds() < 0);
}
