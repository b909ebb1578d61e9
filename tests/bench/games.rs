//! Speed of the rules: `cargo bench -p bench`.
//!
//! - `perft`: moves and ends of games of each rule set, in leaves a second.
//! - `ayoayo laps`: only the sowings of a perft's tree, for comparison with the perft.
//! - `key`: hash keys of the boards of a game.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use kroo::game::{Ayoayo, Board, Move, Pit, Position, Rules, Side, Variant, Visitor, Zobrist, split_mix};
use std::hint::black_box;

fn perft(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    for &variant in Variant::ALL {
        let depth = if variant == Variant::Ayoayo { 6 } else { 8 };
        let start = Position::start(variant);
        let leaves = start.perft(depth, &|| false).expect("not stopped");
        group.throughput(Throughput::Elements(leaves));
        group.bench_with_input(BenchmarkId::new(variant.name(), depth), &depth, |bencher, &depth| {
            bencher.iter(|| black_box(start).perft(depth, &|| false));
        });
    }
    group.finish();
}

/// All sowings of a perft of this depth.
fn sowings(board: Board, depth: u32, found: &mut Vec<(Board, Pit)>) {
    if depth == 0 || Ayoayo::ending(board).is_some() {
        return;
    }
    for pit in Ayoayo::moves(board) {
        found.push((board, pit));
        if let Some(step) = Ayoayo::play(board, pit) {
            sowings(step.board, depth - 1, found);
        }
    }
}

fn laps(criterion: &mut Criterion) {
    let mut found = Vec::new();
    sowings(Board::filled(4), 6, &mut found);
    // The rules cut off never-ending sowings, so they are excluded.
    found.retain(|&(board, pit)| Ayoayo::play(board, pit).is_some());
    let laps_of = |&(board, pit): &(Board, Pit)| {
        let mv = Move { side: Side::South, pit };
        let effects = Position::new::<Ayoayo>(board, Side::South).effects(mv);
        u64::from(effects.map_or(1, |effects| effects.laps))
    };
    let laps: u64 = found.iter().map(laps_of).sum();
    let mut group = criterion.benchmark_group("ayoayo laps");
    group.throughput(Throughput::Elements(laps));
    group.bench_function("the sowings of perft 6", |bencher| {
        let last = |&(board, pit): &(Board, Pit)| Some(u64::from(Ayoayo::sow(board, pit)?.last));
        bencher.iter(|| found.iter().filter_map(last).sum::<u64>());
    });
    group.finish();
}

/// The boards of a random game.
fn walk<R: Rules>(mut board: Board) -> Vec<Board> {
    let (mut state, mut boards) = (1, vec![board]);
    while R::ending(board).is_none() && boards.len() < 200 {
        let steps: Vec<_> = R::moves(board).into_iter().filter_map(|pit| R::play(board, pit)).collect();
        board = steps[split_mix(&mut state) as usize % steps.len()].board;
        boards.push(board);
    }
    boards
}

struct Walk(Board);

impl Visitor for Walk {
    type Output = Vec<Board>;

    fn visit<R: Rules>(self) -> Self::Output {
        walk::<R>(self.0)
    }
}

fn keys(criterion: &mut Criterion) {
    let zobrist = Zobrist::get();
    let boards = Variant::Awari.visit(Walk(Board::filled(4)));
    let mut group = criterion.benchmark_group("key");
    group.throughput(Throughput::Elements(boards.len() as u64));
    group.bench_function("of a board", |bencher| {
        bencher.iter(|| boards.iter().fold(0, |sum, &board| sum ^ zobrist.keys(board).key()));
    });
    group.finish();
}

criterion_group!(benches, perft, laps, keys);
criterion_main!(benches);
