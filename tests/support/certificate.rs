//! Certificates: the value of an `ayoayo` position as a strategy that can be checked without searching.
//!
//! A claim is a board seen by its side to move and a number of seeds, `need`: the mover gains at least `need` from here on, or
//! it does not. A certificate proves a claim by a record:
//!
//! - *reached*: one move after which the other side is held below what would spoil it;
//! - *held*: after every move the other side reaches what spoils it.
//!
//! The endgames, the end of the game, or records of a lower rank prove the claims of a record about the next boards. So
//! every line ends, nothing depends on how a board was reached, and no play without end is needed for either side. The moves
//! are those of the slow model ([`crate::naive`]).

use crate::naive::{Naive, Rules};
use std::collections::HashMap;
use std::fmt;

/// Bytes of a record: twelve pits from the mover's left, the need, the move (6: held), and the rank, low byte first.
pub const RECORD: usize = 16;
/// The move of a record that holds.
pub const HELD: u8 = 6;

/// A board seen by its side to move, and the gain that it needs.
pub type Claim = ([u8; 12], i8);

/// Move and rank of each claim.
pub type Records = HashMap<Claim, (u8, u16)>;

/// A position, its value, and the records that prove it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The most seeds of a board whose value the endgames give.
    pub endgame_seeds: u8,
    /// The pits, from the mover's left.
    pub start: [u8; 12],
    /// The mover's gain, in seeds.
    pub value: i8,
    /// Its proof.
    pub records: Records,
}

/// Why a certificate proves nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The bytes are no certificate.
    Form(String),
    /// A claim is needed that has no record, or one of too high a rank.
    Unproven(Claim),
    /// A record does not prove its claim.
    Wrong(Claim),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Form(why) => write!(f, "no certificate: {why}"),
            Flaw::Unproven((pits, need)) => write!(f, "no record proves {pits:?} with a need of {need}"),
            Flaw::Wrong((pits, need)) => {
                write!(f, "the record of {pits:?} with a need of {need} does not prove it")
            }
        }
    }
}

impl Certificate {
    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// The first flaw of their form.
    pub fn from_bytes(bytes: &[u8]) -> Result<Certificate, Flaw> {
        let form = |why: &str| Flaw::Form(why.to_owned());
        let end = bytes.iter().position(|&byte| byte == b'\n').ok_or_else(|| form("it has no first line"))?;
        let line = str::from_utf8(&bytes[..end]).map_err(|_| form("its first line is not text"))?;
        let words: Vec<&str> = line.split(' ').collect();
        let ["ayoayo", pits, "gains", value, "with", "endgames", "of", seeds, "seeds"] = words[..] else {
            return Err(form("its first line is another"));
        };
        let pits: Result<Vec<u8>, _> = pits.split('-').map(str::parse::<u8>).collect();
        let start = pits.ok().and_then(|pits| pits.try_into().ok()).ok_or_else(|| form("not twelve pits"))?;
        let value = value.parse().map_err(|_| form("its value is no number"))?;
        let endgame_seeds = seeds.parse().map_err(|_| form("its endgames have no number"))?;
        let (records, rest) = bytes[end + 1..].as_chunks::<RECORD>();
        if !rest.is_empty() {
            return Err(form("it ends in the middle of a record"));
        }
        let record = |bytes: &[u8; RECORD]| {
            let pits = std::array::from_fn(|pit| bytes[pit]);
            ((pits, bytes[12] as i8), (bytes[13], u16::from_le_bytes([bytes[14], bytes[15]])))
        };
        Ok(Certificate { endgame_seeds, start, value, records: records.iter().map(record).collect() })
    }

    /// Checks every record, and that the records prove the value: the mover gains as much, and no more. `gain_of` is the gain of
    /// a board in the endgames, seen by its mover.
    ///
    /// # Errors
    /// The first flaw.
    pub fn check(&self, gain_of: impl Fn([u8; 12]) -> i8) -> Result<(), Flaw> {
        let roots = [((self.start, self.value), true), ((self.start, self.value + 1), false)];
        for (claim, reached) in roots {
            if !self.holds(claim, reached, None, &gain_of) {
                return Err(Flaw::Unproven(claim));
            }
        }
        for (&claim, &(pit, rank)) in &self.records {
            self.check_record(claim, pit, rank, &gain_of)?;
        }
        Ok(())
    }

    fn check_record(
        &self,
        claim: Claim,
        pit: u8,
        rank: u16,
        gain_of: &impl Fn([u8; 12]) -> i8,
    ) -> Result<(), Flaw> {
        let (pits, need) = claim;
        let game = position(pits);
        let legal = game.legal();
        if legal.is_empty() {
            return Err(Flaw::Wrong(claim));
        }
        let reached = pit != HELD;
        let moves = if reached { vec![usize::from(pit)] } else { legal.clone() };
        if !moves.iter().all(|pit| legal.contains(pit)) {
            return Err(Flaw::Wrong(claim));
        }
        for pit in moves {
            let mut after = game.clone();
            after.play(pit);
            let gained = after.stores[0] as i8 - after.stores[1] as i8;
            if after.result.is_some() {
                if (gained >= need) != reached {
                    return Err(Flaw::Wrong(claim));
                }
                continue;
            }
            let next = (seen_by_north(&after), gained - need + 1);
            if !self.holds(next, !reached, Some(rank), gain_of) {
                return Err(Flaw::Unproven(next));
            }
        }
        Ok(())
    }

    /// Whether a claim is proven to be reached, or to be held, by records below a rank.
    fn holds(
        &self,
        claim: Claim,
        reached: bool,
        below: Option<u16>,
        gain_of: &impl Fn([u8; 12]) -> i8,
    ) -> bool {
        let (pits, need) = claim;
        let seeds: u32 = pits.iter().copied().map(u32::from).sum();
        // No side gains more seeds than there are.
        if u32::from(need.unsigned_abs()) > seeds {
            return (need < 0) == reached;
        }
        if seeds <= u32::from(self.endgame_seeds) {
            return (gain_of(pits) >= need) == reached;
        }
        let record = self.records.get(&claim);
        record.is_some_and(|&(pit, rank)| (pit != HELD) == reached && below.is_none_or(|below| rank < below))
    }
}

/// The position with these pits from the left of the side to move, South.
fn position(pits: [u8; 12]) -> Naive {
    let pits = pits.map(|seeds| seeds.to_string()).join("-");
    Naive::parse(Rules::Ayoayo, &format!("{pits}-0-0-S"))
}

/// The pits from North's left; North is to move.
fn seen_by_north(game: &Naive) -> [u8; 12] {
    std::array::from_fn(|pit| game.pits[(pit + 6) % 12] as u8)
}
