//! The conversation without threads, as in a browser worker.

use kroo::game::Variant;
use kroo::protocol::Settings;
use kroo::session::{AfterPause, Session, SlicedSession};
use std::cell::{Cell, RefCell};
use std::io::{self, Cursor, Write};
use std::rc::Rc;
use std::time::Duration;

/// An output that is read while it is written.
#[derive(Clone, Default)]
pub struct Shared(Rc<RefCell<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Shared {
    pub fn text(&self) -> String {
        String::from_utf8(self.0.borrow().clone()).expect("text")
    }
}

/// The output without parts that depend on time.
pub fn untimed(said: &str) -> String {
    let timed = |word: &str| ["nps", "time"].contains(&word);
    let mut text = String::new();
    for line in said.lines().filter(|line| !line.starts_with("Nodes per second: ")) {
        let mut words = line.split(' ');
        while let Some(word) = words.next() {
            if timed(word) {
                words.next();
            } else {
                text += word;
                text.push(' ');
            }
        }
        text.push('\n');
    }
    text
}

pub fn session() -> (SlicedSession<Shared>, Shared) {
    let output = Shared::default();
    (SlicedSession::new(output.clone(), Settings::default()).expect("a session"), output)
}

/// Passes lines in each pause, one or several.
fn talk(session: &SlicedSession<Shared>, lines: &[&str], slice: Duration, after: AfterPause) {
    let next = Cell::new(0);
    let pause = || {
        if let Some(line) = lines.get(next.get()) {
            next.set(next.get() + 1);
            line.lines().for_each(|line| session.take_line(line).expect("an output"));
        }
        after
    };
    pause();
    while session.work(slice, &pause).expect("an output") {
        pause();
    }
    assert_eq!(next.get(), lines.len(), "everything was said");
}

#[test]
fn lines_are_answered_during_a_search() {
    let (session, output) = session();
    let lines = ["go infinite", "isready", "go depth 1", "sow F", "stop\nposition startpos moves F\nd"];
    talk(&session, &lines, Duration::ZERO, AfterPause::GoOn);
    let text = output.text();
    let places = ["readyok", "info string error a search is running", "Lap: F abcd", "bestmove ", "Fen: "];
    let places = places.map(|word| text.rfind(word).unwrap_or_else(|| panic!("no {word}: {text}")));
    assert!(places.is_sorted(), "{text}");
}

#[test]
fn quit_ends_what_goes_on() {
    for line in ["go infinite", "go ponder", "perft 20", "bench 100", "go movetime 600000"] {
        let (session, output) = session();
        talk(&session, &[line, "isready", "quit"], Duration::ZERO, AfterPause::GoOn);
        assert!(session.is_over(), "{line}");
        session.take_line("isready").expect("an output");
        assert_eq!(output.text().matches("readyok").count(), 1, "{line}");
    }
}

/// A search that is suspended repeatedly reaches its depth, reports each depth once, and can be stopped.
#[test]
fn a_search_that_is_left_goes_on() {
    for &variant in Variant::ALL {
        let (session, output) = session();
        let setup = format!("setoption name UCI_Variant value {variant}");
        session.take_line(&setup).expect("an output");
        session.take_line("go depth 9").expect("an output");
        let mut count = 0;
        while session.work(Duration::from_micros(20), &|| AfterPause::Leave).expect("an output") {
            count += 1;
        }
        let text = output.text();
        assert!(count > 2 && text.lines().last().is_some_and(|line| line.starts_with("bestmove")), "{text}");
        let depths = text
            .lines()
            .filter_map(|line| line.strip_prefix("info depth ")?.split(' ').next()?.parse::<u8>().ok());
        let depths: Vec<u8> = depths.collect();
        assert!(
            depths.is_sorted() && (depths.last() == Some(&9) || text.contains("proven")),
            "{variant}: {text}"
        );
        assert!(depths.windows(2).filter(|pair| pair[0] == pair[1]).count() <= 1, "{variant}: {text}");

        session.take_line("ucinewgame").expect("an output");
        talk(&session, &["go infinite", "isready", "stop"], Duration::from_millis(2), AfterPause::Leave);
        let said = output.text().split_off(text.len());
        let last = said.lines().last().unwrap_or_default();
        assert!(said.matches("readyok").count() == 1 && last.starts_with("bestmove "), "{variant}: {said}");
    }
}

#[test]
fn both_drivers_say_the_same() {
    for &variant in Variant::ALL {
        let setup = format!("setoption name UCI_Variant value {variant}");
        let lines = [&setup, "uci", "go depth 8", "perft 4", "position startpos moves x", "bench 4", "rules"];
        let (sliced, output) = session();
        for line in lines {
            sliced.take_line(line).expect("an output");
            assert!(!sliced.work(Duration::ZERO, &|| AfterPause::GoOn).expect("an output"));
        }
        // At the end of its input a session finishes its job.
        let threaded = Shared::default();
        for line in &lines[1..] {
            let settings = Settings { variant, ..Settings::default() };
            let session = Session::new(threaded.clone(), settings).expect("a session");
            session.run(Cursor::new(line.as_bytes().to_vec())).expect("an output");
        }
        assert_eq!(untimed(&output.text()), untimed(&threaded.text()), "{variant}");
    }
}
