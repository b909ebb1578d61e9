//! Tests of `src/web`: its guard (`guard.rs`), the files of the page, joined (`join.rs`), and engines by address.

use kroo::cli::commands::web::*;
use kroo::web::EngineCommand;
use kroo::web::files::{FILES, text_of};
use kroo::web::guard::*;
use kroo::web::join::joined;

fn guard(address: &str) -> Guard {
    Guard::new(address.parse().expect("an address"))
}

#[test]
fn only_its_own_names_are_here() {
    let local = guard("127.0.0.1:8017");
    for host in ["127.0.0.1:8017", "localhost:8017", "LOCALHOST:8017", "[::1]:8017"] {
        assert!(local.is_here(host), "{host}");
    }
    for host in ["127.0.0.1", "127.0.0.1:80", "evil.example:8017", "192.168.1.2:8017", "", ":8017", "[::1]"] {
        assert!(!local.is_here(host), "{host}");
    }
    let open = guard("0.0.0.0:80");
    assert!(open.is_here("192.168.1.2") && open.is_here("[fe80::1]:80") && !open.is_here("evil.example"));
}

#[test]
fn secrets_differ_and_are_compared_whole() {
    let (one, two) = (secret(), secret());
    assert!(one != two && one.len() == 32);
    assert!(is_same(&one, &one) && !is_same(&one, &two) && !is_same("", &one) && !is_same(&one[..31], &one));
}

#[test]
fn each_module_comes_once_and_after_what_it_imports() {
    let start = |name: &str| format!("const ${} = (() => {{", name.trim_end_matches(".js").replace('-', "_"));
    let text = joined("main.js", &text_of);
    assert!(!text.contains("\nimport ") && !text.contains("\nexport "));
    for file in FILES.iter().filter(|file| file.path.ends_with(".js")) {
        let name = &file.path[1..];
        let count = text.matches(&start(name)).count();
        assert_eq!(count, usize::from(name != "shared-worker.js"), "{name}");
    }
    let at = |name: &str| text.find(&start(name));
    assert!(at("dom.js") < at("board.js") && at("board.js") < at("main.js"));
    assert!(joined("shared-worker.js", &text_of).contains("$server"));
}

fn read_words(words: &[&str]) -> Result<EngineCommand, String> {
    let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    engine(words.iter())
}

#[test]
fn engines_are_described_in_the_referees_words() {
    let engine =
        read_words(&["cmd=/x/old.exe", "args=--a  b", "option.Hash=4", "dir=/x"]).expect("an engine");
    assert_eq!(engine.name, "old");
    assert_eq!(engine.arguments, ["--a", "b"]);
    assert_eq!(engine.options, [("Hash".to_owned(), "4".to_owned())]);
    for (words, wanted) in [
        (&["name=x"][..], "needs cmd="),
        (&["cmd="], "nothing follows"),
        (&["cmd=x", "st=1"], "expected cmd="),
        (&["x"], "expected KEY=VALUE"),
        (&["cmd=x", "option.=1"], "expected cmd="),
    ] {
        let error = read_words(words).expect_err("wrong words");
        assert!(error.contains(wanted), "{error}");
    }
}
