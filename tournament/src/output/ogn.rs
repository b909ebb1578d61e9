//! The game file, `.ogn`: the text format of the oware programs, a relative of PGN.
//!
//! ```text
//! [Variant "Awari 1978"]
//! [Event "Match"]
//! [Site "?"]
//! [Date "2026.11.21"]
//! [Round "1"]
//! [South "new"]
//! [North "old"]
//! [Result "1-0"]
//! [FEN "0-0-0-1-0-1-0-2-0-0-0-3-15-14-S"]
//! [Termination "by the rules"]
//! [TimeControl "st=0.02"]
//!
//! 1. F+1 {+1.20/9 0.018s} D {+1.20/8 0.017s} f {-2.00/9 0.019s} 2. F+1
//! {+2.00/3 0.000s} 18-14
//! ```
//!
//! - The tags stand in this order. `FEN` is there if the game did not begin at the rule set's start. `Result` says who
//!   won, South first; `Termination` why the game ended, and by whose fault; `TimeControl` the limits, South's first if
//!   they differ.
//! - A move is its letter, and `+N` if it brought N seeds into the mover's store: captured, or sown there. What the end
//!   of the game hands out is not part of it.
//! - A number counts a turn of South's and the turn of North's that follows. A turn may have several moves
//!   (`awari1978`, `kalah`): they follow each other as words of their own, without a new number. Case tells whose they
//!   are. If North begins, the game begins with `1... f`.
//! - After each move of an engine stands a comment: what it thought of its position, in seeds from its own side, after
//!   a slash the depth, then the time it took. Moves of the opening have none. The time is left out for an engine that
//!   has no limit of time, so that engines which always play the same make the same file.
//! - `Date` is the day on which the event began.
//! - Lines are shorter than 80 characters, tags excepted. The last word is the seeds in the stores, South's first. A
//!   blank line ends the game.

use super::date::date;
use crate::game::Told;
use crate::plan::{GameRecord, Plan};
use kroo::game::{Board, Game, Move, Pit, Position, Rules, Side, Visitor};
use kroo::protocol::{Score, Worth};
use std::fmt::Write;

/// Characters in a line of moves.
const WIDTH: usize = 79;

/// A game as text.
#[must_use]
pub fn game_text(record: &GameRecord, plan: &Plan) -> String {
    let mut text = tags(record, plan);
    text.push('\n');
    let mut line = Wrapped { text: &mut text, column: 0 };
    moves(record, plan, &mut line);
    let [south, north] = record.played.stores();
    line.word(&format!("{south}-{north}"));
    text.push_str("\n\n");
    text
}

fn tags(record: &GameRecord, plan: &Plan) -> String {
    let (fixture, played) = (&record.fixture, &record.played);
    let names = plan.names(fixture);
    let start = played.game.start();
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(text, "[{name} \"{value}\"]").expect("writing to a string does not fail");
    };
    tag("Variant", plan.variant.title());
    tag("Event", plan.event.title(plan.contestants.len()));
    tag("Site", "?");
    tag("Date", &date(plan.began));
    tag("Round", &fixture.meeting.round.to_string());
    tag("South", names[0]);
    tag("North", names[1]);
    tag("Result", played.outcome.score());
    if *start != Position::start(plan.variant) {
        tag("FEN", &start.to_string());
    }
    tag("Termination", &played.reason(names));
    tag("TimeControl", &plan.limits_of(fixture));
    text
}

fn moves(record: &GameRecord, plan: &Plan, line: &mut Wrapped<'_>) {
    let played = &record.played;
    let timed = record.fixture.players.map(|engine| plan.contestants[engine].limits.is_timed());
    let mut game = Game::new(*played.game.start());
    let (mut number, mut last) = (0, None);
    for (index, &mv) in played.game.moves().iter().enumerate() {
        if mv.side == Side::South && last != Some(Side::South) || last.is_none() {
            number += 1;
            line.word(&format!("{number}{}", if mv.side == Side::South { "." } else { "..." }));
        }
        last = Some(mv.side);
        let banked = game.position().variant().visit(Banked { board: game.position().board(), pit: mv.pit });
        line.word(&move_text(mv, banked));
        if let Some(told) = index.checked_sub(played.opening).and_then(|index| played.told.get(index)) {
            let comment = comment(told, timed[mv.side.index()]);
            comment.split(' ').filter(|word| !word.is_empty()).for_each(|word| line.word(word));
        }
        game.play(mv).expect("the moves of a game that was played are legal");
    }
}

fn move_text(mv: Move, banked: u8) -> String {
    if banked == 0 { mv.to_string() } else { format!("{mv}+{banked}") }
}

/// `{+0.35/12 0.020s}`, or as much of it as is known. The time is told of an engine that has a limit of time.
fn comment(told: &Told, timed: bool) -> String {
    let score = told.score.map(score_text);
    let depth = told.depth.map(|depth| format!("/{depth}")).unwrap_or_default();
    let thought = score.map(|score| format!("{score}{depth}"));
    let time = timed.then(|| format!("{:.3}s", told.time.as_secs_f64()));
    match (thought, time) {
        (Some(thought), Some(time)) => format!("{{{thought} {time}}}"),
        (Some(text), None) | (None, Some(text)) => format!("{{{text}}}"),
        (None, None) => String::new(),
    }
}

/// A score in seeds.
pub(super) fn score_text(score: Score) -> String {
    match score.worth {
        Worth::Cp(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        Worth::Mate(moves) => format!("{}M{}", if moves < 0 { '-' } else { '+' }, moves.unsigned_abs()),
    }
}

/// The seeds that a move brings into the mover's store.
struct Banked {
    board: Board,
    pit: Pit,
}

impl Visitor for Banked {
    type Output = u8;

    fn visit<R: Rules>(self) -> u8 {
        let after = R::play(self.board, self.pit)
            .map_or(self.board.mover, |step| if step.again { step.board.mover } else { step.board.other });
        after.store() - self.board.mover.store()
    }
}

/// Words filled into lines.
struct Wrapped<'a> {
    text: &'a mut String,
    column: usize,
}

impl Wrapped<'_> {
    fn word(&mut self, word: &str) {
        let length = word.chars().count();
        if self.column > 0 && self.column + 1 + length > WIDTH {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(word);
        self.column += length;
    }
}
