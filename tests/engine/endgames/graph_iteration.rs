//! Tests of `src/core/endgames/building/graph_iteration.rs`.

use kroo::endgames::Endgames;
use kroo::endgames::building::checkpoint::NoCheckpoint;
use kroo::endgames::building::graph_iteration::*;
use kroo::endgames::building::lower_databases::LowerDatabases;
use kroo::endgames::building::watched::WatchedPool;
use kroo::endgames::probe::database::{Database, DatabaseCell};
use kroo::endgames::probe::indexing::database_size;
use kroo::game::Ayoayo;
use kroo::thread_pool::ThreadPool;

#[test]
fn an_index_may_have_forty_bits() {
    let largest = database_size(kroo::endgames::MAX_SEEDS);
    assert!(largest < 1 << 40 && largest > 1 << u32::BITS);
    let indices =
        [0, 1, (1 << u32::BITS) - 1, 1 << u32::BITS, (1 << u32::BITS) + 1, 5 << u32::BITS, largest - 1];
    let mut wide = Successors::for_boards(largest);
    indices.iter().for_each(|&index| wide.push(index));
    wide.shrink();
    for from in 0..indices.len() {
        let mut found = Vec::new();
        wide.each(from..indices.len(), |index| found.push(index));
        assert_eq!(found, indices[from..]);
    }
    // The last database with 32-bit indices, and the first with wider ones.
    assert!(Successors::for_boards(database_size(31)).high.is_none());
    assert!(Successors::for_boards(database_size(32)).high.is_some());
    assert!(6 * BLOCK <= usize::from(u16::MAX));
}

/// Small databases, built in the form for 32 seeds and more.
#[test]
fn the_wide_form_gives_the_same_level() {
    let endgames = Endgames::new();
    assert!(endgames.build::<Ayoayo>(8, &mut || false));
    for seeds in 0..=8 {
        let databases: Vec<_> = (0..seeds)
            .map(|seeds| {
                let database = endgames.database::<Ayoayo>(seeds).expect("built");
                let mut values = vec![0; database.values.len()];
                database.values.copy(0, &mut values);
                DatabaseCell::from(Database::of_gains(values))
            })
            .collect();
        let wide = Successors { low: Vec::new(), high: Some(Vec::new()) };
        let mut pool = WatchedPool { threads: &ThreadPool::new(2), watch: &mut |_| false };
        let lower = LowerDatabases { databases: &databases };
        let built = build_with::<Ayoayo>(seeds, wide, lower, &mut pool, &mut NoCheckpoint);
        let (built, narrow) =
            (built.expect("not stopped"), endgames.database::<Ayoayo>(seeds).expect("built"));
        assert_eq!(built.values.len(), narrow.values.len());
        assert!((0..built.values.len()).all(|index| built.code(index) == narrow.code(index)), "{seeds}");
    }
}
