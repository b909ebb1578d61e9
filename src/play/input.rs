//! The input listener: lines, the end of the input, and signals.
//!
//! One thread reads lines and another waits for signals, which are thus noticed while the user types nothing. While the engine
//! thinks, lines from a pipe wait in the channel; the search polls [`InputListener::is_stopped`]. At a terminal, an editor with a
//! history reads lines on request.

use super::editor::{LineEditor, ReadlineError, TerminalMode};
use crate::signals::{self, StopSignal};
use crossbeam_channel::{Receiver, Sender, after, never, select, unbounded};
use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Maximum length of a line in bytes; the rest is dropped. No command needs more, apart from absurdly long paths.
pub const MAX_LINE_BYTES: u64 = 4096;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputEvent {
    Line(String),
    End,
    Interrupt,
    /// SIGTERM: a request to end.
    Terminate,
    /// Nothing has come in the time given.
    TimeOut,
}

/// Listens to standard input and to signals.
pub struct InputListener {
    lines: Receiver<InputEvent>,
    signals: Receiver<InputEvent>,
    terminal: Option<Terminal>,
    stopped: Arc<AtomicBool>,
    /// Whether SIGTERM has arrived. Every later call reports it.
    terminated: Arc<AtomicBool>,
}

/// A terminal, whose editor reads lines on request.
struct Terminal {
    asks: Sender<()>,
    /// Whether a requested line is still pending.
    reading: Cell<bool>,
    _mode: TerminalMode,
}

impl InputListener {
    /// Starts to listen to an input and to signals.
    pub fn new(input: impl Read + Send + 'static) -> io::Result<InputListener> {
        let (sender, lines) = unbounded();
        thread::Builder::new().spawn(move || read(BufReader::new(input), &sender))?;
        InputListener::listening(lines, None)
    }

    /// Starts to listen to a terminal and to signals. `prompt` may contain colours.
    pub fn at_terminal(prompt: String) -> io::Result<InputListener> {
        let (asks, asked) = unbounded();
        let (sender, lines) = unbounded();
        let mode = TerminalMode::keep();
        let mut editor = LineEditor::new(prompt)?;
        thread::Builder::new().spawn(move || edit(&mut editor, &asked, &sender))?;
        InputListener::listening(lines, Some(Terminal { asks, reading: Cell::new(false), _mode: mode }))
    }

    fn listening(lines: Receiver<InputEvent>, terminal: Option<Terminal>) -> io::Result<InputListener> {
        let (signal_sender, signals) = unbounded();
        let stopped = Arc::new(AtomicBool::new(false));
        let terminated = Arc::new(AtomicBool::new(false));
        let (stop, end) = (Arc::clone(&stopped), Arc::clone(&terminated));
        signals::each(move |signal| {
            let event = match signal {
                StopSignal::Interrupt => InputEvent::Interrupt,
                StopSignal::Terminate => InputEvent::Terminate,
            };
            end.fetch_or(event == InputEvent::Terminate, Ordering::Relaxed);
            stop.store(true, Ordering::Relaxed);
            signal_sender.send(event).is_ok()
        })?;
        Ok(InputListener { lines, signals, terminal, stopped, terminated })
    }

    /// Requests a line from the terminal's editor, if any; returns whether it shows the prompt.
    pub fn ask(&self) -> bool {
        self.terminal
            .as_ref()
            .is_some_and(|terminal| !terminal.reading.replace(true) && terminal.asks.send(()).is_ok())
    }

    /// Whether the cursor is behind a prompt, because a signal came before a line.
    pub fn is_prompt_open(&self) -> bool {
        self.terminal.as_ref().is_none_or(|terminal| terminal.reading.get())
    }

    /// Waits for the next event, or for a time.
    pub fn listen(&self, patience: Option<Duration>) -> InputEvent {
        let late = patience.map_or_else(never, after);
        let event = match self.signals.try_recv() {
            _ if self.terminated.load(Ordering::Relaxed) => InputEvent::Terminate,
            Ok(event) => event,
            Err(_) => select! {
                recv(self.signals) -> event => event.unwrap_or(InputEvent::Terminate),
                recv(late) -> _ => InputEvent::TimeOut,
                recv(self.lines) -> event => {
                    self.terminal.iter().for_each(|terminal| terminal.reading.set(false));
                    event.unwrap_or(InputEvent::End)
                }
            },
        };
        if matches!(event, InputEvent::Interrupt) {
            self.stopped.store(false, Ordering::Relaxed);
        }
        event
    }

    /// Whether a signal asks the search to stop.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Takes the signal that has stopped the search, if any. SIGTERM is reported again by later calls.
    pub fn take_stop(&self) -> Option<InputEvent> {
        let event = self.signals.try_iter().last();
        if self.terminated.load(Ordering::Relaxed) {
            return Some(InputEvent::Terminate);
        }
        self.stopped.store(false, Ordering::Relaxed);
        event
    }

    /// Sleeps for a time, or until a signal comes.
    pub fn pause(&self, time: Duration) {
        let step = Duration::from_millis(10);
        let mut left = time;
        while !self.is_stopped() && !left.is_zero() {
            let now = left.min(step);
            thread::sleep(now);
            left -= now;
        }
    }
}

/// Sends the lines of an input until it ends or the receiver is gone.
pub fn read(mut input: impl BufRead, lines: &Sender<InputEvent>) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match input.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if bytes.last() != Some(&b'\n')
            && bytes.len() as u64 == MAX_LINE_BYTES
            && skip_line(&mut input).is_err()
        {
            return;
        }
        let line = String::from_utf8_lossy(&bytes).trim().to_owned();
        if lines.send(InputEvent::Line(line)).is_err() {
            return;
        }
    }
}

/// Reads a line at a terminal for each request, until the terminal is closed or the requests end.
fn edit(editor: &mut LineEditor, asked: &Receiver<()>, events: &Sender<InputEvent>) {
    while asked.recv().is_ok() {
        let event = match editor.read() {
            Ok(line) => InputEvent::Line(line.trim().to_owned()),
            Err(ReadlineError::Interrupted) => InputEvent::Interrupt,
            // A line that is not UTF-8 is dropped like an unknown command; the game continues.
            Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                InputEvent::Line(char::REPLACEMENT_CHARACTER.to_string())
            }
            Err(_) => InputEvent::End,
        };
        let ended = event == InputEvent::End;
        if events.send(event).is_err() || ended {
            return;
        }
    }
}

fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let length = end.map_or(buffer.len(), |end| end + 1);
        input.consume(length);
        if end.is_some() || length == 0 {
            return Ok(());
        }
    }
}
