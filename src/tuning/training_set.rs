//! The positions of several files, read from the disk on demand; only the offsets of their blocks are in memory.
//!
//! The files are mapped, so the system caches as much of them as fits. If a file is changed meanwhile, training ends with an
//! error.

use super::data::{DataError, DataHeader, DataReader, POSITION, TrainingPosition, open_data};
use super::train::{Sample, Scales, SigmoidFit};
use crate::endgames::MappedFile;
use crate::files::records::{RECORD_HEAD, RecordError};
use crate::game::Rules;
use crc32fast::Hasher;
use std::path::Path;

/// A training data file with checked blocks.
pub struct DataFile {
    pub header: DataHeader,
    pub positions: usize,
    /// The sigmoid scale of its searches, in hundredths of a seed.
    pub scale: f32,
    /// The CRC-32 of its positions.
    pub check: u32,
    map: MappedFile,
    /// The number of each block's first position, and its offset in the file.
    blocks: Vec<(usize, usize)>,
}

impl DataFile {
    /// Opens a file and checks all of it.
    pub fn open(path: &Path) -> Result<DataFile, DataError> {
        let file = open_data(path)?;
        let mut reader = DataReader::new(path, &file)?;
        let header = reader.header;
        let (mut positions, mut blocks) = (0, Vec::new());
        let (mut fit, mut check) = (SigmoidFit::new(), Hasher::new());
        loop {
            let at = reader.at() as usize + RECORD_HEAD;
            let Some(block) = reader.block()? else { break };
            blocks.push((positions, at));
            for position in &block {
                fit.add(position);
                check.update(&position.pack());
            }
            positions += block.len();
        }
        drop(reader);
        let unread = |source| RecordError::Read { path: path.to_owned(), source };
        let map = MappedFile::new(file, path).map_err(unread)?;
        Ok(DataFile { header, positions, scale: fit.scale(), check: check.finalize(), map, blocks })
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

    #[expect(clippy::len_without_is_empty, reason = "no code asks")]
    pub fn len(&self) -> usize {
        self.files.iter().map(|file| file.positions).sum()
    }

    /// The network's sigmoid scale. It is that of the first file: values do not grow from one generation to the next.
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
    pub fn check(&self) -> Result<(), DataError> {
        match self.files.iter().find_map(|file| file.map.take_lost()) {
            None => Ok(()),
            Some(path) => Err(DataError::Changed { path: path.to_owned() }),
        }
    }
}
