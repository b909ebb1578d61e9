//! A player's file of lessons, if any. An unusable file is refused when it is opened; later errors are reported once.

use crate::learn::{LearnError, LearnFile, LearnUpdate, Lesson};
use std::path::Path;

/// A player's file, and the remarks about it.
#[derive(Debug, Default)]
pub struct LessonFile {
    file: Option<LearnFile>,
    /// The last error, which is not repeated.
    last_error: Option<String>,
    remarks: Vec<String>,
}

impl LessonFile {
    /// Opens a file, if there is one, and returns its content.
    pub fn open(&mut self, path: Option<&Path>) -> Result<LearnUpdate, LearnError> {
        let Some(path) = path else { return Ok(LearnUpdate::default()) };
        let (file, update) = LearnFile::open(path)?;
        self.file = Some(file);
        if let Some(torn) = &update.torn {
            let path = path.display();
            self.remarks.push(format!("the last line of {path} was cut off and is left out: `{torn}`"));
        }
        Ok(update)
    }

    /// Reads what other processes have added.
    pub fn read_new(&mut self) -> LearnUpdate {
        self.ask(LearnFile::read_new)
    }

    /// Adds a lesson, and returns what other processes have added.
    pub fn add(&mut self, lesson: Lesson) -> LearnUpdate {
        self.ask(|file| file.add(lesson))
    }

    /// Whether lessons are still unwritten.
    pub fn has_unsaved(&self) -> bool {
        self.file.as_ref().is_some_and(LearnFile::has_pending)
    }

    /// Retries writing, and returns what other processes have added. A file that is still locked causes no remark.
    pub fn save(&mut self) -> LearnUpdate {
        match self.file.as_mut().map(LearnFile::write_pending) {
            None | Some(Err(LearnError::Locked { .. })) => LearnUpdate::default(),
            Some(answer) => self.ask(|_| answer),
        }
    }

    fn ask(
        &mut self,
        question: impl FnOnce(&mut LearnFile) -> Result<LearnUpdate, LearnError>,
    ) -> LearnUpdate {
        let answer = self.file.as_mut().map(question);
        match answer.unwrap_or_else(|| Ok(LearnUpdate::default())) {
            Ok(update) => {
                self.last_error = None;
                update
            }
            Err(error) => {
                let error = format!("error LearnFile: {error}");
                if self.last_error.as_ref() != Some(&error) {
                    self.remarks.push(error.clone());
                }
                self.last_error = Some(error);
                LearnUpdate::default()
            }
        }
    }

    /// New remarks.
    pub fn remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }
}
