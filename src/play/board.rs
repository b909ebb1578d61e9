//! The board on the screen, in four ways.
//!
//! A frame of lines or of plain characters, with the pits numbered and what the last move did marked; three bare lines
//! where there is little room; and fourteen numbers, as the program of 1978 printed them.

use super::screen::{Paint, Screen};
use crate::game::{Move, MoveEffects, Pit, Position, ROW, Side};

/// A pit of more seeds than this is a kroo.
const KROO: u8 = 12;
/// Characters from the left edge to the right one of the framed board.
const FRAMED: usize = 51;

/// How the board is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// A frame of lines.
    Unicode,
    /// A frame of plain characters.
    Ascii,
    /// Fourteen numbers.
    Plain,
}

/// The ways to draw the board, by name.
pub const STYLES: &[(Style, &str)] =
    &[(Style::Unicode, "unicode"), (Style::Ascii, "ascii"), (Style::Plain, "plain")];

/// What is to be drawn.
pub struct View<'a> {
    /// The position.
    pub position: &'a Position,
    /// Whose row is the lower one.
    pub below: Side,
    /// What the last move did, to be marked.
    pub last: Option<&'a MoveEffects>,
    /// Who plays the sides, South first.
    pub names: [String; 2],
}

/// What happened to a pit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    None,
    Origin,
    Gained,
    Lost,
    Taken,
}

struct Glyphs {
    /// Corners and joints from the left, for the rule above, in the middle and below: left, between, right.
    rules: [[char; 3]; 3],
    across: char,
    down: char,
    /// The signs for what happened: taken up, seeds came, seeds went, captured.
    marks: [char; 4],
}

const LINES: Glyphs = Glyphs {
    rules: [['╭', '┬', '╮'], ['├', '┼', '┤'], ['╰', '┴', '╯']],
    across: '─',
    down: '│',
    marks: ['○', '+', '-', '×'],
};

const CHARACTERS: Glyphs =
    Glyphs { rules: [['+'; 3]; 3], across: '-', down: '|', marks: ['o', '+', '-', 'x'] };

/// Draws it.
#[must_use]
pub fn draw(view: &View<'_>, style: Style, screen: &Screen) -> Vec<String> {
    let glyphs = match style {
        Style::Plain => return plain(view),
        _ if screen.width() < FRAMED => return narrow(view, screen),
        Style::Unicode => &LINES,
        Style::Ascii => &CHARACTERS,
    };
    framed(view, glyphs, screen)
}

impl View<'_> {
    fn seeds(&self, side: Side, pit: Pit) -> u8 {
        self.position.row(side).pit(pit)
    }

    /// The pits of a side as they lie from left to right.
    fn pits(&self, side: Side) -> [Pit; ROW] {
        let mut pits = Pit::ALL;
        if side != self.below {
            pits.reverse();
        }
        pits
    }

    fn mark(&self, side: Side, pit: Pit) -> Mark {
        let Some(last) = self.last else { return Mark::None };
        let (side_at, pit_at) = (side.index(), pit.index());
        if last.mv == (Move { side, pit }) {
            return Mark::Origin;
        }
        let before = last.before[side_at][pit_at];
        match last.sown[side_at][pit_at] {
            _ if last.taken[side_at][pit_at] > 0 => Mark::Taken,
            sown if sown > before => Mark::Gained,
            sown if sown < before => Mark::Lost,
            _ => Mark::None,
        }
    }
}

/// Four characters and a mark for a pit.
fn cell(view: &View<'_>, side: Side, pit: Pit, glyphs: &Glyphs, screen: &Screen) -> String {
    let (seeds, mark) = (view.seeds(side, pit), view.mark(side, pit));
    let number = if seeds == 0 { String::new() } else { seeds.to_string() };
    let text = if seeds > KROO { format!("[{number:>2}]") } else { format!(" {number:>2} ") };
    let [origin, gained, lost, taken] = glyphs.marks;
    let sign = match mark {
        Mark::None => ' ',
        Mark::Origin => origin,
        Mark::Gained => gained,
        Mark::Lost => lost,
        Mark::Taken => taken,
    };
    let sign = match mark {
        Mark::Taken => screen.paint(Paint::Taken, &sign.to_string()),
        Mark::Gained => screen.paint(Paint::Gained, &sign.to_string()),
        _ => screen.paint(Paint::Faint, &sign.to_string()),
    };
    let text = match mark {
        _ if seeds > KROO => screen.paint(Paint::Kroo, &text),
        Mark::Gained => screen.paint(Paint::Gained, &text),
        _ => text,
    };
    format!("{text}{sign}")
}

