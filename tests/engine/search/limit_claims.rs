//! What the engine claims near the move limit, and the moves that it plays there, against a slow model that plays to the limit
//! (`support::limit`): as users have it, by time, with endgames, one memory for many positions, one line and several.
//!
//! `KROO_CLAIMS=N` checks N positions of each kind.

use kroo::endgames::Endgames;
use kroo::game::{Game, MOVE_LIMIT, Move, Position, Side, Variant, Verdict, split_mix};
use kroo::search::{Observer, Report, ReportedLine, Request, SearchMemory, TablebasePolicy, search};
use kroo::value::{CENTISEEDS, Kind, Score};
use std::sync::Arc;
use std::time::{Duration, Instant};
use support::games::{is_over, random_game};
use support::limit::Limited;

/// Milliseconds for a move of an ending.
const ENDING_MS: u64 = 40;

/// Checks every reported block, and stops after some time.
struct Checks<'a> {
    end: Instant,
    report: &'a mut dyn FnMut(&Report),
}

impl Observer for Checks<'_> {
    fn stop(&mut self, _nodes: u64) -> bool {
        Instant::now() >= self.end
    }

    fn iteration(&mut self, report: &Report) -> bool {
        (self.report)(report);
        false
    }
}

/// The counts of a run.
#[derive(Default, Debug)]
struct Counts {
    positions: u32,
    reports: u32,
    proven: u32,
    wrong: Vec<String>,
    given_away: Vec<String>,
    out_of_order: Vec<String>,
}

/// The class of a line in the order of protocol.md, and N.
fn class(score: Score) -> (i8, i32) {
    let class = match (score.proven(), score.found()) {
        (Some(Verdict::Win), _) => 2,
        (_, Some(Verdict::Win)) => 1,
        (Some(Verdict::Loss), _) => -2,
        (_, Some(Verdict::Loss)) => -1,
        _ => 0,
    };
    (class, score.value.shown_centiseeds())
}

/// A proof is wrong if the value is outside it.
fn is_wrong(score: Score, (verdict, margin): (Verdict, i32)) -> bool {
    let Some(proven) = score.proven() else { return false };
    let claimed = score.value.centiseeds() / CENTISEEDS;
    let is_margin = !matches!(score.value.kind(), Kind::Estimate(_));
    proven != verdict
        || is_margin && score.proof.at_least && margin < claimed
        || is_margin && score.proof.at_most && margin > claimed
}

impl Counts {
    /// Searches a position with some plies left, and checks what is said of it and of its best moves.
    fn check(&mut self, game: &Game, left: u32, multipv: usize, random: &mut u64, memory: &SearchMemory) {
        let position = *game.position();
        let mut model = Limited::new(position.variant(), game);
        let endgames = Arc::clone(Endgames::shared());
        let nodes = [300, 3_000, u64::MAX, u64::MAX][split_mix(random) as usize % 4];
        let request = Request {
            move_limit: game.moves().len() + left as usize,
            multipv,
            nodes,
            solution: true,
            tablebase: if nodes == u64::MAX { TablebasePolicy::Available } else { TablebasePolicy::Earned },
            endgames,
            ..Request::new(game)
        };
        let mut proven: Option<Verdict> = None;
        let time = Duration::from_millis(5 + split_mix(random) % 25);
        let (value, context) = (model.value(left), format!("{} {position} left {left}", position.variant()));
        let mut report = |report: &Report| {
            self.reports += 1;
            let lines: Vec<(Score, Vec<Move>)> =
                report.lines().into_iter().map(|line| (line.score, line.pv)).collect();
            // After a search that was stopped the best line goes before those of the iteration before.
            let in_order = if report.is_whole() { &lines[..] } else { &lines[1..] };
            if in_order.windows(2).any(|pair| class(pair[0].0) < class(pair[1].0)) {
                self.out_of_order
                    .push(format!("{context}: {:?}", lines.iter().map(|line| line.0).collect::<Vec<_>>()));
            }
            for (index, (score, line)) in lines.iter().enumerate() {
                let value = if index == 0 { value } else { model.value_after(line[0], left) };
                self.proven += u32::from(score.proven().is_some());
                if is_wrong(*score, value) {
                    self.wrong.push(format!(
                        "{context}: line {} {} {score:?}, not {value:?}",
                        index + 1,
                        line[0]
                    ));
                }
            }
            if let Some(before) = proven.filter(|&before| report.score.proven() != Some(before)) {
                self.wrong.push(format!("{context}: {before:?} became {:?}", report.score));
            }
            proven = proven.or(report.score.proven());
        };
        let mut observer = Checks { end: Instant::now() + time, report: &mut report };
        let last = search(&request, memory, &mut observer);
        report(&last);
        self.positions += 1;
        let (kept, _) = model.value_after(last.pv[0], left);
        if proven.is_some_and(|proven| kept < proven) {
            self.given_away.push(format!("{context}: {} from {proven:?} to {kept:?}", last.pv[0]));
        }
    }

