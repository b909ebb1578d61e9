//! Game files as a source of results, and results as numbers.

use kroo_referee::ledger::results::{Contest, GameFiles, ResultNumbers, Results};
use kroo_referee::statistics::{EloModel, Sprt};

const TEST: Sprt = Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05, model: EloModel::Normalized };

/// A game between two players, in which nothing was played.
fn text([south, north]: [&str; 2], result: &str, tags: &str) -> String {
    format!(
        "[Variant \"awari\"]\n[South \"{south}\"]\n[North \"{north}\"]\n[Result \"{result}\"]\n{tags}\n{result}\n\n"
    )
}

fn count(games: &[String], sprt: Option<Sprt>) -> Result<(GameFiles, Results), String> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.ogn");
    std::fs::write(&path, games.concat()).expect("written");
    GameFiles::count(&[path], sprt).map_err(|problem| problem.to_string())
}

#[test]
fn players_limits_and_results_are_those_of_the_games() {
    let limits = "[TimeControl \"1 s\"]\n";
    let games = [
        text(["one", "two"], "1-0", limits),
        text(["two", "one"], "1/2-1/2", limits),
        text(["one", "two"], "*", limits),
    ];
    let (files, tally) = count(&games, Some(TEST)).expect("two engines");
    assert_eq!((files.names(), files.conditions()), (vec!["one", "two"], "awari, 1 s".to_owned()));
    assert_eq!((tally.games, files.unfinished), (2, 1));
    assert_eq!(tally.engines.iter().map(|totals| totals.points()).collect::<Vec<_>>(), [1.5, 0.5]);
    let other = [games[0].clone(), text(["one", "two"], "1-0", "[TimeControl \"2 s\"]\n")];
    assert_eq!(
        count(&other, None).expect("readable").0.conditions(),
        "awari",
        "limits that differ are left out"
    );
}

/// What the rules have ended has the result of the rules, in the tag and at the end; what they have not is the writer's.
#[test]
fn a_result_against_the_rules_is_refused() {
    let game = |result: &str, rest: &str| {
        let tags = "[Variant \"kalah\"]\n[South \"one\"]\n[North \"two\"]\n";
        let start = "[FEN \"0-0-0-0-0-1-1-0-0-0-0-0-26-20-S\"]\n";
        vec![format!("{tags}{start}[Result \"{result}\"]\n\n{rest}\n\n")]
    };
    for (result, rest) in [("1-0", "1. F 27-21"), ("1-0", "1. F 1-0"), ("0-1", "0-1"), ("0-1", "1. F f 0-1")]
    {
        assert_eq!(count(&game(result, rest), None).map(|(_, tally)| tally.games), Ok(1), "{result} {rest}");
    }
    for (result, rest, line) in [("0-1", "1. F 27-21", 5), ("0-1", "1. F 0-1", 5), ("1-0", "1. F 20-28", 7)] {
        let problem = count(&game(result, rest), None).expect_err(rest);
        assert!(problem.contains(&format!("games.ogn: line {line}, column ")), "{problem}");
        assert!(problem.contains("by the rules the game has ended 1-0"), "{problem}");
    }
}

#[test]
fn a_test_is_of_two_engines() {
    let games = [text(["one", "two"], "1-0", ""), text(["one", "three"], "0-1", "")];
    assert!(count(&games, None).is_ok());
    let problem = count(&games, Some(TEST)).expect_err("three engines");
    assert!(problem.contains("these files have 3"), "{problem}");
}

#[test]
fn points_and_draws_are_counted_by_hand() {
    let (games, pairs) = (ResultNumbers::Games([3, 2, 5]), ResultNumbers::Pairs([1, 2, 3, 4, 6]));
    assert_eq!([games.points(), pairs.points()], [6.0, 1.0 + 3.0 + 6.0 + 12.0]);
    assert_eq!([games.games(), pairs.games()], [10, 32]);
    assert_eq!([games.draw_ratio(), pairs.draw_ratio()], [Some(0.2), Some(3.0 / 16.0)]);
    assert_eq!(ResultNumbers::Games([0; 3]).draw_ratio(), None);
    assert_eq!(ResultNumbers::Pairs([0; 5]).draw_ratio(), None);
}
