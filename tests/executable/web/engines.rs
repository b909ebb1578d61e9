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

/// A page cannot name files, nor take more memory or threads than the machine has. `cat` shows what an engine is sent.
#[cfg(unix)]
#[test]
fn a_page_sets_options_within_bounds() {
    let server = Server::start(&["--engine", "name=echo", "cmd=cat", "option.EvalFile=mine"]);
    let (mut lines, page) = server.converse();
    assert_eq!(server.ask(&format!("POST /open?page={page}&engine=1"), "", "").0, 200);
    assert_eq!(until(&mut lines, "data: "), "setoption name EvalFile value mine");
    let say = format!("POST /say?page={page}&engine=1");
    for name in ["EvalFile", "EndgamePath", "LearnFile", "learnfile", " LEARNFILE "] {
        let (status, answer) = server.ask(&say, "", &format!("setoption name {name} value x"));
        assert!(status == 400 && answer.contains("names a file"), "{name}: {answer}");
    }
    assert_eq!(server.ask(&say, "", "x setoption name LearnFile value x").0, 400);
    assert_eq!(server.ask(&say, "", "setoption name Hash value 9x").0, 400);
    for name in ["Hash", "threads"] {
        assert_eq!(server.ask(&say, "", &format!("setoption name {name} value 4000000000")).0, 200);
        let sent = until(&mut lines, "data: ");
        let value = sent.rsplit(' ').next().and_then(|value| value.parse::<u64>().ok());
        assert!(value.is_some_and(|value| (1..100_000_000).contains(&value)), "{sent}");
    }
    for line in ["setoption name Hash value 1", "setoption name Player value kroo", "position startpos"] {
        assert_eq!(server.ask(&say, "", line).0, 200);
        assert_eq!(until(&mut lines, "data: "), line);
    }
}

/// No line of an engine quotes a file that only the page has named.
#[test]
fn a_page_reads_no_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("secret");
    fs::write(&path, "hunter2 hunter2\n").expect("a file");
    let path = path.display();
    let server = Server::start(&[]);
    let (mut lines, page) = server.converse();
    assert_eq!(server.ask(&format!("POST /open?page={page}&engine=0"), "", "").0, 200);
    let say = format!("POST /say?page={page}&engine=1");
    let mut heard = String::new();
    let names = ["EvalFile", "EndgamePath", "LearnFile", "Level", "Player", "UCI_Variant", "Seed"];
    for line in names.iter().map(|name| format!("setoption name {name} value {path}")).chain(
        ["position fen", "endgame fen", "sow", "bench", "go"].map(|command| format!("{command} {path}")),
    ) {
        heard += &server.ask(&say, "", &line).1;
    }
    assert_eq!(server.ask(&say, "", "isready").0, 200);
    loop {
        let line = until(&mut lines, "data: ");
        if line == "readyok" {
            break;
        }
        heard += &line;
    }
    assert!(heard.contains("names a file") && !heard.contains("hunter2"), "{heard}");
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
    fs::write(&script, "sleep 1000 >/dev/null &\necho child $!\nwait\n").expect("a script");
    let arguments = format!("args={}", script.display());
    let server = Server::start(&["--engine", "name=script", "cmd=/bin/sh", &arguments]);
    let (mut lines, page) = server.converse();
    assert_eq!(server.ask(&format!("POST /open?page={page}&engine=1"), "", "").0, 200);
    let child = until(&mut lines, "data: child ");
    let runs = || fs::read_to_string(format!("/proc/{child}/stat")).is_ok_and(|stat| !stat.contains(") Z"));
    assert!(runs());
    assert_eq!(server.ask(&format!("POST /close?page={page}&engine=1"), "", "").0, 200);
    let left = !await_that(|| !runs());
    if left {
        let _ = Command::new("kill").args(["-KILL", &child]).status();
    }
    assert!(!left, "the engine's child process still runs");
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
