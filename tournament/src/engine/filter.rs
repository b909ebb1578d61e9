//! The system calls that an engine in a sandbox may not make: those that build namespaces and mounts, look into other processes,
//! reach kernel keys, or leave set-ID programs behind. Everything else, threads and processes included, it may.
//!
//! A filter of the crate `seccompiler` has one answer, so each answer has its own filter. All kill a program of a foreign ABI,
//! whose calls have other numbers.

use seccompiler::SeccompCmpArgLen::Dword;
use seccompiler::SeccompCmpOp::{self, MaskedEq, Ne};
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
    sock_filter,
};
use std::collections::BTreeMap;
use std::io;

/// Calls that are refused whatever is asked for. An `io_uring` makes calls that no filter sees.
const REFUSED: [i64; 28] = [
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    OPEN_TREE_ATTR,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
];
/// Calls whose arguments are in memory, which filters cannot read. Programs fall back to older calls if these are unknown.
const UNKNOWN: [i64; 2] = [libc::SYS_clone3, libc::SYS_openat2];
/// Calls that `libc` does not name on every architecture, where they have the same numbers.
const FCHMODAT2: i64 = 452;
const OPEN_TREE_ATTR: i64 = 467;

/// The kinds of namespaces that `clone` makes.
const NAMESPACES: [libc::c_int; 7] = [
    libc::CLONE_NEWNS,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
];
/// The bits by which a program runs with the rights of its owner or group.
const SET_ID: [u32; 2] = [libc::S_ISUID, libc::S_ISGID];
/// The flags with which `open` makes a file.
const MAKES: [libc::c_int; 2] = [libc::O_CREAT, libc::O_TMPFILE & !libc::O_DIRECTORY];
/// Calls that set a mode, and the place of the mode among their arguments.
const MODES: &[(i64, u8)] = &[
    (libc::SYS_fchmod, 1),
    (libc::SYS_fchmodat, 2),
    (FCHMODAT2, 2),
    (libc::SYS_mknodat, 2),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_chmod, 1),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_creat, 1),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_mknod, 1),
];
/// Calls that may make a file, with the places of flags and mode. Of folders the system takes no such bits.
const OPENS: &[(i64, u8, u8)] = &[
    (libc::SYS_openat, 2, 3),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, 1, 2),
];
/// The families of sockets: on this machine, and IP.
const FAMILIES: [libc::c_int; 3] = [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6];

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// The filters, as bytes for the system.
pub(super) fn filters() -> io::Result<Vec<Vec<u8>>> {
    let failed = |error: BackendError| {
        let architecture = std::env::consts::ARCH;
        io::Error::other(format!("no filter of system calls can be made for {architecture}: {error}"))
    };
    let mut filters = compiled().map_err(failed)?;
    filters.extend(cfg!(target_arch = "x86_64").then(without_x32));
    Ok(filters.iter().map(|filter| filter.iter().flat_map(bytes).collect()).collect())
}

fn compiled() -> Result<Vec<BpfProgram>, BackendError> {
    let target = TargetArch::try_from(std::env::consts::ARCH)?;
    let all = |calls: &[i64]| calls.iter().map(|&call| (call, Vec::new())).collect::<Rules>();
    let mut refused = all(&REFUSED);
    refused.insert(
        libc::SYS_clone,
        NAMESPACES.map(|flag| rule(&[has(0, flag as u32)])).into_iter().collect::<Result<_, _>>()?,
    );
    for &(call, mode) in MODES {
        let rules = SET_ID.map(|bit| rule(&[has(mode, bit)]));
        refused.insert(call, rules.into_iter().collect::<Result<_, _>>()?);
    }
    for &(call, flags, mode) in OPENS {
        let makes = |bit| MAKES.map(|flag| rule(&[has(flags, flag as u32), has(mode, bit)]));
        refused.insert(call, SET_ID.into_iter().flat_map(makes).collect::<Result<_, _>>()?);
    }
    let foreign = FAMILIES.map(|family| (0, Ne, family as u64));
    let families = [libc::SYS_socket, libc::SYS_socketpair].map(|call| Ok((call, vec![rule(&foreign)?])));
    let families = families.into_iter().collect::<Result<Rules, BackendError>>()?;
    let answers = [(refused, libc::EPERM), (all(&UNKNOWN), libc::ENOSYS), (families, libc::EAFNOSUPPORT)];
    let filter = |(rules, answer): (Rules, libc::c_int)| {
        let answer = SeccompAction::Errno(answer as u32);
        SeccompFilter::new(rules, SeccompAction::Allow, answer, target)?.try_into()
    };
    answers.into_iter().map(filter).collect()
}

/// A condition: the place of an argument, the comparison, and its operand.
type Condition = (u8, SeccompCmpOp, u64);

fn has(argument: u8, bit: u32) -> Condition {
    (argument, MaskedEq(bit.into()), bit.into())
}

fn rule(conditions: &[Condition]) -> Result<SeccompRule, BackendError> {
    let condition = |(argument, by, value): Condition| SeccompCondition::new(argument, Dword, by, value);
    SeccompRule::new(conditions.iter().cloned().map(condition).collect::<Result<_, _>>()?)
}

/// The calls of x32 pass for native ones, with this bit in their numbers. A filter of the crate knows single numbers only.
fn without_x32() -> BpfProgram {
    const X32: u32 = 0x4000_0000;
    let jump_if_set = (libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K) as u16;
    let number = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
    let answer = (libc::BPF_RET | libc::BPF_K) as u16;
    let step = |code, jt, k| sock_filter { code, jt, jf: 0, k };
    vec![
        step(number, 0, 0),
        step(jump_if_set, 1, X32),
        step(answer, 0, libc::SECCOMP_RET_ALLOW),
        step(answer, 0, libc::SECCOMP_RET_KILL_PROCESS),
    ]
}

fn bytes(step: &sock_filter) -> [u8; 8] {
    let [code0, code1] = step.code.to_ne_bytes();
    let [k0, k1, k2, k3] = step.k.to_ne_bytes();
    [code0, code1, step.jt, step.jf, k0, k1, k2, k3]
}
