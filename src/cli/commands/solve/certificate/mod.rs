//! Certificates: the value of an `ayoayo` position as a strategy that can be checked without searching.
//!
//! A claim is a board seen by its side to move and a number of seeds, `need`: the mover gains at least `need` from here on, or
//! it does not. A record proves a claim by other claims, down to the end of the game or to the endgame files.

mod checker;
mod prover;
mod strategy;

use super::solver::Solver;
use crate::endgames::Endgames;
use crate::evaluate::Weights;
use crate::files;
use crate::game::{Ayoayo, Board, Game, Move, ROW, Rules, Variant};
use crate::printable::counted;
use crate::protocol::SolveCommand;
use crate::solve::{Answer, Bounds, reach};
use crate::value::{CENTISEEDS, by_margin};
use prover::Prover;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::error::Error;
use std::io::Read;
use std::path::Path;
use std::time::Instant;

/// The beginning of a certificate.
const FIRST: &str = "ayoayo ";
/// The move of a record of a claim that is held.
const HELD: u8 = 6;
/// Bytes of an entry of the prover's table.
const ENTRY: u64 = 32;
/// Bytes of a record.
const RECORD: usize = 16;
/// The largest certificate that is read, in bytes.
const LARGEST_FILE: u64 = 4 << 30;
/// Nodes between two reports, as a mask.
const REPORT: u64 = (1 << 14) - 1;

/// A board's pits, seen by its side to move, and the gain that it needs.
type Claim = ([u8; 2 * ROW], i8);

/// Move and rank of each claim.
type Records = HashMap<Claim, (u8, u16)>;

/// A position, its value, and the records that prove it.
struct Certificate {
    /// Seeds up to which the endgame files give the value of a board.
    endgame_seeds: u8,
    /// The pits, from the mover's left.
    start: [u8; 2 * ROW],
    /// The mover's gain, in seeds.
    value: i8,
    /// Its proof.
    records: Records,
}

/// A certificate that was written.
pub(super) struct Written {
    pub answer: Answer,
    pub records: usize,
    pub endgame_seeds: u8,
}

/// Checks every record of a certificate, without a search, and returns the proven claim.
///
/// # Errors
/// If it cannot be read, is no certificate or has a flaw, or the endgame files do not reach far enough.
pub(super) fn check(solver: &Solver, file: &Path) -> Result<String, Box<dyn Error>> {
    let (began, mut bytes, name) = (Instant::now(), Vec::new(), file.display());
    let read = files::open_at_most(file, LARGEST_FILE).and_then(|mut open| open.read_to_end(&mut bytes));
    read.map_err(|error| format!("{name} cannot be read: {}", files::why(file, &error)))?;
    let certificate =
        Certificate::from_bytes(&bytes).map_err(|why| format!("{name} is no certificate: {why}"))?;
    let Certificate { endgame_seeds: seeds, start, value, records } = &certificate;
    let there = solver.endgame_files().filter(|(_, there)| there >= seeds);
    let (endgames, _) = there.ok_or_else(|| {
        format!(
            "{name} needs endgame files of ayoayo up to {seeds} seeds: build them with `kroo endgame build --variant ayoayo --seeds \
             {seeds}`, or name their folder with --endgamepath"
        )
    })?;
    certificate.check(endgames).map_err(|flaw| format!("{name} proves nothing: {flaw}"))?;
    let (start, seconds) = (start.map(|pit| pit.to_string()).join("-"), began.elapsed().as_secs_f64());
    let records = counted(records.len() as u64, "record");
    Ok(format!(
        "{start}: the side to move gains {value} seeds. {records} checked, with endgame files to {seeds} seeds ({seconds:.1} s)"
    ))
}

