//! Programs, and abilities of a machine, that tests need and some machines lack.
//!
//! A test that needs one calls [`has`], and is skipped without it. `KROO_REQUIRE=chromium,redis` makes it fail instead if one
//! of these is missing, `KROO_REQUIRE=all` if anything in [`TOOLS`] is. The last target of `cargo test`
//! (`tests/project/not_tested.rs`) lists the skipped tests.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, thread};

/// A program for tests, or an ability of the machine.
pub struct Tool {
    pub name: &'static str,
    /// The tests that are skipped without it.
    pub tested: &'static str,
    /// Its source.
    pub from: &'static str,
    is_here: fn() -> bool,
}

pub const TOOLS: &[Tool] = &[
    tool(
        "axe",
        "the accessibility of the page",
        "npm, and either the network or npm's cache of axe-core",
        || axe().is_some(),
    ),
    tool(
        "bwrap",
        "the sandbox",
        "the package bubblewrap with --ro-bind-fd, and a system that lets us make namespaces",
        sandboxes,
    ),
    tool(
        "cgroup",
        "control groups",
        "a system with control groups of version 2 that lets us make some",
        control_groups,
    ),
    tool("chromium", "the pages in a browser", "the package chromium", || browser().is_some()),
    tool("fish", "completions of fish", "the package fish", || runs("fish", "--version")),
    tool("groff", "the man pages", "the package groff", || runs("groff", "--version")),
    tool("kubernetes", "the manifests", "pip install kubernetes-validate", || {
        runs("kubernetes-validate", "--help")
    }),
    tool("maturin", "the wheel for Python", "pip install maturin", || runs("maturin", "--version")),
    tool("memory", "a hash table of a gibibyte", "a system that lets a process reserve 2 GiB", reserves),
    tool(
        "mpi",
        "endgames on many machines",
        "the packages openmpi-bin, libopenmpi-dev, libclang-dev",
        || runs("mpicc", "--version") && runs("mpirun", "--version"),
    ),
    tool("mypy", "the types of the package in Python", "pip install mypy", || {
        runs("python3", "-cimport mypy.api")
    }),
    tool("namespaces", "workers that lose the network", "root, and the package iproute2", network_namespaces),
    tool("node", "the pages in a browser, the client in JavaScript", "the package nodejs", || {
        runs("node", "--version")
    }),
    tool("npm", "the package for npm", "the package npm", || runs("npm", "--version")),
    tool("openssl", "queues with TLS", "the package openssl", || runs("openssl", "version")),
    tool(
        "openspiel",
        "games of OpenSpiel with Kroo",
        "pip install open_spiel, with Python 3.11 or later",
        || runs("python3", "-cimport pyspiel"),
    ),
    tool("parallel", "parts of a tournament played by GNU parallel", "the package parallel", || {
        runs("parallel", "--version")
    }),
    tool("proc", "the memory that an engine takes", "a system with /proc, such as Linux", || {
        Path::new("/proc/self/status").exists()
    }),
    tool("processors", "engines that are kept on one processor", "two processors", || {
        thread::available_parallelism().is_ok_and(|processors| processors.get() > 1)
    }),
    tool("pyarrow", "tables of Parquet", "pip install pyarrow", || runs("python3", "-cimport pyarrow")),
    tool("python", "the client and the package in Python", "the package python3", || {
        runs("python3", "--version")
    }),
    tool("redis", "matches through a queue", "the package redis-server", || {
        runs("redis-server", "--version")
    }),
    tool("root", "engines that attack, and links of another user", "tests that root runs", is_root),
    tool("script", "the referee's view of a match on a terminal", "the package bsdutils", || {
        runs("script", "--version")
    }),
    tool("slurm", "jobs of a real Slurm", "root, and the packages slurm-wlm and munge", || {
        is_root() && ["slurmctld", "slurmd", "munged"].iter().all(|name| runs(name, "-V"))
    }),
    tool("ssh", "workers started by a real ssh", "root, and the package openssh-server", || {
        is_root() && Path::new("/usr/sbin/sshd").exists()
    }),
    tool("wasm", "the engine in WebAssembly", "rustup target add wasm32-unknown-unknown", web_assembly),
    tool("zsh", "completions of zsh", "the package zsh", || runs("zsh", "--version")),
];

const fn tool(name: &'static str, tested: &'static str, from: &'static str, is_here: fn() -> bool) -> Tool {
    Tool { name, tested, from, is_here }
}

impl Tool {
    pub fn is_here(&self) -> bool {
        (self.is_here)()
    }
}

