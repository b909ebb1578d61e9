//! Kroo as WebAssembly: a conversation over the line protocol, for a worker of a browser.
//!
//! Use it where a page needs the engine without a server: `clients/wasm/page/kroo.js` is its host, in the page and in the npm
//! package. The module has one conversation, on the thread of its host. Three types of `kroo` do the work: `SlicedSession`
//! answers lines and searches in slices of time, `AfterPause` tells it whether to go on after a slice, and `Settings` are its
//! options.
//!
//! # One line, from the host to the answer
//! ```js
//! const { instance } = await WebAssembly.instantiate(bytes, { kroo: { now, say, pause } });
//! const { memory, start, room, line, work } = instance.exports;
//! start();                                                              // 0: the conversation has begun
//! const text = new TextEncoder().encode("go movetime 500");
//! const place = room(text.length);
//! new Uint8Array(memory.buffer, place, text.length).set(text);
//! line(text.length);                                                    // the search is now a job
//! while (work(10)) await new Promise((go) => setTimeout(go));           // `say` gets `info …`, then `bestmove …`
//! ```
//!
//! # The interface, in C's way of calling
//!
//! | export | what it does |
//! |---|---|
//! | `start()` | begins the conversation; 0 on success |
//! | `room(length)` | where to write a line of `length` bytes |
//! | `line(length)` | answers the line that was written there |
//! | `games(length)` | reads the `length` bytes there as a game file, and answers its games as a line of JSON |
//! | `write(length)` | writes the game in the `length` bytes of JSON there, and answers its text in a line of JSON |
//! | `work(slice)` | does the work that the lines have started, and calls `pause` after each slice of `slice` milliseconds; 1 if work is left |
//! | `is_over()` | 1 after `quit` |
//!
//! | import | what it does |
//! |---|---|
//! | `kroo.now()` | the time in milliseconds since some moment |
//! | `kroo.say(start, length)` | takes lines of output, as UTF-8 |
//! | `kroo.pause()` | gives the thread to others for a moment, which may call `room` and `line`, and returns 0. A host that cannot do that returns 1: `work` then returns, and the next call resumes its search |
//!
//! # Imports
//! It imports `kroo`, and nothing of a browser: time, output and pauses come from the host. It must not need threads, files
//! or signals. On other targets this package is empty.

#![cfg(target_family = "wasm")]
#![allow(unsafe_code, reason = "the other side of a C interface is what it is, and exports have fixed names")]

use kroo::ogn;
use kroo::protocol::Settings;
use kroo::session::{AfterPause, SlicedSession};
use kroo::time;
use std::cell::{OnceCell, RefCell};
use std::io::{self, Write};
use std::time::Duration;

#[link(wasm_import_module = "kroo")]
unsafe extern "C" {
    safe fn now() -> f64;
    fn say(start: *const u8, length: usize);
    safe fn pause() -> u32;
}

thread_local! {
    static SESSION: OnceCell<SlicedSession<Output>> = const { OnceCell::new() };
    static LINE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Passes on output, whole lines at a time.
struct Output(Vec<u8>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.0.is_empty() {
            // SAFETY: the bytes stay where they are while the host copies them.
            unsafe { say(self.0.as_ptr(), self.0.len()) };
            self.0.clear();
        }
        Ok(())
    }
}

/// Begins the conversation; 0 on success, 1 without enough memory.
#[unsafe(no_mangle)]
pub extern "C" fn start() -> u32 {
    time::set_clock(|| Duration::from_secs_f64(now().max(0.0) / 1000.0));
    match SlicedSession::new(Output(Vec::new()), Settings::default()) {
        Ok(session) => SESSION.with(|place| u32::from(place.set(session).is_err())),
        Err(_) => 1,
    }
}

/// Where to write a line of `length` bytes. Valid until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    LINE.with(|line| {
        let mut line = line.borrow_mut();
        line.clear();
        line.resize(length, 0);
        line.as_mut_ptr()
    })
}

/// Answers the line in the first `length` bytes of the [`room`].
#[unsafe(no_mangle)]
pub extern "C" fn line(length: usize) {
    let bytes = LINE.take();
    let text = String::from_utf8_lossy(&bytes[..length.min(bytes.len())]);
    // The host takes all output: no error can occur.
    let _ = with_session(|session| session.take_line(&text));
}

/// Reads the first `length` bytes of the [`room`] as a game file, and answers its games as a line of JSON.
#[unsafe(no_mangle)]
pub extern "C" fn games(length: usize) {
    answer(length, ogn::as_json);
}

/// Writes the game in the first `length` bytes of the [`room`], which are JSON, and answers its text in a line of JSON.
#[unsafe(no_mangle)]
pub extern "C" fn write(length: usize) {
    answer(length, ogn::from_json);
}

/// Answers the first `length` bytes of the [`room`] with a line.
fn answer(length: usize, line: fn(&[u8]) -> String) {
    let bytes = LINE.take();
    let mut output = Output((line(&bytes[..length.min(bytes.len())]) + "\n").into_bytes());
    // The host takes all output: no error can occur.
    let _ = output.flush();
}

/// Does the work that the lines have started, and pauses after each slice of `slice` milliseconds; 1 if work is left.
#[unsafe(no_mangle)]
pub extern "C" fn work(slice: u32) -> u32 {
    let pause = || if pause() == 0 { AfterPause::GoOn } else { AfterPause::Leave };
    let slice = Duration::from_millis(slice.into());
    let left = with_session(|session| session.work(slice, &pause).unwrap_or(false));
    u32::from(left.unwrap_or(false))
}

/// Whether `quit` has ended the conversation: 1 if so.
#[unsafe(no_mangle)]
pub extern "C" fn is_over() -> u32 {
    u32::from(with_session(|session| session.is_over()).unwrap_or(true))
}

/// Does something with the conversation; nothing if it has not begun.
fn with_session<T>(act: impl FnOnce(&SlicedSession<Output>) -> T) -> Option<T> {
    SESSION.with(|place| place.get().map(act))
}
