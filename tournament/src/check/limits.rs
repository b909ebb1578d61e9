//! Limits of depth, nodes and time, alone and combined.

use super::finding::FindingKind;
use super::session::{CheckResult, CheckSession, ObservedSearch};
use super::sides::to_move;
use kroo::game::Side;
use std::time::{Duration, Instant};

/// Nodes that an engine may search beyond its limit until it looks at it again.
const EXTRA_NODES: u64 = 10_000;

/// A search that must be answered within a time limit and the margin, with South to move.
fn timed(session: &mut CheckSession<'_>, go: &str, limit: Duration) -> CheckResult<ObservedSearch> {
    timed_of(session, Side::South, go, limit)
}

/// The same with a side to move.
fn timed_of(
    session: &mut CheckSession<'_>,
    side: Side,
    go: &str,
    limit: Duration,
) -> CheckResult<ObservedSearch> {
    let game = to_move(session.variant, side);
    session.show(&game)?;
    session.ready()?;
    session.send(go)?;
    let answer = session
        .await_move(Instant::now(), limit + session.options.margin + session.options.answer_timeout)?;
    if answer.elapsed > limit + session.options.margin {
        let late = (answer.elapsed - limit).as_secs_f64();
        session.fault(FindingKind::Late, format!("answered `{go}` with {side} to move {late:.3} s too late"));
    }
    session.judge(&game, &answer);
    Ok(answer)
}

/// Limits of depth, nodes and time for a move, and two of them at once: the first one reached counts.
pub(super) fn limits(session: &mut CheckSession<'_>) -> CheckResult {
    let untimed = session.options.answer_timeout;
    for depth in 1..=5 {
        let answer = timed(session, &format!("go depth {depth}"), untimed)?;
        let deepest = answer.infos.iter().filter_map(|info| info.depth).max();
        if let Some(deepest) = deepest.filter(|&deepest| deepest > depth) {
            session.fault(
                FindingKind::LimitExceeded,
                format!("searched to depth {deepest} at `go depth {depth}`"),
            );
        }
    }
    for nodes in [1, 1_000, 50_000] {
        let answer = timed(session, &format!("go nodes {nodes}"), untimed)?;
        let searched = answer.infos.iter().filter_map(|info| info.nodes).max();
        if let Some(searched) = searched.filter(|&searched| searched > nodes + nodes / 10 + EXTRA_NODES) {
            session.fault(
                FindingKind::LimitExceeded,
                format!("searched {searched} nodes at `go nodes {nodes}`"),
            );
        }
    }
    for milliseconds in [1, 20, 100, 300] {
        let go = format!("go movetime {milliseconds}");
        timed(session, &go, Duration::from_millis(milliseconds))?;
    }
    timed(session, "go depth 100 movetime 50", Duration::from_millis(50))?;
    timed(session, "go movetime 20000 depth 1", untimed)?;
    timed(session, "go nodes 100 movetime 20000", untimed).map(drop)
}

/// Clocks: long, short and almost empty ones, with increments, with moves to go, and with a depth. Each side has a clock and an
/// increment of its own.
pub(super) fn clocks(session: &mut CheckSession<'_>) -> CheckResult {
    for (side, go) in [
        (Side::South, "go wtime 200 btime 60000 winc 0 binc 0"),
        (Side::North, "go wtime 60000 btime 200 winc 0 binc 0"),
        (Side::South, "go wtime 200 btime 200 winc 0 binc 20000"),
        (Side::North, "go wtime 200 btime 200 winc 20000 binc 0"),
    ] {
        let go = session.in_its_words(go);
        timed_of(session, side, &go, Duration::from_millis(200))?;
    }
    let cases = [
        ("go wtime 1000 btime 1000", 1000),
        ("go wtime 300 btime 300 winc 50 binc 50", 300),
        ("go wtime 150 btime 150 movestogo 1", 150),
        ("go wtime 400 btime 400 movestogo 40", 400),
        ("go wtime 10 btime 10", 10),
        ("go wtime 1 btime 1 winc 1 binc 1", 1),
        ("go wtime 60000 btime 60000 depth 1", 2000),
    ];
    for (go, milliseconds) in cases {
        let go = session.in_its_words(go);
        timed(session, &go, Duration::from_millis(milliseconds))?;
    }
    Ok(())
}
