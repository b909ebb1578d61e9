//! The experiment of Davis and Kendall (2002): players whose evaluation is six weights evolve by playing each other.
//!
//! It depends on `kroo` for the rules. Begin with [`run::evolve`].
//!
//! # One run, from the command line to its files
//! [`arguments`] makes [`settings::Settings`] of the options; what is not given is the paper's. [`run::evolve`] looks
//! whether the folder has a [`checkpoint`] of the same run, and goes on behind its last generation, or begins with
//! players of random weights ([`rng`]). A generation's players meet ([`games`], each [`game`] on whatever thread is free), are
//! ranked, and the best survive and have children ([`population`]). After each the checkpoint takes the place of the one
//! before; now and then, and at the end, the [`report`] and the [`picture`] are written.
//!
//! # The same files from the same numbers
//! Which games there are, and what comes of each, hangs on the players alone. What is drawn has its place in the run and
//! not in a sequence. Sums are made in one order, and the one function that a system's library might round otherwise, the
//! logarithm, is not the system's. So neither threads, nor machines, nor ends and beginnings show in a result.
//!
//! [`tables`] plays the players of six weights against the engine's levels, as the paper's tables 1 to 6 do against another
//! program's.
//!
//! # What is not played
//! Games between survivors, who have met before, and the rest of games that go round in circles: both come out as they
//! would, see [`games`] and [`game`].

pub mod arguments;
pub mod checkpoint;
pub mod game;
pub mod games;
pub mod picture;
pub mod population;
pub mod report;
pub mod rng;
pub mod run;
pub mod settings;
pub mod tables;
