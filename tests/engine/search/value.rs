//! Tests of `src/core/value.rs`.

use kroo::game::{Awari, Board, Kalah, Row, Verdict};
use kroo::value::*;

#[test]
fn chances_add_up_and_only_proofs_are_whole() {
    let chances = |value, proof| Score { value, proof }.chances();
    for centiseeds in (-15_000..=15_000).step_by(37) {
        let [win, draw, loss] = chances(Value::estimate(centiseeds), Proof::NONE);
        assert_eq!(win + draw + loss, 1000, "{centiseeds}");
        assert!(win < 1000 && draw < 1000 && loss < 1000);
    }
    // An even chance to win at 80, and odds of e to one 250 higher.
    assert_eq!([80, 330].map(|value| chances(Value::estimate(value), Proof::NONE)[0]), [500, 731]);
    let won = Value::ended(Verdict::Win, 3);
    let score = Score { value: won, proof: Proof::AT_LEAST };
    assert_eq!(score.turned(), Score { value: won.turned(), proof: Proof::AT_MOST });
    assert_eq!((score.proven(), score.turned().proven()), (Some(Verdict::Win), Some(Verdict::Loss)));
    assert_eq!(chances(won, Proof::NONE), [998, 1, 1]);
    assert_eq!(chances(won, Proof::EXACT), [1000, 0, 0]);
    assert_eq!(chances(won.turned(), Proof::EXACT), [0, 0, 1000]);
    assert_eq!(chances(Value::DRAW, Proof::EXACT), [0, 1000, 0]);
}

/// A board with seeds in one pit and a store.
fn board(seeds: u8, store: u8) -> Board {
    Board { mover: Row::new([seeds, 0, 0, 0, 0, 0], store), other: Row::new([0; 6], 0) }
}

#[test]
fn seeds_bound_the_margin_and_the_winner_only_where_no_sweep_wins() {
    let board = board(3, 1);
    assert_eq!(within_reach::<Kalah>(board), (by_margin(-2), by_margin(4)));
    assert_eq!(
        within_reach::<Awari>(board),
        (Value::ended(Verdict::Loss, -2), Value::ended(Verdict::Win, 4))
    );
}

/// Estimates for two seeds, and for one lead: half a seed before the end they are compressed, and never reach it.
#[test]
fn an_estimate_of_few_seeds_stays_within_them_and_keeps_its_order() {
    for lead in [0, 5] {
        let told = |centiseeds| {
            let ahead = 100 * i32::from(lead);
            Value::estimate(ahead + centiseeds).within_seeds(board(2, lead)).centiseeds() - ahead
        };
        for (centiseeds, expected) in [(0, 0), (150, 150), (151, 150), (159, 154), (250, 174), (9500, 198)] {
            assert_eq!([told(centiseeds), told(-centiseeds)], [expected, -expected], "{centiseeds}");
        }
    }
}

#[test]
fn a_value_without_its_lead_keeps_its_meaning() {
    let proofs = [Proof::NONE, Proof::AT_LEAST, Proof::AT_MOST, Proof::EXACT];
    for lead in [-48, -7, 0, 3, 48] {
        for proof in proofs {
            let bare = Value::DRAW.without_lead(proof, lead);
            assert_eq!(matches!(bare.kind(), Kind::Estimate(_)), proof == Proof::NONE, "{lead} {proof:?}");
            assert_eq!(bare.with_lead(lead), Value::DRAW, "{lead} {proof:?}");
            for margin in [-48, -1, 1, 20] {
                let ended = by_margin(margin);
                assert_eq!(ended.without_lead(proof, lead).with_lead(lead), ended, "{margin} {lead}");
            }
            for centiseeds in [-4800, -1, 250] {
                let estimate = Value::estimate(centiseeds);
                assert_eq!(
                    estimate.without_lead(proof, lead).with_lead(lead),
                    estimate,
                    "{centiseeds} {lead}"
                );
            }
        }
    }
}

#[test]
fn bounds_keep_the_best_proof_and_of_equal_ones_the_soonest() {
    let at_least =
        |seeds, plies| Bounds::of(Score { value: by_margin(seeds), proof: Proof::AT_LEAST }, plies);
    let at_most = |seeds, plies| Bounds::of(Score { value: by_margin(seeds), proof: Proof::AT_MOST }, plies);
    let mut bounds = Bounds::NONE;
    for other in
        [at_least(-3, 9), at_most(5, 2), at_least(1, 30), at_least(1, 20), at_least(1, 40), at_most(7, 1)]
    {
        bounds.narrow(other);
    }
    let expected = Bounds { at_least: by_margin(1), at_most: by_margin(5), least_within: 20, most_within: 2 };
    assert_eq!(bounds, expected);
    let turned = Bounds { at_least: by_margin(-5), at_most: by_margin(-1), least_within: 3, most_within: 21 };
    assert_eq!(bounds.before_move(false), turned);
    assert_eq!(bounds.before_move(true), Bounds { least_within: 21, most_within: 3, ..bounds });
    assert_eq!((bounds.value(), bounds.result()), (None, Some(Verdict::Win)));
    assert_eq!((Bounds::NONE.value(), Bounds::NONE.result()), (None, None));
}

#[test]
fn a_score_is_the_bound_that_proves_the_result_or_an_estimate_within_the_bounds() {
    let told = |at_least, at_most, estimate| {
        let bounds = Bounds { at_least, at_most, ..Bounds::NONE };
        bounds.score(Value::estimate(estimate))
    };
    let score = |value, proof| Score { value, proof };
    assert_eq!(told(by_margin(2), Value::MOST, 900), score(by_margin(2), Proof::AT_LEAST));
    assert_eq!(told(by_margin(2), by_margin(2), -900), score(by_margin(2), Proof::EXACT));
    assert_eq!(told(Value::LEAST, by_margin(-2), 900), score(by_margin(-2), Proof::AT_MOST));
    assert_eq!(told(Value::LEAST, Value::DRAW, 900), score(Value::DRAW, Proof::AT_MOST));
    assert_eq!(told(Value::DRAW, Value::MOST, 900), score(Value::estimate(900), Proof::NONE));
    assert_eq!(told(Value::LEAST, Value::MOST, 900), score(Value::estimate(900), Proof::NONE));
}
