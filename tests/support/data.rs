//! The text files in `tests/fixtures/data`; a page there says what each holds.

pub const PERFT: &str = include_str!("../fixtures/data/perft/perft.txt");
pub const SOLVED: &str = include_str!("../fixtures/data/solved/results.txt");
pub const SOLVED_MARGINS: &str = include_str!("../fixtures/data/solved/margins.txt");
pub const AUALE: &str = include_str!("../fixtures/data/games/auale.ogn");
pub const PLAYSTRATEGY: &str = include_str!("../fixtures/data/games/playstrategy.ogn");
pub const GAMES: &str = include_str!("../fixtures/data/games/random.txt");
pub const OPENSPIEL_OWARE: &str = include_str!("../fixtures/data/games/openspiel-oware.txt");
pub const AVALANCHE_GAMES: &str = include_str!("../fixtures/data/avalanche/games.txt");
pub const AVALANCHE_MOVES: &str = include_str!("../fixtures/data/avalanche/moves.txt");
pub const AVALANCHE_MARGINS: &str = include_str!("../fixtures/data/avalanche/margins.txt");
pub const KALAH_MOVES: &str = include_str!("../fixtures/data/kalah/moves.txt");
pub const KALAH_MARGINS: &str = include_str!("../fixtures/data/kalah/margins.txt");
pub const LAPS_1978: &str = include_str!("../fixtures/data/awari1978/laps.txt");
pub const SESSIONS_1978: &str = include_str!("../fixtures/data/awari1978/sessions.txt");
pub const STATISTICS: &str = include_str!("../fixtures/data/statistics/matches.json");
pub const BENCH_SIGNATURE: &str = include_str!("../fixtures/data/bench-signature.txt");

/// A file that ends with the CRC-32 of the rest, with the right one.
pub fn summed(mut file: Vec<u8>) -> Vec<u8> {
    let inside = file.len() - 4;
    let sum = crc32fast::hash(&file[..inside]);
    file.splice(inside.., sum.to_le_bytes());
    file
}

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
