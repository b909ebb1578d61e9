//! Set-ups: what is refused, and with which message.

use kroo::game::{Position, Variant};

fn error(variant: Variant, text: &str) -> String {
    Position::parse(variant, text).expect_err(text).to_string()
}

#[test]
fn the_field_is_named() {
    let cases = [
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-S", "14 fields, expected 15"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-0-S", "16 fields, expected 15"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S-S", "16 fields, expected 15"),
        ("4", "1 field, expected 15"),
        ("", "field 1 (pit A) is empty"),
        ("4-x-4-4-4-4-4-4-4-4-4-4-0-0-S", "field 2 (pit B) is `x`, expected a number of seeds from 0 to 72"),
        ("4-4-4-4-4-4--4-4-4-4-4-4-0-0-S", "field 7 (pit a) is empty or negative"),
        ("-4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "field 1 (pit A) is empty or negative"),
        ("4-4-4-4-4-4-4-4-4-4-4-73-0-0-S", "field 12 (pit f) is `73`"),
        (
            "4-4-4-4-4-4-4-4-4-4-4-99999999999999999999999-0-0-S",
            "field 12 (pit f) is `99999999999999999999…`",
        ),
        ("4-4-4-4-4-4-4-4-4-4-4-4-+0-0-S", "field 13 (South's store) is `+0`"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0.5-S", "field 14 (North's store) is `0.5`"),
        ("S-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "field 1 (pit A) is `S`"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-X", "field 15 (side to move) is `X`"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-s", "field 15 (side to move) is `s`"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S2", "awari has no second move"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-1-S", "add up to 49 seeds, expected 48 in awari"),
        ("4-4-4-4-4-4-4-4-4-4-4-3-0-0-N", "add up to 47 seeds, expected 48 in awari"),
    ];
    for (text, expected) in cases {
        let found = error(Variant::Awari, text);
        assert!(found.contains(expected), "{text}: {found}");
    }
    let found = error(Variant::Awari1978, "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S");
    assert!(found.contains("add up to 48 seeds, expected 36 in awari1978"), "{found}");
}

#[test]
fn the_start_is_what_the_sources_say() {
    for &variant in Variant::ALL {
        let seeds = if variant == Variant::Awari1978 { "3" } else { "4" };
        let expected = format!("{}-0-0-S", [seeds; 12].join("-"));
        assert_eq!(Position::start(variant).to_string(), expected);
        assert_eq!(Position::parse(variant, &expected), Ok(Position::start(variant)));
    }
}
