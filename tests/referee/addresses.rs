//! Addresses of queues.

use kroo_referee::queue::QueueAddress;

#[test]
fn only_this_machine_is_reached_without_encryption() {
    let is_private = |text: &str| text.parse::<QueueAddress>().expect("an address").check(false).is_ok();
    for text in [
        "redis://localhost",
        "redis://127.0.0.1:6379/2#x",
        "redis://[::1]:1",
        "redis://a@127.3.2.1",
        "rediss://host",
        "unix:///run/redis.sock",
        "redis+unix:///run/redis.sock",
    ] {
        assert!(is_private(text), "{text}");
    }
    for text in [
        "redis://host",
        "redis://10.0.0.1",
        "redis://[2001:db8::1]",
        "redis://localhost.example",
        "redis://127.0.0.1@host",
        "redis://localhost@host",
        "redis://127.0.0.1.example",
        "redis://0.0.0.0",
        "redis://host/127.0.0.1",
        "redis://:1",
    ] {
        assert!(!is_private(text), "{text}");
    }
}

#[test]
fn addresses_are_read_and_have_no_passwords() {
    for (text, shown) in [
        ("redis://host", "redis://host#match"),
        ("redis://host:6380/2#sprt-1.b", "redis://host:6380/2#sprt-1.b"),
        ("rediss://ann@host/0#x", "rediss://ann@host/0#x"),
        ("redis://ann@[::1]:1", "redis://ann@[::1]:1#match"),
        ("unix:///run/a@b:c.sock#a", "unix:///run/a@b:c.sock#a"),
        ("unix:///run/redis.sock?db=1&user=ann", "unix:///run/redis.sock?db=1&user=ann#match"),
        // A name like any other, that redis is not told: there it would mean to believe any certificate.
        ("rediss://host/#insecure", "rediss://host/#insecure"),
    ] {
        let address: QueueAddress = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(address.to_string(), shown);
        assert!(!address.url().contains('#'), "{}", address.url());
    }
    for (text, error) in [
        ("host:6379", "expected redis://"),
        ("http://host", "expected redis://"),
        ("redis://", "expected redis://"),
        ("redis://host#", "after the #: expected the name of a queue"),
        ("redis://host#a b", "printable characters"),
        ("redis://host#a{b}", "after the #: expected the name of a queue"),
        ("rediss://ann:se:cr@t@host/0#x", "it has a password"),
        ("redis://ann:se/cret@host", "it has a password"),
        ("redis://:secret@[::1]:1", "it has a password"),
        ("redis://:@host", "it has a password"),
        ("redis://host?password=secret", "it has a password"),
        ("unix:///run/redis.sock?user=ann&pass=secret", "it has a password"),
        ("redis://a%3Ab@host", "before the @: expected a user"),
        ("redis://@host", "before the @: expected a user"),
        ("unix:///run/redis.sock?user=*", "before the @: expected a user"),
        ("redis://h\u{1b}ost", "printable characters"),
    ] {
        let refused = text.parse::<QueueAddress>().unwrap_err().to_string();
        assert!(refused.contains(error), "{text}: {refused}");
    }
    let long = format!("redis://host#{}", "x".repeat(65));
    assert!(long.parse::<QueueAddress>().unwrap_err().to_string().contains("the name of a queue"));
}
