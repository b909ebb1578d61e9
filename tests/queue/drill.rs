//! The drill: four workers, and a process that kills, suspends and cuts off all parts at random. Every pair is there exactly
//! once, and the journal and the verdict are those of the quiet run.
//!
//! `KROO_DRILL_ROUNDS=1000` sets the number of rounds (pairs of games), `KROO_DRILL_SEED` the random seed.

use crate::stage::{Stage, Started};
use kroo::game::split_mix;
use std::collections::VecDeque;
use std::io::Write;
use std::thread::sleep;
use std::time::{Duration, Instant};
use support::scene::{signal, words};

const ROUNDS: u64 = 60;
const WORKERS: usize = 4;
/// The longest drill.
const LIMIT: Duration = Duration::from_secs(1_800);

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |text| text.parse().unwrap())
}

#[test]
fn nothing_that_can_be_killed_changes_a_game() {
    let Some(mut stage) = Stage::with_networks(WORKERS) else { return };
    let (rounds, seed) = (number("KROO_DRILL_ROUNDS", ROUNDS), number("KROO_DRILL_SEED", 1));
    let engines = ["unhurried", "unhurried-last"].map(|kind| stage.scene.engine(kind, &["depth=1"])).concat();
    let quiet = format!(
        "--rounds {rounds} --max-moves 60 --random-plies 5 --seed 3 --sprt elo0=-1 elo1=1 alpha=0.001 beta=0.001"
    );
    let alone = stage.alone("alone", &[engines.clone(), words(&quiet)]);
    let arguments = [engines, words(&format!("{quiet} --lease 1 --resume"))];
    let mut coordinator = stage.coordinator("queue", &arguments);
    // With the network that each is in.
    let mut workers: VecDeque<(usize, Started)> =
        (0..WORKERS).map(|place| (place, stage.worker_in(place, ""))).collect();
    let (began, mut state, mut faults) = (Instant::now(), seed, [0; 7]);
    let kinds = faults.len() as u64 - u64::from(stage.network.is_none());
    let status = loop {
        sleep(Duration::from_millis(200 + split_mix(&mut state) % 400));
        if let Some(status) = coordinator.child.try_wait().unwrap() {
            // A worker without a broker reports it and ends; its launcher starts it again.
            if status.code() == Some(1) && coordinator.errors().contains("the broker cannot be reached") {
                stage.ask("DEL kroo:{test}:lock").unwrap();
                coordinator = stage.coordinator("queue", &arguments);
                continue;
            }
            break status.code().unwrap();
        }
        assert!(began.elapsed() < LIMIT, "{} games, {}", stage.games("queue"), coordinator.errors());
        let fault = (split_mix(&mut state) % kinds) as usize;
        faults[fault] += 1;
        match fault {
            0 => {
                let (place, mut killed) = workers.pop_front().unwrap();
                killed.kill();
                workers.push_back((place, stage.worker_in(place, "")));
            }
            1 => {
                // Longer than the lease: its batch is another's when it wakes up.
                let (place, sleeper) = workers.pop_front().unwrap();
                signal(&sleeper.child, "STOP");
                sleep(Duration::from_millis(1_500));
                signal(&sleeper.child, "CONT");
                workers.push_back((place, sleeper));
            }
            2 => {
                let (place, mut leaving) = workers.pop_front().unwrap();
                // It may have ended just now.
                if leaving.child.try_wait().unwrap().is_none() {
                    signal(&leaving.child, "TERM");
                }
                leaving.wait();
                workers.push_back((place, stage.worker_in(place, "--on-signal finish")));
            }
            3 => stage.cut_connections(),
            4 => {
                coordinator.kill();
                stage.ask("DEL kroo:{test}:lock").unwrap();
                coordinator = stage.coordinator("queue", &arguments);
            }
            5 => {
                stage.kill_broker();
                sleep(Duration::from_millis(100));
                stage.start_broker();
            }
            _ => {
                // Longer than the lease, and without a signal.
                let (place, network) = (workers[0].0, stage.network.as_ref().unwrap());
                network.cut(place);
                sleep(Duration::from_millis(1_500));
                network.mend(place);
                workers.rotate_left(1);
            }
        }
    };
    assert_eq!(status, alone.status.code().unwrap(), "{}", coordinator.errors());
    stage.assert_same("queue", "alone");
    let [killed, suspended, left, cut, coordinators, brokers, networks] = faults;
    let told = format!(
        "\ndrill: {} games in {:.0} s; workers killed {killed}, suspended {suspended}, left {left}; connections cut {cut}; networks cut {networks}; \
         coordinators killed {coordinators}; brokers killed {brokers}; the journal and the exit status ({status}) are those of \
         the quiet run\n",
        stage.games("queue"),
        began.elapsed().as_secs_f64()
    );
    std::io::stderr().write_all(told.as_bytes()).unwrap();
}
