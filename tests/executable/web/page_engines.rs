//! Engines of a page: what reaches them, and when they end.

use super::*;

#[test]
fn a_message_is_one_line() {
    let server = Server::start(&[]);
    let (mut lines, page) = server.converse();
    assert_eq!(server.ask(&format!("POST /open?page={page}&engine=0"), "", "").0, 200);
    let say = format!("POST /say?page={page}&engine=1");
    for body in ["isready\nsow F", "isready\n", "isready\r", "is\0ready", "isready\u{1b}", "isready\u{85}"] {
        let (status, answer) = server.ask(&say, "", body);
        assert!(status == 400 && answer.contains("one line"), "{body:?}: {answer}");
    }
    assert_eq!(server.ask(&say, "", "sow F").0, 200);
    // No refused message has reached the engine.
    assert_eq!(until(&mut lines, "data: "), "Move: F");
}

/// An engine that declares options, then shows what it is sent.
#[cfg(unix)]
const ECHO: &str = "#!/bin/sh
echo 'option name Style File type string default <empty>'
echo 'option name Logging type string default /tmp/log'
echo 'option name Twice type combo default a var a var b'
echo 'option name Twice type string default a'
echo 'option name Hash type spin default 1 min 1 max 100000000'
echo 'option name threads type spin default 1 min 1 max 100000000'
echo 'option name Player type combo default kroo var kroo var other one'
echo 'option name Clear type button'
echo 'option name Loud type check default false'
echo uciok
exec cat
";

/// A page cannot name files, nor take more memory or threads than the machine has, and says nothing but commands of the protocol.
#[cfg(unix)]
#[test]
fn a_page_sets_options_within_bounds() {
    let folder = tempfile::tempdir().expect("a folder");
    let echo = support::programs::script(folder.path().join("echo"), ECHO);
    let server = Server::start(&["--engine", "name=echo", &format!("cmd={echo}"), "option.EvalFile=mine"]);
    let (mut lines, page) = server.converse();
    assert_eq!(server.ask(&format!("POST /open?page={page}&engine=1"), "", "").0, 200);
    assert_eq!(until(&mut lines, "data: uciok"), "");
    assert_eq!(until(&mut lines, "data: "), "setoption name EvalFile value mine");
    let mut sent = |line: &str| {
        assert_eq!(server.ask(&format!("POST /say?page={page}&engine=1"), "", line).0, 200, "{line}");
        until(&mut lines, "data: ")
    };
    for (line, problem) in [
        ("setoption name Style File value x", "its value is a text"),
        ("setoption name  style   FILE  value x", "its value is a text"),
        ("setoption name Logging value /etc/x", "its value is a text"),
        ("setoption name logging", "its value is a text"),
        ("setoption name Twice value a", "its value is a text"),
        ("setoption name EvalFile value x", "has not declared it"),
        ("setoption name StyleFile value x", "has not declared it"),
        ("setoption name Player value x name Logging value /etc/x", "no such value"),
        ("setoption name Player value kroo name Logging value /etc/x", "no such value"),
        ("setoption name Loud value x", "no such value"),
        ("setoption name Clear value x", "no such value"),
        ("setoption name Hash value 9x", "needs a whole number"),
        ("setoption name Hash", "no such value"),
        ("x setoption name Logging value x", "column 1: expected"),
        ("\u{feff}setoption name Logging value x", "column 1: expected"),
        ("\u{a0}setoption name Logging value x", "column 1: expected"),
        ("\u{200b}setoption name Logging value x", "column 1: expected"),
        ("Setoption name Logging value x", "column 1: expected"),
        ("set Logging x", "column 1: expected"),
        ("option name Logging type spin default 1 min 1 max 2", "column 1: expected"),
        ("isready setoption name Logging value x", "column 9: expected"),
    ] {
        let answer = sent(line);
        assert!(answer.starts_with("info string error ") && answer.contains(problem), "{line}: {answer}");
    }
    for name in ["Hash", "threads"] {
        let echoed = sent(&format!("setoption name {} value 4000000000", name.to_uppercase()));
        let value = echoed
            .strip_prefix(&format!("setoption name {name} value "))
            .unwrap_or_else(|| panic!("{echoed}"));
        assert!((1..100_000_000).contains(&value.parse::<u64>().expect("a number")), "{echoed}");
    }
    for line in [
        "setoption name Hash value 1",
        "setoption name Player value Other One",
        "setoption name Clear",
        "setoption name Loud value true",
        "position startpos",
        "go movetime 5",
    ] {
        assert_eq!(sent(line), line);
    }
    assert_eq!(sent("  go depth   3 "), "go depth 3");
}

