//! The rule sets, a file each, and the way from a name to a type.
//!
//! To add one, write a file here that implements [`Rules`] and add its line to the table in `../variant.rs`. Everything
//! else follows: tables and limits grow with the seeds of the largest game, an evaluation counts the stores until a
//! network is trained, a book is empty until one is built, and levels play by general figures ([`About`]).
//! `tests/rule_set/add.sh` adds two and plays them.

use super::variant::rule_sets;
use super::{About, Rules, Variant};
use std::fmt;
use std::str::FromStr;

/// Something to be done for a rule set that is known only at run time.
///
/// [`Variant::visit`] is the one place where a name becomes a type: whatever is hot stands behind it, compiled
/// once for each rule set.
pub trait Visitor {
    /// The result.
    type Output;

    /// Does it under the rules `R`.
    fn visit<R: Rules>(self) -> Self::Output;
}

macro_rules! use_table {
    ($($module:ident :: $rules:ident;)*) => {
        $(mod $module;)*
        $(pub use $module::$rules;)*

        /// Seeds in the largest of the games.
        pub const LARGEST_GAME: u8 = {
            let mut largest = 0;
            $(if $rules::SEEDS > largest { largest = $rules::SEEDS; })*
            largest
        };

        $(const _: () = assert!($rules::ABOUT.name.len() <= 12, "a name has at most 12 letters and digits");)*

        impl Variant {
            /// What there is to know of the rule set besides its rules.
            #[must_use]
            pub const fn about(self) -> &'static About {
                match self { $(Variant::$rules => &<$rules as Rules>::ABOUT),* }
            }

            /// Does something under the rules of this name.
            pub fn visit<V: Visitor>(self, visitor: V) -> V::Output {
                match self { $(Variant::$rules => visitor.visit::<$rules>()),* }
            }
        }
    };
}

rule_sets!(use_table);
pub use ayoayo::{AyoayoWithin, laps_of};

/// Room for each count of seeds that a pit or a store can hold, 0 included: a power of two, so that a mask replaces the
/// check of a bound.
pub const COUNTS: usize = (LARGEST_GAME as usize + 1).next_power_of_two();

impl Variant {
    /// The name in the protocol, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.about().name
    }

    /// The name for people, as it stands in a game file.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.about().title
    }
}

/// A name that is no rule set's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no rule set is called `{found}`; the rule sets are {}", names().join(", "))]
pub struct UnknownVariant {
    /// The name as it was given.
    pub found: String,
}

/// The names of all rule sets.
#[must_use]
pub fn names() -> Vec<&'static str> {
    Variant::ALL.iter().map(|variant| variant.name()).collect()
}

impl FromStr for Variant {
    type Err = UnknownVariant;

    /// Reads a name; case does not matter.
    fn from_str(text: &str) -> Result<Variant, UnknownVariant> {
        let same = |variant: &&Variant| variant.name().eq_ignore_ascii_case(text);
        Variant::ALL.iter().find(same).copied().ok_or_else(|| UnknownVariant { found: text.to_owned() })
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
