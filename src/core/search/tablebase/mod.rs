//! What a search asks of the endgame tablebase ([`crate::endgame`]).
//!
//! | when | what | where |
//! |---|---|---|
//! | at every node | boards with no more seeds than the limit are probed | `probing.rs` |
//! | before every iteration | levels that are worth their cost are built; the root is looked up | `probing.rs`, `budget.rs` |
//! | after every iteration | a known result is converted: moves by their distance to conversion | `probing.rs`, `conversion.rs` |
//! | while the solver runs | larger levels are built as its nodes pay for them | `../solver/state.rs` |

pub mod budget;
pub mod conversion;
mod probing;
