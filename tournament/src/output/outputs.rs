//! All outputs of a match.

use super::document::{Know, failed};
use super::html::HtmlFile;
use super::json::JsonFile;
use super::ogn::game_text;
use super::screen::Screen;
use super::text;
use super::tuning::TuningOutput;
use super::watch::{self, LiveMatch};
use crate::failure::Failure;
use crate::ledger::record::GameRecord;
use crate::ledger::results::{Results, Summary};
use crate::ledger::{Ledger, MatchObserver};
use crate::plan::MatchPlan;
use crate::run::{LiveBoards, Shown};
use clap::Args;
use kroo::files;
use kroo::ogn::Reader;
use kroo::web::{Place, WebError};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes at the end of a game file that are searched for its last game.
const LARGEST_END: u64 = 1 << 20;

/// The files that a match and a merge write.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub struct OutputFiles {
    /// Append the games to this file (.ogn); `merge` needs a new one
    #[arg(long, value_name = "FILE")]
    pub games_out: Option<PathBuf>,
    /// Write everything to this file as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write a report to this file, a page for a web browser, with the first games up to 20 MB
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

impl OutputFiles {
    /// The files that are given, with their options.
    pub fn given(&self) -> impl Iterator<Item = (&str, &PathBuf)> {
        let outputs = [("--games-out", &self.games_out), ("--json", &self.json), ("--html", &self.html)];
        outputs.into_iter().filter_map(|(option, path)| Some((option, path.as_ref()?)))
    }

    /// Refuses two options with one file; `others` are files besides the outputs, by their options.
    pub fn check<'a>(
        &'a self,
        others: impl IntoIterator<Item = (&'a str, &'a PathBuf)>,
    ) -> Result<(), Failure> {
        let all: Vec<(&str, &PathBuf)> = self.given().chain(others).collect();
        for (place, (option, other)) in all.iter().enumerate() {
            if let Some((first, one)) = all[..place].iter().find(|(_, one)| files::are_one(one, other)) {
                let problem = format!("{} and {} are the same file", one.display(), other.display());
                return Err(Failure::at(format!("{first} and {option}"), problem));
            }
        }
        Ok(())
    }
}

/// How to treat games that are in the game file already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameFileMode {
    /// Keep them, and append others.
    Append,
    /// There must be none: a journal begins, and the file is to hold only its games.
    New,
    /// They belong to the journal, and are written again from it.
    Rewrite,
}

/// The screen and the files.
#[derive(Debug)]
pub struct Outputs<'a> {
    plan: &'a MatchPlan,
    screen: Screen,
    games: Option<GameFile>,
    json: Option<JsonFile>,
    html: Option<HtmlFile>,
    /// The documents of a tuning run, which has no others.
    tuning: Option<TuningOutput>,
    watch: Option<Arc<LiveMatch>>,
    failed: bool,
}

