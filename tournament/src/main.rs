//! The referee: arguments in, a match played, results out.

use kroo::{descriptors, printable};
use kroo_referee::cli::{self, exit};
use std::process::ExitCode;

fn main() -> ExitCode {
    descriptors::pass_none_on();
    match hide_password().and_then(|()| cli::run()) {
        Ok(code) => code,
        Err(error) => {
            // If standard error is closed the message is lost.
            let _ = printable::to_stderr(&format!("referee: {error:#}"));
            ExitCode::from(exit::FAILED)
        }
    }
}

/// Before anything else is started or read.
#[cfg(target_os = "linux")]
fn hide_password() -> anyhow::Result<()> {
    kroo_referee::queue::hide_password().map_err(anyhow::Error::msg)
}

#[cfg(not(target_os = "linux"))]
fn hide_password() -> anyhow::Result<()> {
    Ok(())
}
