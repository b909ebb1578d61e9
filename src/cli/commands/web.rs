//! The command line of `kroo web`.

use super::flags::{flags, with_flags};
use super::output::{say, usage_error};
use crate::web::{EngineCommand, WebOptions, run};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use kroo_core::files::user_data_folder;
use std::error::Error;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

pub(super) const NAME: &str = "web";

const PORT: &str = "8017";

/// Options that the page sets itself for each game, player or search: a flag would have another effect or none.
const CHOSEN_ON_THE_PAGE: [&str; 12] = [
    "variant",
    "seeds-a-pit",
    "emptycapture",
    "remainingseeds",
    "movelimit",
    "player",
    "level",
    "limitstrength",
    "elo",
    "multipv",
    "ponder",
    "showwdl",
];

pub(super) fn usage() -> Command {
    with_flags(Command::new(NAME), |flag| !CHOSEN_ON_THE_PAGE.contains(&flag))
        .about("Play and analyse in the browser")
        .arg(
            Arg::new("port")
                .long("port")
                .value_name("N")
                .default_value(PORT)
                .value_parser(value_parser!(u16))
                .help("Port of the page, which keeps its token; 0: any free one"),
        )
        .arg(Arg::new("open").long("open").action(ArgAction::SetTrue).help("Open the page in the browser"))
        .arg(
            Arg::new("listen")
                .long("listen")
                .value_name("ADDRESS")
                .value_parser(value_parser!(IpAddr))
                .help("Address to listen on [default: 127.0.0.1, for this machine only]"),
        )
        .arg(
            Arg::new("engine")
                .long("engine")
                .value_name("KEY=VALUE")
                .num_args(1..)
                .action(ArgAction::Append)
                .help(
                    "A further engine: cmd=FILE [name=NAME] [args=\"A B\"] [dir=FOLDER] [option.NAME=VALUE]",
                ),
        )
        .after_help(
            "Examples:\n  kroo web --open\n  kroo web --threads 4 --endgamepath endgames\n  \
             kroo web --engine name=old cmd=old/kroo --engine name=mine cmd=./mine args=\"--fast yes\"\n  \
             kroo web --listen 0.0.0.0\n\n\
             The options of the protocol are those of Kroo; games and players are chosen on the page. Each start prints an address with a token: open the whole address once. \
             With --port the token stays the same at each start, and a bookmark of the page works. Ctrl-C ends the server and its engines.",
        )
}

/// Reads the arguments of `kroo web`. Protocol options become those of the engine.
pub(super) fn read(matches: &ArgMatches) -> Result<WebOptions, clap::Error> {
    let program = std::env::current_exe().map_err(|error| usage_error(&format!("--engine: {error}")))?;
    let options = flags().filter_map(|spec| {
        let value = matches.try_get_one::<String>(&spec.flag()).ok().flatten()?;
        Some((spec.name.to_owned(), value.clone()))
    });
    let kroo = EngineCommand {
        name: "Kroo".to_owned(),
        program,
        arguments: Vec::new(),
        folder: None,
        options: options.collect(),
    };
    let mut engines = vec![kroo];
    for words in matches.get_occurrences::<String>("engine").into_iter().flatten() {
        let engine = engine(words).map_err(|error| usage_error(&format!("--engine: {error}")))?;
        if engines.iter().any(|other| other.name == engine.name) {
            return Err(usage_error(&format!("--engine: two engines are called `{}`", engine.name)));
        }
        engines.push(engine);
    }
    let port: u16 = *matches.get_one("port").expect("it has a default");
    let is_chosen = port != 0 && matches.value_source("port") == Some(ValueSource::CommandLine);
    let token_file = user_data_folder().filter(|_| is_chosen);
    Ok(WebOptions {
        address: matches.get_one("listen").copied().unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        port,
        token_file: token_file.map(|folder| folder.join(format!("web-{port}.token"))),
        open: matches.get_flag("open"),
        engines,
    })
}

/// Reads the words after an `--engine`, in the referee's syntax.
pub fn engine<'a>(words: impl Iterator<Item = &'a String>) -> Result<EngineCommand, String> {
    let (mut name, mut program, mut arguments, mut folder) = (None, None, Vec::new(), None);
    let mut options = Vec::new();
    for word in words {
        let (key, value) = word.split_once('=').ok_or(format!("`{word}`: expected KEY=VALUE"))?;
        if value.is_empty() && !key.starts_with("option.") {
            return Err(format!("`{word}`: nothing follows the `=`"));
        }
        match key {
            "name" => name = Some(value.to_owned()),
            "cmd" => program = Some(PathBuf::from(value)),
            "args" => arguments = value.split_whitespace().map(str::to_owned).collect(),
            "dir" => folder = Some(PathBuf::from(value)),
            _ => match key.strip_prefix("option.") {
                Some(option) if !option.is_empty() => options.push((option.to_owned(), value.to_owned())),
                _ => return Err(format!("`{word}`: expected cmd=, name=, args=, dir= or option.NAME=")),
            },
        }
    }
    let program: PathBuf = program.ok_or("an engine needs cmd=FILE")?;
    let stem = program.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    Ok(EngineCommand { name: name.or(stem).unwrap_or_default(), program, arguments, folder, options })
}

pub(super) fn serve(options: &WebOptions) -> Result<(), Box<dyn Error>> {
    run(options, &mut |page, notice| {
        let notice = notice.map_or_else(String::new, |notice| format!("{notice}\n"));
        // If it cannot be printed, the user knows it from `--port`.
        let _ = say(&format!("Kroo is at {page}\n{notice}Ctrl-C ends it."));
    })?;
    Ok(())
}
