//! How an engine ends, and what it leaves behind.

use super::probe::CheckSession;
use super::{CheckResult, FindingKind};
use kroo::game::{Game, Position};
use std::os::unix::process::ExitStatusExt;
use std::thread;
use std::time::Duration;

/// How long an engine may take to exit.
const FAREWELL: Duration = Duration::from_secs(1);
/// How long children may take to notice.
const CHILDREN: Duration = Duration::from_millis(50);

/// `quit` when nothing goes on.
pub(super) fn quit(probe: &mut CheckSession<'_>) -> CheckResult {
    says_quit(probe)
}

/// `quit` while it thinks.
pub(super) fn quit_searching(probe: &mut CheckSession<'_>) -> CheckResult {
    think(probe)?;
    says_quit(probe)
}

/// The end of its input when nothing goes on.
pub(super) fn end_of_input(probe: &mut CheckSession<'_>) -> CheckResult {
    probe.wire.close_input();
    exits(probe, FindingKind::NoExitAtEnd, "the end of its input")
}

/// The end of its input while it thinks.
pub(super) fn end_of_input_searching(probe: &mut CheckSession<'_>) -> CheckResult {
    think(probe)?;
    probe.wire.close_input();
    exits(probe, FindingKind::NoExitAtEnd, "the end of its input while it searched")
}

fn think(probe: &mut CheckSession<'_>) -> CheckResult {
    probe.show(&Game::new(Position::start(probe.variant)))?;
    probe.send("go infinite")?;
    thread::sleep(CHILDREN);
    Ok(())
}

fn says_quit(probe: &mut CheckSession<'_>) -> CheckResult {
    probe.send("quit")?;
    exits(probe, FindingKind::NoExitAtQuit, "`quit`")
}

/// The process exits in time, with status 0, and nobody outlives it.
fn exits(probe: &mut CheckSession<'_>, kind: FindingKind, at: &str) -> CheckResult {
    let exited = probe.wire.await_exit(FAREWELL + probe.order.margin);
    if !exited {
        probe.fault(kind, format!("has not exited {} s after {at}", FAREWELL.as_secs()));
    }
    thread::sleep(CHILDREN);
    let children = if exited { probe.wire.children() } else { 0 };
    if children > 0 {
        let noun = if children == 1 { "process" } else { "processes" };
        probe.fault(
            FindingKind::ChildrenLeft,
            format!("{children} {noun} that it has started outlived it after {at}"),
        );
    }
    if let Some(status) = probe.wire.end().filter(|_| exited)
        && status.code() != Some(0)
    {
        let how = status.signal().map_or_else(
            || format!("exit status {}", status.code().unwrap_or_default()),
            |signal| format!("signal {signal}"),
        );
        probe.fault(FindingKind::ExitStatus, format!("ended with {how} at {at}: expected exit status 0"));
    }
    Ok(())
}
