//! The files of the page. They are part of the executable.

/// A file as the browser gets it.
pub(super) struct PageFile {
    /// Its path, from the root of the server.
    pub path: &'static str,
    /// Its type.
    pub kind: &'static str,
    /// What is in it.
    pub text: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

/// The table of files: the type, and the names in `clients/web`.
macro_rules! page_files {
    ($($kind:ident: $($name:literal)*;)*) => {
        &[$($(PageFile {
            path: concat!("/", $name),
            kind: $kind,
            text: include_str!(concat!("../../clients/web/", $name)),
        },)*)*]
    };
}

/// All files. `index.html` is also the answer to `/`.
pub(super) const FILES: &[PageFile] = page_files! {
    HTML: "index.html";
    STYLE: "board.css" "style.css";
    PICTURE: "icon.svg";
    SCRIPT: "main.js" "analyse.js" "app.js" "board-art.js" "board.js" "dialogs.js" "dom.js" "end.js" "engine.js" "english.js" "events.js" "files.js" "french.js" "game-files.js" "game.js" "graph.js" "keys.js" "limits.js" "lines.js" "link.js" "mistakes.js" "motion.js" "notation.js" "past.js" "play.js" "render.js" "seeds.js" "server.js" "settings.js" "setup.js" "shared-server.js" "shared-worker.js" "tabs.js" "texts.js" "transport.js" "trial.js";
};

/// What is in the file of this name, for other pages that show a board.
#[must_use]
pub fn page_text(name: &str) -> Option<&'static str> {
    FILES.iter().find(|file| file.path[1..] == *name).map(|file| file.text)
}

/// The file with this path.
pub(super) fn file(path: &str) -> Option<&'static PageFile> {
    let path = if path == "/" { "/index.html" } else { path };
    FILES.iter().find(|file| file.path == path)
}
