//! Writing the page.
//!
//! The page of a small tournament is one file. Its games grow in it, one by one, while they are played. Once they are too many for
//! that they are moved into files next to the page ([`GameFiles`]), where the others follow, and the page has an index.

use super::game_data::{GameData, ReportData};
use super::game_files::{self, GameFiles, GameIndex};
use super::parts::{REPLAYER, nonce, policy, script, style};
use super::report::{Report, about, card};
use super::tables;
use crate::failure::Failure;
use crate::ledger::record::GameRecord;
use crate::ledger::results::{Results, Summary};
use crate::output::document::{Document, Know, failed};
use crate::plan::{MatchPlan, joined_names};
use horrorshow::{Raw, html};
use serde::Serialize;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::Path;

/// Most bytes of games in the page itself: about a thousand games.
const MOST_INSIDE: u64 = 3_500_000;
/// The part of the page before the games.
const BEFORE_GAMES: &str = ", \"games\": [\n";
/// How every page begins.
pub(in crate::output) const BEGINNING: &str = "<!doctype html>\n";

/// A page that is being written.
#[derive(Debug)]
pub struct HtmlFile {
    document: Document,
    /// A nonce for the page's own scripts and style, which nothing else in the page can know.
    nonce: String,
    report: Report,
    /// How long the page is up to its games, and with them.
    head: u64,
    length: u64,
    index: GameIndex,
    /// The games, once they are too many.
    files: Option<GameFiles>,
}

impl HtmlFile {
    /// Begins a page.
    ///
    /// # Errors
    /// If its folder cannot be written to.
    pub(in crate::output) fn create(
        path: &Path,
        plan: &MatchPlan,
        know: Know<'_>,
    ) -> Result<HtmlFile, Failure> {
        let nonce = nonce();
        GameFiles::check(path).map_err(failed(path))?;
        let mut document = Document::begin(path, BEGINNING, know)?;
        let head = {
            let title = format!("{} ({})", joined_names(&plan.all_names(), " – "), plan.variant.title());
            let policy = policy(&nonce, true);
            let head = html! {
                meta(charset = "utf-8");
                : Raw(&policy);
                meta(name = "viewport", content = "width=device-width");
                title : &title;
                style(nonce = &nonce) : Raw(style());
            };
            let mut about = script_data(&ReportData::new(plan)).map_err(failed(path))?;
            // The games come in its last place, one by one.
            about.truncate(about.len() - 1);
            format!("<html lang=\"en\">\n<head>{head}\n<script nonce=\"{nonce}\">\nconst DATA = {about}")
        };
        document.add(|file| write!(file, "{head}{BEFORE_GAMES}"))?;
        let head = (BEGINNING.len() + head.len()) as u64;
        let (report, length) = (Report::new(plan), head + BEFORE_GAMES.len() as u64);
        Ok(HtmlFile { document, nonce, report, head, length, index: GameIndex::default(), files: None })
    }

    /// Adds a game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, record: &GameRecord, tally: &Results, plan: &MatchPlan) -> Result<(), Failure> {
        self.report.add(record, tally, plan);
        let game = GameData { record, plan };
        self.index.add(record, &game.reason());
        let text = script_data(&game).map_err(failed(&self.document.path))?;
        if let Some(files) = &mut self.files {
            return files.add(&text);
        }
        let is_first = self.length == self.head + BEFORE_GAMES.len() as u64;
        let separator = if is_first { "" } else { ",\n" };
        self.document.add(|file| write!(file, "{separator}{text}"))?;
        self.length += (separator.len() + text.len()) as u64;
        if self.length - self.head > MOST_INSIDE { self.move_out() } else { Ok(()) }
    }

    /// Moves the games out of the page, each a line of it, into files next to it. `/dev/null` keeps what it has.
    fn move_out(&mut self) -> Result<(), Failure> {
        let path = self.document.path.clone();
        let failed = failed(&path);
        let Some(temporary) = self.document.temporary().map(Path::to_path_buf) else { return Ok(()) };
        let mut files = GameFiles::begin(&path)?;
        self.document.add(Write::flush)?;
        let mut page = File::options().read(true).write(true).open(temporary).map_err(&failed)?;
        page.seek(SeekFrom::Start(self.head + BEFORE_GAMES.len() as u64)).map_err(&failed)?;
        for line in BufReader::new(&page).lines() {
            let line = line.map_err(&failed)?;
            files.add(line.strip_suffix(',').unwrap_or(&line))?;
        }
        page.set_len(self.head).map_err(&failed)?;
        let head = SeekFrom::Start(self.head);
        self.document.add(|file| file.seek(head).map(drop))?;
        self.files = Some(files);
        Ok(())
    }

    /// Adds tables and pictures, and moves the page to its place.
    ///
    /// # Errors
    /// If that cannot be done. The path is then as it was.
    pub fn close(mut self, plan: &MatchPlan, summary: &Summary) -> Result<(), Failure> {
        let path = self.document.path.clone();
        let (body, nonce) = (self.body(plan, summary), &self.nonce);
        let mut rest = "\n]".to_owned();
        if let Some(files) = &mut self.files {
            files.finish()?;
            let words = script_data(&self.index.words()).map_err(failed(&path))?;
            rest = format!(", {}, \"words\": {words}, \"index\": {}", files.place(), self.index.rows());
        }
        self.document.add(|file| {
            write!(
                file,
                "{rest}}};\n</script>\n</head>\n<body>\n{body}<script type=\"module\" nonce=\"{nonce}\">\n{}</script>\n</body>\n</html>\n",
                script()
            )
        })?;
        let is_file = self.document.temporary().is_some();
        self.document.commit()?;
        match self.files {
            Some(files) => files.keep(),
            None if is_file => game_files::forget(&path),
            None => {}
        }
        Ok(())
    }

    fn body(&self, plan: &MatchPlan, summary: &Summary) -> String {
        html! {
            h1 : joined_names(&plan.all_names(), " – ");
            p(class = "about") : about(summary, plan);
            : Raw(card("Standings", &tables::standings(summary, plan)));
            : Raw(card("Games", REPLAYER));
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
