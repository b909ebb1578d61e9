//! What a sandbox needs of the machine.

use kroo_referee::engine::layout::Layout;
use kroo_referee::engine::{missing_option, try_sandbox};
use std::fs;
use support::tools::has;

/// The options of bubblewrap 0.8 without its security update, and of 0.7.
#[test]
fn an_old_bubblewrap_is_refused_by_the_first_option_that_it_lacks() {
    let update = "--bind SRC DEST\n--bind-fd FD DEST\n--ro-bind-fd FD DEST";
    let old = "--ro-bind-try SRC DEST\n--disable-userns\n--add-seccomp-fd FD";
    assert_eq!(missing_option(&format!("{update}\n{old}")), None);
    assert_eq!(missing_option(old), Some("--bind-fd"));
    assert_eq!(missing_option(&update.replace("--bind-fd", "--bind")), Some("--bind-fd"));
    assert_eq!(missing_option(update), Some("--disable-userns"));
    assert_eq!(missing_option("--disable-userns-try --bind-fd --ro-bind-fd"), Some("--disable-userns"));
}

#[test]
fn a_sandbox_can_be_made_where_bubblewrap_can() {
    if has("bwrap") {
        assert_eq!(try_sandbox(), Ok(()));
    }
}

/// Only what is bound or started in a folder to write or to read needs a sandbox around the sandbox.
#[test]
fn a_layout_is_nested_if_one_of_its_places_is_in_another() {
    let home = tempfile::tempdir().expect("a folder");
    let at = |path: &str| home.path().join(path);
    fs::create_dir_all(at("own/read")).expect("folders");
    fs::create_dir(at("other")).expect("a folder");
    ["engine", "own/engine"].into_iter().for_each(|path| fs::write(at(path), "").expect("a file"));
    for (program, dir, read, nested) in [
        ("engine", Some("own"), "other", false),
        ("engine", None, "own/read", false),
        ("engine", Some("own"), "own/read", true),
        ("own/engine", Some("own"), "other", true),
    ] {
        let layout = Layout::new(&at(program), dir.map(at).as_deref(), &[at(read)]).expect("all are there");
        assert_eq!(layout.is_nested(), nested, "{program} {dir:?} {read}");
    }
}
