//! What a file is, whatever it is called: the SHA-256 of its content, and its length. Unlike a checksum nobody can make another
//! file that has it.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The largest executable, in bytes.
pub const MAX_PROGRAM: u64 = 1 << 30;
/// Hexadecimal digits of a hash.
const DIGITS: usize = 64;
/// Digits that tell one from another in messages.
const SHORT: usize = 16;

/// The content of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Content {
    sha256: String,
    bytes: u64,
}

impl Content {
    /// The content of some bytes.
    pub fn of(bytes: &[u8]) -> Content {
        Content { sha256: hex(&Sha256::digest(bytes)), bytes: bytes.len() as u64 }
    }

    /// Enough of the hash to tell it from others.
    pub fn short(&self) -> String {
        self.sha256.chars().take(SHORT).collect()
    }

    /// How long the file is.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether it can be one.
    pub fn check(&self) -> Result<(), String> {
        let digits = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if self.sha256.len() != DIGITS || !self.sha256.bytes().all(digits) {
            return Err(format!("sha256: expected {DIGITS} hexadecimal digits in small letters"));
        }
        if self.bytes > MAX_PROGRAM {
            return Err(format!("bytes: {}, expected at most {MAX_PROGRAM}", self.bytes));
        }
        Ok(())
    }
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sha256 {}", self.sha256)
    }
}

/// What a file is.
///
/// # Errors
/// If it cannot be read, or is larger than any executable.
pub(super) fn content_of(path: &Path) -> io::Result<Content> {
    let (mut file, mut hash) = (File::open(path)?.take(MAX_PROGRAM + 1), Sha256::new());
    let (mut buffer, mut bytes) = (vec![0; 1 << 16], 0);
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            read => {
                hash.update(&buffer[..read]);
                bytes += read as u64;
            }
        }
    }
    if bytes > MAX_PROGRAM {
        return Err(io::Error::other(format!("it has more than {MAX_PROGRAM} bytes")));
    }
    Ok(Content { sha256: hex(&hash.finalize()), bytes })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
