//! Each command, lines that are no command, and line endings.

use super::{START, text};
use kroo::game::{Variant, fair_starts};
use kroo::protocol::options::OPTIONS;
use kroo::protocol::{COMMANDS, GameResult, Reply};
use support::client::Client;

#[test]
fn the_engine_introduces_itself() {
    let mut client = Client::new();
    client.send("uci");
    let said = client.expect("uciok");
    let [Reply::IdName(name), Reply::IdAuthor(author), options @ .., Reply::UciOk] = &said[..] else {
        panic!("{said:?}")
    };
    assert!(name.starts_with("Kroo ") && !author.is_empty());
    let declared: Vec<Reply> = OPTIONS.iter().map(|spec| Reply::Option(spec.line())).collect();
    assert_eq!(options, declared);
    let names: Vec<&str> = OPTIONS.iter().map(|spec| spec.name).collect();
    for name in ["Hash", "Clear Hash", "Threads", "MultiPV", "Ponder", "Move Overhead"] {
        assert!(names.contains(&name), "{name}");
    }
    let combo = "option name UCI_Variant type combo default awari var awari var awari1978 var ayoayo var oware var kalah \
                 var kalah3 var kalah5 var kalah6 var avalanche";
    assert!(text(&said).contains(&combo.to_owned()), "{said:?}");
    assert!(text(&said).contains(&"option name UCI_ShowWDL type check default false".to_owned()));
}

