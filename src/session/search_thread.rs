//! The search thread.

use super::job::{AfterPause, Event, Job, JobControl, JobRunner};
use super::spin::{poll, spin};
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use std::io;
use std::sync::Arc;
use std::thread;

/// The session's end of the channels.
pub struct JobChannels {
    /// Takes jobs, one at a time.
    pub jobs: Sender<(Job, Arc<JobControl>)>,
    /// The job's events. After the last one the thread waits for the next job.
    pub events: Receiver<Event>,
}

/// Starts the search thread, which ends when the session drops its end of the channels.
///
/// # Errors
/// If the system starts no thread.
pub fn start() -> io::Result<JobChannels> {
    let (job_sender, jobs) = bounded::<(Job, Arc<JobControl>)>(1);
    // A search sends a few hundred events at most, so the channel stays small.
    let (events, event_receiver) = unbounded();
    let work = move || {
        // Without a session the events are dropped; the channel of jobs is closed then too.
        let runner = JobRunner { tell: &|event| drop(events.send(event)), pause: &|| AfterPause::GoOn };
        while let Ok((job, control)) = spin(|| poll(&jobs)).unwrap_or_else(|| jobs.recv()) {
            let left = runner.run(job, &control);
            debug_assert!(left.is_none(), "no pause asks for it");
        }
    };
    thread::Builder::new().name("search".to_owned()).spawn(work)?;
    Ok(JobChannels { jobs: job_sender, events: event_receiver })
}
