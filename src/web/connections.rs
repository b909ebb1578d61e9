//! The limits of connections.
//!
//! Any user of the machine can connect. A connection is a stranger until it has shown the token, and strangers cannot displace
//! the others. They have a separate share: when it is full, a new one ends the longest silent one of the address with the most
//! strangers.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr, Shutdown, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Maximum connections that have shown the token, in all and from one address. A browser has up to six.
pub const MAX_CONNECTIONS: usize = 128;
pub const MAX_OF_ADDRESS: usize = 64;
/// Maximum connections that have not.
pub const MAX_STRANGERS: usize = 64;

#[derive(Default)]
pub struct Connections {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    open: HashMap<u64, Open>,
    /// Events counted: connections that came, and requests that were answered.
    events: u64,
}

struct Open {
    address: IpAddr,
    stream: Arc<TcpStream>,
    /// Whether it has shown the token.
    is_known: bool,
    /// The event of its beginning or of its last request.
    last: u64,
}

/// A counted connection; the count is released on drop, even if its thread panics or does not start.
pub struct Slot {
    connections: Arc<Connections>,
    number: u64,
}

impl Connections {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a connection from an address, and ends another stranger's if there are too many.
    pub fn slot(self: &Arc<Connections>, address: IpAddr, stream: &Arc<TcpStream>) -> Slot {
        let mut state = self.state();
        if state.strangers().count() >= MAX_STRANGERS
            && let Some(victim) = state.silent_stranger()
            && let Some(open) = state.open.remove(&victim)
        {
            // It fails if the client has ended it.
            let _ = open.stream.shutdown(Shutdown::Both);
        }
        state.events += 1;
        let number = state.events;
        let (address, stream) = (subscriber(address), Arc::clone(stream));
        state.open.insert(number, Open { address, stream, is_known: false, last: number });
        Slot { connections: Arc::clone(self), number }
    }

    /// How many connections there are.
    pub fn count(&self) -> usize {
        self.state().open.len()
    }
}

impl State {
    fn strangers(&self) -> impl Iterator<Item = (&u64, &Open)> {
        self.open.iter().filter(|(_, open)| !open.is_known)
    }

    /// Of the address with most strangers, the one that has been silent for the longest time.
    fn silent_stranger(&self) -> Option<u64> {
        let mut of: HashMap<IpAddr, usize> = HashMap::new();
        self.strangers().for_each(|(_, open)| *of.entry(open.address).or_default() += 1);
        let most = of.values().copied().max()?;
        let candidates = self.strangers().filter(|(_, open)| of.get(&open.address) == Some(&most));
        candidates.min_by_key(|(_, open)| open.last).map(|(&number, _)| number)
    }

    /// How many connections have shown the token, in all and from an address.
    fn known(&self, address: IpAddr) -> (usize, usize) {
        let known = self.open.values().filter(|open| open.is_known);
        known.fold((0, 0), |(all, own), open| (all + 1, own + usize::from(open.address == address)))
    }
}

impl Slot {
    /// Notes that the connection has made a valid request, and whether it has shown the token. Says whether there is room for it:
    /// not if too many others have shown it.
    pub fn note_request(&self, shows_token: bool) -> bool {
        let mut state = self.connections.state();
        state.events += 1;
        let now = state.events;
        let Some(open) = state.open.get(&self.number) else { return false };
        let (all, own) = state.known(open.address);
        let is_stranger = !open.is_known;
        if shows_token && is_stranger && (all >= MAX_CONNECTIONS || own >= MAX_OF_ADDRESS) {
            return false;
        }
        if let Some(open) = state.open.get_mut(&self.number) {
            open.last = now;
            open.is_known |= shows_token;
        }
        true
    }

    /// Whether this connection may wait for a further request. A stranger may, since others end it. Of those that have shown the
    /// token half may.
    pub fn may_stay(&self) -> bool {
        let state = self.connections.state();
        let Some(open) = state.open.get(&self.number) else { return false };
        let (all, own) = state.known(open.address);
        !open.is_known || (2 * all <= MAX_CONNECTIONS && 2 * own <= MAX_OF_ADDRESS)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.connections.state().open.remove(&self.number);
    }
}

/// The address by which connections are counted: for IPv6 the network, because one subscriber has all addresses of a /64.
fn subscriber(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address @ IpAddr::V4(_) => address,
    }
}
