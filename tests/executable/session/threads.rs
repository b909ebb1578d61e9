//! `Threads`: more than there can be, and more than make sense.

use super::text;
use kroo::protocol::{Info, Reply};
use std::num::NonZero;
use std::thread;
use support::client::Client;

/// The stack of a thread takes more than this, the search itself less.
#[cfg(target_os = "linux")]
const SPARE: u64 = 3 << 19;

/// A thread that cannot be started is shown where there is no room for its stack: a limit that binds every user.
#[cfg(target_os = "linux")]
#[test]
fn a_search_goes_on_with_the_threads_there_are() {
    let mut client = Client::new();
    client.go("go depth 6");
    client.says("setoption name Threads value 4");
    client.freeze_memory(SPARE);
    for line in ["go movetime 50", "go depth 6", "go infinite"] {
        client.send(line);
        client.until("a notice", |reply| {
            reply.to_string().ends_with("of 4 threads search: the system starts no more")
        });
        if line == "go infinite" {
            client.expect("info depth 6 ");
            client.send("stop");
        }
        assert!(client.best_move().best.is_some(), "{line}");
    }
}

#[test]
fn too_many_threads_are_reported() {
    let most = 4 * thread::available_parallelism().map_or(1, NonZero::get);
    let mut client = Client::new();
    client.set("Threads", &most.min(256).to_string());
    if most >= 256 {
        return;
    }
    let said = text(&client.says("setoption name Threads value 256"));
    assert!(
        said.len() == 1
            && said[0].starts_with("info string Threads 256 is too many for this machine; using "),
        "{said:?}"
    );
    assert!(client.go("go movetime 200").best.is_some());
    drop(client);
    // By a flag it is said before the first search.
    let mut client = Client::with_flags(&["--threads", "256"]);
    client.send("go depth 3");
    let told = client.until("`bestmove`", |reply| matches!(reply, Reply::BestMove { .. }));
    let is_remark = |reply: &&Reply| matches!(reply, Reply::Info(Info { string: Some(_), .. }));
    assert_eq!(told.iter().filter(is_remark).count(), 1, "{told:?}");
    client.go("go depth 3");
}

/// The node limit and the reported nodes include all threads.
#[test]
fn the_nodes_of_further_threads_count() {
    const NODES: u64 = 400_000;
    for threads in ["1", "4"] {
        let mut client = Client::with_flags(&["--variant", "oware", "--threads", threads]);
        client.send("go infinite");
        client.until(
            "a long search",
            |reply| matches!(reply, Reply::Info(Info { nodes: Some(nodes), .. }) if *nodes > NODES),
        );
        client.send("stop");
        client.best_move();
        let search = client.go(&format!("go nodes {NODES}"));
        let told = search.infos.iter().filter_map(|info| info.nodes).max().expect("nodes");
        // Each thread adds its nodes to the total in batches of a few thousand.
        assert!(told <= NODES + NODES / 10, "{threads} threads: {told}");
    }
}
