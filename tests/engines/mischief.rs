//! All the ways to misbehave.

use crate::awakening::Awakening;
use crate::board::Board;
use crate::hostile;
use crate::kind::Kind;
use kroo::game::{Move, Pit, Side};
use kroo::protocol::{Command, GoCommand, Query};
use rustix::process::Signal;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{self, exit};
use std::thread;
use std::time::{Duration, Instant};

/// How an engine misbehaves, and how far it has come.
pub struct Mischief {
    kind: Kind,
    /// `go` commands so far.
    asked: u32,
    /// `ucinewgame` commands so far.
    games: u32,
    /// The answer when pondering ends.
    pondered: Option<String>,
    awakening: Awakening,
}

/// Whether a command has been dealt with.
pub enum Reaction {
    /// It has.
    Done,
    /// The engine may answer as usual.
    Usual,
}

impl Mischief {
    /// The one with this name; any other name is honesty.
    pub fn named(name: &str) -> Mischief {
        let kind = Kind::named(name);
        let awakening = Awakening::new(kind == Kind::Awakening);
        Mischief { kind, asked: 0, games: 0, pondered: None, awakening }
    }

    /// Before anything is read.
    pub fn at_start(&self) -> io::Result<()> {
        match self.kind {
            Kind::CrashAtStart => exit(3),
            Kind::Lingering => sleep_forever(),
            Kind::Hermit => {
                rustix::process::setsid()?;
                sleep_forever()
            }
            Kind::Inspecting => hostile::inspect(),
            Kind::Burning => thread::Builder::new().spawn(hostile::burn).map(drop),
            Kind::BurningChild => child("burning").spawn().map(drop),
            Kind::ShimStopping => child("hermit").env_clear().spawn().map(drop),
            Kind::Hermits | Kind::HangingHermits => child("hermit").env_clear().spawn().map(drop),
            Kind::Deserting => {
                let group = rustix::process::getpgid(rustix::process::getppid())?;
                Ok(rustix::process::setpgid(None, Some(group))?)
            }
            Kind::Deaf => {
                say("uciok\nreadyok\n")?;
                sleep_forever()
            }
            Kind::Banner => say("Unruly 1.0 (C) nobody\n\nhello\n"),
            Kind::Parent | Kind::Orphaning | Kind::HangingParent => child("lingering").spawn().map(drop),
            Kind::Escaping | Kind::HangingEscaping => child("lingering").process_group(0).spawn().map(drop),
            _ => Ok(()),
        }
    }

    /// When a line has been read.
    pub fn hear(&self, line: &[u8]) -> io::Result<()> {
        if matches!(self.kind, Kind::Chronicler | Kind::Ponderer) {
            io::stderr().write_all(line)
        } else {
            Ok(())
        }
    }

    /// At the end of the input.
    pub fn at_end(&self) -> io::Result<()> {
        if self.kind == Kind::Stubborn { sleep_forever() } else { Ok(()) }
    }

    /// Looks at a command first.
    pub fn react(&mut self, command: &Command, board: &Board) -> io::Result<Reaction> {
        match (command, self.kind) {
            (Command::Uci | Command::Ugi, Kind::SilentAtUci) | (Command::IsReady, Kind::Unready) => {}
            (Command::Uci, Kind::Optionless) => say("id name Plain\nuciok\n")?,
            (Command::Query(Query::P1Turn), Kind::Lying) => say("response false\n")?,
            (Command::Quit, Kind::Stubborn) => {}
            (Command::Quit, Kind::Awakening | Kind::Stirring) => {
                self.awakening.tell_last()?;
                return Ok(Reaction::Usual);
            }
            (Command::Quit, Kind::SlowToQuit) => {
                thread::sleep(Duration::from_millis(300));
                io::stderr().write_all(b"saved\n")?;
                exit(0);
            }
            (Command::SetOption { name, .. }, Kind::Grumbling) if name == "Hash" => {
                say("info string error option Hash: there is no memory\n")?;
            }
            (Command::NewGame, Kind::DiesBetween) => {
                self.games += 1;
                if self.games > 1 {
                    exit(0);
                }
            }
            (Command::PonderHit | Command::Stop, kind) if kind.ponders() => {
                say(&self.pondered.take().unwrap_or_default())?;
            }
            (Command::Go(GoCommand::Search(limits)), kind) if kind.ponders() => {
                let answer = expecting(board);
                match kind {
                    _ if !limits.ponder => say(&answer)?,
                    Kind::PonderDeaf => {}
                    Kind::PonderTwice => self.pondered = Some(answer.repeat(2)),
                    Kind::PonderEarly => say(&answer)?,
                    Kind::PonderDies => exit(3),
                    Kind::PonderEndless => loop {
                        say(&"info depth 1 score cp 12 nodes 1 pv A\n".repeat(1000))?;
                    },
                    Kind::PonderFlood => {
                        let start = Instant::now();
                        say(&"info depth 1 score cp 12 nodes 1 pv A\n".repeat(20_000))?;
                        writeln!(io::stderr(), "wrote {}", start.elapsed().as_millis())?;
                        self.pondered = Some(answer);
                    }
                    _ => self.pondered = Some(answer),
                }
            }
            (Command::Go(_), _) => {
                self.asked += 1;
                return self.at_go(board);
            }
            _ => return Ok(Reaction::Usual),
        }
        Ok(Reaction::Done)
    }

