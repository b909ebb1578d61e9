//! Counts the engine's mistakes in the two solved games: `cargo bench -p bench --bench solved_games`.
//!
//! - `-- positions VARIANT`: its moves that give seeds or the result away, in positions of its own games.
//! - `-- games VARIANT`: its games, from random openings of four plies against every player and level, with less than the
//!   value of the opening.
//! - `-- solution VARIANT --plies 7 --out FILE`: writes the values of the opening positions
//!   (`src/core/search/solver/solution.rs`).
//!
//! The value of a position is the one that the solver proves, without a limit. `--count N` is the number of positions (default:
//! 2000) or games (200), `--go WORDS` the limit of each move (`movetime 100`), `--seeds N` the most seeds of a position,
//! `--engine PATH` another executable; `--option NAME=VALUE` sets an option of the engine.

use bench::{Engine, program};
use kroo::game::{Game, Move, Position, Rng, Side, Variant, Verdict};
use kroo::level::LEVELS;
use kroo::roster::{PLAYERS, PlayerName};
use kroo::search::{Purpose, Request, SearchMemory, Silent, positions_of_solution, search};
use kroo::value::CENTISEEDS;
use std::collections::HashSet;
use std::path::PathBuf;

/// Size of the solver's table in MiB.
const SOLVER_HASH: usize = 1024;
/// Nodes of each move of the games that supply positions.
const GAME_NODES: u64 = 1_000;
/// Random plies at the beginning of a game.
const RANDOM_PLIES: u64 = 4;
/// The opponents' limit.
const OPPONENT: &str = "nodes 20000";

/// Solves positions, with one table for all of them.
struct Truth(SearchMemory);

impl Truth {
    fn new() -> Truth {
        Truth(SearchMemory::new(SOLVER_HASH).expect("memory for the solver's table"))
    }

    /// The final difference of the stores under best play, for the side to move, in seeds.
    fn margin(&self, position: &Position) -> i32 {
        if let Some(over) = position.verdict() {
            let lead = i32::from(position.board().lead());
            assert!(over != Verdict::Draw || lead == 0, "{position}");
            return lead;
        }
        let game = Game::new(*position);
        let request = Request { purpose: Purpose::Analysis, ..Request::new(&game) };
        let report = search(&request, &self.0, &mut Silent);
        assert!(report.score.proof.is_exact(), "{position} is solved");
        report.score.value.centiseeds() / CENTISEEDS
    }

    /// The same for the side that makes a move.
    fn margin_after(&self, position: &Position, mv: Move) -> i32 {
        let next = position.play(mv).expect("a legal move");
        let margin = self.margin(&next);
        if next.side() == position.side() { margin } else { -margin }
    }
}

/// An engine for a rule set, with options.
fn started(asked: &Arguments, options: &[String]) -> Engine {
    let mut engine = Engine::start(&asked.engine, &["--variant", &asked.variant.to_string()]);
    engine.ask("uci", "uciok");
    for option in options {
        let (name, value) = option.split_once('=').expect("NAME=VALUE");
        engine.send(&format!("setoption name {name} value {value}"));
    }
    engine.ask("isready", "readyok");
    engine
}

fn new_game(engine: &mut Engine) {
    engine.send("ucinewgame");
    engine.ask("isready", "readyok");
}

fn best_move(engine: &mut Engine, game: &Game, go: &str) -> Move {
    let moves: String = game.moves().iter().map(|mv| mv.letter()).collect();
    let moves = if moves.is_empty() { moves } else { format!(" moves {moves}") };
    engine.send(&format!("position startpos{moves}"));
    let answer = engine.ask(&format!("go {go}"), "bestmove");
    let letter = answer.split(' ').nth(1).and_then(|word| word.chars().next());
    letter.and_then(Move::from_letter).expect("a move")
}

/// The command line.
struct Arguments {
    what: String,
    variant: Variant,
    count: usize,
    go: String,
    seeds: u8,
    plies: u8,
    out: String,
    engine: PathBuf,
    options: Vec<String>,
}

impl Arguments {
    fn read() -> Option<Arguments> {
        // Cargo adds `--bench`.
        let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
        let what = words.next()?;
        let mut read = Arguments {
            count: if what == "games" { 200 } else { 2000 },
            what,
            variant: words.next()?.parse().ok()?,
            go: "movetime 100".to_owned(),
            seeds: u8::MAX,
            plies: 7,
            out: "solution".to_owned(),
            engine: program("kroo", "--bin", "kroo"),
            options: Vec::new(),
        };
        while let Some(name) = words.next() {
            let value = words.next()?;
            match name.as_str() {
                "--count" => read.count = value.parse().ok()?,
                "--go" => read.go = value,
                "--seeds" => read.seeds = value.parse().ok()?,
                "--plies" => read.plies = value.parse().ok()?,
                "--out" => read.out = value,
                "--engine" => read.engine = value.into(),
                "--option" => read.options.push(value),
                _ => return None,
            }
        }
        Some(read)
    }
}

#[allow(clippy::print_stderr)]
fn main() {
    bench::go_to_the_user();
    match Arguments::read() {
        Some(asked) if asked.what == "positions" => positions(&asked),
        Some(asked) if asked.what == "games" => games(&asked),
        Some(asked) if asked.what == "solution" => solution(&asked),
        _ => {
            eprintln!(
                "cargo bench -p bench --bench solved_games -- positions|games|solution awari1978|kalah [FLAGS]"
            )
        }
    }
}

