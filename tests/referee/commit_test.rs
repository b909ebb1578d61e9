//! The bench signatures of two commits.

use kroo_referee::commit_test::bench::read;
use kroo_referee::commit_test::git::Revision;

#[test]
fn the_last_bench_line_of_a_message_counts() {
    let bench = |message: &str| {
        let text = String::new();
        let message = message.to_owned();
        Revision { revision: text.clone(), commit: text.clone(), short: text.clone(), tree: text, message }
            .bench()
    };
    assert_eq!(bench("Late moves\n\nBench: 4711"), Some(4711));
    assert_eq!(bench("x\n\nbench 12\nBENCH = 1,234,567\n"), Some(1_234_567));
    for none in ["Benches: 3", "bench", "Bench: about 7", "The bench: 5", "Bénch: 5", ""] {
        assert_eq!(bench(none), None, "{none}");
    }
}

#[test]
fn the_lines_of_known_engines_are_read() {
    assert_eq!(read("bench 1\nNodes searched: 296472\nTime: 3 ms\n"), Some(296_472));
    assert_eq!(read("Nodes searched  : 17\nNodes/second    : 5\n"), Some(17));
    assert_eq!(read("x\n123 nodes 456 nps\n"), Some(123));
    for none in ["", "Nodes searched: many", "Nodes: 5", "1 nodes nps", "info nodes 3 nps 4"] {
        assert_eq!(read(none), None, "{none}");
    }
}
