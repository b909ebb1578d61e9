//! A connection to a broker, made again when it is lost; and its replies, as plain values.

use super::address::QueueAddress;
use super::error::QueueError;
use super::password::password;
use super::tls;
use crate::failure::Failure;
use redis::{Cmd, ErrorKind, IntoConnectionInfo, RedisError, ServerErrorKind, Value};
use std::time::Duration;

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

/// A connection. While it is lost, every question tries to make it again.
pub(super) struct Connection {
    address: QueueAddress,
    client: redis::Client,
    open: Option<redis::Connection>,
}

/// An entry of a stream: its number there, and its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StreamEntry {
    pub id: String,
    fields: Vec<(Vec<u8>, Vec<u8>)>,
}

impl StreamEntry {
    /// The value of a field.
    pub fn field(&self, name: &str) -> Option<&[u8]> {
        self.fields.iter().find(|(field, _)| field == name.as_bytes()).map(|(_, value)| value.as_slice())
    }

    /// The value of a field that is a short text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.field(name).and_then(|value| std::str::from_utf8(value).ok())
    }
}

impl Connection {
    /// To this broker; it is not asked yet.
    ///
    /// # Errors
    /// If the address is invalid.
    pub fn new(address: &QueueAddress) -> Result<Connection, QueueError> {
        let refused = |error: RedisError| refused(address, &described(&error));
        let info = address.url().into_connection_info().map_err(refused)?;
        let settings = info.redis_settings().clone();
        let info = match password().map_err(QueueError::System)? {
            Some(password) => info.set_redis_settings(settings.set_password(password)),
            None => info,
        };
        let client = tls::client(address, info)?;
        Ok(Connection { address: address.clone(), client, open: None })
    }

    /// Asks the broker something, which may take longer than an answer usually takes, by `wait`.
    pub fn ask_waiting(&mut self, command: &Cmd, wait: Duration) -> Result<Value, QueueError> {
        let connection = self.connected()?;
        let answer = connection
            .set_read_timeout(Some(ANSWER + wait))
            .and_then(|()| connection.set_write_timeout(Some(ANSWER)))
            .and_then(|()| command.query::<Value>(connection))
            .and_then(Value::extract_error);
        answer.map_err(|error| self.failed(&error))
    }

    /// Asks the broker something.
    pub fn ask(&mut self, command: &Cmd) -> Result<Value, QueueError> {
        self.ask_waiting(command, Duration::ZERO)
    }

    /// Asks the broker several things at once, and waits for all answers.
    pub fn ask_all(&mut self, commands: &redis::Pipeline) -> Result<(), QueueError> {
        let connection = self.connected()?;
        let answers = connection
            .set_read_timeout(Some(ANSWER))
            .and_then(|()| connection.set_write_timeout(Some(ANSWER)))
            .and_then(|()| commands.query::<Value>(connection));
        answers.map(drop).map_err(|error| self.failed(&error))
    }

    /// A reply of another kind than was asked for.
    pub fn unexpected(&self, what: &str) -> QueueError {
        refused(&self.address, &format!("something else than {what}, which no broker of streams says"))
    }

    fn connected(&mut self) -> Result<&mut redis::Connection, QueueError> {
        if self.open.is_none() {
            match self.client.get_connection_with_timeout(CONNECT) {
                Ok(connection) => self.open = Some(connection),
                Err(error) => {
                    let advice = tls::advice(&self.address, &error);
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
        if let Some(untrusted) = tls::untrusted(&self.address, error) {
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

/// An error on one line, of which the end does not matter.
fn described(error: &RedisError) -> String {
    const LONGEST: usize = 300;
    if error.is_timeout() {
        return "no answer in time".to_owned();
    }
    kroo::printable::line(&error.to_string()).chars().take(LONGEST).collect()
}

/// The text of a reply.
pub(super) fn text(value: &Value) -> Option<String> {
    match value {
        Value::BulkString(bytes) => String::from_utf8(bytes.clone()).ok(),
        Value::SimpleString(text) => Some(text.clone()),
        Value::Okay => Some("OK".to_owned()),
        Value::Int(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The bytes of a reply.
pub(super) fn bytes(value: Value) -> Option<Vec<u8>> {
    match value {
        Value::BulkString(bytes) => Some(bytes),
        _ => None,
    }
}

/// The list of a reply; none is an empty one.
pub(super) fn list(value: Value) -> Option<Vec<Value>> {
    match value {
        Value::Array(list) => Some(list),
        Value::Nil => Some(Vec::new()),
        _ => None,
    }
}

/// The names and values of a reply.
pub(super) fn pairs(value: Value) -> Option<Vec<(Vec<u8>, Vec<u8>)>> {
    let mut flat = list(value)?.into_iter();
    let mut pairs = Vec::with_capacity(flat.len() / 2);
    while let Some(name) = flat.next() {
        pairs.push((bytes(name)?, bytes(flat.next()?)?));
    }
    Some(pairs)
}

/// The entries of a part of a stream. Those that have been deleted meanwhile are left out.
pub(super) fn entries(value: Value) -> Option<Vec<StreamEntry>> {
    let entry = |value: Value| -> Option<Option<StreamEntry>> {
        if value == Value::Nil {
            return Some(None);
        }
        let mut parts = list(value)?.into_iter();
        let (id, fields) = (text(&parts.next()?)?, parts.next()?);
        if fields == Value::Nil {
            return Some(None);
        }
        Some(Some(StreamEntry { id, fields: pairs(fields)? }))
    };
    let entries: Option<Vec<Option<StreamEntry>>> = list(value)?.into_iter().map(entry).collect();
    Some(entries?.into_iter().flatten().collect())
}

/// The entries of several streams, by their keys.
pub(super) fn streams(value: Value) -> Option<Vec<(String, Vec<StreamEntry>)>> {
    let stream = |value: Value| -> Option<(String, Vec<StreamEntry>)> {
        let mut parts = list(value)?.into_iter();
        Some((text(&parts.next()?)?, entries(parts.next()?)?))
    };
    list(value)?.into_iter().map(stream).collect()
}
