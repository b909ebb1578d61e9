//! Ends of games, as they are adjudicated, recorded and checked again.

use crate::plans::plan;
use kroo::endgames::Endgames;
use kroo::game::{Awari, Game, Position, Side, Variant, Verdict};
use kroo::protocol::{Bound, InfoScore, ScoreValue};
use kroo_referee::game::{
    AdjudicationRules, DrawRule, Outcome, PlayedGame, ResignRule, SearchInfo, Termination, check_ending,
};
use kroo_referee::schedule::Opening;
use serde_json::json;

fn game(variant: Variant, text: &str) -> Game {
    Game::new(Position::parse(variant, text).unwrap())
}

#[test]
fn an_outcome_is_read_as_it_is_written() {
    for outcome in [Outcome::Win(Side::South), Outcome::Win(Side::North), Outcome::Draw, Outcome::Void] {
        let text = serde_json::to_string(&outcome).unwrap();
        assert_eq!(serde_json::from_str::<Outcome>(&text).unwrap(), outcome, "{text}");
    }
    assert!(serde_json::from_str::<Outcome>("\"1-1\"").is_err());
}

/// A database decides positions with as many seeds as the rule allows, and with fewer, once an engine has moved.
#[test]
fn the_endgame_database_decides_up_to_its_seeds() {
    assert!(Endgames::shared().build::<Awari>(4, &mut || false));
    let info = SearchInfo::default();
    for (text, decides) in [
        ("0-1-0-0-0-0-0-1-0-0-0-0-24-22-S", true),
        ("0-1-1-0-0-0-0-1-0-0-0-0-23-22-S", true),
        ("0-1-1-0-0-0-0-1-1-0-0-0-22-22-S", false),
    ] {
        let game = game(Variant::Awari, text);
        let rules = AdjudicationRules { endgame: Some(3), ..AdjudicationRules::limited(1000) };
        let look = |last| rules.adjudicator().look(&game, last);
        assert_eq!(look(None), None, "{text}");
        let found = look(Some((Side::North, &info)));
        assert_eq!(found.map(|end| end.termination), decides.then_some(Termination::Endgame), "{text}");
    }
}

/// South's last seed goes into its store, which ends the game: 25 to 23.
#[test]
fn an_end_by_the_rules_has_its_own_result() {
    let opening = Opening::new(game(Variant::Kalah, "0-0-0-0-0-1-1-0-0-0-0-0-24-22-S")).unwrap();
    let mut played = PlayedGame::not_started(&opening, [None, None]);
    played.game.play(played.game.position().moves()[0]).unwrap();
    played.search_info = vec![SearchInfo::default()];
    let rules = AdjudicationRules::limited(1000);
    let mut ended = |outcome, termination| {
        (played.outcome, played.termination, played.faults) = (outcome, termination, [false; 2]);
        check_ending(&played, &rules)
    };
    assert_eq!(ended(Outcome::Win(Side::South), Termination::Rules), Ok(()));
    let problem = ended(Outcome::Draw, Termination::Rules).unwrap_err();
    assert_eq!(problem, "its result is 1-0, not 1/2-1/2");
    let problem = ended(Outcome::Win(Side::South), Termination::MoveLimit).unwrap_err();
    assert!(problem.starts_with("it has ended by another reason than it says: "), "{problem}");
}

#[test]
fn rules_of_adjudication_have_bounds() {
    let check = |resign, draw| {
        let mut plan = plan(&["a", "b"], &json!("round_robin"));
        (plan.adjudication.resign, plan.adjudication.draw) = (resign, draw);
        plan.check().map_err(|problem| problem.to_string())
    };
    for (moves, score, is_allowed) in
        [(1, 0, true), (3, 4800, true), (0, 100, false), (0, -1, false), (3, -1, false), (3, 4801, false)]
    {
        let resign = ResignRule { moves, score, both: true };
        let draw = DrawRule { from: 0, moves, score, both: true };
        for (rule, checked) in [("resign", check(Some(resign), None)), ("draw", check(None, Some(draw)))] {
            match checked {
                Ok(()) => assert!(is_allowed, "{rule}, {moves} moves, {score}"),
                Err(problem) => assert!(!is_allowed && problem.starts_with(rule), "{problem}"),
            }
        }
    }
}

fn said(value: ScoreValue, proven: Option<Verdict>) -> SearchInfo {
    let score = InfoScore { value, bound: Bound::Exact, proven, found: None, wdl: None };
    SearchInfo { score: Some(score), ..SearchInfo::default() }
}

