//! `option` lines, an engine's declarations of its options.

use super::error::ParseFailure;
use super::words::{Parsed, expect, keyword, number, phrase, rest, token};
use nom::Parser;
use nom::branch::alt;
use nom::combinator::{eof, peek, value};
use nom::multi::fold_many0;
use nom::sequence::preceded;
use std::fmt;

/// A declared option. Texts are trimmed and have no line breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionLine {
    /// Its name: words joined by single spaces, none of them `type`.
    pub name: String,
    /// Its values and its default.
    pub kind: OptionKind,
}

/// The values of an option, and its default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// An integer within a range.
    Spin {
        /// The default.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// `true` or `false`.
    Check {
        /// The default.
        default: bool,
    },
    /// One of several texts: words joined by single spaces, none of them `default` or `var`.
    Combo {
        /// The default.
        default: String,
        /// All choices.
        vars: Vec<String>,
    },
    /// A button: setting it is an action.
    Button,
    /// Any text.
    String {
        /// The default; an empty one is written `<empty>`.
        default: String,
    },
}

/// The written form of an empty text.
pub(super) const EMPTY: &str = "<empty>";
const KINDS: &str = "`spin`, `check`, `combo`, `button` or `string`";

/// Parses the text after `option`.
pub(super) fn option(input: &str) -> Parsed<'_, OptionLine> {
    let (input, _) = expect("`name`", keyword("name")).parse(input)?;
    let (input, name) = expect("the name of an option", phrase(&["type"])).parse(input)?;
    let (input, _) = expect("`type`", keyword("type")).parse(input)?;
    let (rest, kind) = expect(KINDS, token).parse(input)?;
    let (rest, kind) = match kind {
        "spin" => spin(rest)?,
        "check" => check(rest)?,
        "combo" => combo(rest)?,
        "button" => (rest, OptionKind::Button),
        "string" => string(rest)?,
        _ => return Err(ParseFailure::failure(input, KINDS)),
    };
    Ok((rest, OptionLine { name, kind }))
}

fn spin(mut input: &str) -> Parsed<'_, OptionKind> {
    let (mut default, mut min, mut max) = (None, None, None);
    while !input.is_empty() {
        let (rest, word) = token(input)?;
        let slot = match word {
            "default" => &mut default,
            "min" => &mut min,
            "max" => &mut max,
            _ => break,
        };
        let (rest, number) = number("an integer", i64::MIN..=i64::MAX).parse(rest)?;
        *slot = Some(number);
        input = rest;
    }
    match (default, min, max) {
        (Some(default), Some(min), Some(max)) => Ok((input, OptionKind::Spin { default, min, max })),
        _ => Err(ParseFailure::failure(input, "`default`, `min` and `max`, each with an integer")),
    }
}

fn check(input: &str) -> Parsed<'_, OptionKind> {
    let (input, _) = expect("`default`", keyword("default")).parse(input)?;
    let yes_or_no = alt((value(true, keyword("true")), value(false, keyword("false"))));
    let (input, default) = expect("`true` or `false`", yes_or_no).parse(input)?;
    Ok((input, OptionKind::Check { default }))
}

fn combo(input: &str) -> Parsed<'_, OptionKind> {
    let (input, mut all) = vars(input)?;
    let (input, _) = expect("`default` or `var`", keyword("default")).parse(input)?;
    let (input, default) = expect("a value", phrase(&["default", "var"])).parse(input)?;
    let (input, after) = vars(input)?;
    all.extend(after);
    Ok((input, OptionKind::Combo { default, vars: all }))
}

fn vars(input: &str) -> Parsed<'_, Vec<String>> {
    let var = preceded(keyword("var"), expect("a value", phrase(&["default", "var"])));
    fold_many0(var, Vec::new, |mut vars, var| {
        vars.push(var);
        vars
    })
    .parse(input)
}

/// Parses the default of a text option. Some engines omit `default`, or the `<empty>` after it.
fn string(input: &str) -> Parsed<'_, OptionKind> {
    let some = preceded(keyword("default"), rest);
    let (input, text) = expect("`default`", alt((peek(eof), some))).parse(input)?;
    let default = if text == EMPTY { String::new() } else { text.to_owned() };
    Ok((input, OptionKind::String { default }))
}

impl fmt::Display for OptionLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            OptionKind::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Combo { default, vars } => {
                write!(f, "combo default {default}")?;
                vars.iter().try_for_each(|var| write!(f, " var {var}"))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::String { default } => {
                write!(f, "string default {}", if default.is_empty() { EMPTY } else { default })
            }
        }
    }
}
