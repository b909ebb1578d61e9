//! The positions of several files, read from the disk on demand; only the offsets of their blocks are in memory.
//!
//! The files are mapped, so the system caches as much of them as fits. If a file is changed meanwhile, training ends with an
//! error.

use super::data::{DataError, DataHeader, POSITION, Reader, TrainingPosition};
use super::train::{Sample, Scales, SigmoidFit};
use crate::endgame::MappedFile;
use crate::files;
use crate::game::Rules;
use std::path::Path;

/// A training data file with checked blocks.
pub struct DataFile {
    /// Its origin.
    pub header: DataHeader,
    /// Its positions.
    pub positions: usize,
    /// The sigmoid scale of its searches, in hundredths of a seed.
    pub scale: f32,
    map: MappedFile,
    /// The number of each block's first position, and its offset in the file.
    blocks: Vec<(usize, usize)>,
}

impl DataFile {
    /// Opens a file and checks it up to the first incomplete block.
    ///
    /// # Errors
    /// If it cannot be read, or is no training data.
    pub fn open(path: &Path) -> Result<DataFile, DataError> {
        let io = |error| DataError::Io { path: path.to_owned(), error };
        let file = files::open(path).map_err(io)?;
        let mut reader = Reader::new(path, &file)?;
        let (header, mut at) = (reader.header, reader.header_length);
        let (mut positions, mut blocks, mut fit) = (0, Vec::new(), SigmoidFit::new());
        while let Some(block) = reader.block() {
            blocks.push((positions, at + Reader::BLOCK_HEADER));
            block.iter().for_each(|position| fit.add(position));
            positions += block.len();
            at += Reader::BLOCK_HEADER + block.len() * POSITION;
        }
        let map = MappedFile::new(file, path).map_err(io)?;
        Ok(DataFile { header, positions, scale: fit.scale(), map, blocks })
    }

    /// The position with a number; `None` if the file has changed.
    fn position(&self, number: usize) -> Option<TrainingPosition> {
        let block = self.blocks.partition_point(|&(first, _)| first <= number).checked_sub(1)?;
        let (first, at) = self.blocks[block];
        let bytes = self.map.get(at + (number - first) * POSITION..)?.first_chunk()?;
        TrainingPosition::unpack(bytes)
    }
}

/// The positions of several files, with consecutive numbers.
pub struct TrainingSet<'a> {
    files: &'a [DataFile],
    /// The number of the first position of each file.
    firsts: Vec<usize>,
    result_share: f32,
}

impl<'a> TrainingSet<'a> {
    /// The positions of at least one file; for the weight of the result see [`TrainPlan`](super::TrainPlan).
    pub fn new(files: &'a [DataFile], result_share: f32) -> TrainingSet<'a> {
        let first =
            |first: &mut usize, file: &DataFile| Some(std::mem::replace(first, *first + file.positions));
        let firsts = files.iter().scan(0, first).collect();
        TrainingSet { files, firsts, result_share }
    }

    /// The number of positions.
    #[expect(clippy::len_without_is_empty, reason = "no code asks")]
    pub fn len(&self) -> usize {
        self.files.iter().map(|file| file.positions).sum()
    }

    /// The network's sigmoid scale. It is that of the first file, so values do not grow from one generation to the next.
    pub fn scale(&self) -> f32 {
        self.files[0].scale
    }

    /// A position, with the scale of its file; `None` if the file has changed, which [`TrainingSet::check`] reports.
    pub fn position(&self, number: usize) -> Option<(TrainingPosition, f32)> {
        let index = self.firsts.partition_point(|&first| first <= number) - 1;
        let file = &self.files[index];
        let found = file.position(number - self.firsts[index]);
        if found.is_none() {
            file.map.lose();
        }
        Some((found?, file.scale))
    }

    /// The sample of a position.
    pub fn sample<R: Rules>(&self, number: usize) -> Option<Sample> {
        self.labelled::<R>(number).map(|(_, sample)| sample)
    }

    /// The same, with the position.
    pub fn labelled<R: Rules>(&self, number: usize) -> Option<(TrainingPosition, Sample)> {
        let (position, data) = self.position(number)?;
        let scales = Scales { data, network: self.scale() };
        Some((position, Sample::new::<R>(&position, scales, self.result_share)))
    }

    /// Checks that the files have not changed since they were opened.
    ///
    /// # Errors
    /// If one has.
    pub fn check(&self) -> Result<(), DataError> {
        match self.files.iter().find_map(|file| file.map.take_lost()) {
            None => Ok(()),
            Some(path) => {
                let what = "it was changed while it was read; begin again".to_owned();
                Err(DataError::Foreign { path: path.to_owned(), what })
            }
        }
    }
}
