//! The verdict of a match is a function of its plan and its finished games: it does not matter in which order they arrive, how
//! often the match was interrupted, whether it was played in parts, and whether its games come from a run, a journal or a file.

use crate::plans::plan;
use kroo::game::{Variant, shuffle, split_mix};
use kroo_referee::cli::exit;
use kroo_referee::engine::Stop;
use kroo_referee::game::{AdjudicationRules, Outcome, PlayedGame, SearchInfo, Termination};
use kroo_referee::ledger::record::{GameRecord, Journal, JournalHeader};
use kroo_referee::ledger::results::{GameFiles, Results, Summary};
use kroo_referee::ledger::{Journals, MatchObserver};
use kroo_referee::output::game_text;
use kroo_referee::plan::{MatchPlan, Tolerance};
use kroo_referee::run::{Context, Shown, WorkerEvent, run};
use kroo_referee::schedule::{Next, Openings, ScheduledGame, Shard};
use kroo_referee::statistics::{EloModel, Sprt};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, UNIX_EPOCH};

/// Random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        split_mix(&mut self.0) % most
    }
}

/// A small event of any kind.
fn random_plan(random: &mut Random) -> MatchPlan {
    let names = ["a", "b", "c", "d", "e", "f"];
    let engines = 2 + random.below(5) as usize;
    let events = [json!("round_robin"), json!({"gauntlet": {"seeds": 1}}), json!("swiss"), json!("knockout")];
    let event = &events[random.below(4) as usize];
    let mut plan = plan(&names[..engines], event);
    (plan.variant, plan.seed) = (Variant::Kalah, random.below(1000));
    (plan.rounds, plan.pairs) = (1 + random.below(5), 1 + random.below(2));
    plan.adjudication = AdjudicationRules::limited(5 + random.below(8) as usize);
    plan.tolerance = Tolerance { max_faults: None, lenient: false };
    if engines == 2 && !plan.event.needs_results() {
        let model = [EloModel::Normalized, EloModel::Logistic][random.below(2) as usize];
        let elo1 = 100.0 + random.below(101) as f64;
        plan.sprt = Some(Sprt { elo0: 0.0, elo1, alpha: 0.2, beta: 0.2, model });
        plan.rounds = 5 + random.below(40);
    }
    plan.check().unwrap();
    plan
}

/// The openings of a plan: those of few lines bring pairs that repeat others.
fn openings(plan: &MatchPlan) -> Openings {
    Openings::random(plan.variant, [0, 1, 3][plan.seed as usize % 3], plan.seed).unwrap()
}

/// A game of random moves, which follow from its number. Some engines crash.
fn played(plan: &MatchPlan, scheduled: ScheduledGame) -> GameRecord {
    let number = scheduled.number;
    let few = plan.seed.is_multiple_of(2);
    let mut random = Random(plan.seed ^ if few { number % 7 } else { number } << 20);
    let mut played = PlayedGame::not_started(&scheduled.opening, [None, None]);
    let crash = random.below(40);
    loop {
        let (position, moves) = (*played.game.position(), played.search_info.len());
        if let Some(outcome) = Outcome::by_rules(&position) {
            (played.outcome, played.termination) = (outcome, Termination::Rules);
        } else if played.game.moves().len() == plan.adjudication.max_moves {
            let outcome = Outcome::by_stores(played.stores());
            (played.outcome, played.termination) = (outcome, Termination::MoveLimit);
        } else if crash == moves as u64 {
            let outcome = Outcome::Win(position.side().other());
            (played.outcome, played.termination) = (outcome, Termination::Crash);
            played.faults[position.side().index()] = true;
        } else {
            let legal = position.moves();
            played.game.play(legal[random.below(legal.len() as u64) as usize]).unwrap();
            played
                .search_info
                .push(SearchInfo { time: Duration::from_millis(number), ..SearchInfo::default() });
            continue;
        }
        break;
    }
    played.id_names = scheduled.players.map(|engine| Some(format!("engine {engine}")));
    played.replays = (number % 3) as u32;
    played.detail =
        if played.termination == Termination::Crash { "crashed".to_owned() } else { String::new() };
    let date = UNIX_EPOCH + Duration::from_secs(86_400 * number);
    GameRecord { scheduled, date, played, worker: None }
}

