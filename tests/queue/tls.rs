//! A broker with TLS: only a server with the right certificate is trusted.

use crate::stage::{Stage, Started};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use support::programs::referee_path;
use support::scene::{await_that, words};
use support::tools::has;

/// A broker that speaks nothing but TLS, and knows one user, `ann`, with the password `sesame:2`.
struct Encrypted {
    stage: Stage,
    _broker: Started,
    port: u16,
}

const AUTHORITIES: [&str; 2] = ["right", "wrong"];

impl Encrypted {
    /// `None` if there is no such broker, or nothing that makes certificates.
    fn new() -> Option<Encrypted> {
        let stage = Stage::new()?;
        if !has("openssl") {
            return None;
        }
        for name in AUTHORITIES {
            let subject = format!("-subj /CN={name} -addext basicConstraints=critical,CA:TRUE");
            openssl(&stage, &format!("req -x509 -days 2 {KEY} -keyout {name}.key -out {name}.pem {subject}"));
        }
        openssl(&stage, &format!("req {KEY} -keyout broker.key -out broker.csr -subj /CN=broker"));
        stage.scene.file("names", "subjectAltName=DNS:localhost\n");
        let signed = "-CA right.pem -CAkey right.key -CAcreateserial -days 2 -extfile names";
        openssl(&stage, &format!("x509 -req -in broker.csr {signed} -out broker.pem"));
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut broker = Command::new("redis-server");
        broker.current_dir(stage.scene.dir.path()).args(words(&format!(
            "--bind 127.0.0.1 --port 0 --tls-port {port} --tls-cert-file broker.pem --tls-key-file broker.key \
             --tls-ca-cert-file right.pem --tls-auth-clients no --loglevel warning --dbfilename tls.rdb"
        )));
        broker.args(["--save", ""]).args(words("--user ann on >sesame:2 ~* &* +@all --user default off"));
        let mut broker = stage.start(broker);
        let ready = || TcpStream::connect(("127.0.0.1", port)).is_ok();
        if !await_that(|| ready() || broker.child.try_wait().unwrap().is_some()) || !ready() {
            let said = broker.output() + &broker.errors();
            assert!(said.contains("Bad directive"), "{said}");
            return None;
        }
        Some(Encrypted { stage, _broker: broker, port })
    }

    fn url(&self) -> String {
        format!("rediss://ann@localhost:{}#test", self.port)
    }

    /// Starts a referee that believes an authority, or those of the system.
    fn start(&self, authority: Option<&str>, arguments: &[&str]) -> Started {
        self.start_with("sesame:2", authority, arguments)
    }

    /// The same, with another password.
    fn start_with(&self, password: &str, authority: Option<&str>, arguments: &[&str]) -> Started {
        let mut command = Command::new(referee_path());
        command.args(arguments).env_remove("KROO_QUEUE_CA").env("KROO_QUEUE_PASSWORD", password);
        if let Some(name) = authority {
            command.env("KROO_QUEUE_CA", self.stage.scene.path(name));
        }
        self.stage.start(command)
    }

    /// The error of a worker that cannot play and does not retry.
    fn refused(&self, authority: Option<&str>, url: &str) -> String {
        let mut worker = self.start(authority, &["worker", url]);
        assert_eq!(worker.wait(), 1, "{}", worker.errors());
        assert!(!worker.errors().contains("sesame"), "{}", worker.errors());
        worker.errors()
    }
}

/// The kind of key, which is made in no time.
const KEY: &str = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";

