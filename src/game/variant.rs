//! The table of rule sets. A new one is a new file, declared in `mod.rs`, and one line below; the compiler then asks for
//! its evaluation weights.

use super::{Rules, awari, awari1978, ayoayo, kalah, oware};
use std::fmt;
use std::str::FromStr;

/// Something to be done for a rule set that is known only at run time.
///
/// [`Variant::visit`] is the one place where a name becomes a type: whatever is hot stands behind it, compiled
/// once for each rule set.
pub trait Visitor {
    /// What comes of it.
    type Output;

    /// Does it under the rules `R`.
    fn visit<R: Rules>(self) -> Self::Output;
}

macro_rules! rule_sets {
    ($($variant:ident, $name:literal, $rules:ty, $title:literal;)*) => {
        /// The name of a rule set.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Variant {
            $(#[doc = $title] $variant,)*
        }

        impl Variant {
            /// Every rule set, in the order in which they are listed to a user.
            pub const ALL: &[Variant] = &[$(Variant::$variant),*];

            /// The name in the protocol, in lower case.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Variant::$variant => $name),* }
            }

            /// The name for people, as it stands in a game file.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $(Variant::$variant => $title),* }
            }

            /// Does something under the rules of this name.
            pub fn visit<V: Visitor>(self, visitor: V) -> V::Output {
                match self { $(Variant::$variant => visitor.visit::<$rules>()),* }
            }
        }
    };
}

rule_sets! {
    Awari, "awari", awari::Awari, "Awari";
    Awari1978, "awari1978", awari1978::Awari1978, "Awari 1978";
    Ayoayo, "ayoayo", ayoayo::Ayoayo, "Ayoayo";
    Oware, "oware", oware::Oware, "Oware Abapa";
    Kalah, "kalah", kalah::Kalah, "Kalah";
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
