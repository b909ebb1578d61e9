//! Positions set up for one rule each. An engine with another rule has other moves there, or none.

use super::finding::{FindingKind, RuleRow};
use super::session::{CheckResult, CheckSession};
use kroo::game::{Game, Move, Position, Variant};
use kroo::protocol::Command;

/// The positions: rule set, rule, fields and moves. Wherever a rule cannot take all moves away that break it, several
/// positions have one right move among others.
const POSITIONS: &str = include_str!("rules.txt");

/// A position of the table.
pub struct RulePosition {
    pub variant: Variant,
    pub rule: &'static str,
    /// The words after `position`.
    pub text: String,
    pub game: Game,
}

/// All positions in order.
///
/// # Panics
/// If a line of the table cannot be read or played.
pub fn positions() -> impl Iterator<Item = RulePosition> {
    let lines = POSITIONS.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| {
        let mut fields = line.split('|').map(str::trim);
        let mut field = || fields.next().expect("rule set, rule, position and moves");
        let (variant, rule, start, moves) = (field(), field(), field(), field());
        let variant: Variant = variant.parse().expect("a rule set");
        let start_position = match start {
            "startpos" => Position::start(variant),
            fields => Position::parse(variant, fields).expect("a position"),
        };
        let mut game = Game::new(start_position);
        for mv in moves.chars().filter_map(Move::from_letter) {
            game.play(mv).expect("a legal move");
        }
        let start = if start == "startpos" { start.to_owned() } else { format!("fen {start}") };
        let text = if moves.is_empty() { start } else { format!("{start} moves {moves}") };
        RulePosition { variant, rule, text, game }
    })
}

/// The positions of a rule set, and those of its optional rule if the engine has that option.
pub(super) fn rules(session: &mut CheckSession<'_>) -> CheckResult {
    let variant = session.variant;
    for row in positions().filter(|row| row.variant == variant) {
        ask(session, &row)?;
    }
    let of_option = |row: &RulePosition| {
        row.variant != variant && variant.with_options(row.variant.options()) == Some(row.variant)
    };
    if session.findings.captures_alone && positions().any(|row| of_option(&row)) {
        let new_game = session.line(&Command::NewGame);
        session.ready(&format!("setoption name EmptyCapture value true\n{new_game}"))?;
        for row in positions().filter(of_option) {
            ask(session, &row)?;
        }
    }
    Ok(())
}

/// Shows a position, and holds the answer against the rules.
fn ask(session: &mut CheckSession<'_>, row: &RulePosition) -> CheckResult {
    let legal: String = row.game.position().moves().iter().map(Move::to_string).collect();
    let expected = if legal.is_empty() { "0000".to_owned() } else { legal };
    let place = session.findings.rules.len();
    session.findings.rules.push(RuleRow {
        variant: row.variant.to_string(),
        rule: row.rule.to_owned(),
        position: row.text.clone(),
        expected: expected.clone(),
        found: String::new(),
    });
    let lines = format!("position {}\ngo depth 2\n", row.text);
    let best = session.await_move(&lines, session.options.answer_timeout)?.best;
    let found = best.map_or_else(|| "0000".to_owned(), |best| best.to_string());
    session.findings.rules[place].found.clone_from(&found);
    if !session.findings.rules[place].is_right() {
        let expected = match expected.as_str() {
            "0000" => "`bestmove 0000`: the game is over".to_owned(),
            moves => format!("one of {moves}"),
        };
        let problem = format!("{}: `position {}`: played `{found}`, expected {expected}", row.rule, row.text);
        session.fault(FindingKind::WrongRule, problem);
    }
    Ok(())
}
