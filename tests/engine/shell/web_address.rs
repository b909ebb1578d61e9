//! Tests of `src/cli/commands/web.rs`.

use kroo::cli::commands::web::*;
use kroo::web::EngineCommand;

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
