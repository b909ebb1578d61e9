//! A test, from two commits to its rows.

use super::bench::{Bench, RunBench, signature};
use super::build::{Builder, Built};
use super::error::{MatchError, TestError};
use super::git::{Repository, Revision};
use super::history::{History, last_folder, new_folder};
use super::options::{MatchSide, TestOptions};
use super::record::{PlayedMatch, SideRecord, TestRecord, TestSubject, Verdict};
use super::row;
use crate::arguments::{FileArguments, MatchArguments, MatchOptions, OpeningArguments};
use crate::exit;
use crate::output::OutputFiles;
use kroo::game::Variant;
use kroo::printable;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The advice if both sides are the same.
const NOTHING: &str = "there is nothing to test; --head and --base can give each its own options";

/// Plays a match; its lines go to a file.
pub type PlayMatch<'a> = dyn FnMut(MatchArguments, &Path) -> Result<PlayedMatch, MatchError> + 'a;

/// A test that is ready to be played.
struct Test<'a> {
    options: &'a TestOptions,
    repository: &'a Repository,
    build: &'a str,
    folder: &'a Path,
    sides: [SideRecord; 2],
    programs: [PathBuf; 2],
    history: History,
    /// Whether a row was printed.
    printed: bool,
}

/// Tests a change, and returns the exit status. `stop` is asked often.
///
/// # Errors
/// Why there is no test, or not the whole of it.
pub fn run_test(
    options: &TestOptions,
    stop: &dyn Fn() -> bool,
    bench: &mut RunBench<'_>,
    play: &mut PlayMatch<'_>,
) -> Result<u8, TestError> {
    let repository = Repository::of(&options.repo)?;
    let sides = repository.sides(&options.range)?;
    let different = options.base != options.head;
    let (build, cache, folder) = (options.build_command()?, options.cache_folder()?, options.history.path()?);
    let [base, head] = &sides;
    if base.commit == head.commit && !different {
        return Err(TestError::new(format!("{} on both sides: {NOTHING}", base.short)));
    }
    let builder = Builder {
        repository: &repository,
        command: &build,
        program: &options.program,
        cache: &cache,
        sandbox: options.sandbox(),
    };
    let built = [builder.build(base, stop, &say)?, builder.build(head, stop, &say)?];
    if built[0].content == built[1].content && !different {
        let (base, head) = (&base.short, &head.short);
        return Err(TestError::new(format!(
            "{base} and {head} build the same program, byte for byte: {NOTHING}"
        )));
    }
    let mut test = Test {
        options,
        repository: &repository,
        build: &build,
        folder: &folder,
        sides: records(options, &sides, &built, stop, bench)?,
        programs: built.map(|built| built.program),
        history: History::in_folder(&folder),
        printed: false,
    };
    let mut status = 0;
    for variant in options.variants() {
        match test.play(variant, play)? {
            0 => {}
            exit::REJECTED => status = exit::REJECTED,
            exit::INCONCLUSIVE if status == exit::REJECTED => {}
            exit::INCONCLUSIVE => status = exit::INCONCLUSIVE,
            other => return Ok(other),
        }
    }
    Ok(status)
}

/// Tells what goes on.
fn say(text: &str) {
    // If standard error is closed the text is lost.
    let _ = writeln!(io::stderr(), "{}", printable::lines(text));
}

/// The records of the two sides, with their signatures.
fn records(
    options: &TestOptions,
    sides: &[Revision; 2],
    built: &[Built; 2],
    stop: &dyn Fn() -> bool,
    run: &mut RunBench<'_>,
) -> Result<[SideRecord; 2], TestError> {
    let side = |which: usize| MatchSide { program: &built[which].program, name: ["base", "head"][which] };
    let variant = options.variants().first().copied().unwrap_or(Variant::ALL[0]);
    let (openings, files) = (options.openings(), FileArguments::default());
    let arguments = options.match_arguments(variant, [side(0), side(1)], openings, files);
    let mut record = |which: usize| {
        let (side, built) = (&sides[which], &built[which]);
        // The head is the first engine of the match.
        let mut bench = Bench { arguments: &arguments, place: 1 - which, run: &mut *run, stop };
        let bench = options.bench.then(|| signature(side, built, &mut bench)).transpose()?;
        Ok::<_, TestError>(SideRecord {
            revision: side.revision.clone(),
            commit: side.commit.clone(),
            short: side.short.clone(),
            subject: side.subject().to_owned(),
            tree: side.tree.clone(),
            content: built.content.clone(),
            bench,
            words: options.words()[which].clone(),
        })
    };
    let records = [record(0)?, record(1)?];
    if let [Some(base), Some(head)] = [records[0].bench, records[1].bench] {
        say(&format!("Bench: {base} nodes at {}, {head} at {}", sides[0].short, sides[1].short));
        if base == head && options.base == options.head {
            say(
                "warning: the search visits the same nodes, so only its speed may differ. Limits by nodes do not show that: test by \
                 time, as with --each tc=8+0.08, and whether it does harm, with --sprt elo0=-5 elo1=0",
            );
        }
    }
    Ok(records)
}

