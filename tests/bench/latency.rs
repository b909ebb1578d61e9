//! Latency of the executable over its pipes: `cargo bench -p bench --bench latency`.

use bench::{Engine, program};
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use std::thread;
use std::time::Duration;

fn latency(criterion: &mut Criterion) {
    let mut engine = Engine::start(&program("kroo", "--bin", "kroo"), &[]);
    engine.ask("uci", "uciok");
    let mut group = criterion.benchmark_group("latency");
    group.bench_function("isready to readyok", |bencher| {
        bencher.iter(|| {
            engine.ask("isready", "readyok");
        });
    });
    group.bench_function("go depth 1 to bestmove", |bencher| {
        bencher.iter(|| {
            engine.ask("go depth 1", "bestmove");
        });
    });
    group.sample_size(50);
    group.bench_function("stop to bestmove", |bencher| {
        // The engine is shared by the two halves of an iteration, which never overlap.
        let engine = std::cell::RefCell::new(&mut engine);
        let search = || {
            engine.borrow_mut().send("go infinite");
            thread::sleep(Duration::from_millis(5));
        };
        bencher.iter_batched(
            search,
            |()| {
                engine.borrow_mut().ask("stop", "bestmove");
            },
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

criterion_group!(benches, latency);
criterion_main!(benches);
