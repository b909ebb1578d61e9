//! Tests of `src/endgames/building/distributed`: its layout (`layout.rs`) and its messages (`messages.rs`).

use kroo::endgame_files::building::distributed::layout::*;
use kroo::endgame_files::building::distributed::messages::*;
use kroo::endgame_files::building::distributed::share::STRETCH;
use kroo::endgames::probe::indexing::{Indexing, MAX_SEEDS, board_count};

#[test]
fn every_slab_has_one_owner_and_the_shares_are_even() {
    for (seeds, size) in [(0, 1), (3, 4), (9, 1), (9, 3), (9, 7), (12, 16)] {
        let layouts: Vec<Layout> = (0..size).map(|rank| Layout::balanced(seeds, rank, size)).collect();
        let boards: Vec<usize> = layouts.iter().map(|layout| layout.boards).collect();
        assert_eq!(boards.iter().sum::<usize>(), board_count(seeds));
        assert_eq!(boards.iter().max(), Some(&(layouts[0].most as usize)));
        for (rank, layout) in layouts.iter().enumerate() {
            for &slab in &layout.slabs {
                let number = layout.number(slab.seeds, slab.row);
                assert_eq!((layout.owner(number), layout.slab(number)), (rank, slab));
            }
            assert_eq!(layout.end(&layout.slabs), layout.boards);
        }
        if seeds >= 9 {
            assert!(boards.iter().all(|&one| one * size * 10 <= board_count(seeds) * 11), "{boards:?}");
        }
    }
}

#[test]
fn the_largest_level_fits_into_the_words() {
    let indexing = Indexing::get();
    let most = indexing.row_count(MAX_SEEDS);
    let rows: usize = (0..=MAX_SEEDS).map(|seeds| indexing.row_count(seeds)).sum();
    let put = Put { row: rows - 1, place: most - 1, value: 0xfffe };
    assert_eq!(Put::from_word(put.to_word()), put);
    let request = Request { row: rows - 1, given: MAX_SEEDS, pattern: 97, stretch: most / STRETCH };
    assert_eq!(Request::from_word(request.to_word()), request);
}
