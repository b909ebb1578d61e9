//! The handshake, the options, and one game after another.

use super::finding::FindingKind;
use super::session::{CLIPPED, CheckResult, CheckSession};
use crate::engine::{Introduction, rules_to_set};
use kroo::game::Variant;
use kroo::printable::clipped;
use kroo::protocol::{Dialect, OptionKind, OptionLine};
use std::time::{Duration, Instant};

/// Maxima of numeric options above this are not tried: a table of that size, or that number of threads, may not be available.
const MAX_TRIED: i64 = 64;
/// How long a second `uci` may take to be answered.
const SECOND_UCI: Duration = Duration::from_secs(2);

/// `uci` or `ugi`, and `isready`.
pub(super) fn handshake(session: &mut CheckSession<'_>) -> CheckResult {
    let Introduction { name, options, garbage } = session.introduction()?;
    let (hello, ok) = (session.protocol().hello(), session.protocol().hello_ok());
    if let Some(text) = garbage {
        let text = clipped(&text, CLIPPED);
        session.remark(FindingKind::Garbage, format!("says `{text}` between `{hello}` and `{ok}`"));
    }
    session.findings.variants = offered(&options);
    let wanted = session.options.variant;
    let first = session.findings.variants.first().copied();
    let chosen = first.filter(|_| rules_to_set(&options, wanted).is_err()).unwrap_or(wanted);
    session.findings.variant = Some(chosen);
    let may_ponder = session.protocol() == Dialect::Uci;
    session.findings.ponders =
        may_ponder && options.iter().any(|option| option.name.eq_ignore_ascii_case("Ponder"));
    session.findings.captures_alone =
        options.iter().any(|option| option.name.eq_ignore_ascii_case("EmptyCapture"));
    for (index, option) in options.iter().enumerate() {
        let same = |other: &OptionLine| other.name.eq_ignore_ascii_case(&option.name);
        if options[..index].iter().any(same) {
            session.fault(FindingKind::Malformed, format!("option `{}` is declared twice", option.name));
        }
        if let Some(problem) = default_problem(option) {
            session.fault(FindingKind::Malformed, format!("option `{}`: {problem}", option.name));
        }
    }
    session.ready()?;
    if name.is_none() {
        session.fault(FindingKind::Malformed, format!("no `id name` before `{ok}`"));
    }
    session.findings.name = Some(name.unwrap_or_default());
    if may_ponder && !session.findings.ponders {
        session.remark(FindingKind::Optional, "has no option Ponder, so it is never asked to ponder");
    }
    if session.findings.variants.is_empty() {
        let variant = session.options.variant;
        let problem =
            format!("has no option UCI_Variant with a known rule set, so it is checked with {variant}");
        session.remark(FindingKind::Optional, problem);
    }
    if chosen != wanted {
        let problem = format!("does not offer the rule set {wanted}, so it is checked with {chosen}");
        session.remark(FindingKind::Optional, problem);
    }
    Ok(())
}

/// The rule sets among the values of the option.
fn offered(options: &[OptionLine]) -> Vec<Variant> {
    let variants = options.iter().filter(|option| option.name.eq_ignore_ascii_case("UCI_Variant"));
    let values = variants.filter_map(|option| match &option.kind {
        OptionKind::Combo { vars, .. } => Some(vars.clone()),
        _ => None,
    });
    values.flatten().filter_map(|value| value.parse().ok()).collect()
}

/// The fault of an option's default.
fn default_problem(option: &OptionLine) -> Option<String> {
    match &option.kind {
        OptionKind::Spin { default, min, max } if default < min || default > max => {
            Some(format!("the default {default} is not between {min} and {max}"))
        }
        OptionKind::Combo { default, vars } if !vars.contains(default) => {
            Some(format!("the default `{default}` is not one of its values"))
        }
        _ => None,
    }
}

/// Every option, set to values that are allowed and to values that are not.
pub(super) fn options(session: &mut CheckSession<'_>) -> CheckResult {
    for option in &session.introduction()?.options {
        for value in allowed(&option.kind) {
            let value = value.map(|value| format!(" value {value}")).unwrap_or_default();
            session.send(&format!("setoption name {}{value}", option.name))?;
            session.ready()?;
        }
        for value in forbidden(&option.kind) {
            session.send(&format!("setoption name {} value {value}", option.name))?;
            session.ready()?;
        }
        if let Some(value) = default_of(&option.kind) {
            session.send(&format!("setoption name {} value {value}", option.name))?;
        }
    }
    session.send("setoption name No Such Option value 1")?;
    session.send("setoption name")?;
    session.ready()?;
    session.send("position startpos")?;
    session.search("go depth 1").map(drop)
}

/// Values that the engine must accept.
fn allowed(kind: &OptionKind) -> Vec<Option<String>> {
    let texts = |texts: &[&str]| texts.iter().map(|&text| Some(text.to_owned())).collect();
    match kind {
        OptionKind::Spin { min, max, .. } => {
            let mut values = vec![Some(min.to_string())];
            values.extend((*max <= MAX_TRIED).then(|| Some(max.to_string())));
            values
        }
        OptionKind::Check { .. } => texts(&["true", "false"]),
        OptionKind::Combo { vars, .. } => vars.iter().cloned().map(Some).collect(),
        OptionKind::Button => vec![None],
        OptionKind::String { .. } => Vec::new(),
    }
}

/// Values that the engine must refuse, or at least survive.
fn forbidden(kind: &OptionKind) -> Vec<String> {
    match kind {
        OptionKind::Spin { min, max, .. } => {
            vec![min.saturating_sub(1).to_string(), max.saturating_add(1).to_string(), "many".to_owned()]
        }
        OptionKind::Check { .. } => vec!["perhaps".to_owned()],
        OptionKind::Combo { .. } => vec!["no such value".to_owned()],
        OptionKind::Button => Vec::new(),
        OptionKind::String { .. } => vec!["/no/such/file".to_owned()],
    }
}

fn default_of(kind: &OptionKind) -> Option<String> {
    match kind {
        OptionKind::Spin { default, .. } => Some(default.to_string()),
        OptionKind::Check { default } => Some(default.to_string()),
        OptionKind::Combo { default, .. } => Some(default.clone()),
        OptionKind::String { default } => Some(default.clone()),
        OptionKind::Button => None,
    }
}

/// Three games in a row, one move each.
pub(super) fn new_games(session: &mut CheckSession<'_>) -> CheckResult {
    for _ in 0..3 {
        session.new_game()?;
        session.send("position startpos")?;
        session.search("go depth 2")?;
    }
    let (hello, ok) = (session.protocol().hello(), session.protocol().hello_ok());
    session.send_command(&hello)?;
    let asked = Instant::now();
    let expected = format!("`{ok}` to a second `{hello}`");
    session.await_reply(FindingKind::NoUciok, &expected, SECOND_UCI, |reply| {
        *reply == ok || asked.elapsed() > SECOND_UCI
    })
}
