//! Weight files: one format for those compiled in and those of the option `EvalFile`.
//!
//! All numbers are little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `KrooEval` |
//! | 4 | version, 1 |
//! | 4 | kind: 1, a network |
//! | 12 | name of the rule set, filled up with zeros |
//! | 4 | features, the rows of the first layer |
//! | 2 | units of the hidden layer |
//! | 2 | output buckets |
//! | units × 2 | first layer: bias |
//! | features × units | first layer: rows |
//! | buckets × units × 2 | second layer |
//! | buckets × 4 | second layer: bias |
//! | 4 | CRC-32 of the bytes before |

use super::features::Features;
use super::network::{Accumulator, HIDDEN, LARGEST_OUTPUT, LARGEST_OUTPUT_BIAS, Network, OUTPUT_BUCKETS};
use crate::files::{self, OutputError, WriteError};
use crate::game::{Board, Rules, Variant};
use crate::under;
use crate::value::CENTISEEDS;
use once_cell::sync::OnceCell;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const MAGIC: &[u8; 8] = b"KrooEval";
const VERSION: u32 = 1;
const NETWORK: u32 = 1;
const HEADER: usize = 36;
/// The largest weight file, in bytes: a MiB, seven times the largest in use.
const LONGEST: u64 = 1 << 20;

/// The evaluation of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    variant: Variant,
    network: Network,
}

/// Why a weight file cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the variants are")]
pub enum EvalFileError {
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error("{}: {fault}", path.display())]
    Fault { path: PathBuf, fault: EvalFault },
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// A fault in the bytes of a weight file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the variants are")]
pub enum EvalFault {
    #[error("this is not a weights file of Kroo")]
    Foreign,
    /// An unknown version.
    #[error("weights of version {found}; only {VERSION} is known")]
    Version { found: u32 },
    #[error("the checksum is wrong: the file is damaged or cut off")]
    Checksum,
    #[error("these are weights for {found}, and the rule set is {wanted}")]
    Variant { found: String, wanted: Variant },
    #[error(
        "weights of kind {kind}, {features} × {units} × {buckets}; this build has kind {NETWORK}, {wanted}"
    )]
    Shape { kind: u32, features: u32, units: u16, buckets: u16, wanted: String },
}

impl Weights {
    /// The weights of a network for the rules `R`.
    ///
    /// # Panics
    /// If the network does not have one row for each feature.
    pub fn new<R: Rules>(network: Network) -> Weights {
        assert_eq!(network.rows.len(), Features::<R>::ROWS, "a row for each feature");
        Weights { variant: R::VARIANT, network }
    }

    /// The compiled-in weights of a rule set, or weights that count the stores alone: where none are compiled in, and where the
    /// seeds left in a row at the end count for the other side. There the network was no better (+62 =8 −50 in 120 games of 3,000
    /// nodes a move), with empty captures it was (+92 =5 −23).
    pub fn built_in(variant: Variant) -> Arc<Weights> {
        static READ: [[OnceCell<Arc<Weights>>; 2]; Variant::ALL.len()] =
            [const { [const { OnceCell::new() }; 2] }; Variant::ALL.len()];
        let (rules, zero) = (variant.rule_set(), variant.options().rest_to_opponent);
        let read = || match rules.about().network.filter(|_| !zero) {
            Some(bytes) => Weights::from_bytes(bytes, rules).expect("the weights compiled in are valid"),
            None => Weights { variant: rules, network: under!(rules, R => Network::zero::<R>()) },
        };
        Arc::clone(READ[rules.index()][usize::from(zero)].get_or_init(|| Arc::new(read())))
    }

    /// The weights of a file, or the compiled-in ones if the path is empty.
    ///
    /// # Errors
    /// See [`Weights::read`].
    pub fn named(path: &str, variant: Variant) -> Result<Arc<Weights>, EvalFileError> {
        if path.is_empty() {
            return Ok(Weights::built_in(variant));
        }
        Weights::read(Path::new(path), variant).map(Arc::new)
    }

    /// Their rule set.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The value of a board for its mover, in hundredths of a seed.
    #[inline]
    pub fn centiseeds<R: Rules>(&self, board: Board) -> i32 {
        CENTISEEDS * i32::from(board.lead()) + self.network.evaluate::<R>(board)
    }

    /// Reads a weight file for a rule set.
    ///
    /// # Errors
    /// If it cannot be read, is damaged or no weight file, or is for another rule set.
    pub fn read(path: &Path, variant: Variant) -> Result<Weights, EvalFileError> {
        let io = |error| EvalFileError::Io { path: path.to_owned(), error };
        let fault = |fault| EvalFileError::Fault { path: path.to_owned(), fault };
        let bytes = files::read_at_most(path, LONGEST).map_err(io)?.ok_or(fault(EvalFault::Foreign))?;
        Weights::from_bytes(&bytes, variant).map_err(fault)
    }

