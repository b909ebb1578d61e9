//! Several best lines, several threads: the invariants of every line, however the search ends.

use kroo::game::{Game, Move, Pit, Variant};
use kroo::search::{Observer, Report, Request, SearchMemory, Silent, search};
use kroo::value::{Score, Value};
use proptest::prelude::*;
use support::games::{any_game, is_over, random_game};

/// Keeps every report, and stops on request.
#[derive(Default)]
struct Log {
    reports: Vec<Report>,
    enough: Option<u64>,
}

impl Observer for Log {
    fn stop(&mut self, nodes: u64) -> bool {
        self.enough.is_some_and(|enough| nodes >= enough)
    }

    fn iteration(&mut self, report: &Report) -> bool {
        self.reports.push(report.clone());
        false
    }
}

fn table() -> SearchMemory {
    SearchMemory::new(4).expect("memory")
}

/// All lines of a report, best first.
fn all_lines(report: &Report) -> Vec<(Score, Vec<Move>)> {
    report.lines().into_iter().map(|line| (line.score, line.pv)).collect()
}

/// Distinct legal first moves, ordered by score, each line legal to its end.
fn check_lines(game: &Game, asked: usize, report: &Report) {
    let told = all_lines(report);
    let legal = game.position().moves();
    assert!(told.len() <= asked.min(legal.len()), "{} {told:?}", game.position());
    let mut firsts: Vec<Move> = told.iter().map(|(_, line)| line[0]).collect();
    assert!(firsts.iter().all(|first| legal.contains(first)), "{} {told:?}", game.position());
    firsts.sort_by_key(|mv| mv.letter());
    firsts.dedup();
    assert_eq!(firsts.len(), told.len(), "{}: a move twice in {told:?}", game.position());
    // Lines of the iteration before may have higher values than the best one of a search that was stopped.
    for depth in [report.depth - 1, report.depth] {
        let lines = report.lines().into_iter().filter(|line| line.depth == depth);
        let values: Vec<Value> = lines.map(|line| line.score.value).collect();
        assert!(values.is_sorted_by(|one, next| one >= next), "{}: {:?}", game.position(), report.lines());
    }
    for (_, line) in &told {
        let mut replay = game.clone();
        for &mv in line {
            assert!(replay.play(mv).is_ok(), "{mv} of {line:?} in {}", game.position());
        }
    }
}

