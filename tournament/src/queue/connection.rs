//! A connection to a broker, made again when it is lost. With TLS the certificates of the system's authorities are believed, or
//! those of the authorities in a file that the user names. There is no way to believe any other: redis's own way of asking for
//! that, a fragment of the address, is the name of the queue here.

use super::address::{CA_VARIABLE, QueueAddress};
use super::error::{QueueError, no_field};
use super::password::password;
use crate::failure::Failure;
use redis::{
    Client, Cmd, ConnectionAddr, ConnectionInfo, ErrorKind, FromRedisValue, IntoConnectionInfo, RedisError,
    ServerErrorKind, TlsCertificates, Value,
};
use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Duration;
use std::{env, fs};

/// How long the broker may take to answer, besides the time that it is asked to wait.
const ANSWER: Duration = Duration::from_secs(10);
/// How long it may take to connect.
const CONNECT: Duration = Duration::from_secs(5);
/// Errors of a broker that is not ready yet, or no longer.
/// OOM and MISCONF: it has no memory or disk for another message until results are taken out.
const PASSING: [&str; 8] =
    ["LOADING", "BUSY", "TRYAGAIN", "MASTERDOWN", "CLUSTERDOWN", "OOM", "MISCONF", "READONLY"];
/// Errors of a broker without this queue.
const FORGOTTEN: [&str; 2] = ["NOGROUP", "UNBLOCKED"];

/// How a certificate begins in a file.
const CERTIFICATE: &str = "-----BEGIN CERTIFICATE-----";
/// The longest file of certificates, in bytes; that of a system has a quarter of a megabyte.
const MOST: u64 = 16 << 20;
/// How the text of an error about a certificate begins.
const REFUSED: &str = "invalid peer certificate";

/// A connection. While it is lost, every question tries to make it again.
pub(super) struct Connection {
    address: QueueAddress,
    client: Client,
    open: Option<redis::Connection>,
}

/// An entry of a stream: its number there, and its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StreamEntry {
    pub id: String,
    fields: HashMap<Vec<u8>, Vec<u8>>,
}

/// An entry as the broker shows it: nothing, or without fields, if it has been deleted meanwhile.
pub(super) type ShownEntry = Option<(String, Option<HashMap<Vec<u8>, Vec<u8>>>)>;

impl StreamEntry {
    /// The entries of a part of a stream.
    pub fn list(shown: Vec<ShownEntry>) -> Vec<StreamEntry> {
        let kept = shown.into_iter().flatten();
        kept.filter_map(|(id, fields)| Some(StreamEntry { id, fields: fields? })).collect()
    }

    /// The value of a field.
    fn field(&self, name: &str) -> Option<&[u8]> {
        self.fields.get(name.as_bytes()).map(Vec::as_slice)
    }

    /// Its games, which batches and results have.
    pub fn games(&self) -> Result<&[u8], Failure> {
        self.field("games").ok_or_else(|| no_field("games"))
    }

    /// The value of a field that is a short text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.field(name).and_then(|value| str::from_utf8(value).ok())
    }
}

impl Connection {
    /// To this broker; it is not asked yet.
    pub fn new(address: &QueueAddress) -> Result<Connection, QueueError> {
        let refused = |error: RedisError| refused(address, &described(&error));
        let info = address.url().into_connection_info().map_err(refused)?;
        let settings = info.redis_settings().clone();
        let info = match password().map_err(QueueError::System)? {
            Some(password) => info.set_redis_settings(settings.set_password(password)),
            None => info,
        };
        let client = client(address, info)?;
        Ok(Connection { address: address.clone(), client, open: None })
    }

    /// Asks the broker something, which may take longer than an answer usually takes, by `wait`.
    pub fn ask_waiting<T: FromRedisValue>(&mut self, command: &Cmd, wait: Duration) -> Result<T, QueueError> {
        let value = self.query(wait, |connection| command.query(connection))?;
        let unexpected = "something else than was asked for, which no broker of streams says";
        T::from_redis_value(value).map_err(|_| refused(&self.address, unexpected))
    }

