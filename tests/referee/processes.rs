//! Processes as the system lists them.

use kroo_referee::engine::proc_fs::{Scheduled, Stat, all_processes, children_of, ignores_signal};
use kroo_referee::engine::process_tree::ProcessTree;
use kroo_referee::game::is_starved;
use rustix::param::clock_ticks_per_second;
use rustix::process::{Pid, getpid, getppid};
use std::process::Command;
use std::time::Duration;

#[test]
fn a_name_with_brackets_and_blanks_hides_no_field() {
    let zeros = "0 ".repeat(15);
    let text =
        format!("77 (a) (b ) R) Z 12 77 77 0 -1 4194560 1 2 3 4 250 50 30 4 20 0 1 0 9 {zeros}17 3 0 0\n");
    let stat = Stat::parse(text.as_bytes()).expect("all fields are there");
    assert!(stat.is_dead);
    assert_eq!(stat.parent, Pid::from_raw(12));
    let ticks = [stat.processor_time, stat.children_time]
        .map(|time| time.as_secs_f64() * clock_ticks_per_second() as f64);
    assert!((ticks[0] - 300.0).abs() < 1e-6 && (ticks[1] - 34.0).abs() < 1e-6, "{ticks:?}");
    assert_eq!(Stat::parse(b"77 (a) Z 12"), None);
}

#[test]
fn what_a_thread_had_of_the_processors_is_read() {
    let read = Scheduled::parse("2500000000 40000000 17\n").expect("two times and a count");
    let [ran, waited] = [2500, 40].map(Duration::from_millis);
    assert_eq!(read, Scheduled { ran, waited });
    assert_eq!(read.with(read).since(read), read);
    assert_eq!([Scheduled::parse(""), Scheduled::parse("5"), Scheduled::parse("a b c")], [None; 3]);
}

/// In a second, which is looked at: its own time on the processors, that for which it waited, and the rival's time.
#[test]
fn an_engine_is_starved_if_its_rival_has_the_processors() {
    for (ran, waited, rival, starved) in [
        (50, 950, 1900, true),
        (300, 600, 1600, true),
        // It sleeps, or thinks too long.
        (0, 0, 1900, false),
        (1000, 0, 1900, false),
        // Others have the processors, or its own threads.
        (50, 950, 20, false),
        (1900, 30_000, 100, false),
        (500, 500, 1000, false),
        (0, 1000, 90, false),
    ] {
        let [ran, waited, rival] = [ran, waited, rival].map(Duration::from_millis);
        let own = Scheduled { ran, waited };
        assert_eq!(is_starved(Duration::from_secs(1), own, rival), starved, "{own:?} {rival:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn this_process_finds_itself_its_threads_and_its_child() {
    let own = getpid();
    assert!(all_processes().contains(&own));
    let stat = Stat::of_process(own).expect("it is there");
    assert_eq!((stat.parent, stat.is_dead), (getppid(), false));
    let mut child =
        Command::new("sleep").arg("60").env("KROO_TEST", "a=b").spawn().expect("`sleep` is there");
    let pid = Pid::from_child(&child);
    assert!(children_of(own).expect("there are lists").contains(&pid));
    assert_eq!(Stat::of_process(pid).and_then(|stat| stat.parent), Some(own));
    child.kill().expect("it runs");
    child.wait().expect("it is a child");
    assert_eq!(Stat::of_process(pid), None);
    assert_eq!(ProcessTree::below(pid).living().count(), 0, "not those of the machine");
    assert!(!ignores_signal(9), "no process can");
}