/// A random game with few seeds left.
fn few_seeds(variant: Variant, seed: u64, seeds: u8) -> Game {
    let few = |game: &Game| is_over(game) || game.position().board().seeds() <= seeds;
    (0..300)
        .map(|plies| random_game(variant, seed, plies))
        .find(few)
        .expect("seeds are banked sooner or later")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn lines_are_distinct_and_in_order(game in any_game(0..120), asked in 1..7usize, nodes in 1..30_000u64) {
        prop_assume!(!is_over(&game));
        let mut log = Log::default();
        let request = Request { multipv: asked, nodes, ..Request::new(&game) };
        let last = search(&request, &table(), &mut log);
        for report in log.reports.iter().chain([&last]) {
            check_lines(&game, asked, report);
        }
        // Completed iterations report all lines.
        let complete = &log.reports[..log.reports.len().saturating_sub(1)];
        let most = asked.min(game.position().moves().len());
        let known = |report: &Report| report.score.proven().is_some();
        for report in complete.iter().filter(|report| !known(report)) {
            prop_assert_eq!(1 + report.others.len(), most, "{}: {:?}", game.position(), report);
        }
    }

    /// An interrupted search answers with its last reported move.
    #[test]
    fn the_answer_was_told(game in any_game(0..100), asked in 1..7usize, enough in 1..20_000u64, threads in 1..3usize) {
        prop_assume!(!is_over(&game));
        let mut log = Log { enough: Some(enough), ..Log::default() };
        let request = Request { multipv: asked, threads, ..Request::new(&game) };
        let last = search(&request, &table(), &mut log);
        prop_assert_eq!(&log.reports.last().expect("the search reports").pv, &last.pv);
    }

    /// A line's exact value is that of a search restricted to its move.
    #[test]
    fn exact_lines_are_those_of_a_search_of_one_move(
        variant in prop::sample::select(Variant::ALL), seed in any::<u64>(),
    ) {
        let game = few_seeds(variant, seed, 8);
        prop_assume!(!is_over(&game));
        let request = Request { multipv: 6, nodes: 100_000, ..Request::new(&game) };
        let together = all_lines(&search(&request, &table(), &mut Silent));
        if matches!(variant, Variant::Kalah | Variant::Awari1978 | Variant::Avalanche) {
            prop_assert_eq!(together.len(), game.position().moves().len());
            prop_assert!(together.iter().all(|(score, _)| score.proof.is_exact()), "{:?}", together);
        }
        for (score, line) in together {
            let only = Request { search_moves: vec![line[0].pit], multipv: 1, ..request.clone() };
            let alone = search(&only, &table(), &mut Silent);
            prop_assert_eq!(alone.pv[0], line[0]);
            let told = format!("{variant} {} {}: {score:?}, alone {:?}", game.position(), line[0], alone.score);
            let (one, other) = (score.value, alone.score.value);
            if score.proof.is_exact() && alone.score.proof.is_exact() {
                prop_assert_eq!(one, other, "{}", told);
            }
            // A certain bound of one search never contradicts one of the other.
            prop_assert!(!(score.proof.at_least && alone.score.proof.at_most && one > other), "{}", told);
            prop_assert!(!(score.proof.at_most && alone.score.proof.at_least && one < other), "{}", told);
        }
    }

    #[test]
    fn a_choice_of_moves_has_as_many_lines(game in any_game(0..80), choice in any::<prop::sample::Index>()) {
        prop_assume!(!is_over(&game) && game.position().moves().len() > 1);
        let mut only: Vec<Pit> = game.position().moves().into_iter().map(|mv| mv.pit).collect();
        only.remove(choice.index(only.len()));
        let request = Request { search_moves: only.clone(), multipv: 6, depth: 5, ..Request::new(&game) };
        let report = search(&request, &table(), &mut Silent);
        check_lines(&game, 6, &report);
        let mut firsts: Vec<Pit> = all_lines(&report).into_iter().map(|(_, line)| line[0].pit).collect();
        firsts.sort_by_key(|pit| pit.index());
        prop_assert_eq!(firsts, only);
    }

    /// A thread may take over a deeper iteration of another, but none deeper than requested.
    #[test]
    fn threads_keep_the_limit_of_depth(game in any_game(0..60), depth in 1..14u8, threads in 1..5usize) {
        prop_assume!(!is_over(&game));
        let mut log = Log::default();
        let request = Request { depth, threads, ..Request::new(&game) };
        let last = search(&request, &table(), &mut log);
        let depths: Vec<u8> = log.reports.iter().map(|report| report.depth).collect();
        prop_assert!(depths.is_sorted() && last.depth <= depth, "{depths:?} of {depth}");
        prop_assert!(last.depth == depth || last.score.proof.is_exact(), "{depths:?} of {depth}: {last:?}");
    }

    /// Each thread checks the node limit of all threads, every 256 nodes.
    #[test]
    fn threads_keep_the_limit_of_nodes(game in any_game(0..60), nodes in 1..20_000u64, threads in 2..5usize) {
        prop_assume!(!is_over(&game));
        let request = Request { nodes, threads, ..Request::new(&game) };
        let report = search(&request, &table(), &mut Silent);
        let tolerance = 300 * threads as u64;
        prop_assert!(report.nodes <= nodes + tolerance, "{} nodes of {nodes} on {threads} threads", report.nodes);
        prop_assert!(game.position().moves().contains(&report.pv[0]));
    }
}

/// Where the tablebase knows the root, each line has the value of its own move: here some win and some do not.
#[test]
fn a_line_claims_nothing_for_another() {
    let mut mixed = 0;
    for seed in 0..60 {
        let game = few_seeds(Variant::Awari, seed, 7);
        if is_over(&game) {
            continue;
        }
        let request = Request { multipv: 6, nodes: 2_000, ..Request::new(&game) };
        let report = search(&request, &table(), &mut Silent);
        let told = all_lines(&report);
        let verdicts: Vec<_> = told.iter().map(|(score, _)| score.proven()).collect();
        assert!(verdicts.iter().all(Option::is_some), "{}: {told:?}", game.position());
        assert!(verdicts.is_sorted_by(|one, next| one >= next), "{}: {told:?}", game.position());
        for (score, line) in &told {
            let mut after = game.clone();
            after.play(line[0]).expect("legal");
            let there = after.position().verdict().or_else(|| {
                let request = Request { nodes: 2_000, ..Request::new(&after) };
                search(&request, &table(), &mut Silent).score.proven()
            });
            assert_eq!(
                there.map(|verdict| verdict.turned()),
                score.proven(),
                "{} {}",
                game.position(),
                line[0]
            );
        }
        mixed += usize::from(verdicts.first() != verdicts.last());
    }
    assert!(mixed >= 5, "only {mixed} positions in which moves differ");
}
