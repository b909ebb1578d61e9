//! The table of rule sets: one line each.
//!
//! All lists of rule sets derive from it: the names below, the modules in `rule_sets/`, and the dispatch from a name to a type
//! ([`under!`](crate::under)).

use super::RuleOptions;
use std::fmt;

/// Passes the table to a macro, after other tokens: a rule set's module in `rule_sets/`, and the type there that implements
/// [`Rules`](super::Rules).
///
/// A new rule set is a file of that name and a new last line here. The order is the one that users see; hash keys depend on it.
#[doc(hidden)]
#[macro_export]
macro_rules! rule_sets {
    ($use_table:ident $($first:tt)*) => {
        $crate::$use_table! {
            $($first)*
            awari::Awari;
            awari1978::Awari1978;
            ayoayo::Ayoayo;
            oware::Oware;
            kalah::Kalah;
            avalanche::Avalanche;
        }
    };
}

/// Evaluates an expression with the rules of a variant as a type: `under!(variant, R => R::SEEDS)`.
///
/// Names become types only here; performance-critical code is called through it, compiled once for each rule set.
#[macro_export]
macro_rules! under {
    ($variant:expr, $rules:ident => $body:expr) => {
        $crate::rule_sets! { under_each ($variant, $rules => $body) }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! under_each {
    (($variant:expr, $type:ident => $body:expr) $($module:ident :: $rules:ident;)*) => {
        match $variant.kind() {
            $($crate::game::RuleSet::$rules => {
                type $type = $crate::game::$rules;
                $body
            })*
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! name_them {
    ($($module:ident :: $rules:ident;)*) => {
        #[doc(hidden)]
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub enum RuleSet {
            $(#[doc = stringify!($module)] $rules,)*
        }
    };
}

/// A game: a rule set, the seeds in each pit at the start, and optional rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Variant {
    pub(super) rules: RuleSet,
    pub(super) seeds_a_pit: u8,
    pub(super) options: RuleOptions,
}

crate::rule_sets!(name_them);

impl Variant {
    /// The rule set, for [`under!`](crate::under).
    #[doc(hidden)]
    pub const fn kind(self) -> RuleSet {
        self.rules
    }

    /// Seeds in a pit at the start.
    pub const fn seeds_a_pit(self) -> u8 {
        self.seeds_a_pit
    }

    /// The optional rules.
    pub const fn options(self) -> RuleOptions {
        self.options
    }

    /// The same game with these optional rules too, if the rule set has any.
    #[must_use]
    pub fn with_options(self, options: RuleOptions) -> Option<Variant> {
        let options = self.options.or(options);
        (options.are_usual() || self.has_options()).then_some(Variant { options, ..self })
    }

    /// The same rules with another number of seeds in a pit, if that is allowed.
    #[must_use]
    pub fn with_seeds(self, seeds_a_pit: u8) -> Option<Variant> {
        self.seeds_range().contains(&seeds_a_pit).then_some(Variant { seeds_a_pit, ..self })
    }
}

impl fmt::Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
