//! An engine that answers at once until it finds itself kept on one processor. Then it starts a thread and a process, and
//! thinks, or goes on answering. It tells its standard error on how many processors each of them may run: when they have
//! been started, after the thought, and two thousand answers later.

use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity};
use std::process::{Child, Command};
use std::time::Duration;
use std::{fs, io, thread};

/// How long it thinks.
const THOUGHT: Duration = Duration::from_millis(100);
/// How often it looks at its processors while it answers at once, in answers.
const LOOK: u32 = 32;
/// Answers after which it tells a last time.
const LATER: u32 = 2000;

/// How far it has come.
pub struct Awakening {
    thoughtful: bool,
    child: Option<Child>,
    /// Answers since the last change.
    answers: u32,
}

impl Awakening {
    /// Thoughtful, or not.
    pub fn new(thoughtful: bool) -> Awakening {
        Awakening { thoughtful, child: None, answers: 0 }
    }

    /// Before an answer; the command is a process that lasts.
    pub fn look(&mut self, lasting: impl FnOnce() -> Command) -> io::Result<()> {
        self.answers += 1;
        if self.child.is_none() && self.answers.is_multiple_of(LOOK) && processors(None) == 1 {
            thread::spawn(|| thread::sleep(Duration::from_secs(3600)));
            self.child = Some(lasting().spawn()?);
            self.tell("kept")?;
            if self.thoughtful {
                thread::sleep(THOUGHT);
                self.tell("thought")?;
            }
            self.answers = 0;
        } else if self.child.is_some() && self.answers == LATER {
            self.tell("later")?;
        }
        Ok(())
    }

    /// A line with the number of processors of each thread, and of the child.
    fn tell(&self, when: &str) -> io::Result<()> {
        let tasks = fs::read_dir("/proc/self/task")?.flatten();
        let own = tasks.filter_map(|task| task.file_name().to_str()?.parse().ok());
        let child = self.child.as_ref().map(|child| child.id().cast_signed());
        let counts: String =
            own.chain(child).map(|thread| format!(" {}", processors(Pid::from_raw(thread)))).collect();
        io::Write::write_all(&mut io::stderr(), format!("{when}{counts}\n").as_bytes())
    }
}

fn processors(thread: Option<Pid>) -> usize {
    let allowed = sched_getaffinity(thread).unwrap_or_default();
    (0..CpuSet::MAX_CPU).filter(|&processor| allowed.is_set(processor)).count()
}
