//! The worked examples of the sources, and the edges of each rule.

use kroo::game::{
    Ayoayo, AyoayoWithin, Board, Game, Move, MoveError, Pit, Position, Row, Rules, Side, Variant, Verdict,
};

fn position(variant: Variant, text: &str) -> Position {
    Position::parse(variant, text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn mv(letter: char) -> Move {
    Move::from_letter(letter).expect("a letter")
}

fn after(variant: Variant, text: &str, moves: &str) -> Position {
    let mut game = Game::new(position(variant, text));
    for letter in moves.chars() {
        game.play(mv(letter)).unwrap_or_else(|error| panic!("{text}: {letter}: {error}"));
    }
    *game.position()
}

fn letters(position: &Position) -> String {
    position.moves().iter().map(|mv| mv.letter()).collect()
}

#[test]
fn davis_kendall_appendix_b() {
    let text = "0-0-10-0-5-2-0-0-0-0-0-15-7-9-N";
    let north = after(Variant::Awari, text, "f");
    assert_eq!(north.to_string(), "2-2-12-0-6-3-1-1-1-1-1-0-7-11-S");
    let south = after(Variant::Awari, text, "fE");
    assert_eq!((south.store(Side::South), south.store(Side::North)), (17, 11));
    assert_eq!(south.verdict_for(Side::South), Some(Verdict::Win));
}

#[test]
fn davis_kendall_appendix_c() {
    let text = "0-0-0-2-17-0-0-0-0-0-1-0-19-9-S";
    let at_once = after(Variant::Awari, text, "E");
    assert_eq!(at_once.store(Side::South), 30);
    assert_eq!(at_once.verdict_for(Side::South), Some(Verdict::Win));
    let patient = after(Variant::Awari, text, "De");
    assert_eq!(patient.to_string(), "0-0-0-0-18-1-0-0-0-0-0-1-19-9-S");
    let thirteen = after(Variant::Awari, text, "DeE");
    assert_eq!(thirteen.store(Side::South), 32);
    assert!(thirteen.row(Side::North).is_bare());
    assert_eq!(thirteen.verdict_for(Side::South), Some(Verdict::Win));
}

#[test]
fn awari_taking_everything_wins_whatever_the_score() {
    let text = "0-0-0-0-18-0-0-0-0-0-0-0-6-24-S";
    assert_eq!(letters(&position(Variant::Awari, text)), "E");
    let won = after(Variant::Awari, text, "E");
    assert_eq!(won.verdict_for(Side::South), Some(Verdict::Win));
    assert!(won.store(Side::South) < won.store(Side::North));
    // The win belongs to the move: as a set-up, the stores decide the same board.
    let set_up = position(Variant::Awari, &won.to_string());
    assert_eq!(set_up.verdict_for(Side::South), Some(Verdict::Loss));
}

#[test]
fn awari_level_at_24_comes_before_taking_everything() {
    let drawn = after(Variant::Awari, "0-0-0-0-0-2-1-1-0-0-0-0-20-24-S", "F");
    assert_eq!(drawn.verdict(), Some(Verdict::Draw));
}

#[test]
fn awari_without_a_feeding_move_the_mover_takes_the_rest() {
    let over = position(Variant::Awari, "1-0-2-0-0-0-0-0-0-0-0-0-21-24-S");
    assert_eq!(over.to_string(), "0-0-0-0-0-0-0-0-0-0-0-0-24-24-S");
    assert_eq!(over.verdict(), Some(Verdict::Draw));
    assert!(over.moves().is_empty());
    assert_eq!(over.play(mv('A')), Err(MoveError::GameOver));
}

#[test]
fn awari_must_feed() {
    let hungry = position(Variant::Awari, "1-0-2-0-0-1-0-0-0-0-0-0-20-24-S");
    assert_eq!(letters(&hungry), "F");
    assert_eq!(hungry.play(mv('A')), Err(MoveError::MustFeed));
    assert_eq!(hungry.play(mv('B')), Err(MoveError::EmptyPit));
    assert_eq!(hungry.play(mv('a')), Err(MoveError::NotYourSide { to_move: Side::South }));
}

#[test]
fn oware_grand_slam_takes_nothing() {
    let slam = after(Variant::Oware, "1-0-0-0-0-2-1-1-0-0-0-0-20-23-S", "F");
    assert_eq!(slam.to_string(), "1-0-0-0-0-0-2-2-0-0-0-0-20-23-N");
    assert_eq!(slam.verdict(), None);
}

#[test]
fn oware_repetition_hands_out_the_rows() {
    let text = "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S";
    let mut game = Game::new(position(Variant::Oware, text));
    for (index, letter) in "AaBbCcDdEeFf".chars().enumerate() {
        assert_eq!(game.position().verdict(), None, "after {index} moves");
        game.play(mv(letter)).expect("legal");
    }
    // Both single seeds have gone round: F feeds a, f feeds A, and the first position is back.
    let last = game.position();
    assert_eq!(last.verdict(), Some(Verdict::Draw), "{last}");
    assert_eq!((last.store(Side::South), last.store(Side::North)), (24, 24));
}

#[test]
fn ayoayo_essay() {
    let start = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";
    assert_eq!(after(Variant::Ayoayo, start, "A").to_string(), "0-6-6-0-1-6-6-6-6-1-5-5-0-0-N");
    assert_eq!(after(Variant::Ayoayo, start, "D").to_string(), "1-5-5-0-6-6-0-1-6-6-6-0-6-0-N");
    let hungry = "1-0-2-0-1-0-0-0-0-0-0-0-22-22-S";
    assert_eq!(letters(&position(Variant::Ayoayo, hungry)), "C");
    assert_eq!(after(Variant::Ayoayo, hungry, "C").to_string(), "1-0-0-1-0-1-1-0-0-0-0-0-22-22-N");
    let last = after(Variant::Ayoayo, "1-0-1-0-1-0-0-0-0-0-0-0-40-5-S", "C");
    assert_eq!((last.store(Side::South), last.store(Side::North)), (43, 5));
    assert_eq!(last.verdict_for(Side::South), Some(Verdict::Win));
}

#[test]
fn ayoayo_never_ending_sowing_is_not_legal() {
    let start = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";
    let reached = after(Variant::Ayoayo, start, "CdB");
    assert_eq!(reached.play(mv('e')), Err(MoveError::NeverEnding));
    assert!(!letters(&reached).contains('e'));
}

/// No position with only never-ending moves is known, so the limit is lowered until there is one.
#[test]
fn ayoayo_with_only_never_ending_moves_the_stores_stand() {
    type Hasty = AyoayoWithin<1>;
    let board = Board::filled(4);
    assert!(Hasty::moves(board).into_iter().all(|pit| Hasty::play(board, pit).is_none()));
    let uneven = Board { mover: board.mover, other: Row::new([4; 6], 0).emptied(Pit::new(5)).bank(4) };
    assert!(Hasty::moves(uneven).into_iter().all(|pit| Hasty::play(uneven, pit).is_none()));
    let over = Position::new::<Hasty>(uneven, Side::South);
    assert_eq!(over.verdict_for(Side::South), Some(Verdict::Loss));
    assert_eq!(over.board(), uneven, "nothing is handed out");
    assert_eq!(Position::new::<Ayoayo>(uneven, Side::South).verdict(), None);
}

/// A sowing of exactly the limit is legal; one more lap is not.
#[test]
fn ayoayo_lap_limit_is_exact() {
    let board = Board::filled(4);
    // A takes four laps from the start.
    assert!(AyoayoWithin::<4>::play(board, Pit::new(0)).is_some());
    assert!(AyoayoWithin::<3>::play(board, Pit::new(0)).is_none());
}

#[test]
fn kalah_captures_into_the_pit_it_began_from() {
    let lap = after(Variant::Kalah, "13-1-0-0-0-0-1-0-0-0-0-0-20-13-S", "A");
    // Thirteen seeds go once round and end in A, which was empty; B to F and a to e got one, f had none but one now.
    assert_eq!(lap.to_string(), "0-2-1-1-1-1-2-1-1-1-1-0-23-13-N");
}

#[test]
fn awari1978_second_move_is_compulsory_and_the_last() {
    let start = position(Variant::Awari1978, "3-3-3-3-3-3-3-3-3-3-3-3-0-0-S");
    let second = start.play(mv('D')).expect("legal");
    assert_eq!(second.to_string(), "3-3-3-0-4-4-3-3-3-3-3-3-1-0-S2");
    assert_eq!(second.play(mv('a')), Err(MoveError::NotYourSide { to_move: Side::South }));
    assert_eq!(second.play(mv('A')).expect("legal").side(), Side::North);
    // A pit of 14 ends in itself and captures the seeds opposite.
    let lap = after(Variant::Awari1978, "14-1-0-0-0-0-1-1-1-0-0-2-8-8-S", "A");
    assert_eq!(lap.to_string(), "0-2-1-1-1-1-2-2-2-1-1-0-13-9-N");
}

#[test]
fn awari1978_pending_second_move_is_lost_when_a_row_empties() {
    let over = after(Variant::Awari1978, "0-0-0-0-0-1-2-0-0-0-0-0-16-17-S", "F");
    assert_eq!(over.to_string(), "0-0-0-0-0-0-2-0-0-0-0-0-17-17-S2");
    assert_eq!(over.verdict(), Some(Verdict::Draw));
}
