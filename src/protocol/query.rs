//! The questions of UGI, and their answers.

use super::GameResult;

/// A question of UGI about the position that was set up last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// `query gameover`: is the game over?
    GameOver,
    /// `query p1turn`: is the first player (South) to move?
    P1Turn,
    /// `query result`: how did the game end?
    Result,
}

/// The answer to a [`Query`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Response {
    /// `response true` or `response false`.
    Truth(bool),
    /// `response p1win`, `p2win`, `draw`, or `none` during the game.
    Result(GameResult),
}
