//! Writing the page.

#![expect(unused_parens, reason = "in a template of horrorshow, an expression in a loop needs them")]

use super::game_data::{GameData, ReportData};
use super::picture::{Curve, Picture};
use super::series::Series;
use super::tables;
use crate::output::document;
use crate::output::error::OutputError;
use crate::output::text;
use crate::plan::{FinishedGame, MatchPlan};
use crate::tally::Tally;
use horrorshow::{Raw, html};
use kroo::files::Replacement;
use serde::Serialize;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// The elements that the script fills.
const REPLAYER: &str = include_str!("replayer.html");
/// What the script uses of the page for players, each after what it needs itself.
const MODULES: [&str; 7] =
    ["texts.js", "dom.js", "notation.js", "seeds.js", "game.js", "files.js", "board.js"];
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
    tally: Tally,
    series: Series,
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
        let (tally, series) = (Tally::new(plan.contestants.len()), Series::new(plan));
        Ok(HtmlFile { path: path.to_path_buf(), file, nonce, tally, series })
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
        self.tally.add(record);
        self.series.add(record, &self.tally, plan);
        let separator = if self.tally.games() == 1 { "" } else { ",\n" };
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
        self.tally.broken.clone_from(&tally.broken);
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
        let tally = &self.tally;
        let cut = match &tally.broken {
            Some(why) => format!(" The match is broken and has no verdict: {why}."),
            None if interrupted => " The match was interrupted.".to_owned(),
            None => String::new(),
        };
        let about = format!(
            "{}. {} games were played, {} of them distinct.{cut} {}",
            text::header(plan),
            tally.games(),
            tally.distinct_games(),
            tables::summary(tally, plan)
        );
        let cards = [
            ("Crosstable", tables::crosstable(tally, plan)),
            ("How games ended", tables::endings(tally, plan)),
        ];
        html! {
            h1 : plan.all_names().join(" – ");
            p(class = "about") : &about;
            : Raw(card("Standings", &tables::standings(tally, plan)));
            : Raw(card("Games", REPLAYER));
            div(class = "grid") {
                @ for (title, inside) in (cards.iter().chain(self.pictures(plan).iter())) {
                    : Raw(card(title, inside));
                }
            }
        }
        .to_string()
            + "\n"
    }

    /// The pictures, each with its title.
    fn pictures(&self, plan: &MatchPlan) -> Vec<(&'static str, String)> {
        let picture =
            |across, curves: &[Curve], marks: &[(f64, String)]| Picture { across, curves, marks }.svg();
        let level = [(0.0, String::new())];
        let mut pictures = vec![("Elo over the games", picture("games", self.series.elo(), &level))];
        if let Some(status) = self.tally.sprt(plan) {
            let bounds = [(status.lower, "H0".to_owned()), (status.upper, "H1".to_owned())];
            let curve = std::slice::from_ref(self.series.llr());
            pictures.push(("LLR over the games", picture("games", curve, &bounds)));
        }
        let seeds = self.series.seeds(&self.tally, plan);
        pictures.push(("Seeds in the store by move", picture("moves", &seeds, &[])));
        pictures
    }
}

/// The colours and the board of the page for players, and the style of this one.
fn style() -> String {
    [kroo::web::page_text("board.css").expect("a part of the engine"), STYLE].concat()
}

/// The page's script. What it uses comes first, and is no module of its own here.
fn script() -> String {
    let used = MODULES.map(|name| kroo::web::page_text(name).expect("a part of the engine"));
    let lines = used.iter().flat_map(|text| text.lines()).filter(|line| !line.starts_with("import "));
    let mut script: String =
        lines.flat_map(|line| [line.strip_prefix("export ").unwrap_or(line), "\n"]).collect();
    script.push_str(SCRIPT);
    script
}

/// A part of the page with a title; nothing without anything inside.
fn card(title: &str, inside: &str) -> String {
    if inside.is_empty() {
        return String::new();
    }
    html! {
        section(class = "card") {
            h2 : title;
            : Raw(inside);
        }
    }
    .to_string()
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
