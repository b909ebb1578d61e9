//! An output that another thread reads line by line.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, Sender, channel};

/// Sends each line written to it to a channel.
pub struct Lines(Sender<String>, Vec<u8>);

impl Lines {
    pub fn new() -> (Lines, Receiver<String>) {
        let (sender, receiver) = channel();
        (Lines(sender, Vec::new()), receiver)
    }
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let line = String::from_utf8(std::mem::take(&mut self.1)).expect("text");
                self.0.send(line).map_err(|_| io::ErrorKind::BrokenPipe)?;
            } else {
                self.1.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
