//! Tests of `src/review.rs`, and of its text and its scores in `src/cli/commands/analyse/`.

use kroo::cli::commands::analyse::review::{course, line};
use kroo::cli::commands::analyse::scores::{PointOfView, score_json, shown};
use kroo::game::{Game, Move, Position, Variant, Verdict};
use kroo::protocol::{Limits, ReviewedMoves};
use kroo::review::{Counts, Judgement, Mark, Review};
use kroo::search::{Report, ReportedLine};
use kroo::value::{Proof, Score, Value};

fn estimate(value: i32) -> Score {
    Score { value: Value::estimate(value), proof: Proof::NONE }
}

fn ended(verdict: Verdict, margin: i8, proof: Proof) -> Score {
    Score { value: Value::ended(verdict, margin), proof }
}

/// A mark needs a worse score of the same standing, or a result that is proven worse.
#[test]
fn a_missing_proof_is_no_mistake() {
    use Mark::{Blunder, Inaccuracy, Mistake};
    use Verdict::{Draw, Loss, Win};
    let (win, least_win) = (ended(Win, 20, Proof::EXACT), ended(Win, 4, Proof::AT_LEAST));
    let (draw, loss) = (ended(Draw, 0, Proof::EXACT), ended(Loss, -12, Proof::EXACT));
    let (found_win, found_loss) = (ended(Win, 6, Proof::NONE), ended(Loss, -6, Proof::NONE));
    for (best, played, mark) in [
        // Estimates, and results that are found: by the difference.
        (estimate(200), estimate(151), None),
        (estimate(200), estimate(150), Some(Inaccuracy)),
        (estimate(200), estimate(50), Some(Mistake)),
        (estimate(200), estimate(-100), Some(Blunder)),
        (found_win, estimate(4374), None),
        (found_win, estimate(460), Some(Inaccuracy)),
        (estimate(-800), found_loss, None),
        (estimate(100), found_loss, Some(Blunder)),
        // A proof for the best move alone.
        (win, estimate(4374), None),
        (win, found_win, None),
        (least_win, estimate(-300), None),
        (draw, estimate(51), None),
        (draw, estimate(-400), None),
        // Two proofs: the result counts, the margin does not.
        (win, least_win, None),
        (win, draw, Some(Blunder)),
        (draw, loss, Some(Blunder)),
        (loss, ended(Loss, -40, Proof::EXACT), None),
        // A proof for the played move alone.
        (estimate(400), draw, Some(Blunder)),
        (estimate(100), draw, Some(Inaccuracy)),
        (estimate(10), loss, Some(Blunder)),
        (estimate(-1150), loss, Some(Inaccuracy)),
        (estimate(-4000), loss, None),
        (estimate(100), win, None),
    ] {
        assert_eq!(Mark::of(best, played), mark, "{best:?} {played:?}");
        // A mark is never on a move with an equal or better score.
        let is_worse = best.value.shown_centiseeds() > played.value.shown_centiseeds();
        assert!(mark.is_none() || is_worse, "{best:?} {played:?}");
    }
}

/// A game of oware in which South begins with A.
fn game() -> (Game, Move) {
    let mut game = Game::new(Position::start(Variant::Oware));
    let mv = game.position().moves()[0];
    game.play(mv).expect("it is legal");
    (game, mv)
}

/// A report in which A gives away hundredths of a seed for B; without a line for A if `given` is `None`.
fn report(given: Option<i32>) -> Report {
    let moves = Position::start(Variant::Oware).moves();
    let played = given.map(|given| ReportedLine {
        score: estimate(-given),
        pv: vec![moves[0]],
        ..ReportedLine::default()
    });
    Report {
        score: estimate(0),
        pv: vec![moves[1]],
        others: played.into_iter().collect(),
        ..Report::default()
    }
}

/// The mark of A, and the times of the searches.
fn reviewed(reports: &[Option<i32>]) -> (Option<&'static str>, Vec<u64>) {
    let (game, mv) = game();
    let mut review =
        Review::new(&game, ReviewedMoves::default(), &Limits { movetime: Some(250), ..Limits::default() });
    let (mut times, mut sign) = (Vec::new(), None);
    for given in reports {
        let look = review.look().expect("a move to judge");
        assert_eq!((look.game.moves().len(), look.lines), (0, 6));
        times.extend(look.limits.movetime);
        if let Some(judgement) = review.take(&report(*given)) {
            assert_eq!((judgement.ply, judgement.mv), (1, mv));
            sign = judgement.sign();
        }
    }
    assert!(review.look().is_none(), "the review is over");
    (sign, times)
}

/// A mark by time counts only if a search four times as long confirms it, and a move without a line is searched again.
#[test]
fn a_longer_look_confirms_each_mark() {
    assert_eq!(reviewed(&[Some(400), Some(0)]), (None, vec![250, 1000]));
    assert_eq!(reviewed(&[Some(400), Some(200)]), (Some("?"), vec![250, 1000]));
    assert_eq!(reviewed(&[Some(60), Some(400)]), (Some("??"), vec![250, 1000]));
    assert_eq!(reviewed(&[Some(0)]), (None, vec![250]));
    assert_eq!(reviewed(&[None, Some(0)]), (None, vec![250, 1000]));
    assert_eq!(reviewed(&[None, None]), (None, vec![250, 1000]));
}

