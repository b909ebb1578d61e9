//! What an engine hears while it thinks, and what it does when it does not.

use super::probe::CheckSession;
use super::{CheckResult, FindingKind};
use kroo::game::{Game, Position};
use kroo::protocol::Reply;
use std::thread;
use std::time::{Duration, Instant};

/// How long a search without an end is watched.
const WATCHED: Duration = Duration::from_millis(200);

/// Whether a reply is an answer to `go`.
pub(super) fn is_answer(reply: &Reply) -> bool {
    matches!(reply, Reply::BestMove { .. })
}

/// Starts a search without an end; says whether it goes on.
fn endless(probe: &mut CheckSession<'_>, go: &str) -> CheckResult<bool> {
    let game = Game::new(Position::start(probe.variant));
    probe.show(&game)?;
    probe.send(go)?;
    match probe.is_silent(WATCHED, "`stop`", |reply| !is_answer(reply))? {
        Some(reply) => {
            probe.fault(
                FindingKind::EarlyAnswer,
                format!("answered `{reply}` to `{go}` before it was told to"),
            );
            Ok(false)
        }
        None => Ok(true),
    }
}

/// Ends a search with a line; the answer must come at once, and once.
fn ended_by(probe: &mut CheckSession<'_>, line: &str, limit: Duration) -> CheckResult {
    let game = Game::new(Position::start(probe.variant));
    probe.send(line)?;
    let answer = probe.answer(Instant::now(), limit + probe.order.margin + probe.order.patience)?;
    if answer.elapsed > limit + probe.order.margin {
        let elapsed = answer.elapsed.as_secs_f64();
        probe.fault(FindingKind::Late, format!("took {elapsed:.3} s to answer `{line}`"));
    }
    probe.judge(&game, &answer);
    only_one(probe)
}

/// No second answer.
fn only_one(probe: &mut CheckSession<'_>) -> CheckResult {
    if let Some(reply) = probe.is_silent(Duration::from_millis(50), "nothing", |reply| !is_answer(reply))? {
        probe.fault(FindingKind::ExtraAnswer, format!("`{reply}` after the answer was given"));
    }
    Ok(())
}

/// `go infinite` and `stop`; `stop` at once, twice, and when nobody thinks.
pub(super) fn stop(probe: &mut CheckSession<'_>) -> CheckResult {
    for _ in 0..2 {
        if endless(probe, "go infinite")? {
            ended_by(probe, "stop", Duration::ZERO)?;
        }
    }
    let game = Game::new(Position::start(probe.variant));
    probe.show(&game)?;
    probe.send_bytes(b"go infinite\nstop\nstop\n")?;
    let answer = probe.answer(Instant::now(), probe.order.patience)?;
    probe.judge(&game, &answer);
    only_one(probe)?;
    probe.send("stop")?;
    only_one(probe)?;
    probe.ready()
}

/// `isready` while thinking, to be answered before the search ends.
pub(super) fn ready(probe: &mut CheckSession<'_>) -> CheckResult {
    if !endless(probe, "go infinite")? {
        return Ok(());
    }
    for _ in 0..3 {
        probe.send("isready")?;
        let (asked, margin) = (Instant::now(), probe.order.margin);
        let mut answered = None;
        while let Some((reply, at)) = probe.hear(asked + margin + probe.order.patience, "`readyok`")? {
            match reply {
                Reply::ReadyOk => {
                    answered = Some(at - asked);
                    break;
                }
                reply if is_answer(&reply) => {
                    probe.fault(FindingKind::EarlyAnswer, format!("answered `{reply}` to `isready`"));
                    return Ok(());
                }
                _ => {}
            }
        }
        match answered {
            Some(elapsed) if elapsed > margin => {
                probe.fault(
                    FindingKind::Late,
                    format!("took {:.3} s to say `readyok` while searching", elapsed.as_secs_f64()),
                );
            }
            Some(_) => {}
            None => return probe.broken(FindingKind::NoReadyok, "no `readyok` while searching"),
        }
    }
    ended_by(probe, "stop", Duration::ZERO)
}

/// `go ponder`, ended by `ponderhit` and by `stop`.
pub(super) fn ponder(probe: &mut CheckSession<'_>) -> CheckResult {
    if !probe.findings.ponders {
        return Ok(());
    }
    if endless(probe, "go ponder movetime 50")? {
        ended_by(probe, "ponderhit", Duration::from_millis(50))?;
    }
    if endless(probe, "go ponder wtime 1000 btime 1000")? {
        ended_by(probe, "ponderhit", Duration::from_millis(1000))?;
    }
    if endless(probe, "go ponder depth 2")? {
        ended_by(probe, "stop", Duration::ZERO)?;
    }
    Ok(())
}

/// After an answer an engine neither talks nor works; what it had begun when it started may take it a while.
pub(super) fn idle(probe: &mut CheckSession<'_>) -> CheckResult {
    let game = Game::new(Position::start(probe.variant));
    probe.ask(&game, "go movetime 50")?;
    // What is said in the same breath as the answer is not yet talk.
    thread::sleep(Duration::from_millis(20));
    let mut used = None;
    for _ in 0..4 {
        let before = probe.wire.processor_time();
        if let Some(reply) = probe.is_silent(Duration::from_millis(400), "nothing", |_| false)? {
            let kind = if is_answer(&reply) { FindingKind::ExtraAnswer } else { FindingKind::TalksWhenIdle };
            probe.fault(kind, format!("says `{reply}` when nobody has asked for anything"));
        }
        used = before.zip(probe.wire.processor_time()).map(|(before, after)| after - before);
        if used.is_none_or(|used| used <= Duration::from_millis(200)) {
            return Ok(());
        }
    }
    let used = used.unwrap_or_default().as_millis();
    probe.fault(
        FindingKind::BusyWhenIdle,
        format!(
            "has used {used} ms of a processor in 400 ms when it had had nothing to do for over a second"
        ),
    );
    Ok(())
}
