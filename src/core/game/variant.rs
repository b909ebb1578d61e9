//! The table of rule sets: one line each.
//!
//! Whatever lists the rule sets is made from this table: the names below, the modules in `rule_sets/`, and the way from
//! a name to a type ([`Variant::visit`]).

/// Hands the table to a macro: a rule set's module in `rule_sets/`, and the type there that implements
/// [`Rules`](super::Rules).
///
/// A new rule set is a file of that name and a line here, the last one. The order is that in which users see the rule
/// sets; hashing keys depend on it.
macro_rules! rule_sets {
    ($use_table:ident) => {
        $use_table! {
            awari::Awari;
            awari1978::Awari1978;
            ayoayo::Ayoayo;
            oware::Oware;
            kalah::Kalah;
        }
    };
}
pub(super) use rule_sets;

macro_rules! name_them {
    ($($module:ident :: $rules:ident;)*) => {
        /// The name of a rule set.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Variant {
            $(#[doc = concat!("The rules of [`", stringify!($rules), "`](super::", stringify!($rules), ").")] $rules,)*
        }

        impl Variant {
            /// Every rule set, in the order in which they are listed to a user.
            pub const ALL: &[Variant] = &[$(Variant::$rules),*];
        }
    };
}

rule_sets!(name_them);
