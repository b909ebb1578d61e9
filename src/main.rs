//! The engine: `kroo [FLAGS] [COMMAND]`. Without a command it speaks its protocol on standard input and output.

use kroo::cli::arguments::{self, Action, ArgumentError};
use kroo::printable;
use kroo::session::{End, Session};
use kroo::stdio::{Patience, Stream};
use std::error::Error;
use std::io::{self, IsTerminal};
use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(unix)]
    kroo::descriptors::pass_none_on();
    let arguments = match arguments::read(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(ArgumentError::Help(text)) => {
            // A closed pipe is no error.
            let _ = printable::to_stdout(text.trim_end());
            return ExitCode::SUCCESS;
        }
        Err(ArgumentError::Usage(usage)) if !usage.use_stderr() => usage.exit(),
        Err(error) => return failed(2, &error),
    };
    let settings = arguments.settings;
    let session = || Session::new(Stream::Output.writer(), settings);
    let result: Result<ExitCode, Box<dyn Error>> = match arguments.action {
        Action::Converse => {
            greet();
            session().map_err(Into::into).and_then(|session| {
                end_output(match session.run(io::stdin())? {
                    End::ByQuit => Patience::Short,
                    End::OfInput => Patience::WhileRead,
                })?;
                Ok(ExitCode::SUCCESS)
            })
        }
        Action::Command(command) => session().map_err(Into::into).and_then(|session| {
            session.run_one(&command)?;
            end_output(Patience::Unlimited)?;
            Ok(ExitCode::SUCCESS)
        }),
        Action::Tool(tool) => tool.run(),
    };
    result.unwrap_or_else(|error| failed(1, error.as_ref()))
}

/// Waits for the reader of the output. One that has gone is no error.
fn end_output(patience: Patience) -> io::Result<()> {
    match Stream::Output.end(patience) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        ended => ended,
    }
}

/// Prints a hint if standard input and output are a terminal.
fn greet() {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        let _ = printable::to_stderr(
            "Kroo waits for commands of its protocol, such as `go movetime 1000`; `help` lists them, `quit` ends.\n\
             To play a game here, end it and type `kroo play`; `kroo --help` tells the rest.",
        );
    }
}

fn failed(status: u8, error: &dyn Error) -> ExitCode {
    // If this fails too, the exit status remains.
    let _ = printable::to_stderr(&format!("kroo: {error}"));
    ExitCode::from(status)
}
