//! `kroo web`: its server under attack. The page in a browser: `tests/browser`.

mod page_engines;

use kroo::web::{Answer, Place, Request, Response, Site};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
#[cfg(unix)]
use std::net::TcpListener;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
#[cfg(unix)]
use std::time::{Duration, Instant};
use support::PATIENCE;
use support::programs::kroo_path;
#[cfg(target_os = "linux")]
use support::scene::await_that;

/// A server that ends with the test.
struct Server {
    process: Child,
    /// The address that it has printed.
    page: String,
    address: SocketAddr,
    /// The header with the token of that address.
    token: String,
}

impl Server {
    fn start(words: &[&str]) -> Server {
        Server::start_by(&mut Command::new(kroo_path()), words)
    }

    /// Starts a server by a command to which the words of `kroo` are added.
    fn start_by(command: &mut Command, words: &[&str]) -> Server {
        command.args(["web", "--port", "0"]);
        Server::spawn(command.args(words))
    }

    /// Starts a server by a whole command.
    fn spawn(command: &mut Command) -> Server {
        let mut process = command.stdout(Stdio::piped()).spawn().expect("the server starts");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
        let page = line.trim().strip_prefix("Kroo is at ").expect("the address").to_owned();
        let place = page.strip_prefix("http://").and_then(|rest| rest.split('/').next()).expect("an address");
        let address = place.parse().expect("an address");
        let token = page.split("#token=").nth(1).expect("a token");
        let token = format!("X-Kroo-Token: {token}\r\n");
        Server { process, page, address, token }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        stream.set_write_timeout(Some(PATIENCE)).expect("a timeout");
        stream
    }

    /// Sends a request with the token and these headers besides `Host`, and returns the status and the whole answer.
    fn ask(&self, request: &str, headers: &str, body: &str) -> (u16, String) {
        self.ask_as(request, &format!("{}{headers}", self.token), body)
    }

    /// The same without the token.
    fn ask_as(&self, request: &str, headers: &str, body: &str) -> (u16, String) {
        let host = format!(
            "Host: {}\r\nConnection: close\r\nContent-Length: {}\r\n{headers}",
            self.address,
            body.len()
        );
        self.ask_plainly(&format!("{request} HTTP/1.1\r\n{host}\r\n{body}"))
    }

    fn ask_plainly(&self, text: &str) -> (u16, String) {
        let mut stream = self.connect();
        stream.write_all(text.as_bytes()).expect("it is sent");
        answer(&mut stream)
    }

    /// The lines of a conversation, and its name.
    fn converse(&self) -> (BufReader<TcpStream>, String) {
        let mut stream = self.connect();
        write!(stream, "GET /events HTTP/1.1\r\nHost: {}\r\n{}\r\n", self.address, self.token)
            .expect("it is sent");
        let mut lines = BufReader::new(stream);
        assert_eq!(until(&mut lines, "event: "), "page");
        let name = until(&mut lines, "data: ");
        (lines, name)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn answer(stream: &mut TcpStream) -> (u16, String) {
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("an answer");
    let status = text.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.unwrap_or_else(|| panic!("no answer: {text}")), text)
}

/// The rest of the next line that begins so.
fn until(lines: &mut impl BufRead, head: &str) -> String {
    for line in lines.lines() {
        if let Some(rest) = line.expect("a line").strip_prefix(head) {
            return rest.to_owned();
        }
    }
    panic!("no line begins with {head}");
}

#[test]
fn an_engine_talks_to_a_page() {
    let server = Server::start(&[]);
    assert!(server.ask("GET /engines", "", "").1.ends_with("[\"Kroo\"]"));
    let (mut lines, page) = server.converse();
    let open = format!("POST /open?page={page}&engine=0");
    assert!(server.ask(&open, "", "").1.ends_with("\r\n1\n"));
    let say = format!("POST /say?page={page}&engine=1");
    assert_eq!(server.ask(&say, "", "isready").0, 200);
    assert_eq!(server.ask(&say, "", "sow F").0, 200);
    assert_eq!(until(&mut lines, "data: "), "readyok");
    assert_eq!(until(&mut lines, "data: Lap: "), "F abcd");
    for (request, status) in [
        (format!("POST /say?page={page}&engine=2"), 404),
        ("POST /say?page=x&engine=1".to_owned(), 404),
        (format!("POST /open?page={page}&engine=1"), 404),
        (format!("PUT /say?page={page}&engine=1"), 405),
        ("GET /../Cargo.toml".to_owned(), 404),
        (format!("POST /close?page={page}&engine=1"), 200),
    ] {
        assert_eq!(server.ask(&request, "", "").0, status, "{request}");
    }
    assert_eq!(until(&mut lines, "event: ended"), "");
    let opened: Vec<u16> = (0..34).map(|_| server.ask(&open, "", "").0).collect();
    assert_eq!(opened, [vec![200; 32], vec![503; 2]].concat());
}

/// With a chosen port a start uses the token of the one before, which only its user can read; a free port has a new one.
#[cfg(unix)]
#[test]
fn a_chosen_port_keeps_its_token() {
    use std::os::unix::fs::PermissionsExt;
    let data = tempfile::tempdir().expect("a folder");
    let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .and_then(|free| free.local_addr())
        .expect("a port")
        .port();
    let start = || {
        let mut command = Command::new(kroo_path());
        Server::spawn(command.env("XDG_DATA_HOME", data.path()).args(["web", "--port", &port.to_string()]))
            .token
            .clone()
    };
    let first = start();
    assert_eq!(start(), first);
    let file = data.path().join(format!("kroo/web-{port}.token"));
    let mode = || fs::metadata(&file).expect("a file").permissions().mode() & 0o777;
    assert_eq!(mode(), 0o600);
    // An invalid token, or one that others could read, is replaced.
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).expect("permissions");
    let second = start();
    assert!(second != first && mode() == 0o600);
    fs::write(&file, "password").expect("written");
    assert!(![first, second].contains(&start()));
    // Where nothing can be kept, the server starts with a new one.
    fs::remove_dir_all(data.path().join("kroo")).expect("removed");
    fs::write(data.path().join("kroo"), "").expect("written");
    assert_ne!(start(), start());
}

