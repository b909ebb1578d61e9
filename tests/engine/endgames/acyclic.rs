//! The values of databases without cycles, against the rules.

use kroo::endgames::building::acyclic::*;
use kroo::endgames::building::row_moves::RowMoves;
use kroo::endgames::probe::indexing::{Indexing, board_count, database_bytes};
use kroo::endgames::{Boards, Endgames};
use kroo::game::{Avalanche, Awari1978, Flag, Kalah, RuleOptions, Rules};
use std::borrow::Cow;
use std::sync::atomic::AtomicU8;

/// Compares the tables with the rules: each board has the best value that its moves offer.
fn tables_agree<R: Rules>(most: u8, options: RuleOptions) {
    let endgames = Endgames::with_options(options);
    assert!(endgames.build::<R>(most, &mut || false));
    for seeds in 0..=most {
        let database = |seeds: u8| endgames.database::<R>(seeds).expect("built");
        let values = |seeds: u8| {
            let mut values = vec![0; database_bytes::<R>(seeds)];
            database(seeds).values.copy(0, &mut values);
            values
        };
        let moves = RowMoves::new::<R>(0, options);
        let state = DatabaseState {
            seeds,
            below: (0..seeds).map(|seeds| Cow::Owned(values(seeds))).collect(),
            indexing: Indexing::get(),
            moves: &moves,
            gains: values(seeds).into_iter().map(AtomicU8::new).collect(),
        };
        for board in Boards::with(seeds).map(|board| board.with_options(options)) {
            let index = state.indexing.rank(board);
            assert_eq!(state.best_gain::<R>(board), database(seeds).code(index) as i8, "{board:?}");
            if R::SECOND_MOVE {
                let second = board.flag_if(Flag::SecondMove, true);
                let index = index + board_count(seeds);
                assert_eq!(state.best_gain::<R>(second), database(seeds).code(index) as i8, "{second:?}");
            }
        }
    }
}

#[test]
fn tables_of_rows_say_what_the_rules_say() {
    // Enough seeds for sowings that go round the board.
    RuleOptions::ALL.iter().for_each(|&options| tables_agree::<Kalah>(8, options));
    tables_agree::<Awari1978>(8, RuleOptions::default());
    tables_agree::<Avalanche>(8, RuleOptions::default());
}
