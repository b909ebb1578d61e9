//! Writing the page.

use super::game_data::{GameData, ReportData};
use super::parts::{REPLAYER, script, style};
use super::report::{Report, card};
use crate::output::document;
use crate::output::error::OutputError;
use crate::plan::{FinishedGame, MatchPlan};
use crate::tally::Tally;
use horrorshow::{Raw, html};
use kroo::files::Replacement;
use serde::Serialize;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// How every page begins.
const BEGINNING: &str = "<!doctype html>\n";

/// A page that is being written.
#[derive(Debug)]
pub struct HtmlFile {
    /// As the user has named it.
    path: PathBuf,
    file: BufWriter<Replacement>,
    /// What the page's own scripts and style have and nothing that got into the page could.
    nonce: String,
    report: Report,
}

impl HtmlFile {
    /// Begins a page.
    ///
    /// # Errors
    /// If its folder cannot be written to.
    pub fn create(path: &Path, plan: &MatchPlan) -> Result<HtmlFile, OutputError> {
        let nonce = nonce();
        let create = || {
            let mut file = BufWriter::new(document::begin(path, BEGINNING)?);
            let title = format!("{} ({})", plan.all_names().join(" – "), plan.variant.title());
            let policy = format!(
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'nonce-{nonce}'; \
                 style-src 'nonce-{nonce}'; base-uri 'none'; form-action 'none'\">"
            );
            let head = html! {
                meta(charset = "utf-8");
                : Raw(&policy);
                meta(name = "viewport", content = "width=device-width");
                title : &title;
                style(nonce = &nonce) : Raw(style());
            };
            let mut about = script_data(&ReportData::new(plan))?;
            // The games come in its last place, one by one.
            about.truncate(about.len() - 1);
            write!(
                file,
                "{BEGINNING}<html lang=\"en\">\n<head>{head}\n<script nonce=\"{nonce}\">\nconst DATA = {about}, \"games\": [\n"
            )?;
            Ok(file)
        };
        let file = create().map_err(|error| OutputError { path: path.to_path_buf(), error })?;
        Ok(HtmlFile { path: path.to_path_buf(), file, nonce, report: Report::new(plan) })
    }

    /// The temporary file, if there is one.
    #[must_use]
    pub fn temporary(&self) -> Option<&Path> {
        self.file.get_ref().temporary()
    }

    /// Adds a game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, record: &FinishedGame, plan: &MatchPlan) -> Result<(), OutputError> {
        self.report.add(record, plan);
        let separator = if self.report.games() == 1 { "" } else { ",\n" };
        let written =
            script_data(&GameData::new(record, plan)).and_then(|game| write!(self.file, "{separator}{game}"));
        written.map_err(|error| OutputError { path: self.path.clone(), error })
    }

    /// Adds tables and pictures, and moves the page to its place.
    ///
    /// # Errors
    /// If that cannot be done. The path is then as it was.
    pub fn close(mut self, plan: &MatchPlan, tally: &Tally, interrupted: bool) -> Result<(), OutputError> {
        let (path, nonce) = (self.path.clone(), self.nonce.clone());
        self.report.set_broken(tally.broken.as_ref());
        let body = self.body(plan, interrupted);
        let close = || {
            write!(
                self.file,
                "\n]}};\n</script>\n</head>\n<body>\n{body}<script type=\"module\" nonce=\"{nonce}\">\n{}</script>\n</body>\n</html>\n",
                script()
            )?;
            self.file.into_inner().map_err(io::IntoInnerError::into_error)?.commit()
        };
        close().map_err(|error| OutputError { path, error })
    }

    fn body(&self, plan: &MatchPlan, interrupted: bool) -> String {
        html! {
            h1 : plan.all_names().join(" – ");
            p(class = "about") : self.report.about(plan, interrupted);
            : Raw(card("Standings", &self.report.standings(plan)));
            : Raw(card("Games", REPLAYER));
            div(class = "grid") : Raw(self.report.cards(plan));
        }
        .to_string()
            + "\n"
    }
}

/// A number that nobody knew before: the browser runs only what has it (Content Security Policy Level 3). The keys of the
/// standard library's hash maps come from the system's random numbers.
fn nonce() -> String {
    let random = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", random(), random())
}

/// Data inside a script, which no text in the data can end.
fn script_data(value: &impl Serialize) -> io::Result<String> {
    Ok(serde_json::to_string(value)?.replace('<', "\\u003c"))
}
