//! The signature of an engine: the nodes that its `bench` visits. Only a change of the search changes it.

use super::build::Built;
use super::error::{MatchError, TestError};
use super::git::Revision;
use super::process::end_of;
use crate::arguments::MatchArguments;
use crate::engine::Printed;
use std::fs;
use std::path::Path;

/// Runs the bench of an engine of a match, given by its place there, as the engine itself is run. Its standard error is
/// appended to a file.
pub type RunBench<'a> = dyn FnMut(&MatchArguments, usize, &Path) -> Result<Printed, MatchError> + 'a;

/// How the bench of a side is run.
pub(super) struct Bench<'a, 'b> {
    /// A match of both sides.
    pub arguments: &'a MatchArguments,
    /// The place of the side's engine in it.
    pub place: usize,
    pub run: &'a mut RunBench<'b>,
    pub stop: &'a dyn Fn() -> bool,
}

/// The signature of a program, which must be that of its commit's message if that has one.
pub(super) fn signature(side: &Revision, built: &Built, bench: &mut Bench<'_, '_>) -> Result<u64, TestError> {
    let program = built.program.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let failed = |problem: String| {
        let side = &side.short;
        TestError::new(format!("{side}: `{program} bench` {problem}; without a bench, --no-bench"))
    };
    let mut found = None;
    for _ in 0..2 {
        let nodes = nodes(built, bench, &failed)?;
        if let Some(before) = found.filter(|&before| before != nodes) {
            let problem =
                format!("visits {before} nodes, and {nodes} when it is run again: it is no signature");
            return Err(failed(problem));
        }
        found = Some(nodes);
    }
    let found = found.unwrap_or_default();
    match side.bench() {
        Some(said) if said != found => Err(TestError::new(format!(
            "{}: its message says Bench: {said}, but its program visits {found} nodes: it is not what was meant, or was \
             built in another way (--no-bench plays all the same)",
            side.short
        ))),
        _ => Ok(found),
    }
}

/// Runs the bench once.
fn nodes(
    built: &Built,
    bench: &mut Bench<'_, '_>,
    failed: &dyn Fn(String) -> TestError,
) -> Result<u64, TestError> {
    let _ = fs::remove_file(&built.log);
    let ran = (bench.run)(bench.arguments, bench.place, &built.log);
    // Some engines print it there.
    let errors = end_of(&built.log).unwrap_or_default();
    // It was only for this.
    let _ = fs::remove_file(&built.log);
    if (bench.stop)() {
        return Err(TestError::Interrupted);
    }
    let printed = ran.map_err(|error| failed(error.to_string()))?;
    let read = read(&format!("{errors}\n{}", printed.text)).filter(|_| printed.success);
    read.ok_or_else(|| failed(format!("prints no line `Nodes searched: N` (it {})", printed.end)))
}

/// The nodes that a bench has printed: `Nodes searched: N`, or `N nodes M nps`.
pub fn read(printed: &str) -> Option<u64> {
    let number = |line: &str| {
        let line = line.trim();
        if let Some(rest) = line.strip_prefix("Nodes searched") {
            return rest.trim_start().strip_prefix(':')?.trim().parse().ok();
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let [nodes, "nodes", speed, "nps"] = words[..] else { return None };
        speed.parse::<f64>().ok().and(nodes.parse().ok())
    };
    printed.lines().filter_map(number).next_back()
}
