//! `packaging DIR`: writes the man pages and the shell completions of all programs into a folder laid out like
//! `/usr/share`, from the definitions of their arguments. So `packaging ~/.local/share` installs them for one person.
//!
//! This is a package of its own, outside the default members: the programs compile without what writes pages.

use anyhow::Context;
use clap::Command;
use clap_complete::Shell;
use std::fs;
use std::path::{Path, PathBuf};

/// Where each shell looks for completions.
const COMPLETIONS: [(Shell, &str); 4] = [
    (Shell::Bash, "bash-completion/completions"),
    (Shell::Zsh, "zsh/site-functions"),
    (Shell::Fish, "fish/vendor_completions.d"),
    // It looks nowhere: a profile has to load the file.
    (Shell::PowerShell, "powershell"),
];
/// Where `man` looks for pages of programs.
const PAGES: &str = "man/man1";

fn main() -> anyhow::Result<()> {
    let arguments = Command::new("packaging")
        .about("Write man pages and shell completions into a folder laid out like /usr/share")
        .arg(
            clap::arg!(<DIR> "The folder, such as ~/.local/share").value_parser(clap::value_parser!(PathBuf)),
        )
        .get_matches();
    let folder: &PathBuf = arguments.get_one("DIR").context("no folder")?;
    for program in programs() {
        let name = program.get_name().to_owned();
        write(folder, program).with_context(|| format!("nothing is written for {name}"))?;
    }
    Ok(())
}

/// The grammars of the programs that there are on this system.
fn programs() -> Vec<Command> {
    vec![
        kroo::arguments::program(),
        #[cfg(target_os = "linux")]
        kroo_referee::arguments::command(),
        #[cfg(target_os = "linux")]
        kroo_evolution::arguments::command(),
    ]
}

/// Writes the pages and the completions of a program.
fn write(folder: &Path, mut program: Command) -> anyhow::Result<()> {
    let name = program.get_name().to_owned();
    for (shell, place) in COMPLETIONS {
        let place = folder.join(place);
        fs::create_dir_all(&place).with_context(|| place.display().to_string())?;
        let written = clap_complete::generate_to(shell, &mut program, &name, &place)?;
        if shell == Shell::Bash {
            // The shell looks for a file with the name of the program.
            fs::rename(written, place.join(&name))?;
        }
    }
    let place = folder.join(PAGES);
    fs::create_dir_all(&place).with_context(|| place.display().to_string())?;
    Ok(clap_mangen::generate_to(program, place)?)
}
