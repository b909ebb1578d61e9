//! The evaluation: the network against a slow one, what it must not see, and weight files.

use kroo::evaluate::{EvalFault, Weights};
use kroo::game::{Board, Flag, Position, Row, Rules, Side, Variant, Visitor, split_mix};
use support::data::summed;
use support::naive::Rules as NaiveRules;

struct Worth<'a>(&'a Weights, Board);

impl Visitor for Worth<'_> {
    type Output = i32;

    fn visit<R: Rules>(self) -> i32 {
        self.0.centiseeds::<R>(self.1)
    }
}

fn worth(weights: &Weights, board: Board) -> i32 {
    weights.variant().visit(Worth(weights, board))
}

/// A board as plain numbers: the pits of the mover and of the other, their stores, and whether it is a second move.
#[derive(Clone, Copy, Debug)]
struct Plain {
    pits: [u8; 12],
    stores: [u8; 2],
    second: bool,
}

/// The rules in the slow model, and the seeds of the game.
#[derive(Clone, Copy)]
struct Slow {
    rules: NaiveRules,
    seeds: u8,
}

impl Slow {
    fn of(variant: Variant) -> Slow {
        let start = Position::start(variant);
        let seeds = Side::BOTH.map(|side| start.row(side).seeds()).iter().sum();
        Slow { rules: NaiveRules::named(variant.name()), seeds }
    }
}

impl Plain {
    fn random(variant: Variant, state: &mut u64) -> Plain {
        let Slow { rules, seeds } = Slow::of(variant);
        let mut plain = Plain { pits: [0; 12], stores: [0; 2], second: false };
        let pits = 1 + split_mix(state) % 12;
        let stored = split_mix(state) % 40;
        for seed in 0..u64::from(seeds) {
            let cell = split_mix(state) as usize;
            if seed < stored {
                plain.stores[cell % 2] += 1;
            } else {
                plain.pits[cell % pits as usize * 5 % 12] += 1;
            }
        }
        plain.second = rules == NaiveRules::Awari1978 && split_mix(state).is_multiple_of(2);
        plain
    }

    fn board(self) -> Board {
        let row =
            |side: usize| Row::new(std::array::from_fn(|pit| self.pits[6 * side + pit]), self.stores[side]);
        Board { mover: row(0), other: row(1) }.flag_if(Flag::SecondMove, self.second)
    }
}

/// The pit of the last seed, if it is one: the ring, walked seed by seed.
fn landing(rules: NaiveRules, pit: usize, seeds: u8) -> Option<usize> {
    let own_store = 100 + pit / 6;
    let mut ring: Vec<usize> = (0..6).chain([100]).chain(6..12).chain([101]).collect();
    ring.retain(|&cell| match rules {
        NaiveRules::Awari | NaiveRules::Oware | NaiveRules::Ayoayo => {
            cell < 100 && (cell != pit || seeds == 0)
        }
        NaiveRules::Kalah | NaiveRules::Avalanche => cell < 100 || cell == own_store,
        NaiveRules::Awari1978 => true,
    });
    // Without its own pit the ring has no first cell: the next one is the first.
    let first = ring.iter().position(|&cell| cell < 100 && cell > pit).unwrap_or(0);
    let before = match ring.iter().position(|&cell| cell == pit) {
        Some(at) => at,
        None => (first + ring.len() - 1) % ring.len(),
    };
    let cell = ring[(before + usize::from(seeds)) % ring.len()];
    (seeds > 0 && cell < 100).then_some(cell)
}

/// The number of classes of a pit with `seeds` seeds, and its class on a board.
fn classes(rules: NaiveRules, plain: &Plain, pit: usize, seeds: u8) -> (usize, usize) {
    let Some(cell) = landing(rules, pit, seeds) else { return (1, 0) };
    let own = cell / 6 == pit / 6;
    let (there, opposite) = (plain.pits[cell], plain.pits[11 - cell]);
    let heap = [1, 3, 6].iter().filter(|&&least| opposite >= least).count();
    match rules {
        NaiveRules::Awari | NaiveRules::Oware if own => (1, 0),
        NaiveRules::Awari | NaiveRules::Oware => (4, usize::from(there.min(3))),
        NaiveRules::Kalah if !own => (1, 0),
        NaiveRules::Kalah | NaiveRules::Awari1978 => (4, if there == 0 { heap } else { 0 }),
        NaiveRules::Ayoayo | NaiveRules::Avalanche if there > 0 => (8, 3 + usize::from(there.min(4))),
        NaiveRules::Ayoayo | NaiveRules::Avalanche => (8, if own { heap } else { 0 }),
    }
}

