//! The effect of a sowing on the other side's rows, as runs of ranks: the rows of a run are adjacent before and after the sowing.
//!
//! The first pits of a row vary fastest in the order of ranks. Two rows that differ by a seed in the first pit and one in the
//! second are neighbours, and a sowing leaves them neighbours. A run is one longer than the number of seeds in the first two
//! pits: some five to eight rows in the databases of 20 to 30 seeds. [`RUN`] values are copied at once even if the run is
//! shorter: the next run overwrites the excess.

use std::ops::Range;

/// Values that are copied at once.
pub const RUN: usize = 16;
/// Ranks at which reading may begin are multiples of this.
pub const ALIGN: usize = 32;

#[derive(Clone, Copy, Debug)]
struct Run {
    /// The rank of the row behind its last one.
    end: u32,
    /// The difference of the ranks after and before the sowing.
    shift: u32,
}

/// By the rank of a row, the rank of the row that a sowing makes of it. They rise.
#[derive(Clone, Debug, Default)]
pub struct SownRanks {
    /// The runs, in order.
    runs: Vec<Run>,
    /// By the rank of a row divided by [`ALIGN`], the run that it is in.
    starts: Vec<u32>,
    /// By the rank of a row divided by [`ALIGN`], the rank of what becomes of it; then that of what becomes of the last row.
    targets: Vec<u32>,
}

impl SownRanks {
    /// From the rank of each row after the sowing.
    pub fn new(targets: impl Iterator<Item = u32>) -> SownRanks {
        let mut sowing = SownRanks::default();
        let mut last = 0;
        for (from, target) in (0..).zip(targets) {
            let shift = target - from;
            match sowing.runs.last_mut() {
                Some(run) if run.shift == shift => run.end += 1,
                _ => sowing.runs.push(Run { end: from + 1, shift }),
            }
            if (from as usize).is_multiple_of(ALIGN) {
                sowing.starts.push(sowing.runs.len() as u32 - 1);
                sowing.targets.push(target);
            }
            last = target;
        }
        sowing.targets.push(last);
        sowing
    }

    /// The least and the largest rank of what becomes of a stretch of rows that begins at a multiple of [`ALIGN`]; the largest
    /// may be that of a later row.
    #[inline]
    pub fn span(&self, rows: &Range<usize>) -> (usize, usize) {
        (self.targets[rows.start / ALIGN] as usize, self.targets[rows.end.div_ceil(ALIGN)] as usize)
    }

    /// Copies the values of what becomes of a stretch of rows, which begins at a multiple of [`ALIGN`]. `slab` has the values
    /// of all rows that there are after the sowing and [`RUN`] more, and `to` has room for [`RUN`] more than the stretch.
    #[inline]
    pub fn gather<C: Copy>(&self, slab: &[C], rows: &Range<usize>, to: &mut [C]) {
        let first = self.starts[rows.start / ALIGN] as usize;
        let mut at = 0;
        let length = rows.end - rows.start;
        for run in &self.runs[first..] {
            let (end, from) = (length.min(run.end as usize - rows.start), run.shift as usize + rows.start);
            loop {
                to[at..at + RUN].copy_from_slice(&slab[from + at..from + at + RUN]);
                at += RUN;
                if at >= end {
                    break;
                }
            }
            at = end;
            if end == length {
                break;
            }
        }
    }
}
