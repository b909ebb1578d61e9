//! Checks a certificate: `cargo bench -p bench --bench certificate -- --files DIR FILE`.
//!
//! `kroo solve --certificate` writes one. Its records are checked by the slow rules of the tests, without a search; the values of
//! the endgame files in DIR are taken as they are, and `kroo endgame verify` checks those.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use clap::Parser;
use kroo::endgames::{Endgames, Indexing};
use kroo::game::{Ayoayo, Board, ROW, Row};
use std::path::PathBuf;
use std::time::Instant;
use std::{fs, process};
use support::certificate::Certificate;

#[derive(Debug, Parser)]
#[command(bin_name = "cargo bench -p bench --bench certificate --")]
struct Check {
    /// Folder of the endgame files
    #[arg(long)]
    files: PathBuf,
    /// The certificate
    file: PathBuf,
}

fn main() {
    bench::go_to_the_user();
    // Cargo adds its own argument at the end.
    let arguments: Vec<String> = std::env::args().filter(|argument| argument != "--bench").collect();
    if arguments.len() == 1 {
        println!("nothing to check: see `-- --help`");
        return;
    }
    if let Err(why) = Check::parse_from(arguments).run() {
        eprintln!("{why}");
        process::exit(1);
    }
}

impl Check {
    fn run(&self) -> Result<(), String> {
        let bytes = fs::read(&self.file).map_err(|error| error.to_string())?;
        let certificate = Certificate::from_bytes(&bytes).map_err(|flaw| flaw.to_string())?;
        let endgames = self.endgames(certificate.endgame_seeds)?;
        let began = Instant::now();
        let gain_of = |pits: [u8; 12]| {
            let [mover, other] =
                [0, ROW].map(|first| Row::new(std::array::from_fn(|pit| pits[first + pit]), 0));
            let board = Board { mover, other };
            let database = endgames.database::<Ayoayo>(board.seeds()).expect("it was opened");
            database.gain(Indexing::get().rank(board), board.seeds())
        };
        certificate.check(gain_of).map_err(|flaw| flaw.to_string())?;
        let Certificate { start, value, records, .. } = &certificate;
        let (count, seconds) = (records.len(), began.elapsed().as_secs_f64());
        println!("{start:?}: the side to move gains {value}. All {count} records hold ({seconds:.1} s)");
        Ok(())
    }

    /// The endgames of the folder, up to a number of seeds.
    fn endgames(&self, seeds: u8) -> Result<Endgames, String> {
        let endgames = Endgames::new();
        let found =
            endgames.open_by_headers::<Ayoayo>(&self.files, seeds).map_err(|error| error.to_string())?;
        if found != Some(seeds) {
            return Err(format!("{} has no files of ayoayo up to {seeds} seeds", self.files.display()));
        }
        Ok(endgames)
    }
}
