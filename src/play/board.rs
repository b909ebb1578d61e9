//! Drawing the board, in four styles.
//!
//! Two have a frame, of box-drawing or of ASCII characters, with numbered pits and marks for the effects of the last move. A
//! narrow terminal gets the numbers without a frame. The plain style prints fourteen numbers as the 1978 program did.

use super::board_style::BoardStyle;
use super::screen::{Paint, Screen};
use crate::game::{Move, MoveEffects, Pit, Position, ROW, Side};

/// A pit with more seeds than this is a kroo: its sowing goes round the board and past the pit itself.
const KROO: u8 = 12;
const FRAME_WIDTH: usize = 51;

pub struct View<'a> {
    pub position: &'a Position,
    /// The side at the bottom.
    pub bottom: Side,
    /// The last move; its effects are marked.
    pub last: Option<&'a MoveEffects>,
    /// The names of the players, South's first.
    pub names: [String; 2],
}

/// An effect of the last move on a pit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    None,
    Origin,
    Gained,
    Lost,
    Captured,
}

struct Glyphs {
    /// Left end, joint and right end of the horizontal lines at the top, in the middle and at the bottom.
    lines: [[char; 3]; 3],
    across: char,
    down: char,
    /// The signs for [`Mark`]: origin, gained, lost, captured.
    marks: [char; 4],
}

const UNICODE: Glyphs = Glyphs {
    lines: [['╭', '┬', '╮'], ['├', '┼', '┤'], ['╰', '┴', '╯']],
    across: '─',
    down: '│',
    marks: ['○', '+', '-', '×'],
};

const ASCII: Glyphs = Glyphs { lines: [['+'; 3]; 3], across: '-', down: '|', marks: ['o', '+', '-', 'x'] };

/// Draws the board, as lines.
pub fn draw(view: &View<'_>, style: BoardStyle, screen: &Screen) -> Vec<String> {
    let glyphs = match style {
        BoardStyle::Plain => return plain(view),
        _ if screen.width() < FRAME_WIDTH => return narrow(view, screen),
        BoardStyle::Unicode => &UNICODE,
        BoardStyle::Ascii => &ASCII,
    };
    framed(view, glyphs, screen)
}

impl View<'_> {
    fn seeds(&self, side: Side, pit: Pit) -> u8 {
        self.position.row(side).pit(pit)
    }

    /// The pits of a side from left to right on the screen.
    fn pits(&self, side: Side) -> [Pit; ROW] {
        let mut pits = Pit::ALL;
        if side != self.bottom {
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
            _ if last.taken[side_at][pit_at] > 0 => Mark::Captured,
            sown if sown > before => Mark::Gained,
            sown if sown < before => Mark::Lost,
            _ => Mark::None,
        }
    }
}

/// A pit in a frame: four characters and a mark.
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
        Mark::Captured => taken,
    };
    let sign = match mark {
        Mark::Captured => screen.paint(Paint::Captured, &sign.to_string()),
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
    let (above, below) = (view.bottom.other(), view.bottom);
    let edge = glyphs.across.to_string().repeat(5);
    let rule = |[left, joint, right]: [char; 3], cells: usize| {
        format!("{left}{}{right}", vec![edge.as_str(); cells].join(&joint.to_string()))
    };
    let row = |side: Side| {
        let cells = view.pits(side).map(|pit| cell(view, side, pit, glyphs, screen));
        let name = &view.names[side.index()];
        let fits = |name: &str| screen.width() >= FRAME_WIDTH + 2 + name.chars().count();
        let name = [name.clone(), side.to_string()].into_iter().find(|name| fits(name));
        let name = name.map(|name| format!("  {name}")).unwrap_or_default();
        let down = glyphs.down;
        format!("  {down}     {down}{}{down}     {down}{name}", cells.join(&down.to_string()))
    };
    let store = |side| screen.paint(Paint::Strong, &format!(" {:>2}  ", view.position.store(side)));
    let middle = rule(glyphs.lines[1], ROW);
    let mut lines = vec![
        labels(view, above, screen),
        format!("  {}", rule(glyphs.lines[0], ROW + 2)),
        row(above),
        format!("  {down}{}{middle}{}{down}", store(above), store(below), down = glyphs.down),
        row(below),
        format!("  {}", rule(glyphs.lines[2], ROW + 2)),
        labels(view, below, screen),
    ];
    lines.extend(legend(view, glyphs).map(|text| screen.paint(Paint::Faint, &text)));
    lines
}

/// Number and letter of each pit; those that can be played are highlighted.
fn labels(view: &View<'_>, side: Side, screen: &Screen) -> String {
    let moves = view.position.moves();
    let labels = view.pits(side).map(|pit| {
        let mv = Move { side, pit };
        let paint = if moves.contains(&mv) { Paint::Choice } else { Paint::Faint };
        screen.paint(paint, &format!("{} {mv}", pit.index() + 1))
    });
    format!("          {}", labels.join("   "))
}

/// The meanings of the marks on the board; `None` without marks.
fn legend(view: &View<'_>, glyphs: &Glyphs) -> Option<String> {
    let all = || Side::BOTH.into_iter().flat_map(|side| Pit::ALL.map(|pit| (side, pit)));
    let [origin, gained, lost, taken] = glyphs.marks;
    let meanings = [
        (Mark::Origin, format!("{origin} sown from")),
        (Mark::Gained, format!("{gained} gained seeds")),
        (Mark::Lost, format!("{lost} lost seeds")),
        (Mark::Captured, format!("{taken} captured")),
    ];
    let used =
        meanings.into_iter().filter(|(mark, _)| all().any(|(side, pit)| view.mark(side, pit) == *mark));
    let mut words: Vec<String> = used.map(|(_, meaning)| meaning).collect();
    if all().any(|(side, pit)| view.seeds(side, pit) > KROO) {
        words.push("[ ] a kroo".to_owned());
    }
    (!words.is_empty()).then(|| format!("  {}", words.join("   ")))
}

/// The rows with their letters, and the stores at the ends, for a terminal too narrow for a frame.
fn narrow(view: &View<'_>, screen: &Screen) -> Vec<String> {
    let (above, below) = (view.bottom.other(), view.bottom);
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

/// Fourteen numbers, as the 1978 program printed them.
fn plain(view: &View<'_>) -> Vec<String> {
    let (above, below) = (view.bottom.other(), view.bottom);
    let row = |side: Side| {
        let cells = view.pits(side).map(|pit| format!("{:>4}", view.seeds(side, pit)));
        format!(" {}", cells.concat())
    };
    let store = |side| view.position.store(side);
    vec![row(above), format!("{:<28}{}", store(above), store(below)), row(below)]
}
