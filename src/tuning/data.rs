//! Training data files: positions with a search score and the game result.
//!
//! A file is a header, then blocks. A block has the positions of [`GAMES_PER_BLOCK`] games and a checksum, and is written in
//! one operation. So an interrupted run leaves at most one broken block at the end, which [`DataWriter::open`] drops before it
//! continues. Numbers are little-endian.
//!
//! | bytes | header |
//! |---|---|
//! | 8 | `KrooData` |
//! | 4 | version: 2, or 1 |
//! | 12 | name of the rule set, padded with zeros |
//! | 8 | nodes of each search |
//! | 8 | random seed |
//! | 4 | seeds of the endgame files, or 0; absent in version 1 |
//! | 4 | CRC-32 of the bytes before |
//!
//! | bytes | block |
//! |---|---|
//! | 4 | number of positions |
//! | 4 | CRC-32 of the positions |
//! | 20 each | the positions |
//!
//! | bytes | position |
//! |---|---|
//! | 6 | the mover's pits |
//! | 6 | the other side's pits |
//! | 1 | the mover's store |
//! | 1 | the other side's store |
//! | 1 | 1 in the second move of a turn, otherwise 0 |
//! | 2 | the value of the search, for the mover ([`Value::to_bits`]) |
//! | 1 | bit 0: the value is a proven lower bound; bit 1: a proven upper bound |
//! | 1 | the result of the game for the mover: 0 loss, 1 draw, 2 win |
//! | 1 | the final difference of the stores for the mover, in seeds, signed |

use crate::files;
use crate::game::{Board, Flag, LARGEST_GAME, Row, Variant, Verdict};
use crate::value::{Proof, Score, Value};
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Games in a block: some 1,500 positions, a few seconds of an interrupted run.
pub const GAMES_PER_BLOCK: u64 = 32;
/// Bytes of a position.
pub(super) const POSITION: usize = 20;
const MAGIC: &[u8; 8] = b"KrooData";
const VERSION: u32 = 2;
/// Bytes of the header.
const HEADER: usize = 48;
/// Bytes of the header of version 1.
const FIRST_HEADER: usize = 44;
/// Maximum positions in a block, more than its games can have.
const MOST_POSITIONS: u32 = 100_000;

/// A training position: a board, a search score, and the game result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrainingPosition {
    /// The board, seen by its mover.
    pub board: Board,
    /// The score of the search, for the mover.
    pub score: Score,
    /// The game result for the mover.
    pub result: Verdict,
    /// The final difference of the stores, in seeds, for the mover.
    pub margin: i8,
}

/// The origin of data. Two files with the same header have the same blocks, up to the end of the shorter one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataHeader {
    /// The rule set.
    pub variant: Variant,
    /// Nodes of each search.
    pub nodes: u64,
    /// The random seed.
    pub seed: u64,
    /// Boards with at most this many seeds were looked up in endgame files; 0 without files.
    pub endgame_seeds: u8,
}

/// A fault of a training data file.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// It cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// Not training data, or from another origin.
    #[error("{}: {what}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The fault.
        what: String,
    },
}

impl TrainingPosition {
    fn pack(&self) -> [u8; POSITION] {
        let Board { mover, other } = self.board;
        let mut bytes = [0; POSITION];
        bytes[..6].copy_from_slice(&mover.pits());
        bytes[6..12].copy_from_slice(&other.pits());
        (bytes[12], bytes[13]) = (mover.store(), other.store());
        bytes[14] = u8::from(self.board.has(Flag::SecondMove));
        bytes[15..17].copy_from_slice(&self.score.value.to_bits().to_le_bytes());
        bytes[17] = u8::from(self.score.proof.at_least) | u8::from(self.score.proof.at_most) << 1;
        bytes[18] = self.result as u8;
        bytes[19] = self.margin as u8;
        bytes
    }

    /// Unpacks a position, if the bytes are one.
    pub(super) fn unpack(bytes: &[u8; POSITION]) -> Option<TrainingPosition> {
        let row = |from: usize, store: u8| Row::new(std::array::from_fn(|pit| bytes[from + pit]), store);
        if bytes[..14].iter().map(|&seeds| u32::from(seeds)).sum::<u32>() > u32::from(LARGEST_GAME) {
            return None;
        }
        let board = Board { mover: row(0, bytes[12]), other: row(6, bytes[13]) };
        let result = match bytes[18] {
            0 => Verdict::Loss,
            1 => Verdict::Draw,
            2 => Verdict::Win,
            _ => return None,
        };
        Some(TrainingPosition {
            board: board.flag_if(Flag::SecondMove, bytes[14] != 0),
            score: Score {
                value: Value::from_bits(u16::from_le_bytes([bytes[15], bytes[16]])),
                proof: Proof { at_least: bytes[17] & 1 != 0, at_most: bytes[17] & 2 != 0 },
            },
            result,
            margin: bytes[19] as i8,
        })
    }
}

