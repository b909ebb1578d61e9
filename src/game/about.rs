//! What there is to know of a rule set besides its rules: names, sentences for people, and what was made for it.

/// The figures and texts of a rule set. What it leaves out has a default, so that a new rule set plays at once.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// The name in the protocol, in lower case: at most 12 letters and digits.
    pub name: &'static str,
    /// The name for people, as it stands in a game file.
    pub title: &'static str,
    /// How seeds are sown, in a few sentences for whoever has never seen the game.
    pub sowing: &'static str,
    /// What is captured.
    pub capturing: &'static str,
    /// When the game is over, and who gets what is left.
    pub ending: &'static str,
    /// A file of weights for the evaluation (`crate::evaluate::Weights`). Without one only the stores count.
    pub network: Option<&'static [u8]>,
    /// An opening book (`crate::book`). Without one there is an empty book.
    pub book: Option<&'static [u8]>,
}

impl About {
    /// A rule set for which nothing was made yet: no network, no book. Names and sentences are to be filled in.
    pub const NEW: About =
        About { name: "", title: "", sowing: "", capturing: "", ending: "", network: None, book: None };
}
