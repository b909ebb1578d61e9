//! Moves at 5 to 20 ms in all rule sets, two games at once: `cargo bench -p bench --bench on_time`, with `-- MOVES` for another
//! number than 10,000, which take a minute and a half. Fails if a move is later than the stalls of the machine explain.
//!
//! A busy processor or a stalled virtual machine makes a move late through no fault of the engine.
//! So the stalls are measured with each move: how long the threads of the engine and the one that asks
//! were ready to run and did not, as the system counts it, and for how long a processor stalled: a thread on each of them
//! sleeps for a millisecond, again and again, and it wakes up late although its processor is free.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use bench::{Engine, program};
use kroo::game::{Game, Move, Position, Variant};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use std::{env, fs};

/// Moves without a number on the command line.
const MOVES: usize = 10_000;
/// The times for a move in milliseconds, in turn.
const TIMES: [u64; 4] = [5, 20, 10, 7];
/// The tolerance of the measurement.
const TOLERANCE: Duration = Duration::from_millis(2);
/// How long the thread that watches the machine sleeps.
const NAP: Duration = Duration::from_millis(1);

/// A column of `schedstat`: how long a thread has run, and how long it was ready and did not.
#[derive(Clone, Copy)]
enum Column {
    Ran,
    Waited,
}

impl Column {
    /// Of the thread with this folder in `/proc`.
    fn of(self, thread: &Path) -> Duration {
        let text = fs::read_to_string(thread.join("schedstat")).unwrap_or_default();
        let nanoseconds = text.split_whitespace().nth(self as usize).and_then(|number| number.parse().ok());
        Duration::from_nanos(nanoseconds.unwrap_or(0))
    }

    /// Of this thread.
    fn own(self) -> Duration {
        self.of(Path::new("/proc/thread-self"))
    }

    /// Of all threads of an engine.
    fn of_engine(self, engine: &Engine) -> Duration {
        let tasks = fs::read_dir(format!("/proc/{}/task", engine.id())).into_iter().flatten().flatten();
        tasks.map(|task| self.of(&task.path())).sum()
    }
}

/// A move that was asked for.
#[derive(Clone, Copy, Debug, Default)]
struct Answer {
    /// How much longer it took than it was given.
    late: Duration,
    /// The machine's stalls meanwhile.
    stalled: Duration,
    /// The processor time of the engine's threads.
    ran: Duration,
    /// Its limit.
    given: Duration,
    /// The moves before it.
    ply: usize,
}

/// Plays games against itself until a number of moves is reached.
fn play(kroo: &Path, variant: Variant, moves: usize, naps: &Mutex<Vec<(Instant, Instant)>>) -> Vec<Answer> {
    let mut engine = Engine::start(kroo, &["--variant", variant.name()]);
    engine.ask("isready", "readyok");
    let mut game = Game::new(Position::start(variant));
    let mut answers = Vec::new();
    while answers.len() < moves {
        if game.position().verdict().is_some() || game.moves().len() > 200 {
            engine.ask("ucinewgame\nisready", "readyok");
            game = Game::new(Position::start(variant));
        }
        let played: String = game.moves().iter().map(|mv| mv.letter()).collect();
        let played = if played.is_empty() { played } else { format!(" moves {played}") };
        let time = TIMES[answers.len() % TIMES.len()];
        let waited = |engine: &Engine| Column::Waited.of_engine(engine) + Column::Waited.own();
        let (before, ran) = (waited(&engine), Column::Ran.of_engine(&engine));
        let began = Instant::now();
        let best = engine.ask(&format!("position startpos{played}\ngo movetime {time}"), "bestmove ");
        let ended = Instant::now();
        let letter = best.chars().nth("bestmove ".len()).expect("a move");
        let waited = waited(&engine).saturating_sub(before);
        let ran = Column::Ran.of_engine(&engine).saturating_sub(ran);
        let given = Duration::from_millis(time);
        let late = (ended - began).saturating_sub(given);
        let overlap =
            |&(from, to): &(Instant, Instant)| to.min(ended).saturating_duration_since(from.max(began));
        let slept = naps.lock().expect("no panic").iter().map(overlap).sum::<Duration>();
        answers.push(Answer { late, stalled: waited + slept, ran, given, ply: game.moves().len() });
        game.play(Move::from_letter(letter).expect("a pit's letter")).expect("a legal move");
    }
    answers
}

/// Stays on a processor and notes its stalls, until it is over.
fn watch(processor: usize, naps: &Mutex<Vec<(Instant, Instant)>>, over: &AtomicBool) {
    let mut only = CpuSet::new();
    only.set(processor);
    sched_setaffinity(None, &only).expect("a processor of this process");
    while !over.load(Ordering::Relaxed) {
        let (began, before) = (Instant::now(), Column::Waited.own());
        thread::sleep(NAP);
        let ended = Instant::now();
        // A processor that runs another thread is not stalled.
        let waited = Column::Waited.own().saturating_sub(before);
        let stalled = (ended - began).saturating_sub(NAP + waited);
        if stalled > NAP {
            naps.lock().expect("no panic").push((ended - stalled, ended));
        }
    }
}

/// Plays two games of a rule set at once. Returns how many moves are later than the stalls explain, and prints them.
fn late(kroo: &Path, variant: Variant, moves: usize, naps: &Mutex<Vec<(Instant, Instant)>>) -> usize {
    naps.lock().expect("no panic").clear();
    let answers = thread::scope(|scope| {
        let games = [(); 2].map(|()| scope.spawn(|| play(kroo, variant, moves, naps)));
        games.map(|game| game.join().expect("a game")).concat()
    });
    let latest = answers.iter().copied().max_by_key(|answer| answer.late).unwrap_or_default();
    let excess = |answer: &&Answer| answer.late > answer.stalled + TOLERANCE;
    for Answer { late, stalled, ran, given, ply } in answers.iter().filter(excess) {
        println!(
            "{variant}: move {ply} of a game, given {given:?}, {late:?} late; the engine ran for {ran:?}, the machine stalled \
             for {stalled:?}"
        );
    }
    let beyond = answers.iter().filter(excess).count();
    let stalled = answers.iter().map(|answer| answer.stalled).max().unwrap_or_default();
    println!(
        "{variant}: {} moves, the latest {:?} late (stalls explain {:?}), {beyond} later than stalls explain; the longest stall \
         {stalled:?}",
        answers.len(),
        latest.late,
        latest.stalled
    );
    beyond
}

/// Ends the watch when it is dropped.
struct AtEnd<'a>(&'a AtomicBool);

impl Drop for AtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn main() -> ExitCode {
    // Cargo adds `--bench`.
    let number = env::args().skip(1).find(|word| word != "--bench");
    let moves = number.map_or(MOVES, |word| word.parse().expect("a number of moves"));
    let each = moves.div_ceil(2 * Variant::ALL.len());
    let kroo = program("kroo", "--bin", "kroo");
    let (naps, over) = (Mutex::new(Vec::new()), AtomicBool::new(false));
    let unexplained: usize = thread::scope(|scope| {
        let allowed = sched_getaffinity(None).expect("the processors of this process");
        for processor in (0..CpuSet::MAX_CPU).filter(|&processor| allowed.is_set(processor)) {
            let (naps, over) = (&naps, &over);
            scope.spawn(move || watch(processor, naps, over));
        }
        // Also if a game panics: the scope waits for those that watch.
        let _end = AtEnd(&over);
        Variant::ALL.iter().map(|&variant| late(&kroo, variant, each, &naps)).sum()
    });
    if unexplained == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
