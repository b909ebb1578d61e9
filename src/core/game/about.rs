//! Facts about a rule set besides its rules: names, explanations and data.

/// Figures and texts of a rule set. Missing ones have defaults: a new rule set is playable at once.
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
    /// The values of a solved game's first plies (`search/solver/solution.rs`). Without them the solver computes them.
    pub solution: Option<&'static [u8]>,
    /// The best play from solved starts (`search/solver/best_play.rs`), in a rule set without a `solution`.
    pub best_play: Option<&'static [u8]>,
    /// Starts that perfect play draws (`fair_starts.rs`).
    pub fair_starts: Option<&'static str>,
    /// The strengths below the full one. Without them, general ones apply.
    pub ladder: Option<Ladder>,
}

/// The common part of all explanations.
const COMMON: &str = "The board has two rows of six pits, and a store at each end. The store on your right is yours. To sow, \
pick up all the seeds in one of your pits and drop them one by one into the pits that follow, anticlockwise. The player \
with more seeds in their store at the end wins.";

/// The strengths of a rule set: four levels, and a scale of Elo that leads from the first to the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ladder {
    /// The handicaps of the four levels below the full strength, the weakest first.
    pub levels: [Handicap; 4],
    /// The Elo above a random player at points between the levels: thousandths of a level above the first, Elo. Both
    /// ascend; the first point is 0, the last 3,000.
    pub scale: &'static [(u16, u16)],
}

impl Ladder {
    /// The least and the largest Elo of the scale.
    pub fn range(&self) -> [u16; 2] {
        let [(_, least), .., (_, most)] = self.scale else { return [0, 0] };
        [*least, *most]
    }

    /// The handicap of an Elo: a mixture of the two levels around it. Elo outside the range counts as the nearest end.
    pub fn handicap(&self, elo: u16) -> Handicap {
        let [least, most] = self.range();
        let elo = elo.clamp(least, most);
        let upper = self.scale.partition_point(|&(_, known)| known < elo).max(1);
        let [(from, low), (to, high)] = [self.scale[upper - 1], self.scale[upper]];
        let place = from + (u32::from(to - from) * u32::from(elo - low) / u32::from(high - low)) as u16;
        let level = usize::from(place / 1000).min(self.levels.len() - 2);
        self.levels[level].mixed(self.levels[level + 1], u32::from(place) - 1000 * level as u32)
    }
}

/// How a level is weakened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handicap {
    /// Plies to search.
    pub depth: u8,
    /// The chance that a search looks one ply deeper, in thousandths.
    pub deeper: u32,
    /// Maximum nodes, which let a move come at once in every rule set.
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
    pub const fn new(depth: u8, max_nodes: u64, overlook: u32, eval_error: i32) -> Handicap {
        Handicap { depth, deeper: 0, max_nodes, overlook, eval_error, row_seed: 8 }
    }

    /// The same with another value of a seed in the own row.
    #[must_use]
    pub const fn hoarding(self, row_seed: i32) -> Handicap {
        Handicap { row_seed, ..self }
    }

    /// A handicap on the way from this one to another, in thousandths of the way.
    fn mixed(self, other: Handicap, way: u32) -> Handicap {
        let mix = |from: i64, to: i64| (from * i64::from(1000 - way) + to * i64::from(way)) / 1000;
        let plies = |of: Handicap| 1000 * i64::from(of.depth) + i64::from(of.deeper);
        let depth = mix(plies(self), plies(other));
        Handicap {
            depth: (depth / 1000) as u8,
            deeper: (depth % 1000) as u32,
            max_nodes: mix(self.max_nodes as i64, other.max_nodes as i64) as u64,
            overlook: mix(self.overlook.into(), other.overlook.into()) as u32,
            eval_error: mix(self.eval_error.into(), other.eval_error.into()) as i32,
            row_seed: mix(self.row_seed.into(), other.row_seed.into()) as i32,
        }
    }
}

impl About {
    /// The rules in a few sentences for beginners; `docs/rules.md` is exact. A paragraph each: sowing in general, sowing
    /// in this game, capturing, ending.
    pub const fn rules(&self) -> [&'static str; 4] {
        [COMMON, self.sowing, self.capturing, self.ending]
    }

    /// A rule set without network or handicaps of its own. Names and explanations must be filled in.
    pub const NEW: About = About {
        name: "",
        title: "",
        gist: "",
        sowing: "",
        capturing: "",
        ending: "",
        network: None,
        solution: None,
        best_play: None,
        fair_starts: None,
        ladder: None,
    };
}