/// No line of an engine quotes a file that only the page has named, or tells whether there is one; none is made.
#[test]
fn a_page_reads_no_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("secret");
    fs::write(&path, "hunter2 hunter2\n").expect("a file");
    let made = folder.path().join("made");
    let options = kroo::protocol::options::OPTIONS.iter().map(|option| option.name);
    // As the first line of a stream, which alone may begin with a byte order mark, and later.
    let names: Vec<&str> = ["EvalFile", "\u{feff}"].into_iter().chain(options).collect();
    for path in [&path, &made] {
        let path = &*path.display().to_string();
        let server = Server::start(&[]);
        let (mut lines, page) = server.converse();
        let say = format!("POST /say?page={page}&engine=1");
        assert_eq!(server.ask(&format!("POST /open?page={page}&engine=0"), "", "").0, 200);
        let spellings = [
            "\u{feff}setoption name",
            "setoption name",
            "\u{feff} setoption name",
            "\u{feff}\u{feff}setoption name",
        ];
        let settings = spellings
            .iter()
            .flat_map(|head| names.iter().map(move |name| format!("{head} {name} value {path}")));
        let commands =
            ["position fen", "endgame fen", "sow", "bench", "go"].map(|command| format!("{command} {path}"));
        let mut heard = String::new();
        for line in settings.chain(commands) {
            heard += &server.ask(&say, "", &line).1;
        }
        for line in ["setoption name Player value kroo", "isready"] {
            assert_eq!(server.ask(&say, "", line).0, 200);
        }
        loop {
            let line = until(&mut lines, "data: ");
            if line == "readyok" {
                break;
            }
            heard += &line;
            heard.push('\n');
        }
        for told in ["hunter2", "No such file", "is no file", "not a file", "cannot be read"] {
            assert!(!heard.contains(told), "{told}: {heard}");
        }
        assert!(heard.contains("its value is a text"), "{heard}");
    }
    assert!(!made.exists());
}

/// Descriptors that the server was started with do not reach its engines.
#[cfg(target_os = "linux")]
#[test]
fn an_engine_inherits_no_descriptors() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "#!/bin/sh\nfor one in /proc/self/fd/*; do [ -e \"$one\" ] && ! [ \"$one\" -ef \"$0\" ] && echo \"open ${one##*/}\"; done\necho done\ncat\n";
    let engine = support::programs::script(folder.path().join("engine"), text);
    let mut shell = Command::new("sh");
    shell.args(["-c", "exec 7<. 8>>/dev/null; exec \"$0\" \"$@\"", kroo_path()]);
    let server = Server::start_by(&mut shell, &["--engine", "name=listing", &format!("cmd={engine}")]);
    let (mut lines, page) = server.converse();
    assert_eq!(server.ask(&format!("POST /open?page={page}&engine=1"), "", "").0, 200);
    let mut open = Vec::new();
    loop {
        match &*until(&mut lines, "data: ") {
            "done" => break,
            line => open.push(line.to_owned()),
        }
    }
    open.retain(|line| !["open 0", "open 1", "open 2"].contains(&&**line));
    assert_eq!(open, Vec::<String>::new());
}

/// The page ends, and with it its engines; the program ends in order, and leaves none behind.
#[cfg(target_os = "linux")]
#[test]
fn engines_end_with_their_page_and_with_the_server() {
    let mut server = Server::start(&[]);
    let number = server.process.id();
    let engines = || {
        let list = fs::read_to_string(format!("/proc/{number}/task/{number}/children")).unwrap_or_default();
        // Threads of the server start engines, so each has children of its own.
        let tasks = fs::read_dir(format!("/proc/{number}/task")).into_iter().flatten().flatten();
        let others = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
        others
            .chain([list])
            .flat_map(|list| list.split(' ').map(str::to_owned).collect::<Vec<_>>())
            .any(|one| !one.trim().is_empty())
    };
    let wait_for = |wanted: bool| {
        assert!(await_that(|| engines() == wanted), "engines: {}", !wanted);
    };
    let (lines, page) = server.converse();
    assert_eq!(server.ask(&format!("POST /open?page={page}&engine=0"), "", "").0, 200);
    wait_for(true);
    drop(lines);
    wait_for(false);
    let (_lines, page) = server.converse();
    assert_eq!(server.ask(&format!("POST /open?page={page}&engine=0"), "", "").0, 200);
    let status = Command::new("kill").args(["-INT", &number.to_string()]).status().expect("kill");
    assert!(status.success());
    assert!(server.process.wait().expect("it ends").success());
}