#[test]
fn a_page_gets_the_games_of_a_file() {
    let server = Server::start(&[]);
    let text = "[Variant \"Kalah\"]\n\n1. C F (1. A) *\n";
    let (status, answer) = server.ask("POST /games", "", text);
    let games = r#"{"games":[{"tags":[["Variant","Kalah"]],"variant":"kalah","result":"*","moves":[["C","","",[],""],["F","","",[[["A","","",[],""]]],""]]}]}"#;
    assert!(status == 200 && answer.ends_with(games), "{answer}");
    assert_eq!(server.ask_as("POST /games", "", text).0, 401);
    let game = r#"{"tags":[["Variant","kalah"],["Result","*"]],"moves":[["C","?!","so",[]]]}"#;
    let (status, answer) = server.ask("POST /games/write", "", game);
    assert!(status == 200 && answer.contains(r#"\n\n1. C+1?! {so} 1-0\n\n"}"#), "{answer}");
    assert_eq!(server.ask_as("POST /games/write", "", game).0, 401);
    // A file is larger than what is said to an engine.
    let mut large = "\n".repeat((1 << 20) - 1) + "F";
    assert!(server.ask("POST /games", "", &large).1.contains("\"variant\":null,"));
    large.push('x');
    let (_, answer) = server.ask("POST /games", "", &large);
    assert!(answer.ends_with(r#"{"games":[],"error":[1,1,"long"],"rest":0}"#), "{answer}");
    large.push('x');
    assert_eq!(server.ask("POST /games", "", &large).0, 413);
    assert_eq!(server.ask("POST /say?page=x&engine=1", "", &large[..=64 << 10]).0, 413);
}

/// Without free file descriptors the server waits for one at leisure.
#[cfg(target_os = "linux")]
#[test]
fn accept_errors_do_not_spin() {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", "ulimit -n 24; exec \"$0\" \"$@\"", kroo_path()]);
    let server = Server::start_by(&mut shell, &[]);
    let idle: Vec<TcpStream> = (0..40).map(|_| server.connect()).collect();
    let files = format!("/proc/{}/fd", server.process.id());
    let open = || fs::read_dir(&files).expect("a process").count();
    assert!(await_that(|| open() >= 24), "there are free file descriptors");
    // A thread that spins is never asleep in all these looks.
    let mut looks = 0;
    assert!(await_that(|| {
        looks = if all_sleep(server.process.id()) { looks + 1 } else { 0 };
        looks == 10
    }));
    drop(idle);
    assert_eq!(server.ask("GET /", "", "").0, 200);
}

/// Whether no thread of a process works.
#[cfg(target_os = "linux")]
fn all_sleep(process: u32) -> bool {
    let threads = fs::read_dir(format!("/proc/{process}/task")).expect("a process").flatten();
    let stats = threads.map(|thread| fs::read_to_string(thread.path().join("stat")).unwrap_or_default());
    stats.into_iter().all(|stat| stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('S')))
}

/// A site whose file `/panic` panics.
struct Fragile;

impl Site for Fragile {
    fn file(&self, path: &str) -> Option<Response> {
        assert_ne!(path, "/panic");
        Some(Response::text(200, "a file"))
    }

    fn answer<'a>(&'a self, _: &Request) -> Answer<'a> {
        Response::text(404, "nothing").into()
    }
}

