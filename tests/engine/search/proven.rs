//! The search: its proofs are right, and searches are reproducible.

use kroo::game::{Game, Move, Pit, Position, Side, Variant, Verdict, split_mix};
use kroo::search::{Observer, Report, Request, SearchMemory, search};
use kroo::value::{CENTISEEDS, Kind, Value};
use proptest::prelude::*;
use std::sync::mpsc;
use std::{panic, thread};
use support::client::WATCHDOG;
use support::data::{AVALANCHE_MARGINS, KALAH_MARGINS, SOLVED, SOLVED_MARGINS, lines};
use support::games::{any_game, is_over, random_game};
use support::naive::{Naive, Rules as NaiveRules};

/// Never stops the search; keeps every iteration.
#[derive(Default)]
pub struct Log(pub Vec<Report>);

impl Observer for Log {
    fn stop(&mut self, _nodes: u64) -> bool {
        false
    }

    fn iteration(&mut self, report: &Report) -> bool {
        self.0.push(report.clone());
        false
    }
}

fn request(game: &Game, depth: u8, nodes: u64) -> Request {
    Request { depth, nodes, ..Request::new(game) }
}

fn solve(game: &Game, table: &SearchMemory, nodes: u64) -> Report {
    search(&request(game, 127, nodes), table, &mut Log::default())
}

fn table() -> SearchMemory {
    SearchMemory::new(16).expect("memory")
}

fn sign(verdict: Verdict) -> i32 {
    verdict as i32 - Verdict::Draw as i32
}

/// No proven result may differ, and most must be found.
#[test]
fn solved_positions() {
    let (mut proven, mut all) = (0, 0);
    for (line, words) in lines(SOLVED) {
        let game = game(words[0], words[1]);
        let expected: i32 = words[2].parse().expect("a result");
        let found = match game.position().verdict() {
            Some(verdict) => Some(verdict),
            None => solve(&game, &table(), 100_000).score.proven(),
        };
        all += 1;
        if let Some(verdict) = found {
            proven += 1;
            assert_eq!(sign(verdict), expected, "line {line}");
        }
    }
    assert!(proven * 10 >= all * 7, "{proven} of {all}");
}

#[test]
fn solved_margins() {
    let (mut exact, mut all) = (0, 0);
    for (line, words) in lines(SOLVED_MARGINS) {
        let game = game(words[0], words[1]);
        let expected: i32 = words[2].parse().expect("a margin");
        all += 1;
        let margin = match game.position().verdict() {
            Some(_) => Some(i32::from(game.position().board().lead())),
            None => {
                let score = solve(&game, &table(), 300_000).score;
                score.proof.is_exact().then(|| score.value.centiseeds() / CENTISEEDS)
            }
        };
        if let Some(margin) = margin {
            exact += 1;
            assert_eq!(margin, expected, "line {line}");
        }
    }
    assert!(exact * 10 >= all * 8, "{exact} of {all}");
}

/// CMancala's values, from the starts with one to three seeds a pit too.
#[test]
fn solved_margins_of_avalanche() {
    margins(AVALANCHE_MARGINS);
}

/// One table for all rules, which must not take the values of one for those of another.
#[test]
fn solved_margins_with_optional_rules() {
    margins(KALAH_MARGINS);
}

/// Solves positions with a single table.
fn margins(text: &str) {
    let table = table();
    for (line, words) in lines(text) {
        let game = game(words[0], words[1]);
        let margin = match game.position().verdict() {
            Some(_) => i32::from(game.position().board().lead()),
            None => {
                let score = solve(&game, &table, u64::MAX).score;
                assert!(score.proof.is_exact(), "line {line}");
                score.value.centiseeds() / CENTISEEDS
            }
        };
        assert_eq!(margin.to_string(), words[2], "line {line}");
    }
}

/// The game tree of the 1978 rules is small enough for plain search: South wins by three.
#[test]
fn awari1978_is_solved_from_the_start() {
    let game = Game::new(Position::start(Variant::Awari1978));
    let report = solve(&game, &SearchMemory::new(64).expect("memory"), u64::MAX);
    assert!(report.score.proof.is_exact());
    assert_eq!(report.score.value.kind(), Kind::Win(3));
}

fn game(variant: &str, text: &str) -> Game {
    Game::new(Position::parse(variant.parse().expect("a rule set"), text).expect("a position"))
}

