//! What a sandbox needs of the machine.

use kroo_referee::engine::{missing_option, try_sandbox};
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