/// Closing an engine also ends the processes that it has started.
#[cfg(target_os = "linux")]
#[test]
fn an_engine_ends_with_its_processes() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("engine.sh");
    let own_session = "setsid sh -c 'echo child $$; exec sleep 1000 >/dev/null' &\nwait\n";
    fs::write(&script, format!("sleep 1000 >/dev/null &\necho child $!\n{own_session}")).expect("a script");
    let arguments = format!("args={}", script.display());
    let server = Server::start(&["--engine", "name=script", "cmd=/bin/sh", &arguments]);
    let (mut lines, page) = server.converse();
    assert_eq!(server.ask(&format!("POST /open?page={page}&engine=1"), "", "").0, 200);
    // One in the engine's group, and one in a session of its own.
    let children = [(); 2].map(|()| until(&mut lines, "data: child "));
    let runs = |child: &String| {
        fs::read_to_string(format!("/proc/{child}/stat")).is_ok_and(|stat| !stat.contains(") Z"))
    };
    assert!(children.iter().all(runs));
    assert_eq!(server.ask(&format!("POST /close?page={page}&engine=1"), "", "").0, 200);
    let left: Vec<&String> = children.iter().filter(|&child| !await_that(|| !runs(child))).collect();
    for child in &left {
        let _ = Command::new("kill").args(["-KILL", child]).status();
    }
    assert!(left.is_empty(), "processes of the engine still run");
}

/// All engines end at the same time: half a second each, one after the other, would be a quarter of a minute.
#[cfg(unix)]
#[test]
fn engines_that_do_not_read_end_together() {
    const ENGINES: u32 = 30;
    let mut server = Server::start(&["--engine", "name=deaf", "cmd=/bin/sleep", "args=1000"]);
    let (_lines, page) = server.converse();
    for _ in 0..ENGINES {
        assert_eq!(server.ask(&format!("POST /open?page={page}&engine=1"), "", "").0, 200);
    }
    let began = Instant::now();
    let status = Command::new("kill").args(["-TERM", &server.process.id().to_string()]).status();
    assert!(status.expect("kill").success());
    assert!(server.process.wait().expect("it ends").success());
    let took = began.elapsed();
    assert!(took < ENGINES * Duration::from_millis(250), "{took:?}");
}

/// Engines share one allowance of memory: what one has taken, another cannot have before the first has ended.
#[cfg(target_os = "linux")]
#[test]
fn engines_share_the_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let text =
        "#!/bin/sh\necho 'option name Hash type spin default 1 min 1 max 100000000'\necho uciok\nexec cat\n";
    let echo = support::programs::script(folder.path().join("echo"), text);
    let server = Server::start(&["--engine", "name=echo", &format!("cmd={echo}")]);
    let (mut lines, page) = server.converse();
    let mut ask = |engine: u32, start: bool| {
        if start {
            assert_eq!(server.ask(&format!("POST /open?page={page}&engine=1"), "", "").0, 200);
            assert_eq!(until(&mut lines, "data: uciok"), "");
        }
        let line = "setoption name Hash value 90000000";
        assert_eq!(server.ask(&format!("POST /say?page={page}&engine={engine}"), "", line).0, 200);
        until(&mut lines, "data: setoption name Hash value ").parse::<u64>().expect("a number")
    };
    let all = ask(1, true);
    assert_eq!([ask(2, true), ask(1, false)], [1, all], "the first has everything");
    assert_eq!(server.ask(&format!("POST /close?page={page}&engine=1"), "", "").0, 200);
    assert!(await_that(|| ask(2, false) + 1 >= all), "it returns with the end of the engine");
}

/// An engine that is just being closed is not left behind.
#[cfg(target_os = "linux")]
#[test]
fn a_closing_engine_ends_with_the_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("engine.sh");
    let told = folder.path().join("told");
    let text = format!(
        "echo child $$\nuntil [ \"$line\" = quit ]; do read -r line; done\ntouch '{}'\nexec sleep 1000\n",
        told.display()
    );
    fs::write(&script, text).expect("a script");
    let arguments = format!("args={}", script.display());
    let mut server = Server::start(&["--engine", "name=mute", "cmd=/bin/sh", &arguments]);
    let (mut lines, page) = server.converse();
    assert_eq!(server.ask(&format!("POST /open?page={page}&engine=1"), "", "").0, 200);
    let child = until(&mut lines, "data: child ");
    let mut closing = server.connect();
    let head = format!("Host: {}\r\n{}Content-Length: 0\r\n\r\n", server.address, server.token);
    write!(closing, "POST /close?page={page}&engine=1 HTTP/1.1\r\n{head}").expect("it is sent");
    assert!(await_that(|| told.exists()), "the server begins to close the engine");
    let interrupt = ["-INT", &server.process.id().to_string()];
    assert!(Command::new("kill").args(interrupt).status().expect("kill").success());
    assert!(server.process.wait().expect("it ends").success());
    let left = Path::new(&format!("/proc/{child}")).exists();
    if left {
        let _ = Command::new("kill").args(["-KILL", &child]).status();
    }
    assert!(!left, "the engine still runs");
}