/// The final difference of the stores under best play, by exhaustive search, where games cannot cycle.
fn brute_force(naive: &Naive) -> i32 {
    let side = naive.side;
    let lead = |naive: &Naive| naive.stores[side] as i32 - naive.stores[1 - side] as i32;
    if naive.result.is_some() {
        return lead(naive);
    }
    let after = |pit| {
        let mut next = naive.clone();
        next.play(pit);
        let value = brute_force(&next);
        if next.side == side { value } else { -value }
    };
    naive.legal().into_iter().map(after).max().expect("a game that goes on has a move")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_same_question_gets_the_same_answer(game in any_game(0..60)) {
        prop_assume!(!is_over(&game));
        let ask = |table: &SearchMemory| {
            let mut log = Log::default();
            let report = search(&request(&game, 8, 40_000), table, &mut log);
            (report.nodes, report.pv, report.score, log.0.len())
        };
        let table = table();
        let first = ask(&table);
        table.clear();
        prop_assert_eq!(&first, &ask(&table));
        prop_assert_eq!(&first, &ask(&SearchMemory::new(16).expect("memory")));
    }

    #[test]
    fn lines_are_legal_to_their_last_move(game in any_game(0..80)) {
        prop_assume!(!is_over(&game));
        let mut log = Log::default();
        let last = search(&request(&game, 9, 60_000), &table(), &mut log);
        log.0.push(last);
        for report in &log.0 {
            prop_assert!(!report.pv.is_empty());
            let mut replay = game.clone();
            for &mv in &report.pv {
                prop_assert!(replay.play(mv).is_ok(), "{} in {}", mv, replay.position());
            }
        }
    }

    #[test]
    fn limits_are_kept(game in any_game(0..60), nodes in 1..5000u64, depth in 1..7u8) {
        prop_assume!(!is_over(&game));
        let report = search(&request(&game, 127, nodes), &table(), &mut Log::default());
        prop_assert!(report.nodes <= nodes);
        prop_assert!(game.position().moves().contains(&report.pv[0]));
        let report = search(&request(&game, depth, u64::MAX), &table(), &mut Log::default());
        prop_assert!(report.depth <= depth);
    }

    #[test]
    fn only_the_moves_asked_for(game in any_game(0..60), choice in any::<prop::sample::Index>()) {
        prop_assume!(!is_over(&game));
        let moves = game.position().moves();
        let only: Pit = choice.get(&moves).pit;
        let mut request = request(&game, 6, 20_000);
        request.search_moves = vec![only];
        let report = search(&request, &table(), &mut Log::default());
        prop_assert_eq!(report.pv[0].pit, only);
    }

    /// Games with a few seeds left, continued with one table, with each move tried by the naive model.
    #[test]
    fn proven_margins_are_those_of_brute_force(
        (variant, seed) in (prop::sample::select(&[Variant::Awari1978, Variant::Kalah][..]), any::<u64>()),
    ) {
        let game = (0..300).map(|plies| random_game(variant, seed, plies))
            .find(|game| is_over(game) || game.position().board().seeds() <= 8)
            .expect("seeds are banked sooner or later");
        prop_assume!(!is_over(&game));
        let (table, mut game, mut seed) = (table(), game, seed);
        for _ in 0..6 {
            if is_over(&game) {
                break;
            }
            let score = solve(&game, &table, u64::MAX).score;
            prop_assert!(score.proof.is_exact());
            prop_assert_eq!(score.value.centiseeds() / CENTISEEDS, margin(&game), "{}", game.position());
            let moves = game.position().moves();
            let mv = moves[split_mix(&mut seed) as usize % moves.len()];
            game.play(mv).expect("legal");
        }
    }

    /// A side with a proven win, or that cannot lose, plays on against random moves and gets the proven result. The table is
    /// kept between moves, so a proof that holds on one path only would be caught on another.
    #[test]
    fn what_is_proven_is_kept_over_the_board(game in any_game(20..120), seed in any::<u64>()) {
        prop_assume!(!is_over(&game));
        let table = table();
        let Some(proven) = solve(&game, &table, 20_000).score.proven() else { return Ok(()) };
        prop_assume!(proven != Verdict::Loss);
        keep_proven_result(game, proven, &table, seed);
    }
}

/// Plays the mover's best moves against random ones to the end or to move 250, where the stores decide.
fn keep_proven_result(mut game: Game, proven: Verdict, table: &SearchMemory, mut seed: u64) {
    let (start, side) = (game.position().to_string(), game.position().side());
    for _ in 0..250 {
        if is_over(&game) {
            break;
        }
        let mv = if game.position().side() == side {
            let report = solve(&game, table, 20_000);
            let kept = report.score.proven();
            assert!(kept.is_none_or(|now| now >= proven), "{proven:?} from {start} became {kept:?}");
            report.pv[0]
        } else {
            let moves = game.position().moves();
            moves[split_mix(&mut seed) as usize % moves.len()]
        };
        game.play(mv).expect("legal");
    }
    let position = game.position();
    let result = position.verdict_for(side).unwrap_or_else(|| by_stores(position, side));
    assert!(result >= proven, "{proven:?} from {start} ended as {result:?}");
}

