//! Trials: what an engine is sent, what must follow, and within how many milliseconds. Commands while it searches, limits,
//! clocks, and lines that are not in the protocol are tables of them.

use super::board::{north_to_move, to_move};
use super::finding::FindingKind::{self, EarlyAnswer, ExtraAnswer, Late, LimitExceeded};
use super::session::{CheckResult, CheckSession};
use Expect::{Answer, Ready, Silence};
use kroo::game::Side::{self, North, South};
use kroo::game::{Game, Position};
use kroo::protocol::{Command, GoCommand, Limits, Reply};
use std::thread;
use std::time::Duration;

/// What must follow.
#[derive(Clone, Copy)]
pub(super) enum Expect {
    /// A legal move, or `0000` if the game is over.
    Answer,
    /// `readyok`, before any move.
    Ready,
    /// No move.
    Silence,
}

/// The lines to send, the expected reaction and its limit in milliseconds, and the fault otherwise.
pub(super) type Step = (&'static str, Expect, u64, FindingKind);

/// The usual limit for an answer without a time limit.
const UNTIMED: u64 = u64::MAX;
/// Nodes that an engine may search beyond its limit until it looks at it again.
const EXTRA_NODES: u64 = 10_000;
/// How long an engine that has said `readyok` may go on about the lines before.
const AFTERTHOUGHT: Duration = Duration::from_millis(50);

const INFINITE: Step = ("go infinite", Silence, 200, EarlyAnswer);
const STOP: Step = ("stop", Answer, 0, Late);
const ONCE: Step = ("", Silence, 50, ExtraAnswer);
const IS_READY: Step = ("isready", Ready, 0, Late);

/// `go infinite` and `stop`; `stop` at once, twice, and without a search.
const STOPS: [&[Step]; 3] = [
    &[INFINITE, STOP, ONCE],
    &[INFINITE, STOP, ONCE],
    &[("go infinite\nstop\nstop", Answer, UNTIMED, Late), ONCE, ("stop", Silence, 50, ExtraAnswer)],
];

/// `isready` while it searches, to be answered before the search ends.
pub(super) const READY: [&[Step]; 1] = [&[INFINITE, IS_READY, IS_READY, IS_READY, STOP, ONCE]];

/// `go ponder`, ended by `ponderhit` and by `stop`.
const PONDER: [&[Step]; 3] = [
    &[("go ponder movetime 50", Silence, 200, EarlyAnswer), ("ponderhit", Answer, 50, Late), ONCE],
    &[
        ("go ponder wtime 1000 btime 1000", Silence, 200, EarlyAnswer),
        ("ponderhit", Answer, 1000, Late),
        ONCE,
    ],
    &[("go ponder depth 2", Silence, 200, EarlyAnswer), STOP, ONCE],
];

/// Several kinds of `go` where the game is over.
pub(super) const FINISHED: &[Step] = &[
    ("go depth 3", Answer, UNTIMED, Late),
    ("go movetime 50", Answer, UNTIMED, Late),
    ("go infinite", Silence, 50, EarlyAnswer),
    ("stop", Answer, UNTIMED, Late),
];

/// Limits of depth, nodes and time for a move, and two of them at once: the first one reached counts.
pub(super) const LIMITS: [(Side, &str, u64); 15] = [
    (South, "go depth 1", UNTIMED),
    (South, "go depth 2", UNTIMED),
    (South, "go depth 3", UNTIMED),
    (South, "go depth 4", UNTIMED),
    (South, "go depth 5", UNTIMED),
    (South, "go nodes 1", UNTIMED),
    (South, "go nodes 1000", UNTIMED),
    (South, "go nodes 50000", UNTIMED),
    (South, "go movetime 1", 1),
    (South, "go movetime 20", 20),
    (South, "go movetime 100", 100),
    (South, "go movetime 300", 300),
    (South, "go depth 100 movetime 50", 50),
    (South, "go movetime 20000 depth 1", UNTIMED),
    (South, "go nodes 100 movetime 20000", UNTIMED),
];

/// Clocks: long, short and almost empty ones, with increments, with moves to go, and with a depth. Each side has a clock and an
/// increment of its own.
pub(super) const CLOCKS: [(Side, &str, u64); 11] = [
    (South, "go wtime 200 btime 60000 winc 0 binc 0", 200),
    (North, "go wtime 60000 btime 200 winc 0 binc 0", 200),
    (South, "go wtime 200 btime 200 winc 0 binc 20000", 200),
    (North, "go wtime 200 btime 200 winc 20000 binc 0", 200),
    (South, "go wtime 1000 btime 1000", 1000),
    (South, "go wtime 300 btime 300 winc 50 binc 50", 300),
    (South, "go wtime 150 btime 150 movestogo 1", 150),
    (South, "go wtime 400 btime 400 movestogo 40", 400),
    (South, "go wtime 10 btime 10", 10),
    (South, "go wtime 1 btime 1 winc 1 binc 1", 1),
    (South, "go wtime 60000 btime 60000 depth 1", 2000),
];

/// Lines that an engine need not understand.
const MALFORMED: [&[u8]; 23] = [
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
    b"isready\r\n",
];

/// Positions and moves that are well-formed and wrong in most rule sets.
const ILLEGAL: [&str; 10] = [
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

/// Whether a reply is an answer to `go`.
fn is_answer(reply: &Reply) -> bool {
    matches!(reply, Reply::BestMove { .. })
}

/// Carries out the steps of a trial on a game, up to the first move that comes at a wrong time.
pub(super) fn trial(session: &mut CheckSession<'_>, game: &Game, steps: &[Step]) -> CheckResult {
    let (margin, answer_timeout) = (session.options.margin, session.options.answer_timeout);
    session.ready(&session.position(game))?;
    for &(line, expect, milliseconds, kind) in steps {
        let line = session.in_its_words(line);
        let text = if line.is_empty() { String::new() } else { format!("{line}\n") };
        let limit =
            if milliseconds == UNTIMED { answer_timeout } else { Duration::from_millis(milliseconds) };
        let wrong = match expect {
            Answer => {
                answer(session, game, &line, limit, kind)?;
                None
            }
            Silence => {
                let expected = if kind == EarlyAnswer { "`stop`" } else { "nothing" };
                session.unexpected_reply(text.as_bytes(), (expected, limit), |reply| !is_answer(reply))?
            }
            Ready => {
                let within = ("`readyok`", limit + margin + answer_timeout);
                let heard = session.hear(text.as_bytes(), within, |reply, after| {
                    (reply == Reply::ReadyOk || is_answer(&reply)).then_some((reply, after))
                })?;
                let no_readyok = FindingKind::NoReadyok;
                let Some((reply, after)) = heard else {
                    return session.abort(no_readyok, "no `readyok` while searching");
                };
                if reply == Reply::ReadyOk && after > limit + margin {
                    let after = after.as_secs_f64();
                    session.fault(kind, format!("took {after:.3} s to say `readyok` while searching"));
                }
                Some(reply).filter(is_answer)
            }
        };
        if let Some(reply) = wrong {
            let over = if game.position().verdict().is_some() { ", when the game is over" } else { "" };
            let (kind, problem) = match kind {
                ExtraAnswer => (kind, format!("`{reply}` after the answer was given")),
                _ => {
                    (EarlyAnswer, format!("answered `{reply}` to `{line}` before it was told to stop{over}"))
                }
            };
            session.fault(kind, problem);
            return Ok(());
        }
    }
    Ok(())
}

/// Sends a line that ends with a search or ends it. The answer must come within a time limit and the margin, from a search that
/// has kept the line's other limits.
fn answer(
    session: &mut CheckSession<'_>,
    game: &Game,
    line: &str,
    limit: Duration,
    late: FindingKind,
) -> CheckResult {
    let due = limit + session.options.margin;
    let answer = session.await_move(&format!("{line}\n"), due + session.options.answer_timeout)?;
    if answer.elapsed > due {
        let (side, by) = (game.position().side(), (answer.elapsed - limit).as_secs_f64());
        session.fault(late, format!("answered `{line}` with {side} to move {by:.3} s too late"));
    }
    if let Ok(Some(Command::Go(GoCommand::Search(Limits { depth, nodes, .. })))) = Command::parse(line) {
        let deepest = answer.infos.iter().filter_map(|info| info.depth).max();
        if let Some(deepest) = deepest.filter(|&deepest| depth.is_some_and(|depth| deepest > depth)) {
            session.fault(LimitExceeded, format!("searched to depth {deepest} at `{line}`"));
        }
        let searched = answer.infos.iter().filter_map(|info| info.nodes).max();
        let most = nodes.map_or(u64::MAX, |nodes| nodes + nodes / 10 + EXTRA_NODES);
        if let Some(searched) = searched.filter(|&searched| searched > most) {
            session.fault(LimitExceeded, format!("searched {searched} nodes at `{line}`"));
        }
    }
    session.judge(game, &answer);
    Ok(())
}

/// Trials in the start position.
pub(super) fn at_start(session: &mut CheckSession<'_>, trials: &[&[Step]]) -> CheckResult {
    let game = to_move(session.variant, South);
    trials.iter().try_for_each(|steps| trial(session, &game, steps))
}

/// Searches from the start position, or with North to move, each within its milliseconds.
pub(super) fn timed(session: &mut CheckSession<'_>, rows: &[(Side, &'static str, u64)]) -> CheckResult {
    rows.iter().try_for_each(|&(side, go, milliseconds)| {
        trial(session, &to_move(session.variant, side), &[(go, Answer, milliseconds, Late)])
    })
}

