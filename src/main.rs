//! The engine: `kroo [FLAGS] [COMMAND]`. Without a command it talks over standard input and output.

use kroo::arguments::{self, ArgumentError, Task};
use kroo::session::Session;
use std::error::Error;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = match arguments::read(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(ArgumentError::Usage(usage)) => usage.exit(),
        Err(error) => return failed(2, &error),
    };
    let settings = arguments.settings;
    let session = || Session::new(BufWriter::new(io::stdout()), settings);
    let result: Result<(), Box<dyn Error>> = match arguments.task {
        Task::Converse => session().map_err(Into::into).and_then(|session| Ok(session.run(io::stdin())?)),
        Task::Command(command) => {
            session().map_err(Into::into).and_then(|session| Ok(session.run_one(&command)?))
        }
        Task::Tool(tool) => tool.run(),
    };
    result.map_or_else(|error| failed(1, error.as_ref()), |()| ExitCode::SUCCESS)
}

/// Says on standard error what went wrong.
fn failed(status: u8, error: &dyn Error) -> ExitCode {
    // If even that cannot be written, the exit status has to do.
    let _ = writeln!(io::stderr(), "kroo: {error}");
    ExitCode::from(status)
}
