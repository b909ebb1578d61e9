//! Plans and records of games, made without a match.

use kroo::game::{Game, Position, Variant};
use kroo_referee::game::{Outcome, PlayedGame, Termination};
use kroo_referee::ledger::record::GameRecord;
use kroo_referee::plan::{Contestant, MatchPlan};
use kroo_referee::schedule::{Opening, Pairing, ScheduledGame};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::SystemTime;

/// A plan of an event, one pair a round, of games of `awari`.
pub fn plan(names: &[&str], event: &Value) -> MatchPlan {
    let engine = |name: &&str| -> Contestant {
        let second = json!({"secs": 1, "nanos": 0});
        let limits = json!({"clock": null, "move_time": second, "nodes": null, "depth": null, "margin": second,
            "watchdog": second, "ponder": false});
        let engine = json!({"name": name, "command": "x", "args": [], "dir": null, "options": [], "startup": second,
            "restart": false});
        serde_json::from_value(json!({"engine": engine, "limits": limits})).expect("a contestant")
    };
    serde_json::from_value(json!({
        "contestants": names.iter().map(engine).collect::<Vec<_>>(), "variant": "awari", "event": event,
        "rounds": 1000, "pairs": 1, "seed": 1, "openings": "none", "sprt": null, "shard": {"part": 1, "of": 1},
        "adjudication": {"max_moves": 250, "at_limit": "stores", "repetition": null, "resign": null, "draw": null},
    }))
    .expect("a plan")
}

/// A game of South and North that neither has started. Two games are a pair, and a pair is a round; the engine that is first
/// in the plan is the first of the pairing.
pub fn record(number: u64, players: [usize; 2], opening: &Opening) -> GameRecord {
    let pair = (number - 1) / 2;
    let [first, second] = [players[0].min(players[1]), players[0].max(players[1])];
    let pairing = Pairing { round: pair + 1, first, second };
    let scheduled = ScheduledGame {
        number,
        pair,
        pairing,
        players,
        opening: Arc::new(opening.clone()),
        settings: None,
        bye: None,
    };
    let played = PlayedGame::not_started(opening, [None, None]);
    GameRecord { scheduled, date: SystemTime::now(), played, worker: None }
}

/// A game that ends with these stores; the other seeds are in pits. Games with different stores differ.
pub fn game(number: u64, players: [usize; 2], outcome: Outcome, stores: [u8; 2]) -> GameRecord {
    let [south, north] = stores;
    let text = format!("{}-0-0-0-0-0-1-0-0-0-0-0-{south}-{north}-S", 47 - south - north);
    let position = Position::parse(Variant::Awari, &text).expect("a position");
    let mut record = record(number, players, &Opening::new(Game::new(position)).expect("not over"));
    (record.played.outcome, record.played.termination) = (outcome, Termination::Rules);
    record
}