pub(super) fn stop(session: &mut CheckSession<'_>) -> CheckResult {
    at_start(session, &STOPS)?;
    session.ready("")
}

pub(super) fn ponder(session: &mut CheckSession<'_>) -> CheckResult {
    if session.findings.ponders { at_start(session, &PONDER) } else { Ok(()) }
}

/// After an answer an engine neither writes nor works. It is watched several times, because work from its start may take a while.
pub(super) fn idle(session: &mut CheckSession<'_>) -> CheckResult {
    session.ask(&to_move(session.variant, South), "go movetime 50")?;
    // Lines that come together with the answer do not count.
    thread::sleep(Duration::from_millis(20));
    let mut used = None;
    for _ in 0..4 {
        let before = session.connection.process.processor_time();
        let within = ("nothing", Duration::from_millis(400));
        if let Some(reply) = session.unexpected_reply(b"", within, |_| false)? {
            let kind = if is_answer(&reply) { ExtraAnswer } else { FindingKind::TalksWhenIdle };
            session.fault(kind, format!("says `{reply}` when it has nothing to do"));
        }
        let after = session.connection.process.processor_time();
        used = before.zip(after).map(|(before, after)| after - before);
        if used.is_none_or(|used| used <= Duration::from_millis(200)) {
            return Ok(());
        }
    }
    let used = used.unwrap_or_default().as_millis();
    session.fault(
        FindingKind::BusyWhenIdle,
        format!("used {used} ms of processor time in 400 ms, more than a second after its answer"),
    );
    Ok(())
}

