//! `setoption`: what it takes, what it leaves alone, and what can be seen of it.

use super::{playing, score};
use kroo::game::{Position, Variant, Verdict};
use kroo::protocol::Bound;
use support::client::Client;
use support::data::{SOLVED, SOLVED_MARGINS, lines};
use support::one_of;
use support::tools::has;

#[test]
fn names_and_values_may_be_in_any_case() {
    let mut client = Client::new();
    client.accepts("setoption name uci_variant value KALAH");
    client.accepts("setoption name  move   OVERHEAD  value  7");
    client.accepts("setoption name CLEAR hash");
    client.accepts("setoption name uci_showwdl value True");
    client.accepts("position startpos moves CF");
    assert_eq!(client.shows().0, "4-4-0-5-5-0-5-5-5-5-4-4-2-0-N", "C ends in the store: once more");
    assert!(score(client.go("go depth 2").last()).wdl.is_some());
    client.set("UCI_ShowWDL", "false");
    assert!(score(client.go("go depth 2").last()).wdl.is_none());
}

#[test]
fn another_variant_begins_at_its_start() {
    let mut client = Client::new();
    for &variant in Variant::ALL.iter().rev() {
        client.accepts("position startpos moves F");
        client.set("UCI_Variant", variant.name());
        assert_eq!(client.shows().0, Position::start(variant).to_string());
        assert!(client.go("go depth 5").best.is_some());
    }
    // The same one again changes nothing.
    client.accepts("position startpos moves F");
    let before = client.says("d");
    client.set("UCI_Variant", "awari");
    assert_eq!(client.says("d"), before);
}

/// Solved positions, and what best play gives.
fn solved() -> Vec<(Variant, &'static str, Verdict)> {
    let results = [(SOLVED, 12 / one_of(4)), (SOLVED_MARGINS, 12 / one_of(4))];
    let mut all = Vec::new();
    for (data, some) in results {
        for &variant in Variant::ALL {
            let own = lines(data).filter(|(_, words)| words[0] == variant.name()).take(some);
            all.extend(own.map(|(_, words)| {
                let verdict = match words[2].parse::<i32>().expect("a number") {
                    0 => Verdict::Draw,
                    1.. => Verdict::Win,
                    _ => Verdict::Loss,
                };
                (variant, words[1], verdict)
            }));
        }
    }
    all
}

#[test]
fn whole_chances_are_proven_and_the_others_add_up() {
    for (variant, fen, truth) in solved() {
        let mut client = playing(variant);
        client.set("UCI_ShowWDL", "true");
        client.accepts(&format!("position fen {fen}"));
        let search = client.go("go depth 40 nodes 20000");
        for info in &search.infos {
            let score = score(info);
            let wdl = score.wdl.unwrap_or_else(|| panic!("{info}"));
            let (expected, verdict) = match score.proven {
                Some(Verdict::Win) => ([1000, 0, 0], Verdict::Win),
                Some(Verdict::Draw) => ([0, 1000, 0], Verdict::Draw),
                Some(Verdict::Loss) => ([0, 0, 1000], Verdict::Loss),
                None => {
                    assert_eq!(wdl.iter().sum::<u16>(), 1000, "{info}");
                    assert!(wdl.iter().all(|&chance| chance < 1000), "{info}");
                    assert_eq!(score.bound, Bound::Exact, "{info}");
                    continue;
                }
            };
            assert_eq!(wdl, expected, "{info}");
            assert_eq!(verdict, truth, "{variant} {fen}: {info}");
        }
    }
}

/// The node count of a repeated search shows whether the table was cleared.
#[test]
fn what_clears_the_table_leaves_nothing_in_it() {
    let nodes = |client: &mut Client| client.go("go depth 10").last().nodes.expect("a number");
    let mut client = Client::with_flags(&["--variant", "oware"]);
    let fresh = nodes(&mut client);
    assert!(nodes(&mut client) < fresh / 2, "a table that remembers nothing shows nothing");
    for line in ["setoption name Clear Hash", "ucinewgame", "setoption name Hash value 8"] {
        client.says(line);
        if line.contains("value 8") {
            client.says("setoption name Hash value 16");
        }
        assert_eq!(nodes(&mut client), fresh, "{line}");
        assert!(nodes(&mut client) < fresh / 2, "{line}");
    }
}

#[test]
fn how_full_the_table_is_goes_from_nothing_to_all() {
    let mut client = Client::with_flags(&["--variant", "oware", "--hash", "1"]);
    let first = client.go("go depth 3").last().hashfull;
    assert_eq!(first, Some(0));
    let full = client.go("go nodes 1500000").last().hashfull.expect("a number");
    assert!((900..=1000).contains(&full), "{full} thousandths after 1,500,000 nodes in 1 MiB");
    client.says("setoption name Clear Hash");
    assert_eq!(client.go("go depth 3").last().hashfull, Some(0));
}

/// The first moves of a game do not wait for the system to find the memory of the table.
#[test]
fn the_memory_of_the_table_is_there_when_the_engine_is_ready() {
    const MEBIBYTES: u64 = 96;
    let true = has("proc") else { return };
    let mut client = Client::with_flags(&["--variant", "oware"]);
    let resident = |client: &Client| client.memory("VmRSS").expect("the system counts it") >> 20;
    client.sync();
    let before = resident(&client);
    for after in ["setoption name Hash value 96", "ucinewgame"] {
        client.accepts(after);
        client.sync();
        let grown = resident(&client).saturating_sub(before);
        assert!(grown > MEBIBYTES / 2, "{grown} MiB after {after}");
    }
}