/// Serves a fragile site until the tests end.
fn serve_fragile() -> SocketAddr {
    let place = Place { address: Ipv4Addr::LOCALHOST.into(), port: 0, option: "--port" };
    let server = kroo::web::Server::bind(place).expect("an address");
    let page = server.page().to_owned();
    server.serve(Arc::new(Fragile)).expect("a thread");
    page.split('/').nth(2).expect("an address").parse().expect("an address")
}

/// The status of an answer; none if the connection ends without one.
fn status_of(address: SocketAddr, path: &str) -> Option<u16> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").ok()?;
    let mut text = String::new();
    stream.read_to_string(&mut text).ok()?;
    text.split(' ').nth(1)?.parse().ok()
}

#[test]
fn a_panic_frees_its_connection() {
    let address = serve_fragile();
    for _ in 0..140 {
        assert_eq!(status_of(address, "/panic"), None);
    }
    assert_eq!(status_of(address, "/"), Some(200));
}

/// Another user of the machine, who has no token, holds as many connections as it can and begins a request on each.
#[test]
fn strangers_do_not_lock_the_owner_out() {
    let server = Server::start(&[]);
    let (mut lines, page) = server.converse();
    assert_eq!(server.ask(&format!("POST /open?page={page}&engine=0"), "", "").0, 200);
    for head in [
        &b""[..],
        b"GET / HT",
        b"GET / HTTP/1.1\r\nX-Kroo-Token: wrong\r\n",
        b"POST /say HTTP/1.1\r\nContent-Length: 9\r\n\r\n",
    ] {
        let mut idle: Vec<TcpStream> = Vec::new();
        for _ in 0..3 {
            idle.extend((0..80).map(|_| server.connect()));
            for stream in &mut idle {
                // Some are ended already.
                let _ = stream.write_all(head);
            }
            // At once, and however often.
            for _ in 0..5 {
                assert_eq!(server.ask("GET /engines", "", "").0, 200);
                assert_eq!(server.ask_as("GET /", "", "").0, 200);
            }
            assert_eq!(server.ask(&format!("POST /say?page={page}&engine=1"), "", "isready").0, 200);
            assert_eq!(until(&mut lines, "data: "), "readyok", "the page's events go on");
        }
    }
}

/// The head of the next answer on a connection, after whose body nothing is read.
fn next_head(lines: &mut impl BufRead) -> String {
    let head: Vec<String> = lines
        .by_ref()
        .lines()
        .map(|line| line.expect("a line"))
        .take_while(|line| !line.is_empty())
        .collect();
    let length = head.iter().find_map(|line| line.strip_prefix("Content-Length: ")).expect("a length");
    lines.read_exact(&mut vec![0; length.parse().expect("a number")]).expect("a body");
    head.join("\n")
}

#[test]
fn a_connection_serves_many_requests() {
    let server = Server::start(&[]);
    let mut stream = server.connect();
    let mut lines = BufReader::new(stream.try_clone().expect("a copy"));
    let head = format!("Host: {}\r\n{}", server.address, server.token);
    // The second request comes with the first one, the third after the answers.
    let page = format!("GET / HTTP/1.1\r\n{head}\r\n");
    let game = format!("POST /games HTTP/1.1\r\n{head}Content-Length: 4\r\n\r\n1. F");
    for requests in [&[&page, &game][..], &[&page]] {
        stream
            .write_all(requests.iter().copied().map(String::as_str).collect::<String>().as_bytes())
            .expect("sent");
        for _ in requests {
            let answer = next_head(&mut lines);
            assert!(
                answer.starts_with("HTTP/1.1 200") && answer.contains("\nKeep-Alive: timeout=60"),
                "{answer}"
            );
        }
    }
    // It ends after a request that asks for that, an older one, and one that is refused.
    let ends = |request: &str, status: &str| {
        let mut stream = server.connect();
        write!(stream, "{page}{request}").expect("it is sent");
        let mut lines = BufReader::new(stream);
        next_head(&mut lines);
        let answer = next_head(&mut lines);
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status} ")) && answer.contains("\nConnection: close"),
            "{answer}"
        );
        assert_eq!(lines.read(&mut [0]).expect("an end"), 0, "{request}");
    };
    ends(&format!("GET / HTTP/1.1\r\n{head}Connection: Close\r\n\r\n"), "200");
    ends(&format!("GET / HTTP/1.0\r\n{head}\r\n"), "200");
    ends(&format!("PUT / HTTP/1.1\r\n{head}\r\n"), "405");
    ends(&format!("GET /engines HTTP/1.1\r\nHost: {}\r\n\r\n", server.address), "401");
    // Where half of the connections that show the token are taken, none more is kept. Strangers do not count.
    let strangers: Vec<TcpStream> = (0..33).map(|_| server.connect()).collect();
    let known = |_| {
        let mut stream = server.connect();
        stream.write_all(page.as_bytes()).expect("it is sent");
        let mut lines = BufReader::new(stream);
        (next_head(&mut lines).contains("\nKeep-Alive: "), lines)
    };
    // One more is open from above.
    let idle: Vec<_> = (0..31).map(known).collect();
    assert!(idle.iter().all(|(stays, _)| *stays));
    assert!(server.ask_plainly(&page).1.contains("\nConnection: close"));
    drop((idle, strangers));
}

