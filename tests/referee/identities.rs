//! The names that engines give themselves.

use kroo_referee::run::Identities;

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
