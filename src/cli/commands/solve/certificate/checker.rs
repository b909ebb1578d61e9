//! The checker: whether each record of a certificate proves its claim, by the rules and by other claims. It does not search, and
//! shares nothing with the prover. The tests have another one, by their slow rules, and both say the same.

use super::{Certificate, Claim, HELD, RECORD, Records};
use crate::endgames::{Endgames, Indexing};
use crate::game::{Ayoayo, Board, Move, Position, ROW, Row, Rules, Side};

impl Certificate {
    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// The fault of their form.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Certificate, &'static str> {
        let end = bytes.iter().position(|&byte| byte == b'\n').ok_or("it has no first line")?;
        let line = str::from_utf8(&bytes[..end]).map_err(|_| "its first line is not text")?;
        let words: Vec<&str> = line.split(' ').collect();
        let ["ayoayo", start, "gains", value, "with", "endgames", "of", seeds, "seeds"] = words[..] else {
            return Err("its first line is another");
        };
        let start: Option<Vec<u8>> = start.split('-').map(|pit| pit.parse::<u8>().ok()).collect();
        let start = start.and_then(|pits| pits.try_into().ok()).ok_or("its position has not twelve pits")?;
        let value = value.parse().map_err(|_| "its value is no number of seeds")?;
        let endgame_seeds = seeds.parse().map_err(|_| "its endgames have no number of seeds")?;
        let (records, rest) = bytes[end + 1..].as_chunks::<RECORD>();
        if !rest.is_empty() {
            return Err("it ends in the middle of a record");
        }
        let record = |bytes: &[u8; RECORD]| {
            let pits = std::array::from_fn(|pit| bytes[pit]);
            ((pits, bytes[12].cast_signed()), (bytes[13], u16::from_le_bytes([bytes[14], bytes[15]])))
        };
        let records: Records = records.iter().map(record).collect();
        let most = seeds_of(&start);
        if most > u16::from(Ayoayo::MOST_SEEDS) || records.keys().any(|(pits, _)| seeds_of(pits) > most) {
            return Err("a board of it has too many seeds");
        }
        Ok(Certificate { endgame_seeds, start, value, records })
    }

    /// Proves every record, and what they say of the start: the side to move gains the value, and no more. `endgames` reach the
    /// seeds that the certificate names.
    ///
    /// # Errors
    /// The first flaw.
    pub(super) fn check(&self, endgames: &Endgames) -> Result<(), String> {
        let (start, value) = (self.start, i16::from(self.value));
        for (need, reached) in [(value, true), (value + 1, false)] {
            if !self.holds(start, need, reached, None, endgames) {
                return Err(flaw("no record proves", &start, need));
            }
        }
        self.records.iter().try_for_each(|(claim, record)| self.check_record(claim, *record, endgames))
    }

    fn check_record(&self, claim: &Claim, (pit, rank): (u8, u16), endgames: &Endgames) -> Result<(), String> {
        let (pits, need) = (&claim.0, i16::from(claim.1));
        let wrong = || flaw("a record does not prove", pits, need);
        let (position, reached) = (Position::new::<Ayoayo>(board(pits), Side::South), pit != HELD);
        let is_made = |mv: &Move| !reached || mv.pit.index() == usize::from(pit);
        let moves: Vec<Move> = position.moves().into_iter().filter(is_made).collect();
        if moves.is_empty() {
            return Err(wrong());
        }
        for mv in moves {
            let after = position.play(mv).expect("a legal move");
            let gained = i16::from(after.store(Side::South)) - i16::from(after.store(Side::North));
            if after.verdict().is_some() {
                if (gained >= need) != reached {
                    return Err(wrong());
                }
                continue;
            }
            let (next, need) = (super::pits(after.board()), gained - need + 1);
            if !self.holds(next, need, !reached, Some(rank), endgames) {
                return Err(flaw("no record of a lower rank proves", &next, need));
            }
        }
        Ok(())
    }

    /// Whether a claim is proven to be reached, or to be held, by the endgames or a record below a rank.
    fn holds(
        &self,
        pits: [u8; 2 * ROW],
        need: i16,
        reached: bool,
        below: Option<u16>,
        endgames: &Endgames,
    ) -> bool {
        let seeds = seeds_of(&pits);
        // No side gains more seeds than there are.
        if need.unsigned_abs() > seeds {
            return (need < 0) == reached;
        }
        if seeds <= u16::from(self.endgame_seeds) {
            let database = endgames.database::<Ayoayo>(seeds as u8).expect("the endgames are there");
            let gain = database.gain(Indexing::get().rank(board(&pits)), seeds as u8);
            return (i16::from(gain) >= need) == reached;
        }
        let record = i8::try_from(need).ok().and_then(|need| self.records.get(&(pits, need)));
        record.is_some_and(|&(pit, rank)| (pit != HELD) == reached && below.is_none_or(|below| rank < below))
    }
}

fn flaw(what: &str, pits: &[u8; 2 * ROW], need: i16) -> String {
    let pits = pits.map(|seeds| seeds.to_string()).join("-");
    format!("{what} whether the mover of {pits} gains {need} seeds")
}

/// The board of these pits, from the mover's left, with empty stores.
fn board(pits: &[u8; 2 * ROW]) -> Board {
    let [mover, other] = [0, ROW].map(|first| Row::new(std::array::from_fn(|pit| pits[first + pit]), 0));
    Board { mover, other }
}

/// The seeds of a board.
fn seeds_of(pits: &[u8; 2 * ROW]) -> u16 {
    pits.iter().copied().map(u16::from).sum()
}
