//! A tuning run as JSON: its parameters, how the values moved, and where they have come to.

use super::parts::PlanJson;
use crate::ledger::results::Summary;
use crate::output::tuning_report::TuningReport;
use crate::plan::MatchPlan;
use serde_json::json;
use std::io::{self, Write};

/// Writes a document up to its end, after its beginning.
pub(in crate::output) fn write_tuning(
    file: &mut impl Write,
    report: &TuningReport,
    plan: &MatchPlan,
    summary: &Summary,
) -> io::Result<()> {
    let parameters = report.parameters().map(|(parameter, value)| {
        json!({"name": parameter.name, "start": parameter.start, "end": value, "rounded": parameter.text(value)})
    });
    let result = json!({
        "iterations": report.iterations()[0],
        "games": summary.score.games,
        "interrupted": summary.interrupted,
        "broken": summary.broken,
        "parameters": parameters.collect::<Vec<_>>(),
        "words": report.words(),
        "lines": report.lines(),
    });
    serde_json::to_writer(&mut *file, &PlanJson::new(plan))?;
    file.write_all(b",\n\"tuning\":")?;
    serde_json::to_writer(&mut *file, report.plan())?;
    file.write_all(b",\n\"iterations\":[")?;
    for (place, point) in report.points().iter().enumerate() {
        file.write_all(if place == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut *file, point)?;
    }
    file.write_all(b"],\n\"result\":")?;
    serde_json::to_writer(&mut *file, &result)?;
    file.write_all(b"}\n")
}
