//! Training data files: positions with a search score and the game result.
//!
//! A file has a record ([`RecordFile`]) for the positions of [`GAMES_PER_BLOCK`] games each. So an interrupted run leaves at most
//! one incomplete record at the end, which the next run replaces. Numbers are little-endian.
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

use crate::bench;
use crate::evaluate::Weights;
use crate::files;
use crate::files::records::{Origin, RecordError, RecordFile, RecordReader};
use crate::game::{Board, Flag, LARGEST_GAME, Row, Variant, Verdict};
use crate::value::{Proof, Score, Value};
use std::fs::File;
use std::path::{Path, PathBuf};

/// Games in a block: some 1,500 positions, a few seconds of an interrupted run.
pub const GAMES_PER_BLOCK: u64 = 32;
pub(super) const POSITION: usize = 20;
/// The name and the version of the format.
const FORMAT: (&str, u32) = ("training data", 3);
/// The fields of a file's origin.
const NODES: &str = "nodes";
const SEED: &str = "seed";
const ENDGAME_SEEDS: &str = "endgame seeds";

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

/// The question that data answers. Two files with the same one, by the same engine and weights, have the same records, up to the
/// end of the shorter one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataHeader {
    pub variant: Variant,
    /// Nodes of each search.
    pub nodes: u64,
    pub seed: u64,
    /// Boards with at most this many seeds were looked up in endgame files; 0 without files.
    pub endgame_seeds: u8,
}

/// A fault of a training data file.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    #[error(transparent)]
    File(#[from] RecordError),
    #[error("{} was changed while it was read: begin again", files::shown(.path))]
    Changed { path: PathBuf },
}

impl TrainingPosition {
    pub(super) fn pack(&self) -> [u8; POSITION] {
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
    fn origin(&self, weights: &Weights) -> Origin {
        let origin = bench::origin(FORMAT, self.variant, weights);
        origin.with(NODES, self.nodes).with(SEED, self.seed).with(ENDGAME_SEEDS, self.endgame_seeds)
    }

    fn of(origin: &Origin) -> Option<DataHeader> {
        let number = |name| origin.get(name)?.parse::<u64>().ok();
        Some(DataHeader {
            variant: origin.get(bench::RULE_SET)?.parse().ok()?,
            nodes: number(NODES)?,
            seed: number(SEED)?,
            endgame_seeds: number(ENDGAME_SEEDS)?.try_into().ok()?,
        })
    }
}

/// Appends blocks to a file.
#[derive(Debug)]
pub struct DataWriter {
    file: RecordFile,
    /// Positions in the file.
    pub positions: u64,
}

impl DataWriter {
    /// Opens a file to append to, or creates it; the weights are those of the searches.
    pub fn open(path: &Path, header: DataHeader, weights: &Weights) -> Result<DataWriter, DataError> {
        let mut positions = 0;
        let file = RecordFile::open(path, &header.origin(weights), |record| {
            let block = unpack(record);
            positions += block.as_ref().map_or(0, |block| block.len() as u64);
            block.is_some()
        })?;
        Ok(DataWriter { file, positions })
    }

    /// Blocks in the file.
    pub fn blocks(&self) -> u64 {
        self.file.records()
    }

    /// Adds a block. When this returns it is on the disk.
    pub fn add(&mut self, positions: &[TrainingPosition]) -> Result<(), DataError> {
        let content: Vec<u8> = positions.iter().flat_map(TrainingPosition::pack).collect();
        self.file.append(&content)?;
        self.positions += positions.len() as u64;
        Ok(())
    }
}

/// The positions of a block, if the bytes are one.
fn unpack(record: &[u8]) -> Option<Vec<TrainingPosition>> {
    let (positions, rest) = record.as_chunks::<POSITION>();
    rest.is_empty().then(|| positions.iter().map(TrainingPosition::unpack).collect())?
}

pub(super) struct DataReader<'a> {
    pub header: DataHeader,
    records: RecordReader<'a>,
}

impl<'a> DataReader<'a> {
    pub fn new(path: &Path, file: &'a File) -> Result<DataReader<'a>, DataError> {
        let (origin, records) = RecordReader::new(path, file, FORMAT)?;
        let foreign = || RecordError::Foreign { path: path.to_owned(), expected: FORMAT.0.to_owned() };
        Ok(DataReader { header: DataHeader::of(&origin).ok_or_else(foreign)?, records })
    }

    /// Where the next block begins.
    pub fn at(&self) -> u64 {
        self.records.at()
    }

    pub fn block(&mut self) -> Result<Option<Vec<TrainingPosition>>, DataError> {
        let Some(record) = self.records.next_record()? else { return Ok(None) };
        match unpack(&record) {
            None => Err(self.records.refuse(&record).into()),
            block => Ok(block),
        }
    }
}

pub(super) fn open_data(path: &Path) -> Result<File, DataError> {
    Ok(files::open(path).map_err(|source| RecordError::Read { path: path.to_owned(), source })?)
}

/// The header of a file, and all its positions.
pub fn read_data(path: &Path) -> Result<(DataHeader, Vec<TrainingPosition>), DataError> {
    let file = open_data(path)?;
    let mut reader = DataReader::new(path, &file)?;
    let mut positions = Vec::new();
    while let Some(block) = reader.block()? {
        positions.extend(block);
    }
    Ok((reader.header, positions))
}
