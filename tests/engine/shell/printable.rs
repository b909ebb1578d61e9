//! Tests of `src/core/printable.rs`.

use kroo::printable::*;
use std::borrow::Cow;

#[test]
fn one_thing_is_not_called_many() {
    assert_eq!(
        [0, 1, 2, 11].map(|count| counted(count, "line")),
        ["0 lines", "1 line", "2 lines", "11 lines"]
    );
}

#[test]
fn what_is_no_order_stays() {
    for text in ["", "Kroo 1", "a \\ \"quote\"", "<b>&", "ワリ", "מנקלה", "é…\u{1f41f}"] {
        assert!(matches!(line(text), Cow::Borrowed(same) if same == text), "{text}");
        assert_eq!(name(text), text);
    }
}

#[test]
fn orders_are_shown_and_not_given() {
    assert_eq!(line("\x1b]0;x\x07\r\n\u{202e}\u{9b}1m"), "\\u{1b}]0;x\\u{7}\\u{d}\\u{a}\\u{202e}\\u{9b}1m");
    assert_eq!(lines("one\ntwo\r"), "one\ntwo\\u{d}");
    for c in ('\0'..=' ').chain('\u{7f}'..='\u{a0}').chain('\u{2000}'..='\u{2070}') {
        assert!(!line(&c.to_string()).contains(is_control), "{c:?}");
    }
}

#[test]
fn json_stays_json() {
    for text in ["\u{202e}\u{9b}1m", "\u{7f}a\u{2028}", "é \\ \"x\""] {
        let document = serde_json::json!({ "name": text }).to_string();
        let shown = json(&document);
        assert_eq!(lines(&shown), shown, "nothing is left to be escaped");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).expect("JSON")["name"], text);
    }
}

#[test]
fn a_name_has_an_end() {
    assert_eq!(name(&"é".repeat(MAX_NAME)), "é".repeat(MAX_NAME));
    assert_eq!(name(&"é".repeat(1 << 20)), "é".repeat(MAX_NAME) + "…");
    assert_eq!(name(&"\x1b".repeat(1000)).len(), MAX_NAME * "\\u{1b}".len() + "…".len());
}

/// Quotes and backslashes of an engine's text stay as they are.
#[test]
fn a_clipped_text_has_no_more_escapes_than_it_needs() {
    for (text, characters, shown) in [
        ("it's \"so\" \\ é", 20, "it's \"so\" \\ é"),
        ("a\tb\u{1b}\u{202e}\n", 20, "a\\tb\\u{1b}\\u{202e}\\n"),
        ("ééé", 2, "éé…"),
        ("ééé", 3, "ééé"),
        ("", 0, ""),
    ] {
        assert_eq!(clipped(text, characters), shown);
    }
}
