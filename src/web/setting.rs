//! The lines that a page may send to an engine.
//!
//! A line is parsed by the grammar of the protocol, and the engine is sent the command that was found, written anew. So no engine
//! can read more in a line than was checked here. An option is set if the engine has declared it with values that are no text: a
//! text can be the path of a file, which belongs on the command line.

use crate::protocol::options::OPTIONS;
use crate::protocol::{Command, OptionKind, OptionLine, Reply};
use std::num::NonZero;
use std::{fs, thread};

/// The largest table of an engine on a machine whose memory is unknown, in MiB.
const DEFAULT_HASH: u64 = 1024;
/// Maximum options of an engine that are remembered.
const MAX_OPTIONS: usize = 1_000;

/// The options that an engine has declared.
#[derive(Debug, Default)]
pub(super) struct Declared {
    options: Vec<OptionLine>,
    /// Whether the engine checks values by the same declarations, as Kroo does.
    is_kroo: bool,
}

impl Declared {
    /// The options of this program.
    pub fn of_kroo() -> Declared {
        Declared { options: OPTIONS.iter().map(|option| option.line()).collect(), is_kroo: true }
    }

    /// Notes a line of the engine, if it declares an option.
    pub fn hear(&mut self, line: &str) {
        if self.options.len() < MAX_OPTIONS
            && !self.is_kroo
            && line.starts_with("option")
            && let Ok(Reply::Option(option)) = Reply::parse(line)
        {
            self.options.push(option);
        }
    }

    /// The line for the engine; `None` if there is nothing to be sent.
    ///
    /// # Errors
    /// Why a line is refused.
    pub fn admit(&self, line: &str) -> Result<Option<String>, String> {
        let command = match Command::parse(line).map_err(|error| error.to_string())? {
            Some(Command::SetOption { name, value }) => self.setting(&name, value)?,
            Some(command) => command,
            None => return Ok(None),
        };
        Ok(Some(command.to_string()))
    }

    /// A setting within bounds. `Hash` and `Threads` are limited to the machine's memory and processors.
    fn setting(&self, name: &str, value: Option<String>) -> Result<Command, String> {
        let mut found =
            self.options.iter().filter(|option| option.name.eq_ignore_ascii_case(name)).peekable();
        let option = *found.peek().ok_or_else(|| {
            format!("option {name}: the engine has not declared it, so it is not set from a page")
        })?;
        // Of two declarations the one that allows less counts.
        if found.any(|option| matches!(option.kind, OptionKind::String { .. })) {
            return Err(format!(
                "option {name}: its value is a text, which can name a file: set it on the command line of `kroo web`"
            ));
        }
        let most = match &*option.name.to_ascii_lowercase() {
            "hash" => most_hash(),
            "threads" => thread::available_parallelism().map_or(1, NonZero::get) as u64,
            _ => u64::MAX,
        };
        let value = match value {
            Some(text) if most < u64::MAX => {
                let number =
                    text.parse::<u64>().map_err(|_| format!("option {name} needs a whole number"))?;
                Some(number.min(most).to_string())
            }
            value => value,
        };
        if !self.is_kroo && !is_allowed(&option.kind, value.as_deref()) {
            return Err(format!("option {name}: the engine has declared no such value"));
        }
        Ok(Command::SetOption { name: option.name.clone(), value })
    }
}

/// Whether a value is one of those that an engine has declared. Numbers beyond its range are its own to refuse.
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

/// The largest table of an engine, in MiB: a quarter of the memory.
fn most_hash() -> u64 {
    let info = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let total = info.lines().find_map(|line| line.strip_prefix("MemTotal:")?.split_whitespace().next());
    let kib = total.and_then(|total| total.parse::<u64>().ok());
    kib.map_or(DEFAULT_HASH, |kib| (kib >> 12).max(1))
}
