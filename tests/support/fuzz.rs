//! Fuzzing of readers: valid inputs, mutated slightly, many times.
//!
//! Each test that uses this is the fuzz target of a reader. It reads the files of `tests/fixtures/data/fuzz/<reader>/` and the inputs of
//! the test unchanged, and then `KROO_FUZZ_INPUTS` mutations of them: by default some thousand, the same everywhere for a given
//! seed. `.ci/fuzz` runs more. In formats with a checksum, half of the mutations get a correct one, because otherwise no code
//! behind it would be reached. An input on which a reader panics or takes too long is saved in that folder as `found-…`, and is
//! read first from then on.

use crate::programs::root;
use kroo::game::split_mix;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, Instant};
use std::{env, fs};

/// The default of `KROO_FUZZ_INPUTS`.
const INPUTS: u64 = 2_000;
/// A reader that takes longer for one input hangs. It needs a thousandth, but the machine may be busy.
const SLOW: Duration = Duration::from_secs(60);
/// Maximum size of inputs in bytes.
const LARGEST: usize = 1 << 17;
/// Typical boundary values.
const NUMBERS: [u64; 12] =
    [0, 1, 7, 48, 127, 255, 65_535, 1 << 31, u32::MAX as u64, 1 << 40, i64::MAX as u64, u64::MAX];
/// Bytes with a meaning in some format.
const BYTES: &[u8] = b"\0\xff\n\r\t -+0123456789{}[]\":,.#;*/\\AaFfSN\x1b\x80";

/// Fuzzes a reader. `seal` corrects the checksum, if the format has one.
pub fn fuzz(reader: &str, added: Vec<Vec<u8>>, seal: impl Fn(&mut Vec<u8>), read: impl Fn(&[u8])) {
    let folder = root().join("tests/fixtures/data/fuzz").join(reader);
    let mut paths: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("a folder of inputs")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    let mut inputs: Vec<Vec<u8>> = paths.iter().map(|path| fs::read(path).expect("an input")).collect();
    inputs.extend(added);
    let count: u64 = variable("KROO_FUZZ_INPUTS").unwrap_or(INPUTS);
    let seed: u64 = variable("KROO_FUZZ_SEED").unwrap_or(1);
    let mut random = Random(seed);
    inputs.iter().for_each(|input| feed(&folder, input, &read));
    for _ in 0..count {
        let mut input = inputs[random.below(inputs.len())].clone();
        for _ in 0..=random.below(5) {
            let other = &inputs[random.below(inputs.len())];
            random.spoil(&mut input, other);
        }
        input.truncate(LARGEST);
        if random.below(2) == 0 {
            seal(&mut input);
        }
        feed(&folder, &input, &read);
    }
    if env::var_os("KROO_FUZZ_INPUTS").is_some() {
        let text = format!("{reader}: {count} inputs, seed {seed}\n");
        std::io::Write::write_all(&mut std::io::stderr(), text.as_bytes()).expect("standard error");
    }
}

fn variable<T: FromStr>(name: &str) -> Option<T> {
    env::var(name).ok()?.parse().ok()
}

/// For a format without a checksum.
pub fn unsealed(_: &mut Vec<u8>) {}

fn feed(folder: &Path, input: &[u8], read: &impl Fn(&[u8])) {
    let began = Instant::now();
    let result = catch_unwind(AssertUnwindSafe(|| read(input)));
    if result.is_ok() && began.elapsed() < SLOW {
        return;
    }
    let found = folder.join(format!("found-{:08x}", crc32fast::hash(input)));
    let kept = fs::write(&found, input);
    let what = if result.is_ok() { "takes long over" } else { "panics over" };
    panic!("a reader {what} {} ({kept:?}): mend it, and leave the file", found.display());
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        (split_mix(&mut self.0) % limit.max(1) as u64) as usize
    }

    fn number(&mut self) -> u64 {
        let number = NUMBERS[self.below(NUMBERS.len())];
        match self.below(3) {
            0 => number,
            1 => number.wrapping_sub(1),
            _ => split_mix(&mut self.0) >> self.below(64),
        }
    }

    /// Mutates an input.
    fn spoil(&mut self, input: &mut Vec<u8>, other: &[u8]) {
        let (at, until) = (self.below(input.len() + 1), self.below(input.len() + 1));
        let part = at.min(until)..at.max(until).min(at.min(until) + 1 + self.below(200));
        match self.below(10) {
            0 if at < input.len() => input[at] ^= 1 << self.below(8),
            1 if at < input.len() => input[at] = BYTES[self.below(BYTES.len())],
            2 => input.insert(at, BYTES[self.below(BYTES.len())]),
            3 => drop(input.drain(part)),
            4 => input.truncate(at),
            5 => {
                let copied = input[part].repeat(1 + self.below(20));
                drop(input.splice(at..at, copied));
            }
            6 => {
                let from = self.below(other.len() + 1);
                let until = other.len().min(from + 1 + self.below(400));
                drop(input.splice(part, other[from..until].iter().copied()));
            }
            7 => {
                // A number in binary, either end first.
                let length = 1 << self.below(4);
                let mut bytes = self.number().to_le_bytes()[..length].to_vec();
                if self.below(2) == 0 {
                    bytes.reverse();
                }
                let end = input.len().min(at + length);
                drop(input.splice(at..end, bytes));
            }
            8 => {
                // A number in digits.
                let Some(begin) = (at..input.len()).find(|&place| input[place].is_ascii_digit()) else {
                    return;
                };
                let length = input[begin..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                let sign = ["", "", "", "-", "0x", "1e"][self.below(6)];
                drop(input.splice(begin..begin + length, format!("{sign}{}", self.number()).into_bytes()));
            }
            _ => {
                let line =
                    input[at..].iter().position(|&byte| byte == b'\n').map_or(input.len(), |end| at + end);
                let copied = input[at..line].to_vec();
                drop(input.splice(until..until, copied));
            }
        }
    }
}