/// What is to be the same: the results as JSON, the exit status, and the game file.
#[derive(Debug, PartialEq)]
struct View {
    results: Value,
    status: u8,
    games: String,
}

impl View {
    fn of(summary: &Summary, games: String) -> View {
        View { results: serde_json::to_value(summary).unwrap(), status: exit::of_match(true, summary), games }
    }
}

/// Writes the game file.
struct Writer<'a>(&'a MatchPlan, String);

impl MatchObserver for Writer<'_> {
    fn in_order(&mut self, record: &GameRecord, tally: &Arc<Results>) {
        self.1.push_str(&game_text(record, self.0, Some(tally)));
    }

    fn behind_gap(&mut self, record: &GameRecord) {
        self.1.push_str(&game_text(record, self.0, None));
    }
}

/// An interrupted match has all finished games in its file, whether they count or not.
fn assert_holds(view: &View, finished: u64) {
    let games = view.games.matches("[Variant ").count() as u64;
    let [counted, uncounted] = ["games", "uncounted"].map(|key| view.results[key].as_u64().unwrap());
    assert_eq!(games, counted + uncounted, "games of the file");
    if view.results["interrupted"] == true {
        assert_eq!(games, finished, "finished games");
    }
}

/// Plays on, with some games at once that end in random order. It is interrupted after `most` games.
fn play_on(plan: &MatchPlan, journal: Option<&Path>, random: &mut Random, at_once: usize, most: u64) -> View {
    let supply = openings(plan);
    let header = JournalHeader::new(plan, supply.digest());
    let before = journal.map_or(0, games_of);
    let journal = journal.map(|path| Journal::resume(path, &header).unwrap());
    let (stop, mut writer) = (Stop::new().unwrap(), Writer(plan, String::new()));
    let sent = AtomicU64::new(0);
    let play = |context: &Context<'_>| {
        let (mut open, mut left) = (Vec::new(), most);
        while !context.stop.is_set() {
            while open.len() < at_once {
                match context.scheduler.try_next() {
                    Next::Play(game) => open.push(game),
                    Next::End if open.is_empty() => return,
                    _ => break,
                }
            }
            if open.is_empty() {
                // The last results have not been counted yet.
                thread::yield_now();
                continue;
            }
            if left == 0 {
                return context.stop.set();
            }
            left -= 1;
            sent.fetch_add(1, Ordering::SeqCst);
            let game = open.swap_remove(random.below(open.len() as u64) as usize);
            context.tell(WorkerEvent::Finished(Box::new(played(plan, game))));
        }
    };
    let summary = run(plan, supply, journal, &stop, &Shown::default(), &mut writer, play).unwrap();
    let view = View::of(&summary, writer.1);
    assert_holds(&view, before + sent.into_inner());
    view
}

/// How many games a journal has.
fn games_of(journal: &Path) -> u64 {
    fs::read_to_string(journal).map_or(0, |text| text.lines().skip(1).count() as u64)
}

/// The games of journals.
fn joined(journals: &[PathBuf]) -> View {
    let journals = Journals::open(journals).unwrap();
    let plan = journals.plan.clone();
    assert_eq!(journals.missing.is_empty(), !journals.summary.interrupted, "{:?}", journals.missing);
    let first = serde_json::to_value(&journals.summary).unwrap();
    let mut writer = Writer(&plan, String::new());
    let view = View::of(&journals.replay(&mut writer).unwrap(), writer.1);
    assert_eq!(first, view.results, "counted as it is shown");
    view
}

