//! The last target of `cargo test`: lists the tests skipped because a tool is not installed.

#![expect(clippy::print_stdout, reason = "the list is its output")]

use std::process::ExitCode;
use support::tools;

fn main() -> ExitCode {
    let (required, unknown) = tools::required();
    if !unknown.is_empty() {
        let names: Vec<&str> = tools::TOOLS.iter().map(|tool| tool.name).collect();
        println!("KROO_REQUIRE: no tool is called {}; {} or all", unknown.join(", "), names.join(", "));
        return ExitCode::FAILURE;
    }
    let missing: Vec<_> = tools::TOOLS.iter().filter(|tool| !tool.is_here()).collect();
    for tool in &missing {
        println!("NOT TESTED: {}. It needs {} ({}).", tool.tested, tool.name, tool.from);
    }
    match missing.iter().any(|tool| required.iter().any(|required| required.name == tool.name)) {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    }
}
