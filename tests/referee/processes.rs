//! Processes as the system lists them.

use kroo_referee::engine::proc_fs::{
    Stat, all_processes, children_of, ignores_signal, is_single_thread, threads_of,
};
use rustix::param::clock_ticks_per_second;
use rustix::process::{Pid, getpid, getppid};
use std::process::Command;

#[test]
fn a_name_with_brackets_and_blanks_hides_no_field() {
    // From the state, the third field, to the processor, the 39th.
    let zeros = "0 ".repeat(15);
    let text =
        format!("77 (a) (b ) R) Z 12 77 77 0 -1 4194560 1 2 3 4 250 50 30 4 20 0 1 0 9 {zeros}17 3 0 0\n");
    let stat = Stat::parse(text.as_bytes()).expect("all fields are there");
    assert!(stat.is_dead);
    assert_eq!((stat.parent, stat.processor), (Pid::from_raw(12), 3));
    let ticks = [stat.processor_time, stat.children_time]
        .map(|time| time.as_secs_f64() * clock_ticks_per_second() as f64);
    assert!((ticks[0] - 300.0).abs() < 1e-6 && (ticks[1] - 34.0).abs() < 1e-6, "{ticks:?}");
    assert_eq!(Stat::parse(b"77 (a) Z 12"), None);
}

#[cfg(target_os = "linux")]
#[test]
fn this_process_finds_itself_its_threads_and_its_child() {
    let own = getpid();
    assert!(all_processes().contains(&own) && threads_of(own).contains(&own));
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
    assert!(!is_single_thread(pid) && threads_of(pid).is_empty());
    assert!(!ignores_signal(9), "no process can");
}
