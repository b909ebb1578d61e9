//! Tests of `src/protocol/roster.rs`.

use kroo::game::Variant;
use kroo::roster::*;

#[test]
fn the_table_is_in_order() {
    for (index, (who, name, variants)) in PLAYERS.iter().enumerate() {
        assert_eq!((*who as usize, who.name(), who.variants()), (index, *name, *variants));
    }
    assert!(Variant::ALL.iter().all(|&variant| PlayerName::default().plays(variant)));
}
