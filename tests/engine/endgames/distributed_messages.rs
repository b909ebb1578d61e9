//! Tests of `src/endgames/build/distributed/messages.rs`.

use kroo::endgame_files::build::distributed::messages::*;
use kroo::endgame_files::build::distributed::share::STRETCH;
use kroo::endgames::probe::indexing::{Indexing, MAX_SEEDS};

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