/// The same journal with its games in another order.
fn shuffled(journal: &Path, random: &mut Random) -> PathBuf {
    let text = fs::read_to_string(journal).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    shuffle(&mut lines[1..], &mut random.0);
    let path = journal.with_extension("shuffled");
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    path
}

/// What a game file can show must be what the match has shown.
fn assert_file_shows(view: &View, plan: &MatchPlan, folder: &Path) {
    let path = folder.join("games.ogn");
    fs::write(&path, &view.games).unwrap();
    let (files, tally) = GameFiles::count(&[path], plan.sprt).unwrap();
    let found = serde_json::to_value(Summary::new(&files, &tally, false)).unwrap();
    for key in [
        "games",
        "uncounted",
        "distinct_games",
        "repeated_pairs",
        "terminations",
        "faults",
        "winner",
        "sprt",
        "broken",
    ] {
        assert_eq!(found[key], view.results[key], "{key}");
    }
    assert_eq!(found["head_to_head"], view.results["head_to_head"]);
    let engines = |value: &Value| -> Vec<Value> {
        let keys = ["rank", "games", "wins", "draws", "points", "bye_games", "average_margin", "rating"];
        let of = |engine: &Value| keys.iter().map(|&key| engine[key].clone()).collect();
        value["engines"].as_array().unwrap().iter().map(of).collect()
    };
    if view.results["games"] != 0 {
        assert_eq!(engines(&found), engines(&view.results));
    }
}

/// One plan, played in every way.
fn assert_function_of_games(seed: u64) {
    let mut random = Random(seed);
    let plan = random_plan(&mut random);
    let folder = support::folder_in_memory();
    let whole = play_on(&plan, None, &mut Random(0), 1, u64::MAX);
    assert_eq!(whole.results["interrupted"], false);
    assert_file_shows(&whole, &plan, folder.path());

    // Interrupted, without a journal.
    let most = 1 + random.below(40);
    let cut = play_on(&plan, None, &mut random, 8, most);
    assert_file_shows(&cut, &plan, folder.path());

    // With interruptions, and games behind gaps.
    let journal = folder.path().join("journal");
    let mut played = View { results: json!({"interrupted": true}), status: 1, games: String::new() };
    for _ in 0..200 {
        let (at_once, most) = (1 + random.below(8) as usize, 3 + random.below(30));
        played = play_on(&plan, Some(&journal), &mut random, at_once, most);
        assert_eq!(joined(std::slice::from_ref(&journal)), played, "the journal of an interrupted match");
        assert_eq!(joined(&[shuffled(&journal, &mut random)]), played, "in another order");
        assert_file_shows(&played, &plan, folder.path());
        if played.results["interrupted"] == false {
            break;
        }
    }
    assert_eq!(played, whole, "with interruptions");
    let again = play_on(&plan, Some(&journal), &mut random, 3, u64::MAX);
    assert_eq!(again, whole, "resumed after its end");

    if plan.event.needs_results() {
        return;
    }
    let of = 2 + random.below(2);
    let part = |part: u64, random: &mut Random| {
        let plan = MatchPlan { shard: Shard { part, of }, ..plan.clone() };
        let journal = folder.path().join(format!("part-{part}"));
        play_on(&plan, Some(&journal), random, 4, 7);
        play_on(&plan, Some(&journal), random, 2, u64::MAX);
        journal
    };
    let mut parts: Vec<PathBuf> = (1..=of).map(|number| part(number, &mut random)).collect();
    shuffle(&mut parts, &mut random.0);
    assert_eq!(joined(&parts), whole, "in {of} parts");
}

#[test]
fn a_verdict_is_a_function_of_the_plan_and_the_games() {
    let fails = |&seed: &u64| std::panic::catch_unwind(|| assert_function_of_games(seed)).is_err();
    let failed: Vec<u64> = (1..=50).filter(fails).collect();
    assert!(failed.is_empty(), "with the seeds {failed:?}");
}
