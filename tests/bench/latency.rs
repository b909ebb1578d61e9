//! How quickly the executable answers over its pipes: `cargo bench --bench latency`.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::Duration;

/// An engine and both ends of its pipes.
struct Engine {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    line: String,
}

impl Engine {
    fn start() -> Engine {
        let mut process = Command::new(env!("CARGO_BIN_EXE_kroo"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let input = process.stdin.take().expect("piped");
        let output = BufReader::new(process.stdout.take().expect("piped"));
        Engine { process, input, output, line: String::new() }
    }

    fn send(&mut self, command: &str) {
        self.input.write_all(command.as_bytes()).expect("the engine reads");
    }

    fn wait_for(&mut self, word: &str) {
        loop {
            self.line.clear();
            self.output.read_line(&mut self.line).expect("the engine writes");
            assert!(!self.line.is_empty(), "the engine has ended");
            if self.line.starts_with(word) {
                return;
            }
        }
    }

    fn ask(&mut self, command: &str, answer: &str) {
        self.send(command);
        self.wait_for(answer);
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.send("quit\n");
        let _ = self.process.wait();
    }
}

fn latency(criterion: &mut Criterion) {
    let mut engine = Engine::start();
    engine.ask("uci\n", "uciok");
    let mut group = criterion.benchmark_group("latency");
    group.bench_function("isready to readyok", |bencher| {
        bencher.iter(|| engine.ask("isready\n", "readyok"));
    });
    group.bench_function("go depth 1 to bestmove", |bencher| {
        bencher.iter(|| engine.ask("go depth 1\n", "bestmove"));
    });
    group.sample_size(50);
    group.bench_function("stop to bestmove", |bencher| {
        // The engine is shared by the two halves of an iteration, which never overlap.
        let engine = std::cell::RefCell::new(&mut engine);
        let search = || {
            engine.borrow_mut().send("go infinite\n");
            thread::sleep(Duration::from_millis(5));
        };
        bencher.iter_batched(
            search,
            |()| engine.borrow_mut().ask("stop\n", "bestmove"),
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

criterion_group!(benches, latency);
criterion_main!(benches);
