//! Tests of `src/core/game/drawing.rs`.

use kroo::game::{Game, Position, Variant, draw};

fn last_line(position: &Position) -> String {
    draw(position).pop().expect("a board has lines")
}

#[test]
fn the_board_has_both_rows_as_seen_from_the_south() {
    let position = Position::parse(Variant::Kalah, "1-2-3-4-5-6-3-10-2-1-0-2-5-4-N").expect("48 seeds");
    let expected = [
        "          f    e    d    c    b    a",
        "   +----+----+----+----+----+----+----+----+",
        "   |    |  2 |    |  1 |  2 | 10 |  3 |    |   North",
        "   |  4 +----+----+----+----+----+----+  5 |",
        "   |    |  1 |  2 |  3 |  4 |  5 |  6 |    |   South",
        "   +----+----+----+----+----+----+----+----+",
        "          A    B    C    D    E    F",
        "   Kalah: North to move, a b c d f",
    ];
    assert_eq!(draw(&position), expected);
}

#[test]
fn the_last_line_tells_whose_move_it_is() {
    let mut game = Game::new(Position::start(Variant::Awari1978));
    assert_eq!(last_line(game.position()), "   Awari 1978: South to move, A B C D E F");
    let again = game.position().moves().into_iter().find(|&mv| {
        let after = game.position().play(mv).expect("a listed move");
        after.is_second_move()
    });
    game.play(again.expect("a move that ends at home")).expect("a listed move");
    assert!(last_line(game.position()).starts_with("   Awari 1978: South to move once more, "));
    let over = Position::parse(Variant::Kalah, "0-0-0-0-0-0-0-0-0-0-0-0-28-20-S").expect("48 seeds");
    assert_eq!(last_line(&over), "   Kalah: the game is over");
}
