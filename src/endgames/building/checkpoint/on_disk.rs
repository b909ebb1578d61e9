//! A checkpoint as the place where the values of a database are that do not fit in memory: read and written in ranges.

use super::{BlockFile, CheckpointFile};
use kroo_core::endgames::probe::error::EndgameFileError;
use kroo_core::endgames::probe::plain_values::BLOCK;
use kroo_core::files::records::RecordError;
use std::io;
use std::ops::Range;

impl CheckpointFile {
    /// Writes all blocks that the file lacks. A function fills each; it gets the byte where the block begins.
    pub fn complete(&mut self, mut fill: impl FnMut(usize, &mut [u8])) -> Result<(), EndgameFileError> {
        let (file, mut buffer) = (&mut self.file, vec![0; BLOCK]);
        for block in
            (0..file.written.len()).filter(|&block| file.written[block].is_none()).collect::<Vec<_>>()
        {
            let (from, length) = file.block(block);
            fill(from, &mut buffer[..length]);
            file.write_filled(block, &buffer[..length])?;
        }
        Ok(())
    }

    /// Reads values from a byte on. All blocks are there.
    pub fn read(&mut self, from: usize, values: &mut [u8]) -> Result<(), EndgameFileError> {
        Ok(self.file.read_range(from, values)?)
    }

    /// Writes values from a byte on. All blocks are there. Those that do not change are left alone.
    pub fn write(&mut self, from: usize, values: &[u8]) -> Result<(), EndgameFileError> {
        Ok(self.file.write_range(from, values)?)
    }
}

impl BlockFile {
    fn read_range(&mut self, from: usize, values: &mut [u8]) -> Result<(), RecordError> {
        let mut buffer = Vec::new();
        for (block, place, within) in self.pieces(from, values.len()) {
            if within.len() == self.block(block).1 {
                self.read_block(block, &mut values[place])?;
            } else {
                buffer.resize(self.block(block).1, 0);
                self.read_block(block, &mut buffer)?;
                values[place].copy_from_slice(&buffer[within]);
            }
        }
        Ok(())
    }

    fn write_range(&mut self, from: usize, values: &[u8]) -> Result<(), RecordError> {
        let mut buffer = Vec::new();
        for (block, place, within) in self.pieces(from, values.len()) {
            let length = self.block(block).1;
            buffer.resize(length, 0);
            if within.len() < length {
                self.read_block(block, &mut buffer)?;
            }
            buffer[within].copy_from_slice(&values[place]);
            self.write_filled(block, &buffer)?;
        }
        Ok(())
    }

    /// The blocks that a range has a part in, with where that part is in the range and in the block.
    fn pieces(&self, from: usize, length: usize) -> Vec<(usize, Range<usize>, Range<usize>)> {
        let to = from + length;
        let piece = |block: usize| {
            let (start, length) = self.block(block);
            let (begin, end) = (from.max(start), to.min(start + length));
            (block, begin - from..end - from, begin - start..end - start)
        };
        (from / BLOCK..to.div_ceil(BLOCK)).map(piece).collect()
    }

    fn read_block(&mut self, block: usize, values: &mut [u8]) -> Result<(), RecordError> {
        if self.opened()?.read(BlockFile::place(block), block as u64, values)? {
            return Ok(());
        }
        let what = format!("block {} is not what was written", block + 1);
        let source = io::Error::new(io::ErrorKind::InvalidData, what);
        Err(RecordError::Read { path: self.path.clone(), source })
    }
}
