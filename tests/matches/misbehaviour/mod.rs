//! Engines that do what engines should not, and what the referee records of them.

mod broken;
mod floods;
mod identities;
mod last_words;
mod reasons;
mod said;
