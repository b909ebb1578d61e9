//! The two drivers of a session, with threads and without: random conversations get the same answers, line by line.

use super::slices::{Shared, untimed};
use kroo::game::{Move, Variant};
use kroo::protocol::Settings;
use kroo::session::{AfterPause, Session, SlicedSession};
use proptest::prelude::*;
use std::io::{self, PipeWriter, Write};
use std::sync::mpsc::Receiver;
use std::thread::{self, JoinHandle};
use std::time::Duration;
use support::PATIENCE;
use support::games::any_game;
use support::lines::Lines;

/// A line with at most one job, which ends by itself and does not depend on the time.
fn line() -> impl Strategy<Value = String> {
    let word =
        &["uci", "isready", "ucinewgame", "d", "eval", "rules", "help", "debug on", "stop", "ponderhit"];
    let option = &[
        "Hash value 1",
        "Hash value 3",
        "Hash value 0",
        "Clear Hash",
        "MultiPV value 3",
        "MultiPV value 7",
        "UCI_ShowWDL value true",
        "Level value amateur",
        "Level value full",
        "Player value greedy",
        "Player value random",
        "Player value kroo",
        "Seed value 7",
        "MoveLimit value 20",
        "Solution value false",
        "x value y",
    ];
    let limit = prop_oneof![
        (1..7).prop_map(|depth| format!("go depth {depth}")),
        (1..3000).prop_map(|nodes| format!("go nodes {nodes}")),
        (1..4).prop_map(|depth| format!("go depth {depth} searchmoves B c D")),
    ];
    prop_oneof![
        3 => prop::sample::select(&word[..]).prop_map(str::to_owned),
        3 => prop::sample::select(&option[..]).prop_map(|words| format!("setoption name {words}")),
        1 => prop::sample::select(Variant::ALL).prop_map(|variant| format!("setoption name UCI_Variant value {variant}")),
        3 => any_game(0..60).prop_map(|game| {
            let moves: Vec<String> = game.moves().iter().copied().map(|mv: Move| mv.to_string()).collect();
            format!("position startpos moves {}", moves.join(" "))
        }),
        1 => "[A-Fa-f]{1,6}".prop_map(|moves| format!("sow {moves}")),
        4 => limit,
        1 => (1..4).prop_map(|plies| format!("perft {plies}")),
        1 => Just("bench 2".to_owned()),
        1 => "[ -~]{0,20}".prop_filter("the end", |text| !text.contains("quit") && !text.contains("go")),
    ]
}

/// A session whose jobs run on another thread.
struct Threaded {
    input: PipeWriter,
    output: Receiver<String>,
    thread: JoinHandle<io::Result<kroo::session::End>>,
}

impl Threaded {
    fn start() -> Threaded {
        let (reader, input) = io::pipe().expect("a pipe");
        let (lines, output) = Lines::new();
        let thread = thread::spawn(move || {
            // Without background work, like the other driver.
            Session::new(lines, Settings::default()).expect("a session").converse(reader)
        });
        Threaded { input, output, thread }
    }

    fn next(&self) -> String {
        self.output.recv_timeout(PATIENCE).expect("a line")
    }

    /// The first `count` lines of the answer; checks that no other comes before the next command.
    fn answer(&mut self, line: &str, count: usize) -> Vec<String> {
        writeln!(self.input, "{line}").expect("a reader");
        let said = (0..count).map(|_| self.next()).collect();
        writeln!(self.input, "isready").expect("a reader");
        assert_eq!(self.next(), "readyok", "behind {count} lines to `{line}`");
        said
    }

    fn end(self) {
        drop(self.input);
        self.thread.join().expect("no panic").expect("an output");
        assert_eq!(self.output.try_iter().next(), None);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn both_drivers_answer_a_random_conversation_alike(lines in prop::collection::vec(line(), 1..25)) {
        let output = Shared::default();
        let sliced = SlicedSession::new(output.clone(), Settings::default()).expect("a session");
        let mut threaded = Threaded::start();
        for line in &lines {
            let before = output.text().len();
            sliced.take_line(line).expect("an output");
            while sliced.work(Duration::ZERO, &|| AfterPause::GoOn).expect("an output") {}
            let said = output.text().split_off(before);
            let other = threaded.answer(line, said.lines().count()).join("\n");
            prop_assert_eq!(untimed(&said), untimed(&other), "{} in {:?}", line, lines);
        }
        threaded.end();
    }
}
