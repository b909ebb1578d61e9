//! Conversations never wait for the background work, which is blocked here.

use crossbeam_channel::{Receiver, Sender, bounded};
use kroo::plan::background::BackgroundEndgames;
use kroo::protocol::Settings;
use kroo::session::Session;
use std::io::{PipeWriter, Write};
use std::sync::mpsc;
use std::{io, thread};
use support::PATIENCE;
use support::lines::Lines;

/// A conversation with background work that ends only when the test allows it.
struct BlockedWork {
    input: PipeWriter,
    output: mpsc::Receiver<String>,
    /// Receives a message at the end of the conversation.
    ended: Receiver<()>,
    /// Lets the work end.
    gate: Sender<()>,
    /// Receives a message at the end of the work.
    worked: Receiver<()>,
}

impl BlockedWork {
    fn start() -> BlockedWork {
        let (reader, input) = io::pipe().expect("a pipe");
        let ((gate, opened), (told, worked)) = (bounded::<()>(1), bounded(1));
        let ((lines, output), (end, ended)) = (Lines::new(), bounded(1));
        thread::spawn(move || {
            let mut session = Session::new(lines, Settings::default()).expect("a session");
            let work = move |_| {
                opened.recv().expect("the test opens the gate");
                told.send(()).expect("the test receives");
            };
            session.resources.background = BackgroundEndgames::running(work);
            session.converse(reader).expect("an output");
            end.send(()).expect("the test receives");
        });
        BlockedWork { input, output, ended, gate, worked }
    }

    /// Sends lines and waits for the reply with this prefix.
    fn ask(&mut self, lines: &str, answer: &str) {
        writeln!(self.input, "{lines}").expect("a reader");
        loop {
            let line = self.output.recv_timeout(PATIENCE);
            if line.unwrap_or_else(|_| panic!("{lines}: no {answer}")).starts_with(answer) {
                return;
            }
        }
    }

    /// Checks that the conversation ends before the work, then lets the work end.
    fn ends(self) {
        self.ended.recv_timeout(PATIENCE).expect("the conversation ends");
        assert!(self.worked.is_empty());
        self.gate.send(()).expect("it is held");
        self.worked.recv_timeout(PATIENCE).expect("the work ends");
    }
}

#[test]
fn nobody_waits_for_the_background() {
    let mut session = BlockedWork::start();
    session.ask("uci", "uciok");
    session.ask("isready", "readyok");
    session.ask("position startpos\ngo movetime 30", "bestmove");
    session.ask("go depth 3", "bestmove");
    session.ask("go infinite\nstop", "bestmove");
    session.ask("go wtime 100 btime 100", "bestmove");
    session.ask("ucinewgame\nsetoption name Hash value 2\nisready", "readyok");
    session.ask("position fen 0-2-0-0-1-2-1-1-0-0-2-1-19-19-S\ngo movetime 30", "bestmove");
    writeln!(session.input, "quit").expect("a reader");
    session.ends();
}

#[test]
fn the_end_does_not_wait_for_it_either() {
    let mut session = BlockedWork::start();
    session.ask("uci", "uciok");
    session.input = io::pipe().expect("a pipe").1;
    session.ends();
}