    fn at_go(&mut self, board: &Board) -> io::Result<Reaction> {
        let moves = board.moves();
        let Some(&first) = moves.first() else { return Ok(Reaction::Usual) };
        match self.kind {
            // So that a test can do something in the middle of a match.
            Kind::Unhurried | Kind::UnhurriedLast => {
                thread::sleep(Duration::from_millis(1));
                let chosen = if self.kind == Kind::Unhurried { 0 } else { moves.len() - 1 };
                say(&format!("bestmove {}\n", moves[chosen]))?;
            }
            Kind::SlowToQuit => {
                if self.asked == 1 {
                    io::stderr().write_all(b"began\n")?;
                }
                return Ok(Reaction::Usual);
            }
            Kind::Last => say(&format!("bestmove {}\n", moves[moves.len() - 1]))?,
            Kind::Chronicler => {
                let moves_again =
                    |mv: &&Move| board.position().play(**mv).is_ok_and(|after| after.side() == first.side);
                say(&format!("bestmove {}\n", moves.iter().find(moves_again).unwrap_or(&first)))?;
            }
            Kind::Illegal => match own_pits(first).find(|mv| !moves.contains(mv)) {
                Some(illegal) => say(&format!("bestmove {illegal}\n"))?,
                None => return Ok(Reaction::Usual),
            },
            // It never breaks a rule, and sees every game as lost: a match with --resign ends them.
            Kind::Gloomy => say(&format!("info depth 1 score cp -4800 pv {first}\nbestmove {first}\n"))?,
            Kind::OtherSide => {
                let side = board.position().side().other();
                say(&format!("bestmove {}\n", Move { side, pit: first.pit }))?;
            }
            Kind::NoMove => say("bestmove (none)\n")?,
            Kind::NullMove => say("bestmove 0000\n")?,
            Kind::NonMove => say("bestmove e2e4\n")?,
            Kind::AbortAtGo => process::abort(),
            Kind::ExitAtGo => exit(3),
            Kind::LoudlyDying => {
                say("info string something is wrong \x1b[2J\n")?;
                for number in 1..=2_000 {
                    writeln!(io::stderr(), "complaint {number}")?;
                }
                io::stderr().write_all(b"panicked at \x1b[31mline 7\n")?;
                exit(3)
            }
            Kind::DiesAsSouth if first.side == Side::South => exit(3),
            // From its second move on, so that the child is seen to hold the pipe of an engine that is gone.
            Kind::Orphaning if self.asked > 1 => exit(5),
            Kind::SilentAtGo => {}
            Kind::DeafAtGo
            | Kind::HangingParent
            | Kind::HangingEscaping
            | Kind::HangingHermits
            | Kind::Deserting => sleep_forever(),
            Kind::Littering => {
                process::Command::new("sh").args(["-c", "true &"]).status()?;
                return Ok(Reaction::Usual);
            }
            Kind::Awakening | Kind::Stirring => {
                self.awakening.look(|| child("lingering"))?;
                return Ok(Reaction::Usual);
            }
            Kind::Late => {
                io::stderr().write_all(b"thinks\n")?;
                thread::sleep(Duration::from_millis(250));
                return Ok(Reaction::Usual);
            }
            Kind::RivalStopping => {
                hostile::stop_rivals();
                return Ok(Reaction::Usual);
            }
            Kind::PipeWriting => {
                hostile::write_to_rivals()?;
                return Ok(Reaction::Usual);
            }
            Kind::ShimKilling => {
                hostile::signal_shim(Signal::KILL);
                sleep_forever()
            }
            Kind::ShimStopping => {
                hostile::signal_shim(Signal::STOP);
                sleep_forever()
            }
            Kind::CleanupStopping => {
                hostile::stop_cleanup_process();
                return Ok(Reaction::Usual);
            }
            Kind::Chaining => {
                hostile::start_chains()?;
                io::stderr().write_all(b"chains\n")?;
                sleep_forever()
            }
            Kind::Multiplying => {
                for _ in 0..40 {
                    child("lingering").spawn()?;
                }
                sleep_forever()
            }
            Kind::Noisy => {
                io::stderr().write_all("the same noise again\n".repeat(500_000).as_bytes())?;
                io::stderr().write_all(b"the end\n")?;
                return Ok(Reaction::Usual);
            }
            Kind::Greedy => {
                let taken = vec![1_u8; 512 << 20];
                say(&format!("info string {}\n", taken.len()))?;
                return Ok(Reaction::Usual);
            }
            Kind::Resuming => {
                for _ in 0..20 {
                    thread::sleep(Duration::from_millis(50));
                    hostile::signal_referee(Signal::CONT);
                }
                return Ok(Reaction::Usual);
            }
            Kind::Overspending => {
                thread::sleep(Duration::from_millis(60));
                return Ok(Reaction::Usual);
            }
            Kind::Suspending => {
                hostile::signal_referee(Signal::STOP);
                thread::sleep(Duration::from_millis(700));
                hostile::signal_referee(Signal::CONT);
                return Ok(Reaction::Usual);
            }
            Kind::Garbage => say("I think\nthat \u{1}\u{2} I should move something\n")?,
            Kind::Flood => loop {
                say(&"info depth 1 score cp 0 nodes 1 pv A\n".repeat(1000))?;
            },
            Kind::FloodAndMove => {
                say(&format!("info depth 1 score cp 12 nodes 1 pv {first}\n").repeat(20_000))?;
                return Ok(Reaction::Usual);
            }
            Kind::EndlessLine => loop {
                say(&"x".repeat(100_000))?;
            },
            Kind::LongLines => {
                say(&format!("info string {}\n", "x".repeat(2_000_000)))?;
                return Ok(Reaction::Usual);
            }
            Kind::Unfinished => {
                say(&format!("bestmove {first}"))?;
                exit(0);
            }
            Kind::Twice => say(&format!("bestmove {first}\nbestmove {first}\n"))?,
            Kind::Talkative => {
                let numbers = "depth 7 seldepth 11 score cp 40 nodes 12345 nps 1000000 hashfull 77 tbhits 5";
                say(&format!("info {numbers} pv {first}\nbestmove {first}\n"))?;
            }
            Kind::Contradicting => {
                let last = moves[moves.len() - 1];
                say(&format!("info depth 7 score cp 4800 proven win pv {last}\nbestmove {first}\n"))?;
            }
            Kind::Depthless => {
                say("info score cp 35\ninfo string depth 5 score cp 1\ninfo currmove A\n")?;
                return Ok(Reaction::Usual);
            }
            Kind::Rambling => {
                // South's move, whichever side is to move.
                say("info depth 3 score cp -125 pv A\n")?;
                return Ok(Reaction::Usual);
            }
            Kind::Thoughtful => {
                say(&format!("info depth 3 score cp -125 pv {first}\ninfo depth 4 multipv 2 score cp 7\n"))?;
                return Ok(Reaction::Usual);
            }
            _ => return Ok(Reaction::Usual),
        }
        Ok(Reaction::Done)
    }
}

/// All pits of the side that makes a move.
fn own_pits(mv: Move) -> impl Iterator<Item = Move> {
    Pit::ALL.into_iter().map(move |pit| Move { pit, ..mv })
}

/// The first move, and the first answer to it.
fn expecting(board: &Board) -> String {
    let Some(&best) = board.moves().first() else { return "bestmove 0000\n".to_owned() };
    let answer = board.position().play(best).ok().and_then(|after| after.moves().first().copied());
    answer.map_or_else(|| format!("bestmove {best}\n"), |answer| format!("bestmove {best} ponder {answer}\n"))
}

/// A process that does nothing for ever, with the marks of this one, and with its standard output.
fn child(manner: &str) -> process::Command {
    let marks = std::env::args().skip(2);
    let mut command = process::Command::new(std::env::current_exe().unwrap_or_default());
    command.arg(manner).args(marks);
    command
}

fn say(text: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(text.as_bytes())?;
    output.flush()
}

fn sleep_forever() -> ! {
    loop {
        thread::sleep(Duration::from_secs(3600));
    }
}