#[test]
fn foreign_pages_are_refused() {
    let server = Server::start(&[]);
    let port = server.address.port();
    for headers in [
        "Origin: http://evil.example\r\n".to_owned(),
        "Origin: null\r\n".to_owned(),
        format!("Origin: http://127.0.0.1:{}\r\n", port ^ 1),
        format!("Origin: https://127.0.0.1:{port}\r\n"),
        format!("Origin: http://127.0.0.1:{port}\r\nOrigin: http://evil.example\r\n"),
        "Sec-Fetch-Site: cross-site\r\n".to_owned(),
        "Sec-Fetch-Site: same-site\r\n".to_owned(),
    ] {
        for request in ["GET /engines", "GET /events", "POST /open?page=x&engine=0"] {
            assert_eq!(server.ask(request, &headers, "").0, 403, "{request} {headers}");
        }
    }
    assert_eq!(server.ask("GET /engines", &format!("Origin: http://127.0.0.1:{port}\r\n"), "").0, 200);
    for host in
        ["evil.example", &format!("evil.example:{port}"), "127.0.0.1", "", &format!("localhost:{}", port ^ 1)]
    {
        let (status, _) = server.ask_plainly(&format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n"));
        assert_eq!(status, 403, "{host}");
    }
    assert_eq!(server.ask_plainly("GET / HTTP/1.1\r\n\r\n").0, 403);
    assert_eq!(
        server
            .ask_plainly(&format!("GET / HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n"))
            .0,
        200
    );
}

/// On the loopback address too: other users of the machine can reach it.
#[test]
fn every_address_wants_the_token() {
    for words in [&[][..], &["--listen", "0.0.0.0"]] {
        let server = Server::start(words);
        assert!(!server.address.ip().is_unspecified(), "no browser can open {}", server.page);
        let token = server.page.split("#token=").nth(1).expect("a token");
        assert_eq!(token.len(), 32);
        let (_lines, page) = server.converse();
        let wrong = token.replace(|c: char| c.is_ascii_digit(), "x");
        for headers in [
            String::new(),
            "X-Kroo-Token: \r\n".to_owned(),
            format!("X-Kroo-Token: {wrong}\r\n"),
            format!("X-Kroo-Token: {token}0\r\n"),
            format!("{0}{0}", server.token),
            format!("Cookie: token={token}\r\n"),
        ] {
            for request in [
                "GET /engines".to_owned(),
                "GET /events".to_owned(),
                format!("GET /engines?token={token}"),
                format!("POST /open?page={page}&engine=0"),
                format!("POST /say?page={page}&engine=1"),
            ] {
                let (status, answer) = server.ask_as(&request, &headers, "");
                assert_eq!(status, 401, "{words:?} {request} {headers}");
                assert!(answer.contains("open the whole address that the program has printed"), "{answer}");
                assert!(!answer.contains(token), "{answer}");
            }
            assert_eq!(server.ask_as("GET /", &headers, "").0, 200);
        }
        assert_eq!(server.ask("GET /engines", "", "").0, 200);
        assert_eq!(server.ask(&format!("POST /open?page={page}&engine=0"), "", "").0, 200);
    }
    let (one, other) = (Server::start(&[]), Server::start(&[]));
    assert_eq!(one.ask_as("GET /engines", &other.token, "").0, 401);
}

#[test]
fn what_is_too_much_is_refused() {
    let server = Server::start(&[]);
    let host = format!("Host: {}\r\nConnection: close", server.address);
    let long = "x".repeat(100_000);
    for (request, status) in [
        (format!("GET /{long} HTTP/1.1\r\n{host}\r\n\r\n"), 431),
        (format!("GET / HTTP/1.1\r\n{host}\r\nX: {long}\r\n\r\n"), 431),
        (format!("GET / HTTP/1.1\r\n{host}\r\n{}\r\n", "X: y\r\n".repeat(200)), 431),
        (format!("POST /say HTTP/1.1\r\n{host}\r\nContent-Length: 99999999999999999999999\r\n\r\n"), 413),
        (format!("POST /say HTTP/1.1\r\n{host}\r\nContent-Length: -1\r\n\r\n"), 400),
        (format!("POST /say HTTP/1.1\r\n{host}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx"), 400),
        (format!("POST /say HTTP/1.1\r\n{host}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), 501),
        ("\u{1}\u{2}\u{3}\r\n\r\n".to_owned(), 400),
    ] {
        assert_eq!(server.ask_plainly(&request).0, status, "{}", &request[..request.len().min(80)]);
    }
    // A body of 100 MB is refused before it is read.
    let mut stream = server.connect();
    let length = 100 << 20;
    write!(stream, "POST /say HTTP/1.1\r\n{host}\r\nContent-Length: {length}\r\n\r\n").expect("it is sent");
    let mut sent = 0;
    while sent < length && stream.write_all(&[b'x'; 1 << 16]).is_ok() {
        sent += 1 << 16;
    }
    assert!(sent < length, "the whole body was taken");
    assert_eq!(server.ask("GET /engines", "", "").0, 200);
}

#[test]
fn words_that_are_wrong_are_refused() {
    for (words, wanted) in [
        (&["--engine", "name=x"][..], "an engine needs cmd=FILE"),
        (&["--engine", "cmd=x", "name=Kroo"], "two engines are called `Kroo`"),
        (&["--engine", "cmd=x", "st=1"], "expected cmd="),
        (&["--listen", "localhost"], "localhost"),
        (&["--port", "65536"], "65536"),
        // What the page chooses is no option: it would hold for the first game at most.
        (&["--variant", "kalah"], "`kroo web` does not use --variant;"),
        (&["--seeds-a-pit", "3"], "`kroo web` does not use --seeds-a-pit;"),
        (&["--movelimit", "6"], "`kroo web` does not use --movelimit;"),
        (&["--player", "greedy"], "`kroo web` does not use --player;"),
    ] {
        let output = Command::new(kroo_path()).arg("web").args(words).output().expect("it runs");
        let error = String::from_utf8(output.stderr).expect("text");
        assert!(output.status.code() == Some(2) && error.contains(wanted), "{words:?}: {error}");
    }
    let server = Server::start(&[]);
    let port = server.address.port().to_string();
    let output = Command::new(kroo_path()).args(["web", "--port", &port]).output().expect("it runs");
    let error = String::from_utf8(output.stderr).expect("text");
    assert!(output.status.code() == Some(1) && error.contains("`--port` chooses another port"), "{error}");
}

/// Each file that the page names is part of the executable, and nothing leads elsewhere.
#[test]
fn the_page_is_whole() {
    let server = Server::start(&[]);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients/web");
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("text");
        let (status, answer) = server.ask(&format!("GET /{name}"), "", "");
        assert!(status == 200 && answer.ends_with(&text), "{name} is not served");
        assert!(answer.contains("Content-Security-Policy: default-src 'none'"), "{name}");
        let elsewhere = text.replace("http://www.w3.org/2000/svg", "");
        assert!(!elsewhere.contains("://"), "{name} leads elsewhere");
        assert!(!text.contains("innerHTML") && !text.contains("eval("), "{name} makes code of text");
        for part in text.split("from \"./").skip(1) {
            let other = part.split('"').next().expect("a name");
            assert_eq!(server.ask(&format!("GET /{other}"), "", "").0, 200, "{name} names {other}");
        }
    }
}

/// `--open` passes the printed address, token included, to the system's opener.
#[cfg(target_os = "linux")]
#[test]
fn the_page_is_opened_with_its_token() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("xdg-open");
    let told = folder.path().join("told");
    let text = format!("#!/bin/sh\necho \"$@\" > '{0}.part'; mv '{0}.part' '{0}'\n", told.display());
    support::programs::script(&program, &text);
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").expect("a path"));
    let server = Server::start_by(Command::new(kroo_path()).env("PATH", path), &["--open"]);
    assert!(await_that(|| told.exists()), "nothing was opened");
    assert_eq!(fs::read_to_string(&told).expect("a file").trim(), server.page);
}
