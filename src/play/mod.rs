//! A game for a person, in a terminal: `kroo play`.
//!
//! Two people sit here. One has never seen the game: the board shows what the last move did, every refusal names its
//! rule, every end its reason, and `rules` tells the rest. The other is strong: `think` weighs all moves, `review` judges
//! the last one, `undo` goes back as far as one likes, and games come from files and go there.
//!
//! The same loop serves a terminal and a pipe. On a terminal there are colours and a prompt; into a pipe go the same
//! sentences without either, so that a script, or a test, can hold the conversation. The end of the input ends it.
//!
//! | file | what is in it |
//! |---|---|
//! | `sitting.rs` | the loop: whose turn, the engine's move, a person's |
//! | `talk.rs`, `change.rs` | what the commands tell, and what they change |
//! | `command.rs` | what can be typed |
//! | `board.rs`, `screen.rs` | how it looks |
//! | `story.rs`, `seats.rs`, `rules.rs` | how it is said |
//! | `opponent.rs` | who plays against the person |
//! | `keep.rs` | games in files |
//! | `ear.rs` | lines and Ctrl-C |

mod board;
mod change;
mod command;
mod ear;
mod keep;
mod opponent;
mod rules;
mod screen;
mod seats;
mod sitting;
mod story;
mod talk;

use crate::game::{Game, Position, Variant};
use crate::ogn::Record;
pub use board::{STYLES, Style};
pub use command::read_seconds;
use ear::Ear;
pub use keep::KeepError;
use keep::Keeper;
use opponent::Opponent;
pub use opponent::{Effort, OpponentError};
pub use screen::Colour;
use screen::Screen;
pub use seats::Seats;
use sitting::Sitting;
use std::io;
use std::path::PathBuf;

/// What a sitting begins with.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Where the game begins.
    pub start: Start,
    /// Who plays which side.
    pub seats: Seats,
    /// How hard the engine tries.
    pub effort: Effort,
    /// The file that a player learns from who learns.
    pub learn_file: Option<PathBuf>,
    /// The table of searched positions, in MiB.
    pub hash_mib: usize,
    /// How the board is drawn; if nobody says, as the terminal's language allows.
    pub style: Option<Style>,
    /// When to use colours.
    pub colour: Colour,
    /// The file that the game is written to after every turn.
    pub save: Option<PathBuf>,
}

/// Where a game begins.
#[derive(Clone, Debug)]
pub enum Start {
    /// At the start of a rule set.
    New(Variant),
    /// Where this game stands.
    Game(Box<Game>),
    /// Where the last game of a file stands.
    File(PathBuf),
}

/// Why nobody can play.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// Input or output fails.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// There is no opponent.
    #[error(transparent)]
    Opponent(#[from] OpponentError),
    /// A file is not what it should be, or is in the way.
    #[error(transparent)]
    Keep(#[from] KeepError),
    /// The game would be written into a file that is there.
    #[error(
        "{} is there already: choose another name for --save, or go on with its game: --load {}",
        .0.display(), .0.display()
    )]
    InTheWay(PathBuf),
}

/// Plays until the person leaves.
///
/// # Errors
/// If there is nothing to begin with, or nothing can be written. That nobody reads any more is no error.
pub fn play(plan: &Plan) -> Result<(), PlayError> {
    let mut keeper = Keeper::default();
    let loaded = match &plan.start {
        Start::File(path) => Some(keeper.load(path, None)?.0),
        Start::New(_) | Start::Game(_) => None,
    };
    if let Some(path) = &plan.save {
        keeper.keep_in(path).map_err(|error| match error {
            KeepError::Exists(path) => PlayError::InTheWay(path),
            error => error.into(),
        })?;
    }
    let game = match &plan.start {
        Start::New(variant) => Game::new(Position::start(*variant)),
        Start::Game(game) => (**game).clone(),
        Start::File(_) => loaded.as_ref().expect("it was loaded").game.clone(),
    };
    let opponent =
        Opponent::new(plan.effort, plan.learn_file.clone(), game.position().variant(), plan.hash_mib)?;
    let (screen, ear) = (Screen::new(plan.colour), Ear::new(io::stdin())?);
    let style = plan.style.unwrap_or_else(style_of_the_language);
    let mut sitting = Sitting::new(screen, ear, style, plan.seats, opponent, game.clone());
    sitting.keeper = keeper;
    let result = sitting.take_up(loaded.unwrap_or_else(|| Record::new(game)));
    match result.and_then(|()| sitting.run()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Lines where the terminal speaks Unicode, otherwise characters.
fn style_of_the_language() -> Style {
    let named = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(std::env::var_os);
    let language =
        named.map(|value| value.to_string_lossy().to_ascii_lowercase()).find(|value| !value.is_empty());
    let unicode = language.is_some_and(|language| language.contains("utf-8") || language.contains("utf8"));
    if unicode { Style::Unicode } else { Style::Ascii }
}
