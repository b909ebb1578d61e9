//! Commands while an engine searches, and silence when it does not.

use super::finding::FindingKind;
use super::session::{CheckResult, CheckSession};
use kroo::game::{Game, Position};
use kroo::protocol::Reply;
use std::thread;
use std::time::{Duration, Instant};

/// How long an infinite search is watched.
const WATCHED: Duration = Duration::from_millis(200);

/// Whether a reply is an answer to `go`.
pub(super) fn is_answer(reply: &Reply) -> bool {
    matches!(reply, Reply::BestMove { .. })
}

/// Starts an infinite search; says whether it goes on.
fn infinite(session: &mut CheckSession<'_>, go: &str) -> CheckResult<bool> {
    let game = Game::new(Position::start(session.variant));
    session.show(&game)?;
    session.send(go)?;
    match session.unexpected_reply(WATCHED, "`stop`", |reply| !is_answer(reply))? {
        Some(reply) => {
            session.fault(
                FindingKind::EarlyAnswer,
                format!("answered `{reply}` to `{go}` before it was told to stop"),
            );
            Ok(false)
        }
        None => Ok(true),
    }
}

/// Ends a search with a command. The answer must come within a time limit and the margin, and only once.
fn ended_by(session: &mut CheckSession<'_>, line: &str, limit: Duration) -> CheckResult {
    let game = Game::new(Position::start(session.variant));
    session.send(line)?;
    let answer = session
        .await_move(Instant::now(), limit + session.options.margin + session.options.answer_timeout)?;
    if answer.elapsed > limit + session.options.margin {
        let elapsed = answer.elapsed.as_secs_f64();
        session.fault(FindingKind::Late, format!("took {elapsed:.3} s to answer `{line}`"));
    }
    session.judge(&game, &answer);
    only_one(session)
}

/// There must be no second answer.
fn only_one(session: &mut CheckSession<'_>) -> CheckResult {
    if let Some(reply) =
        session.unexpected_reply(Duration::from_millis(50), "nothing", |reply| !is_answer(reply))?
    {
        session.fault(FindingKind::ExtraAnswer, format!("`{reply}` after the answer was given"));
    }
    Ok(())
}

/// `go infinite` and `stop`; `stop` at once, twice, and when there is no search.
pub(super) fn stop(session: &mut CheckSession<'_>) -> CheckResult {
    for _ in 0..2 {
        if infinite(session, "go infinite")? {
            ended_by(session, "stop", Duration::ZERO)?;
        }
    }
    let game = Game::new(Position::start(session.variant));
    session.show(&game)?;
    session.send_bytes(b"go infinite\nstop\nstop\n")?;
    let answer = session.await_move(Instant::now(), session.options.answer_timeout)?;
    session.judge(&game, &answer);
    only_one(session)?;
    session.send("stop")?;
    only_one(session)?;
    session.ready()
}

/// `isready` while it searches, to be answered before the search ends.
pub(super) fn ready(session: &mut CheckSession<'_>) -> CheckResult {
    if !infinite(session, "go infinite")? {
        return Ok(());
    }
    for _ in 0..3 {
        session.send("isready")?;
        let (asked, margin) = (Instant::now(), session.options.margin);
        let mut answered = None;
        while let Some((reply, at)) =
            session.receive(asked + margin + session.options.answer_timeout, "`readyok`")?
        {
            match reply {
                Reply::ReadyOk => {
                    answered = Some(at - asked);
                    break;
                }
                reply if is_answer(&reply) => {
                    session.fault(FindingKind::EarlyAnswer, format!("answered `{reply}` to `isready`"));
                    return Ok(());
                }
                _ => {}
            }
        }
        match answered {
            Some(elapsed) if elapsed > margin => {
                session.fault(
                    FindingKind::Late,
                    format!("took {:.3} s to say `readyok` while searching", elapsed.as_secs_f64()),
                );
            }
            Some(_) => {}
            None => return session.abort(FindingKind::NoReadyok, "no `readyok` while searching"),
        }
    }
    ended_by(session, "stop", Duration::ZERO)
}

/// `go ponder`, ended by `ponderhit` and by `stop`.
pub(super) fn ponder(session: &mut CheckSession<'_>) -> CheckResult {
    if !session.findings.ponders {
        return Ok(());
    }
    if infinite(session, "go ponder movetime 50")? {
        ended_by(session, "ponderhit", Duration::from_millis(50))?;
    }
    if infinite(session, "go ponder wtime 1000 btime 1000")? {
        ended_by(session, "ponderhit", Duration::from_millis(1000))?;
    }
    if infinite(session, "go ponder depth 2")? {
        ended_by(session, "stop", Duration::ZERO)?;
    }
    Ok(())
}

/// After an answer an engine neither writes nor works. Work begun at its start may take a while, so it is watched more
/// than once.
pub(super) fn idle(session: &mut CheckSession<'_>) -> CheckResult {
    let game = Game::new(Position::start(session.variant));
    session.ask(&game, "go movetime 50")?;
    // Lines that come together with the answer do not count.
    thread::sleep(Duration::from_millis(20));
    let mut used = None;
    for _ in 0..4 {
        let before = session.connection.process.processor_time();
        if let Some(reply) = session.unexpected_reply(Duration::from_millis(400), "nothing", |_| false)? {
            let kind = if is_answer(&reply) { FindingKind::ExtraAnswer } else { FindingKind::TalksWhenIdle };
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
