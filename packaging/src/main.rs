//! `packaging DIR [PROGRAM…]` generates man pages and shell completions of the programs (default: all) in a folder laid out
//! like `/usr/share`. So `packaging ~/.local/share` installs them for one user.
//!
//! It depends on `kroo`, and on Linux on `kroo-referee` and `kroo-evolution`, for the definitions of their arguments. It is a
//! separate package, outside the default members: the programs compile without its dependencies.

use anyhow::Context;
use clap::Command;
use clap_complete::Shell;
use std::fs;
use std::path::{Path, PathBuf};

/// The folder for completions of each shell.
const COMPLETIONS: [(Shell, &str); 4] = [
    (Shell::Bash, "bash-completion/completions"),
    (Shell::Zsh, "zsh/site-functions"),
    (Shell::Fish, "fish/vendor_completions.d"),
    // It has none: a profile must load the file.
    (Shell::PowerShell, "powershell"),
];
/// The first line of the zsh completions that parses the program's words, and its correction: a word after a subcommand is not
/// an option of the program, even if the program has one of that name.
const OPTIONS: &str = "_arguments \"${_arguments_options[@]}\" :";
const OPTIONS_BEFORE_COMMAND: &str = "_arguments \"${_arguments_options[@]}\" -A \"-*\" :";
/// The folder for man pages of programs.
const PAGES: &str = "man/man1";

fn main() -> anyhow::Result<()> {
    let arguments = Command::new("packaging")
        .about("Write man pages and shell completions into a folder laid out like /usr/share")
        .arg(
            clap::arg!(<DIR> "The folder, such as ~/.local/share").value_parser(clap::value_parser!(PathBuf)),
        )
        .arg(clap::arg!([PROGRAM] ... "The programs: kroo, referee or evolve [default: all]"))
        .get_matches();
    let folder: &PathBuf = arguments.get_one("DIR").context("no folder")?;
    let wanted: Vec<&String> = arguments.get_many("PROGRAM").into_iter().flatten().collect();
    let known: Vec<Command> = programs();
    if let Some(name) = wanted.iter().find(|name| known.iter().all(|program| program.get_name() != **name)) {
        anyhow::bail!("there is no program {name} on this system");
    }
    for program in known {
        let name = program.get_name().to_owned();
        if !wanted.is_empty() && !wanted.contains(&&name) {
            continue;
        }
        write(folder, program).with_context(|| format!("cannot write the files of {name}"))?;
    }
    Ok(())
}

/// The arguments of the programs that exist on this system.
fn programs() -> Vec<Command> {
    vec![
        kroo::cli::arguments::program(),
        #[cfg(target_os = "linux")]
        kroo_referee::command(),
        #[cfg(target_os = "linux")]
        kroo_evolution::arguments::command(),
    ]
}

/// Writes the pages and the completions of a program.
fn write(folder: &Path, program: Command) -> anyhow::Result<()> {
    let name = program.get_name().to_owned();
    let mut completed = without_hidden_words(&program);
    for (shell, place) in COMPLETIONS {
        let place = folder.join(place);
        fs::create_dir_all(&place).with_context(|| place.display().to_string())?;
        let written = clap_complete::generate_to(shell, &mut completed, &name, &place)?;
        if shell == Shell::Zsh {
            let text = fs::read_to_string(&written)?;
            fs::write(&written, text.replacen(OPTIONS, OPTIONS_BEFORE_COMMAND, 1))?;
        }
        if shell == Shell::Bash {
            // The shell looks for a file named after the program.
            fs::rename(written, place.join(&name))?;
        }
    }
    let place = folder.join(PAGES);
    fs::create_dir_all(&place).with_context(|| place.display().to_string())?;
    Ok(clap_mangen::generate_to(with_all_help(program), place)?)
}

/// A page is the long help, but leaves out the text of each argument that the short help omits.
fn with_all_help(command: Command) -> Command {
    command.mut_args(|argument| argument.hide_short_help(false)).mut_subcommands(with_all_help)
}

/// Removes positional arguments hidden from the help. In zsh such an argument would match the subcommand, and nothing after the
/// subcommand would be completed.
fn without_hidden_words(program: &Command) -> Command {
    let shown =
        program.get_arguments().filter(|argument| !(argument.is_hide_set() && argument.is_positional()));
    let mut clean = Command::new(program.get_name().to_owned()).disable_help_subcommand(true);
    if let Some(version) = program.get_version() {
        clean = clean.version(version.to_owned());
    }
    if let Some(about) = program.get_about() {
        clean = clean.about(about.clone());
    }
    clean.args(shown.cloned()).subcommands(program.get_subcommands().cloned())
}
