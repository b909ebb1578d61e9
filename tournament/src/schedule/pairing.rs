//! Two engines that meet.

/// Two engines that meet in a round, by their places in the list of engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The round, from 1.
    pub round: u64,
    /// The engine that is South in the first game of each pair.
    pub first: usize,
    /// The engine that is South in the second game.
    pub second: usize,
}

/// Two games over one opening, with sides swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GamePair {
    /// The engines.
    pub pairing: Pairing,
    /// The number of the opening in the supply, from 0. It never decreases along a schedule.
    pub opening: u64,
    /// The engine that has a bye in this round.
    pub bye: Option<usize>,
}

/// The result of a pair of games, or of one of them, for its first engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GamePairResult {
    /// 0 to 4.
    pub half_points: u8,
    /// Its seeds minus the other's.
    pub margin: i32,
    /// Whether a game has a result: one that neither engine could begin has none, and counts like a draw.
    pub played: bool,
}

impl GamePairResult {
    /// Both games of a pair.
    #[must_use]
    pub fn with(self, other: GamePairResult) -> GamePairResult {
        GamePairResult {
            half_points: self.half_points + other.half_points,
            margin: self.margin + other.margin,
            played: self.played || other.played,
        }
    }
}

/// The next pair or game of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next<T> {
    /// This one.
    Play(T),
    /// That depends on results that are not there yet.
    Wait,
    /// Nothing.
    End,
}