impl<'a> Outputs<'a> {
    /// Opens the files, and prints the plan. `know` is told of temporary files before they are made, to remove them if the match
    /// does not come to its end.
    pub fn open(
        plan: &'a MatchPlan,
        files: &OutputFiles,
        mode: GameFileMode,
        know: Know<'_>,
    ) -> Result<Outputs<'a>, Failure> {
        let [games, json, html] = [&files.games_out, &files.json, &files.html].map(Option::as_deref);
        let games = games.map(|path| GameFile::open(path, mode, plan)).transpose()?;
        let tuning = TuningOutput::open(plan, json, html, know)?;
        let of_match = |_: &&Path| tuning.is_none();
        let json = json.filter(of_match).map(|path| JsonFile::create(path, plan, know)).transpose()?;
        let html = html.filter(of_match).map(|path| HtmlFile::create(path, plan, know)).transpose()?;
        let screen = Screen::new(plan);
        let mut outputs = Outputs { plan, screen, games, json, html, tuning, watch: None, failed: false };
        outputs.print(&text::header(plan));
        if let Some(file) = outputs.games.as_ref().filter(|file| file.has_half_game) {
            outputs.warn(&format!(
                "warning: {}: its last game has no result; it is left as it is, and the new games follow it",
                file.path.display()
            ));
        }
        Ok(outputs)
    }

    /// Serves the live page, if there is a place for it, and prints its address.
    pub fn watched_at(mut self, place: Option<Place>) -> Result<Outputs<'a>, WebError> {
        let Some(place) = place else { return Ok(self) };
        let (live, page) = watch::serve(place, self.plan, Arc::new(LiveBoards::new(self.plan.concurrency)))?;
        self.print(&format!("Watch the match at {page}"));
        self.watch = Some(live);
        Ok(self)
    }

    /// Where the screen and the live page take what happens between the ends of games.
    pub fn shown(&self) -> Shown {
        let watch = self.watch.as_ref();
        Shown {
            boards: watch.map(|watch| Arc::clone(&watch.boards)),
            workers: watch.map(|watch| Arc::clone(&watch.workers)),
        }
    }

    /// Completes the files: whatever becomes of the screen, they are saved.
    pub fn save(&mut self, summary: &Summary) {
        self.screen.clear();
        if let Some(tuning) = &mut self.tuning {
            for error in tuning.save(self.plan, summary) {
                self.note(Err(error));
            }
        }
        if let Some(json) = self.json.take() {
            self.note(json.close(summary));
        }
        if let Some(html) = self.html.take() {
            self.note(html.close(self.plan, summary));
        }
        if let Some(watch) = self.watch.take() {
            watch.end(summary);
        }
    }

    /// Saves the files, unless that is done, and prints the results. Returns whether everything could be written.
    pub fn close(mut self, summary: &Summary) -> bool {
        self.save(summary);
        let results = match &self.tuning {
            Some(tuning) => tuning.report.results(summary, self.plan),
            None => text::results(summary, self.plan),
        };
        self.print((results + &summary.workers.at_end()).trim_end());
        if let Some(problem) = self.tuning.as_ref().and_then(|tuning| tuning.report.problem()) {
            self.failure(&problem);
        }
        let ended = self.screen.end();
        self.note_screen(ended);
        !self.failed
    }

    fn print(&mut self, lines: &str) {
        let printed = self.screen.print(lines);
        self.note_screen(printed);
    }

    fn note_screen(&mut self, printed: io::Result<()>) {
        // A closed standard output stays closed, and one message is enough.
        if !self.failed {
            self.note(printed.map_err(|error| Failure::at("standard output", error)));
        }
    }

    fn note(&mut self, written: Result<(), Failure>) {
        if let Err(error) = written {
            self.failed = true;
            self.warn(&error.to_string());
        }
    }

    fn warn(&self, text: &str) {
        // Standard error may be closed.
        let _ = self.screen.warn(&format!("referee: {text}"));
    }
}

impl MatchObserver for Outputs<'_> {
    fn warning(&mut self, text: &str) {
        self.warn(&format!("warning: {text}"));
    }

    fn failure(&mut self, text: &str) {
        self.failed = true;
        self.warn(text);
    }

    fn broken(&mut self, text: &str) {
        self.warn(&format!("the match is broken and has no verdict: {text}"));
    }

    fn resumed(&mut self, ledger: &Ledger<'_>) {
        self.print(&text::resumed(ledger.games(), self.plan));
        self.screen.resumed(ledger);
        let advanced = self.screen.advance(ledger, self.plan, self.tuning.is_none());
        self.note_screen(advanced);
    }

    fn finished(&mut self, record: &GameRecord, ledger: &Ledger<'_>) {
        match &mut self.tuning {
            Some(tuning) => tuning.played(),
            None => self.print(&text::finished(record, self.plan)),
        }
        let advanced = self.screen.advance(ledger, self.plan, self.tuning.is_none());
        self.note_screen(advanced);
    }

    fn in_order(&mut self, record: &GameRecord, tally: &Arc<Results>) {
        if let Some(watch) = &self.watch {
            watch.add(record, tally);
        }
        let lines = self.tuning.as_mut().map(|tuning| tuning.add(record)).unwrap_or_default();
        if !lines.is_empty() {
            self.print(&lines);
        }
        let plan = self.plan;
        let appended = [
            append(&mut self.games, |games| games.append(&game_text(record, plan, Some(tally)))),
            append(&mut self.json, |json| json.append(record, plan, true)),
            append(&mut self.html, |html| html.append(record, tally, plan)),
        ];
        appended.into_iter().for_each(|appended| self.note(appended));
    }

    fn behind_gap(&mut self, record: &GameRecord) {
        let plan = self.plan;
        let appended = [
            append(&mut self.games, |games| games.append(&game_text(record, plan, None))),
            append(&mut self.json, |json| json.append(record, plan, false)),
        ];
        appended.into_iter().for_each(|appended| self.note(appended));
    }
}

