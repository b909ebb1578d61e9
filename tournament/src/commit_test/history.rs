//! The history of tests: a file with a JSON object in each line, one for each test of a rule set. Lines are only appended, each by one
//! write under a lock, and synced to the disk. A line that a crash has cut off stays; the next one begins after it.

use super::error::TestError;
use super::options::HistoryOptions;
use super::page::{TITLE, table};
use super::record::{SCHEMA, TestRecord};
use super::row;
use crate::output::write_table;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The file in the history's folder.
const FILE: &str = "tests.jsonl";
/// The longest line of a history, in bytes.
const LONGEST: u64 = 1 << 20;

#[derive(Clone, Debug)]
pub(super) struct History {
    path: PathBuf,
}

/// The tests of a history.
#[derive(Debug, Default)]
pub(super) struct Tests {
    /// The tests, the first one first. Of several lines about one, the last.
    pub records: Vec<TestRecord>,
    /// The numbers of lines that cannot be read, and why.
    pub unread: Vec<(usize, String)>,
}

impl History {
    pub fn in_folder(folder: &Path) -> History {
        History { path: folder.join(FILE) }
    }

    /// Adds a test.
    pub fn append(&self, record: &TestRecord) -> Result<(), TestError> {
        let append = || {
            let mut file = File::options().create(true).read(true).append(true).open(&self.path)?;
            // Other tests hold it for the time of one write.
            file.lock()?;
            let mut line = Vec::new();
            let length = file.metadata()?.len();
            if length > 0 {
                file.seek(SeekFrom::Start(length - 1))?;
                let mut last = [0];
                file.read_exact(&mut last)?;
                if last != *b"\n" {
                    line.push(b'\n');
                }
            }
            serde_json::to_writer(&mut line, record)?;
            line.push(b'\n');
            file.write_all(&line).inspect_err(|_| _ = file.set_len(length))?;
            file.sync_data()
        };
        append().map_err(TestError::file(&self.path))
    }

    /// Reads all tests. Without a file there are none.
    pub fn read(&self) -> Result<Tests, TestError> {
        let file = match File::open(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Tests::default()),
            file => file.map_err(TestError::file(&self.path))?,
        };
        let (mut input, mut tests, mut number) = (BufReader::new(file), Tests::default(), 0);
        loop {
            let mut line = Vec::new();
            let read = (&mut input).take(LONGEST).read_until(b'\n', &mut line);
            if read.map_err(TestError::file(&self.path))? == 0 {
                return Ok(tests);
            }
            if line.last() == Some(&b'\n') || (line.len() as u64) < LONGEST {
                number += 1;
            }
            tests.take(number, &line);
        }
    }
}

impl Tests {
    fn take(&mut self, number: usize, line: &[u8]) {
        let line = line.trim_ascii();
        if line.is_empty() {
            return;
        }
        match parse(line) {
            Ok(record) => {
                self.records.retain(|other| other.subject.id != record.subject.id);
                self.records.push(record);
            }
            Err(why) => self.unread.push((number, why)),
        }
    }

    /// The test with a name.
    pub fn get(&self, id: &str) -> Option<&TestRecord> {
        self.records.iter().find(|record| record.subject.id == id)
    }
}

/// Prints the history, or writes its page.
///
/// # Errors
/// If it cannot be read or written.
pub fn show_history(options: &HistoryOptions) -> Result<(), TestError> {
    let folder = options.history.path()?;
    let history = History::in_folder(&folder);
    let tests = history.read()?;
    for (line, why) in &tests.unread {
        // If standard error is closed, the warning is lost.
        let place = history.path.display();
        let _ = writeln!(io::stderr(), "referee: warning: {place}:{line} is left out: {why}");
    }
    if let Some(path) = &options.html {
        return Ok(write_table(path, TITLE, &table(&tests.records, &folder, path))?);
    }
    let rows = tests.records.iter().map(|record| row::row(record, options.json));
    let text = row::head(options.json) + &rows.collect::<String>();
    io::stdout().lock().write_all(text.as_bytes()).map_err(TestError::at("standard output"))
}

/// Reads a line.
fn parse(line: &[u8]) -> Result<TestRecord, String> {
    #[derive(serde::Deserialize)]
    struct Version {
        schema: u32,
    }
    let Version { schema } = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    if schema != SCHEMA {
        return Err(format!("it has version {schema}, and this referee reads version {SCHEMA}"));
    }
    let record: TestRecord = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    // It names a folder.
    let id = &record.subject.id;
    let plain = !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    if plain { Ok(record) } else { Err("its id is invalid".to_owned()) }
}

/// The folder of a test in that of the history, made anew.
pub(super) fn new_folder(history: &Path, key: &str) -> Result<(String, PathBuf), TestError> {
    fs::create_dir_all(history).map_err(TestError::file(history))?;
    for number in 1u64.. {
        let id = format!("{key}-{number}");
        let folder = history.join(&id);
        match fs::create_dir(&folder) {
            Ok(()) => return Ok((id, folder)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(TestError::file(&folder)(error)),
        }
    }
    unreachable!("there are enough numbers")
}

/// The last folder of a test, if there is one.
pub(super) fn last_folder(history: &Path, key: &str) -> Option<(String, PathBuf)> {
    let folders = (1u64..).map(|number| (format!("{key}-{number}"), history.join(format!("{key}-{number}"))));
    folders.take_while(|(_, folder)| folder.is_dir()).last()
}
