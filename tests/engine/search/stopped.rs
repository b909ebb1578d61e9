//! How searches end: by a limit, with what they have found until then, or because everything is known.

use super::limit_claims::small;
use super::proven::Log;
use kroo::game::{Game, Move, Position, Variant, split_mix};
use kroo::search::{Report, Request, SearchMemory, TablebasePolicy, search};
use support::games::{is_over, random_game};

/// All reports of a search with a table of its own.
fn reports(request: &Request) -> Vec<Report> {
    let mut log = Log::default();
    let _ = search(request, &SearchMemory::new(1).expect("memory"), &mut log);
    log.0
}

/// Random games of the rule sets, each with a random number of nodes, not the same from one rule set to the next.
fn searches(each: usize) -> impl Iterator<Item = (Game, u64)> {
    let mut random = std::env::var("PROPTEST_RNG_SEED").map_or(1, |seed| seed.parse().expect("a number"));
    let variants = Variant::ALL.iter().copied().cycle().take(each * Variant::ALL.len());
    variants.filter_map(move |variant| {
        let plies = split_mix(&mut random) as usize % 40;
        let game = random_game(variant, split_mix(&mut random), plies);
        (!is_over(&game)).then_some((game, 300 + split_mix(&mut random) % 8_000))
    })
}

/// A search of the same nodes, one iteration longer.
fn whole(request: &Request, depth: u8) -> Option<Report> {
    let whole = reports(&Request { nodes: 40 * request.nodes, depth, ..request.clone() });
    whole.into_iter().find(|report| report.depth == depth)
}

/// Whether a limit stops the iteration while another move has failed high: then its moves are searched again.
fn is_searched_again(request: &Request, before: &Report, whole: &Report) -> bool {
    (before.nodes..whole.nodes).step_by(10).any(|nodes| {
        let told = reports(&Request { nodes, ..request.clone() });
        told.last().is_some_and(|told| told.depth == whole.depth && told.is_lower_bound)
    })
}

/// A score that is no bound is that of the whole iteration, if that has the same best move and has not searched it again.
#[test]
fn what_a_fail_high_has_found_is_told_as_a_lower_bound() {
    let (mut same, mut bounds, mut wrong) = (0, 0, Vec::new());
    for (game, nodes) in searches(120) {
        let request = Request { nodes, solver: false, endgame_seeds: 0, ..Request::new(&game) };
        let told = reports(&request);
        let (last, before) = match told.as_slice() {
            [.., before, last] if last.nodes == nodes => (last, before),
            _ => continue,
        };
        let Some(whole) = whole(&request, last.depth).filter(|whole| whole.pv[0] == last.pv[0]) else {
            continue;
        };
        let context = format!("{} {} {nodes}", game.position().variant(), game.position());
        if last.is_lower_bound {
            bounds += 1;
            assert!(last.pv[0] != before.pv[0], "{context}: the line of the last iteration is whole");
        } else {
            same += 1;
            let differs = whole.score != last.score && last.score.proven().is_none();
            if differs && !is_searched_again(&request, before, &whole) {
                wrong.push(format!("{context}: {:?} {:?}, not {:?}", last.pv, last.score, whole.score));
            }
        }
    }
    assert!(same > 20 && bounds > 2, "{same} exact, {bounds} bounds");
    assert!(wrong.is_empty(), "{} of {same}: {wrong:#?}", wrong.len());
}

/// The best move first, as many lines as the iteration before, none missing that it had above one of its lines.
#[test]
fn no_line_of_the_iteration_before_is_lost() {
    let (mut stopped, mut older) = (0, 0);
    for (game, nodes) in searches(60) {
        let asked = [2, 3, 6][nodes as usize % 3];
        let request = Request { nodes, multipv: asked, endgame_seeds: 0, ..Request::new(&game) };
        let told = reports(&request);
        for pair in told.windows(2) {
            let [before, last] = pair else { unreachable!("pairs") };
            if last.is_whole() && before.depth < last.depth {
                continue;
            }
            stopped += 1;
            let context = format!("{} {} {nodes}", game.position().variant(), game.position());
            let (shown, listed) = (last.lines(), before.lines());
            assert_eq!(shown.len(), listed.len(), "{context}: {shown:?} after {listed:?}");
            let firsts: Vec<Move> = shown.iter().map(|line| line.pv[0]).collect();
            let of_before = |line: &&kroo::search::ReportedLine| line.depth < last.depth;
            let least = shown.iter().filter(of_before).map(|line| line.pv[0]);
            for first in least {
                older += 1;
                let place = listed.iter().position(|line| line.pv[0] == first).expect("it had this line");
                for above in &listed[..place] {
                    assert!(firsts.contains(&above.pv[0]), "{context}: {shown:?} after {listed:?}");
                }
            }
        }
    }
    assert!(stopped > 10 && older > 10, "{stopped} stopped, {older} lines of the iteration before");
}

