//! Where a queue is: a broker, and a name there.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// The name of a queue that is not named.
const DEFAULT_NAME: &str = "match";
/// The most characters of a name, and of an address.
const MAX_NAME: usize = 64;
const MAX_URL: usize = 1_000;
/// The schemes of an address.
const SCHEMES: [&str; 4] = ["redis", "rediss", "redis+unix", "unix"];

/// A broker's address and the name of a queue there: `redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE][#NAME]`.
#[derive(Clone, PartialEq, Eq)]
pub struct QueueAddress {
    url: String,
    name: String,
}

/// A text is not the address of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// It does not begin with a scheme.
    #[error("expected redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE][#NAME], or rediss://... for TLS")]
    Scheme,
    /// Its name is none.
    #[error("after the #: expected the name of a queue, 1 to {MAX_NAME} letters, digits, `-`, `_` or `.`")]
    Name,
    /// Others on the way could read it.
    #[error(
        "redis:// is not encrypted, so others could read the password and change jobs: use rediss:// (TLS), or --insecure if \
         nobody else is on this network"
    )]
    Plaintext,
    /// It has no end, or characters that do not belong there.
    #[error("expected at most {MAX_URL} printable characters")]
    Characters,
}

impl QueueAddress {
    /// The broker's address, with its password.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The address as it can be shown and kept: without password and query.
    #[must_use]
    pub fn without_secrets(&self) -> String {
        let url = self.url.split_once('?').map_or(self.url.as_str(), |(url, _)| url);
        let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
        let rest = match rest.rsplit_once('@') {
            Some((user, host)) => match user.split_once(':').map_or(user, |(user, _)| user) {
                "" => host.to_owned(),
                user => format!("{user}@{host}"),
            },
            None => rest.to_owned(),
        };
        format!("{scheme}://{rest}#{}", self.name)
    }

    /// Whether nobody on the way can read what is sent there: TLS, a socket of this machine, or this machine itself.
    #[must_use]
    pub fn is_private(&self) -> bool {
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
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl FromStr for QueueAddress {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<QueueAddress, AddressError> {
        if text.len() > MAX_URL || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(AddressError::Characters);
        }
        let (url, name) = text.split_once('#').unwrap_or((text, DEFAULT_NAME));
        let known =
            url.split_once("://").is_some_and(|(scheme, rest)| SCHEMES.contains(&scheme) && !rest.is_empty());
        if !known {
            return Err(AddressError::Scheme);
        }
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        if name.is_empty() || name.len() > MAX_NAME || !name.bytes().all(fits) {
            return Err(AddressError::Name);
        }
        Ok(QueueAddress { url: url.to_owned(), name: name.to_owned() })
    }
}

impl fmt::Display for QueueAddress {
    /// Without the password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scheme, rest) = self.url.split_once("://").unwrap_or(("", &self.url));
        // A query may hold secrets, too.
        let rest = rest.split_once('?').map_or(rest, |(rest, _)| rest);
        match rest.rsplit_once('@') {
            Some((user, host)) => {
                let user = user.split_once(':').map_or(user, |(user, _)| user);
                write!(f, "{scheme}://{user}:***@{host}#{}", self.name)
            }
            None => write!(f, "{scheme}://{rest}#{}", self.name),
        }
    }
}

impl fmt::Debug for QueueAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "QueueAddress({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_reached_without_encryption() {
        let is_private = |text: &str| text.parse::<QueueAddress>().expect("an address").is_private();
        for text in [
            "redis://localhost",
            "redis://:p@127.0.0.1:6379/2#x",
            "redis://[::1]:1",
            "redis://a:b@127.3.2.1",
            "rediss://host",
            "unix:///run/redis.sock",
            "redis+unix:///run/redis.sock",
        ] {
            assert!(is_private(text), "{text}");
        }
        for text in [
            "redis://host",
            "redis://10.0.0.1",
            "redis://[2001:db8::1]",
            "redis://localhost.example",
            "redis://127.0.0.1@host",
            "redis://u:localhost@host",
            "redis://127.0.0.1.example",
            "redis://0.0.0.0",
            "redis://host/127.0.0.1",
            "redis://:1",
        ] {
            assert!(!is_private(text), "{text}");
        }
    }

    #[test]
    fn addresses_are_read_and_shown_without_their_passwords() {
        for (text, shown) in [
            ("redis://host", "redis://host#match"),
            ("redis://host:6380/2#sprt-1.b", "redis://host:6380/2#sprt-1.b"),
            ("rediss://ann:se:cr@t@host/0#x", "rediss://ann:***@host/0#x"),
            ("redis://:secret@[::1]:1", "redis://:***@[::1]:1#match"),
            ("redis://host?password=secret", "redis://host#match"),
            ("unix:///run/redis.sock#a", "unix:///run/redis.sock#a"),
            // A name like any other, that redis is not told: there it would mean to believe any certificate.
            ("rediss://host/#insecure", "rediss://host/#insecure"),
        ] {
            let address: QueueAddress = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(address.to_string(), shown);
            assert!(!format!("{address:?}").contains("se:") && !shown.contains("secret"), "{address:?}");
            assert!(!address.url().contains('#'), "{}", address.url());
        }
        for (text, error) in [
            ("host:6379", AddressError::Scheme),
            ("http://host", AddressError::Scheme),
            ("redis://", AddressError::Scheme),
            ("redis://host#", AddressError::Name),
            ("redis://host#a b", AddressError::Characters),
            ("redis://host#a{b}", AddressError::Name),
            ("redis://h\u{1b}ost", AddressError::Characters),
        ] {
            assert_eq!(text.parse::<QueueAddress>(), Err(error), "{text}");
        }
        assert_eq!(
            format!("redis://host#{}", "x".repeat(65)).parse::<QueueAddress>(),
            Err(AddressError::Name)
        );
    }
}
