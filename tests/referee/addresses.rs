//! Addresses of queues.

use kroo_referee::queue::{AddressError, QueueAddress};

#[test]
fn only_this_machine_is_reached_without_encryption() {
    let is_private = |text: &str| text.parse::<QueueAddress>().expect("an address").is_private();
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
    for (text, shown, user) in [
        ("redis://host", "redis://host#match", None),
        ("redis://host:6380/2#sprt-1.b", "redis://host:6380/2#sprt-1.b", None),
        ("rediss://ann@host/0#x", "rediss://ann@host/0#x", Some("ann")),
        ("redis://ann@[::1]:1", "redis://ann@[::1]:1#match", Some("ann")),
        ("unix:///run/a@b:c.sock#a", "unix:///run/a@b:c.sock#a", None),
        ("unix:///run/redis.sock?db=1&user=ann", "unix:///run/redis.sock?db=1&user=ann#match", Some("ann")),
        // A name like any other, that redis is not told: there it would mean to believe any certificate.
        ("rediss://host/#insecure", "rediss://host/#insecure", None),
    ] {
        let address: QueueAddress = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((address.to_string().as_str(), address.user()), (shown, user));
        assert!(!address.url().contains('#'), "{}", address.url());
    }
    for (text, error) in [
        ("host:6379", AddressError::Scheme),
        ("http://host", AddressError::Scheme),
        ("redis://", AddressError::Scheme),
        ("redis://host#", AddressError::Name),
        ("redis://host#a b", AddressError::Characters),
        ("redis://host#a{b}", AddressError::Name),
        ("rediss://ann:se:cr@t@host/0#x", AddressError::Password),
        ("redis://ann:se/cret@host", AddressError::Password),
        ("redis://:secret@[::1]:1", AddressError::Password),
        ("redis://:@host", AddressError::Password),
        ("redis://host?password=secret", AddressError::Password),
        ("unix:///run/redis.sock?user=ann&pass=secret", AddressError::Password),
        ("redis://a%3Ab@host", AddressError::User),
        ("redis://@host", AddressError::User),
        ("unix:///run/redis.sock?user=*", AddressError::User),
        ("redis://h\u{1b}ost", AddressError::Characters),
    ] {
        assert_eq!(text.parse::<QueueAddress>(), Err(error), "{text}");
    }
    assert_eq!(format!("redis://host#{}", "x".repeat(65)).parse::<QueueAddress>(), Err(AddressError::Name));
}
