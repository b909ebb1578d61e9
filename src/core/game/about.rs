//! Facts about a rule set besides its rules: names, explanations and data.

/// Figures and texts of a rule set. Missing ones have defaults, so that a new rule set is playable at once.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// The name in the protocol, in lower case: at most 12 letters and digits.
    pub name: &'static str,
    /// The title in game files and for people.
    pub title: &'static str,
    /// How it differs from the other games, in at most 45 characters.
    pub gist: &'static str,
    /// How seeds are sown, in a few sentences for beginners.
    pub sowing: &'static str,
    /// How seeds are captured.
    pub capturing: &'static str,
    /// When the game ends, and which side gets the remaining seeds.
    pub ending: &'static str,
    /// A weight file for the evaluation (module `evaluate`). Without one, only the stores count.
    pub network: Option<&'static [u8]>,
    /// An opening book (module `book`). Without one, the book is empty.
    pub book: Option<&'static [u8]>,
    /// The values of a solved game's first plies (`search/solver/solution.rs`). Without them the solver computes them.
    pub solution: Option<&'static [u8]>,
    /// The handicaps of the four levels below full strength, weakest first. Without them, general ones apply.
    pub handicaps: Option<[Handicap; 4]>,
}

/// The common part of all explanations.
const COMMON: &str = "The board has two rows of six pits, and a store at each end. The store on your right is yours. To sow, \
pick up all the seeds in one of your pits and drop them one by one into the pits that follow, anticlockwise. Whoever has \
more seeds in their store at the end wins.";

/// How a level is weakened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handicap {
    /// Plies to search.
    pub depth: u8,
    /// Maximum nodes, so that a move comes at once in every rule set.
    pub max_nodes: u64,
    /// The chance in thousandths to overlook a quiet move that changes six pits. It grows with the pits changed and shrinks
    /// with the seeds captured.
    pub overlook: u32,
    /// Maximum error of the evaluation, in hundredths of a seed, either way.
    pub eval_error: i32,
    /// The value of a seed in the own row, in hundredths of one in the store. High values make a player hoard.
    pub row_seed: i32,
}

impl Handicap {
    /// A handicap that hardly hoards.
    #[must_use]
    pub const fn new(depth: u8, max_nodes: u64, overlook: u32, eval_error: i32) -> Handicap {
        Handicap { depth, max_nodes, overlook, eval_error, row_seed: 8 }
    }

    /// The same with another value of a seed in the own row.
    #[must_use]
    pub const fn hoarding(self, row_seed: i32) -> Handicap {
        Handicap { row_seed, ..self }
    }
}

impl About {
    /// The rules in a few sentences for beginners; `src/rules/README.md` is exact. A paragraph each: sowing in general, sowing
    /// in this game, capturing, ending.
    #[must_use]
    pub const fn rules(&self) -> [&'static str; 4] {
        [COMMON, self.sowing, self.capturing, self.ending]
    }

    /// A rule set without network, book or handicaps of its own. Names and explanations must be filled in.
    pub const NEW: About = About {
        name: "",
        title: "",
        gist: "",
        sowing: "",
        capturing: "",
        ending: "",
        network: None,
        book: None,
        solution: None,
        handicaps: None,
    };
}
