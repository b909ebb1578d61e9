//! The experiment of Davis and Kendall (2002): players whose evaluation is six weights evolve by playing each other.
//!
//! Use it to run the experiment again, with other numbers, in any rule set. The same settings give the same files on any
//! machine.
//!
//! | type | content |
//! |---|---|
//! | [`settings::Settings`] | everything that a run's result depends on; the defaults are the paper's |
//! | [`population::Individual`] | a player: six weights, its parent, the generation of its birth |
//! | [`population::Generation`] | the players of a generation, ranked by their points |
//!
//! # A run
//! [`run::evolve`] plays all generations, or continues after the last one of the [`checkpoint`] in the folder.
//!
//! ```
//! use kroo_evolution::run::evolve;
//! use kroo_evolution::settings::Settings;
//!
//! let settings = Settings { population: 2, survivors: 1, generations: 2, depth: 1, ..Settings::default() };
//! let folder = tempfile::tempdir()?;
//! let run = evolve(&settings, folder.path(), 1)?; // by one thread
//! assert_eq!(run.generations.len(), 2);
//! let (player, points) = run.generations[1].best();
//! println!("{points} points for {:?}", player.weights);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! From the command line to the files: [`arguments`] makes [`settings::Settings`] of the options. The first players have
//! random weights ([`rng`]). The players of a generation meet ([`games`], each [`game`] on any thread) and are ranked; the
//! best survive and have children ([`population`]). Each generation replaces the checkpoint. From time to time, and at the
//! end, the [`report`] and the [`picture`] are written. [`tables`] plays players of six weights against the engine's levels,
//! as the paper's tables 1 to 6 do against those of another program.
//!
//! # Reproducible files
//! Games depend on their players only, and games between survivors and the rest of cyclic games have known results
//! ([`games`], [`game`]). Random numbers depend on generation and player, not on the order of draws. Sums have a fixed order,
//! and the only function that system libraries may round differently, the logarithm, is not the system's. So results do not
//! depend on threads, machines and interruptions.
//!
//! # Imports
//! It imports `kroo` for rules, players, levels and search, and never the referee.

pub mod game;
pub mod population;
pub mod run;

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
pub mod settings;
#[doc(hidden)]
pub mod tables;
