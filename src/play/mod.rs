//! A game for a person, in a terminal: `kroo play`.
//!
//! It serves two kinds of people. One has never seen the game: the board shows what the last move did, every refusal
//! names its rule, every ending gives its reason, and `rules` explains the rest. The other is a strong player: `think`
//! analyses all moves, `review` judges the last one, `undo` goes back any number of moves, and games can be saved and loaded.
//!
//! The same loop serves a terminal and a pipe. A terminal gets colours and a prompt. A pipe gets the same sentences
//! without them, so that a script or a test can hold the conversation. The end of the input ends the program.
//!
//! | file | contents |
//! |---|---|
//! | `game_loop.rs` | the game loop: whose turn it is, the engine's moves, the person's commands |
//! | `queries.rs` | commands that only tell something |
//! | `actions.rs` | commands that change the game |
//! | `command.rs` | the grammar of the commands |
//! | `board.rs`, `board_style.rs`, `screen.rs` | drawing and output |
//! | `narration.rs`, `sides.rs`, `rules.rs` | the sentences |
//! | `opponent.rs` | the engine as opponent and adviser |
//! | `game_file.rs` | saving and loading |
//! | `input.rs`, `editor.rs` | lines and signals; editing a line at a terminal |
//! | `welcome.rs` | the first questions |

mod actions;
mod board;
mod board_style;
#[doc(hidden)]
pub mod command;
mod editor;
mod game_file;
mod game_loop;
#[doc(hidden)]
pub mod input;
mod narration;
mod opponent;
mod queries;
mod rules;
#[doc(hidden)]
pub mod screen;
mod sides;
mod welcome;

use crate::game::{Game, Position, Variant};
use crate::ogn::GameRecord;
pub use board_style::{BOARD_STYLES, BoardStyle};
pub use command::read_seconds;
pub use game_file::GameFileError;
use game_file::{GameFile, SavedPlay};
use game_loop::GameLoop;
use input::InputListener;
use opponent::Opponent;
pub use opponent::{DEFAULT_TIME, OpponentError, OpponentSettings};
pub use screen::Colour;
use screen::Screen;
pub use sides::HumanSides;
use std::io;
use std::path::PathBuf;
use welcome::{ask_level, ask_variant};

/// How to start `kroo play`.
#[derive(Clone, Debug)]
pub struct PlayOptions {
    /// Where the game starts.
    pub start: GameStart,
    /// Which sides people play.
    pub humans: HumanSides,
    /// The opponent, and how hard it tries.
    pub opponent: OpponentSettings,
    /// How the board is drawn; by default, as the locale of the terminal allows.
    pub style: Option<BoardStyle>,
    /// When to use colours.
    pub colour: Colour,
    /// Whether each board is drawn in place of the one before, on a terminal that can do that.
    pub redraws: bool,
    /// What the person has said, so that neither a question nor a game file decides it.
    pub settled: Settled,
    /// The file that the game is saved to after every turn.
    pub save: Option<PathBuf>,
}

/// What a person has said about a game, rather than left to the defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settled {
    /// Which game, by its rule set or by a position.
    pub game: bool,
    /// Which sides people play.
    pub side: bool,
    /// Which player the opponent is, or its level.
    pub opponent: bool,
    /// How long the opponent may think.
    pub time: bool,
}

/// Where a game starts.
#[derive(Clone, Debug)]
pub enum GameStart {
    /// At the start position of a rule set.
    New(Variant),
    /// At the position that this game has reached.
    Game(Box<Game>),
    /// At the position that the last game of a file has reached.
    File(PathBuf),
}

/// Why a game cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// Input or output failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The opponent cannot play.
    #[error(transparent)]
    Opponent(#[from] OpponentError),
    /// A game file cannot be read or written.
    #[error(transparent)]
    GameFile(#[from] GameFileError),
    /// The game would be saved over a file that exists.
    #[error(
        "{} already exists: choose another name for --save, or continue its game with --load {}",
        .0.display(), .0.display()
    )]
    FileExists(PathBuf),
}

/// Plays until the person leaves.
///
/// # Errors
/// If the game cannot start, or the output cannot be written. A reader that has gone away is not an error.
pub fn play(options: &PlayOptions) -> Result<(), PlayError> {
    match prepare(options)?.map_or(Ok(()), |mut game_loop| game_loop.run()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Sets up the game; none if the person leaves before it starts.
fn prepare(options: &PlayOptions) -> Result<Option<GameLoop>, PlayError> {
    let Settled { game: game_settled, side, opponent: opponent_settled, time } = options.settled;
    let (mut humans, mut opponent) = (options.humans, options.opponent.clone());
    let mut game_file = GameFile::default();
    let mut loaded = None;
    if let GameStart::File(path) = &options.start {
        let (record, ..) = game_file.load(path, None)?;
        let saved = SavedPlay::of(&record);
        humans = saved.humans.filter(|_| !side).unwrap_or(humans);
        opponent.time = saved.time.filter(|_| !time).unwrap_or(opponent.time);
        if let Some((who, level)) = saved.opponent.filter(|_| !opponent_settled) {
            opponent.engine.player = who;
            opponent.engine.level = level.unwrap_or(opponent.engine.level);
        }
        loaded = Some(record);
    }
    if let Some(path) = &options.save {
        game_file.set_autosave(path).map_err(|error| match error {
            GameFileError::Exists(path) => PlayError::FileExists(path),
            error => error.into(),
        })?;
    }
    let mut screen = Screen::new(options.colour, options.redraws);
    let input = if screen.prompts() {
        InputListener::at_terminal(screen.prompt_text())?
    } else {
        InputListener::new(io::stdin())?
    };
    let mut game = match &options.start {
        GameStart::New(variant) => Game::new(Position::start(*variant)),
        GameStart::Game(game) => (**game).clone(),
        GameStart::File(_) => loaded.as_ref().expect("it was loaded").game.clone(),
    };
    if screen.prompts() && loaded.is_none() {
        if !game_settled {
            let Some(variant) = ask_variant(&mut screen, &input)? else { return Ok(None) };
            game = Game::new(Position::start(variant));
        }
        if !opponent_settled && humans != HumanSides::Both {
            let Some(level) = ask_level(&mut screen, &input)? else { return Ok(None) };
            opponent.engine.level = level;
        }
    }
    opponent.engine.variant = game.position().variant();
    let opponent = Opponent::new(opponent)?;
    let style = options.style.unwrap_or(if has_utf8() { BoardStyle::Unicode } else { BoardStyle::Ascii });
    let mut game_loop = GameLoop::new(screen, input, style, humans, opponent, game.clone());
    game_loop.game_file = game_file;
    game_loop.resume(loaded.unwrap_or_else(|| GameRecord::new(game)));
    Ok(Some(game_loop))
}

/// Whether the locale uses UTF-8.
#[must_use]
pub fn has_utf8() -> bool {
    let values = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(std::env::var_os);
    let locale =
        values.map(|value| value.to_string_lossy().to_ascii_lowercase()).find(|value| !value.is_empty());
    locale.is_some_and(|locale| locale.contains("utf-8") || locale.contains("utf8"))
}