/// Shows rules a game after moves of these sides with these reports; the end after the last of them.
fn looked(rules: AdjudicationRules, moves: &[(Side, &SearchInfo)]) -> [Option<Outcome>; 2] {
    let game = Game::new(Position::start(Variant::Awari));
    let mut adjudicator = rules.adjudicator();
    let mut look = |&(side, info)| adjudicator.look(&game, Some((side, info)));
    let (last, before) = moves.split_last().unwrap();
    let before: Vec<_> = before.iter().filter_map(&mut look).collect();
    [before.first().map(|end| end.outcome), look(last).map(|end| end.outcome)]
}

#[test]
fn an_engine_resigns_after_bad_scores_in_a_row() {
    use Side::{North, South};
    let rules = |both| AdjudicationRules {
        resign: Some(ResignRule { moves: 2, score: 300, both }),
        ..AdjudicationRules::limited(1000)
    };
    let cp = |cp| said(ScoreValue::Cp(cp), None);
    let (bad, level, good) = (cp(-300), cp(-299), cp(300));
    let lost = [said(ScoreValue::Mate(-4), None), said(ScoreValue::Cp(0), Some(Verdict::Loss))];
    let won = [said(ScoreValue::Mate(4), None), said(ScoreValue::Cp(0), Some(Verdict::Win))];
    let (resigned, not) = ([None, Some(Outcome::Win(North))], [None; 2]);
    assert_eq!(looked(rules(false), &[(South, &bad), (North, &level), (South, &bad)]), resigned);
    assert_eq!(looked(rules(false), &[(South, &lost[0]), (South, &lost[1])]), resigned);
    assert_eq!(looked(rules(false), &[(South, &bad), (South, &level), (South, &bad)]), not);
    assert_eq!(looked(rules(false), &[(South, &bad), (North, &bad)]), not);
    assert_eq!(looked(rules(true), &[(South, &bad), (South, &bad)]), not, "the other has not agreed");
    assert_eq!(
        looked(rules(true), &[(North, &good), (South, &bad), (North, &won[0]), (South, &bad)]),
        resigned
    );
    assert_eq!(
        looked(rules(true), &[(South, &bad), (South, &bad), (North, &won[1]), (North, &won[0])]),
        resigned
    );
}

/// A bound decides nothing by its number; a result that is proven beside it does.
#[test]
fn bounds_adjudicate_nothing() {
    use Side::{North, South};
    let rules = AdjudicationRules {
        resign: Some(ResignRule { moves: 1, score: 300, both: false }),
        draw: Some(DrawRule { from: 0, moves: 1, score: 10, both: false }),
        ..AdjudicationRules::limited(1000)
    };
    for (value, proven, exact) in [
        (ScoreValue::Cp(-1500), None, Some(Outcome::Win(North))),
        (ScoreValue::Cp(0), None, Some(Outcome::Draw)),
        (ScoreValue::Mate(-3), None, Some(Outcome::Win(North))),
        (ScoreValue::Cp(-100), Some(Verdict::Loss), Some(Outcome::Win(North))),
        (ScoreValue::Cp(300), Some(Verdict::Draw), Some(Outcome::Draw)),
        // In awari the winner may have fewer seeds.
        (ScoreValue::Cp(-4800), Some(Verdict::Win), None),
        (ScoreValue::Mate(3), None, None),
    ] {
        for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
            let mut info = said(value, proven);
            info.score = info.score.map(|score| InfoScore { bound, ..score });
            let expected = exact.filter(|_| bound == Bound::Exact || proven.is_some());
            assert_eq!(looked(rules, &[(South, &info)]), [None, expected], "{info:?}");
            assert_eq!(
                info.proof().is_some(),
                info.score.is_some_and(|score| score.is_definite())
                    && (proven.is_some() || matches!(value, ScoreValue::Mate(_))),
                "{info:?}"
            );
        }
    }
}

#[test]
fn a_position_that_occurs_often_enough_is_a_draw() {
    let rules = AdjudicationRules { repetition: Some(3), ..AdjudicationRules::limited(1000) };
    let (info, mut adjudicator) = (SearchInfo::default(), rules.adjudicator());
    let [first, other, fewer] = [
        "0-1-0-0-0-0-0-1-0-0-0-0-24-22-S",
        "1-0-0-0-0-0-0-1-0-0-0-0-24-22-S",
        "0-1-0-0-0-0-0-0-0-0-0-0-24-23-S",
    ]
    .map(|text| game(Variant::Awari, text));
    let mut look = |game| adjudicator.look(game, Some((Side::North, &info)));
    for game in [&first, &other, &first, &other] {
        assert_eq!(look(game), None);
    }
    let end = look(&first).unwrap();
    assert_eq!((end.outcome, end.termination), (Outcome::Draw, Termination::Repetition));
    // A capture begins the count again.
    assert_eq!([look(&fewer), look(&first)], [None; 2]);
}