/// A question mark would be the mark of a mistake.
#[test]
fn a_move_without_a_score_has_no_mark() {
    let (game, mv) = game();
    let before = Game::new(*game.start());
    let judgement = Judgement::new(&before, mv, &[(estimate(0), &[before.position().moves()[1]])]);
    assert_eq!(judgement.played, None);
    for view in [PointOfView::South, PointOfView::Mover] {
        let line = line(&judgement, view);
        assert!(line.ends_with(" n/a") && !line.contains('?'), "{line}");
    }
}

#[test]
fn the_moves_of_one_side_or_after_the_opening_are_judged() {
    let mut game = game().0;
    for _ in 0..4 {
        let mv = game.position().moves()[0];
        game.play(mv).expect("it is legal");
    }
    use kroo::game::Side::{North, South};
    for (side, from, plies) in [
        (Some(South), None, &[1, 3, 5][..]),
        (Some(North), None, &[2, 4]),
        (None, Some(1), &[1, 2, 3, 4, 5]),
        (None, Some(3), &[3, 4, 5]),
        (Some(North), Some(3), &[4]),
        (Some(North), Some(5), &[]),
        (None, Some(6), &[]),
    ] {
        let judged = ReviewedMoves { side, from };
        let mut review = Review::new(&game, judged, &Limits { nodes: Some(1), ..Limits::default() });
        while let Some(look) = review.look() {
            let best = look.game.position().moves()[0];
            review.take(&Report { score: estimate(0), pv: vec![best], ..Report::default() });
        }
        let judged: Vec<usize> = review.judgements().iter().map(|judgement| judgement.ply).collect();
        assert_eq!(judged, plies);
    }
}

/// A judgement of South's first move with these scores.
fn judgement(best: Score, played: Score) -> Judgement {
    let (game, mv) = game();
    let before = Game::new(*game.start());
    let other = [before.position().moves()[1]];
    Judgement::new(&before, mv, &[(best, &other), (played, &[mv])])
}

/// Only moves with a proof beside that of the best one show whether a result was kept.
#[test]
fn results_that_are_given_away_are_counted() {
    use Verdict::{Draw, Loss, Win};
    let result = |verdict| ended(verdict, 0, Proof::EXACT);
    let moves = [
        judgement(result(Win), result(Win)),
        judgement(result(Win), result(Draw)),
        judgement(result(Draw), result(Loss)),
        judgement(result(Loss), result(Loss)),
        judgement(result(Win), estimate(-100)),
        judgement(estimate(100), result(Draw)),
    ];
    let counts = Counts::of(&moves, kroo::game::Side::South);
    assert_eq!((counts.known, counts.given_away, counts.marks), (4, 2, [1, 0, 2]));
    let none = Counts { marks: [0; 3], accuracy: None, known: 0, given_away: 0 };
    assert_eq!(Counts::of(&moves, kroo::game::Side::North), none);
}

#[test]
fn the_course_of_a_game_is_one_line() {
    let [lost, level, won] = [-2000, 0, 2000].map(|score| judgement(estimate(score), estimate(score)));
    let game = [won, level.clone(), lost];
    assert_eq!(course(&game, false).as_deref(), Some("Course (0 lost, 9 won for South): 950"));
    assert_eq!(course(&game, true).as_deref(), Some("Course (▁ lost, █ won for South): █▅▁"));
    assert_eq!(course(&[], true), None);
    let long: Vec<Judgement> = (0..121).map(|_| level.clone()).collect();
    let line = course(&long, false).expect("a line");
    let (head, signs) = line.split_once(": ").expect("signs");
    assert_eq!((head, signs.len()), ("Course (0 lost, 9 won for South, 3 moves a sign)", 41));
}

#[test]
fn a_result_that_is_a_bound_or_not_proven_is_marked() {
    let score = |verdict, margin, proof| Score { value: Value::ended(verdict, margin), proof };
    for (score, text) in [
        (score(Verdict::Win, 13, Proof::NONE), "+13.00 found win"),
        (score(Verdict::Loss, -9, Proof::NONE), "-9.00 found loss"),
        (score(Verdict::Win, 13, Proof::AT_LEAST), ">= +13.00 win"),
        (score(Verdict::Loss, -9, Proof::AT_MOST), "<= -9.00 loss"),
        (score(Verdict::Loss, -9, Proof::EXACT), "-9.00 loss"),
        (Score { value: Value::estimate(1300), proof: Proof::NONE }, "+13.00"),
    ] {
        assert_eq!(shown(score), text);
        let told = score_json(score);
        for key in ["found", "proven"] {
            let marked = text.contains(" found ") == (key == "found") && text.contains(' ');
            assert_eq!(told[key].is_string(), marked, "{key} of {text}");
        }
    }
}