    #[expect(clippy::print_stdout, reason = "the counts are seen with --nocapture")]
    fn are_right(&self, what: &str) {
        let Counts { positions, reports, proven, wrong, given_away, out_of_order } = self;
        println!(
            "{what}: {positions} positions, {reports} reports, {proven} proven lines; {} wrong, {} given away, {} out of order",
            wrong.len(),
            given_away.len(),
            out_of_order.len()
        );
        assert!(*proven > *positions / 4, "{what}: {proven} of {positions}");
        let faults: Vec<&String> = wrong.iter().chain(given_away).chain(out_of_order).take(20).collect();
        assert!(faults.is_empty(), "{what}: {faults:#?}");
    }
}

fn cases(usual: u64) -> u64 {
    std::env::var("KROO_CLAIMS").map_or(usual, |cases| cases.parse().expect("a number"))
}

fn seed() -> u64 {
    std::env::var("PROPTEST_RNG_SEED").map_or(1, |seed| seed.parse().expect("a number"))
}

fn run(variant: Variant, what: &str, usual: u64, make: impl Fn(&mut u64) -> Option<(Game, u32)>) {
    let (mut counts, mut random) = (Counts::default(), seed());
    let memory = SearchMemory::new(16).expect("memory");
    for case in 0..cases(usual) {
        let Some((game, left)) = make(&mut random) else { continue };
        counts.check(&game, left, [1, 1, 3][case as usize % 3], &mut random, &memory);
    }
    counts.are_right(&format!("{variant}, {what}"));
}

/// Boards of random games, a few plies from the limit.
fn near(variant: Variant) {
    run(variant, "1 to 8 plies from the limit", 40, |random| {
        let plies = split_mix(random) as usize % 90;
        let game = random_game(variant, split_mix(random), plies);
        let left =
            1 + split_mix(random) % if variant.cycle() == kroo::game::Cycle::Impossible { 6 } else { 7 };
        (!is_over(&game)).then_some((game, left as u32))
    });
}

/// A board with a few seeds in its pits, with stores that leave the result open.
pub(super) fn small(variant: Variant, seeds: u64, random: &mut u64) -> Option<Game> {
    let mut pits = [0; 12];
    (0..seeds).for_each(|_| pits[split_mix(random) as usize % 12] += 1);
    let rest = variant.seeds() as u64 - seeds;
    let south = (rest / 2 + split_mix(random) % 5).saturating_sub(2);
    let pits: Vec<String> = pits.iter().map(ToString::to_string).collect();
    let side = ["S", "N"][split_mix(random) as usize % 2];
    let text = format!("{}-{south}-{}-{side}", pits.join("-"), rest - south);
    let position = Position::parse(variant, &text).ok()?;
    position.verdict().is_none().then(|| Game::new(position))
}

