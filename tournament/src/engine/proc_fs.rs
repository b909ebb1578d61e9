//! The fields of `/proc` (proc(5)) that the referee needs, all read here.
//!
//! It is written by hand because the crate `procfs` is too large for four fields of a `stat` file: in a first release build it
//! adds some 30 s of processor time (measured: 60 s with it, 28 s without, for the referee's `rustix` and `serde`). It does not
//! build on other systems either. Here, systems without `/proc` have no processes.

use rustix::param::clock_ticks_per_second;
use rustix::process::{Pid, getpid};
use std::fs::{self, File};
use std::io::{self, Read};
use std::time::Duration;

/// The fields of a `stat` file that the referee uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// Whether the process has exited: a zombie, or about to be gone.
    pub is_dead: bool,
    /// Whether it is suspended, for instance by SIGSTOP.
    pub is_suspended: bool,
    pub parent: Option<Pid>,
    /// The processor time it has used. The system counts in ticks, usually of 10 ms.
    pub processor_time: Duration,
    /// That of its children that have ended and were waited for, with theirs.
    pub children_time: Duration,
}

impl Stat {
    /// Of a process; `None` if it is gone.
    pub fn of_process(process: Pid) -> Option<Stat> {
        Stat::read(&format!("/proc/{}/stat", process.as_raw_nonzero()))
    }

    /// The system writes the whole text at once, in fewer bytes than these. `fs::read` would ask five times.
    fn read(path: &str) -> Option<Stat> {
        let mut text = [0; 1 << 10];
        let length = File::open(path).ok()?.read(&mut text).ok()?;
        Stat::parse(&text[..length])
    }

    /// Reads the text of such a file. `None` if a field is missing.
    pub fn parse(text: &[u8]) -> Option<Stat> {
        // The program's name, the second field, is in brackets and may hold anything, brackets and blanks included.
        let name_end = text.iter().rposition(|&byte| byte == b')')?;
        let rest = str::from_utf8(&text[name_end + 1..]).ok()?;
        let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
        // The numbers are those of proc(5), which counts from 1.
        let field = |number: usize| fields.get(number - 3).copied();
        let time = |one: usize, other: usize| {
            let ticks = field(one)?.parse::<u64>().ok()? + field(other)?.parse::<u64>().ok()?;
            Some(Duration::from_secs_f64(ticks as f64 / clock_ticks_per_second() as f64))
        };
        Some(Stat {
            is_dead: matches!(field(3)?, "Z" | "X"),
            is_suspended: field(3)? == "T",
            parent: field(4)?.parse().ok().and_then(Pid::from_raw),
            processor_time: time(14, 15)?,
            children_time: time(16, 17)?,
        })
    }
}

/// All processes of the machine.
pub fn all_processes() -> Vec<Pid> {
    pids_in("/proc")
}

/// What threads had of the processors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scheduled {
    /// How long they have run.
    pub ran: Duration,
    /// How long they have been ready to run, and waited for a processor that others had.
    pub waited: Duration,
}

impl Scheduled {
    /// Of all threads of a process; nothing if it is gone, or the system keeps no such times.
    pub fn of_process(process: Pid) -> Scheduled {
        let folder = format!("/proc/{}/task", process.as_raw_nonzero());
        let file = |thread: Pid| format!("{folder}/{}/schedstat", thread.as_raw_nonzero());
        let texts = pids_in(&folder).into_iter().filter_map(|thread| fs::read_to_string(file(thread)).ok());
        texts.filter_map(|text| Scheduled::parse(&text)).fold(Scheduled::default(), Scheduled::with)
    }

    /// Reads the text of such a file: nanoseconds, and how often it ran.
    pub fn parse(text: &str) -> Option<Scheduled> {
        let mut times = text.split_ascii_whitespace().map(|time| time.parse().map(Duration::from_nanos));
        Some(Scheduled { ran: times.next()?.ok()?, waited: times.next()?.ok()? })
    }

    /// Both together.
    #[must_use]
    pub fn with(self, other: Scheduled) -> Scheduled {
        Scheduled { ran: self.ran + other.ran, waited: self.waited + other.waited }
    }

    /// What has come since an earlier moment.
    #[must_use]
    pub fn since(self, before: Scheduled) -> Scheduled {
        Scheduled {
            ran: self.ran.saturating_sub(before.ran),
            waited: self.waited.saturating_sub(before.waited),
        }
    }
}

/// The children of a process, dead or alive.
///
/// The system keeps a list for each thread. A list that changes while it is read may miss a process.
pub fn children_of(process: Pid) -> io::Result<Vec<Pid>> {
    let mut children = Vec::new();
    for thread in fs::read_dir(format!("/proc/{}/task", process.as_raw_nonzero()))? {
        match fs::read_to_string(thread?.path().join("children")) {
            Ok(list) => children.extend(list.split(' ').filter_map(parse_pid)),
            // A thread that has ended has left its children to the others.
            Err(_) if process != getpid() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(children)
}

/// Whether this process ignores a signal, as `nohup` makes it ignore SIGHUP.
pub fn ignores_signal(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    mask >> (signal - 1) & 1 == 1
}

fn pids_in(folder: &str) -> Vec<Pid> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| parse_pid(entry.file_name().to_str()?)).collect()
}

fn parse_pid(text: &str) -> Option<Pid> {
    text.trim_ascii_end().parse().ok().and_then(Pid::from_raw)
}

/// The name of this machine, if the system tells.
pub fn host_name() -> Option<String> {
    fs::read_to_string("/proc/sys/kernel/hostname").ok().map(|name| name.trim().to_owned())
}

/// The model of this machine's processors, if the system tells it.
pub fn processor_name() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("model name"))?;
    Some(line.trim_start_matches([' ', '\t', ':']).trim().to_owned())
}
