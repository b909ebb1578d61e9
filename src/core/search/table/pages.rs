//! Large pages for the memory of the table.

use std::sync::atomic::AtomicU64;

/// Bytes of a system page, or fewer: with larger pages each is handled more than once.
pub(super) const PAGE: usize = 4096;

/// Requests pages of 2 MiB instead of 4 KiB. Accesses to the table are random, and with small pages most of them miss the TLB
/// as well as the cache.
///
/// Measured with the allocator requesting the same (`GLIBC_TUNABLES=glibc.malloc.hugetlb=1`): 1.25 to 1.33 times the nodes a
/// second in `kroo bench` with 16 MiB, 1.32 times in `kalah` with 400 MiB.
#[cfg(all(target_os = "linux", not(miri)))]
pub(super) fn ask_for_large_pages(words: &[AtomicU64]) {
    let start = words.as_ptr() as usize;
    let (first, end) = (start.next_multiple_of(PAGE), start + size_of_val(words));
    let Some(length) = end.checked_sub(first) else { return };
    // SAFETY: the range is in one allocation, which `words` borrows. The advice changes only the size of its pages, not its
    // content or validity.
    #[expect(
        unsafe_code,
        reason = "there is no safe way to give the advice, and it is worth a quarter of the speed"
    )]
    let advised = unsafe { rustix::mm::madvise(first as *mut _, length, rustix::mm::Advice::LinuxHugepage) };
    // Without large pages, small ones suffice.
    let _ = advised;
}

#[cfg(not(all(target_os = "linux", not(miri))))]
pub(super) fn ask_for_large_pages(_words: &[AtomicU64]) {}