impl DataHeader {
    fn pack(&self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        let name = self.variant.name().as_bytes();
        bytes[12..12 + name.len()].copy_from_slice(name);
        bytes[24..32].copy_from_slice(&self.nodes.to_le_bytes());
        bytes[32..40].copy_from_slice(&self.seed.to_le_bytes());
        bytes[40..44].copy_from_slice(&u32::from(self.endgame_seeds).to_le_bytes());
        let sum = crc32fast::hash(&bytes[..44]);
        bytes[44..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Reads the header; returns it with its length.
    fn read(input: &mut impl Read) -> Result<(DataHeader, usize), String> {
        let mut bytes = [0; HEADER];
        let mut fill = |bytes: &mut [u8]| {
            input.read_exact(bytes).map_err(|_| "this is not training data of Kroo".to_owned())
        };
        fill(&mut bytes[..12])?;
        let word = |bytes: &[u8], at: usize| u32::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte]));
        if &bytes[..8] != MAGIC {
            return Err("this is not training data of Kroo".to_owned());
        }
        let length = match word(&bytes, 8) {
            1 => FIRST_HEADER,
            VERSION => HEADER,
            version => {
                return Err(format!(
                    "training data of version {version}; this engine reads versions 1 and {VERSION}"
                ));
            }
        };
        fill(&mut bytes[12..length])?;
        if word(&bytes, length - 4) != crc32fast::hash(&bytes[..length - 4]) {
            return Err("the checksum of the header is wrong: the file is damaged".to_owned());
        }
        let long = |at: usize| u64::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte]));
        let name = String::from_utf8_lossy(&bytes[12..24]).trim_end_matches('\0').to_owned();
        let variant = name.parse().map_err(|error| format!("{error}"))?;
        let endgame_seeds = if length == HEADER { word(&bytes, 40) as u8 } else { 0 };
        Ok((DataHeader { variant, nodes: long(24), seed: long(32), endgame_seeds }, length))
    }
}

/// Appends blocks to a file.
pub struct DataWriter {
    path: PathBuf,
    file: File,
    /// Blocks in the file.
    pub blocks: u64,
    /// Positions in the file.
    pub positions: u64,
}

impl DataWriter {
    /// Opens a file to append to after its last whole block, or creates it.
    ///
    /// # Errors
    /// If it cannot be read and written, or has other content.
    pub fn open(path: &Path, header: DataHeader) -> Result<DataWriter, DataError> {
        let io = |error| DataError::Io { path: path.to_owned(), error };
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = files::open_with(options, path).map_err(io)?;
        if file.metadata().map_err(io)?.len() == 0 {
            file.write_all(&header.pack()).map_err(io)?;
            return Ok(DataWriter { path: path.to_owned(), file, blocks: 0, positions: 0 });
        }
        let mut reader = Reader::new(path, &file)?;
        if reader.header != header {
            let DataHeader { variant, nodes, seed, endgame_seeds } = reader.header;
            let what = format!(
                "it has other data already ({variant}, {nodes} nodes, seed {seed}, endgames of {endgame_seeds} seeds); \
                 name another file"
            );
            return Err(DataError::Foreign { path: path.to_owned(), what });
        }
        let (mut blocks, mut positions, mut end) = (0, 0, reader.header_length as u64);
        while let Some(block) = reader.block() {
            blocks += 1;
            positions += block.len() as u64;
            end += (Reader::BLOCK_HEADER + block.len() * POSITION) as u64;
        }
        file.set_len(end).map_err(io)?;
        file.seek(SeekFrom::Start(end)).map_err(io)?;
        Ok(DataWriter { path: path.to_owned(), file, blocks, positions })
    }

    /// Adds a block.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, positions: &[TrainingPosition]) -> Result<(), DataError> {
        let payload: Vec<u8> = positions.iter().flat_map(TrainingPosition::pack).collect();
        let mut bytes = (positions.len() as u32).to_le_bytes().to_vec();
        bytes.extend_from_slice(&crc32fast::hash(&payload).to_le_bytes());
        bytes.extend_from_slice(&payload);
        self.file.write_all(&bytes).map_err(|error| DataError::Io { path: self.path.clone(), error })?;
        self.blocks += 1;
        self.positions += positions.len() as u64;
        Ok(())
    }
}

/// Reads blocks up to the first incomplete one.
pub(super) struct Reader<'a> {
    pub header: DataHeader,
    pub header_length: usize,
    input: BufReader<&'a File>,
}

impl<'a> Reader<'a> {
    /// Bytes of a block before its positions.
    pub const BLOCK_HEADER: usize = 8;

    pub fn new(path: &Path, file: &'a File) -> Result<Reader<'a>, DataError> {
        let foreign = |what: String| DataError::Foreign { path: path.to_owned(), what };
        let mut input = BufReader::new(file);
        let (header, header_length) = DataHeader::read(&mut input).map_err(foreign)?;
        Ok(Reader { header, header_length, input })
    }

    pub fn block(&mut self) -> Option<Vec<TrainingPosition>> {
        let mut head = [0; Reader::BLOCK_HEADER];
        self.input.read_exact(&mut head).ok()?;
        let [count, sum] = [0, 4].map(|at| u32::from_le_bytes(std::array::from_fn(|byte| head[at + byte])));
        if count > MOST_POSITIONS {
            return None;
        }
        let mut payload = vec![0; count as usize * POSITION];
        self.input.read_exact(&mut payload).ok()?;
        if crc32fast::hash(&payload) != sum {
            return None;
        }
        let (positions, _) = payload.as_chunks::<POSITION>();
        positions.iter().map(TrainingPosition::unpack).collect()
    }
}

/// The header of a file, and all positions in its complete blocks.
///
/// # Errors
/// If it cannot be read, or is no training data.
pub fn read_data(path: &Path) -> Result<(DataHeader, Vec<TrainingPosition>), DataError> {
    let file = files::open(path).map_err(|error| DataError::Io { path: path.to_owned(), error })?;
    let mut reader = Reader::new(path, &file)?;
    let mut positions = Vec::new();
    while let Some(block) = reader.block() {
        positions.extend(block);
    }
    Ok((reader.header, positions))
}