fn by_stores(position: &Position, side: Side) -> Verdict {
    match position.store(side).cmp(&position.store(side.other())) {
        std::cmp::Ordering::Less => Verdict::Loss,
        std::cmp::Ordering::Equal => Verdict::Draw,
        std::cmp::Ordering::Greater => Verdict::Win,
    }
}

/// The mover's final difference, which the naive model finds by trying every move.
fn margin(game: &Game) -> i32 {
    let rules = NaiveRules::named(game.position().variant().name());
    brute_force(&Naive::parse(rules, &game.position().to_string()))
}

/// The table has a proof of one move only, which the first iteration takes for the best. It does not bound the others.
#[test]
fn a_proof_of_one_move_is_none_of_the_position() {
    let table = table();
    // The margins are those of brute force.
    for (text, margin) in [
        ("3-1-0-2-0-2-0-0-1-1-0-0-16-22-S", 2),
        ("3-0-0-2-0-2-0-0-1-0-0-0-18-22-N", -2),
        ("3-0-0-2-0-2-0-0-0-1-0-0-18-22-S", 2),
    ] {
        let score = solve(&game("kalah", text), &table, 20_000).score;
        assert_eq!(score.value.centiseeds() / CENTISEEDS, margin, "{text}");
        assert!(score.proof.is_exact(), "{text}");
    }
}

/// Both sides have one seed that goes round behind the other's for ever: nothing can be gained, and the lead stays.
#[test]
fn a_cycle_leaves_the_score_as_it_stands() {
    for (text, expected) in [
        ("1-0-0-0-0-0-1-0-0-0-0-0-24-22-S", Some(Verdict::Win)),
        ("1-0-0-0-0-0-1-0-0-0-0-0-22-24-S", Some(Verdict::Loss)),
        ("1-0-0-0-0-0-1-0-0-0-0-0-23-23-S", Some(Verdict::Draw)),
    ] {
        let report = solve(&game("awari", text), &table(), 1_000_000);
        assert_eq!(report.score.proven(), expected, "{text}");
    }
}

/// In `oware` a board that has occurred before is an immediate draw, and the table must not hide that: the first search fills
/// it with proofs from a path without repetitions.
#[test]
fn the_past_of_a_game_counts_where_repetition_ends_it() {
    let table = table();
    let mut game = game("oware", "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S");
    for letter in "AaBbCcDdEeF".chars() {
        let _ = solve(&game, &table, 50_000);
        game.play(Move::from_letter(letter).expect("a letter")).expect("legal");
    }
    // Only f feeds South, and it brings the first position back: each side takes its seed.
    let report = solve(&game, &table, 50_000);
    assert_eq!(report.pv.len(), 1);
    assert_eq!(report.score.proven(), Some(Verdict::Draw));
}

/// Panics in the main thread after the first iteration, like a bug of the engine.
struct Panicking;

impl Observer for Panicking {
    fn stop(&mut self, _nodes: u64) -> bool {
        false
    }

    fn iteration(&mut self, _report: &Report) -> bool {
        panic!("on purpose")
    }
}

/// If the main thread panics, its helper threads end too, so the search returns.
#[test]
fn no_helper_outlives_a_main_thread_that_panics() {
    let (tell, told) = mpsc::channel();
    let searching = thread::spawn(move || {
        let game = Game::new(Position::start(Variant::Awari));
        let request = Request { threads: 3, ..Request::new(&game) };
        let searched = panic::catch_unwind(|| search(&request, &table(), &mut Panicking));
        tell.send(searched.is_err()).expect("the test waits");
    });
    assert_eq!(told.recv_timeout(WATCHDOG), Ok(true));
    searching.join().expect("the panic was caught");
}

/// Of two moves of equal value only one is proven, and it must be played.
#[test]
fn the_move_goes_with_the_proof() {
    for (variant, text, best) in [
        ("ayoayo", "0-1-0-0-0-2-0-0-1-0-1-1-23-19-S", 'F'),
        ("awari1978", "1-1-0-0-0-0-0-0-1-0-1-2-16-14-S", 'B'),
    ] {
        let report = solve(&game(variant, text), &table(), 1_000_000);
        assert_eq!(report.score.proven(), Some(Verdict::Draw), "{text}");
        assert_eq!(report.pv[0].letter(), best, "{text}");
    }
}

/// The scale: every win above every estimate, whatever the margins.
#[test]
fn winning_comes_before_the_margin() {
    let worst_win = Value::ended(Verdict::Win, -48);
    let best_loss = Value::ended(Verdict::Loss, 48);
    assert!(worst_win > Value::estimate(i32::MAX) && Value::estimate(i32::MIN) > best_loss);
    assert!(Value::ended(Verdict::Win, 4) > Value::ended(Verdict::Win, 2));
    assert_eq!(worst_win.turned(), best_loss);
    assert_eq!(worst_win.kind(), Kind::Win(-48));
    assert_eq!(best_loss.kind(), Kind::Loss(48));
}
