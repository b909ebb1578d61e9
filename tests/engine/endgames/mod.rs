//! Endgames: built, probed, stored and converted.

mod acyclic;
mod brute;
mod checkpoint;
mod database_file;
mod database_files;
mod distributed;
mod distributed_parts;
mod endgame_files;
mod fixpoint;
mod graph_iteration;
mod interrupted;
mod known;
mod lost_files;
mod mapped_file;
mod memory;
mod probe;
mod sown_ranks;
mod thread_pool;
mod tile_coder;
mod tiling;