    /// Asks the broker something.
    pub fn ask<T: FromRedisValue>(&mut self, command: &Cmd) -> Result<T, QueueError> {
        self.ask_waiting(command, Duration::ZERO)
    }

    /// Asks the broker several things at once, and waits for all answers.
    pub fn ask_all(&mut self, commands: &redis::Pipeline) -> Result<(), QueueError> {
        self.query(Duration::ZERO, |connection| commands.query(connection)).map(drop)
    }

    fn query(
        &mut self,
        wait: Duration,
        query: impl FnOnce(&mut redis::Connection) -> redis::RedisResult<Value>,
    ) -> Result<Value, QueueError> {
        let connection = self.connected()?;
        let answer = connection
            .set_read_timeout(Some(ANSWER + wait))
            .and_then(|()| connection.set_write_timeout(Some(ANSWER)))
            .and_then(|()| query(connection))
            .and_then(Value::extract_error);
        answer.map_err(|error| self.failed(&error))
    }

    fn connected(&mut self) -> Result<&mut redis::Connection, QueueError> {
        if self.open.is_none() {
            match self.client.get_connection_with_timeout(CONNECT) {
                Ok(connection) => self.open = Some(connection),
                Err(error) => {
                    let advice = advice(&self.address, &error);
                    return Err(match self.failed(&error) {
                        QueueError::Passing(lost) => {
                            QueueError::Passing(Failure::new(format!("{lost}{advice}")))
                        }
                        other => other,
                    });
                }
            }
        }
        self.open.as_mut().ok_or_else(|| QueueError::System("no connection".to_owned()))
    }

    fn failed(&mut self, error: &RedisError) -> QueueError {
        if let Some(untrusted) = untrusted(&self.address, error) {
            self.open = None;
            return untrusted;
        }
        let problem = described(error);
        let passing =
            |what| QueueError::Passing(Failure::at(&self.address, format!("the broker {what}: {problem}")));
        let code = error.code().unwrap_or_default();
        if error.is_io_error()
            || error.is_timeout()
            || error.is_connection_dropped()
            || error.kind() == ErrorKind::Parse
        {
            // What comes next on this connection might be the answer to this question.
            self.open = None;
            return passing("cannot be reached");
        }
        // Of several commands that were sent together only the text tells.
        let is_passing = |code: &&str| problem.contains(&format!("\"{code}\""));
        let passes = problem.starts_with("Pipeline failure") && PASSING.iter().any(is_passing);
        if passes
            || PASSING.contains(&code)
            || error.kind() == ErrorKind::Server(ServerErrorKind::BusyLoading)
        {
            return passing("cannot be reached");
        }
        if FORGOTTEN.contains(&code) {
            return passing("does not know the queue any more");
        }
        refused(&self.address, &problem)
    }
}

fn refused(address: &QueueAddress, problem: &str) -> QueueError {
    QueueError::at(address, format!("the broker says: {problem}"))
}

/// An error on one line, clipped.
fn described(error: &RedisError) -> String {
    const LONGEST: usize = 300;
    if error.is_timeout() {
        return "no answer in time".to_owned();
    }
    kroo::printable::line(&error.to_string()).chars().take(LONGEST).collect()
}

/// A client of a broker.
fn client(address: &QueueAddress, info: ConnectionInfo) -> Result<Client, QueueError> {
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
        _ => Client::open(info).map_err(|error| refused(address, &error.to_string())),
    }
}

/// The error of a connection to a server that cannot show that it is this broker; `None` if it is another one.
fn untrusted(address: &QueueAddress, error: &RedisError) -> Option<QueueError> {
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

/// Advice for an address whose broker breaks off or is silent when a connection begins.
fn advice(address: &QueueAddress, error: &RedisError) -> &'static str {
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