impl Test<'_> {
    /// Plays the match of a rule set, prints its row, and returns its exit status.
    fn play(&mut self, variant: Variant, play: &mut PlayMatch<'_>) -> Result<u8, TestError> {
        let openings = self.openings()?;
        let options = self.arguments(variant, openings.clone(), FileArguments::default()).options()?;
        let key = self.key(&options)?;
        let (last, tests) = (last_folder(self.folder, &key), self.history.read()?);
        let ended = |id: &str| tests.get(id).filter(|record| record.verdict != Verdict::Interrupted);
        let (id, folder, resumed) = match last {
            Some((id, folder)) if self.options.resume => match ended(&id) {
                Some(record) => {
                    say(&format!("{variant} has ended before"));
                    self.print(record)?;
                    return Ok(record.verdict.exit_status());
                }
                None => (id, folder, true),
            },
            last => {
                if let Some((id, _)) = last.filter(|(id, _)| ended(id).is_none()) {
                    say(&format!(
                        "warning: {id} is the same test, and was interrupted: --resume continues it"
                    ));
                }
                let (id, folder) = new_folder(self.folder, &key)?;
                (id, folder, false)
            }
        };
        let log = folder.join("match.log");
        let about = self.about(id);
        let arguments = self.arguments(variant, openings, files(&folder, resumed));
        say(&format!("Playing {variant}; how it goes: tail -f {}", log.display()));
        let played = play(arguments, &log).map_err(|error| TestError::new(format!("{error:#}")))?;
        let record = TestRecord::new(about, &played, now());
        self.history.append(&record)?;
        self.print(&record)?;
        if record.verdict == Verdict::Interrupted {
            say("Interrupted: the same command with --resume continues");
        }
        Ok(played.status)
    }

    /// The openings of the match. Without another random seed it is made from the two programs.
    fn openings(&self) -> Result<OpeningArguments, TestError> {
        let mut openings = self.options.openings();
        if openings.seed.is_none() {
            let programs = self.sides.each_ref().map(|side| side.content.as_str()).concat();
            let digits = self.repository.hash_text(&programs)?;
            let seed = digits.get(..8).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or(1);
            openings.seed = Some(seed);
        }
        Ok(openings)
    }

    /// A name that only the same test has again.
    fn key(&self, options: &MatchOptions) -> Result<String, TestError> {
        let programs =
            self.sides.each_ref().map(|side| format!("{}\n{:?}\n", side.content, side.words)).concat();
        let (plan, openings) = (options.plan.identity(), options.openings.digest());
        let key = self.repository.hash_text(&format!("{programs}{plan}\n{openings}"))?;
        Ok(key.get(..12).unwrap_or(&key).to_owned())
    }

    /// The match.
    fn arguments(
        &self,
        variant: Variant,
        openings: OpeningArguments,
        files: FileArguments,
    ) -> MatchArguments {
        let [base, head] = &self.sides;
        let names = if base.short == head.short {
            [format!("{} base", base.short), format!("{} head", head.short)]
        } else {
            [base.short.clone(), head.short.clone()]
        };
        let side = |which: usize| MatchSide { program: &self.programs[which], name: &names[which] };
        self.options.match_arguments(variant, [side(0), side(1)], openings, files)
    }

    fn about(&self, id: String) -> TestSubject {
        let [base, head] = self.sides.clone();
        let words = |side: &SideRecord| side.words.join(" ");
        let name = self.options.name.clone().unwrap_or_else(|| match words(&head) {
            words if words.is_empty() => head.subject.clone(),
            words => format!("{} ({words})", head.subject),
        });
        let repository = self.repository.root().file_name().unwrap_or_default();
        TestSubject {
            id,
            name,
            repository: repository.to_string_lossy().into_owned(),
            build: self.build.to_owned(),
            base,
            head,
        }
    }

    /// Prints a row, the first one below the header of the table.
    fn print(&mut self, record: &TestRecord) -> Result<(), TestError> {
        let json = self.options.json;
        let head = if self.printed { String::new() } else { row::head(json) };
        self.printed = true;
        let mut output = io::stdout().lock();
        let printed = write!(output, "{head}{}", row::row(record, json)).and_then(|()| output.flush());
        printed.map_err(TestError::at("standard output"))
    }
}

/// The files of a match, in its folder.
fn files(folder: &Path, resume: bool) -> FileArguments {
    let file = |name| Some(folder.join(name));
    let outputs =
        OutputFiles { games_out: file("games.ogn"), json: file("match.json"), html: file("report.html") };
    FileArguments { outputs, journal: file("journal"), resume }
}

/// Seconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}
