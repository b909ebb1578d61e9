//! What may arrive at an engine and is none of the protocol, or none of the game.

use super::probe::CheckSession;
use super::{CheckResult, FindingKind};
use kroo::game::{Game, Position};

/// Lines that no engine need understand.
const LINES: [&[u8]; 22] = [
    b"\n",
    b"   \t \n",
    b"isready extra words\n",
    b"xyzzy\n",
    b"  go   depth   1  \n",
    b"go depth\n",
    b"go depth x\n",
    b"go depth -1\n",
    b"go depth 99999999999999999999\n",
    b"go nodes -5\n",
    b"go movetime -100\n",
    b"go wtime -1 btime -1\n",
    b"go sideways\n",
    b"position\n",
    b"position fen\n",
    b"position fen rubbish\n",
    b"position startpos moves\n",
    b"position somewhere\n",
    b"setoption\n",
    b"setoption value name\n",
    b"\0\0\0\x01\xff\xfe\xc3\x28\n",
    b"POSITION STARTPOS\n",
];

/// Malformed lines, each survived: after each of them the engine is ready and plays a legal move.
pub(super) fn malformed(probe: &mut CheckSession<'_>) -> CheckResult {
    for line in LINES {
        survived(probe, line)?;
    }
    let long = [b"position startpos moves ".as_slice(), &b"z".repeat(1 << 20), b"\n"].concat();
    survived(probe, &long)?;
    survived(probe, b"isready\r\n")?;
    still_plays(probe)?;
    // A reader that takes lines must wait for the end of one.
    probe.send_bytes(b"isrea")?;
    std::thread::sleep(std::time::Duration::from_millis(20));
    probe.send_bytes(b"dy\n")?;
    let startup = probe.order.spec.startup;
    probe.until(FindingKind::NoReadyok, "`readyok` to a line that came in two pieces", startup, |reply| {
        *reply == kroo::protocol::Reply::ReadyOk
    })
}

/// Sends bytes and looks whether the engine is still there. A search that they may have started is stopped.
fn survived(probe: &mut CheckSession<'_>, bytes: &[u8]) -> CheckResult {
    probe.send_bytes(bytes)?;
    probe.send("stop")?;
    probe.ready()
}

/// A legal move in the start position. Answers to what came before are passed over.
fn still_plays(probe: &mut CheckSession<'_>) -> CheckResult {
    probe.is_silent(std::time::Duration::from_millis(50), "nothing", |_| true)?;
    let game = Game::new(Position::start(probe.variant));
    probe.ask(&game, "go depth 2").map(drop)
}

/// Positions and moves that are well formed and wrong.
pub(super) fn illegal(probe: &mut CheckSession<'_>) -> CheckResult {
    let lines = [
        "position startpos moves Aa A",
        "position startpos moves AAAA",
        "position startpos moves aBcD",
        "position startpos moves ABCDEFabcdefABCDEF",
        "position fen 4-4-4-4-4-4-4-4-4-4-4-4-0-1-S",
        "position fen 4-4-4-4-4-4-4-4-4-4-4-0-S",
        "position fen 4-4-4-4-4-4-4-4-4-4-4-4-0-0-X",
        "position fen 99-99-99-99-99-99-99-99-99-99-99-99-99-99-N",
        "position fen -1-4-4-4-4-4-4-4-4-4-4-4-0-5-S",
        "position fen 0-0-0-0-0-0-0-0-0-0-0-0-0-0-S",
    ];
    for line in lines {
        probe.send(line)?;
        probe.ready()?;
        still_plays(probe)?;
    }
    Ok(())
}
