//! Scores are possible: within the seeds left, and their proofs are right and permanent.

use super::proven::Log;
use ahash::AHashMap;
use kroo::endgames::Endgames;
use kroo::game::{Cycle, Game, Move, Oware, Position, Rules, Side, Variant, Verdict, Visitor, split_mix};
use kroo::level::{LEVELS, Strength};
use kroo::players::{PlayerConfig, Turn, player};
use kroo::roster::PlayerName;
use kroo::search::{Purpose, ReportedLine, Request, SearchMemory, Silent, TablebasePolicy, search};
use kroo::value::{Kind, Value};
use proptest::prelude::*;
use std::sync::Arc;
use support::games::{any_game, is_over, played, random_game};

/// The fault of a score in a position, if any.
fn fault(position: &Position, centiseeds: i32, is_decided: bool) -> Option<String> {
    let side = position.side();
    let lead = i32::from(position.store(side)) - i32::from(position.store(side.other()));
    let left = i32::from(position.board().seeds());
    let (least, most) = (100 * (lead - left), 100 * (lead + left));
    // In `awari` a capture of everything wins with fewer seeds.
    let is_swept = position.variant() == Variant::Awari && is_decided && centiseeds.abs() == 100;
    let is_fine = (least..=most).contains(&centiseeds) || is_swept;
    (!is_fine).then(|| format!("{position}: {centiseeds} is not in {least}..={most}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// On every line, at every depth, at every level.
    #[test]
    fn every_score_lies_within_the_seeds_that_are_left(
        game in any_game(0..160),
        level in prop::sample::select(LEVELS).prop_map(|(level, _)| level),
    ) {
        prop_assume!(!is_over(&game));
        let config = PlayerConfig::new(game.position().variant());
        let mut player = player(PlayerName::Kroo, &config).expect("it plays all rule sets");
        let request = Request { multipv: 6, nodes: 4_000, ..Request::new(&game) };
        let table = Arc::new(SearchMemory::new(1).expect("memory"));
        let turn = Turn { strength: Strength::Level(level), request, table };
        let mut log = Log::default();
        let last = player.choose(&turn, &mut log);
        log.0.push(last);
        for report in &log.0 {
            for ReportedLine { score, .. } in report.lines() {
                let is_decided = !matches!(score.value.kind(), Kind::Estimate(_));
                let fault = fault(game.position(), score.value.shown_centiseeds(), is_decided);
                prop_assert_eq!(fault, None, "{:?} {:?}", level, score);
            }
        }
    }

    /// Proofs remain in later iterations and on every line, and are not contradicted after the next two moves.
    #[test]
    fn what_was_proven_stays_proven(
        (variant, seed) in (prop::sample::select(Variant::ALL), any::<u64>()),
        (plies, multipv) in (20..90usize, 1..4usize),
    ) {
        let mut game = random_game(variant, seed, plies);
        let table = SearchMemory::new(4).expect("memory");
        let mut state = seed;
        let mut won = None;
        for _ in 0..3 {
            let mut lost = false;
            if is_over(&game) {
                break;
            }
            let request = Request { endgame_seeds: 0, multipv, nodes: 30_000, depth: 24, ..Request::new(&game) };
            let (mut log, was_won) = (Log::default(), won.is_some());
            let _ = search(&request, &table, &mut log);
            let mut known: AHashMap<Move, Verdict> = AHashMap::new();
            for report in &log.0 {
                for (index, ReportedLine { score, pv: line, .. }) in report.lines().into_iter().enumerate() {
                    // After an earlier proof the best line's score is the position's, whichever move it begins with; and a loss
                    // of one move is not one of the position.
                    let of_line = |&verdict: &Verdict| {
                        verdict == Verdict::Win && !was_won || verdict == Verdict::Loss && index > 0 && !was_won
                    };
                    let before = known.get(&line[0]).copied().filter(of_line);
                    if let Some(verdict) = before {
                        prop_assert_eq!(score.proven(), Some(verdict), "{} {}", game.position(), line[0]);
                    }
                    known.extend(score.proven().map(|verdict| (line[0], verdict)));
                }
                // The table may have lost the proof, but none contradicts it.
                if let Some(verdict) = won {
                    let now = report.score.proven();
                    prop_assert!(now.is_none_or(|now| now == verdict), "{}: {now:?}", game.position());
                }
                prop_assert!(!lost || report.score.proven() == Some(Verdict::Loss), "{}", game.position());
                lost |= report.score.proven() == Some(Verdict::Loss);
                won = won.or(report.score.proven().filter(|&verdict| verdict == Verdict::Win));
            }
            let Some(last) = log.0.last() else { break };
            // A search that knows a win from an earlier one may end before it has found the move again.
            if was_won {
                let only = Request { search_moves: vec![last.pv[0].pit], ..request.clone() };
                won = won.filter(|_| search(&only, &table, &mut Log::default()).score.proven() == Some(Verdict::Win));
            }
            // The winner's best move, and any answers, until the winner moves again.
            let side = game.position().side();
            game.play(last.pv[0]).expect("legal");
            while !is_over(&game) && game.position().side() != side {
                let moves = game.position().moves();
                game.play(moves[split_mix(&mut state) as usize % moves.len()]).expect("legal");
            }
            // The past matters where a repetition ends the game.
            won = won.filter(|_| variant.visit(ScoreStands) && !is_over(&game));
        }
    }
}

/// Whether a position's value does not depend on its past.
struct ScoreStands;

impl Visitor for ScoreStands {
    type Output = bool;

    fn visit<R: Rules>(self) -> bool {
        R::CYCLE != Cycle::EndsGame
    }
}

/// Four threads share a few nodes, and depth is one: the win still comes nearer with every move.
#[test]
fn a_known_win_is_converted_with_tiny_limits() {
    assert!(Endgames::shared().build::<Oware>(12, &mut || false));
    let tablebase = TablebasePolicy::UpTo(12);
    for (text, nodes, depth, threads) in [
        ("1-0-0-1-1-2-0-0-1-2-0-1-18-21-S", 5_000, 127, 4),
        ("2-1-3-0-0-0-0-0-0-0-2-1-18-21-S", 5_000, 127, 4),
        ("1-0-0-1-1-2-0-0-1-2-0-1-18-21-S", u64::MAX, 1, 1),
    ] {
        let mut game = Game::new(Position::parse(Variant::Oware, text).expect("a position"));
        let (table, defence) = (SearchMemory::new(4).expect("memory"), SearchMemory::new(1).expect("memory"));
        while game.position().verdict().is_none() && game.moves().len() < 250 {
            let wins = game.position().side() == Side::South;
            let request = Request { tablebase, ..Request::new(&game) };
            let request = match wins {
                true => Request { nodes, depth, threads, ..request },
                false => Request { nodes: 3_000, ..request },
            };
            let report = search(&request, if wins { &table } else { &defence }, &mut Silent);
            game.play(report.pv[0]).expect("legal");
        }
        assert_eq!(
            game.position().verdict_for(Side::South),
            Some(Verdict::Win),
            "{text}: {}",
            game.position()
        );
    }
}

/// Analyse, then play: the move uses the proofs of the analysis.
#[test]
fn an_analysis_leaves_its_proofs_to_the_next_search() {
    let game = Game::new(Position::start(Variant::Kalah));
    let nodes_to = |table: &SearchMemory| {
        let request = Request { depth: 16, ..Request::new(&game) };
        search(&request, table, &mut Silent).nodes
    };
    let table = SearchMemory::new(16).expect("memory");
    let cold = nodes_to(&table);
    let again = nodes_to(&table);
    table.clear();
    let purpose = Purpose::Analysis;
    let _ = search(&Request { purpose, nodes: 1_000_000, ..Request::new(&game) }, &table, &mut Silent);
    let after = nodes_to(&table);
    assert!(after < cold / 2 && after < again * 2, "{cold} cold, {again} again, {after} after an analysis");
}

/// Values near the ends of what the seeds allow.
#[test]
fn an_estimate_beyond_the_seeds_keeps_its_place() {
    let board =
        Position::parse(Variant::Awari, "1-2-0-0-0-0-0-0-0-0-1-2-22-20-S").expect("a position").board();
    let shown = |centiseeds| match Value::estimate(centiseeds).within_seeds(board).kind() {
        Kind::Estimate(centiseeds) => centiseeds,
        kind => panic!("{kind:?}"),
    };
    assert_eq!([0, 700, -300].map(shown), [0, 700, -300]);
    let beyond: Vec<i32> = [701, 750, 900, 2_000, 9_000].into_iter().map(shown).collect();
    assert!(beyond.is_sorted() && beyond[0] >= 700 && beyond[4] < 800, "{beyond:?}");
    assert!(shown(-9_000) > -400 && shown(-9_000) < -300);
}

/// South has half of the seeds: its moves draw, which a search of few nodes proves as a lower bound alone.
#[test]
fn a_bound_is_not_told_of_a_value_that_it_does_not_bound() {
    let moves = "EaBfBbAdEfFbBcDbCdDaAfAeEdFcCaBdBfDdBbCfFcBeCbAfFdAfDaEaCcBdAbFdBfDcCbEeBf";
    let game = played(Variant::Oware, moves);
    let table = || SearchMemory::new(4).expect("memory");
    for nodes in [1_000, 10_000, 100_000] {
        let request = Request { multipv: 6, nodes, ..Request::new(&game) };
        let report = search(&request, &table(), &mut Silent);
        for ReportedLine { score, .. } in report.lines() {
            assert!(!score.proof.at_least || score.value <= Value::DRAW, "{nodes} nodes: {score:?}");
            assert!(!score.proof.at_most || score.value >= Value::DRAW, "{nodes} nodes: {score:?}");
        }
    }
}

/// The next search of a game knows by which move an earlier one has proven a win.
#[test]
fn a_proven_win_is_kept_with_its_move() {
    let mut game = Game::new(Position::start(Variant::Kalah));
    let memory = SearchMemory::new(16).expect("memory");
    let find = |game: &Game, nodes: u64| {
        let report = search(&Request { depth: 60, nodes, ..Request::new(game) }, &memory, &mut Silent);
        (report.pv[0], report.score)
    };
    for letter in "FbeCdFAFBbFE".chars() {
        let mv = game.position().moves().into_iter().find(|mv| mv.letter() == letter).expect("legal");
        game.play(mv).expect("legal");
    }
    // `e` and then `d` are the only moves that win. South has one reply, `F`, and again one, `C`.
    for (nodes, letter) in [(1_500_000, 'e'), (300, 'd')] {
        let (best, score) = find(&game, nodes);
        assert_eq!((best.letter(), score.proven()), (letter, Some(Verdict::Win)), "{score:?}");
        game.play(best).expect("legal");
    }
}
