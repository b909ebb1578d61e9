//! TLS: whom a broker's certificate is believed, and what is said when it is not.
//!
//! The authorities are those of the system, or those of a file that the user names. There is no way to believe any other
//! certificate: redis's own way of asking for that, a fragment of the address, is the name of the queue here.

use super::address::{CA_VARIABLE, QueueAddress};
use super::error::QueueError;
use redis::{Client, ConnectionAddr, ConnectionInfo, RedisError, TlsCertificates};
use std::path::PathBuf;
use std::{env, fs};

/// How a certificate begins in a file.
const CERTIFICATE: &str = "-----BEGIN CERTIFICATE-----";
/// The longest file of certificates, in bytes; that of a system has a quarter of a megabyte.
const MOST: u64 = 16 << 20;
/// How the text of an error about a certificate begins.
const REFUSED: &str = "invalid peer certificate";

/// A client of a broker.
///
/// # Errors
/// If the file of authorities cannot be used, or the address.
pub(super) fn client(address: &QueueAddress, info: ConnectionInfo) -> Result<Client, QueueError> {
    match (info.addr(), authorities()) {
        (ConnectionAddr::TcpTls { .. }, Some(path)) => {
            let failed = |problem: String| {
                QueueError::System(format!("{CA_VARIABLE}: {}: {problem}", kroo::files::shown(&path)))
            };
            let pem = match fs::metadata(&path) {
                Ok(file) if file.len() > MOST => {
                    return Err(failed(format!("it has more than {MOST} bytes")));
                }
                _ => fs::read(&path).map_err(|error| failed(error.to_string()))?,
            };
            if !String::from_utf8_lossy(&pem).contains(CERTIFICATE) {
                return Err(failed(format!("it has no certificate (PEM: {CERTIFICATE} ...)")));
            }
            Client::build_with_tls(info, TlsCertificates { client_tls: None, root_cert: Some(pem) })
                .map_err(|error| failed(error.to_string()))
        }
        _ => Client::open(info).map_err(|error| QueueError::at(address, format!("the broker says: {error}"))),
    }
}

/// The error of a connection to a server that cannot show that it is this broker; `None` if it is another one.
pub(super) fn untrusted(address: &QueueAddress, error: &RedisError) -> Option<QueueError> {
    let text = error.to_string();
    let (_, reason) = text.split_once(REFUSED)?;
    let advice = match authorities() {
        Some(path) => format!("{CA_VARIABLE} names {}", kroo::files::shown(&path)),
        None => format!("those of the system are known, and {CA_VARIABLE}=FILE names others (PEM)"),
    };
    let problem = kroo::printable::line(reason.trim_start_matches([':', ' ']));
    Some(QueueError::at(
        address,
        format!("the broker's certificate is refused: {problem}; its authority must be known: {advice}"),
    ))
}

/// Possible faults of an address whose broker breaks off or is silent when a connection begins.
pub(super) fn advice(address: &QueueAddress, error: &RedisError) -> &'static str {
    let scheme = address.url().split("://").next().unwrap_or_default();
    match scheme {
        "redis" if error.is_connection_dropped() && !error.is_connection_refusal() => {
            "; a broker with TLS has an address with rediss://"
        }
        "rediss" if !error.is_connection_refusal() => "; a broker without TLS has an address with redis://",
        _ => "",
    }
}

/// The file of authorities that the user names.
fn authorities() -> Option<PathBuf> {
    env::var_os(CA_VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from)
}