fn far(variant: Variant) {
    let count = |seeds| support::limit::count_deadlines(variant, seeds);
    count(8);
    run(variant, "small boards 1 to 60 plies from it", 60, |random| {
        // Few seeds for many plies: the model visits every board with every number of plies left, in oware with every past.
        let most = if variant == Variant::Oware { 10 } else { 60 };
        let left = 1 + (split_mix(random) % most) as u32;
        let seeds = 2 + split_mix(random) % if left > 12 { 3 } else { 6 };
        Some((small(variant, seeds, random)?, left))
    });
}

/// Plays an ending of a random game with itself, as two processes would, and returns what happened to the claims: the first one
/// that was contradicted by a later search or by the result, whether there was any, and whether one was not proven anew.
fn ending(variant: Variant, random: &mut u64) -> Option<(Option<String>, bool, bool)> {
    let seed = split_mix(random);
    let mut game = (40..200)
        .map(|plies| random_game(variant, seed, plies))
        .find(|game| is_over(game) || game.position().board().seeds() <= 14)?;
    let memories = [0, 1].map(|_| SearchMemory::new(16).expect("memory"));
    // What each side has proven for itself; the other may play worse.
    let mut claimed: [Option<(Verdict, String)>; 2] = [None, None];
    let mut disappeared = false;
    while game.position_at_limit(MOVE_LIMIT).verdict().is_none() {
        let position = *game.position();
        let request = Request {
            move_limit: MOVE_LIMIT,
            solution: true,
            tablebase: TablebasePolicy::Available,
            endgames: Arc::clone(Endgames::shared()),
            ..Request::new(&game)
        };
        let end = Instant::now() + Duration::from_millis(ENDING_MS);
        let side = position.side().index();
        let report = search(&request, &memories[side], &mut Checks { end, report: &mut |_| {} });
        let proven = report.score.proven();
        let now = format!("{variant} {position} after {} moves: {:?}", game.moves().len(), report.score);
        if let Some((_, before)) = claimed[side].as_ref().filter(|(verdict, _)| proven < Some(*verdict)) {
            if proven.is_some() {
                return Some((Some(format!("{before}, then {now}")), true, true));
            }
            disappeared = true;
        }
        if let Some(verdict) = proven.filter(|&verdict| verdict > Verdict::Loss) {
            claimed[side] = Some((verdict, now));
        }
        game.play(report.pv[0]).expect("legal");
    }
    let end = game.position_at_limit(MOVE_LIMIT);
    let is_broken = |side: Side| {
        let (verdict, before) = claimed[side.index()].as_ref()?;
        let result = end.verdict_for(side)?;
        (result < *verdict).then(|| format!("{before}, then the game ended {result:?}"))
    };
    Some((Side::BOTH.into_iter().find_map(is_broken), claimed.iter().any(Option::is_some), disappeared))
}

/// `KROO_ENDINGS=N` plays N.
#[test]
#[expect(clippy::print_stdout, reason = "the counts are seen with --nocapture")]
fn no_claim_is_contradicted_before_the_end() {
    for variant in [Variant::Awari, Variant::Ayoayo, Variant::Oware] {
        support::limit::count_deadlines(variant, 9);
    }
    let all = std::env::var("KROO_ENDINGS").map_or(6, |all| all.parse().expect("a number"));
    let (mut random, mut played, mut with_claims, mut not_anew) = (seed(), 0, 0, 0);
    let mut gone = Vec::new();
    let rule_sets =
        [Variant::Awari, Variant::Oware, Variant::Awari, Variant::Ayoayo, Variant::Kalah, Variant::Awari1978];
    while played < all {
        let Some((fault, claimed, disappeared)) = ending(rule_sets[played % rule_sets.len()], &mut random)
        else {
            continue;
        };
        (played, with_claims) = (played + 1, with_claims + usize::from(claimed));
        not_anew += usize::from(disappeared);
        gone.extend(fault);
    }
    println!(
        "{played} endings, {with_claims} with a claim, {not_anew} with one not proven anew, contradicted: {gone:#?}"
    );
    assert!(gone.is_empty() && with_claims > 0);
}