/// A game from the start with these moves, which no rule has ended.
fn begun(moves: usize) -> PlayedGame {
    let opening = Opening::new(Game::new(Position::start(Variant::Awari))).unwrap();
    let mut played = PlayedGame::not_started(&opening, [None, None]);
    for _ in 0..moves {
        played.game.play(played.game.position().moves()[0]).unwrap();
        played.search_info.push(SearchInfo::default());
    }
    played
}

/// After one move it is North's turn.
#[test]
fn a_recorded_fault_is_that_of_the_side_to_move_and_loses() {
    use Termination::{Crash, FailedToStart, MoveLimit, NeitherStarted};
    let (south, north) = (Outcome::Win(Side::South), Outcome::Win(Side::North));
    let cases = [
        (1, [false, true], Crash, south, ""),
        (1, [false, true], Crash, north, "the side that is at fault has not lost it"),
        (1, [true, false], Crash, north, "the side that is at fault was not to move"),
        (1, [true, false], FailedToStart, north, "the side that is at fault was not to move"),
        (1, [false, false], Crash, south, "it ends by a fault, and neither side is at fault"),
        (1, [false, true], MoveLimit, south, "a side is at fault, and it does not end by a fault"),
        (1, [true, true], Crash, Outcome::Void, "both sides are at fault"),
        (1, [true, true], NeitherStarted, Outcome::Void, "neither engine has started, and it has moves"),
        (1, [false, false], MoveLimit, Outcome::Draw, "nothing in it ends it as it says: "),
        (0, [true, false], Crash, north, ""),
        (0, [false, true], Crash, south, "the side that is at fault was not to move"),
        (0, [false, true], FailedToStart, south, ""),
        (0, [true, true], NeitherStarted, Outcome::Void, ""),
        (0, [true, true], NeitherStarted, south, "neither engine has started, and it has a result"),
        (0, [true, false], NeitherStarted, north, "only one engine has not started"),
    ];
    for (moves, faults, termination, outcome, problem) in cases {
        let mut played = begun(moves);
        (played.faults, played.termination, played.outcome) = (faults, termination, outcome);
        let found = check_ending(&played, &AdjudicationRules::limited(1000)).err().unwrap_or_default();
        let fits = if problem.is_empty() { found.is_empty() } else { found.starts_with(problem) };
        assert!(fits, "{moves} moves, {faults:?}, {termination}: `{found}`, expected `{problem}`");
    }
}

#[test]
fn some_ends_are_faults_and_the_loser_has_no_points() {
    use Termination::{Crash, IllegalMove, MoveLimit, NoMove, Resignation, Rules, TimeForfeit};
    assert!([Crash, IllegalMove, NoMove, TimeForfeit].into_iter().all(Termination::is_fault));
    assert!(![MoveLimit, Resignation, Rules].into_iter().any(Termination::is_fault));
    let half_points = |outcome: Outcome| Side::BOTH.map(|side| outcome.half_points(side));
    let all = [Outcome::Win(Side::South), Outcome::Win(Side::North), Outcome::Draw, Outcome::Void];
    assert_eq!(all.map(half_points), [[2, 0], [0, 2], [1, 1], [1, 1]]);
}

/// South has claimed a proof with its first and third move, the first and third of the game.
#[test]
fn a_proof_that_the_result_denies_is_a_contradiction() {
    let (win, draw, loss) = (Verdict::Win, Verdict::Draw, Verdict::Loss);
    let (south, north) = (Outcome::Win(Side::South), Outcome::Win(Side::North));
    let proven = |proven| said(ScoreValue::Cp(0), Some(proven));
    let cases = [
        (proven(win), south, None),
        (proven(win), north, Some(1)),
        (proven(win), Outcome::Draw, Some(1)),
        (proven(draw), north, Some(1)),
        (proven(draw), Outcome::Draw, None),
        (proven(loss), north, None),
        (proven(loss), south, None),
        (said(ScoreValue::Mate(3), None), north, Some(1)),
        (said(ScoreValue::Mate(-3), None), north, None),
        (said(ScoreValue::Cp(900), None), north, None),
    ];
    for (info, outcome, contradiction) in cases {
        let mut played = begun(3);
        (played.outcome, played.termination) = (outcome, Termination::Rules);
        (played.search_info[0], played.search_info[2]) = (info.clone(), info);
        assert_eq!(played.contradictions(Side::South), [None, contradiction], "{outcome:?}");
        assert_eq!(played.contradictions(Side::North), [None; 2], "{outcome:?}");
        played.termination = Termination::MoveLimit;
        assert_eq!(played.contradictions(Side::South), [None; 2], "not played to its end");
    }
}
