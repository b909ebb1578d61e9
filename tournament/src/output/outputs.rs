//! All outputs of a match together.

use super::html::HtmlFile;
use super::json::JsonFile;
use super::ogn::game_text;
use super::screen::Screen;
use super::text;
use crate::plan::{FinishedGame, MatchPlan};
use crate::run::{LiveBoards, Observer};
use crate::tally::Tally;
use kroo::files::why;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Something that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {}", .path.display(), why(.path, .error))]
pub struct OutputError {
    /// The file.
    pub path: PathBuf,
    /// What the system says.
    pub error: io::Error,
}

/// What becomes of games that stand in the game file already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameFileMode {
    /// They stay, and others follow.
    Append,
    /// There may be none: a journal begins, and the file is to hold its games and no others.
    New,
    /// They are the journal's, and are written again from it.
    Again,
}

/// The screen and the files.
#[derive(Debug)]
pub struct Outputs<'a> {
    plan: &'a MatchPlan,
    screen: Screen,
    games: Option<GameFile>,
    json: Option<JsonFile>,
    html: Option<HtmlFile>,
    failed: bool,
}

impl<'a> Outputs<'a> {
    /// Opens the files and prints what is going to be played.
    ///
    /// # Errors
    /// If a file cannot be opened.
    pub fn open(
        plan: &'a MatchPlan,
        games: Option<(&Path, GameFileMode)>,
        json: Option<&Path>,
        html: Option<&Path>,
    ) -> Result<Outputs<'a>, OutputError> {
        let games = games.map(|(path, filling)| GameFile::open(path, filling, plan)).transpose()?;
        let json = json.map(|path| JsonFile::create(path, plan)).transpose()?;
        let html = html.map(|path| HtmlFile::create(path, plan)).transpose()?;
        let mut outputs = Outputs { plan, screen: Screen::new(plan), games, json, html, failed: false };
        outputs.print(&text::header(plan));
        Ok(outputs)
    }

    /// The files that are to be removed if the match is never completed.
    pub fn temporary(&self) -> impl Iterator<Item = &Path> {
        let json = self.json.as_ref().and_then(JsonFile::temporary);
        json.into_iter().chain(self.html.as_ref().and_then(HtmlFile::temporary))
    }

    /// Prints the results and completes the files; says whether everything could be written.
    pub fn close(mut self, tally: &Tally, interrupted: bool) -> bool {
        self.screen.clear();
        self.print(text::summary(tally, self.plan, interrupted).trim_end());
        if let Some(json) = self.json.take() {
            let closed = json.close(self.plan, tally, interrupted);
            self.note(closed);
        }
        if let Some(html) = self.html.take() {
            let closed = html.close(self.plan, interrupted);
            self.note(closed);
        }
        !self.failed
    }

    fn print(&mut self, lines: &str) {
        let printed = self.screen.print(lines);
        self.note_screen(printed);
    }

    fn note_screen(&mut self, printed: io::Result<()>) {
        // Once is enough: a closed standard output stays closed.
        if !self.failed {
            self.note(printed.map_err(|error| OutputError { path: "standard output".into(), error }));
        }
    }

    fn note(&mut self, written: Result<(), OutputError>) {
        if let Err(error) = written {
            self.failed = true;
            self.warn(&error.to_string());
        }
    }

    fn warn(&self, text: &str) {
        // There is nowhere left to say that this failed.
        let _ = self.screen.complain(&format!("referee: {text}"));
    }
}

impl Observer for Outputs<'_> {
    fn warning(&mut self, text: &str) {
        self.warn(&format!("warning: {text}"));
    }

    fn failure(&mut self, text: &str) {
        self.failed = true;
        self.warn(text);
    }

    fn boards(&self) -> Option<Arc<LiveBoards>> {
        self.screen.boards()
    }

    fn resumed(&mut self, tally: &Tally) {
        self.print(&text::resumed(tally, self.plan));
        let advanced = self.screen.advance(tally, self.plan);
        self.note_screen(advanced);
    }

    fn finished(&mut self, record: &FinishedGame, tally: &Tally) {
        self.print(&text::finished(record, self.plan));
        let advanced = self.screen.advance(tally, self.plan);
        self.note_screen(advanced);
    }

    fn in_order(&mut self, record: &FinishedGame) {
        if let Some(games) = &mut self.games
            && let Err(error) = games.append(&game_text(record, self.plan))
        {
            self.games = None;
            self.note(Err(error));
        }
        if let Some(json) = &mut self.json
            && let Err(error) = json.append(record, self.plan)
        {
            self.json = None;
            self.note(Err(error));
        }
        if let Some(html) = &mut self.html
            && let Err(error) = html.append(record, self.plan)
        {
            self.html = None;
            self.note(Err(error));
        }
    }
}

/// The game file.
#[derive(Debug)]
struct GameFile {
    path: PathBuf,
    file: File,
}

impl GameFile {
    fn open(path: &Path, filling: GameFileMode, plan: &MatchPlan) -> Result<GameFile, OutputError> {
        let path = path.to_path_buf();
        let open = || {
            let mut file = File::options().create(true).read(true).append(true).open(&path)?;
            let regular = file.metadata()?.is_file();
            match filling {
                GameFileMode::New if regular && file.metadata()?.len() > 0 => {
                    let problem = "it holds games already, but is to hold those of a journal and no others: give another name";
                    return Err(io::Error::other(problem));
                }
                GameFileMode::Again if regular => {
                    let expected = format!("[Variant \"{}\"]\n", plan.variant.title()).into_bytes();
                    let mut begin = Vec::new();
                    (&mut file).take(expected.len() as u64).read_to_end(&mut begin)?;
                    if !expected.starts_with(&begin) {
                        return Err(io::Error::other(
                            "it is to be written again from the journal, but is no game file",
                        ));
                    }
                    file.set_len(0)?;
                }
                _ => {}
            }
            Ok(file)
        };
        match open() {
            Ok(file) => Ok(GameFile { path, file }),
            Err(error) => Err(OutputError { path, error }),
        }
    }

    /// Appends a whole game. If that fails, what was written of it is taken back.
    fn append(&mut self, text: &str) -> Result<(), OutputError> {
        let before = self.file.metadata().map(|metadata| metadata.len());
        self.file.write_all(text.as_bytes()).map_err(|error| {
            if let Ok(length) = before {
                let _ = self.file.set_len(length);
            }
            OutputError { path: self.path.clone(), error }
        })
    }
}
