//! Ends of games, as they are adjudicated, recorded and checked again.

use crate::plans::plan;
use kroo::endgames::Endgames;
use kroo::game::{Awari, Game, Position, Side, Variant};
use kroo_referee::game::{
    AdjudicationRules, Adjudicator, DrawRule, GameMoment, Outcome, PlayedGame, ResignRule, SearchInfo,
    Termination, check_ending,
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
        let look = |last| rules.adjudicators().look(&GameMoment { game: &game, last });
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
