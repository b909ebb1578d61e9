//! Building and packing endgame files through the executable.

pub(crate) mod builds;
mod little_memory;
mod packs;
