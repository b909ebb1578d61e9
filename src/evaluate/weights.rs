//! The weights of the terms, a row a rule set.

use super::TERMS;
use crate::game::Variant;

/// What each count is worth, in hundredths of a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// A seed in a store.
    pub stores: i32,
    /// A seed in a row.
    pub row: i32,
    /// A pit that can be sown.
    pub mobility: i32,
    /// A pit of more than twelve seeds.
    pub kroos: i32,
    /// A seed that the mover's best move banks.
    pub prey: i32,
    /// A seed that the other's best move would bank if he were to move.
    pub danger: i32,
    /// To be the one who moves.
    pub tempo: i32,
}

impl Weights {
    /// The weights for a rule set.
    #[must_use]
    pub fn for_variant(variant: Variant) -> &'static Weights {
        match variant {
            Variant::Awari | Variant::Oware => {
                &Weights { stores: 100, row: 4, mobility: 12, kroos: 60, prey: 60, danger: -40, tempo: 20 }
            }
            Variant::Awari1978 => {
                &Weights { stores: 100, row: 10, mobility: 5, kroos: 0, prey: 60, danger: -30, tempo: 20 }
            }
            Variant::Ayoayo => {
                &Weights { stores: 100, row: 10, mobility: 10, kroos: 0, prey: 0, danger: 0, tempo: 100 }
            }
            Variant::Kalah => {
                &Weights { stores: 100, row: 15, mobility: 5, kroos: 0, prey: 60, danger: -30, tempo: 20 }
            }
        }
    }

    /// The weights in the order of the terms.
    #[must_use]
    #[inline]
    pub const fn of_terms(&self) -> [i32; TERMS] {
        [self.stores, self.row, self.mobility, self.kroos, self.prey, self.danger]
    }
}
