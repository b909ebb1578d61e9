//! Moves at 5 to 20 ms are on time in all rule sets with two games at once, except for stalls of the machine.
//!
//! A busy processor or a stalled virtual machine makes a move late through no fault of the engine.
//! So the stalls are measured with each move: how long the threads of the engine and the one that asks
//! were ready to run and did not, as the system counts it, and for how long a processor stalled: a thread on each of them
//! sleeps for a millisecond, again and again, and it wakes up late although its processor is free.
//! `tests/bench/on_time.sh` plays many moves.

use kroo::game::{Game, Move, Position, Variant};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use support::programs::kroo_path;

/// The variable that says how many moves to play; without it a few.
const MOVES: &str = "KROO_ON_TIME_MOVES";
const FEW_MOVES: usize = 150;
/// The times for a move in milliseconds, in turn.
const TIMES: [u64; 4] = [5, 20, 10, 7];
/// The tolerance of the measurement.
const TOLERANCE: Duration = Duration::from_millis(2);
/// How long the thread that watches the machine sleeps.
const NAP: Duration = Duration::from_millis(1);

/// An engine that is asked and answers on this thread.
struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(variant: Variant) -> Engine {
        let mut command = Command::new(kroo_path());
        command.args(["--variant", variant.name()]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the engine starts");
        let (input, output) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        let mut engine = Engine { child, input, output: BufReader::new(output) };
        engine.ask("isready", "readyok");
        engine
    }

    /// Sends lines, and returns what follows the first word of the answer.
    fn ask(&mut self, lines: &str, answer: &str) -> String {
        writeln!(self.input, "{lines}").expect("the engine reads");
        let mut line = String::new();
        loop {
            line.clear();
            assert!(self.output.read_line(&mut line).expect("text") > 0, "the engine has ended");
            if let Some(rest) = line.strip_prefix(answer) {
                return rest.trim().to_owned();
            }
        }
    }

    /// How long its threads, and this one, have waited for a processor.
    fn waited(&self) -> Duration {
        self.sum(1) + waited("/proc/thread-self/schedstat")
    }

    /// How long its threads have run.
    fn ran(&self) -> Duration {
        self.sum(0)
    }

    fn resident_mebibytes(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("its status");
        let kibibytes = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its memory");
        kibibytes.trim_end_matches("kB").trim().parse::<u64>().expect("a number") / 1024
    }

    fn sum(&self, column: usize) -> Duration {
        let tasks = fs::read_dir(format!("/proc/{}/task", self.child.id())).into_iter().flatten().flatten();
        tasks.map(|task| schedstat(&task.path().join("schedstat").to_string_lossy(), column)).sum()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = writeln!(self.input, "quit");
        let _ = self.child.wait();
    }
}

/// The time that a thread was ready and did not run.
fn waited(path: &str) -> Duration {
    schedstat(path, 1)
}

/// A number of a thread's `schedstat`: first the time that it ran, then the time that it was ready and did not.
fn schedstat(path: &str, column: usize) -> Duration {
    let text = fs::read_to_string(path).unwrap_or_default();
    let nanoseconds = text.split_whitespace().nth(column).and_then(|number| number.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
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
fn play(variant: Variant, moves: usize, naps: &Mutex<Vec<(Instant, Instant)>>) -> Vec<Answer> {
    let mut engine = Engine::start(variant);
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
        let (before, ran) = (engine.waited(), engine.ran());
        let began = Instant::now();
        let best = engine.ask(&format!("position startpos{played}\ngo movetime {time}"), "bestmove ");
        let ended = Instant::now();
        let waited = engine.waited().saturating_sub(before);
        let ran = engine.ran().saturating_sub(ran);
        let given = Duration::from_millis(time);
        let late = (ended - began).saturating_sub(given);
        let overlap =
            |&(from, to): &(Instant, Instant)| to.min(ended).saturating_duration_since(from.max(began));
        let slept = naps.lock().expect("no panic").iter().map(overlap).sum::<Duration>();
        answers.push(Answer { late, stalled: waited + slept, ran, given, ply: game.moves().len() });
        let letter = best.chars().next().expect("a move");
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
        let (began, before) = (Instant::now(), waited("/proc/thread-self/schedstat"));
        thread::sleep(NAP);
        let ended = Instant::now();
        // A processor that runs another thread is not stalled.
        let waited = waited("/proc/thread-self/schedstat").saturating_sub(before);
        let stood = (ended - began).saturating_sub(NAP + waited);
        if stood > NAP {
            naps.lock().expect("no panic").push((ended - stood, ended));
        }
    }
}

/// The first moves of a game do not wait for the system to find the memory of the table.
#[test]
fn the_memory_of_the_table_is_there_when_the_engine_is_ready() {
    const MEBIBYTES: u64 = 96;
    let mut engine = Engine::start(Variant::Oware);
    let before = engine.resident_mebibytes();
    for after in ["setoption name Hash value 96", "ucinewgame"] {
        engine.ask(&format!("{after}\nisready"), "readyok");
        let grown = engine.resident_mebibytes().saturating_sub(before);
        assert!(grown > MEBIBYTES / 2, "{grown} MiB after {after}");
    }
}

#[test]
#[ignore = "it measures this machine: tests/bench/on_time.sh"]
#[expect(clippy::print_stdout, reason = "`tests/bench/on_time.sh` shows it")]
fn no_move_is_later_than_the_machine_explains() {
    let all: usize = std::env::var(MOVES).map_or(FEW_MOVES, |moves| moves.parse().expect("a number"));
    let each = all.div_ceil(2 * Variant::ALL.len());
    let (naps, over) = (Mutex::new(Vec::new()), AtomicBool::new(false));
    let mut unexplained = 0;
    thread::scope(|scope| {
        let allowed = sched_getaffinity(None).expect("the processors of this process");
        for processor in (0..CpuSet::MAX_CPU).filter(|&processor| allowed.is_set(processor)) {
            let (naps, over) = (&naps, &over);
            scope.spawn(move || watch(processor, naps, over));
        }
        for &variant in Variant::ALL {
            let naps = &naps;
            naps.lock().expect("no panic").clear();
            let games = [(); 2].map(|()| scope.spawn(move || play(variant, each, naps)));
            let answers = games.map(|game| game.join().expect("a game")).concat();
            let latest = answers.iter().copied().max_by_key(|answer| answer.late).unwrap_or_default();
            let excess = |answer: &&Answer| answer.late > answer.stalled + TOLERANCE;
            for Answer { late, stalled, ran, given, ply } in answers.iter().filter(excess) {
                println!(
                    "{variant}: move {ply} of a game, given {given:?}, {late:?} late; the engine ran for {ran:?}, the machine \
                     was away for {stalled:?}"
                );
            }
            let beyond = answers.iter().filter(excess).count();
            let stalled = answers.iter().map(|answer| answer.stalled).max().unwrap_or_default();
            println!(
                "{variant}: {} moves, the latest {:?} late (the machine was away for {:?} of it), {beyond} later than that \
                 explains; the machine's longest stall {stalled:?}",
                answers.len(),
                latest.late,
                latest.stalled
            );
            unexplained += beyond;
        }
        over.store(true, Ordering::Relaxed);
    });
    assert_eq!(unexplained, 0);
}
