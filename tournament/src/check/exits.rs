//! How an engine exits, and what it leaves behind.

use super::finding::FindingKind;
use super::session::{CheckResult, CheckSession};
use super::sides::to_move;
use crate::engine::{EngineEnd, PipeError};
use kroo::game::Side;
use std::os::unix::process::ExitStatusExt;
use std::thread;
use std::time::{Duration, Instant};

/// How long an engine may take to exit.
const EXIT_TIMEOUT: Duration = Duration::from_secs(1);
/// How long its children may take to notice that it has exited; also how long it searches before `quit`.
const SHORT_WHILE: Duration = Duration::from_millis(50);

/// `quit`, or the end of its input, while it waits for commands or searches: the process exits in time, with status 0, and nothing
/// that it has started outlives it.
pub(super) fn exits(session: &mut CheckSession<'_>, quit: bool, searching: bool) -> CheckResult {
    if searching {
        let search = session.position(&to_move(session.variant, Side::South)) + "go infinite\n";
        session.unexpected_reply(search.as_bytes(), ("nothing", SHORT_WHILE), |_| true)?;
    }
    let (kind, what) = if quit {
        // If it does not read this, it does not exit either.
        if session.connection.send(b"quit\n", Instant::now() + EXIT_TIMEOUT) == Err(PipeError::Closed) {
            return session.gone("reading what it is sent");
        }
        (FindingKind::NoExitAtQuit, "`quit`")
    } else {
        session.connection.close_input();
        (FindingKind::NoExitAtEnd, "the end of its input")
    };
    let after = if searching { format!("{what} while searching") } else { what.to_owned() };
    let exited = session.connection.await_exit(Instant::now() + EXIT_TIMEOUT + session.options.margin);
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
        let words = session.errors();
        let problem = format!("ended with {how} after {after}: expected exit status 0{words}");
        session.fault(FindingKind::ExitStatus, problem);
    }
    Ok(())
}
