//! The two dialects of the protocol. UGI differs from UCI in these places:
//!
//! | difference | file |
//! |---|---|
//! | `ugi`, `uginewgame` | this one |
//! | the words for clocks | `limits.rs` |
//! | `position` with spaces between moves; all four clocks, no `movestogo` | `written.rs` |
//! | questions about the rules | `query.rs`, `reply.rs` |
//! | `bestmove` without a move to ponder on | `say_best_move` in `session/conversation.rs` |
//! | an engine that speaks UGI never ponders in a match | `tournament/src/cli/arguments/engine.rs` |

use std::str::FromStr;

/// A dialect. One grammar reads both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// UCI, the dialect of chess engines and of the oware programs.
    #[default]
    Uci,
    /// UGI, the dialect of tournament managers that ask engines for the rules.
    Ugi,
}

impl Dialect {
    /// `uci` or `ugi`.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Uci => "uci",
            Dialect::Ugi => "ugi",
        }
    }

    /// The word for [`Command::NewGame`](super::Command::NewGame).
    pub fn new_game(self) -> &'static str {
        match self {
            Dialect::Uci => "ucinewgame",
            Dialect::Ugi => "uginewgame",
        }
    }
}

impl FromStr for Dialect {
    type Err = String;

    fn from_str(name: &str) -> Result<Dialect, String> {
        let known = [Dialect::Uci, Dialect::Ugi].into_iter().find(|dialect| dialect.name() == name);
        known.ok_or_else(|| "expected uci or ugi".to_owned())
    }
}
