//! The pages: every block runs, and shows what comes.

mod blocks;

use blocks::{Block, Fate, Fates, Grounds, matches};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::thread;
use support::python::python_with_package;
use support::scene::built;
use support::tools::has;

/// The variables of a shell whose Python has the package.
fn variables() -> BTreeMap<String, String> {
    let Some(command) = python_with_package() else { return BTreeMap::new() };
    let all = command.get_envs().filter_map(|(name, value)| Some((name.to_str()?, value?.to_str()?)));
    all.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// Runs blocks, two at a time, each in a folder of its own.
fn run(blocks: Vec<Block>) {
    let variables = variables();
    let (blocks, faults) = (Mutex::new(blocks), Mutex::new(Vec::new()));
    let next = || blocks.lock().unwrap().pop();
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(block) = next() {
                    if let Err(fault) = Grounds::new().run(&block, &variables) {
                        faults.lock().unwrap().push(fault);
                    }
                }
            });
        }
    });
    let faults = faults.into_inner().unwrap();
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// The blocks with a fate.
fn fated(wanted: fn(&Fate) -> bool) -> Vec<Block> {
    let fates = Fates::read();
    let blocks = Block::all();
    assert!(blocks.len() > 100, "only {} blocks were found", blocks.len());
    let stale = fates.stale(&blocks);
    assert!(stale.is_empty(), "rows of pages/blocks.txt that name no block: {stale:#?}");
    blocks.into_iter().filter(|block| wanted(&fates.of(block))).collect()
}

#[test]
fn every_short_block_runs() {
    let true = has("python") else { return };
    built("kroo", &["-p", "kroo", "--bin", "kroo"]);
    let short = fated(|fate| matches!(fate, Fate::Runs));
    let compiles = |block: &Block| block.text.lines().any(|line| line.trim_start().starts_with("cargo "));
    let compiling: Vec<_> = short.iter().filter(|block| compiles(block)).map(Block::name).collect();
    assert!(compiling.is_empty(), "pages/blocks.txt has no row for blocks that compile: {compiling:?}");
    run(short);
}

#[test]
#[ignore = "minutes: .ci/long"]
fn every_long_block_runs() {
    let true = has("python") else { return };
    built("kroo", &["-p", "kroo", "--bin", "kroo"]);
    run(fated(|fate| matches!(fate, Fate::Long)));
}

#[test]
fn a_block_and_what_it_shows_are_found() {
    let page = "a\n```sh\necho a b\n```\n\n```text\na …\n```\nx\n```text\nc\n```\n";
    let blocks = Block::parsed("p.md", page);
    assert_eq!(blocks.len(), 2);
    assert_eq!((blocks[0].line, blocks[0].shown.as_deref()), (2, Some("a …\n")));
    assert_eq!((blocks[1].language.as_str(), blocks[1].text.as_str()), ("text", "c\n"));
    let variables = BTreeMap::new();
    let mut block = blocks.into_iter().next().unwrap();
    Grounds::new().run(&block, &variables).unwrap();
    block.shown = Some("b …\n".to_owned());
    assert!(Grounds::new().run(&block, &variables).unwrap_err().contains("p.md:2"));
    block.text = "false\n".to_owned();
    assert!(Grounds::new().run(&block, &variables).is_err());
}

#[test]
fn dots_stand_for_any_text() {
    for (shown, output) in
        [("a\n", "a\n"), ("…b\nc", "xx b\nc\n"), ("a …\nd\n…", "a b c\nd\n e"), ("a … c", "a b c")]
    {
        assert!(matches(shown, output), "{shown:?} {output:?}");
    }
    for (shown, output) in
        [("a", "ab"), ("a … c", "a b c d"), ("…b", "b c"), ("b…", "a b"), ("a…b…c", "a c b")]
    {
        assert!(!matches(shown, output), "{shown:?} {output:?}");
    }
}
