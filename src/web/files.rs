//! The files of the page, which are compiled in.

use super::join::joined;

/// A file for the browser.
pub struct PageFile {
    /// Its path, from the root of the server.
    pub path: &'static str,
    pub kind: &'static str,
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
pub const FILES: &[PageFile] = page_files! {
    HTML: "index.html";
    STYLE: "board.css" "style.css";
    PICTURE: "icon.svg";
    SCRIPT: "main.js" "analyse.js" "app.js" "board-art.js" "board.js" "clock.js" "dialogs.js" "dom.js" "earlier.js" "end.js" "engine.js" "english.js" "events.js" "fair.js" "first-link.js" "french-rules.js" "french.js" "game-files.js" "game.js" "games.js" "graph.js" "keys.js" "languages.js" "limits.js" "lines.js" "link.js" "mistakes.js" "motion.js" "notation.js" "past.js" "play.js" "players.js" "render.js" "replay.js" "rove.js" "rules.js" "seeds.js" "server.js" "settings.js" "setup.js" "shared-server.js" "shared-worker.js" "sheet.js" "shelf.js" "sound.js" "state.js" "tabs.js" "texts.js" "titles.js" "token.js" "transport.js" "trial.js" "untrusted.js";
};

/// The content of a file, for other pages that show a board.
pub fn page_text(name: &str) -> Option<&'static str> {
    FILES.iter().find(|file| file.path[1..] == *name).map(|file| file.text)
}

/// The content of an existing file.
pub fn text_of(name: &str) -> &'static str {
    page_text(name).unwrap_or_default()
}

/// The page as served: the same files under a path with a hash of their content, which lets browsers cache them.
pub(super) struct Served {
    /// The first part of the path, such as `/1f2e3d4c5b6a7988`.
    prefix: String,
    /// The page, which refers to files under that path.
    index: String,
    /// Scripts with all their imports.
    scripts: [(&'static str, String); 2],
}

impl Served {
    pub fn new() -> Served {
        let scripts = ["/main.js", "/shared-worker.js"].map(|path| (path, joined(&path[1..], &text_of)));
        // FNV-1a.
        let hash =
            FILES.iter().flat_map(|file| file.text.bytes()).fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
        let prefix = format!("/{hash:016x}");
        let page = page_text("index.html").unwrap_or_default();
        let index =
            ["main.js", "board.css", "style.css", "icon.svg"].iter().fold(page.to_owned(), |page, name| {
                page.replace(&format!("=\"{name}\""), &format!("=\"{}/{name}\"", &prefix[1..]))
            });
        let worker =
            format!("<link rel=\"modulepreload\" href=\"{}/shared-worker.js\">\n</head>", &prefix[1..]);
        Served { index: index.replacen("</head>", &worker, 1), prefix, scripts }
    }

    /// The type and the content of the file with a path.
    pub fn file(&self, path: &str) -> Option<(&'static str, &str)> {
        if path == "/" {
            return Some((HTML, &self.index));
        }
        let kept = path.strip_prefix(&self.prefix);
        let script = kept.and_then(|path| self.scripts.iter().find(|(name, _)| *name == path));
        if let Some((_, text)) = script {
            return Some((SCRIPT, text));
        }
        let path = kept.unwrap_or(path);
        FILES.iter().find(|file| file.path == path).map(|file| (file.kind, file.text))
    }

    /// Whether the file with a path never changes.
    pub fn lasts(&self, path: &str) -> bool {
        path.strip_prefix(&self.prefix).is_some_and(|rest| rest.starts_with('/'))
    }
}
