//! Parts of the report and of the live page: the board of the page for players, and additions to it.

use crate::plan::{MatchPlan, joined_names};
use horrorshow::{Raw, html};
use std::hash::{BuildHasher, Hasher, RandomState};

const STYLE: &str = include_str!("page.css");
const GAME_FILE: &str = include_str!("game-file.js");
const SCRIPT: &str = include_str!("page.js");
/// The elements that the script fills.
pub(in crate::output) const REPLAYER: &str = include_str!("replayer.html");
/// The modules of the page for players that the script uses, each after those that it imports.
const MODULES: [&str; 11] = [
    "english.js",
    "texts.js",
    "dom.js",
    "notation.js",
    "seeds.js",
    "limits.js",
    "game.js",
    "board-art.js",
    "board.js",
    "motion.js",
    "replay.js",
];

/// The colours and the board of the page for players, and the style of this one.
pub(in crate::output) fn style() -> String {
    [part("board.css"), STYLE].concat()
}

/// The script that replays games. The modules that it uses come first, in the same text.
pub(in crate::output) fn script() -> String {
    MODULES.into_iter().map(module).collect::<String>() + GAME_FILE + SCRIPT
}

/// A module of the page for players, for a script that already contains the modules that it imports.
pub(in crate::output) fn module(name: &str) -> String {
    let lines = part(name).lines().filter(|line| !line.starts_with("import "));
    lines.flat_map(|line| [line.strip_prefix("export ").unwrap_or(line), "\n"]).collect()
}

/// A file of the page for players.
pub(in crate::output) fn part(name: &str) -> &'static str {
    kroo::web::page_text(name).expect("a part of the engine")
}

/// A number that nothing in a page could know before it was made: the browser runs only what has it (Content Security Policy
/// Level 3). The keys of the standard library's hash maps come from the system's random numbers.
pub(super) fn nonce() -> String {
    let random = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", random(), random())
}

/// The head of a page about a match. The page loads nothing: only scripts, if it has any, and styles with the nonce count.
pub(super) fn head(plan: &MatchPlan, nonce: &str, has_script: bool) -> String {
    let script = if has_script { format!("script-src 'nonce-{nonce}'; ") } else { String::new() };
    let policy = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; {script}style-src 'nonce-{nonce}'; \
         base-uri 'none'; form-action 'none'\">"
    );
    let title = format!("{} ({})", joined_names(&plan.all_names(), " – "), plan.variant.title());
    let head = html! {
        meta(charset = "utf-8");
        : Raw(&policy);
        meta(name = "viewport", content = "width=device-width");
        title : &title;
        style(nonce = nonce) : Raw(style());
    };
    head.to_string()
}
