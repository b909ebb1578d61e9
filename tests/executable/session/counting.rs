//! `perft` and `bench`.

use super::{FINISHED, playing};
use kroo::game::{Move, Variant};
use kroo::protocol::{Info, Reply};
use std::collections::BTreeSet;
use support::client::{Client, position};
use support::data::{BENCH_SIGNATURE, PERFT, lines};

#[test]
fn perft_counts_what_the_vectors_say() {
    for &variant in Variant::ALL {
        let mut client = playing(variant);
        let own = lines(PERFT).filter(|(_, words)| words[0] == variant.name());
        for (line, words) in own.step_by(5) {
            client.accepts(&format!("position fen {}", words[1]));
            let root = position(variant, words[1]);
            for (plies, expected) in (1..=4).zip(&words[2..]) {
                for command in ["go perft", "perft"] {
                    client.send(&format!("{command} {plies}"));
                    let said = client.expect("Nodes searched: ");
                    let mut counts: Vec<(Move, u64)> = Vec::new();
                    for reply in &said {
                        if let Reply::PerftMove { mv, nodes } = reply {
                            counts.push((*mv, *nodes));
                        }
                    }
                    let total: u64 = counts.iter().map(|(_, nodes)| nodes).sum();
                    assert_eq!(total.to_string(), **expected, "line {line}, {plies} plies");
                    assert_eq!(said.last(), Some(&Reply::PerftTotal(total)));
                    let letters: Vec<Move> = counts.into_iter().map(|(mv, _)| mv).collect();
                    assert_eq!(letters, root.moves(), "line {line}: a line a move, from the mover's left");
                }
            }
        }
    }
    let mut client = Client::new();
    client.accepts(FINISHED);
    client.send("go perft 3");
    let said = client.expect("Nodes searched: 0");
    assert!(!said.iter().any(|reply| matches!(reply, Reply::PerftMove { .. })));
}

#[test]
fn a_huge_perft_can_be_stopped() {
    for &variant in Variant::ALL {
        let mut client = playing(variant);
        for line in ["go perft 64", "perft 30"] {
            client.send(line);
            client.accepts("ponderhit");
            client.send("stop");
            let said = client.sync();
            assert!(!said.iter().any(|reply| matches!(reply, Reply::PerftTotal(_))), "{said:?}");
            assert_eq!(said.last(), Some(&Reply::Info(Info::text("stopped, so there is no total"))));
            assert!(client.go("go depth 2").best.is_some());
        }
    }
}

#[test]
fn bench_has_a_signature() {
    let mut client = Client::new();
    let mut signatures = BTreeSet::new();
    for before in
        ["debug on", "go depth 6", "setoption name Hash value 1", "setoption name UCI_Variant value oware"]
    {
        client.send(before);
        client.send("stop");
        client.sync();
        client.send("bench 4");
        let mut replies = client.expect("Nodes searched: ");
        let Some(Reply::PerftTotal(nodes)) = replies.pop() else { panic!("no total") };
        let speeds = replies.iter().filter(|reply| reply.to_string().starts_with("Nodes per second: "));
        assert_eq!(speeds.count(), 1);
        signatures.insert(nodes);
    }
    assert_eq!(signatures.len(), 1, "{signatures:?}: it depends on nothing that was said");
}

/// Any change of rules, evaluation or search changes it.
#[test]
fn the_short_bench_has_the_signature_of_the_project() {
    let kept = lines(BENCH_SIGNATURE).map(|(_, words)| words.concat());
    let [_, short] = &kept.collect::<Vec<_>>()[..] else {
        panic!("a signature of the bench, and one of its short form")
    };
    let mut client = Client::new();
    client.send("bench 14");
    let Some(Reply::PerftTotal(nodes)) = client.expect("Nodes searched: ").pop() else { panic!("no total") };
    assert_eq!(nodes.to_string(), *short);
}
