//! Limits of depth, nodes and time, alone and together.

use super::probe::{CheckSession, ObservedSearch};
use super::{CheckResult, FindingKind};
use kroo::game::{Game, Position};
use std::time::{Duration, Instant};

/// Nodes that an engine may search beyond its limit before it looks at it again.
const NODES_BETWEEN: u64 = 10_000;

/// A question in the start position, answered within a time and the margin.
fn timed(probe: &mut CheckSession<'_>, go: &str, limit: Duration) -> CheckResult<ObservedSearch> {
    let game = Game::new(Position::start(probe.variant));
    probe.show(&game)?;
    probe.ready()?;
    probe.send(go)?;
    let answer = probe.answer(Instant::now(), limit + probe.order.margin + probe.order.patience)?;
    if answer.elapsed > limit + probe.order.margin {
        let late = (answer.elapsed - limit).as_secs_f64();
        probe.fault(FindingKind::Late, format!("answered `{go}` {late:.3} s after its time"));
    }
    probe.judge(&game, &answer);
    Ok(answer)
}

/// A depth, a number of nodes, a time a move; and the first of two.
pub(super) fn limits(probe: &mut CheckSession<'_>) -> CheckResult {
    let plain = probe.order.patience;
    for depth in 1..=5 {
        let answer = timed(probe, &format!("go depth {depth}"), plain)?;
        let deepest = answer.infos.iter().filter_map(|info| info.depth).max();
        if let Some(deepest) = deepest.filter(|&deepest| deepest > depth) {
            probe.fault(
                FindingKind::LimitExceeded,
                format!("searched to depth {deepest} at `go depth {depth}`"),
            );
        }
    }
    for nodes in [1, 1_000, 50_000] {
        let answer = timed(probe, &format!("go nodes {nodes}"), plain)?;
        let searched = answer.infos.iter().filter_map(|info| info.nodes).max();
        if let Some(searched) = searched.filter(|&searched| searched > nodes + nodes / 10 + NODES_BETWEEN) {
            probe.fault(
                FindingKind::LimitExceeded,
                format!("searched {searched} nodes at `go nodes {nodes}`"),
            );
        }
    }
    for milliseconds in [1, 20, 100, 300] {
        let go = format!("go movetime {milliseconds}");
        timed(probe, &go, Duration::from_millis(milliseconds))?;
    }
    timed(probe, "go depth 100 movetime 50", Duration::from_millis(50))?;
    timed(probe, "go movetime 20000 depth 1", plain)?;
    timed(probe, "go nodes 100 movetime 20000", plain).map(drop)
}

/// Clocks: long, short, all but empty; with increments, with moves to go, and of the other side only.
pub(super) fn clocks(probe: &mut CheckSession<'_>) -> CheckResult {
    let cases = [
        ("go wtime 1000 btime 1000", 1000),
        ("go wtime 200 btime 60000 winc 0 binc 0", 200),
        ("go wtime 300 btime 300 winc 50 binc 50", 300),
        ("go wtime 150 btime 150 movestogo 1", 150),
        ("go wtime 400 btime 400 movestogo 40", 400),
        ("go wtime 10 btime 10", 10),
        ("go wtime 1 btime 1 winc 1 binc 1", 1),
        ("go wtime 60000 btime 60000 depth 1", 2000),
    ];
    for (go, milliseconds) in cases {
        timed(probe, go, Duration::from_millis(milliseconds))?;
    }
    Ok(())
}
