//! Executables on the queue, for workers that have not got them: in pieces, by the hash of the whole.
//!
//! Only a coordinator that is asked to puts them there. They are removed with the rest of the match, and forgotten a day after
//! their coordinator was last seen.

use super::address::QueueAddress;
use super::broker::{Broker, LOCKED};
use super::error::QueueError;
use super::job::Job;
use super::options::QueueOptions;
use crate::engine::{ContentHash, ProgramContent};
use crate::plan::Contestant;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};

/// The bytes of a piece, so that no message is large.
pub(super) const PIECE: u64 = 1 << 20;

/// How many pieces an executable has.
pub(super) fn pieces(content: &ProgramContent) -> u64 {
    content.bytes.div_ceil(PIECE)
}

/// How many bytes a piece has, by its place from 0.
pub(super) fn piece_length(content: &ProgramContent, place: u64) -> usize {
    content.bytes.saturating_sub(place * PIECE).min(PIECE) as usize
}

/// The executables on the queue, for a coordinator.
pub(super) struct Offer {
    /// Whether there are any.
    wanted: bool,
    /// The coordinator, which goes on holding the lock of its queue.
    me: String,
    address: QueueAddress,
}

impl Offer {
    /// The offer of the options, by the coordinator with this name.
    pub fn new(options: &QueueOptions, me: &str) -> Offer {
        Offer { wanted: options.offer_engines, me: me.to_owned(), address: options.address.clone() }
    }

    /// Puts the executables into the queue, and goes on holding its lock meanwhile.
    ///
    /// # Errors
    /// If the broker does not take them, or one is no longer what the job says.
    pub fn begin(
        &self,
        broker: &mut Broker,
        job: &Job,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<(), QueueError> {
        if !self.wanted {
            return Ok(());
        }
        put(broker, job, &mut |broker| match broker.lock(&self.me, LOCKED)? {
            Some(holder) => Err(QueueError::taken(&self.address, &holder)),
            None => Ok(!is_stopped()),
        })
    }

    /// Keeps them there, or puts them there again. Returns what a user should know if they cannot be had any more.
    ///
    /// # Errors
    /// If the broker does not take them.
    pub fn keep(
        &mut self,
        broker: &mut Broker,
        job: &Job,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Option<String>, QueueError> {
        if !self.wanted {
            return Ok(None);
        }
        let expected: u64 = distinct(job).values().map(|(content, _)| pieces(content)).sum();
        if broker.offered()? >= expected {
            return broker.keep_offer().map(|()| None);
        }
        match self.begin(broker, job, is_stopped) {
            Err(QueueError::System(problem)) => {
                self.wanted = false;
                Ok(Some(problem))
            }
            offered => offered.map(|()| None),
        }
    }
}

/// Puts all executables of a job into the queue, each once. Before each piece `go_on` says whether to go on.
fn put(
    broker: &mut Broker,
    job: &Job,
    go_on: &mut dyn FnMut(&mut Broker) -> Result<bool, QueueError>,
) -> Result<(), QueueError> {
    for (content, contestant) in distinct(job).into_values() {
        let engine = &contestant.engine;
        let failed = |problem: String| {
            let (name, command) = (&engine.name, engine.command.display());
            QueueError::System(format!("{name}: {command} cannot be offered to workers: {problem}"))
        };
        let path = engine.program().ok_or_else(|| failed("there is no such file".to_owned()))?;
        let mut hash = ContentHash::default();
        let mut file = File::open(&path).map_err(|error| failed(error.to_string()))?;
        for place in 0..pieces(content) {
            if !go_on(broker)? {
                return Ok(());
            }
            let piece = read_piece(&mut file, piece_length(content, place));
            let piece = piece.map_err(|error| failed(error.to_string()))?;
            hash.update(&piece);
            broker.offer(&content.sha256, place, &piece)?;
        }
        if hash.content() != *content {
            return Err(failed("it has been changed since the match began".to_owned()));
        }
    }
    broker.keep_offer()
}

/// Each executable once, with an engine that it is of.
fn distinct(job: &Job) -> BTreeMap<&str, (&ProgramContent, &Contestant)> {
    let both = job.contents().zip(&job.plan.contestants);
    both.map(|(content, contestant)| (content.sha256.as_str(), (content, contestant))).collect()
}

fn read_piece(file: &mut File, length: usize) -> io::Result<Vec<u8>> {
    let mut piece = Vec::with_capacity(length);
    file.take(length as u64).read_to_end(&mut piece)?;
    Ok(piece)
}

/// Bytes in the unit that people read: 1.5 MiB.
pub(super) fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}
