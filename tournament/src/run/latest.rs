//! A value that one thread shows to others.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The latest value.
#[derive(Debug, Default)]
pub struct Latest<T> {
    value: Mutex<T>,
    is_read: AtomicBool,
}

impl<T: Clone> Latest<T> {
    /// The latest value.
    pub fn get(&self) -> T {
        self.is_read.store(true, Ordering::Relaxed);
        self.value.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether it was ever asked for.
    pub fn is_read(&self) -> bool {
        self.is_read.load(Ordering::Relaxed)
    }

    /// Replaces it.
    pub fn set(&self, value: T) {
        *self.value.lock().unwrap_or_else(PoisonError::into_inner) = value;
    }
}
