//! The experiment of Davis and Kendall (2002): players whose evaluation is six weights evolve by playing each other.
//!
//! It depends on `kroo` for rules, players, levels and search. Begin with [`run::evolve`].
//!
//! # One run, from the command line to its files
//! [`arguments`] makes [`settings::Settings`] of the options; the defaults are the paper's. [`run::evolve`] continues after the
//! last generation of a [`checkpoint`] of the same run, if the folder has one, or begins with players of random weights
//! ([`rng`]). The players of a generation meet ([`games`], each [`game`] on any thread) and are ranked; the best survive and
//! have children ([`population`]). Each generation replaces the checkpoint. From time to time, and at the end, the [`report`]
//! and the [`picture`] are written.
//!
//! # Reproducible files
//! Games depend on their players only. Random numbers depend on generation and player, not on the order of draws. Sums have a
//! fixed order, and the only function that system libraries may round differently, the logarithm, is not the system's. So
//! results do not depend on threads, machines and interruptions.
//!
//! [`tables`] plays players of six weights against the engine's levels, as the paper's tables 1 to 6 do against those of
//! another program.
//!
//! # Games without playing
//! Games between survivors, and the rest of cyclic games, have known results ([`games`], [`game`]).

pub mod game;
pub mod population;
pub mod run;
pub mod settings;

// Not an API: for the executable and the tests.
#[doc(hidden)]
pub mod arguments;
#[doc(hidden)]
pub mod checkpoint;
#[doc(hidden)]
pub mod games;
#[doc(hidden)]
pub mod picture;
#[doc(hidden)]
pub mod report;
#[doc(hidden)]
pub mod rng;
#[doc(hidden)]
pub mod tables;
