//! Input that is not in the protocol, and input that breaks the rules of the game.

use super::finding::FindingKind;
use super::session::{CheckResult, CheckSession};
use super::sides::north_to_move;
use kroo::game::{Game, Position};

/// Lines that an engine need not understand.
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

/// Malformed lines. After each of them the engine must be ready, and at the end play a legal move.
pub(super) fn malformed(session: &mut CheckSession<'_>) -> CheckResult {
    for line in LINES {
        survived(session, line)?;
    }
    let long = [b"position startpos moves ".as_slice(), &b"z".repeat(1 << 20), b"\n"].concat();
    survived(session, &long)?;
    survived(session, b"isready\r\n")?;
    still_plays(session)?;
    // A line may arrive in two pieces.
    session.send_bytes(b"isrea")?;
    std::thread::sleep(std::time::Duration::from_millis(20));
    session.send_bytes(b"dy\n")?;
    let startup = session.spec.startup;
    session.await_reply(
        FindingKind::NoReadyok,
        "`readyok` to a line that arrived in two pieces",
        startup,
        |reply| *reply == kroo::protocol::Reply::ReadyOk,
    )
}

/// Sends bytes, and waits until the engine is ready. A search that they may have started is stopped.
fn survived(session: &mut CheckSession<'_>, bytes: &[u8]) -> CheckResult {
    session.send_bytes(bytes)?;
    session.send("stop")?;
    session.ready_at_last()
}

/// A legal move in the start position. Answers to earlier lines are skipped.
fn still_plays(session: &mut CheckSession<'_>) -> CheckResult {
    session.unexpected_reply(std::time::Duration::from_millis(50), "nothing", |_| true)?;
    let game = Game::new(Position::start(session.variant));
    session.ask(&game, "go depth 2").map(drop)
}

/// Positions and moves that are well-formed and wrong. The engine must say so, and keep the position before.
pub(super) fn illegal(session: &mut CheckSession<'_>) -> CheckResult {
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
    // Some of these boards are legal set-ups in some rule sets.
    let variant = session.variant;
    let is_illegal = |line: &&str| {
        let fields = line.strip_prefix("position fen ");
        fields.is_none_or(|fields| Position::parse(variant, fields).is_err())
    };
    for line in lines.into_iter().filter(is_illegal) {
        let kept = north_to_move(variant);
        session.show(&kept)?;
        session.ready()?;
        session.send(line)?;
        if !session.ready_after_words()? {
            let problem = format!("says nothing of `{line}`: expected `info string error …` with the reason");
            session.fault(FindingKind::SilentError, problem);
        }
        let answer = session.search("go depth 2")?;
        match answer.best.map(|best| kept.position().play(best).map(|_| best)) {
            Some(Ok(_)) => {}
            _ => {
                let best = answer.best.map_or_else(|| "0000".to_owned(), |best| best.to_string());
                let position = kept.position();
                let problem = format!(
                    "played `{best}` after the illegal `{line}`: expected a move in {position}, the position before it"
                );
                session.fault(FindingKind::PositionLost, problem);
            }
        }
    }
    Ok(())
}
