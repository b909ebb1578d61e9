//! The live view at the bottom of a terminal: games played, the score, the state of the SPRT and, if there is room, the boards.
//! It is drawn again after every game, and the boards a few times a second.

use super::text;
use crate::ledger::results::Score;
use crate::plan::MatchPlan;
use crate::run::{BoardSnapshot, LiveBoards};
use crate::statistics::hundredths;
use crossbeam_channel::{RecvTimeoutError, Sender, bounded};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use kroo::game::{Position, Side};
use kroo::printable;
use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The time between two drawings of the boards.
const DRAW_EVERY: Duration = Duration::from_millis(200);
/// Lines of a board.
const BOARD_LINES: usize = 2;
/// Lines left for everything else.
const OTHER_LINES: usize = 8;
/// With fewer columns than this, bars do not have a fixed length.
const NARROW: usize = 80;
/// Steps of the bar of an SPRT.
const SPRT_STEPS: u64 = 1_000;

/// The live view. Dropping it removes it.
#[derive(Debug)]
pub(super) struct LiveView {
    all: MultiProgress,
    games: ProgressBar,
    standing: ProgressBar,
    sprt: Option<ProgressBar>,
    boards: Option<BoardPoller>,
}

/// A thread that draws the boards.
#[derive(Debug)]
struct BoardPoller {
    boards: Arc<LiveBoards>,
    lines: Vec<ProgressBar>,
    /// Ends it when dropped.
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl LiveView {
    pub fn new(plan: &MatchPlan) -> LiveView {
        let all = MultiProgress::new();
        let line = |template: &str, length: u64| {
            let style =
                ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
            all.add(ProgressBar::new(length).with_style(style))
        };
        let (rows, columns) = size();
        // In a narrow window a bar takes the columns that are left. A line that wraps would not be overwritten.
        let bar = if columns < NARROW { "{wide_bar}" } else { "{bar:30}" };
        // A narrow window has no room for the speed.
        let speed = if columns < NARROW { "" } else { ", {per_sec}" };
        let games = line(
            &format!("[{{elapsed_precise}}] {bar} {{pos}} of {{len}} games (ETA {{eta}}{speed})"),
            plan.games(),
        );
        let standing = line("{wide_msg}", 0);
        let sprt = plan.sprt.map(|_| line(&format!("{{prefix}} {bar} {{msg}}"), SPRT_STEPS));
        let room = rows.saturating_sub(OTHER_LINES) / BOARD_LINES;
        let shown = plan.concurrency.min(room);
        let lines: Vec<ProgressBar> = (0..shown * BOARD_LINES).map(|_| line("{wide_msg}", 0)).collect();
        let names = plan.all_names().into_iter().map(|name| printable::name(name).into_owned()).collect();
        let boards = (shown > 0)
            .then(|| BoardPoller::start(Arc::new(LiveBoards::new(plan.concurrency)), lines, names));
        games.tick();
        LiveView { all, games, standing, sprt, boards }
    }

    pub fn boards(&self) -> Option<Arc<LiveBoards>> {
        self.boards.as_ref().map(|looking| Arc::clone(&looking.boards))
    }

    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.all.suspend(print)
    }

    pub fn advance(&self, score: &Score, plan: &MatchPlan) {
        // A knockout may have more games than planned.
        self.games.set_length(plan.games().max(score.games));
        self.games.set_position(score.games);
        self.standing.set_message(printable::line(&text::live(score, plan)).into_owned());
        if let (Some(bar), Some(status)) = (&self.sprt, score.sprt) {
            let share = (status.llr - status.lower) / (status.upper - status.lower);
            bar.set_prefix(format!("SPRT {:.2}", status.lower));
            bar.set_message(format!("{:.2}  LLR {}", status.upper, hundredths(status.llr)));
            bar.set_position((share.clamp(0.0, 1.0) * SPRT_STEPS as f64) as u64);
        }
    }
}

impl Drop for LiveView {
    fn drop(&mut self) {
        self.boards.take();
        // If it cannot be cleared, the terminal is gone.
        let _: io::Result<()> = self.all.clear();
    }
}

impl BoardPoller {
    fn start(boards: Arc<LiveBoards>, lines: Vec<ProgressBar>, names: Vec<String>) -> BoardPoller {
        let (end, ended) = bounded::<()>(0);
        let (seen, shown) = (Arc::clone(&boards), lines.clone());
        let draw = move || {
            while ended.recv_timeout(DRAW_EVERY) == Err(RecvTimeoutError::Timeout) {
                let drawings = seen.snapshots().into_iter().flat_map(|board| drawing(&board, &names));
                for (line, drawing) in shown.iter().zip(drawings.chain(std::iter::repeat(String::new()))) {
                    line.set_message(drawing);
                }
            }
        };
        // Without a thread the boards are not drawn. Nothing else depends on it.
        let thread = thread::Builder::new().spawn(draw).ok();
        BoardPoller { boards, lines, end: Some(end), thread }
    }
}

impl Drop for BoardPoller {
    fn drop(&mut self) {
        self.end.take();
        if let Some(thread) = self.thread.take() {
            // If it has panicked, the boards were not drawn. Nothing else depends on it.
            let _ = thread.join();
        }
        self.lines.iter().for_each(ProgressBar::finish_and_clear);
    }
}

/// A board in two lines, as South sees it: North's row is above.
fn drawing(seen: &BoardSnapshot, names: &[String]) -> [String; BOARD_LINES] {
    let [south, north] = seen.players.map(|engine| names[engine].as_str());
    let row = |side: Side, position: &Position| {
        let fields = position.fields().to_string();
        let mut pits: Vec<&str> = fields.split('-').skip(6 * side.index()).take(6).collect();
        if side == Side::North {
            pits.reverse();
        }
        pits.iter().map(|seeds| format!("{seeds:>3}")).collect::<String>()
    };
    let line = |side: Side, text: String| {
        let mover = if seen.position.side() == side { '*' } else { ' ' };
        format!("{:3} |{} |{mover} {text}", seen.position.store(side), row(side, &seen.position))
    };
    [
        line(Side::North, north.to_owned()),
        line(Side::South, format!("{south}   (game {}, move {})", seen.number, seen.moves)),
    ]
}

/// The rows and columns of the terminal; if it does not say, too few rows for boards.
fn size() -> (usize, usize) {
    let size = rustix::termios::tcgetwinsize(io::stderr());
    size.map_or((0, NARROW), |size| (size.ws_row.into(), size.ws_col.into()))
}
