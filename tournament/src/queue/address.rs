//! Where a queue is: a broker, and a name there; and the environment variables for it.

use crate::failure::Failure;
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// The variable with the broker's password: other users can read command lines.
pub const PASSWORD_VARIABLE: &str = "KROO_QUEUE_PASSWORD";
/// The variable with the path of a file that has the password.
pub const PASSWORD_FILE_VARIABLE: &str = "KROO_QUEUE_PASSWORD_FILE";
/// The variable with the file of the authorities (certificates, PEM) that a broker's certificate is believed by. Without it those
/// of the system count.
pub const CA_VARIABLE: &str = "KROO_QUEUE_CA";

/// The name of a queue that is not named.
const DEFAULT_NAME: &str = "match";
/// The most characters of a name, and of an address.
const MAX_NAME: usize = 64;
const MAX_URL: usize = 1_000;
/// Where an error of an address is.
pub(super) const URL: &str = "the queue's URL";
/// The schemes of an address.
const SCHEMES: [&str; 4] = ["redis", "rediss", "redis+unix", "unix"];

/// A broker's address and the name of a queue there: `redis://[USER@]HOST[:PORT][/DATABASE][#NAME]`.
#[derive(Clone, PartialEq, Eq)]
pub struct QueueAddress {
    url: String,
    name: String,
}

impl QueueAddress {
    /// The broker's address.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Whether the connection is private enough; `insecure` if it need not be.
    pub fn check(&self, insecure: bool) -> Result<(), Failure> {
        if insecure || self.is_private() {
            return Ok(());
        }
        let problem = "redis:// is not encrypted, so others could read the password and change jobs: use rediss:// (TLS), or \
                       --insecure on a network without others";
        Err(Failure::at(URL, problem))
    }

    /// Whether no machine on the way can read the messages: TLS, a socket of this machine, or this machine itself.
    fn is_private(&self) -> bool {
        let (scheme, rest) = self.url.split_once("://").unwrap_or(("", &self.url));
        if scheme != "redis" {
            return true;
        }
        let host = rest.split(['/', '?']).next().unwrap_or_default();
        let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
        let name = match host.strip_prefix('[') {
            Some(address) => address.split(']').next().unwrap_or_default(),
            None => host.split(':').next().unwrap_or_default(),
        };
        name == "localhost" || name.parse().is_ok_and(|address: IpAddr| address.is_loopback())
    }

    /// The queue's name.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl FromStr for QueueAddress {
    type Err = Failure;

    fn from_str(text: &str) -> Result<QueueAddress, Failure> {
        if text.len() > MAX_URL || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Failure::new(format!("expected at most {MAX_URL} printable characters")));
        }
        let (url, name) = text.split_once('#').unwrap_or((text, DEFAULT_NAME));
        let known =
            url.split_once("://").is_some_and(|(scheme, rest)| SCHEMES.contains(&scheme) && !rest.is_empty());
        if !known {
            return Err(Failure::new(
                "expected redis://[USER@]HOST[:PORT][/DATABASE][#NAME], or rediss://... for TLS",
            ));
        }
        let word = format!("1 to {MAX_NAME} letters, digits, `-`, `_` or `.`");
        if has_password(url) {
            return Err(Failure::new(format!(
                "it has a password, and every user of this machine can read command lines: write redis://USER@HOST, and put the \
                 password into the environment variable {PASSWORD_VARIABLE}, or into a file that {PASSWORD_FILE_VARIABLE} names"
            )));
        }
        if user_of(url).is_some_and(|user| !is_word(user)) {
            return Err(Failure::at("before the @", format!("expected a user of the broker, {word}")));
        }
        if !is_word(name) {
            return Err(Failure::at("after the #", format!("expected the name of a queue, {word}")));
        }
        Ok(QueueAddress { url: url.to_owned(), name: name.to_owned() })
    }
}

/// Whether a text can be the name of a queue or a user: it is a part of the broker's keys, and of patterns for them.
fn is_word(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    (1..=MAX_NAME).contains(&text.len()) && text.bytes().all(fits)
}

/// Scheme, place and query of an address.
fn parts(url: &str) -> (&str, &str, impl Iterator<Item = (&str, &str)>) {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
    (scheme, place, query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, ""))))
}

/// The user and password before the host. The password may have any characters; the path of a socket has neither.
fn before_host<'a>(scheme: &str, place: &'a str) -> Option<&'a str> {
    ["redis", "rediss"].contains(&scheme).then(|| place.rsplit_once('@'))?.map(|(before, _)| before)
}

fn has_password(url: &str) -> bool {
    let (scheme, place, mut query) = parts(url);
    before_host(scheme, place).is_some_and(|before| before.contains(':'))
        || query.any(|(key, _)| key.starts_with("pass"))
}

/// The user, which only the address of a socket has in its query.
fn user_of(url: &str) -> Option<&str> {
    let (scheme, place, mut query) = parts(url);
    if ["redis", "rediss"].contains(&scheme) {
        return before_host(scheme, place);
    }
    query.find(|(key, _)| *key == "user").map(|(_, user)| user)
}

impl fmt::Display for QueueAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.url, self.name)
    }
}

impl fmt::Debug for QueueAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "QueueAddress({self})")
    }
}
