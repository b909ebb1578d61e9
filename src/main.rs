//! The engine: `kroo [FLAGS] [COMMAND]`. Without a command it talks over standard input and output.

use kroo::arguments::{self, ArgumentError};
use kroo::session::Session;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = match arguments::read(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(ArgumentError::Usage(usage)) => usage.exit(),
        Err(error) => return failed(2, &error),
    };
    if let Some(tool) = arguments.tool {
        return tool.run().map_or_else(|error| failed(1, &*error), |()| ExitCode::SUCCESS);
    }
    let session = match Session::new(BufWriter::new(io::stdout()), arguments.settings) {
        Ok(session) => session,
        Err(error) => return failed(1, &error),
    };
    let result = match arguments.command {
        Some(command) => session.run_one(&command),
        None => session.run(io::stdin()),
    };
    result.map_or_else(|error| failed(1, &error), |()| ExitCode::SUCCESS)
}

/// Says on standard error what went wrong.
fn failed(status: u8, error: &dyn std::error::Error) -> ExitCode {
    // If even that cannot be written, the exit status has to do.
    let _ = writeln!(io::stderr(), "kroo: {error}");
    ExitCode::from(status)
}