/// The rows of a board's features, found by counting all rows before them.
fn rows(slow: Slow, plain: &Plain) -> Vec<usize> {
    let (mut found, mut next) = (Vec::new(), 0);
    for pit in 0..12 {
        for seeds in 0..24 {
            let (classes, class) = classes(slow.rules, plain, pit, seeds);
            if seeds == plain.pits[pit].min(23) {
                found.push(next + class);
            }
            next += classes;
        }
    }
    let left = plain.pits.iter().sum::<u8>();
    let half = slow.seeds / 2;
    let (largest, whole) = match slow.rules {
        NaiveRules::Awari | NaiveRules::Oware => (half, plain.stores.map(|seeds| seeds.min(half))),
        NaiveRules::Awari1978 => (slow.seeds, [left, u8::from(plain.second)]),
        NaiveRules::Ayoayo | NaiveRules::Kalah | NaiveRules::Avalanche => (slow.seeds, [left, 0]),
    };
    let size = usize::from(largest) + 1;
    found.extend([next + usize::from(whole[0]), next + size + usize::from(whole[1])]);
    found
}

/// The evaluation from the bytes of a file, number by number in floating point.
fn slow_worth(bytes: &[u8], variant: Variant, plain: &Plain) -> i32 {
    const HEADER: usize = 36;
    const SUMS: usize = 64;
    let short = |at: usize| f64::from(i16::from_le_bytes([bytes[at], bytes[at + 1]]));
    let long = |at: usize| f64::from(i32::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte])));
    let features = long(28) as usize;
    let first = HEADER + 2 * SUMS;
    let second = first + features * SUMS;
    let stage = (plain.pits.iter().sum::<u8>() as usize / 13).min(3);
    let mut total = long(second + 4 * SUMS * 2 + 4 * stage);
    let rows = rows(Slow::of(variant), plain);
    for sum in 0..SUMS {
        let weights = rows.iter().map(|row| f64::from(bytes[first + row * SUMS + sum] as i8));
        let clipped = (short(HEADER + 2 * sum) + weights.sum::<f64>()).clamp(0.0, 127.0);
        total += clipped * clipped * short(second + 2 * (stage * SUMS + sum));
    }
    (total / 8192.0).floor() as i32 + 100 * (i32::from(plain.stores[0]) - i32::from(plain.stores[1]))
}

#[test]
fn the_network_is_what_a_slow_one_says() {
    for &variant in Variant::ALL {
        let weights = Weights::built_in(variant);
        let bytes = weights.to_bytes();
        let mut state = 7;
        for _ in 0..500 {
            let plain = Plain::random(variant, &mut state);
            assert_eq!(
                worth(&weights, plain.board()),
                slow_worth(&bytes, variant, &plain),
                "{variant} {plain:?}"
            );
        }
    }
}

/// The table of the search may omit the stores from its keys where only their difference counts.
#[test]
fn seeds_in_the_stores_count_alike_where_no_majority_ends_the_game() {
    for &variant in Variant::ALL {
        let weights = Weights::built_in(variant);
        let (mut state, mut moved) = (3, false);
        for _ in 0..200 {
            let plain = Plain::random(variant, &mut state);
            let level = Plain { stores: [0, 0], ..plain };
            let lead = 100 * (i32::from(plain.stores[0]) - i32::from(plain.stores[1]));
            moved |= worth(&weights, plain.board()) != worth(&weights, level.board()) + lead;
        }
        let counts_stores = matches!(Slow::of(variant).rules, NaiveRules::Awari | NaiveRules::Oware);
        assert_eq!(moved, counts_stores && variant.about().network.is_some(), "{variant}");
    }
}

#[test]
fn weights_come_back_from_their_bytes() {
    for &variant in Variant::ALL {
        let weights = Weights::built_in(variant);
        assert_eq!(Weights::from_bytes(&weights.to_bytes(), variant).as_ref(), Ok(&*weights));
    }
}

#[test]
fn what_is_wrong_with_a_file_of_weights() {
    let good = Weights::built_in(Variant::Kalah).to_bytes();
    let fault = |bytes: &[u8]| Weights::from_bytes(bytes, Variant::Kalah).expect_err("a fault");
    for cut in (0..good.len()).step_by(397).chain([good.len() - 1]) {
        let expected = if cut < 8 { EvalFault::Foreign } else { EvalFault::Checksum };
        assert_eq!(fault(&good[..cut]), expected, "{cut}");
    }
    for at in (12..good.len()).step_by(211) {
        let mut bad = good.clone();
        bad[at] ^= 0x10;
        assert_eq!(fault(&bad), EvalFault::Checksum, "{at}");
    }
    let changed = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        summed(bytes)
    };
    assert_eq!(fault(b"GIF89a and more"), EvalFault::Foreign);
    assert_eq!(fault(&changed(8, 9)), EvalFault::Version { found: 9 });
    assert!(matches!(fault(&changed(12, 2)), EvalFault::Shape { kind: 2, .. }));
    assert!(matches!(fault(&changed(32, 33)), EvalFault::Shape { units: 33, .. }));
    let longer = summed([&good[..good.len() - 4], &[0; 5]].concat());
    assert!(matches!(fault(&longer), EvalFault::Shape { .. }));
    let wanted = Variant::Oware;
    let other = Weights::from_bytes(&good, wanted).expect_err("another rule set");
    assert_eq!(other, EvalFault::Variant { found: "kalah".to_owned(), wanted });
}
