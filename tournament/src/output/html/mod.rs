//! A report for people: one page that needs nothing else, to be opened in a browser.
//!
//! Like the JSON document the page grows in a temporary file beside its place, game by game, and is moved there when it
//! is complete. First come the games, as data for the replayer: a game has its boards with it, so that the page knows
//! no rules. Then come the tables and pictures, which are ready-made and can be read without a script.

mod picture;
mod series;
mod tables;

use super::OutputError;
use super::document;
use super::ogn::score_text;
use super::text;
use crate::plan::{FinishedGame, MatchPlan};
use crate::tally::Tally;
use kroo::files::Replacement;
use kroo::game::{Game, Pit, Position, Side};
use picture::{Picture, escaped};
use serde::Serialize;
use series::Series;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// A digit for each number of seeds; no rule set has more than 48.
const DIGITS: &[u8; 64] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/";

/// How each of these pages begins.
const BEGINNING: &str = "<!doctype html>\n";

/// A page that is being written.
#[derive(Debug)]
pub struct HtmlFile {
    /// As the user has named it.
    path: PathBuf,
    file: BufWriter<Replacement>,
    tally: Tally,
    series: Series,
}

/// A game, for the replayer. Pairs of values are South's and North's.
#[derive(Serialize)]
struct GameData {
    number: u64,
    round: u64,
    players: [usize; 2],
    result: &'static str,
    reason: String,
    stores: [u8; 2],
    /// How many moves are the opening's.
    opening: usize,
    moves: String,
    /// Fourteen digits for each board: South's pits, North's pits, both stores.
    boards: String,
    /// What the mover thought after each move, in seeds; none in the opening.
    scores: Vec<Option<String>>,
    depths: Vec<Option<u32>>,
    /// Microseconds.
    times: Vec<u64>,
}

impl GameData {
    fn new(record: &FinishedGame, plan: &MatchPlan) -> GameData {
        let (scheduled, played) = (&record.scheduled, &record.played);
        let mut game = Game::new(*played.game.start());
        let mut boards = digits(game.position());
        for &mv in played.game.moves() {
            game.play(mv).expect("the moves of a game that was played are legal");
            boards.push_str(&digits(game.position()));
        }
        let told = || std::iter::repeat_n(None, played.opening).chain(played.told.iter().map(Some));
        GameData {
            number: scheduled.number,
            round: scheduled.meeting.round,
            players: scheduled.players,
            result: played.outcome.score(),
            reason: played.reason(plan.names(scheduled)),
            stores: played.stores(),
            opening: played.opening,
            moves: played.game.moves().iter().map(|mv| mv.letter()).collect(),
            boards,
            scores: told().map(|told| told.and_then(|told| told.score).map(score_text)).collect(),
            depths: told().map(|told| told.and_then(|told| told.depth)).collect(),
            times: told().map(|told| told.map_or(0, |told| told.time.as_micros() as u64)).collect(),
        }
    }
}

fn digits(position: &Position) -> String {
    let pits = Side::BOTH.into_iter().flat_map(|side| Pit::ALL.map(|pit| position.row(side).pit(pit)));
    let seeds = pits.chain(Side::BOTH.map(|side| position.store(side)));
    seeds.map(|seeds| char::from(DIGITS[usize::from(seeds).min(63)])).collect()
}

