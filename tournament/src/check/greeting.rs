//! The handshake, the options, and one game after another.

use super::probe::{CheckSession, clipped};
use super::{CheckResult, FindingKind};
use kroo::game::Variant;
use kroo::protocol::{OptionKind, OptionLine, Reply};
use std::time::{Duration, Instant};

/// Numbers that an option is not set to above: a table of this size, or so many threads, might not be there.
const LARGE: i64 = 64;

/// `uci` and `isready`.
pub(super) fn handshake(probe: &mut CheckSession<'_>) -> CheckResult {
    let introduced = introduction(probe)?;
    probe.findings.variants = offered(&introduced.options);
    probe.findings.ponders =
        introduced.options.iter().any(|option| option.name.eq_ignore_ascii_case("Ponder"));
    for (index, option) in introduced.options.iter().enumerate() {
        let same = |other: &OptionLine| other.name.eq_ignore_ascii_case(&option.name);
        if introduced.options[..index].iter().any(same) {
            probe.fault(FindingKind::Malformed, format!("option `{}` is declared twice", option.name));
        }
        if let Some(problem) = default_problem(option) {
            probe.fault(FindingKind::Malformed, format!("option `{}`: {problem}", option.name));
        }
    }
    probe.ready()?;
    if introduced.name.is_none() {
        probe.fault(FindingKind::Malformed, "no `id name` before `uciok`");
    }
    probe.findings.name = Some(introduced.name.unwrap_or_default());
    if !probe.findings.ponders {
        probe.remark(FindingKind::Malformed, "no option Ponder: it is not asked to ponder");
    }
    if probe.findings.variants.is_empty() {
        let variant = probe.order.variant;
        probe.remark(
            FindingKind::Malformed,
            format!("no option UCI_Variant with a known rule set: it is taken to play {variant}"),
        );
    }
    Ok(())
}

/// What an engine says of itself.
struct Introduced {
    name: Option<String>,
    options: Vec<OptionLine>,
}

fn introduction(probe: &mut CheckSession<'_>) -> CheckResult<Introduced> {
    probe.send("uci")?;
    let (mut name, mut options, mut text) = (None, Vec::new(), None);
    let startup = probe.order.spec.startup;
    probe.until(FindingKind::NoUciok, "`uciok`", startup, |reply| {
        match reply {
            Reply::UciOk => return true,
            Reply::IdName(found) => name = Some(found.clone()),
            Reply::Option(option) => options.push(option.clone()),
            Reply::Text(found) => text = Some(found.to_string()),
            _ => {}
        }
        false
    })?;
    if let Some(text) = text {
        probe.remark(FindingKind::Garbage, format!("says `{}` between `uci` and `uciok`", clipped(&text)));
    }
    Ok(Introduced { name, options })
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

/// What is wrong with a default.
fn default_problem(option: &OptionLine) -> Option<String> {
    match &option.kind {
        OptionKind::Spin { default, min, max } if default < min || default > max => {
            Some(format!("the default {default} is not from {min} to {max}"))
        }
        OptionKind::Combo { default, vars } if !vars.contains(default) => {
            Some(format!("the default `{default}` is none of its values"))
        }
        _ => None,
    }
}

/// Every option, set to what it allows and to what it does not.
pub(super) fn options(probe: &mut CheckSession<'_>) -> CheckResult {
    let options = introduction_again(probe)?;
    for option in &options {
        for value in allowed(&option.kind) {
            let value = value.map(|value| format!(" value {value}")).unwrap_or_default();
            probe.send(&format!("setoption name {}{value}", option.name))?;
            probe.ready()?;
        }
        for value in forbidden(&option.kind) {
            probe.send(&format!("setoption name {} value {value}", option.name))?;
            probe.ready()?;
        }
        if let Some(value) = default_of(&option.kind) {
            probe.send(&format!("setoption name {} value {value}", option.name))?;
        }
    }
    probe.send("setoption name No Such Option value 1")?;
    probe.send("setoption name")?;
    probe.ready()?;
    probe.send("position startpos")?;
    probe.go("go depth 1").map(drop)
}

fn introduction_again(probe: &mut CheckSession<'_>) -> CheckResult<Vec<OptionLine>> {
    introduction(probe).map(|introduced| introduced.options)
}

/// Values that must be taken.
fn allowed(kind: &OptionKind) -> Vec<Option<String>> {
    let texts = |texts: &[&str]| texts.iter().map(|&text| Some(text.to_owned())).collect();
    match kind {
        OptionKind::Spin { min, max, .. } => {
            let mut values = vec![Some(min.to_string())];
            values.extend((*max <= LARGE).then(|| Some(max.to_string())));
            values
        }
        OptionKind::Check { .. } => texts(&["true", "false"]),
        OptionKind::Combo { vars, .. } => vars.iter().cloned().map(Some).collect(),
        OptionKind::Button => vec![None],
        OptionKind::String { .. } => Vec::new(),
    }
}

/// Values that must be refused, or at least survived.
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

/// Three games in a row, a move each.
pub(super) fn new_games(probe: &mut CheckSession<'_>) -> CheckResult {
    for _ in 0..3 {
        probe.send("ucinewgame")?;
        probe.ready()?;
        probe.send("position startpos")?;
        probe.go("go depth 2")?;
    }
    probe.send("uci")?;
    let asked = Instant::now();
    probe.until(FindingKind::NoUciok, "`uciok` when asked again", Duration::from_secs(2), |reply| {
        *reply == Reply::UciOk || asked.elapsed() > Duration::from_secs(2)
    })
}
