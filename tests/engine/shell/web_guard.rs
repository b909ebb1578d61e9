//! Tests of `src/web/guard.rs`.

use kroo::web::guard::*;

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
