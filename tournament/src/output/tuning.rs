//! All that a tuning run prints and writes besides what every match does.

use super::document::{Document, Know};
use super::html::{self, tuning_page};
use super::json::{self, write_tuning};
use super::tuning_report::TuningReport;
use crate::failure::Failure;
use crate::ledger::record::GameRecord;
use crate::ledger::results::Summary;
use crate::plan::MatchPlan;
use std::io::Write;
use std::path::Path;

/// The report of a run, and its documents.
#[derive(Debug)]
pub(super) struct TuningOutput {
    pub report: TuningReport,
    json: Option<Document>,
    html: Option<Document>,
    /// A game has been played, and not only read from a journal.
    is_played: bool,
}

impl TuningOutput {
    /// Begins the documents; `None` if nothing is tuned.
    pub fn open(
        plan: &MatchPlan,
        json: Option<&Path>,
        html: Option<&Path>,
        know: Know<'_>,
    ) -> Result<Option<TuningOutput>, Failure> {
        let Some(report) = TuningReport::new(plan) else { return Ok(None) };
        let json = json.map(|path| Document::begin(path, json::BEGINNING, know)).transpose()?;
        let html = html.map(|path| Document::begin(path, html::BEGINNING, know)).transpose()?;
        Ok(Some(TuningOutput { report, json, html, is_played: false }))
    }

    /// A game has been played, which will be added when its turn comes.
    pub fn played(&mut self) {
        self.is_played = true;
    }

    /// Counts a game, and returns the lines about the iterations that it has completed.
    pub fn add(&mut self, record: &GameRecord) -> String {
        let applied = self.report.add(record);
        let lines = applied.iter().filter(|_| self.is_played).map(|applied| self.report.progress(applied));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Completes the documents. Returns what could not be written.
    pub fn save(&mut self, plan: &MatchPlan, summary: &Summary) -> Vec<Failure> {
        let report = &self.report;
        let json = self.json.take().map(|mut document| {
            document.add(|file| write_tuning(file, report, plan, summary))?;
            document.commit()
        });
        let html = self.html.take().map(|mut page| {
            page.add(|file| file.write_all(tuning_page(report, plan, summary).as_bytes()))?;
            page.commit()
        });
        json.into_iter().chain(html).filter_map(Result::err).collect()
    }
}
