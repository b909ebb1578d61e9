//! Engines that attack the referee.

use rustix::process::{Pid, Signal, getppid, kill_process};
use std::fs::{self, File};
use std::io::{self, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, process};

/// Chains that are started at once.
const CHAINS: u32 = 4;

/// Sends a signal to the referee, the nearest ancestor that was given engines.
pub fn signal_referee(signal: Signal) {
    if let Some(referee) = referee() {
        let _ = kill_process(referee, signal);
    }
}

/// Sends a signal to the shim, the parent of every engine.
pub fn signal_shim(signal: Signal) {
    if let Some(shim) = getppid() {
        let _ = kill_process(shim, signal);
    }
}

/// Suspends the process that is to clean up after the referee.
pub fn stop_cleanup_process() {
    let Some(referee) = referee() else { return };
    for process in numbers() {
        let Some(pid) = Pid::from_raw(process) else { continue };
        if words(pid).get(1).is_some_and(|word| word == "--cleanup") && parent(pid) == Some(referee) {
            let _ = kill_process(pid, Signal::STOP);
        }
    }
}

/// Suspends all other engines of the same match.
pub fn stop_rivals() {
    let Some(mark) = env::args().nth(2) else { return };
    for process in numbers().into_iter().filter(|&number| number != process::id().cast_signed()) {
        let Some(pid) = Pid::from_raw(process) else { continue };
        if words(pid).get(2) == Some(&mark) {
            let _ = kill_process(pid, Signal::STOP);
        }
    }
}

/// Tries to write into the pipes of all other engines of the same match, in their names and in the referee's. Tells its standard
/// error how often that was possible.
pub fn write_to_rivals() -> io::Result<()> {
    let Some(mark) = env::args().nth(2) else { return Ok(()) };
    let mut written = 0;
    for process in numbers().into_iter().filter(|&number| number != process::id().cast_signed()) {
        if Pid::from_raw(process).is_none_or(|pid| words(pid).get(2) != Some(&mark)) {
            continue;
        }
        for (descriptor, line) in [(0, "quit\n"), (1, "bestmove 0000\n")] {
            let pipe = File::options().write(true).open(format!("/proc/{process}/fd/{descriptor}"));
            written += u32::from(pipe.is_ok_and(|mut pipe| pipe.write_all(line.as_bytes()).is_ok()));
        }
    }
    writeln!(io::stderr(), "written {written}")
}

/// Takes a processor for ever.
pub fn burn() {
    loop {
        std::hint::spin_loop();
    }
}

/// Starts chains of processes: each starts the next one, and ends.
pub fn start_chains() -> io::Result<()> {
    for _ in 0..CHAINS {
        let marks = env::args().skip(2);
        let mut chain = Command::new("sh");
        chain.args(["-c", "f() { f & }; f", "sh"]).args(marks).stdin(Stdio::null()).stdout(Stdio::null());
        chain.spawn()?;
    }
    Ok(())
}

/// Reports its limits and the visible parts of the machine on standard error.
pub fn inspect() -> io::Result<()> {
    let mut text = String::new();
    for (name, value) in env::vars() {
        text += &format!("variable {name}={value}\n");
    }
    let files: Vec<File> = (0..5_000).map_while(|_| File::open("/dev/null").ok()).collect();
    text += &format!("files {}\n", files.len());
    drop(files);
    text += &format!("passwords {}\n", fs::read("/etc/passwd").is_ok());
    let others = numbers().into_iter().filter(|&number| number != process::id().cast_signed());
    text += &format!(
        "others {}\n",
        others.filter_map(Pid::from_raw).any(|pid| words(pid).iter().any(|word| word == "--engine"))
    );
    let port = env::var("PORT").ok().and_then(|port| port.parse().ok()).unwrap_or(0_u16);
    text += &format!("network {}\n", TcpStream::connect(("127.0.0.1", port)).is_ok());
    text += &format!("written {}\n", fs::write("inspected", "here").is_ok());
    text += &format!("program {}\n", env::current_exe()?.display());
    text += &format!("called {}\n", env::args().next().unwrap_or_default());
    text += &format!("limits {}\n", fs::read_to_string("/proc/self/limits")?.replace('\n', "; "));
    for folder in ["/tmp", "/dev/shm"] {
        let room = rustix::fs::statvfs(folder)?;
        text += &format!("room {folder} {}\n", room.f_blocks * room.f_frsize);
    }
    // Another process writes, since one that writes too much is killed.
    let zeros = File::create("zeros")
        .and_then(|file| Command::new("head").args(["-c", "3M", "/dev/zero"]).stdout(file).status());
    text += &format!("zeros {}\n", zeros.and_then(|_| fs::metadata("zeros")).map_or(0, |zeros| zeros.len()));
    if let Some(bound) = env::var_os("BOUND") {
        let bound = Path::new(&bound);
        let changed = fs::write(bound, "x").is_ok() || fs::remove_file(bound).is_ok();
        text += &format!("bound {} {changed}\n", fs::read_to_string(bound).unwrap_or_default());
    }
    io::stderr().write_all(text.as_bytes())
}

fn referee() -> Option<Pid> {
    let mut process = getppid();
    while let Some(pid) = process {
        if words(pid).iter().any(|word| word == "--engine") {
            return Some(pid);
        }
        process = parent(pid);
    }
    None
}

fn numbers() -> Vec<i32> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes.filter_map(|process| process.file_name().to_str()?.parse().ok()).collect()
}

fn words(process: Pid) -> Vec<String> {
    let line = fs::read_to_string(format!("/proc/{}/cmdline", process.as_raw_nonzero())).unwrap_or_default();
    line.split('\0').map(str::to_owned).collect()
}

fn parent(process: Pid) -> Option<Pid> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero())).ok()?;
    Pid::from_raw(stat.rsplit(')').next()?.split_whitespace().nth(1)?.parse().ok()?)
}
