//! The options that a page may set, and their limits.

use std::num::NonZero;
use std::{fs, thread};

/// The largest table of an engine on a machine whose memory is unknown, in MiB.
const DEFAULT_HASH: u64 = 1024;

/// The line for the engine, or why it is refused. Options that name files are refused: they belong on the command line. `Hash`
/// and `Threads` are limited to the machine's memory and processors.
pub(super) fn admit(line: &str) -> Result<String, &'static str> {
    // An engine may skip unknown words before a command.
    let mut words =
        line.split_whitespace().skip_while(|word| !word.eq_ignore_ascii_case("setoption")).skip(1);
    let name: String = words.by_ref().take_while(|word| !word.eq_ignore_ascii_case("value")).collect();
    let name = name.to_ascii_lowercase();
    let name = name.strip_prefix("name").unwrap_or(&name);
    if name.ends_with("file") || name.ends_with("path") {
        return Err("this option names a file: set it on the command line of `kroo web`");
    }
    let (name, most) = match name {
        "hash" => ("Hash", most_hash()),
        "threads" => ("Threads", thread::available_parallelism().map_or(1, NonZero::get) as u64),
        _ => return Ok(line.to_owned()),
    };
    let value: u64 = words.collect::<String>().parse().map_err(|_| "Hash and Threads need a whole number")?;
    Ok(format!("setoption name {name} value {}", value.min(most)))
}

/// The largest table of an engine, in MiB: a quarter of the memory.
fn most_hash() -> u64 {
    let info = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let total = info.lines().find_map(|line| line.strip_prefix("MemTotal:")?.split_whitespace().next());
    let kib = total.and_then(|total| total.parse::<u64>().ok());
    kib.map_or(DEFAULT_HASH, |kib| (kib >> 12).max(1))
}
