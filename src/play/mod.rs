//! A game for a person, in a terminal: `kroo play`.
//!
//! It serves beginners and strong players. For beginners, the board shows the effects of the last move, every refusal names its
//! rule, every ending gives its reason, and `rules` explains the rest. For strong players, `think` analyses all moves, `review`
//! judges the last one, `undo` goes back any number of moves, and games can be saved and loaded.
//!
//! The same loop serves a terminal and a pipe. A terminal gets colours and a prompt. A pipe gets the same sentences without them,
//! for scripts and tests. The end of the input ends the program.

mod actions;
mod board;
mod board_style;
#[doc(hidden)]
pub mod clock;
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
mod saved_play;
#[doc(hidden)]
pub mod screen;
mod sides;
mod timing;
mod welcome;

use crate::game::{Game, Position, Variant};
use crate::ogn::GameRecord;
pub use board_style::{BOARD_STYLES, BoardStyle};
pub use clock::ClockSetting;
use clock::Clocks;
pub use command::read_seconds;
use game_file::GameFile;
pub use game_file::GameFileError;
use game_loop::GameLoop;
use input::InputListener;
use opponent::Opponent;
pub use opponent::{DEFAULT_TIME, OpponentError, OpponentSettings};
use saved_play::SavedPlay;
pub use screen::Colour;
use screen::Screen;
pub use sides::{HumanSides, SIDES};
use std::io;
use std::path::PathBuf;
use welcome::{ask_sides, ask_strength, ask_variant};

/// How to start `kroo play`.
#[derive(Clone, Debug)]
pub struct PlayOptions {
    pub start: GameStart,
    pub humans: HumanSides,
    pub opponent: OpponentSettings,
    /// The style of the board; by default, the best that the terminal's locale allows.
    pub style: Option<BoardStyle>,
    pub colour: Colour,
    /// Whether each board replaces the previous one, on a terminal that supports it.
    pub redraws: bool,
    /// The choices given as flags, which neither a question nor a game file changes.
    pub settled: Settled,
    /// The file that the game is saved to after every turn.
    pub save: Option<PathBuf>,
    /// The clocks of people, if they play with clocks.
    pub clock: Option<ClockSetting>,
}

/// The choices given as flags, not left to defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settled {
    /// The game, by its rule set or by a position.
    pub game: bool,
    pub side: bool,
    /// The opponent or its level.
    pub opponent: bool,
    /// The opponent's limits.
    pub limits: bool,
    pub move_limit: bool,
}

#[derive(Clone, Debug)]
pub enum GameStart {
    /// The start position of a rule set.
    New(Variant),
    /// The current position of a game.
    Game(Box<Game>),
    /// The last position of the last game of a file.
    File(PathBuf),
}

/// Why `kroo play` fails.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Opponent(#[from] OpponentError),
    #[error(transparent)]
    GameFile(#[from] GameFileError),
    #[error(
        "{} already exists: choose another name for --save, or continue its game with --load {}",
        .0.display(), .0.display()
    )]
    FileExists(PathBuf),
}

/// Plays until the person quits.
///
/// # Errors
/// If the game cannot start, or the output cannot be written. A closed output pipe is no error.
pub fn play(options: &PlayOptions) -> Result<(), PlayError> {
    match prepare(options)?.map_or(Ok(()), |mut game_loop| game_loop.run()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Sets up the game; `None` if the person quits before it starts.
fn prepare(options: &PlayOptions) -> Result<Option<GameLoop>, PlayError> {
    let settled = options.settled;
    let (mut humans, mut opponent) = (options.humans, options.opponent.clone());
    let mut game_file = GameFile::default();
    let mut loaded = None;
    let mut saved = SavedPlay::default();
    if let GameStart::File(path) = &options.start {
        let (record, ..) = game_file.load(path, None)?;
        saved = SavedPlay::of(&record);
        humans = saved.humans.filter(|_| !settled.side).unwrap_or(humans);
        saved.settle(&mut opponent, settled);
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
    if screen.prompts() {
        if loaded.is_none() && !settled.game {
            let Some(variant) = ask_variant(&mut screen, &input)? else { return Ok(None) };
            game = Game::new(Position::start(variant));
        }
        // A file that does not say who plays.
        if loaded.is_some() && !settled.side && saved.humans.is_none() {
            let Some(sides) = ask_sides(&mut screen, &input)? else { return Ok(None) };
            humans = sides;
        }
        if saved.humans.is_none() && !settled.opponent && humans != HumanSides::Both {
            let variant = game.position().variant();
            let Some(strength) = ask_strength(&mut screen, &input, variant)? else { return Ok(None) };
            opponent.engine.set_strength(strength);
        }
    }
    opponent.engine.variant = game.position().variant();
    let opponent = Opponent::new(opponent)?;
    let style = options.style.unwrap_or(if has_utf8() { BoardStyle::Unicode } else { BoardStyle::Ascii });
    let clocks = options.clock.map(|setting| Clocks::new(setting, game.moves().len()));
    let record = GameRecord::new(game);
    let mut game_loop = GameLoop::new(screen, input, style, humans, opponent, record);
    game_loop.game_file = game_file;
    match loaded {
        None => {
            game_loop.clocks = clocks;
            game_loop.begin(game_loop.record.game.clone());
        }
        Some(record) => {
            game_loop.clocks = clocks.or(saved.clocks);
            game_loop.resume(record);
            if settled.move_limit || saved.humans.is_some() {
                game_loop.describe_limits();
            }
            if saved.humans.is_some() {
                game_loop.describe();
            }
        }
    }
    Ok(Some(game_loop))
}

pub fn has_utf8() -> bool {
    let values = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(std::env::var_os);
    let locale =
        values.map(|value| value.to_string_lossy().to_ascii_lowercase()).find(|value| !value.is_empty());
    locale.is_some_and(|locale| locale.contains("utf-8") || locale.contains("utf8"))
}