fn framed(view: &View<'_>, glyphs: &Glyphs, screen: &Screen) -> Vec<String> {
    let (above, below) = (view.below.other(), view.below);
    let edge = glyphs.across.to_string().repeat(5);
    let rule = |[left, joint, right]: [char; 3], cells: usize| {
        format!("{left}{}{right}", vec![edge.as_str(); cells].join(&joint.to_string()))
    };
    let row = |side: Side| {
        let cells = view.pits(side).map(|pit| cell(view, side, pit, glyphs, screen));
        let name = &view.names[side.index()];
        let name = if screen.width() >= FRAMED + 2 + name.chars().count() {
            format!("  {name}")
        } else {
            String::new()
        };
        let down = glyphs.down;
        format!("  {down}     {down}{}{down}     {down}{name}", cells.join(&down.to_string()))
    };
    let store = |side| screen.paint(Paint::Strong, &format!(" {:>2}  ", view.position.store(side)));
    let middle = rule(glyphs.rules[1], ROW);
    let mut lines = vec![
        labels(view, above, screen),
        format!("  {}", rule(glyphs.rules[0], ROW + 2)),
        row(above),
        format!("  {down}{}{middle}{}{down}", store(above), store(below), down = glyphs.down),
        row(below),
        format!("  {}", rule(glyphs.rules[2], ROW + 2)),
        labels(view, below, screen),
    ];
    lines.extend(legend(view, glyphs).map(|text| screen.paint(Paint::Faint, &text)));
    lines
}

/// Number and letter of each pit; those that may be played stand out.
fn labels(view: &View<'_>, side: Side, screen: &Screen) -> String {
    let moves = view.position.moves();
    let labels = view.pits(side).map(|pit| {
        let mv = Move { side, pit };
        let paint = if moves.contains(&mv) { Paint::Choice } else { Paint::Faint };
        screen.paint(paint, &format!("{} {mv}", pit.index() + 1))
    });
    format!("          {}", labels.join("   "))
}

/// What the marks on the board mean, if there are any.
fn legend(view: &View<'_>, glyphs: &Glyphs) -> Option<String> {
    let all = || Side::BOTH.into_iter().flat_map(|side| Pit::ALL.map(|pit| (side, pit)));
    let [origin, gained, lost, taken] = glyphs.marks;
    let meanings = [
        (Mark::Origin, format!("{origin} sown from")),
        (Mark::Gained, format!("{gained} seeds came")),
        (Mark::Lost, format!("{lost} seeds went")),
        (Mark::Taken, format!("{taken} captured")),
    ];
    let used =
        meanings.into_iter().filter(|(mark, _)| all().any(|(side, pit)| view.mark(side, pit) == *mark));
    let mut words: Vec<String> = used.map(|(_, meaning)| meaning).collect();
    if all().any(|(side, pit)| view.seeds(side, pit) > KROO) {
        words.push("[ ] a kroo".to_owned());
    }
    (!words.is_empty()).then(|| format!("  {}", words.join("   ")))
}

/// The rows with their letters, and the stores at the ends, for a screen that is too narrow for a frame.
fn narrow(view: &View<'_>, screen: &Screen) -> Vec<String> {
    let (above, below) = (view.below.other(), view.below);
    let row = |side: Side| {
        let cells = view.pits(side).map(|pit| {
            let text = format!("{:>3}", view.seeds(side, pit));
            if view.seeds(side, pit) > KROO { screen.paint(Paint::Kroo, &text) } else { text }
        });
        format!("  {}", cells.concat())
    };
    let letters = |side: Side| {
        format!("  {}", view.pits(side).map(|pit| format!("{:>3}", Move { side, pit }.letter())).concat())
    };
    let numbers =
        |side: Side| format!("  {}", view.pits(side).map(|pit| format!("{:>3}", pit.index() + 1)).concat());
    let store = |side| view.position.store(side);
    vec![
        format!("{}\n{}", numbers(above), letters(above)),
        row(above),
        format!("{:<21}{}", store(above), store(below)),
        row(below),
        format!("{}\n{}", letters(below), numbers(below)),
    ]
}

/// Fourteen numbers.
fn plain(view: &View<'_>) -> Vec<String> {
    let (above, below) = (view.below.other(), view.below);
    let row = |side: Side| {
        let cells = view.pits(side).map(|pit| format!("{:>4}", view.seeds(side, pit)));
        format!(" {}", cells.concat())
    };
    let store = |side| view.position.store(side);
    vec![row(above), format!("{:<28}{}", store(above), store(below)), row(below)]
}
