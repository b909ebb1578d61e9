//! Tests of `src/play/clock.rs`.

use kroo::game::{Game, Position, Side, Variant};
use kroo::ogn::{GameRecord, MoveNotes};
use kroo::play::clock::{ClockSetting, Clocks, shown};
use kroo::time::set_clock;
use std::cell::Cell;
use std::time::Duration;

thread_local! {
    static NOW: Cell<u64> = const { Cell::new(0) };
}

fn wait(seconds: u64) {
    NOW.set(NOW.get() + 1000 * seconds);
}

fn clocks(setting: &str) -> Clocks {
    set_clock(|| Duration::from_millis(NOW.get()));
    Clocks::new(setting.parse().expect("a clock"), 0)
}

fn left(clocks: &Clocks) -> [u64; 2] {
    Side::BOTH.map(|side| clocks.left(side).as_secs())
}

#[test]
fn a_clock_runs_gains_and_falls() {
    let mut clocks = clocks("1+5");
    wait(30);
    assert_eq!((left(&clocks), clocks.patience()), ([60, 60], None));
    clocks.run(Some(Side::North));
    wait(20);
    assert_eq!(left(&clocks), [60, 40]);
    // It goes on, whatever is asked meanwhile.
    clocks.run(Some(Side::North));
    wait(5);
    clocks.moved(Side::North);
    assert_eq!((left(&clocks), clocks.patience()), ([60, 40], None));
    // A move of a side whose clock does not run gains nothing.
    clocks.moved(Side::North);
    clocks.moved(Side::South);
    assert_eq!(left(&clocks), [60, 40]);
    clocks.run(Some(Side::South));
    wait(59);
    assert_eq!((clocks.fallen(), clocks.patience()), (None, Some(Duration::from_secs(1))));
    // Another side's clock starts where this one stops.
    clocks.run(Some(Side::North));
    wait(10);
    clocks.run(None);
    wait(100);
    assert_eq!(left(&clocks), [1, 30]);
    clocks.run(Some(Side::South));
    wait(2);
    assert_eq!((clocks.fallen(), left(&clocks)), (Some(Side::South), [0, 30]));
    clocks.run(None);
    assert_eq!(clocks.fallen(), None);
}

/// The clocks of each position are in its document, so that a move taken back takes its increment along.
#[test]
fn a_document_has_the_clocks_of_each_position() {
    let mut clocks = clocks("0.5+2.5");
    let mut record = GameRecord::new(Game::new(Position::start(Variant::Oware)));
    let mut all = vec![left(&clocks)];
    for used in [4, 1, 0, 9] {
        let side = record.game.position().side();
        clocks.run(Some(side));
        wait(used);
        clocks.moved(side);
        let mv = record.game.position().moves()[0];
        record.push(mv, MoveNotes::of_comment(format!("a remark {}", clocks.note(side)))).expect("legal");
        all.push(left(&clocks));
    }
    assert_eq!(record.comments()[0], "a remark [%clk 0:00:28.500]");
    while let Some(expected) = all.pop() {
        assert_eq!(left(&clocks.of_game(&record)), expected);
        record.pop();
    }
    let hours = Clocks::new("150".parse().expect("a clock"), 0).note(Side::South);
    assert_eq!(hours, "[%clk 2:30:00]");
    // Clocks that were set later begin there.
    let kept = Clocks::of_tag("0.5+2.5 1").expect("clocks");
    assert_eq!((kept.tag().as_str(), left(&kept)), ("0.5+2.5 1", [30, 30]));
    for text in ["", "5 x", "5 -1", "5 1 1", "x 1"] {
        assert_eq!(Clocks::of_tag(text), None, "{text}");
    }
}

#[test]
fn clocks_are_read_and_shown() {
    for (text, same) in
        [("5", "5"), ("5+3", "5+3"), ("0.5+0", "0.5"), ("180+180", "180+180"), ("0.01", "0.01")]
    {
        assert_eq!(text.parse().map(|clock: ClockSetting| clock.to_string()), Ok(same.to_owned()));
    }
    for text in ["", "0", "-1", "5+", "+3", "5+3+1", "nan", "inf", "181", "5+181", "5:00", "5 + 3", "off"] {
        let error = text.parse::<ClockSetting>().expect_err("it is refused");
        assert!(
            error.starts_with(&format!("`{text}` is not a clock: expected minutes from 0.01 to 180")),
            "{error}"
        );
    }
    for (milliseconds, text) in [
        (0, "0:00.0"),
        (1, "0:00.1"),
        (9_300, "0:09.3"),
        (9_999, "0:10"),
        (59_001, "1:00"),
        (298_000, "4:58"),
    ] {
        assert_eq!(shown(Duration::from_millis(milliseconds)), text);
    }
}
