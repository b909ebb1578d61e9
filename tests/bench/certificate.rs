//! Proves the value of an `ayoayo` position, and checks the proof: `cargo bench -p bench --bench certificate`.
//!
//! - `-- prove --files DIR --seeds 24 --guess 6 --out FILE`: proves what the side to move gains from the start, or after `--moves
//!   DAe`, and writes the certificate. `--position TEXT` names another position; `--hash BITS` gives the table 2^BITS entries of 32 bytes
//!   (default: 26). With `--each`, the value of each first move instead, without certificates.
//! - `-- check --files DIR FILE`: checks a certificate by the slow rules, without a search.
//!
//! The files come from `kroo endgame build --variant ayoayo`, and `kroo endgame verify` checks them.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use bench::prover::{Prover, board};
use clap::{Args, Parser};
use kroo::endgame::{Endgames, Indexing};
use kroo::game::{Ayoayo, Board, Pit, Position, Rules, Variant};
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{fs, process};
use support::certificate::Certificate;

/// Nodes between two lines of progress.
const REPORT: u64 = 10_000_000;

#[derive(Debug, Parser)]
#[command(bin_name = "cargo bench -p bench --bench certificate --")]
enum Command {
    /// Prove the value of a position
    Prove(Prove),
    /// Check a certificate
    Check(Check),
}

#[derive(Debug, Args)]
struct Prove {
    /// Folder of the endgame files
    #[arg(long)]
    files: PathBuf,
    /// Most seeds of the files to use
    #[arg(long, default_value_t = 24)]
    seeds: u8,
    /// Position, if not the start
    #[arg(long)]
    position: Option<String>,
    /// Moves from there
    #[arg(long, default_value = "")]
    moves: String,
    /// First guess of the gain
    #[arg(long, default_value_t = 0, allow_hyphen_values = true)]
    guess: i8,
    /// Size of the table: 2^BITS entries of 32 bytes
    #[arg(long, default_value_t = 26)]
    hash: u32,
    /// Each move's value instead of a certificate
    #[arg(long)]
    each: bool,
    /// File for the certificate
    #[arg(long, default_value = "ayoayo.certificate")]
    out: PathBuf,
}

#[derive(Debug, Args)]
struct Check {
    /// Folder of the endgame files
    #[arg(long)]
    files: PathBuf,
    /// The certificate
    file: PathBuf,
}

fn main() {
    // Cargo adds its own argument at the end.
    let arguments: Vec<String> = std::env::args().filter(|argument| argument != "--bench").collect();
    if arguments.len() == 1 {
        println!("nothing to prove: see `-- --help`");
        return;
    }
    let done = match Command::parse_from(arguments) {
        Command::Prove(prove) => prove.run(),
        Command::Check(check) => check.run(),
    };
    if let Err(why) = done {
        eprintln!("{why}");
        process::exit(1);
    }
}

/// The endgames of a folder, up to a number of seeds.
fn endgames(folder: &Path, seeds: u8) -> Result<Endgames, String> {
    let endgames = Endgames::new();
    let found = endgames.open_by_headers::<Ayoayo>(folder, seeds).map_err(|error| error.to_string())?;
    if found != Some(seeds) {
        return Err(format!("{} has no files of ayoayo up to {seeds} seeds", folder.display()));
    }
    Ok(endgames)
}

impl Prove {
    fn run(&self) -> Result<(), String> {
        let endgames = endgames(&self.files, self.seeds)?;
        let start = self.start()?;
        let (began, mut next) = (Instant::now(), REPORT);
        let mut report = |nodes| {
            if nodes >= next {
                next += REPORT;
                println!("{} million nodes, {:.0} s", nodes / 1_000_000, began.elapsed().as_secs_f64());
            }
        };
        let mut prover = Prover::new(&endgames, self.seeds, self.hash, &mut report);
        let no_proof = || "it depends on play without end, or the table is too small".to_owned();
        if self.each {
            for pit in Ayoayo::moves(start) {
                let Some(step) = Ayoayo::play(start, pit) else { continue };
                let taken = step.seen_by_mover().lead() - start.lead();
                let gain = taken - prover.gain(step.board, taken - self.guess).ok_or_else(no_proof)?;
                println!("{}: {gain:+}, {} nodes", (b'A' + pit.index() as u8) as char, prover.nodes);
            }
            println!("{:.1} s", began.elapsed().as_secs_f64());
            return Ok(());
        }
        let gain = prover.gain(start, self.guess).ok_or_else(no_proof)?;
        println!(
            "the side to move gains {gain}: {} nodes, {:.1} s",
            prover.nodes,
            began.elapsed().as_secs_f64()
        );
        let certificate = prover.certificate(start, gain).ok_or_else(no_proof)?;
        fs::write(&self.out, certificate.to_bytes()).map_err(|error| error.to_string())?;
        let (records, seconds) = (certificate.records.len(), began.elapsed().as_secs_f64());
        println!("{}: {records} records, {seconds:.1} s", self.out.display());
        Ok(())
    }

    fn start(&self) -> Result<Board, String> {
        let mut board = match &self.position {
            None => Board::filled(Ayoayo::SEEDS_A_PIT),
            Some(text) => {
                let position = Position::parse(Variant::Ayoayo, text).map_err(|error| error.to_string())?;
                position.board()
            }
        };
        for letter in self.moves.chars() {
            let pit = "abcdef".find(letter.to_ascii_lowercase()).ok_or(format!("{letter} is no move"))?;
            board = Ayoayo::play(board, Pit::new(pit)).ok_or(format!("{letter} never ends"))?.board;
        }
        Ok(board)
    }
}

impl Check {
    fn run(&self) -> Result<(), String> {
        let bytes = fs::read(&self.file).map_err(|error| error.to_string())?;
        let certificate = Certificate::from_bytes(&bytes).map_err(|flaw| flaw.to_string())?;
        let endgames = endgames(&self.files, certificate.endgame_seeds)?;
        let began = Instant::now();
        let gain_of = |pits: [u8; 12]| {
            let board = board(pits);
            let database = endgames.database::<Ayoayo>(board.seeds()).expect("it was opened");
            database.gain(Indexing::get().rank(board), board.seeds())
        };
        certificate.check(gain_of).map_err(|flaw| flaw.to_string())?;
        let Certificate { start, value, records, .. } = &certificate;
        let (count, seconds) = (records.len(), began.elapsed().as_secs_f64());
        println!("{start:?}: the side to move gains {value}. All {count} records hold ({seconds:.1} s)");
        Ok(())
    }
}
