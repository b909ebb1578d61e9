//! The endgames against results that others worked out.

use crate::vectors::lines;
use kroo::endgame::{Endgames, covers};
use kroo::game::{Position, Rules, Variant, Verdict, Visitor};
use kroo::value::{CENTISEEDS, Score};

/// Probes a position, after building what it needs.
struct Probe<'a>(&'a Endgames, Position);

impl Visitor for Probe<'_> {
    type Output = Option<Score>;

    fn visit<R: Rules>(self) -> Option<Score> {
        let Probe(endgames, position) = self;
        let seeds = position.board().seeds();
        if !covers::<R>() {
            return None;
        }
        assert!(endgames.build::<R>(seeds, &mut || false));
        endgames.probe::<R>(position.board(), seeds)
    }
}

fn position(words: &[&str]) -> Position {
    let variant: Variant = words[0].parse().expect("a rule set");
    Position::parse(variant, words[1]).expect("a position")
}

#[test]
fn solved_positions() {
    let endgames = Endgames::new();
    for (line, words) in lines(include_str!("../data/solved.txt")) {
        let position = position(&words);
        let verdict = position.verdict().unwrap_or_else(|| {
            let score = position.variant().visit(Probe(&endgames, position)).expect("covered");
            score.proven().expect("certain")
        });
        let expected: i32 = words[2].parse().expect("a result");
        assert_eq!(verdict as i32 - Verdict::Draw as i32, expected, "line {line}");
    }
}

#[test]
fn solved_margins() {
    let endgames = Endgames::new();
    let mut checked = 0;
    for (line, words) in lines(include_str!("../data/solved-margins.txt")) {
        let position = position(&words);
        if position.verdict().is_some() || position.board().seeds() > 11 {
            continue;
        }
        let score = position.variant().visit(Probe(&endgames, position)).expect("covered");
        let expected: i32 = words[2].parse().expect("a margin");
        assert_eq!(score.value.centiseeds(), expected * CENTISEEDS, "line {line}");
        checked += 1;
    }
    assert!(checked >= 20, "{checked}");
}
