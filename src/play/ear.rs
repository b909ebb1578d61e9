//! What a person says: lines, the end of the input, and Ctrl-C.
//!
//! A thread reads lines, so that a signal is heard while nothing is typed, and another one waits for signals. While the
//! engine thinks, nobody looks at the lines; that it was interrupted it sees by itself.

use crossbeam_channel::{Receiver, Sender, select, unbounded};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Nothing that is said is longer, in bytes; what is, is cut off.
const LONGEST: u64 = 4096;

/// Something that was heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// A line.
    Line(String),
    /// The input has ended.
    End,
    /// Ctrl-C.
    Interrupt,
    /// Somebody wants the program to end.
    Terminate,
}

/// The input.
pub struct Ear {
    lines: Receiver<String>,
    signals: Receiver<Heard>,
    stopped: Arc<AtomicBool>,
    /// Whether the program is to end: that is heard again and again.
    ended: Arc<AtomicBool>,
}

impl Ear {
    /// Begins to listen to an input and to signals.
    ///
    /// # Errors
    /// If signals cannot be waited for.
    pub fn new(input: impl Read + Send + 'static) -> io::Result<Ear> {
        let (line_sender, lines) = unbounded();
        let (signal_sender, signals) = unbounded();
        let stopped = Arc::new(AtomicBool::new(false));
        let mut caught = Signals::new([SIGINT, SIGTERM])?;
        let ended = Arc::new(AtomicBool::new(false));
        let (stop, end) = (Arc::clone(&stopped), Arc::clone(&ended));
        thread::spawn(move || read(BufReader::new(input), &line_sender));
        thread::spawn(move || {
            for signal in caught.forever() {
                let heard = if signal == SIGINT { Heard::Interrupt } else { Heard::Terminate };
                end.fetch_or(heard == Heard::Terminate, Ordering::Relaxed);
                stop.store(true, Ordering::Relaxed);
                if signal_sender.send(heard).is_err() {
                    return;
                }
            }
        });
        Ok(Ear { lines, signals, stopped, ended })
    }

    /// Waits for something.
    pub fn listen(&self) -> Heard {
        let heard = match self.signals.try_recv() {
            _ if self.ended.load(Ordering::Relaxed) => Heard::Terminate,
            Ok(heard) => heard,
            Err(_) => select! {
                recv(self.signals) -> heard => heard.unwrap_or(Heard::Terminate),
                recv(self.lines) -> line => line.map_or(Heard::End, Heard::Line),
            },
        };
        if matches!(heard, Heard::Interrupt) {
            self.stopped.store(false, Ordering::Relaxed);
        }
        heard
    }

    /// Whether thinking is to end now.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Takes what has stopped the thinking, if anything has. That the program is to end will be heard again.
    pub fn take_stop(&self) -> Option<Heard> {
        let heard = self.signals.try_iter().last();
        if self.ended.load(Ordering::Relaxed) {
            return Some(Heard::Terminate);
        }
        self.stopped.store(false, Ordering::Relaxed);
        heard
    }

    /// Waits, but not if thinking is to end.
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

/// Sends the lines of an input until it ends or nobody listens.
fn read(mut input: impl BufRead, lines: &Sender<String>) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match input.by_ref().take(LONGEST).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if bytes.last() != Some(&b'\n') && bytes.len() as u64 == LONGEST && skip_line(&mut input).is_err() {
            return;
        }
        if lines.send(String::from_utf8_lossy(&bytes).trim().to_owned()).is_err() {
            return;
        }
    }
}

/// Passes over the rest of a line.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_off_but_none_is_lost() {
        let (sender, lines) = unbounded();
        let long = "x".repeat(3 * LONGEST as usize);
        read(format!("a\n{long}\n b \r\n\nlast").as_bytes(), &sender);
        drop(sender);
        let lines: Vec<String> = lines.iter().collect();
        let lengths: Vec<usize> = lines.iter().map(String::len).collect();
        assert_eq!(lengths, [1, LONGEST as usize, 1, 0, 4]);
    }
}
