//! The text files in `tests/data`; a page there says what each holds.

pub const PERFT: &str = include_str!("../data/perft/perft.txt");
pub const SOLVED: &str = include_str!("../data/solved/results.txt");
pub const SOLVED_MARGINS: &str = include_str!("../data/solved/margins.txt");
pub const GAMES: &str = include_str!("../data/games/random.txt");
pub const OPENSPIEL_OWARE: &str = include_str!("../data/games/openspiel-oware.txt");
pub const AVALANCHE_GAMES: &str = include_str!("../data/avalanche/games.txt");
pub const AVALANCHE_MOVES: &str = include_str!("../data/avalanche/moves.txt");
pub const AVALANCHE_MARGINS: &str = include_str!("../data/avalanche/margins.txt");
pub const KALAH_MOVES: &str = include_str!("../data/kalah/moves.txt");
pub const KALAH_MARGINS: &str = include_str!("../data/kalah/margins.txt");
pub const LAPS_1978: &str = include_str!("../data/awari1978/laps.txt");
pub const SESSIONS_1978: &str = include_str!("../data/awari1978/sessions.txt");
pub const STATISTICS: &str = include_str!("../data/statistics/matches.json");
pub const BENCH_SIGNATURE: &str = include_str!("../data/bench-signature.txt");

/// The lines of a data file, without comments, split into words, with their numbers.
pub fn lines(text: &str) -> impl Iterator<Item = (usize, Vec<&str>)> {
    let numbered = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    numbered.map(|(index, line)| (index + 1, line.split(' ').collect()))
}

/// The games of [`SESSIONS_1978`]: how many the program had kept before, the moves, and the stores at the end.
pub fn sessions_1978() -> Vec<(usize, &'static str, &'static str)> {
    let games: Vec<_> = lines(SESSIONS_1978)
        .map(|(_, words)| (words[0].parse().expect("a count"), words[1], words[2]))
        .collect();
    assert_eq!(games.len(), 24);
    games
}
