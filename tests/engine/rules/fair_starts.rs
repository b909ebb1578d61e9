//! The fair starts that are compiled in: whole, legal, each once.

use kroo::game::{Position, Side, Variant, fair_starts, games_with_fair_starts};
use std::collections::BTreeSet;

/// Seeds of the usual start that a position has elsewhere.
fn moved(position: &Position) -> u8 {
    let usual = Position::start(position.variant());
    let missing = |side: Side| {
        let pits = usual.row(side).pits().into_iter().zip(position.row(side).pits());
        pits.map(|(usual, seeds)| usual.saturating_sub(seeds)).sum::<u8>()
    };
    Side::BOTH.map(missing).iter().sum()
}

#[test]
fn one_or_two_seeds_of_each_are_moved() {
    let games = games_with_fair_starts();
    assert!(games.contains(&Variant::Awari1978) && games.contains(&Variant::Kalah));
    for game in games {
        let starts = fair_starts(game);
        let different: BTreeSet<String> = starts.iter().map(ToString::to_string).collect();
        assert!(!starts.is_empty() && different.len() == starts.len(), "{game}");
        for start in starts {
            let seeds = |position: &Position| {
                let board = position.board();
                board.seeds() + board.mover.store() + board.other.store()
            };
            assert_eq!(seeds(&start), seeds(&Position::start(game)), "{start}");
            assert!(start.variant() == game && start.side() == Side::South && start.verdict().is_none());
            assert!((1..=2).contains(&moved(&start)), "{start}");
        }
    }
}

/// With empty capture they are those that T. Neller and others list (Computers and Games 2022); without, they count as many.
#[test]
fn they_are_those_of_others() {
    let starts = |name: &str| fair_starts(name.parse().expect("a game"));
    let list = include_str!("../../fixtures/data/kalah/fairkalah.txt");
    let listed: BTreeSet<&str> = list.lines().filter(|line| !line.starts_with('#')).collect();
    let ours: BTreeSet<String> = starts("kalah-emptycapture").iter().map(ToString::to_string).collect();
    assert!(ours.iter().map(String::as_str).eq(listed.iter().copied()) && ours.len() == 254);
    assert_eq!((starts("kalah").len(), starts("oware").len()), (323, 0));
}

/// The page has the number of each game.
#[test]
fn the_page_has_their_numbers() {
    let page = include_str!("../../../docs/rules.md");
    for game in games_with_fair_starts() {
        let row = page.lines().find_map(|line| line.strip_prefix(&format!("| `{game}` | ")));
        let count = row.and_then(|row| row.split(' ').next()).and_then(|count| count.parse().ok());
        assert_eq!(count, Some(fair_starts(game).len()), "{game}");
    }
}
