//! Writing the page. Its games grow in it, one by one, while they are played; those beyond [`MOST_INSIDE`] are only counted.

use super::game_data::{GameData, ReportData};
use super::parts::{REPLAYER, head, nonce, script};
use super::report::{about, card};
use super::series::Report;
use super::tables;
use crate::failure::Failure;
use crate::ledger::record::GameRecord;
use crate::ledger::results::{Results, Summary};
use crate::output::document::{Document, Know, failed};
use crate::plan::{MatchPlan, joined_names};
use horrorshow::{Raw, html};
use kroo::printable::{agreeing, counted};
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

/// Most bytes of games in the page: some six thousand games, which a browser opens at once.
const MOST_INSIDE: usize = 20_000_000;
/// How every page begins.
pub(in crate::output) const BEGINNING: &str = "<!doctype html>\n";

/// A page that is being written.
#[derive(Debug)]
pub struct HtmlFile {
    document: Document,
    /// A nonce for the page's own scripts and style, which nothing else in the page can know.
    nonce: String,
    report: Report,
    /// The bytes of the games in the page.
    inside: usize,
    /// Games that have no room in it.
    beyond: u64,
}

impl HtmlFile {
    /// Begins a page.
    pub(in crate::output) fn create(
        path: &Path,
        plan: &MatchPlan,
        know: Know<'_>,
    ) -> Result<HtmlFile, Failure> {
        let nonce = nonce();
        let mut document = Document::begin(path, BEGINNING, know)?;
        let head = head(plan, &nonce, true);
        let mut about = script_data(&ReportData::new(plan)).map_err(failed(path))?;
        // The games come in its last place, one by one.
        about.truncate(about.len() - 1);
        document.add(|file| {
            write!(
                file,
                "<html lang=\"en\">\n<head>{head}\n<script nonce=\"{nonce}\">\nconst DATA = {about}, \"games\": [\n"
            )
        })?;
        Ok(HtmlFile { document, nonce, report: Report::new(plan), inside: 0, beyond: 0 })
    }

    /// Adds a game.
    pub fn append(&mut self, record: &GameRecord, tally: &Results, plan: &MatchPlan) -> Result<(), Failure> {
        self.report.add(record, tally, plan);
        if self.inside > MOST_INSIDE {
            self.beyond += 1;
            return Ok(());
        }
        let game = script_data(&GameData::of(record, plan)).map_err(failed(&self.document.path))?;
        let separator = if self.inside == 0 { "" } else { ",\n" };
        self.inside += game.len();
        self.document.add(|file| write!(file, "{separator}{game}"))
    }

    /// Adds tables and pictures, and moves the page to its place. If it fails, the path is as it was.
    pub fn close(mut self, plan: &MatchPlan, summary: &Summary) -> Result<(), Failure> {
        let (body, nonce) = (self.body(plan, summary), &self.nonce);
        self.document.add(|file| {
            write!(
                file,
                "\n]}};\n</script>\n</head>\n<body>\n{body}<script type=\"module\" nonce=\"{nonce}\">\n{}</script>\n</body>\n</html>\n",
                script()
            )
        })?;
        self.document.commit()
    }

    fn body(&self, plan: &MatchPlan, summary: &Summary) -> String {
        let mut games = REPLAYER.to_owned();
        if self.beyond > 0 {
            let (more, are) = (counted(self.beyond, "more game"), agreeing(self.beyond, "is", "are"));
            let about = format!("{more} {are} not in this page, but in the file of --games-out (.ogn).");
            games.push_str(&html! { p(id = "beyond", class = "about") : &about; }.to_string());
        }
        html! {
            h1 : joined_names(&plan.all_names(), " – ");
            p(class = "about") : about(summary, plan);
            : Raw(card("Standings", &tables::standings(summary, plan)));
            : Raw(card("Games", &games));
            div(class = "grid") : Raw(self.report.cards(summary, plan));
        }
        .to_string()
            + "\n"
    }
}

/// Data inside a script, which no text in the data can end.
fn script_data(value: &impl Serialize) -> io::Result<String> {
    Ok(serde_json::to_string(value)?.replace('<', "\\u003c"))
}
