//! The reach of an engine: its environment, its sandbox, and what is left behind.

mod confinement;
mod leftovers;
mod machine;
mod replaced;
mod sandbox;
