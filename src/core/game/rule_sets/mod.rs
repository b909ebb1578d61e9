//! The rule sets, one file each, and the dispatch from a name to a type.
//!
//! To add one, write a file here that implements [`Rules`] and add its line to the table in `../variant.rs`. Everything else
//! has defaults: tables and limits grow with the seeds of the largest game, the evaluation counts the stores until a network is
//! trained, and levels use general handicaps ([`About`]). `tests/fixtures/rule_set/add.sh` adds
//! two and plays them.

use super::variant::RuleSet;
use super::{About, Cycle, ROW, RuleOptions, Rules, Variant};
use crate::under;
use once_cell::sync::OnceCell;
use std::fmt;
use std::iter;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A function that is generic over a rule set known only at run time.
///
/// Names become types only in [`Variant::visit`]; performance-critical code is called through it, compiled once for each rule
/// set.
pub trait Visitor {
    /// The result.
    type Output;

    /// Runs under the rules `R`.
    fn visit<R: Rules>(self) -> Self::Output;
}

#[doc(hidden)]
#[macro_export]
macro_rules! use_table {
    ($($module:ident :: $rules:ident;)*) => {
        $(mod $module;)*
        $(pub use $module::$rules;)*

        /// Seeds in the largest game.
        pub const LARGEST_GAME: u8 = {
            let mut largest = 0;
            $(if $rules::MOST_SEEDS > largest { largest = $rules::MOST_SEEDS; })*
            largest
        };

        $(const _: () = assert!($rules::ABOUT.name.len() <= 12, "a name has at most 12 letters and digits");)*

        #[allow(non_upper_case_globals, reason = "they are used like the cases of an enumeration")]
        impl Variant {
            $(
                #[doc = concat!("The rules of [`", stringify!($rules), "`] with their usual seeds.")]
                pub const $rules: Variant =
                    Variant {
                        rules: RuleSet::$rules,
                        seeds_a_pit: <$rules as Rules>::SEEDS_A_PIT,
                        options: RuleOptions::ALL[0],
                    };
            )*

            /// Every rule set with its usual number of seeds, in the order shown to users.
            pub const ALL: &[Variant] = &[$(Variant::$rules),*];

            /// Facts about the rule set besides its rules.
            pub const fn about(self) -> &'static About {
                match self.rules { $(RuleSet::$rules => &<$rules as Rules>::ABOUT),* }
            }

            /// Calls a visitor with the rules of this variant.
            pub fn visit<V: Visitor>(self, visitor: V) -> V::Output {
                match self.rules { $(RuleSet::$rules => visitor.visit::<$rules>()),* }
            }
        }
    };
}

crate::rule_sets!(use_table);
pub use ayoayo::AyoayoWithin;

/// Counts of seeds that a pit or a store can hold, 0 included, rounded up to a power of two so that a mask replaces a bounds
/// check.
pub const COUNTS: usize = (LARGEST_GAME as usize + 1).next_power_of_two();

impl Variant {
    /// The index of its rule set in [`Variant::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        self.rules as usize
    }

    /// The usual game of its rule set.
    pub const fn rule_set(self) -> Variant {
        Variant::ALL[self.index()]
    }

    /// The name in the protocol, in lower case. An unusual number of seeds in a pit and optional rules follow the rule set:
    /// `kalah6`, `kalah-emptycapture`, `kalah6-emptycapture-opponent`.
    pub fn name(self) -> &'static str {
        Names::of(self).map_or(self.about().name, |names| &names.name)
    }

    /// The title in game files and for people.
    pub fn title(self) -> &'static str {
        Names::of(self).map_or(self.about().title, |names| &names.title)
    }

    /// The allowed numbers of seeds in a pit.
    pub fn seeds_range(self) -> RangeInclusive<u8> {
        let [least, most] = under!(self, R => R::SEEDS_RANGE);
        least..=most
    }

    /// The allowed numbers of seeds in a pit, as text.
    pub fn seeds_text(self) -> String {
        let range = self.seeds_range();
        let (least, most) = (range.start(), range.end());
        if least == most { least.to_string() } else { format!("{least} to {most}") }
    }

    /// Seeds in the game.
    pub const fn seeds(self) -> u8 {
        2 * ROW as u8 * self.seeds_a_pit()
    }

    /// Whether a set-up may have `seeds` seeds in total.
    pub fn accepts(self, seeds: u32) -> bool {
        let most = 2 * ROW as u8 * self.seeds_range().end();
        seeds == u32::from(self.seeds()) || under!(self, R => R::ANY_SET_UP) && seeds <= u32::from(most)
    }

    /// Whether the rule set has optional rules.
    pub fn has_options(self) -> bool {
        under!(self, R => R::OPTIONAL).is_some()
    }

    /// The rules in a few sentences for beginners: see [`About::rules`].
    pub fn rules(self) -> [&'static str; 4] {
        let [common, sowing, mut capturing, mut ending] = self.about().rules();
        if let Some(optional) = under!(self, R => R::OPTIONAL) {
            if self.options.empty_capture {
                capturing = optional.empty_capture;
            }
            if self.options.rest_to_opponent {
                ending = optional.rest_to_opponent;
            }
        }
        [common, sowing, capturing, ending]
    }

    /// A line that names the game, then [`Variant::rules`].
    pub fn explained(self) -> Vec<String> {
        let heading = format!("The rules of {} ({self}):", self.title());
        iter::once(heading).chain(self.rules().map(str::to_owned)).collect()
    }

    /// Every rule set with every allowed number of seeds in a pit and all optional rules, the usual ones first.
    pub fn named() -> Vec<Variant> {
        Variant::ALL.iter().copied().chain(Names::all().iter().map(|names| names.variant)).collect()
    }

    /// The game with this title; case is ignored.
    pub fn titled(title: &str) -> Option<Variant> {
        Variant::named().into_iter().find(|variant| variant.title().eq_ignore_ascii_case(title))
    }

    /// The effect of repetitions.
    pub fn cycle(self) -> Cycle {
        under!(self, R => R::CYCLE)
    }

    /// The total of seeds in a set-up, and whether fewer are allowed.
    pub(super) fn accepted_seeds(self) -> (u8, bool) {
        let is_most = under!(self, R => R::ANY_SET_UP);
        (if is_most { 2 * ROW as u8 * self.seeds_range().end() } else { self.seeds() }, is_most)
    }

    /// The same in words.
    pub(super) fn accepted(self) -> String {
        let (seeds, is_most) = self.accepted_seeds();
        format!("{seeds}{} in {self}", if is_most { " at the most" } else { "" })
    }

    /// Every rule set, each followed by its separately listed numbers of seeds.
    pub fn listed() -> Vec<Variant> {
        let with_seeds = |&variant: &Variant| {
            under!(variant, R => R::LISTED_SEEDS).iter().filter_map(move |&seeds| variant.with_seeds(seeds))
        };
        Variant::ALL.iter().flat_map(|variant| iter::once(*variant).chain(with_seeds(variant))).collect()
    }
}

