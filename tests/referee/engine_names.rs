//! The names that engines give themselves.

use crate::plans::plan;
use kroo_referee::run::Identities;
use serde_json::json;
use std::fs;
use tempfile::TempDir;

#[test]
fn an_engine_has_one_name_and_need_not_have_any() {
    let identities = Identities::new(2);
    identities.learn(1, "Old 1");
    for (engine, name) in [(0, Some("A 1")), (0, Some("A 1")), (0, None), (1, None), (1, Some("Old 1"))] {
        assert_eq!(identities.meet(engine, name), None);
    }
    let problem = identities.meet(1, Some("New 2")).expect("it is another one");
    assert!(problem.starts_with("it calls itself `New 2`, but `Old 1` has played"), "{problem}");
    assert!(identities.meet(1, Some("Old 1")).is_none(), "the first name stays");
}

/// The same words are the same arguments, unless they name different files in the folders of the engines.
#[test]
fn engines_with_other_files_are_other_players() {
    let plan = plan(&["a", "b"], &json!("round_robin"));
    let [one, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let player = |index: usize, folder: &TempDir, word: &str| {
        let mut contestant = plan.contestants[index].clone();
        contestant.engine.dir = Some(folder.path().to_owned());
        contestant.engine.args = vec![word.to_owned()];
        contestant
    };
    fs::write(one.path().join("only"), "").unwrap();
    for folder in [&one, &other] {
        fs::write(folder.path().join("both"), "").unwrap();
    }
    for (word, is_same) in [("neither", true), ("only", false), ("both", false)] {
        assert_eq!(player(0, &one, word).is_same_player(&player(1, &other, word)), is_same, "{word}");
        assert!(player(0, &one, word).is_same_player(&player(1, &one, word)), "{word} in one folder");
    }
    assert!(!player(0, &one, "both").is_same_player(&player(1, &one, "neither")));
}
