//! What a `go` becomes: the limits of its search.

use kroo::plan::{Answer, Plan, Resources};
use kroo::protocol::{Command, GoCommand, Settings, parse_game};
use kroo::search::{Purpose, Request, TimeLimits};
use std::time::Duration;

/// The plan of a `go` after moves from the start of `awari`.
fn plan(go: &str, moves: &str, settings: &Settings) -> Plan {
    let text = if moves.is_empty() { "startpos".to_owned() } else { format!("startpos moves {moves}") };
    let game = parse_game(settings.variant, &text).expect("a game");
    let parsed = Command::parse(&format!("go {go}")).expect("a command");
    let Some(Command::Go(GoCommand::Search(limits))) = parsed else { panic!("no search") };
    let resources = Resources::open(settings).expect("no files");
    Plan::of(&limits, &game, settings, &resources).expect("a plan")
}

fn request(go: &str) -> Request {
    match plan(go, "", &Settings::default()).answer {
        Answer::Search(request) => *request,
        Answer::GameOver(_) => panic!("the game is not over"),
    }
}

/// The limits of `go`, the moves before it and the move limit, against the milliseconds left, the increment and the moves to the
/// next control.
#[test]
fn the_clock_of_the_side_to_move_counts() {
    for (go, moves, limit, left, increment, moves_to_go) in [
        ("wtime 5000 btime 7000 winc 30 binc 40", "", 0, 5000, 30, None),
        ("wtime 5000 btime 7000 winc 30 binc 40", "C", 0, 7000, 40, None),
        ("wtime 5000 btime 7000 winc 30", "C", 0, 7000, 0, None),
        ("wtime -50 btime 7000", "", 0, 0, 0, None),
        ("wtime 5000 movestogo 9", "", 0, 5000, 0, Some(9)),
        // Some programs send it where there is no next control.
        ("wtime 5000 movestogo 0", "", 0, 5000, 0, None),
        // Of the plies left the side to move has one more half.
        ("wtime 5000", "", 9, 5000, 0, Some(5)),
        ("btime 5000", "C", 9, 5000, 0, Some(4)),
        ("wtime 5000 movestogo 3", "", 9, 5000, 0, Some(3)),
        ("wtime 5000 movestogo 30", "", 9, 5000, 0, Some(5)),
        ("wtime 5000 movestogo 0", "", 9, 5000, 0, Some(5)),
    ] {
        let settings = Settings { move_limit: limit, ..Settings::default() };
        let found = plan(go, moves, &settings).time.expect("a time");
        let ms = Duration::from_millis;
        let expected = TimeLimits {
            movetime: None,
            left: Some(ms(left)),
            increment: ms(increment),
            moves_to_go,
            overhead: ms(settings.move_overhead_ms),
        };
        assert_eq!(found, expected, "go {go}, moves {moves}, limit {limit}");
    }
}

/// The words of `go`, against the depth, the purpose, and whether it waits, ponders and ends by itself.
#[test]
fn the_words_of_go_say_what_the_search_is_for() {
    let most = request("infinite").depth;
    for (go, depth, purpose, held, ponders, bounded) in [
        ("depth 7", 7, Purpose::Move, false, false, true),
        ("nodes 7", most, Purpose::Move, false, false, true),
        ("movetime 7", most, Purpose::Move, false, false, true),
        ("wtime 7", most, Purpose::Move, false, false, true),
        // The other side's clock limits nothing.
        ("btime 7", most, Purpose::Move, false, false, false),
        ("", most, Purpose::Analysis, false, false, false),
        ("infinite", most, Purpose::Analysis, true, false, false),
        ("infinite depth 7", 7, Purpose::Move, true, false, false),
        // A move is awaited after it, whatever it is searched for now.
        ("ponder", most, Purpose::Move, true, true, false),
        ("ponder wtime 7 btime 7", most, Purpose::Move, true, true, false),
        // A win in N moves of the winner may take the plies of both sides.
        ("mate 3", 6, Purpose::FirstWin, false, false, true),
        ("mate 3 depth 4", 4, Purpose::FirstWin, false, false, true),
        ("mate 3 depth 40", 6, Purpose::FirstWin, false, false, true),
        ("mate 4294967295", most, Purpose::FirstWin, false, false, true),
    ] {
        let found = plan(go, "", &Settings::default());
        let request = request(go);
        let told = (request.depth, request.purpose, found.held, found.ponders, found.bounded);
        assert_eq!(told, (depth, purpose, held, ponders, bounded), "go {go}");
        assert_eq!(found.time.is_none(), go.contains("infinite"), "go {go}");
    }
    assert_eq!((request("nodes 7").nodes, request("depth 7").nodes), (7, u64::MAX));
}

/// Numbers of any length are taken as the nearest in range.
#[test]
fn a_number_of_any_length_is_clamped() {
    for digits in [20, 39, 40, 200] {
        let long = "9".repeat(digits);
        let request = request(&format!("nodes {long} depth {long}"));
        assert_eq!(request.nodes, u64::MAX, "{digits} digits");
        let left = plan(&format!("wtime {long}"), "", &Settings::default()).time.expect("a time").left;
        assert!(left > Some(Duration::from_secs(1_000_000)), "{digits} digits: {left:?}");
        let left = plan(&format!("wtime -{long}"), "", &Settings::default()).time.expect("a time").left;
        assert_eq!(left, Some(Duration::ZERO), "{digits} digits");
    }
}