/// The names of a game that is not the usual one of its rule set.
struct Names {
    variant: Variant,
    name: String,
    title: String,
}

impl Names {
    /// The names of a game; `None` if it has those of its rule set.
    fn of(variant: Variant) -> Option<&'static Names> {
        if variant == variant.rule_set() {
            return None;
        }
        Names::all().iter().find(|names| names.variant == variant)
    }

    fn all() -> &'static [Names] {
        static ALL: OnceCell<Vec<Names>> = OnceCell::new();
        ALL.get_or_init(|| {
            let with_seeds =
                |&rules: &Variant| rules.seeds_range().filter_map(move |seeds| rules.with_seeds(seeds));
            let games = |options| {
                let optional = move |game: Variant| game.with_options(options);
                Variant::ALL.iter().flat_map(with_seeds).filter_map(optional)
            };
            let unusual = RuleOptions::ALL.into_iter().flat_map(games);
            let unusual = unusual.filter(|&variant| variant != variant.rule_set());
            unusual.map(Names::new).collect()
        })
    }

    fn new(variant: Variant) -> Names {
        let (about, seeds) = (variant.about(), variant.seeds_a_pit());
        let [number, pits] = match seeds {
            _ if seeds == variant.rule_set().seeds_a_pit() => Default::default(),
            1 => ["1".to_owned(), ", 1 seed a pit".to_owned()],
            _ => [seeds.to_string(), format!(", {seeds} seeds a pit")],
        };
        let [name, title] = variant.options.suffixes();
        Names {
            variant,
            name: format!("{}{number}{name}", about.name),
            title: format!("{}{pits}{title}", about.title),
        }
    }
}

/// A name of no rule set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no rule set is called `{found}`; the rule sets are {}", names().join(", "))]
pub struct UnknownVariant {
    /// The given name.
    pub found: String,
}

/// The names of the listed games.
pub fn names() -> Vec<&'static str> {
    Variant::listed().into_iter().map(Variant::name).collect()
}

/// Every name of a game: those in the order of [`Variant::named`], then those that spell out the usual number of seeds, such as
/// `kalah4`.
pub fn all_names() -> Vec<&'static str> {
    let names = Variant::named().into_iter().map(Variant::name);
    names.chain(usual_numbers().iter().map(|(name, _)| name.as_str())).collect()
}

/// The names that spell out the usual number of seeds, such as `kalah4`, with their games.
fn usual_numbers() -> &'static [(String, Variant)] {
    static NAMES: OnceCell<Vec<(String, Variant)>> = OnceCell::new();
    NAMES.get_or_init(|| {
        let has_others = |variant: &Variant| variant.seeds_range().count() > 1;
        let is_usual = |variant: &Variant| variant.seeds_a_pit() == variant.rule_set().seeds_a_pit();
        let games = Variant::named().into_iter().filter(|variant| has_others(variant) && is_usual(variant));
        let named = games.map(|variant| {
            let [options, _] = variant.options.suffixes();
            (format!("{}{}{options}", variant.about().name, variant.seeds_a_pit()), variant)
        });
        named.collect()
    })
}

impl FromStr for Variant {
    type Err = UnknownVariant;

    /// Parses a name; case is ignored.
    fn from_str(text: &str) -> Result<Variant, UnknownVariant> {
        let same = |variant: &Variant| variant.name().eq_ignore_ascii_case(text);
        let usual = || usual_numbers().iter().find(|(name, _)| name.eq_ignore_ascii_case(text));
        let found = Variant::named().into_iter().find(same).or_else(|| usual().map(|&(_, variant)| variant));
        found.ok_or_else(|| UnknownVariant { found: text.to_owned() })
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
