//! The lines that a page may send to an engine.
//!
//! A line is parsed by the grammar of the protocol, and the engine is sent the command that was found, written anew. So no engine
//! can read more in a line than was checked here. An option is set if the engine has declared it with values that are no text: a
//! text can be the path of a file, which belongs on the command line.
//!
//! All engines share one allowance of memory for their tables.

use crate::protocol::options::OPTIONS;
use crate::protocol::{Command, OptionKind, OptionLine, Reply};
use std::num::NonZero;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{fs, thread};

/// Memory for the tables of all engines on a machine whose memory is unknown, in MiB.
const DEFAULT_MEMORY: u64 = 1024;
/// The option that sets the size of a table.
const HASH: &str = "hash";
/// Maximum options of an engine that are remembered.
const MAX_OPTIONS: usize = 1_000;

/// The memory that all engines together may take for their tables.
#[derive(Debug)]
pub(super) struct Allowance {
    /// MiB that no engine has.
    left: Mutex<u64>,
}

/// The part of an engine, which returns when the engine has ended.
#[derive(Debug)]
struct Share {
    allowance: Arc<Allowance>,
    mib: u64,
}

impl Allowance {
    /// A quarter of the machine's memory, or the command line's size for one engine, if larger.
    pub fn new(asked: u64) -> Allowance {
        Allowance { left: Mutex::new(quarter_of_memory().max(asked)) }
    }

    /// Its lock. No code that can panic runs while it is held, so a poisoned one is usable.
    fn left(&self) -> MutexGuard<'_, u64> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Share {
    /// Takes the memory of a table, or as much as is left, and says how much that is.
    fn resize(&mut self, wanted: u64) -> u64 {
        let mut left = self.allowance.left();
        let granted = wanted.min(self.mib + *left);
        (*left, self.mib) = (*left + self.mib - granted, granted);
        // The smallest table that there is.
        granted.max(1)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        *self.allowance.left() += self.mib;
    }
}

#[derive(Debug)]
pub(super) struct Declared {
    options: Vec<OptionLine>,
    share: Share,
    /// Whether the engine checks values by the same declarations, like Kroo.
    is_kroo: bool,
}

impl Declared {
    /// Those of an engine that has not declared any yet, or of this program.
    pub fn new(allowance: &Arc<Allowance>, is_kroo: bool) -> Declared {
        let share = Share { allowance: Arc::clone(allowance), mib: 0 };
        let mut declared = Declared { options: Vec::new(), share, is_kroo };
        if is_kroo {
            OPTIONS.iter().for_each(|option| declared.declare(option.line()));
        }
        declared
    }

    /// Notes a line of the engine, if it declares an option.
    pub fn hear(&mut self, line: &str) {
        if self.options.len() < MAX_OPTIONS
            && !self.is_kroo
            && line.starts_with("option")
            && let Ok(Reply::Option(option)) = Reply::parse(line)
        {
            self.declare(option);
        }
    }

    /// Notes an option. A table has its default size until that is set.
    fn declare(&mut self, option: OptionLine) {
        if let (true, OptionKind::Spin { default, .. }) = (is_hash(&option.name), &option.kind) {
            self.share.resize(u64::try_from(*default).unwrap_or_default());
        }
        self.options.push(option);
    }

    /// The value of an option on the command line, limited by the allowance.
    pub fn configured(&mut self, name: &str, value: &str) -> String {
        match value.parse() {
            Ok(mib) if is_hash(name) => self.share.resize(mib).to_string(),
            _ => value.to_owned(),
        }
    }

    /// The line for the engine; `None` if nothing is to be sent.
    pub fn admit(&mut self, line: &str) -> Result<Option<String>, String> {
        let command = match Command::parse(line).map_err(|error| error.to_string())? {
            Some(Command::SetOption { name, value }) => self.setting(&name, value)?,
            Some(command) => command,
            None => return Ok(None),
        };
        Ok(Some(command.to_string()))
    }

    /// A setting within bounds. `Hash` is limited by the allowance of memory, and `Threads` by the machine's processors.
    fn setting(&mut self, name: &str, value: Option<String>) -> Result<Command, String> {
        let mut found =
            self.options.iter().filter(|option| option.name.eq_ignore_ascii_case(name)).peekable();
        let option = *found.peek().ok_or_else(|| {
            format!("option {name}: the engine has not declared it, and a page cannot set it")
        })?;
        // Of two declarations the one that allows less counts.
        if found.any(|option| matches!(option.kind, OptionKind::String { .. })) {
            return Err(format!(
                "option {name}: its value is a text, which can name a file: set it on the command line of `kroo web`"
            ));
        }
        let is_threads = option.name.eq_ignore_ascii_case("threads");
        let value = match value {
            Some(text) if is_threads || is_hash(&option.name) => {
                let number =
                    text.parse::<u64>().map_err(|_| format!("option {name} needs a whole number"))?;
                let processors = || thread::available_parallelism().map_or(1, NonZero::get) as u64;
                let granted = if is_threads { number.min(processors()) } else { self.share.resize(number) };
                Some(granted.to_string())
            }
            value => value,
        };
        if !self.is_kroo && !is_allowed(&option.kind, value.as_deref()) {
            return Err(format!("option {name}: the engine has declared no such value"));
        }
        Ok(Command::SetOption { name: option.name.clone(), value })
    }
}

fn is_hash(name: &str) -> bool {
    name.eq_ignore_ascii_case(HASH)
}

/// The largest `Hash` among options with their values.
pub(super) fn largest_hash<'a>(options: impl IntoIterator<Item = &'a (String, String)>) -> u64 {
    let sizes =
        options.into_iter().filter(|(name, _)| is_hash(name)).filter_map(|(_, value)| value.parse().ok());
    sizes.max().unwrap_or_default()
}

/// Whether an engine has declared this value. It refuses numbers out of range itself.
fn is_allowed(kind: &OptionKind, value: Option<&str>) -> bool {
    match (kind, value) {
        (OptionKind::Button, None) => true,
        (OptionKind::Spin { .. }, Some(value)) => value.parse::<i64>().is_ok(),
        (OptionKind::Check { .. }, Some(value)) => {
            ["true", "false"].iter().any(|known| value.eq_ignore_ascii_case(known))
        }
        (OptionKind::Combo { vars, .. }, Some(value)) => {
            vars.iter().any(|known| value.eq_ignore_ascii_case(known))
        }
        _ => false,
    }
}

/// A quarter of the machine's memory, in MiB.
fn quarter_of_memory() -> u64 {
    let info = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let total = info.lines().find_map(|line| line.strip_prefix("MemTotal:")?.split_whitespace().next());
    let kib = total.and_then(|total| total.parse::<u64>().ok());
    kib.map_or(DEFAULT_MEMORY, |kib| (kib >> 12).max(1))
}