/// A game after random moves from the start; it is not over.
fn opening(variant: Variant, plies: u64, rng: &mut Rng) -> Game {
    loop {
        let mut game = Game::new(Position::start(variant));
        for _ in 0..plies {
            let moves = game.position().moves();
            if !moves.is_empty() {
                game.play(moves[rng.below(moves.len() as u64) as usize]).expect("legal");
            }
        }
        if game.position().verdict().is_none() {
            return game;
        }
    }
}

/// Unfinished games with a choice of moves, from short searches after random openings.
fn sample(asked: &Arguments) -> Vec<Game> {
    let (mut rng, mut seen, mut found) = (Rng::new(1), HashSet::new(), Vec::new());
    let table = SearchMemory::new(16).expect("memory");
    while found.len() < asked.count {
        let plies = rng.below(2 * RANDOM_PLIES + 1);
        let mut game = opening(asked.variant, plies, &mut rng);
        while game.position().verdict().is_none() && found.len() < asked.count {
            let position = *game.position();
            let wanted = position.moves().len() > 1 && position.board().seeds() <= asked.seeds;
            if wanted && rng.below(4) == 0 && seen.insert(position.to_string()) {
                found.push(game.clone());
            }
            let request = Request { nodes: GAME_NODES, solver: false, ..Request::new(&game) };
            let mv = search(&request, &table, &mut Silent).pv[0];
            game.play(mv).expect("legal");
        }
    }
    found
}

#[allow(clippy::print_stdout)]
fn positions(asked: &Arguments) {
    let truth = Truth::new();
    let mut engine = started(asked, &asked.options);
    let (mut wrong, mut lost, mut results) = (0, 0, 0);
    let games = sample(asked);
    for game in &games {
        let position = game.position();
        new_game(&mut engine);
        let mv = best_move(&mut engine, game, &asked.go);
        let (worth, got) = (truth.margin(position), truth.margin_after(position, mv));
        assert!(got <= worth, "{position}: {mv} gets {got}, more than {worth}");
        if got < worth {
            (wrong, lost) = (wrong + 1, lost + worth - got);
            results += usize::from(got.signum() < worth.signum());
            let seeds = position.board().seeds();
            println!("{position}: {mv} gets {got}, less than {worth}, with {seeds} seeds in the pits");
        }
    }
    let (count, variant, go) = (games.len(), asked.variant, &asked.go);
    println!(
        "{variant}, go {go}: of {count} moves {wrong} give seeds away ({lost} in all), {results} of them the result"
    );
}

#[allow(clippy::print_stderr)]
fn solution(asked: &Arguments) {
    let (truth, positions) = (Truth::new(), positions_of_solution(asked.variant, asked.plies));
    let mut file = vec![asked.plies];
    for (done, position) in positions.iter().enumerate() {
        if done % 1_000 == 0 {
            eprintln!("{done} of {} positions", positions.len());
        }
        let gain = truth.margin(position) - i32::from(position.board().lead());
        file.push(i8::try_from(gain).expect("no more than the seeds").cast_unsigned());
    }
    std::fs::write(&asked.out, file).expect("a file that can be written");
}

/// The options of each opponent.
fn opponents(variant: Variant) -> Vec<String> {
    let others = PLAYERS.iter().filter(|(who, ..)| *who != PlayerName::Kroo && who.plays(variant));
    let levels = LEVELS.iter().map(|(_, name)| format!("Level={name}"));
    others.map(|(_, name, _)| format!("Player={name}")).chain(levels).collect()
}

#[allow(clippy::print_stdout)]
fn games(asked: &Arguments) {
    let truth = Truth::new();
    let mut engine = started(asked, &asked.options);
    let opponents = opponents(asked.variant);
    let mut less = vec![0; opponents.len()];
    let mut rng = Rng::new(2);
    for number in 0..asked.count {
        let start = opening(asked.variant, RANDOM_PLIES, &mut rng);
        let side = Side::BOTH[number % 2];
        let who = number / 2 % opponents.len();
        let name = &opponents[who];
        let mut opponent = started(asked, std::slice::from_ref(name));
        new_game(&mut engine);
        let mut game = start.clone();
        while game.position().verdict().is_none() {
            let mv = match game.position().side() == side {
                true => best_move(&mut engine, &game, &asked.go),
                false => best_move(&mut opponent, &game, OPPONENT),
            };
            game.play(mv).expect("legal");
        }
        let worth = truth.margin(start.position());
        let worth = if start.position().side() == side { worth } else { -worth };
        let stores = [side, side.other()].map(|side| i32::from(game.position().store(side)));
        let got = stores[0] - stores[1];
        if got < worth {
            less[who] += 1;
            let letters: String = game.moves().iter().map(|mv| mv.letter()).collect();
            println!("{letters}: {side:?} gets {got}, less than {worth}, against {name}");
        }
    }
    for (name, less) in opponents.iter().zip(&less) {
        println!("against {name}: {less} games below the value of the opening");
    }
    let (variant, go, all) = (asked.variant, &asked.go, less.iter().sum::<usize>());
    println!("{variant}, go {go}: {all} of {} games below the value of the opening", asked.count);
}
