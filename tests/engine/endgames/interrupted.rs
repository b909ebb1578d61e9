//! An interrupted database resumes from its values.

use kroo::endgame_files::{BuildEvent, EndgameBuildError, EndgamePlan, build};
use kroo::endgames::database_path;
use kroo::game::Variant;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use support::one_of;

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let named = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    entries.map(|path| (named(&path), fs::read(&path).expect("a file"))).collect()
}

/// Builds, and stops after `most` units of work on the largest database. Returns whether it was stopped, and the work done.
fn stopped_after(plan: &EndgamePlan, most: usize) -> (bool, usize) {
    let mut count = 0;
    let built = build(plan, &mut |event| {
        count += usize::from(matches!(event, BuildEvent::Status(status) if status.seeds == plan.seeds));
        count > most
    });
    match built {
        Ok(_) => (false, count),
        Err(EndgameBuildError::Stopped { .. }) => (true, count),
        // A process that another test is starting holds the lock of the last build until it executes its program.
        Err(EndgameBuildError::Busy { .. }) => stopped_after(plan, most),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn an_interrupted_database_goes_on_from_its_values() {
    for (variant, seeds) in [
        (Variant::Oware, 9),
        (Variant::Awari, 9),
        (Variant::Ayoayo, 8),
        (Variant::Kalah, 10),
        (Variant::Awari1978, 9),
    ]
    .into_iter()
    .step_by(one_of(2))
    {
        let [whole, broken] = [1, 2].map(|_| tempfile::tempdir().expect("a folder"));
        let plan = |folder: &Path| EndgamePlan {
            variant,
            seeds,
            folder: folder.to_owned(),
            threads: 1,
            memory: Some(1 << 40),
        };
        let (_, all) = stopped_after(&plan(whole.path()), usize::MAX);
        let expected = files(whole.path());
        let last = database_path(broken.path(), variant, seeds);
        let part = last.with_extension("part");
        let mut kept = Vec::new();
        for most in [0, 1, all / 3, all - 1] {
            let _ = fs::remove_file(&last);
            let _ = fs::remove_file(&part);
            assert!(stopped_after(&plan(broken.path()), most).0, "{variant}: {most} of {all}");
            assert!(!last.exists(), "{variant}: {most} of {all}");
            // Before the first iteration there is nothing to keep.
            if part.exists() {
                kept = fs::read(&part).expect("a part");
            }
            assert!(!stopped_after(&plan(broken.path()), usize::MAX).0);
            assert!(files(broken.path()) == expected, "{variant}: {most} of {all}, and the part is gone");
        }
        // A damaged part is ignored.
        assert!(!kept.is_empty(), "{variant}: nothing was ever kept");
        *kept.last_mut().expect("bytes") ^= 1;
        fs::remove_file(&last).expect("a file");
        fs::write(&part, kept).expect("a part");
        assert!(!stopped_after(&plan(broken.path()), usize::MAX).0);
        assert!(files(broken.path()) == expected, "{variant}: after a damaged part");
    }
}