/// Adds to an output. One that fails is dropped.
fn append<T>(output: &mut Option<T>, add: impl FnOnce(&mut T) -> Result<(), Failure>) -> Result<(), Failure> {
    output.as_mut().map_or(Ok(()), add).inspect_err(|_| *output = None)
}

#[derive(Debug)]
struct GameFile {
    path: PathBuf,
    file: File,
    /// The separator between the games of the file and the first new one.
    separator: &'static str,
    /// Whether the last game of the file has no result.
    has_half_game: bool,
}

impl GameFile {
    fn open(path: &Path, mode: GameFileMode, plan: &MatchPlan) -> Result<GameFile, Failure> {
        let path = path.to_path_buf();
        let open = || {
            let mut file = files::open_to_write(File::options().create(true).read(true).append(true), &path)?;
            let regular = file.metadata()?.is_file();
            if regular {
                // Games of two referees would be mixed.
                files::lock(&file)?;
            }
            match mode {
                GameFileMode::New if regular && file.metadata()?.len() > 0 => {
                    let problem =
                        "it holds games already, but is to hold only those of the journal: give another name";
                    return Err(io::Error::other(problem));
                }
                GameFileMode::Rewrite if regular => {
                    let expected = format!("[Variant \"{}\"]\n", plan.variant.title()).into_bytes();
                    let mut begin = Vec::new();
                    (&mut file).take(expected.len() as u64).read_to_end(&mut begin)?;
                    if !expected.starts_with(&begin) {
                        return Err(io::Error::other(
                            "it is to be written again from the journal, but is not a game file",
                        ));
                    }
                    file.set_len(0)?;
                }
                _ => {}
            }
            let end = match mode {
                GameFileMode::Append if regular => end_of_games(&file)?,
                _ => ("", false),
            };
            Ok((file, end))
        };
        match open() {
            Ok((file, (separator, has_half_game))) => Ok(GameFile { path, file, separator, has_half_game }),
            Err(error) => Err(failed(&path)(error)),
        }
    }

    /// Appends a game, or no part of it.
    fn append(&mut self, text: &str) -> Result<(), Failure> {
        let before = self.file.metadata().map(|metadata| metadata.len());
        let text = format!("{}{text}", self.separator);
        let written = self.file.write_all(text.as_bytes());
        if written.is_ok() {
            self.separator = "";
        }
        written.map_err(|error| {
            if let Ok(length) = before {
                let _ = self.file.set_len(length);
            }
            failed(&self.path)(error)
        })
    }
}

/// Reads the end of a game file. Returns the separator before another game, and whether the last game has no result.
fn end_of_games(file: &File) -> io::Result<(&'static str, bool)> {
    let end = files::read_end(file, LARGEST_END)?;
    let separator = match end.as_slice() {
        bytes if bytes.is_empty() || bytes.ends_with(b"\n\n") || bytes.ends_with(b"\n\r\n") => "",
        bytes if bytes.ends_with(b"\n") => "\n",
        _ => "\n\n",
    };
    let text = String::from_utf8_lossy(&end);
    let last = text.rfind("\n[Variant ").map_or(&*text, |start| &text[start + 1..]);
    let game = Reader::new(last.as_bytes()).last();
    match game {
        None => Ok((separator, false)),
        Some(Ok(game)) if game.last.is_some() => Ok((separator, false)),
        Some(Ok(game)) if !game.moves.is_empty() => Ok((separator, true)),
        // After tags alone, or inside of a comment, another game could not be distinguished from this one.
        _ => Err(io::Error::other(
            "its last game is cut off, and another one after it could not be read: complete it, remove it, or give \
             another name",
        )),
    }
}
