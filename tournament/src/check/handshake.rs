//! The handshake, the options, one game after another, and the exit.

use super::board::to_move;
use super::finding::FindingKind;
use super::session::{CLIPPED, CheckResult, CheckSession};
use crate::engine::{EngineEnd, Introduction, PipeError, rules_to_set};
use kroo::game::{Side, Variant};
use kroo::printable::clipped;
use kroo::protocol::{Command, Dialect, OptionKind, OptionLine};
use std::os::unix::process::ExitStatusExt;
use std::thread;
use std::time::{Duration, Instant};

/// Maxima of numeric options above this are not tried: a table of that size, or that number of threads, may not be available.
const MAX_TRIED: i64 = 64;
/// How long a second `uci` may take to be answered.
const SECOND_UCI: Duration = Duration::from_secs(2);
/// How long an engine may take to exit.
const EXIT_TIMEOUT: Duration = Duration::from_secs(1);
/// How long its children may take to notice that it has exited; also how long it searches before `quit`.
const SHORT_WHILE: Duration = Duration::from_millis(50);

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
    session.ready("")?;
    if name.is_none() {
        session.fault(FindingKind::Malformed, format!("no `id name` before `{ok}`"));
    }
    session.findings.name = Some(name.unwrap_or_default());
    if may_ponder && !session.findings.ponders {
        session.remark(FindingKind::Optional, "has no option Ponder, and is never asked to ponder");
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

/// Every option, set to values that are allowed, then to values that are not, and to its default.
pub(super) fn options(session: &mut CheckSession<'_>) -> CheckResult {
    for option in &session.introduction()?.options {
        for value in values(&option.kind) {
            session.ready(&format!("setoption name {}{value}\n", option.name))?;
        }
    }
    session.ready("setoption name No Such Option value 1\nsetoption name\n")?;
    one_move(session, "go depth 1")
}

/// What follows an option's name: values that the engine must accept, then values that it must refuse, or at least survive, and
/// its default.
fn values(kind: &OptionKind) -> Vec<String> {
    let values: Vec<String> = match kind {
        OptionKind::Spin { default, min, max } => {
            let (below, above) = (min.saturating_sub(1), max.saturating_add(1));
            let most = (*max <= MAX_TRIED).then(|| max.to_string());
            let others = [below.to_string(), above.to_string(), "many".to_owned(), default.to_string()];
            [min.to_string()].into_iter().chain(most).chain(others).collect()
        }
        OptionKind::Check { default } => {
            ["true", "false", "perhaps"].map(str::to_owned).into_iter().chain([default.to_string()]).collect()
        }
        OptionKind::Combo { default, vars } => {
            vars.iter().cloned().chain(["no such value".to_owned(), default.clone()]).collect()
        }
        OptionKind::Button => return vec![String::new()],
        OptionKind::String { default } => vec!["/no/such/file".to_owned(), default.clone()],
    };
    values.into_iter().map(|value| format!(" value {value}")).collect()
}

fn one_move(session: &mut CheckSession<'_>, go: &str) -> CheckResult {
    let timeout = session.options.answer_timeout;
    session.await_move(&format!("position startpos\n{go}\n"), timeout).map(drop)
}

/// Three games in a row, one move each, and the handshake again.
pub(super) fn new_games(session: &mut CheckSession<'_>) -> CheckResult {
    for _ in 0..3 {
        session.ready(&session.line(&Command::NewGame))?;
        one_move(session, "go depth 2")?;
    }
    let (hello, ok) = (session.protocol().hello(), session.protocol().hello_ok());
    let expected = format!("`{ok}` to a second `{hello}`");
    let expected = (FindingKind::NoUciok, expected.as_str(), SECOND_UCI);
    session.expect(session.line(&hello).as_bytes(), expected, |reply, _| (*reply == ok).then_some(()))
}

/// `quit`, or the end of its input, while it waits for commands or searches: the process exits in time, with status 0, and
/// nothing that it has started outlives it.
pub(super) fn exits(session: &mut CheckSession<'_>, quit: bool, searching: bool) -> CheckResult {
    if searching {
        let search = session.position(&to_move(session.variant, Side::South)) + "go infinite\n";
        session.unexpected_reply(search.as_bytes(), ("nothing", SHORT_WHILE), |_| true)?;
    }
    let (kind, what) = if quit {
        // If it does not read this, it does not exit either.
        if session.connection.send(b"quit\n", Instant::now() + EXIT_TIMEOUT) == Err(PipeError::Closed) {
            return session.gone("reading what it is sent");
        }
        (FindingKind::NoExitAtQuit, "`quit`")
    } else {
        session.connection.close_input();
        (FindingKind::NoExitAtEnd, "the end of its input")
    };
    let after = if searching { format!("{what} while searching") } else { what.to_owned() };
    let exited = session.connection.await_exit(Instant::now() + EXIT_TIMEOUT + session.options.margin);
    if !exited {
        session.fault(kind, format!("was still running {} s after {after}", EXIT_TIMEOUT.as_secs()));
    }
    thread::sleep(SHORT_WHILE);
    let left = if exited { session.connection.process.living_descendants() } else { 0 };
    if left > 0 {
        let noun = if left == 1 { "process" } else { "processes" };
        let problem = format!("left {left} {noun} running after {after}");
        session.fault(FindingKind::ChildrenLeft, problem);
    }
    let end = session.connection.kill().filter(|_| exited);
    if let Some(status) = end.and_then(EngineEnd::status)
        && status.code() != Some(0)
    {
        let how = status.signal().map_or_else(
            || format!("exit status {}", status.code().unwrap_or_default()),
            |signal| format!("signal {signal}"),
        );
        let words = session.errors();
        let problem = format!("ended with {how} after {after}: expected exit status 0{words}");
        session.fault(FindingKind::ExitStatus, problem);
    }
    Ok(())
}
