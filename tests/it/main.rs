//! The tests of the engine: its rules against vectors and a slow model, its grammar, its search, its executable.

mod examples;
mod grammar;
#[expect(dead_code, reason = "the whole model stands here, whatever the tests of today ask of it")]
mod naive;
mod properties;
mod search;
mod setup;
mod tidiness;
mod transcripts;
mod vectors;
