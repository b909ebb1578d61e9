//! The file of a database built on the disk.

use super::OutOfCore;
use crate::writer::write_file;
use kroo_core::endgames::building::cell::Cell;
use kroo_core::endgames::building::coding::CellCounts;
use kroo_core::endgames::probe::error::EndgameFileError;
use kroo_core::endgames::probe::file::Header;
use kroo_core::endgames::probe::indexing::CODES;
use kroo_core::endgames::probe::indexing::database_size;
use kroo_core::game::Rules;
use kroo_core::thread_pool::ThreadPool;
use std::io;

impl<R: Rules, C: Cell> OutOfCore<'_, R, C> {
    /// Writes the file of the database, when nothing changes any more.
    pub(super) fn write_database(&mut self, threads: &ThreadPool) -> Result<(), EndgameFileError> {
        let seeds = self.state.seeds;
        let thresholds = |cell: C| cell.turned::<R>(seeds).thresholds();
        let mut counts = CellCounts::new::<C>();
        for other in 0..=seeds {
            self.load_part(other, 0, 0)?;
            counts.add(&self.state.read(other).values[..self.state.boards(other)], threads);
        }
        let (coding, mut rare) = (counts.coding(&thresholds, CODES), Vec::new());
        for other in (0..=seeds).filter(|_| coding.too_many) {
            self.load_part(other, 0, 0)?;
            let first = self.state.indexing.first_index(seeds, other) as u64;
            let part = self.state.read(other);
            let found = coding.rare(first, &part.values[..self.state.boards(other)]);
            rare.extend(found.map(|(index, cell)| (index, thresholds(cell))));
        }
        let header = Header {
            variant: R::VARIANT,
            seeds,
            bytes: database_size(seeds) as usize,
            thresholds: coding.thresholds.clone(),
            rare,
        };
        let mut cells: Vec<C> = Vec::new();
        write_file(&header, &self.path, &mut |from, block| {
            cells.resize(block.len(), C::WORST);
            let read = self.values.read(size_of::<C>() * from, bytemuck::cast_slice_mut(&mut cells));
            read.map_err(io::Error::other)?;
            block.iter_mut().zip(&cells).for_each(|(code, &cell)| *code = coding.code(cell));
            Ok(())
        })
    }
}
