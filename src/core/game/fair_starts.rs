//! Fair starts: the start of a game with one or two seeds moved to other pits or a store, which perfect play draws.
//!
//! The idea is T. Neller and others, "FairKalah: Towards Fair Mancala Play" (Computers and Games 2022), who list 254 of them for
//! `kalah` with empty capture. Ours were found by proving the result of all 6,396 such starts (`kroo solve --bound draw`); those of
//! `kalah5`, of the 156 with one seed moved.
//!
//! A rule set's file has a line with the name of a game, and then its starts, separated by blanks. A start is two letters for each
//! moved seed: its place in the usual start and its new one, `A` to `F`, `a` to `f`, or `S` and `N` for the stores. Text after a `#`
//! is a comment.

use super::{Fields, Position, Side, Variant};

/// The proven fair starts of a game, none if they have not been looked for.
///
/// # Panics
/// If a file that is compiled in is damaged, which a test excludes.
pub fn fair_starts(game: Variant) -> Vec<Position> {
    let of_game = sections(game).into_iter().find(|(of, _)| *of == game);
    of_game.map_or(Vec::new(), |(_, starts)| starts)
}

/// The games that have fair starts, of all rule sets.
pub fn games_with_fair_starts() -> Vec<Variant> {
    Variant::ALL.iter().flat_map(|&variant| sections(variant)).map(|(game, _)| game).collect()
}

/// The starts of all games of a rule set.
fn sections(variant: Variant) -> Vec<(Variant, Vec<Position>)> {
    let lines = variant.about().fair_starts.unwrap_or_default().lines();
    let lines = lines.map(|line| line.split('#').next().unwrap_or_default().trim());
    let mut sections: Vec<(Variant, Vec<Position>)> = Vec::new();
    for line in lines.filter(|line| !line.is_empty()) {
        match (line.parse(), sections.last_mut()) {
            (Ok(game), _) => sections.push((game, Vec::new())),
            (Err(_), Some((game, starts))) => {
                starts.extend(line.split_whitespace().map(|word| start(*game, word)));
            }
            (Err(_), None) => panic!("a file of fair starts begins with the name of a game"),
        }
    }
    sections
}

/// The start with the seeds of a word moved.
fn start(game: Variant, word: &str) -> Position {
    let mut fields = Position::start(game).fields();
    for pair in word.as_bytes().chunks(2) {
        let &[from, to] = pair else { panic!("{word} names two places for each seed") };
        *place(&mut fields, from) -= 1;
        *place(&mut fields, to) += 1;
    }
    fields.position(game).expect("as many seeds as before")
}

fn place(fields: &mut Fields, letter: u8) -> &mut u8 {
    let [south, north] = Side::BOTH.map(Side::index);
    match letter {
        b'A'..=b'F' => &mut fields.pits[south][usize::from(letter - b'A')],
        b'a'..=b'f' => &mut fields.pits[north][usize::from(letter - b'a')],
        b'S' => &mut fields.stores[south],
        b'N' => &mut fields.stores[north],
        _ => panic!("a place is a pit or a store"),
    }
}
