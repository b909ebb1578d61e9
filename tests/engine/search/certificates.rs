//! A certificate proves the value of an `ayoayo` board without a search; a damaged one proves nothing.

use kroo::endgames::{Endgames, Indexing};
use kroo::game::{Ayoayo, Board, ROW, Row};
use support::certificate::{Certificate, Flaw, HELD};

const FILE: &[u8] = include_bytes!("../../fixtures/data/certificates/ayoayo.certificate");
/// Seeds of the board that the certificate is about.
const SEEDS: u8 = 13;

fn certificate() -> Certificate {
    Certificate::from_bytes(FILE).expect("a certificate")
}

/// The gain of a board in endgames that are there.
fn gain(endgames: &Endgames, pits: [u8; 12]) -> i8 {
    let [mover, other] = [0, ROW].map(|first| Row::new(std::array::from_fn(|pit| pits[first + pit]), 0));
    let board = Board { mover, other };
    let database = endgames.database::<Ayoayo>(board.seeds()).expect("built");
    database.gain(Indexing::get().rank(board), board.seeds())
}

fn endgames() -> Endgames {
    let endgames = Endgames::new();
    assert!(endgames.build::<Ayoayo>(SEEDS, &mut || false));
    endgames
}

#[test]
fn a_certificate_proves_what_the_endgames_say() {
    let (endgames, certificate) = (endgames(), certificate());
    assert!(certificate.endgame_seeds < SEEDS);
    assert_eq!(certificate.start.iter().sum::<u8>(), SEEDS);
    assert_eq!(certificate.check(|pits| gain(&endgames, pits)), Ok(()));
    assert_eq!(gain(&endgames, certificate.start), certificate.value);
}

#[test]
fn every_changed_record_is_found() {
    let endgames = endgames();
    let check = |certificate: &Certificate| certificate.check(|pits| gain(&endgames, pits));
    let sound = certificate();
    for value in [sound.value - 1, sound.value + 1] {
        let other = Certificate { value, ..sound.clone() };
        assert!(matches!(check(&other), Err(Flaw::Unproven(_))), "a value of {value}");
    }
    let mut claims: Vec<_> = sound.records.keys().copied().collect();
    claims.sort_unstable();
    for claim in claims.into_iter().step_by(7 * support::one_of(3)) {
        let (pit, rank) = sound.records[&claim];
        let changed = |record: Option<(u8, u16)>| {
            let mut copy = sound.clone();
            copy.records.remove(&claim);
            copy.records.extend(record.map(|record| (claim, record)));
            check(&copy)
        };
        assert!(changed(None).is_err(), "{claim:?} is left out");
        let other_kind = if pit == HELD { 0 } else { HELD };
        assert!(changed(Some((other_kind, rank))).is_err(), "{claim:?} says the opposite");
        // Nothing rests on the claims about the start.
        if claim.0 != sound.start {
            assert!(changed(Some((pit, u16::MAX))).is_err(), "{claim:?} rests on what rests on it");
        }
        assert!(changed(Some((7, rank))).is_err(), "{claim:?} has no such move");
    }
}

#[test]
fn claims_that_rest_on_each_other_prove_nothing() {
    let endgames = endgames();
    let mut flat = certificate();
    for record in flat.records.values_mut() {
        record.1 = 0;
    }
    assert!(matches!(flat.check(|pits| gain(&endgames, pits)), Err(Flaw::Unproven(_))));
}

#[test]
fn bytes_that_are_no_certificate_are_refused() {
    let cut = &FILE[..FILE.len() - 1];
    let other = [b"oware", &FILE[6..]].concat();
    for bytes in [&b""[..], b"ayoayo\n", cut, &other] {
        assert!(matches!(Certificate::from_bytes(bytes), Err(Flaw::Form(_))));
    }
}
