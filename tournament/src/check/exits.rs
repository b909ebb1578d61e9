//! How an engine exits, and what it leaves behind.

use super::finding::FindingKind;
use super::session::{CheckResult, CheckSession};
use crate::engine::{EngineEnd, LastWords};
use kroo::game::{Game, Position};
use std::os::unix::process::ExitStatusExt;
use std::thread;
use std::time::{Duration, Instant};

/// How long an engine may take to exit.
const EXIT_TIMEOUT: Duration = Duration::from_secs(1);
/// How long its children may take to notice that it has exited; also how long it searches before `quit`.
const SHORT_WHILE: Duration = Duration::from_millis(50);

/// `quit` while it waits for commands.
pub(super) fn quit(session: &mut CheckSession<'_>) -> CheckResult {
    send_quit(session)
}

/// `quit` while it searches.
pub(super) fn quit_while_searching(session: &mut CheckSession<'_>) -> CheckResult {
    start_search(session)?;
    send_quit(session)
}

/// The end of its input while it waits for commands.
pub(super) fn end_of_input(session: &mut CheckSession<'_>) -> CheckResult {
    session.connection.close_input();
    exits(session, FindingKind::NoExitAtEnd, "the end of its input")
}

/// The end of its input while it searches.
pub(super) fn end_of_input_while_searching(session: &mut CheckSession<'_>) -> CheckResult {
    start_search(session)?;
    session.connection.close_input();
    exits(session, FindingKind::NoExitAtEnd, "the end of its input while searching")
}

fn start_search(session: &mut CheckSession<'_>) -> CheckResult {
    session.show(&Game::new(Position::start(session.variant)))?;
    session.send("go infinite")?;
    thread::sleep(SHORT_WHILE);
    Ok(())
}

fn send_quit(session: &mut CheckSession<'_>) -> CheckResult {
    session.send("quit")?;
    exits(session, FindingKind::NoExitAtQuit, "`quit`")
}

/// The process exits in time, with status 0, and nothing that it has started outlives it.
fn exits(session: &mut CheckSession<'_>, kind: FindingKind, after: &str) -> CheckResult {
    let deadline = Instant::now() + EXIT_TIMEOUT + session.options.margin;
    let exited = session.connection.await_exit(deadline);
    if !exited {
        session.fault(kind, format!("was still running {} s after {after}", EXIT_TIMEOUT.as_secs()));
    }
    thread::sleep(SHORT_WHILE);
    let left = if exited { session.connection.process.living_descendants() } else { 0 };
    if left > 0 {
        let noun = if left == 1 { "process" } else { "processes" };
        let problem = format!("left {left} {noun} running after {after}");
        session.fault(FindingKind::ChildrenLeft, problem);
    }
    let end = session.connection.kill().filter(|_| exited);
    if let Some(status) = end.and_then(EngineEnd::status)
        && status.code() != Some(0)
    {
        let how = status.signal().map_or_else(
            || format!("exit status {}", status.code().unwrap_or_default()),
            |signal| format!("signal {signal}"),
        );
        let words = LastWords { lines: Vec::new(), ..session.connection.last_words() }.brief();
        let problem = format!("ended with {how} after {after}: expected exit status 0{words}");
        session.fault(FindingKind::ExitStatus, problem);
    }
    Ok(())
}