/// E had 425 hundredths at depth 9. D has 448 at depth 10, and then E has more, before the third line is whole.
#[test]
fn a_line_above_the_first_one_stays_among_the_lines() {
    let text = "1-11-10-7-6-1-0-6-0-2-2-2-0-0-S";
    let game = Game::new(Position::parse(Variant::Oware, text).expect("a position"));
    let told = reports(&Request { nodes: 20_000, multipv: 6, ..Request::new(&game) });
    let lines = told.last().expect("it reports").lines();
    let letters: String = lines.iter().map(|line| line.pv[0].letter()).collect();
    assert_eq!((lines.len(), &letters[..3]), (6, "EDA"), "{lines:?}");
    let depths: Vec<u8> = lines.iter().map(|line| line.depth).collect();
    assert_eq!(depths, [10, 10, 10, 9, 9, 9], "{lines:?}");
}

/// The last iteration is stopped after a fail-high of the best move, whose line is the one of depth 9.
#[test]
fn a_best_move_that_fails_high_keeps_its_line() {
    let game = Game::new(Position::start(Variant::Oware));
    let told = reports(&Request { nodes: 5_000, ..Request::new(&game) });
    let last = told.last().expect("it reports");
    assert!(last.pv.len() > 5 && last.depth == 9 && !last.is_lower_bound, "{last:?}");
}

/// At depth 7, E has 6 hundredths, then F fails high, and comes back with −14 when the limit ends the search.
#[test]
fn a_move_that_comes_back_with_less_is_not_the_best() {
    let position = Position::parse(Variant::Awari, "5-0-0-6-6-6-5-5-0-5-5-5-0-0-N").expect("a position");
    let last = |nodes| {
        let told = reports(&Request { nodes, ..Request::new(&Game::new(position)) });
        let last = told.last().expect("it reports").clone();
        (last.pv[0].letter(), last.depth, last.score.value.centiseeds(), last.is_lower_bound)
    };
    assert_eq!(last(1_140), ('e', 7, 6, false));
    assert_eq!(last(1_420), ('f', 7, 49, true));
    assert_eq!(last(1_550), ('e', 7, 6, false));
}

/// Boards with a few seeds, with a move limit and without, whose endgames are there.
#[test]
fn nothing_follows_an_exact_result() {
    let (mut random, mut exact, mut late) = (1, 0, Vec::new());
    for variant in Variant::ALL.iter().copied() {
        support::limit::build(variant, 7);
        for case in 0..60 {
            let Some(game) = small(variant, 2 + split_mix(&mut random) % 6, &mut random) else { continue };
            let move_limit = [0, 250, 30 + split_mix(&mut random) as usize % 200][case % 3];
            let multipv = [1, 1, 3][case / 3 % 3];
            let tablebase = TablebasePolicy::UpTo(7);
            let told =
                reports(&Request { move_limit, multipv, nodes: 20_000, tablebase, ..Request::new(&game) });
            let is_exact = |report: &Report| report.lines().iter().all(|line| line.score.proof.is_exact());
            let Some(first) = told.iter().position(is_exact) else { continue };
            exact += 1;
            if first + 1 < told.len() {
                let position = game.position();
                let (all, depth) = (told.len(), told[first].depth);
                late.push(format!(
                    "{variant} {position} {move_limit} {multipv}: {all} reports, exact at {depth}"
                ));
            }
        }
    }
    assert!(exact > 150, "{exact}");
    assert!(late.is_empty(), "{} of {exact}: {late:#?}", late.len());
}
