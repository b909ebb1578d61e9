//! The board as text.

use super::{Move, Position, Side};

/// Draws a position: North's row above, read from right to left, the stores at the ends, and the side to move.
///
/// ```text
///           f    e    d    c    b    a
///    +----+----+----+----+----+----+----+----+
///    |    |  4 |  4 |  4 |  4 |  4 |  4 |    |
///    |  0 +----+----+----+----+----+----+  0 |
///    |    |  4 |  4 |  4 |  4 |  4 |  4 |    |
///    +----+----+----+----+----+----+----+----+
///           A    B    C    D    E    F
/// ```
pub fn draw(position: &Position) -> Vec<String> {
    let north: Vec<u8> = position.row(Side::North).pits().into_iter().rev().collect();
    let south = position.row(Side::South).pits();
    let pits = |row: &[u8]| row.iter().map(|&seeds| cell(seeds)).collect::<Vec<_>>().join("|");
    let rule = format!("   +----+{}----+", "----+".repeat(6));
    vec![
        "          f    e    d    c    b    a".to_owned(),
        rule.clone(),
        format!("   |    |{}|    |   North", pits(&north)),
        format!(
            "   |{}+{}----+{}|",
            store(position.store(Side::North)),
            "----+".repeat(5),
            store(position.store(Side::South))
        ),
        format!("   |    |{}|    |   South", pits(&south)),
        rule,
        "          A    B    C    D    E    F".to_owned(),
        format!("   {}: {}", position.variant().title(), state(position)),
    ]
}

/// A pit's seeds; blank if empty, so that starvation is visible.
fn cell(seeds: u8) -> String {
    if seeds == 0 { "    ".to_owned() } else { format!(" {seeds:2} ") }
}

fn store(seeds: u8) -> String {
    format!(" {seeds:2} ")
}

/// The side to move and its moves, or that the game is over.
fn state(position: &Position) -> String {
    if position.verdict().is_some() {
        return "the game is over".to_owned();
    }
    let letters: Vec<String> = position.moves().iter().map(Move::to_string).collect();
    let second = if position.is_second_move() { " once more" } else { "" };
    format!("{} to move{second}, {}", position.side(), letters.join(" "))
}
