//! The conversations of open pages, with their engines.

use super::engine::{EngineCommand, EngineProcess, Event, end_all};
use super::guard::secret;
use super::setting::Allowance;
use crate::protocol::{Info, Reply};
use std::collections::HashMap;
use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum pages, and maximum engines of a page. All tabs of a browser share one page, with up to four engines each.
const MAX_PAGES: usize = 16;
const MAX_ENGINES: usize = 32;
/// Maximum wait at exit for engines that are ending.
const PATIENCE: Duration = Duration::from_secs(2);
/// Maximum events queued for a slow page; beyond that its engines block.
const MAX_EVENTS: usize = 1024;

pub(super) struct Conversations {
    pages: Mutex<HashMap<String, Arc<Conversation>>>,
    /// Held by each conversation and each engine until it has ended.
    alive: Arc<()>,
    /// For all engines.
    memory: Arc<Allowance>,
}

pub(super) struct Conversation {
    events: SyncSender<Event>,
    engines: Mutex<Engines>,
    alive: Arc<()>,
    memory: Arc<Allowance>,
}

#[derive(Default)]
struct Engines {
    running: HashMap<u32, EngineProcess>,
    /// Numbers assigned.
    count: u32,
    /// Whether the page has gone. No engine may start then.
    ended: bool,
}

impl Conversations {
    /// None yet; their engines share this memory.
    pub fn new(memory: Allowance) -> Conversations {
        Conversations { pages: Mutex::default(), alive: Arc::default(), memory: Arc::new(memory) }
    }

    fn pages(&self) -> MutexGuard<'_, HashMap<String, Arc<Conversation>>> {
        // No code that can panic runs while the lock is held, so a poisoned lock is usable.
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a conversation; `None` if there are too many. Returns its name, and the receiver of its events.
    pub fn open(&self) -> Option<(String, Receiver<Event>)> {
        let mut pages = self.pages();
        if pages.len() >= MAX_PAGES {
            return None;
        }
        let (events, heard) = sync_channel(MAX_EVENTS);
        let name = secret();
        let (alive, memory) = (Arc::clone(&self.alive), Arc::clone(&self.memory));
        let page = Conversation { events, engines: Mutex::default(), alive, memory };
        pages.insert(name.clone(), Arc::new(page));
        Some((name, heard))
    }

    pub fn get(&self, name: &str) -> Option<Arc<Conversation>> {
        self.pages().get(name).cloned()
    }

    /// Ends a conversation and its engines.
    pub fn close(&self, name: &str) {
        let page = self.pages().remove(name);
        if let Some(page) = page {
            end_all(&mut page.take_engines());
        }
    }

    /// Ends all conversations, and waits for engines that are ending.
    pub fn close_all(&self) {
        let all: Vec<Arc<Conversation>> = self.pages().drain().map(|(_, page)| page).collect();
        end_all(&mut all.iter().flat_map(|page| page.take_engines()).collect::<Vec<_>>());
        drop(all);
        let deadline = Instant::now() + PATIENCE;
        while Arc::strong_count(&self.alive) > 1 && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Conversation {
    fn engines(&self) -> MutexGuard<'_, Engines> {
        self.engines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts an engine and returns its number; `None` if there are too many.
    pub fn start(&self, command: &EngineCommand) -> io::Result<Option<u32>> {
        let mut engines = self.engines();
        if engines.ended || engines.running.len() >= MAX_ENGINES {
            return Ok(None);
        }
        engines.count += 1;
        let number = engines.count;
        let engine = EngineProcess::start(
            command,
            number,
            self.events.clone(),
            Arc::clone(&self.alive),
            &self.memory,
        )?;
        engines.running.insert(number, engine);
        Ok(Some(number))
    }

    /// Sends an allowed line of the page to an engine; returns whether there was space for it. A refused line gets the answer of
    /// an engine to a wrong one.
    pub fn say(&self, number: u32, line: &str) -> bool {
        let engines = self.engines();
        let Some(engine) = engines.running.get(&number) else { return false };
        match engine.admit(line) {
            Ok(line) => line.is_none_or(|line| engine.say(&line)),
            Err(problem) => {
                let problem = Info::text(&format!("error {problem}"));
                self.events.try_send(Event::Line(number, Reply::Info(problem).to_string())).is_ok()
            }
        }
    }

    /// Ends an engine; returns whether there was one.
    pub fn stop(&self, number: u32) -> bool {
        let engine = self.engines().running.remove(&number);
        engine.is_some()
    }

    /// Its engines, which are to be ended. No other one starts.
    fn take_engines(&self) -> Vec<EngineProcess> {
        let mut engines = self.engines();
        engines.ended = true;
        std::mem::take(&mut engines.running).into_values().collect()
    }
}
