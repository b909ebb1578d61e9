//! Tests of `src/core/endgames/probe`: the index of a board (`indexing.rs`), and known results (`conversion.rs`).

use kroo::endgames::probe::conversion::*;
use kroo::endgames::probe::indexing::*;
use kroo::endgames::{Endgames, ThreadPool};
use kroo::game::Rules as _;
use kroo::game::{Awari, Board};

#[test]
fn indices_have_no_gaps() {
    for seeds in 0..=7 {
        let mut index = 0;
        for board in Boards::with(seeds) {
            assert_eq!(Indexing::get().rank(board), index);
            assert_eq!(Indexing::get().unrank(seeds, index), board);
            assert_eq!(Boards::from(seeds, index).next(), Some(board));
            index += 1;
        }
        assert_eq!(index, board_count(seeds));
    }
    assert_eq!(database_size(MAX_SEEDS), 279_871_768_995);
}

#[test]
fn the_largest_level_has_indices_too() {
    let indices = (0..1000).map(|step| step * 279_871_768).chain([database_size(MAX_SEEDS) - 1]);
    for index in indices {
        assert_eq!(Indexing::get().index(Indexing::get().board(MAX_SEEDS, index)), index);
    }
}

#[test]
fn boards_that_may_be_read_from_a_slow_disk_are_watched_one_by_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let built = Endgames::new();
    assert!(built.build::<Awari>(6, &mut || false));
    (0..=6)
        .for_each(|seeds| kroo::endgame_files::save::<Awari>(&built, folder.path(), seeds).expect("a file"));
    let endgames = Endgames::new();
    endgames.open::<Awari>(folder.path(), 6, &ThreadPool::single()).expect("files");
    let work = Boards::with(6).step_by(97).filter_map(|board| {
        let board = Board { mover: board.mover.bank(21), other: board.other.bank(21) };
        let score = endgames.probe::<Awari>(board, 6).filter(|_| Awari::ending(board).is_none())?;
        ConversionTable::new::<Awari>(board, score.value, &[])
    });
    let mut large = 0;
    for mut table in work {
        let mut asked = 0;
        let mut stop = || {
            asked += 1;
            false
        };
        assert!(table.build::<Awari>(&endgames, 1, MAX_BOARDS, &mut stop));
        assert!(asked >= table.expanded);
        large = large.max(table.expanded);
    }
    assert!(large > 100);
}

#[test]
fn no_map_of_nodes_is_so_large_that_it_holds_up_a_move() {
    let mut index = NodeIndex::default();
    let boards = MAX_BOARDS as u64;
    for (node, rank) in (0..boards / 2).chain((0..boards / 2).map(|rank| rank * 977 + boards)).enumerate() {
        index.part_mut(rank).insert(rank, node as u32);
    }
    assert_eq!(index.get(boards / 2 - 1), Some(boards as u32 / 2 - 1));
    assert_eq!(index.get(boards - 1), None);
    let largest = index.0.iter().map(|part| part.len()).max().expect("a part");
    assert!(largest < 2 * (MAX_BOARDS >> NODE_INDEX_BITS), "{largest} boards in one map");
}

#[test]
fn building_that_is_broken_off_again_and_again_comes_to_the_same() {
    let endgames = Endgames::new();
    assert!(endgames.build::<Awari>(6, &mut || false));
    let mut large = 0;
    for board in Boards::with(6).step_by(97) {
        let board = Board { mover: board.mover.bank(21), other: board.other.bank(21) };
        let Some(score) = endgames.probe::<Awari>(board, 6).filter(|_| Awari::ending(board).is_none()) else {
            continue;
        };
        let new = || ConversionTable::new::<Awari>(board, score.value, &[]);
        let (Some(mut whole), Some(mut pieces)) = (new(), new()) else { continue };
        assert!(whole.build::<Awari>(&endgames, 1, MAX_BOARDS, &mut || false));
        let (mut asked, mut rounds) = (0, 0);
        let mut stop = || {
            asked += 1;
            asked % 2 == 0
        };
        while !pieces.build::<Awari>(&endgames, 1, MAX_BOARDS, &mut stop) {
            rounds += 1;
        }
        let (one, other) = (&whole.graph, &pieces.graph);
        assert_eq!((&one.keys, &one.distances), (&other.keys, &other.distances));
        let looks = one.keys.len() / POLL_INTERVAL + one.resolved.len() / POLL_INTERVAL;
        assert!(asked >= looks, "{asked} looks at the clock at {} boards", one.keys.len());
        large = large.max(rounds);
    }
    assert!(large > 1, "no board needs more than a few looks");
}
