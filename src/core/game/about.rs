//! What there is to know of a rule set besides its rules: names, sentences for people, and what was made for it.

/// The figures and texts of a rule set. What it leaves out has a default, so that a new rule set plays at once.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// The name in the protocol, in lower case: at most 12 letters and digits.
    pub name: &'static str,
    /// The name for people, as it stands in a game file.
    pub title: &'static str,
    /// How it differs from the other games, in at most 45 characters.
    pub gist: &'static str,
    /// How seeds are sown, in a few sentences for whoever has never seen the game.
    pub sowing: &'static str,
    /// What is captured.
    pub capturing: &'static str,
    /// When the game is over, and who gets what is left.
    pub ending: &'static str,
    /// A file of weights for the evaluation (room `evaluate`). Without one only the stores count.
    pub network: Option<&'static [u8]>,
    /// An opening book (room `book`). Without one there is an empty book.
    pub book: Option<&'static [u8]>,
    /// What the first plies of a solved game are worth (room `search`, `solver/solution.rs`). Without it the solver works it out.
    pub solution: Option<&'static [u8]>,
    /// What holds back the four levels below the full strength (room `level`), the weakest first. Without them they
    /// have general figures.
    pub handicaps: Option<[Handicap; 4]>,
}

/// What all rule sets have in common, for somebody who has never seen such a game.
const COMMON: &str = "The board has two rows of six pits, and a store at each end. The store on your right is yours. To sow, \
pick up all the seeds in one of your pits and drop them one by one into the pits that follow, anticlockwise. Whoever has \
more seeds in their store at the end wins.";

/// What holds a level back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handicap {
    /// Plies searched.
    pub depth: u8,
    /// Nodes visited at the most, so that an answer comes at once in every rule set.
    pub max_nodes: u64,
    /// The chance that a quiet move which changes six pits is overlooked, in thousandths. It grows with the pits that
    /// change, and shrinks with the seeds captured.
    pub overlook: u32,
    /// The largest error of the evaluation, in hundredths of a seed, either way.
    pub eval_error: i32,
    /// The value of a seed in one's own row, in hundredths of one in the store. Who overrates them hoards.
    pub row_seed: i32,
}

impl Handicap {
    /// A handicap of so many plies and nodes, overlooking and error, that hardly hoards.
    #[must_use]
    pub const fn new(depth: u8, max_nodes: u64, overlook: u32, eval_error: i32) -> Handicap {
        Handicap { depth, max_nodes, overlook, eval_error, row_seed: 8 }
    }

    /// The same with another value of a seed in one's own row.
    #[must_use]
    pub const fn hoarding(self, row_seed: i32) -> Handicap {
        Handicap { row_seed, ..self }
    }
}

impl About {
    /// The rules in a few sentences, for somebody who has never seen the game. `src/rules/README.md` has them exactly. A paragraph
    /// each: sowing in general, sowing in this game, capturing, ending.
    #[must_use]
    pub const fn rules(&self) -> [&'static str; 4] {
        [COMMON, self.sowing, self.capturing, self.ending]
    }

    /// A rule set for which nothing was made yet: no network, no book, no handicaps of its own. Names and sentences are to be filled in.
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