fn openssl(stage: &Stage, arguments: &str) {
    let output =
        Command::new("openssl").args(words(arguments)).current_dir(stage.scene.dir.path()).output().unwrap();
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_match_is_played_through_an_encrypted_queue() {
    let Some(encrypted) = Encrypted::new() else { return };
    let stage = &encrypted.stage;
    let engines = ["honest", "last"].map(|kind| stage.scene.engine(kind, &["depth=1"])).concat();
    let arguments = [engines, words("--rounds 6 --max-moves 30 --random-plies 3 --seed 5")];
    let alone = stage.alone("alone", &arguments);
    assert!(alone.status.success());
    let (url, journal) = (encrypted.url(), stage.scene.path("queue").display().to_string());
    let mut all: Vec<&str> = arguments.iter().flatten().map(String::as_str).collect();
    all.extend(["--queue", url.as_str(), "--journal", &journal]);
    let mut coordinator = encrypted.start(Some("right.pem"), &all);
    // The authorities may also come from the system.
    let mut command = Command::new(referee_path());
    command.args(["worker", &format!("rediss://ann@localhost:{}#test", encrypted.port)]);
    command.env("KROO_QUEUE_PASSWORD", "sesame:2").env_remove("KROO_QUEUE_CA");
    command.env("SSL_CERT_FILE", stage.scene.path("right.pem"));
    let mut worker = stage.start(command);
    assert_eq!((coordinator.wait(), worker.wait()), (0, 0), "{}{}", coordinator.errors(), worker.errors());
    stage.assert_same("queue", "alone");
}

#[test]
fn a_broker_that_cannot_show_who_it_is_is_refused() {
    let Some(encrypted) = Encrypted::new() else { return };
    let (url, port) = (encrypted.url(), encrypted.port);
    let insecure = url.replace("#test", "/#insecure");
    let refused = "the broker's certificate is refused: UnknownIssuer; its authority must be known: ";
    for (authority, url, reason) in [
        (Some("wrong.pem"), &url, "KROO_QUEUE_CA names "),
        (Some("wrong.pem"), &insecure, "KROO_QUEUE_CA names "),
        (None, &url, "those of the system are known, and KROO_QUEUE_CA=FILE names others (PEM)"),
        (None, &insecure, "those of the system are known"),
    ] {
        let errors = encrypted.refused(authority, url);
        assert!(errors.contains(&format!("{refused}{reason}")), "{errors}");
        assert_eq!(errors.matches(refused).count(), 1, "{errors}");
    }
    // The certificate is for another name.
    let errors = encrypted.refused(Some("right.pem"), &url.replace("localhost", "127.0.0.1"));
    assert!(
        errors.contains("certificate is refused: certificate not valid for name \"127.0.0.1\""),
        "{errors}"
    );
    for (file, reason) in [("nothing.pem", "No such file"), ("broker.key", "it has no certificate")] {
        let errors = encrypted.refused(Some(file), &url);
        assert!(errors.contains("KROO_QUEUE_CA: ") && errors.contains(reason), "{errors}");
    }
    let mut worker = encrypted.start_with("sesame", Some("right.pem"), &["worker", &url]);
    assert_eq!(worker.wait(), 1);
    let errors = worker.errors();
    assert!(errors.contains("the broker says: Password authentication failed"), "{errors}");
    // A coordinator does not begin either.
    let mut coordinator = encrypted.start(Some("wrong.pem"), &["--queue", &url, "--rounds", "1"]);
    assert_eq!(coordinator.wait(), 1, "{}", coordinator.errors());
    assert!(coordinator.errors().contains(refused), "{}", coordinator.errors());
    // With the other scheme nothing comes of it either way, and the line says what to try.
    let plain = format!("redis://127.0.0.1:{port}#test");
    let wrong = format!("rediss://127.0.0.1:{}#test", encrypted.stage.port);
    for (url, advice) in [(plain, "has an address with rediss://"), (wrong, "has an address with redis://")] {
        let mut worker = encrypted.start(None, &["worker", &url, "--wait", "0"]);
        assert_eq!(worker.wait(), 1);
        let errors = worker.errors();
        assert!(errors.contains("cannot be reached: ") && errors.contains(advice), "{errors}");
        assert!(!errors.contains("sesame"), "{errors}");
    }
}
