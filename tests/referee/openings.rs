//! Parts of a match, and random openings.

use kroo::game::Variant;
use kroo_referee::schedule::{Openings, RandomOpenings, Shard};
use std::collections::HashSet;

#[test]
fn parts_are_disjoint_and_together_everything() {
    for of in 1..7 {
        for pairs in 0..30 {
            let shards: Vec<Shard> = (1..=of).map(|part| Shard { part, of }).collect();
            for pair in 0..pairs {
                assert_eq!(shards.iter().filter(|shard| shard.has(pair)).count(), 1);
            }
            assert_eq!(shards.iter().map(|shard| shard.pairs_of(pairs)).sum::<u64>(), pairs);
            for shard in shards {
                let own = (0..pairs).filter(|&pair| shard.has(pair));
                let places: Vec<u64> = own
                    .flat_map(|pair| [2 * pair + 1, 2 * pair + 2])
                    .map(|number| shard.place(number))
                    .collect();
                assert_eq!(places, (0..2 * shard.pairs_of(pairs)).collect::<Vec<_>>());
            }
        }
    }
}

#[test]
fn parts_are_read_as_they_are_written() {
    assert_eq!("3/8".parse::<Shard>().map(|shard| shard.to_string()), Ok("3/8".to_owned()));
    for text in ["", "3", "0/8", "9/8", "1/0", "a/b", "1/2/3", "-1/2", "1/1000001"] {
        assert!(text.parse::<Shard>().is_err(), "{text}");
    }
}

#[test]
fn no_opening_twice_before_all_are_used() {
    let mut openings = RandomOpenings::new(Variant::Awari, 1, 7).expect("one move can be made");
    for _ in 0..3 {
        let used: HashSet<String> = (0..6).map(|_| openings.next_opening().to_string()).collect();
        assert_eq!(used.len(), 6);
    }
}

#[test]
fn a_seed_means_the_same_lines_everywhere() {
    let mut openings = RandomOpenings::new(Variant::Oware, 4, 1).expect("four moves can be made");
    let lines: Vec<String> = (0..4).map(|_| openings.next_opening().to_string()).collect();
    assert_eq!(lines, ["FbAa", "DcAe", "AeDa", "CeEf"]);
}

#[test]
fn no_opening_is_over() {
    let mut openings = RandomOpenings::new(Variant::Awari1978, 12, 3).expect("long lines exist");
    for _ in 0..200 {
        assert_eq!(openings.next_opening().game().position().verdict(), None);
    }
    assert!(RandomOpenings::new(Variant::Awari1978, 5_000, 3).is_none());
}

#[test]
fn lines_of_a_file_are_told_by_their_numbers() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("openings.txt");
    std::fs::write(&file, "\u{feff}# two openings\n\n FbAa # the first\nDcAe\n").expect("written");
    let lines = Openings::lines(&file).expect("a readable file");
    assert_eq!(lines, [(3, "FbAa".to_owned()), (4, "DcAe".to_owned())]);
}

/// One move leads to six positions, two of South and North to 36; five moves lead to more than are counted.
#[test]
fn few_positions_are_counted_and_other_openings_have_another_digest() {
    let openings = |plies, seed| Openings::random(Variant::Awari, plies, seed).expect("they can be made");
    assert_eq!([0, 1, 2].map(|plies| openings(plies, 1).distinct()), [Some(1), Some(6), Some(36)]);
    assert_eq!(openings(12, 1).distinct(), None);
    let digests = [(1, 1), (2, 1), (1, 2)].map(|(plies, seed)| openings(plies, seed).digest());
    assert!(digests[0] != digests[1] && digests[0] != digests[2], "{digests:?}");
    assert_eq!(openings(1, 1).digest(), digests[0]);
}
