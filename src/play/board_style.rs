//! The styles of the board.

/// How the board is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardStyle {
    /// A frame of box-drawing characters.
    Unicode,
    /// A frame of ASCII characters.
    Ascii,
    /// Fourteen numbers without a frame.
    Plain,
}

/// The board styles with their names.
pub const BOARD_STYLES: &[(BoardStyle, &str)] =
    &[(BoardStyle::Unicode, "unicode"), (BoardStyle::Ascii, "ascii"), (BoardStyle::Plain, "plain")];