impl Certificate {
    /// The bytes of a file: a line of text, then the records in order. A record has 16 bytes: twelve pits from the mover's left,
    /// the need, the move (6: held), and the rank, low byte first.
    fn to_bytes(&self) -> Vec<u8> {
        let pits = self.start.map(|seeds| seeds.to_string()).join("-");
        let mut bytes =
            format!("{FIRST}{pits} gains {} with endgames of {} seeds\n", self.value, self.endgame_seeds)
                .into_bytes();
        let mut records: Vec<_> = self.records.iter().collect();
        records.sort();
        for ((pits, need), (pit, rank)) in records {
            bytes.extend(pits);
            bytes.extend([need.cast_unsigned(), *pit]);
            bytes.extend(rank.to_le_bytes());
        }
        bytes
    }
}

/// Proves the value of an `ayoayo` position, and that of each move if the task asks for them, by lines that end in the endgame
/// files, and writes the certificate.
///
/// # Errors
/// If the file cannot be written or has other content, or there are no endgame files or no proof.
pub(super) fn write(
    solver: &Solver,
    game: &Game,
    task: SolveCommand,
    file: &Path,
    tell: &mut dyn FnMut(Bounds, u64),
) -> Result<Written, Box<dyn Error>> {
    let began = Instant::now();
    files::check_output(file, "certificate", FIRST.as_bytes())?;
    let (endgames, endgame_seeds) = solver.endgame_files().ok_or(
        "a certificate needs endgame files of ayoayo: build them with `kroo endgame build --variant ayoayo --seeds 20`, or name \
         their folder with --endgamepath",
    )?;
    let (board, reach) = (game.position().board(), reach(game.position()));
    let mut report = |nodes: u64| {
        if nodes & REPORT == 0 {
            tell(reach, nodes);
        }
    };
    let bits = (solver.table_bytes() / ENTRY).max(1).ilog2();
    let mut prover = Prover::new(endgames, endgame_seeds, bits, &mut report);
    let no_proof = "no proof: the value depends on play without end, or the table is too small (--hash)";
    let gain = prover.gain(board, guess(board)).ok_or(no_proof)?;
    let certificate = prover.certificate(board, gain).ok_or(no_proof)?;
    let exact = |gain: i8| Bounds::exact(by_margin(board.lead() + gain));
    let mut moves = Vec::new();
    for mv in game.position().moves().into_iter().filter(|_| task.moves) {
        moves.push((mv, exact(gain_of(&mut prover, board, mv, gain).ok_or(no_proof)?)));
    }
    moves.sort_by_key(|(_, bounds)| Reverse(bounds.at_least));
    files::replace(file, &certificate.to_bytes())?;
    let best = moves.first().map(|(mv, _)| *mv);
    let (play, time) = (best.into_iter().collect(), began.elapsed());
    let answer = Answer { bounds: exact(gain), best, play, moves, nodes: prover.nodes, time };
    Ok(Written { answer, records: certificate.records.len(), endgame_seeds })
}

/// The gain of a move.
fn gain_of(prover: &mut Prover<'_>, board: Board, mv: Move, guess: i8) -> Option<i8> {
    let step = Ayoayo::play(board, mv.pit)?;
    let taken = step.seen_by_mover().lead() - board.lead();
    Some(taken - prover.gain(step.board, taken - guess)?)
}

/// The gain that the network expects, in seeds.
fn guess(board: Board) -> i8 {
    let board = board.without_stores();
    (Weights::built_in(Variant::Ayoayo).centiseeds::<Ayoayo>(board) / CENTISEEDS) as i8
}

/// The pits, from the mover's left.
fn pits(board: Board) -> [u8; 2 * ROW] {
    let rows = [board.mover.pits(), board.other.pits()];
    std::array::from_fn(|pit| rows[pit / ROW][pit % ROW])
}

impl Solver {
    /// The endgames, with the seeds of the largest database that has a file.
    fn endgame_files(&self) -> Option<(&Endgames, u8)> {
        let files = &self.resources.endgame_files;
        let seeds = files.seeds?.min(self.settings.endgame_seeds);
        (seeds > 0).then_some((&*files.databases, seeds))
    }

    /// The size of the table that the settings ask for, in bytes.
    fn table_bytes(&self) -> u64 {
        (self.settings.hash_mib as u64) << 20
    }
}
