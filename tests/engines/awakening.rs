//! An engine that answers at once until it finds itself kept on one processor. Then it starts a thread and a process, and
//! thinks, or goes on answering. It tells its standard error on how many processors each of them may run: when they have
//! been started, after the thought, and later: as soon as none of them is kept any more, or at the end.

use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity};
use std::process::{Child, Command};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

/// How long it thinks at least; and at most, if it is kept all the time.
const THOUGHT: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(5)];
/// How often it looks at its processors while it answers at once, in answers.
const LOOK: u32 = 32;

/// How far it has come.
pub struct Awakening {
    thoughtful: bool,
    child: Option<Child>,
    answers: u32,
    /// It has told for the last time.
    silent: bool,
}

impl Awakening {
    /// Thoughtful, or not.
    pub fn new(thoughtful: bool) -> Awakening {
        Awakening { thoughtful, child: None, answers: 0, silent: false }
    }

    /// Before an answer; the command is a process that lasts.
    pub fn look(&mut self, lasting: impl FnOnce() -> Command) -> io::Result<()> {
        self.answers += 1;
        if !self.answers.is_multiple_of(LOOK) {
            return Ok(());
        }
        if self.child.is_some() {
            return if self.is_free()? { self.tell_last() } else { Ok(()) };
        }
        if processors(None) == 1 {
            thread::spawn(|| thread::sleep(Duration::from_secs(3600)));
            self.child = Some(lasting().spawn()?);
            self.tell("kept")?;
            if self.thoughtful {
                let start = Instant::now();
                while start.elapsed() < THOUGHT[0] || !self.is_free()? && start.elapsed() < THOUGHT[1] {
                    thread::sleep(Duration::from_millis(10));
                }
                self.tell("thought")?;
            }
        }
        Ok(())
    }

    /// Sends the last message if one is still to be sent.
    pub fn tell_last(&mut self) -> io::Result<()> {
        if self.child.is_none() || std::mem::replace(&mut self.silent, true) {
            return Ok(());
        }
        self.tell("later")
    }

    fn is_free(&self) -> io::Result<bool> {
        Ok(self.counts()?.iter().all(|&count| count > 1))
    }

    /// A line with the number of processors of each thread, and of the child.
    fn tell(&self, when: &str) -> io::Result<()> {
        let counts: String = self.counts()?.iter().map(|count| format!(" {count}")).collect();
        io::Write::write_all(&mut io::stderr(), format!("{when}{counts}\n").as_bytes())
    }

    fn counts(&self) -> io::Result<Vec<usize>> {
        let tasks = fs::read_dir("/proc/self/task")?.flatten();
        let own = tasks.filter_map(|task| task.file_name().to_str()?.parse().ok());
        let child = self.child.as_ref().map(|child| child.id().cast_signed());
        Ok(own.chain(child).map(|thread| processors(Pid::from_raw(thread))).collect())
    }
}

fn processors(thread: Option<Pid>) -> usize {
    let allowed = sched_getaffinity(thread).unwrap_or_default();
    (0..CpuSet::MAX_CPU).filter(|&processor| allowed.is_set(processor)).count()
}
