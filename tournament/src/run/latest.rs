//! A value that one thread shows to others.

use std::sync::{Mutex, PoisonError};

/// The latest value.
#[derive(Debug, Default)]
pub struct Latest<T>(Mutex<T>);

impl<T: Clone> Latest<T> {
    /// The latest value.
    pub fn get(&self) -> T {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces it.
    pub fn set(&self, value: T) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = value;
    }
}
