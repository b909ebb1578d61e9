//! Open files that the program was started with.
//!
//! A launcher, a runner of jobs or a shell can leave descriptors open to the programs that it starts: of a lock, a folder, a
//! socket. This program needs none but standard input, output and error, and passes no other on to the programs that it starts,
//! which it need not trust: through a descriptor of a folder an engine leaves its sandbox.

use std::fs;

/// The first descriptor after standard input, output and error.
const FIRST: libc::c_int = 3;
/// Where a system lists the descriptors of a process.
const LISTS: [&str; 2] = ["/proc/self/fd", "/dev/fd"];

/// Closes, in every program started from here, the descriptors that this program inherited. Call it first: descriptors opened
/// later are closed on start by their owners.
pub fn pass_none_on() {
    if all_at_once() {
        return;
    }
    let found = LISTS.iter().find_map(|list| fs::read_dir(list).ok()).into_iter().flatten().flatten();
    let numbers: Vec<_> = found.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    for number in numbers.into_iter().filter(|&number| number >= FIRST) {
        // SAFETY: the call changes a flag of a descriptor; of one that is closed it changes nothing.
        #[expect(unsafe_code, reason = "the safe calls take only descriptors that this program has opened")]
        let changed = unsafe { libc::fcntl(number, libc::F_SETFD, libc::FD_CLOEXEC) };
        // The list's own descriptor is closed again.
        let _ = changed;
    }
}

/// Has the system do it; says whether it has. Linux does since 5.11.
#[cfg(target_os = "linux")]
fn all_at_once() -> bool {
    // SAFETY: the call changes a flag of descriptors.
    #[expect(unsafe_code, reason = "neither std nor rustix has this call")]
    let failed = unsafe { libc::syscall(libc::SYS_close_range, FIRST, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) };
    failed == 0
}

#[cfg(not(target_os = "linux"))]
fn all_at_once() -> bool {
    false
}
