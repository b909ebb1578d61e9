//! The search parameters, each declared once: its value, the values tried, and the range for tuners.
//!
//! They are constants in playing builds. With the feature `tune` they are also options, which `uci` lists, `setoption` sets for
//! the whole process, and `referee tune` optimises.
//!
//! `docs/experiments.csv` has the matches behind these values and others that were tried.

use crate::game::Variant;

/// Declares parameters: the function that returns each, its option, its value and its range.
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

        /// The name, value and range of each parameter.
        pub const DECLARED: &[(&str, i32, std::ops::RangeInclusive<i32>)] = &[$(($option, $value, $range)),+];
    };
}

parameters! {
    /// Moves of a node searched in full before any is reduced. From the second move on: +17 ± 44 Elo in `awari` and −17 ± 38 in
    /// `oware` (all pairs below are in this order).
    full_moves, "LmrFullMoves" = 2, 1..=6;
    /// Least depth in plies at which moves are reduced (chosen, not measured).
    min_reduced_depth, "LmrMinDepth" = 3, 2..=8;
    /// Depth from which the reduction is two plies, where it is not logarithmic … From 5 on: −17 ± 45 and −10 ± 40 Elo.
    deep, "LmrDeep" = 7, 3..=20;
    /// … after this many moves (no match; `referee tune` also ended at 3).
    late, "LmrLate" = 3, 1..=6;
    /// Least depth in plies at which a node without a hash move is reduced (no match; `referee tune` ended at 6).
    min_depth_without_move, "IirMinDepth" = 5, 2..=12;
    /// Greatest depth in plies at which an evaluation may replace a search. 4 → 7: +37 ± 36 and +44 ± 40 Elo; 7 → 12: +9 ± 38
    /// and −10 ± 36.
    max_pruned_depth, "RfpMaxDepth" = 7, 1..=15;
    /// Margin in hundredths of a seed per ply. 140 to depth 5 and 60 to depth 8 were no better.
    margin_per_ply, "RfpMargin" = 80, 20..=300;
    /// The same two parameters in `awari`, found by `referee tune` in 5,600 games: together +22 ± 17 Elo against those above
    /// (100,000 nodes a move, 464 games, accepted by a sequential test).
    max_pruned_depth_in_awari, "RfpMaxDepthAwari" = 12, 1..=15;
    /// In hundredths of a seed.
    margin_per_ply_in_awari, "RfpMarginAwari" = 128, 20..=300;
    /// Least depth in plies at which the hash move is tested for singularity (`singular.rs`; chosen, not measured).
    min_singular_depth, "SeMinDepth" = 6, 3..=99;
    /// Singular margin in hundredths of a seed per ply; 4 and 16 were no better in `awari` (800 and 400 games).
    singular_margin, "SeMargin" = 8, 1..=100;
    /// Further margin in hundredths of a seed for an extension by two plies (`singular.rs` has its gain; other margins were not
    /// tried).
    margin_of_two_plies, "SeDoubleMargin" = 60, 1..=1000;
    /// Least depth in plies at which the root has an aspiration window (chosen, not measured).
    min_aspiration_depth, "AspirationMinDepth" = 5, 2..=12;
    /// Half width of the first aspiration window, in hundredths of a seed. 30, 100 and 150 took 1.01, 0.99 and 1.01 of the
    /// nodes in `awari`.
    half_window, "AspirationWindow" = 60, 10..=400;
    /// Factor by which a failed window is widened (chosen, not measured).
    widening, "AspirationWidening" = 4, 2..=10;
    /// Fall of the score, in hundredths of a seed, that adds half of the ordinary time (chosen, not measured).
    score_drop, "TimeScoreDrop" = 40, 10..=300;
}

/// The greatest depth in plies of reverse futility pruning, and its margin in hundredths of a seed per ply, in a rule set.
#[inline]
pub(super) fn reverse_futility(variant: Variant) -> (i32, i32) {
    match variant {
        Variant::Awari => (max_pruned_depth_in_awari(), margin_per_ply_in_awari()),
        _ => (max_pruned_depth(), margin_per_ply()),
    }
}

/// The rule sets with logarithmic late-move reductions (`reductions.rs`): those where a match has shown a gain.
#[inline]
pub(super) const fn reduces_by_logarithms(variant: Variant) -> bool {
    matches!(variant, Variant::Oware)
}

/// The rule sets with singular extensions (`singular.rs`): those where a match has shown a gain.
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
    //! The parameters as options.

    use super::tunable::PARAMETERS;
    use std::ops::RangeInclusive;
    use std::sync::atomic::{AtomicI32, Ordering};

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

    /// The name, default and range of each parameter.
    pub fn parameters() -> impl Iterator<Item = (&'static str, i32, RangeInclusive<i32>)> {
        PARAMETERS.iter().map(|parameter| (parameter.name, parameter.default, parameter.range.clone()))
    }

    /// Sets a parameter; `None` if no parameter has this name.
    ///
    /// # Errors
    /// If the value is invalid; the parameter is unchanged.
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