/// The tools in `KROO_REQUIRE`, and names of no tool.
pub fn required() -> (Vec<&'static Tool>, Vec<String>) {
    let text = env::var("KROO_REQUIRE").unwrap_or_default();
    let mut unknown = Vec::new();
    let mut tools = Vec::new();
    for name in text.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        match TOOLS.iter().find(|tool| tool.name == name) {
            Some(tool) => tools.push(tool),
            None if name == "all" => tools.extend(TOOLS),
            None => unknown.push(name.to_owned()),
        }
    }
    (tools, unknown)
}

/// Whether `KROO_REQUIRE` asks for a tool.
pub fn is_required(name: &str) -> bool {
    required().0.iter().any(|required| required.name == name)
}

/// Whether a tool is installed.
///
/// # Panics
/// If it is missing and required, or if no tool has this name.
pub fn has(name: &str) -> bool {
    let tool =
        TOOLS.iter().find(|tool| tool.name == name).unwrap_or_else(|| panic!("no tool is called {name}"));
    let is_here = tool.is_here();
    assert!(is_here || !is_required(name), "KROO_REQUIRE asks for {name}: {}", tool.from);
    is_here
}

/// A browser.
///
/// # Panics
/// If there is none, and `chromium` is required.
pub fn chromium() -> Option<PathBuf> {
    if has("chromium") { browser() } else { None }
}

/// The version of axe-core that tests use.
const AXE: &str = "4.14.1";

/// The script of axe-core, fetched once by npm and kept in the target folder.
pub fn axe() -> Option<PathBuf> {
    let target = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target"));
    let home = target.join(format!("axe-core-{AXE}"));
    let script = home.join("node_modules/axe-core/axe.min.js");
    if !script.exists() {
        let mut install = Command::new("npm");
        install.args([
            "install",
            "--no-save",
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
            "--prefer-offline",
        ]);
        install.args(["--fetch-retries=0", "--fetch-timeout=20000", "--prefix"]).arg(&home);
        install.arg(format!("axe-core@{AXE}"));
        install.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?;
    }
    script.exists().then_some(script)
}

fn browser() -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    let mut places = env::split_paths(&folders).flat_map(|folder| names.map(|name| folder.join(name)));
    places.find(|place| place.is_file())
}

fn runs(program: &str, word: &str) -> bool {
    let mut command = Command::new(program);
    command.arg(word).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn sandboxes() -> bool {
    let help = Command::new("bwrap").arg("--help").output();
    if !help.is_ok_and(|help| String::from_utf8_lossy(&help.stdout).contains("--ro-bind-fd")) {
        return false;
    }
    let mut tried = Command::new("bwrap");
    tried.args([
        "--unshare-all",
        "--unshare-user",
        "--disable-userns",
        "--ro-bind",
        "/",
        "/",
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        "true",
    ]);
    tried.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Whether there is room for a large hash table and the rest of the engine. The pages are not touched.
fn reserves() -> bool {
    let mut room = Vec::<u8>::new();
    let is_reserved = room.try_reserve_exact(2 << 30).is_ok();
    // Otherwise the compiler may leave the allocation out.
    black_box(room);
    is_reserved
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output();
    output.is_ok_and(|output| output.stdout == b"0\n")
}

fn network_namespaces() -> bool {
    let name = format!("kroo-{}", std::process::id());
    let ip = |words: &[&str]| {
        let mut command = Command::new("ip");
        command.args(words).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    is_root() && ip(&["netns", "add", &name]) && ip(&["netns", "delete", &name])
}

/// Whether our control group allows subgroups that processes can join and be killed in.
fn control_groups() -> bool {
    let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let Some(path) = own.lines().find_map(|line| line.strip_prefix("0::/")) else { return false };
    let home = Path::new("/sys/fs/cgroup").join(path);
    let tried = home.join(format!("kroo-tests-{}", std::process::id()));
    if fs::create_dir(&tried).is_err() {
        return false;
    }
    let can_kill = tried.join("cgroup.kill").is_file();
    let can_join = fs::File::options().write(true).open(home.join("cgroup.procs")).is_ok();
    fs::remove_dir(&tried).is_ok() && can_kill && can_join
}

fn web_assembly() -> bool {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output();
    let root =
        output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
    let target = "lib/rustlib/wasm32-unknown-unknown";
    // Or Debian's sources of the standard library, to be built with the engine.
    Path::new(&root).join(target).exists() || Path::new("/usr/lib/rustlib/src/rust/library").exists()
}
