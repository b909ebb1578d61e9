//! The executable `referee`.

use std::process::ExitCode;

fn main() -> ExitCode {
    kroo_referee::main()
}
