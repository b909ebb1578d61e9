//! A queue whose keys and entries are removed heals itself.

use crate::faults::{GAMES, arguments};
use crate::stage::Stage;
use kroo::game::split_mix;

/// What a broker can lose, or its administrator do to a queue, in Lua; `N` is a random number.
const DAMAGE: [&str; 16] = [
    "redis.call('DEL', Q..'job')",
    "redis.call('DEL', Q..'state')",
    "redis.call('DEL', Q..'batches')",
    "redis.call('DEL', Q..'lock')",
    "redis.call('DEL', Q..'progress')",
    "redis.call('DEL', Q..'results')",
    "redis.call('DEL', Q..'notes')",
    "redis.call('DEL', Q..'workers')",
    "redis.call('XTRIM', Q..'batches', 'MAXLEN', 1)",
    "redis.call('XTRIM', Q..'results', 'MAXLEN', 0)",
    "redis.pcall('XGROUP', 'DESTROY', Q..'batches', 'workers')",
    "redis.pcall('XGROUP', 'SETID', Q..'batches', 'workers', '$')",
    "redis.pcall('XREADGROUP', 'GROUP', 'workers', 'ghost', 'COUNT', 2, 'STREAMS', Q..'batches', '>')",
    "redis.pcall('XREADGROUP', 'GROUP', 'workers', 'ghost', 'COUNT', 2, 'NOACK', 'STREAMS', Q..'batches', '>')",
    "local all = redis.call('XRANGE', Q..'batches', '-', '+') \
     if #all > 0 then redis.pcall('XACK', Q..'batches', 'workers', all[N % #all + 1][1]) end",
    "local all = redis.call('XRANGE', Q..'batches', '-', '+') \
     if #all > 0 then redis.call('XDEL', Q..'batches', all[N % #all + 1][1]) end",
];

/// Whatever is removed from a queue, acknowledged or given to nobody, the match ends with the same games.
#[test]
fn a_damaged_queue_is_mended() {
    let Some(stage) = Stage::new() else { return };
    let arguments = arguments(&stage);
    let (mut random, mut left) = (1, DAMAGE.to_vec());
    // As many matches as the damage needs, some of it in each.
    for number in 0.. {
        let journal = format!("queue-{number}");
        let mut coordinator = stage.coordinator(&journal, &arguments);
        let mut workers = [stage.worker("--concurrency 2"), stage.worker("")];
        stage.await_games(&journal, 4);
        while !left.is_empty() && stage.games(&journal) < GAMES - 8 {
            let number = split_mix(&mut random) as usize;
            let damage = left.swap_remove(number % left.len());
            let script = format!("local N, Q = {}, 'kroo:{{test}}:' {damage} return 0", number % 1_000);
            assert_eq!(stage.number(&format!("EVAL \"{script}\" 0")), 0);
            stage.await_games(&journal, (stage.games(&journal) + 2).min(GAMES));
        }
        assert_eq!(coordinator.wait(), 0, "{}", coordinator.errors());
        for worker in &mut workers {
            assert_eq!(worker.wait(), 0, "{}", worker.errors());
        }
        assert_eq!(stage.games(&journal), GAMES);
        stage.assert_same(&journal, "alone");
        if left.is_empty() {
            return;
        }
    }
}
