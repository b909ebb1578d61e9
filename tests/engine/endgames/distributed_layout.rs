//! Tests of `src/endgames/build/distributed/layout.rs`.

use kroo::endgame_files::build::distributed::layout::*;
use kroo::endgames::probe::indexing::board_count;

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
