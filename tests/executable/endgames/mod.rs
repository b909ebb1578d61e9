//! Building and packing endgame files through the executable.

pub(crate) mod builds;
mod memory;
mod packs;
