//! The habits of the programs that drive such engines.

use kroo::game::{Game, Position, Side, Variant};
use kroo::protocol::{Reply, Response};
use support::client::Client;

/// The lines of the oware programs' GUI: an option that may not exist, roots at the last capture, a depth with
/// a time, and pondering that always ends in `stop`.
#[test]
fn the_gui_is_served() {
    let mut client = Client::with_flags(&["--variant", "oware"]);
    client.send("uci");
    client.expect("uciok");
    client.refuses("setoption name OwnBook value true");
    client.accepts("ucinewgame");
    let mut game = Game::new(Position::start(Variant::Oware));
    let mut root = (game.position().to_string(), String::new());
    // A repetition ends every game, but at depth 2 the engine does not hurry.
    for ply in 0..5000 {
        client.accepts(&format!("position fen {} moves {}", root.0, root.1));
        if ply % 3 == 2 {
            client.send("go ponder");
            client.send("stop");
            client.best_move();
        }
        let search = client.go("go depth 2 movetime 600");
        let Some(mv) = search.best else { break };
        let before = game.position().board().seeds();
        game.play(mv).expect("the engine plays by the rules");
        root.1.push(mv.letter());
        if game.position().board().seeds() != before {
            root = (game.position().to_string(), String::new());
        }
    }
    assert!(game.position().verdict().is_some(), "{}", game.position());
    client.accepts("stop");
    client.refuses("setoption name OwnBook value false");
    client.accepts("ucinewgame");
    client.accepts("position startpos moves FfEc");
    assert!(client.go("go depth 16 movetime 600").best.is_some());
}

/// A manager that knows no rules asks the engine whose turn it is and whether the game is over, and reads lines of two words.
#[test]
fn a_manager_without_rules_is_served_in_every_rule_set() {
    for &variant in Variant::ALL {
        let mut client = Client::with_flags(&["--variant", variant.name(), "--endgameseeds", "0"]);
        assert_eq!(client.says("ugi").last(), Some(&Reply::UgiOk));
        client.refuses("setoption name debug value false");
        client.accepts("setoption name threads value 1");
        client.accepts("uginewgame");
        let mut game = Game::new(Position::start(variant));
        while game.position().verdict().is_none() && game.moves().len() < 60 {
            let moves: String = game.moves().iter().map(|mv| format!(" {mv}")).collect();
            let moves = if moves.is_empty() { moves } else { format!(" moves{moves}") };
            client.accepts(&format!("position startpos{moves}"));
            let is_first = game.position().side() == Side::South;
            assert_eq!(client.says("query p1turn"), [Reply::Response(Response::Truth(is_first))]);
            assert_eq!(client.says("query gameover"), [Reply::Response(Response::Truth(false))]);
            let search = client.go("go p1time 60000 p2time 60000 p1inc 0 p2inc 0 depth 2");
            assert_eq!(search.ponder, None, "{variant}: managers read two words");
            game.play(search.best.expect("the game goes on")).expect("a legal move");
        }
        assert_eq!(client.says("query result").len(), 1);
        client.send("uci");
        client.expect("uciok");
        client.accepts("position startpos");
        assert!(client.go("go depth 6").ponder.is_some(), "{variant}");
    }
}

/// Such a manager has no other arbiter, so a game that cycles for ever ends for it at `MoveLimit`, by the stores.
#[test]
fn a_manager_without_rules_learns_of_the_move_limit() {
    let mut client = Client::with_flags(&["--variant", "awari", "--endgameseeds", "0"]);
    assert_eq!(client.says("ugi").last(), Some(&Reply::UgiOk));
    // Two seeds follow each other around the board.
    let moves = "AaBbCcDdEeFf".repeat(21);
    let answers = |client: &mut Client, stores: &str, plies: usize| {
        let start = format!("1-0-0-0-0-0-1-0-0-0-0-0-{stores}-S");
        client.accepts(&format!("position fen {start} moves {}", &moves[..plies]));
        let said = ["query gameover", "query result"].map(|query| client.says(query));
        said.concat().iter().map(Reply::to_string).collect::<Vec<_>>()
    };
    assert_eq!(answers(&mut client, "24-22", 249), ["response false", "response none"]);
    assert_eq!(answers(&mut client, "23-23", 250), ["response true", "response draw"]);
    assert_eq!(answers(&mut client, "24-22", 250), ["response true", "response p1win"]);
    assert_eq!(answers(&mut client, "24-22", 251), ["response true", "response p1win"]);
    assert_eq!(answers(&mut client, "22-24", 250), ["response true", "response p2win"]);
    client.accepts("setoption name MoveLimit value 0");
    assert_eq!(answers(&mut client, "22-24", 252), ["response false", "response none"]);
}

/// The lines of the other engine's match runner: an option of its own, and pondering to the end of the game.
#[test]
fn the_match_runner_is_served() {
    let mut client = Client::with_flags(&["--variant", "oware"]);
    client.accepts("debug off");
    client.refuses("setoption name EngineTurn value south");
    client.accepts("position startpos");
    assert!(client.go("go movetime 100 depth 127").letter().is_uppercase());
    client.accepts("position startpos moves F");
    client.send("go ponder");
    client.expect("info depth 1 ");
    client.send("stop");
    assert!(client.best_move().letter().is_lowercase());
    client.accepts("position fen 0-0-0-0-0-0-0-0-0-1-1-0-26-20-S moves");
    client.send("go ponder");
    client.send("stop");
    assert_eq!(client.best_move().letter(), '0');
    assert_eq!(client.go("go movetime 100 depth 127").letter(), '0');
}

/// Some systems write a byte order mark before the first line. A program that checks lines for another one need not know of it.
#[test]
fn a_byte_order_mark_is_skipped_before_the_first_line_only() {
    let mut client = Client::new();
    client.send("\u{feff}isready");
    client.expect("readyok");
    client.send("\u{feff}setoption name EvalFile value /etc/passwd");
    client.send("isready");
    let said = format!("{:?}", client.expect("readyok"));
    assert!(said.contains("column 1: expected") && !said.contains("EvalFile:"), "{said}");
}
