//! Access control.
//!
//! Another machine and another user of this one are dangers: each request for more than a file must present a token. Any page in
//! the user's browser can also send requests to the loopback address: a request must name this server in `Host` (a page that
//! resolves its own name to this address does not), and must not come from a page of another `Origin`.

use super::request::Request;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::net::{IpAddr, SocketAddr};

const TOKEN_HEADER: &str = "x-kroo-token";

/// The server's address, and the token that pages must present.
#[derive(Debug)]
pub struct Guard {
    /// The server's address, with its actual port.
    address: SocketAddr,
    pub token: String,
}

impl Guard {
    /// The guard of a server at an address.
    pub fn new(address: SocketAddr) -> Guard {
        Guard { address, token: secret() }
    }

    /// Why a request is refused, if it is.
    pub fn refusal(&self, request: &Request) -> Option<&'static str> {
        let Some(host) = request.header("host") else { return Some("a request needs one Host") };
        if !self.is_here(host) {
            return Some("this server has another name: use the address that it has printed");
        }
        let own = request.header("origin").is_some_and(|origin| origin.strip_prefix("http://") == Some(host));
        (request.has("origin") && !own).then_some("the request comes from a page of another origin")
    }

    /// Why a request for more than a file of the page is refused, if it is.
    pub fn stranger_refusal(&self, request: &Request) -> Option<&'static str> {
        let strange = |site: &str| site != "same-origin" && site != "none";
        request
            .header("sec-fetch-site")
            .is_some_and(strange)
            .then_some("the request comes from a page of another site")
    }

    /// Why a request that needs the token is refused, if it is.
    pub fn token_refusal(&self, request: &Request) -> Option<&'static str> {
        let shown = request.header(TOKEN_HEADER).is_some_and(|shown| is_same(shown, &self.token));
        (!shown).then_some(
            "the token is missing or wrong: open the whole address that the program has printed at its start",
        )
    }

    /// Whether a `Host` is this server. Names other than `localhost` are not, whatever they resolve to. A server on the
    /// loopback address has only loopback addresses; any other can have addresses that it does not know.
    pub fn is_here(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
            _ => (host, Some(80)),
        };
        if port != Some(self.address.port()) {
            return false;
        }
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        match bare.parse::<IpAddr>() {
            Ok(address) => !self.address.ip().is_loopback() || address.is_loopback(),
            Err(_) => name.eq_ignore_ascii_case("localhost"),
        }
    }
}

/// Compares in constant time.
pub fn is_same(shown: &str, token: &str) -> bool {
    let difference = shown.bytes().zip(token.bytes()).fold(0, |all, (one, two)| all | (one ^ two));
    shown.len() == token.len() && difference == 0
}

/// Thirty-two unpredictable digits: a keyed hash whose key the system has drawn at random.
pub fn secret() -> String {
    let state = RandomState::new();
    let half = |number: u8| {
        let mut hasher = state.build_hasher();
        hasher.write_u8(number);
        hasher.finish()
    };
    format!("{:016x}{:016x}", half(0), half(1))
}
