//! The numbers of the search that were chosen by matches, or without any, each declared once: its value, what was tried, and the
//! range in which a tuner may try others.
//!
//! In every build that plays they are constants. In one with the feature `tune` they are options as well: `uci` lists them and
//! `setoption` sets them, for the whole process, so that `referee tune` can look for better ones. Nobody else sees them.
//!
//! `tests/bench/experiments.csv` has the matches behind the numbers, and those of other numbers that were tried.

use crate::game::Variant;

/// Declares the numbers: the function that tells each, its option, its value, and its range.
macro_rules! parameters {
    ($($(#[doc = $doc:literal])+ $name:ident, $option:literal = $value:literal, $range:expr;)+) => {
        $(
            $(#[doc = $doc])+
            #[cfg(not(feature = "tune"))]
            #[inline(always)]
            pub const fn $name() -> i32 {
                $value
            }

            $(#[doc = $doc])+
            #[cfg(feature = "tune")]
            #[inline(always)]
            pub fn $name() -> i32 {
                tunable::PARAMETERS[tunable::Place::$name as usize].value()
            }
        )+

        #[cfg(feature = "tune")]
        mod tunable {
            use super::Parameter;
            use std::sync::atomic::AtomicI32;

            #[expect(non_camel_case_types, reason = "a place for each function above")]
            pub(super) enum Place {
                $($name),+
            }

            pub(super) static PARAMETERS: [Parameter; [$($option),+].len()] = [
                $(Parameter { name: $option, default: $value, range: $range, value: AtomicI32::new($value) }),+
            ];
        }

        /// The name, the value and the range of each.
        pub const DECLARED: &[(&str, i32, std::ops::RangeInclusive<i32>)] = &[$(($option, $value, $range)),+];
    };
}

parameters! {
    /// Moves of a node that are searched in full before any is reduced. From the second move on: +17 ± 44 Elo in
    /// `awari` and −17 ± 38 in `oware`; so in all pairs below.
    full_moves, "LmrFullMoves" = 2, 1..=6;
    /// Depth in plies below which nothing is reduced (chosen, not measured).
    min_reduced_depth, "LmrMinDepth" = 3, 2..=8;
    /// From this depth on two plies are taken off, where logarithms do not say how many … From 5 on: −17 ± 45 and −10 ± 40 Elo.
    deep, "LmrDeep" = 7, 3..=20;
    /// … if so many moves have been searched (no match; `referee tune` ended at 3 too).
    late, "LmrLate" = 3, 1..=6;
    /// Depth in plies below which a node without a table's move is not reduced (no match of others; `referee tune` ended at 6).
    min_depth_without_move, "IirMinDepth" = 5, 2..=12;
    /// The greatest depth in plies that an evaluation may stand for. To 7 in place of 4: +37 ± 36 and +44 ± 40 Elo; to 12 in
    /// place of 7: +9 ± 38 and −10 ± 36.
    max_pruned_depth, "RfpMaxDepth" = 7, 1..=15;
    /// Hundredths of a seed that a ply is likely to cost at the most. Measured beside 140 to depth 5 and 60 to depth 8, which
    /// were no better.
    margin_per_ply, "RfpMargin" = 80, 20..=300;
    /// The same two numbers in `awari`, where `referee tune` found them in 5,600 games: together +22 ± 17 Elo against those
    /// above (100,000 nodes a move, 464 games, a sequential test accepted them).
    max_pruned_depth_in_awari, "RfpMaxDepthAwari" = 12, 1..=15;
    /// In hundredths of a seed.
    margin_per_ply_in_awari, "RfpMarginAwari" = 128, 20..=300;
    /// Depth in plies below which no move is looked at for being singular (`singular.rs`; chosen, not measured).
    min_singular_depth, "SeMinDepth" = 6, 3..=99;
    /// Hundredths of a seed a ply by which a move must be better than all others to be singular; 4 and 16 were no better in
    /// `awari` (800 and 400 games).
    singular_margin, "SeMargin" = 8, 1..=100;
    /// Hundredths of a seed by which it must be better still to be searched two plies deeper (`singular.rs` has what that
    /// won; other margins were not tried).
    margin_of_two_plies, "SeDoubleMargin" = 60, 1..=1000;
    /// Depth in plies below which the window of the root is open (chosen, not measured).
    min_aspiration_depth, "AspirationMinDepth" = 5, 2..=12;
    /// Half of the first aspiration window, in hundredths of a seed. 30, 100 and 150 took 1.01, 0.99 and 1.01 of the nodes in
    /// `awari`.
    half_window, "AspirationWindow" = 60, 10..=400;
    /// By what a window is widened that does not hold the value (chosen, not measured).
    widening, "AspirationWidening" = 4, 2..=10;
    /// A fall of the score in hundredths of a seed that deserves half as much time again (chosen, not measured).
    score_drop, "TimeScoreDrop" = 40, 10..=300;
}

/// The greatest depth in plies that an evaluation may stand for, and the hundredths of a seed that a ply is likely to cost at
/// the most, in a rule set.
#[inline]
pub(super) fn reverse_futility(variant: Variant) -> (i32, i32) {
    match variant {
        Variant::Awari => (max_pruned_depth_in_awari(), margin_per_ply_in_awari()),
        _ => (max_pruned_depth(), margin_per_ply()),
    }
}

/// The rule sets where late moves are reduced by logarithms (`reductions.rs`): those where a match has shown a gain.
#[inline]
pub(super) const fn reduces_by_logarithms(variant: Variant) -> bool {
    matches!(variant, Variant::Oware)
}

/// The rule sets where a singular move is searched deeper (`singular.rs`): those where a match has shown a gain.
#[inline]
pub(super) const fn extends_singular_moves(variant: Variant) -> bool {
    matches!(variant, Variant::Awari | Variant::Oware)
}

#[cfg(feature = "tune")]
pub use options::{parameters, set_parameter};

#[cfg(feature = "tune")]
use options::Parameter;

#[cfg(feature = "tune")]
mod options {
    //! The numbers as options.

    use super::tunable::PARAMETERS;
    use std::ops::RangeInclusive;
    use std::sync::atomic::{AtomicI32, Ordering};

    /// A number that can be set.
    #[derive(Debug)]
    pub(super) struct Parameter {
        pub name: &'static str,
        pub default: i32,
        pub range: RangeInclusive<i32>,
        pub value: AtomicI32,
    }

    impl Parameter {
        #[inline(always)]
        pub fn value(&self) -> i32 {
            self.value.load(Ordering::Relaxed)
        }
    }

    /// The name, the default and the range of each number.
    pub fn parameters() -> impl Iterator<Item = (&'static str, i32, RangeInclusive<i32>)> {
        PARAMETERS.iter().map(|parameter| (parameter.name, parameter.default, parameter.range.clone()))
    }

    /// Sets a number. `None` if there is none with this name.
    ///
    /// # Errors
    /// If the value is not one; then nothing changes.
    #[must_use]
    pub fn set_parameter(name: &str, value: Option<&str>) -> Option<Result<(), String>> {
        let parameter = PARAMETERS.iter().find(|parameter| parameter.name.eq_ignore_ascii_case(name))?;
        let (min, max) = (parameter.range.start(), parameter.range.end());
        let number = value.and_then(|text| text.trim().parse().ok());
        Some(match number.filter(|number| parameter.range.contains(number)) {
            Some(number) => {
                parameter.value.store(number, Ordering::Relaxed);
                Ok(())
            }
            None => Err(format!("option {}: expected a whole number from {min} to {max}", parameter.name)),
        })
    }
}
