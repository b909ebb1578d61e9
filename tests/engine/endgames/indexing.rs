//! Tests of `src/core/endgames/probe/indexing.rs`.

use kroo::endgames::probe::indexing::*;

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
