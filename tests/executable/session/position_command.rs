//! `position`: lists of moves, what is refused, and what `d` shows of it.

use super::{START, text};
use kroo::game::{Fields, Game, Position, Side, Variant};
use kroo::protocol::GameResult;
use support::client::{Client, moves};

#[test]
fn a_move_list_is_one_word_or_several() {
    let mut client = Client::new();
    client.accepts("position startpos moves FfEc");
    let (fen, _) = client.shows();
    let mut game = Game::new(Position::start(Variant::Awari));
    moves("FfEc").into_iter().for_each(|mv| game.play(mv).expect("legal"));
    assert_eq!(fen, game.position().to_string());
    for list in ["F f E c", "Ff Ec", "FfE c", "  F\tf  E c  "] {
        for start in ["position startpos moves", &format!("position fen {START} moves")] {
            client.accepts("position startpos");
            client.accepts(&format!("{start} {list}"));
            assert_eq!(client.shows().0, fen, "{start} {list}");
        }
    }
    client.accepts("position startpos moves");
    assert_eq!(client.shows().0, START);
}

/// All errors of set-ups and moves: `rules::setup` and `rules::worked_examples`.
#[test]
fn a_position_is_taken_as_a_whole_or_not_at_all() {
    for (variant, line, wanted) in [
        ("awari", "fen 4-4-x-4-4-4-4-4-4-4-4-4-0-0-S", "field 3 (pit C) is `x`"),
        ("awari", "startpos moves a", "move 1 (`a`): it is South's turn"),
        ("awari", "startpos moves F f F", "move 3 (`F`): the pit is empty"),
        ("awari", "startpos moves FfZ", "column 27: expected a pit's letter"),
        ("awari", "fen 1-0-2-0-0-1-0-0-0-0-0-0-20-24-S moves A", "the other row is empty and must be fed"),
        ("awari", "fen 0-0-0-0-0-2-1-1-0-0-0-0-20-24-S moves Fa", "move 2 (`a`): the game is over"),
        ("awari1978", "fen 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "48 seeds, expected 36 in awari1978"),
        ("ayoayo", "startpos moves CdBe", "move 4 (`e`): the sowing never ends"),
        (
            "oware",
            "fen 1-0-0-0-0-0-1-0-0-0-0-0-23-23-S moves AaBbCcDdEeFfA",
            "move 13 (`A`): the game is over",
        ),
    ] {
        let mut client = Client::with_flags(&["--variant", variant]);
        client.accepts("position startpos moves B");
        let before = client.says("d");
        let error = client.refuses(&format!("position {line}"));
        assert!(error.contains(wanted), "{line}: {error}");
        assert_eq!(client.says("d"), before, "{line}");
        // Not even a search is misled.
        assert!(client.go("go depth 2").letter().is_lowercase(), "{line}");
    }
}

#[test]
fn d_shows_the_board_the_position_line_and_the_result() {
    use GameResult::{Draw, NorthWins, Ongoing, SouthWins};
    for (variant, start, list, fen, expected) in [
        ("awari", START, "", START, Ongoing),
        ("awari", "0-0-10-0-5-2-0-0-0-0-0-15-7-9-N", "f", "2-2-12-0-6-3-1-1-1-1-1-0-7-11-S", Ongoing),
        // Capturing everything wins whatever the score, which only the history of the game shows.
        ("awari", "0-0-0-0-18-0-0-0-0-0-0-0-6-24-S", "E", "1-1-1-1-0-2-0-0-0-0-0-0-18-24-N", SouthWins),
        ("awari", "1-1-1-1-0-2-0-0-0-0-0-0-18-24-N", "", "1-1-1-1-0-2-0-0-0-0-0-0-18-24-N", NorthWins),
        ("awari", "1-0-2-0-0-0-0-0-0-0-0-0-21-24-S", "", "0-0-0-0-0-0-0-0-0-0-0-0-24-24-S", Draw),
        ("awari1978", "3-3-3-3-3-3-3-3-3-3-3-3-0-0-S", "D", "3-3-3-0-4-4-3-3-3-3-3-3-1-0-S2", Ongoing),
        ("awari1978", "0-0-0-0-0-1-2-0-0-0-0-0-15-18-S", "F", "0-0-0-0-0-0-2-0-0-0-0-0-16-18-S2", NorthWins),
        ("oware", "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S", "AaBbCcDdEeFf", "0-0-0-0-0-0-0-0-0-0-0-0-24-24-S", Draw),
    ] {
        let mut client = Client::with_flags(&["--variant", variant]);
        client.accepts(&format!("position fen {start} moves {list}"));
        assert_eq!(client.shows(), (fen.to_owned(), expected), "{variant} {start} {list}");
        let drawing = text(&client.says("d"));
        let fields: Fields = fen.parse().expect("fields");
        for (side, mut pits) in Side::BOTH.into_iter().zip(fields.pits) {
            if side == Side::North {
                pits.reverse();
            }
            let row = drawing.iter().find(|line| line.ends_with(&side.to_string()));
            let row = row.unwrap_or_else(|| panic!("no {side}: {drawing:#?}"));
            let drawn: Vec<u8> = row.split_whitespace().filter_map(|word| word.parse::<u8>().ok()).collect();
            assert_eq!(
                drawn,
                pits.into_iter().filter(|&seeds| seeds > 0).collect::<Vec<u8>>(),
                "{drawing:#?}"
            );
        }
        assert!(drawing.iter().any(|line| line.contains("the game is over")) == (expected != Ongoing));
    }
}