    /// Writes a weight file, whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), EvalFileError> {
        Ok(files::replace(path, &self.to_bytes())?)
    }

    /// Checks that a weight file can be written, before the work for it begins.
    ///
    /// # Errors
    /// If not, or if a file of another kind would be lost.
    pub fn check_output(path: &Path) -> Result<(), OutputError> {
        files::check_output(path, "file of weights", MAGIC)
    }

    /// The CRC-32 at the end of their file.
    pub fn checksum(&self) -> u32 {
        let bytes = self.to_bytes();
        u32::from_le_bytes(*bytes.last_chunk().expect("it ends with its checksum"))
    }

    /// The bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Network { bias, rows, output, output_bias } = &self.network;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(NETWORK.to_le_bytes());
        let mut name = [0; 12];
        name[..self.variant.name().len()].copy_from_slice(self.variant.name().as_bytes());
        bytes.extend(name);
        bytes.extend((rows.len() as u32).to_le_bytes());
        bytes.extend((HIDDEN as u16).to_le_bytes());
        bytes.extend((OUTPUT_BUCKETS as u16).to_le_bytes());
        bytes.extend(bias.iter().flat_map(|weight| weight.to_le_bytes()));
        bytes.extend(rows.iter().flatten().map(|&weight| weight as i8 as u8));
        bytes.extend(output.iter().flatten().flat_map(|weight| weight.to_le_bytes()));
        bytes.extend(output_bias.iter().flat_map(|weight| weight.to_le_bytes()));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Parses a weight file for a rule set.
    ///
    /// # Errors
    /// If the bytes are damaged, not weights, or for another rule set.
    pub fn from_bytes(bytes: &[u8], variant: Variant) -> Result<Weights, EvalFault> {
        if !bytes.starts_with(MAGIC) {
            return Err(EvalFault::Foreign);
        }
        let (inside, sum) = bytes.split_last_chunk::<4>().ok_or(EvalFault::Checksum)?;
        if inside.len() < HEADER {
            return Err(EvalFault::Checksum);
        }
        let mut reader = Bytes(&inside[MAGIC.len()..]);
        let version = reader.u32();
        if version != VERSION {
            return Err(EvalFault::Version { found: version });
        }
        if crc32fast::hash(inside) != u32::from_le_bytes(*sum) {
            return Err(EvalFault::Checksum);
        }
        let kind = reader.u32();
        let name: [u8; 12] = reader.take();
        let found = String::from_utf8_lossy(&name).trim_end_matches('\0').to_owned();
        let is_own = found.parse::<Variant>().map(Variant::rule_set) == Ok(variant.rule_set());
        if !is_own || !variant.options().are_usual() {
            return Err(EvalFault::Variant { found, wanted: variant });
        }
        let (features, units, buckets) = (reader.u32(), reader.i16() as u16, reader.i16() as u16);
        let rows = under!(variant, R => Features::<R>::ROWS);
        let length = 2 * HIDDEN * (1 + OUTPUT_BUCKETS) + rows * HIDDEN + 4 * OUTPUT_BUCKETS;
        let shape = (kind, features as usize, usize::from(units), usize::from(buckets));
        if shape != (NETWORK, rows, HIDDEN, OUTPUT_BUCKETS) || reader.0.len() != length {
            let wanted = format!("{rows} × {HIDDEN} × {OUTPUT_BUCKETS}");
            return Err(EvalFault::Shape { kind, features, units, buckets, wanted });
        }
        let network = Network {
            bias: reader.layer(),
            rows: (0..rows).map(|_| reader.take::<HIDDEN>().map(|weight| i16::from(weight as i8))).collect(),
            output: std::array::from_fn(|_| reader.layer().map(|w| w.clamp(-LARGEST_OUTPUT, LARGEST_OUTPUT))),
            output_bias: std::array::from_fn(|_| {
                (reader.u32() as i32).clamp(-LARGEST_OUTPUT_BIAS, LARGEST_OUTPUT_BIAS)
            }),
        };
        Ok(Weights { variant, network })
    }
}

/// A reader of bytes whose length has been checked.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (taken, rest) = self.0.split_first_chunk().expect("the length has been checked");
        self.0 = rest;
        *taken
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    fn i16(&mut self) -> i16 {
        i16::from_le_bytes(self.take())
    }

    fn layer(&mut self) -> Accumulator {
        std::array::from_fn(|_| self.i16())
    }
}