/// A command that is added to the table has to be added here.
#[test]
fn every_command_is_answered() {
    for (usage, _) in COMMANDS {
        let mut client = Client::new();
        let head: Vec<&str> = usage.split(' ').take(2).collect();
        match head[..] {
            ["uci"] => assert_eq!(client.says("uci").last(), Some(&Reply::UciOk)),
            ["ugi"] => assert_eq!(client.says("ugi").last(), Some(&Reply::UgiOk)),
            ["query", _] => assert_eq!(text(&client.says("query p1turn")), ["response true"]),
            ["debug", _] => {
                client.accepts("debug on");
                client.accepts("debug off");
            }
            ["isready"] => assert!(client.sync().is_empty()),
            ["setoption", _] => {
                client.accepts("setoption name Hash value 1");
                client.accepts("setoption name Clear Hash");
            }
            ["ucinewgame", _] => {
                client.accepts("ucinewgame");
                client.accepts("uginewgame");
            }
            ["position", _] => {
                client.accepts("position startpos moves F");
                assert_eq!(client.shows().0, "4-4-4-4-4-0-5-5-5-5-4-4-0-0-N");
            }
            ["go", "perft"] | ["perft", _] => {
                client.send(&usage.replace('N', "2"));
                let said = client.expect("Nodes searched: 36");
                assert_eq!(text(&said)[..6], ["A: 6", "B: 6", "C: 6", "D: 6", "E: 6", "F: 6"]);
            }
            ["go", _] => assert!(client.go("go depth 3").best.is_some()),
            ["stop"] => {
                client.send("go infinite");
                client.send("stop");
                assert!(client.best_move().best.is_some());
            }
            ["ponderhit"] => {
                client.send("go ponder depth 2");
                client.send("ponderhit");
                assert!(client.best_move().best.is_some());
            }
            ["d"] => assert_eq!(client.shows(), (START.to_owned(), GameResult::Ongoing)),
            ["eval"] => {
                let said = text(&client.says("eval")).join("\n");
                assert!(said.contains("stores") && said.contains("South"), "{said}");
            }
            ["bench", _] => {
                client.send("bench 2");
                let said = client.expect("Nodes searched: ");
                let benched = |variant: &&Variant| variant.about().network.is_some();
                assert!(Variant::ALL.iter().filter(benched).all(|variant| {
                    said.iter().any(|reply| reply.to_string().starts_with(variant.name()))
                }));
            }
            ["endgame", ..] => {
                assert!(client.refuses("endgame").contains("48 seeds"));
                let said = text(&client.says("endgame fen 0-2-0-0-1-2-1-1-0-0-2-1-19-19-S")).join("\n");
                assert!(said.contains("South   win") && said.contains("F       win"), "{said}");
            }
            ["sow", _] => {
                let said = text(&client.says("sow Ff"));
                let wanted = ["Move: F", "Lap: F abcd", "Fen: 4-4-4-4-4-0-5-5-5-5-4-4-0-0-N", "Move: f"];
                assert_eq!(said[..4], wanted);
                assert_eq!(said[6..], ["Moves: ABCDE", "Result: *"]);
                assert_eq!(client.shows(), (START.to_owned(), GameResult::Ongoing));
            }
            ["review", ..] => {
                assert!(client.refuses("review").contains("the game has no such moves"));
                client.send("position startpos moves FfE");
                let moves = |said: &[String]| -> Vec<String> {
                    let plies = said.iter().filter_map(|line| line.strip_prefix("review ply ")?.get(..8));
                    plies.map(str::to_owned).collect()
                };
                client.send("review from 2 nodes 500");
                assert_eq!(moves(&text(&client.expect("reviewok"))), ["2 move f", "3 move E"]);
                assert!(client.refuses("review from 4").contains("the game has no such moves"));
                client.send("review nodes 500");
                let said = text(&client.expect("reviewok"));
                assert_eq!(moves(&said), ["1 move F", "2 move f", "3 move E"]);
                // A move that had others next to it has a loss.
                let is_loss = |line: &&String| line.starts_with("review ply") && line.contains(" loss ");
                assert_eq!(said.iter().filter(is_loss).count(), 3);
                client.send("review south from 2 nodes 500");
                assert_eq!(moves(&text(&client.expect("reviewok"))), ["3 move E"]);
                let counts: Vec<&String> = said.iter().filter(|line| line.contains(" known ")).collect();
                assert!(
                    counts[0].starts_with("review south ?! ") && counts[1].starts_with("review north ?! ")
                );
            }
            ["solve", ..] => {
                client.set("UCI_Variant", "kalah");
                client.send("position fen 0-0-0-0-1-1-0-0-0-0-1-1-22-22-S");
                client.send("solve moves");
                let said = text(&client.expect("solveok"));
                assert_eq!(
                    said[..2],
                    ["solve move F proven atleast 0 atmost 0", "solve move E proven atleast -2 atmost -2"]
                );
                assert!(said[2].starts_with("solve position proven atleast 0 atmost 0 nodes "), "{said:?}");
                assert!(said[2].contains(" pv F"), "{said:?}");
                client.send("position fen 0-0-0-0-0-0-0-0-0-0-0-0-20-28-S");
                client.send("solve bound win nodes 5 movetime 5");
                let said = text(&client.expect("solveok"));
                assert_eq!(said[0], "solve position proven atleast -8 atmost -8 nodes 0 time 0");
                assert!(client.refuses("solve bound value").contains("`win` or `draw`"));
                assert!(client.refuses("solve moves moves").contains("only once"));
                assert!(client.refuses("solve depth 3").contains("`moves`, `bound`, `nodes` or `movetime`"));
            }
            ["rules"] => {
                let said = text(&client.says("rules")).join("\n");
                let about = Variant::Awari.about();
                assert!(said.contains(about.sowing) && said.contains(about.ending), "{said}");
            }
            ["fairstarts"] => {
                assert_eq!(text(&client.says("fairstarts")), ["Fair starts: 0"]);
                // An optional rule is another game; the position stays.
                for game in ["awari1978", "kalah", "kalah3-emptycapture-opponent"] {
                    client.set("UCI_Variant", game);
                    let start = client.shows();
                    let starts = fair_starts(game.parse().expect("a game"));
                    let fens = starts.iter().map(|start| format!("Fen: {start}"));
                    let wanted: Vec<String> =
                        fens.chain([format!("Fair starts: {}", starts.len())]).collect();
                    assert_eq!(text(&client.says("fairstarts")), wanted, "{game}");
                    assert_eq!(client.shows(), start, "{game}");
                }
            }
            ["help"] => {
                let said = text(&client.says("help")).join("\n");
                for (usage, what) in COMMANDS {
                    assert!(said.contains(usage) && said.contains(what), "{usage}");
                }
            }
            ["quit"] => {}
            _ => panic!("`{usage}` is not tested"),
        }
    }
}