/// Malformed lines. After each of them the engine must be ready, and at the end play a legal move. A search that they may have
/// started is stopped.
pub(super) fn malformed(session: &mut CheckSession<'_>) -> CheckResult {
    let long = [b"position startpos moves ".as_slice(), &b"z".repeat(1 << 20), b"\n"].concat();
    for line in MALFORMED.into_iter().chain([long.as_slice()]) {
        session.await_ready(&[line, b"stop\n"].concat(), |_| {})?;
    }
    // Answers to earlier lines are skipped.
    session.unexpected_reply(b"", ("nothing", Duration::from_millis(50)), |_| true)?;
    session.ask(&to_move(session.variant, South), "go depth 2")?;
    // A line may arrive in two pieces.
    session.unexpected_reply(b"isrea", ("nothing", Duration::from_millis(20)), |_| true)?;
    let expected = "`readyok` to a line that arrived in two pieces";
    let expected = (FindingKind::NoReadyok, expected, session.spec.startup);
    session.expect(b"dy\n", expected, |reply, _| (*reply == Reply::ReadyOk).then_some(()))
}

/// Positions and moves that are well-formed and wrong. The engine must say so, and keep the position before.
pub(super) fn illegal(session: &mut CheckSession<'_>) -> CheckResult {
    // Some of these boards are legal set-ups in some rule sets.
    let variant = session.variant;
    let is_illegal = |line: &&str| {
        let fields = line.strip_prefix("position fen ");
        fields.is_none_or(|fields| Position::parse(variant, fields).is_err())
    };
    let kept = north_to_move(variant);
    for line in ILLEGAL.into_iter().filter(is_illegal) {
        session.ready(&session.position(&kept))?;
        let mut spoke = false;
        session.await_ready(format!("{line}\n").as_bytes(), |_| spoke = true)?;
        let silent = |reply: &Reply| *reply == Reply::ReadyOk;
        if !spoke && session.unexpected_reply(b"", ("nothing", AFTERTHOUGHT), silent)?.is_none() {
            let problem = format!("says nothing of `{line}`: expected `info string error …` with the reason");
            session.fault(FindingKind::SilentError, problem);
        }
        let best = session.await_move("go depth 2\n", session.options.answer_timeout)?.best;
        if best.is_none_or(|best| kept.position().play(best).is_err()) {
            let best = best.map_or_else(|| "0000".to_owned(), |best| best.to_string());
            let position = kept.position();
            let problem = format!(
                "played `{best}` after the illegal `{line}`: expected a move in {position}, the position before it"
            );
            session.fault(FindingKind::PositionLost, problem);
        }
    }
    Ok(())
}