impl HtmlFile {
    /// Begins a page that is to stand at a path.
    ///
    /// # Errors
    /// If its folder cannot be written to.
    pub fn create(path: &Path, plan: &MatchPlan) -> Result<HtmlFile, OutputError> {
        let create = || {
            let mut file = BufWriter::new(document::begin(path, BEGINNING)?);
            let names: Vec<&str> = (0..plan.contestants.len()).map(|engine| plan.name(engine)).collect();
            let title = escaped(&format!("{} ({})", names.join(" – "), plan.variant.title()));
            write!(
                file,
                "{BEGINNING}<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
                 <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
                 <style>\n{STYLE}</style>\n<script>\nconst DATA = {{\"engines\": {}, \"games\": [\n",
                data(&names)?
            )?;
            Ok(file)
        };
        let file = create().map_err(|error| OutputError { path: path.to_path_buf(), error })?;
        let (tally, series) = (Tally::new(plan.contestants.len()), Series::new(plan));
        Ok(HtmlFile { path: path.to_path_buf(), file, tally, series })
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
            data(&GameData::new(record, plan)).and_then(|game| write!(self.file, "{separator}{game}"));
        written.map_err(|error| OutputError { path: self.path.clone(), error })
    }

    /// Adds tables and pictures and puts the page in its place.
    ///
    /// # Errors
    /// If that cannot be done. The path is then as it was.
    pub fn close(mut self, plan: &MatchPlan, interrupted: bool) -> Result<(), OutputError> {
        let path = self.path.clone();
        let body = self.body(plan, interrupted);
        let close = || {
            write!(
                self.file,
                "\n]}};\n</script>\n</head>\n{body}<script>\n{SCRIPT}</script>\n</body>\n</html>\n"
            )?;
            self.file.into_inner().map_err(io::IntoInnerError::into_error)?.commit()
        };
        close().map_err(|error| OutputError { path, error })
    }

    fn body(&self, plan: &MatchPlan, interrupted: bool) -> String {
        let names: Vec<&str> = (0..plan.contestants.len()).map(|engine| plan.name(engine)).collect();
        let tally = &self.tally;
        let cut = if interrupted { " The match was interrupted." } else { "" };
        let mut body = format!(
            "<body>\n<h1>{}</h1>\n<p class=\"about\">{}. {} games were played.{cut} {}</p>\n",
            escaped(&names.join(" – ")),
            escaped(&text::header(plan)),
            tally.games(),
            tables::verdict(tally, plan)
        );
        let mut card = |title: &str, inside: String| {
            if !inside.is_empty() {
                body.push_str(&format!("<section class=\"card\"><h2>{title}</h2>\n{inside}</section>\n"));
            }
        };
        card("Standings", tables::standings(tally, plan));
        card("Games", REPLAYER.to_owned());
        body.push_str("<div class=\"grid\">\n");
        let mut card = |title: &str, inside: String| {
            if !inside.is_empty() {
                body.push_str(&format!("<section class=\"card\"><h2>{title}</h2>\n{inside}</section>\n"));
            }
        };
        card("Crosstable", tables::crosstable(tally, plan));
        card("How games ended", tables::endings(tally, plan));
        let level = [(0.0, String::new())];
        let picture = |across, curves: &[picture::Curve], marks: &[(f64, String)]| {
            Picture { across, curves, marks }.svg()
        };
        card("Elo over the games", picture("games", self.series.elo(), &level));
        if let Some(trial) = tally.trial(plan) {
            let bounds = [(trial.lower, "H0".to_owned()), (trial.upper, "H1".to_owned())];
            card("LLR over the games", picture("games", std::slice::from_ref(self.series.llr()), &bounds));
        }
        card("Seeds in store by move", picture("moves", &self.series.seeds(tally, plan), &[]));
        body + "</div>\n"
    }
}

/// What the script fills.
const REPLAYER: &str = "\
<div id=\"replayer\"><div><input id=\"search\" type=\"search\" placeholder=\"engine, result, reason\" aria-label=\"Search\">
<div id=\"games\"></div><small id=\"found\"></small></div>
<div><b id=\"title\"></b>
<svg id=\"board\" viewBox=\"0 0 860 280\" role=\"img\" aria-label=\"The board\"></svg>
<div class=\"controls\"><button id=\"first\" title=\"To the start\">|◀</button><button id=\"back\" title=\"One move back\">◀</button>
<button id=\"play\" title=\"Play\">Play</button><button id=\"next\" title=\"One move on\">▶</button>
<button id=\"last\" title=\"To the end\">▶|</button><input id=\"slider\" type=\"range\" min=\"0\" value=\"0\" aria-label=\"Move\"></div>
<p id=\"said\"></p>
<svg id=\"scores\" viewBox=\"0 0 860 140\" role=\"img\" aria-label=\"Scores, from South's side\"></svg>
<p class=\"about\">What the engines thought, in seeds, seen from South: <span style=\"color:var(--south)\">South</span>,
<span style=\"color:var(--north)\">North</span>. A pit with a bright ring is a kroo: more than twelve seeds.</p>
<p id=\"moves\"></p></div></div>
";

/// Data inside a script, which no text in it can end.
fn data(value: &impl Serialize) -> io::Result<String> {
    Ok(serde_json::to_string(value)?.replace('<', "\\u003c"))
}
