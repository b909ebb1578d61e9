//! Which engines these are, by what they call themselves: a program may be the same and the engine another one, as with a
//! script, or a file of weights.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The `id name` of each engine, by its place in the list, if it is known.
#[derive(Debug)]
pub struct Identities(Mutex<Vec<Option<String>>>);

impl Identities {
    /// No engine is known yet.
    pub fn new(engines: usize) -> Identities {
        Identities(Mutex::new(vec![None; engines]))
    }

    /// Notes a name from the journal. The latest one counts.
    pub fn learn(&self, engine: usize, name: &str) {
        self.names()[engine] = Some(name.to_owned());
    }

    /// An engine has been set up. Says what is wrong if it called itself something else before; an engine without a
    /// name says nothing of itself.
    pub fn meet(&self, engine: usize, name: Option<&str>) -> Option<String> {
        let (name, known) = (name?, &mut self.names()[engine]);
        match known {
            Some(before) if before != name => Some(format!(
                "it calls itself `{name}`, but `{before}` has played under its name before: it is another engine"
            )),
            _ => {
                *known = Some(name.to_owned());
                None
            }
        }
    }

    fn names(&self) -> MutexGuard<'_, Vec<Option<String>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
