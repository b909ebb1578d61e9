//! Tests of `src/web/server.rs`.

use kroo::web::server::*;
use std::sync::Arc;

#[test]
fn an_address_leaves_connections_to_others() {
    let connections = Arc::new(Connections::default());
    let slot = |address: &str| connections.slot(address.parse().expect("an address"));
    let mut held: Vec<Slot> = (0..MAX_OF_ADDRESS).map_while(|_| slot("10.0.0.1")).collect();
    assert_eq!(held.len(), MAX_OF_ADDRESS);
    assert!(slot("10.0.0.1").is_none() && slot("::ffff:10.0.0.1").is_none());
    held.extend((0..MAX_OF_ADDRESS).map_while(|number| slot(&format!("fd00::{number}"))));
    assert_eq!(held.len(), MAX_CONNECTIONS);
    assert!(slot("10.0.0.2").is_none());
    held.remove(0);
    drop(slot("10.0.0.2").expect("a slot"));
    assert!(slot("fd00::ffff").is_none() && slot("10.0.0.1").is_some());
    held.clear();
    assert!(connections.of().is_empty());
}
