//! Engines that do what engines should not, and what the referee records of them.

mod broken;
mod faults;
mod floods;
mod identities;
mod last_words;
mod said;
