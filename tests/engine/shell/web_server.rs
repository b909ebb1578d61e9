//! Tests of `src/web/connections.rs`.

use kroo::web::connections::*;
use std::io::Read;
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

/// Connections that are counted.
struct Counted {
    connections: Arc<Connections>,
    listener: TcpListener,
}

impl Counted {
    /// A connection as if from an address, and the client's end of it.
    fn open(&self, address: &str) -> (Slot, TcpStream) {
        let client =
            TcpStream::connect(self.listener.local_addr().expect("an address")).expect("a connection");
        let stream = Arc::new(self.listener.accept().expect("a connection").0);
        (self.connections.slot(address.parse().expect("an address"), &stream), client)
    }
}

fn counted() -> Counted {
    Counted { connections: Arc::default(), listener: TcpListener::bind("127.0.0.1:0").expect("an address") }
}

/// Whether the server has ended a connection.
fn is_ended((_, client): &mut (Slot, TcpStream)) -> bool {
    client.set_nonblocking(true).expect("a connection");
    client.read(&mut [0]).is_ok_and(|count| count == 0)
}

#[test]
fn strangers_end_each_other() {
    let counted = counted();
    let mut known = counted.open("10.0.0.1");
    assert!(known.0.note_request(true));
    let mut far = counted.open("10.0.0.2");
    let mut held: Vec<_> = (1..MAX_STRANGERS).map(|_| counted.open("10.0.0.1")).collect();
    assert!(held[0].0.note_request(false), "it is the last one that has said something");
    assert!(!held.iter_mut().any(is_ended));
    for ended in 1..10 {
        held.push(counted.open("::ffff:10.0.0.1"));
        assert!(is_ended(&mut held[ended]), "the silent one");
        assert!(!held[ended].0.may_stay() && !held[ended].0.note_request(true));
    }
    assert!(!is_ended(&mut held[0]) && !is_ended(&mut known));
    assert!(!is_ended(&mut far), "another address has fewer");
    assert_eq!(counted.connections.count(), 1 + MAX_STRANGERS);
    drop((known, far, held));
    assert_eq!(counted.connections.count(), 0);
}

#[test]
fn an_address_leaves_connections_to_others() {
    let counted = counted();
    let open = |address: &str| {
        let open = counted.open(address);
        open.0.note_request(true).then_some(open)
    };
    let mut held: Vec<_> = (0..MAX_OF_ADDRESS).map_while(|_| open("10.0.0.1")).collect();
    assert_eq!(held.len(), MAX_OF_ADDRESS);
    assert!(open("10.0.0.1").is_none() && open("::ffff:10.0.0.1").is_none());
    held.extend((0..MAX_OF_ADDRESS).map_while(|number| open(&format!("fd00::{number}"))));
    assert_eq!(held.len(), MAX_CONNECTIONS);
    assert!(open("10.0.0.2").is_none());
    assert!(held[0].0.note_request(true) && !held[0].0.may_stay(), "half of them may stay");
    held.remove(0);
    drop(open("10.0.0.2").expect("a slot"));
    assert!(open("fd00::ffff").is_none() && open("10.0.0.1").is_some());
    held.clear();
    assert_eq!(counted.connections.count(), 0);
}
