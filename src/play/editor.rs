//! Line editing at a terminal: history, and completion of commands with the tab key.
//!
//! A separate thread reads the lines: signals are noticed while the user types nothing. It reads only on request: while the
//! engine thinks, the terminal is in its ordinary mode, and Ctrl-C is a signal.

use super::command::PLAY_COMMANDS;
use rustyline::completion::Completer;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, Helper};
use std::borrow::Cow;
use std::io;

pub use rustyline::error::ReadlineError;

pub const PROMPT: &str = "> ";

/// Edits lines at a terminal.
pub struct LineEditor(Editor<CommandHelper, MemHistory>);

impl LineEditor {
    /// An editor with an empty history. `prompt` may contain colours.
    pub fn new(prompt: String) -> io::Result<LineEditor> {
        let config = Config::builder().auto_add_history(true).build();
        let history = MemHistory::with_config(&config);
        let mut editor = Editor::with_history(config, history).map_err(io::Error::other)?;
        editor.set_helper(Some(CommandHelper { prompt }));
        Ok(LineEditor(editor))
    }

    /// Reads a line.
    ///
    /// # Errors
    /// On Ctrl-C, at the end of the input, or if the terminal is closed.
    pub fn read(&mut self) -> Result<String, ReadlineError> {
        self.0.readline(PROMPT)
    }
}

/// The editor's completion of commands.
struct CommandHelper {
    /// The displayed prompt, perhaps in colour.
    prompt: String,
}

impl Completer for CommandHelper {
    type Candidate = String;

    /// The commands that begin with the word before the cursor, if it is the first of the line.
    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let begun = line[..at].to_ascii_lowercase();
        let names = PLAY_COMMANDS[1..].iter().map(|(usage, _)| usage.split(' ').next().unwrap_or_default());
        Ok((0, names.filter(|name| name.starts_with(&begun)).map(str::to_owned).collect()))
    }
}

impl Highlighter for CommandHelper {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, _prompt: &'p str, _default: bool) -> Cow<'b, str> {
        Cow::Borrowed(&self.prompt)
    }
}

impl Hinter for CommandHelper {
    type Hint = String;
}

impl Validator for CommandHelper {}

impl Helper for CommandHelper {}

/// The mode of the terminal, restored on drop: an editor that is reading when the program ends would leave another one.
pub struct TerminalMode {
    #[cfg(unix)]
    before: Option<rustix::termios::Termios>,
}

impl TerminalMode {
    /// Saves the current mode of standard input's terminal.
    pub fn keep() -> TerminalMode {
        TerminalMode {
            #[cfg(unix)]
            before: rustix::termios::tcgetattr(io::stdin()).ok(),
        }
    }
}

#[cfg(unix)]
impl Drop for TerminalMode {
    fn drop(&mut self) {
        if let Some(before) = &self.before {
            // A closed terminal has no mode.
            let _ = rustix::termios::tcsetattr(io::stdin(), rustix::termios::OptionalActions::Now, before);
        }
    }
}