/// A game from a text and moves after it.
fn game_of(variant: Variant, text: &str, moves: &str) -> Game {
    let mut game = Game::new(support::limit::position(variant, text));
    for letter in moves.chars() {
        game.play(Move::from_letter(letter).expect("a letter")).expect("legal");
    }
    game
}

/// What a search by time with everything that users have says in the end.
fn said(game: &Game, left: u32, multipv: usize, milliseconds: u64) -> Report {
    let request = Request {
        move_limit: game.moves().len() + left as usize,
        multipv,
        solution: true,
        tablebase: TablebasePolicy::Available,
        endgames: Arc::clone(Endgames::shared()),
        ..Request::new(game)
    };
    let memory = SearchMemory::new(16).expect("memory");
    let end = Instant::now() + Duration::from_millis(milliseconds);
    search(&request, &memory, &mut Checks { end, report: &mut |_| {} })
}

/// The compiled solution knows no limit.
#[test]
fn a_compiled_solution_counts_only_if_the_game_is_long_enough() {
    let start = Game::new(Position::start(Variant::Awari1978));
    let report = said(&start, 4, 3, 1000);
    let value = |line: ReportedLine| (line.pv[0].letter(), line.score.value.centiseeds() / CENTISEEDS);
    let lines: Vec<(char, i32)> = report.lines().into_iter().map(value).collect();
    assert_eq!(lines, [('F', 2), ('E', 1), ('D', 0)]);
    let drawn = game_of(Variant::Awari1978, "3-3-0-4-4-0-0-4-0-4-4-4-6-0-N", "");
    assert_eq!(said(&drawn, 3, 1, 1000).score.proven(), Some(Verdict::Draw));
}

/// Its seeds could keep the game going for 130 plies, but the way to the win is known.
#[test]
fn a_win_with_time_to_spare_is_proven() {
    support::limit::count_deadlines(Variant::Awari, 8);
    let game = game_of(Variant::Awari, "0-0-1-0-0-2-1-0-2-1-0-1-21-19-N", "cCaFd");
    assert_eq!(said(&game, 245, 1, 1000).score.proven(), Some(Verdict::Win));
}

/// The databases know a loss that comes after the limit; F wins by one seed.
#[test]
fn a_result_that_comes_too_late_is_not_played_for() {
    support::limit::count_deadlines(Variant::Awari, 7);
    let game = game_of(Variant::Awari, "0-0-3-0-0-2-0-1-0-0-0-1-21-20-S", "");
    assert_eq!(said(&game, 42, 1, 5000).pv[0].letter(), 'F');
}

/// One process plays both sides by depth, as in `go depth 10`.
#[test]
fn a_proven_draw_of_oware_is_kept() {
    let mut game = game_of(Variant::Oware, "0-0-0-1-1-1-1-0-1-0-1-1-17-24-S", "");
    let memory = SearchMemory::new(16).expect("memory");
    while game.position().verdict().is_none() {
        let request = Request { depth: 10, move_limit: MOVE_LIMIT, ..Request::new(&game) };
        let report = search(&request, &memory, &mut kroo::search::Silent);
        assert_eq!(report.score.proven(), Some(Verdict::Draw), "{}", game.position());
        game.play(report.pv[0]).expect("legal");
    }
    assert_eq!(game.position().verdict(), Some(Verdict::Draw));
}

macro_rules! rule_sets {
    ($($name:ident: $variant:ident;)+) => {
        $(mod $name {
            use kroo::game::Variant;
            #[test]
            fn near_the_limit_every_claim_is_right() {
                super::near(Variant::$variant);
            }
            #[test]
            fn on_small_boards_every_claim_is_right() {
                super::far(Variant::$variant);
            }
        })+
    };
}

rule_sets! {
    awari: Awari;
    awari1978: Awari1978;
    ayoayo: Ayoayo;
    oware: Oware;
    kalah: Kalah;
    avalanche: Avalanche;
}
