//! Tests of `src/tools/analyse/review.rs`.

use kroo::game::{Position, Variant};
use kroo::protocol::Limits;
use kroo::tools::analyse::review::*;
use kroo::value::{Proof, Score, Value};

/// A review of a first move with a score `given` hundredths of a seed below the best one.
fn review(given: i32) -> MoveReview {
    let before = Position::start(Variant::Oware);
    let mv = before.moves()[0];
    let estimate = |value| Score { value: Value::estimate(value), proof: Proof::NONE };
    let (best, played) = (estimate(0), estimate(-given));
    let mark = mark_of(best, played);
    MoveReview { ply: 1, mv, before, best, best_line: vec![mv], played: Some(played), mark }
}

/// A mark by time counts only if a search four times as long confirms it.
#[test]
fn a_longer_look_confirms_each_mark() {
    let limits = Limits { movetime: Some(250), ..Limits::default() };
    for (first, second, mark, times) in [
        (400, 0, None, &[250, 1000][..]),
        (400, 200, Some("?"), &[250, 1000]),
        (60, 400, Some("??"), &[250, 1000]),
        (0, 400, None, &[250]),
    ] {
        let mut asked = Vec::new();
        let found = confirmed(&limits, |limits| {
            asked.push(limits.movetime.expect("a time"));
            review(if asked.len() == 1 { first } else { second })
        });
        assert_eq!((found.sign(), &asked[..]), (mark, times), "{first} {second}");
    }
}

/// A move that the first search did not reach is searched again.
#[test]
fn a_longer_look_finds_what_the_first_had_no_time_for() {
    let limits = Limits { nodes: Some(100), ..Limits::default() };
    let mut nodes = Vec::new();
    let found = confirmed(&limits, |limits| {
        nodes.extend(limits.nodes);
        MoveReview { played: None, ..review(0) }
    });
    assert_eq!((found.sign(), nodes), (None, vec![100, 400]));
}

#[test]
fn the_course_of_a_game_is_one_line() {
    let [lost, level, won] = [2000, 0, -2000].map(review);
    let game = [won, level, lost];
    assert_eq!(course(&game, false).as_deref(), Some("Course (0 lost, 9 won for South): 950"));
    assert_eq!(course(&game, true).as_deref(), Some("Course (▁ lost, █ won for South): █▅▁"));
    assert_eq!(course(&[], true), None);
    let long: Vec<MoveReview> = (0..121).map(|_| review(0)).collect();
    let line = course(&long, false).expect("a line");
    let (head, signs) = line.split_once(": ").expect("signs");
    assert_eq!((head, signs.len()), ("Course (0 lost, 9 won for South, 3 moves a sign)", 41));
}
