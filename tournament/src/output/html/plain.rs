//! A page of tables, with nothing of a match in it.

use super::parts::{nonce, policy, style};
use crate::output::document;
use crate::output::error::OutputError;
use horrorshow::{Raw, html};
use std::io::{self, Write};
use std::path::Path;

/// How such a page begins.
const BEGINNING: &str = "<!doctype html>\n";

/// What stands on a page.
#[derive(Clone, Copy, Debug)]
pub struct PlainPage<'a> {
    /// Its title, a text.
    pub title: &'a str,
    /// Style beside that of all pages.
    pub style: &'a str,
    /// What is shown, as HTML.
    pub body: &'a str,
    /// What runs when it has been read.
    pub script: &'a str,
}

/// Writes a page that needs no other file and no network. Nothing that got into its body is run: the browser runs only what has a
/// number that nobody knew before (Content Security Policy Level 3).
///
/// # Errors
/// If it cannot be written. The path is then as it was.
pub fn write_page(path: &Path, page: &PlainPage<'_>) -> Result<(), OutputError> {
    let nonce = nonce();
    let policy = policy(&nonce, true);
    let text = html! {
        html(lang = "en") {
            head {
                meta(charset = "utf-8");
                : Raw(&policy);
                meta(name = "viewport", content = "width=device-width");
                title : page.title;
                style(nonce = &nonce) { : Raw(style()); : Raw(page.style) }
            }
            body {
                : Raw(page.body);
                script(type = "module", nonce = &nonce) : Raw(page.script);
            }
        }
    }
    .to_string();
    let write = || {
        let mut file = document::begin(path, BEGINNING)?;
        file.write_all([BEGINNING, &text, "\n"].concat().as_bytes())?;
        file.commit()
    };
    write().map_err(|error: io::Error| OutputError { path: path.to_path_buf(), error })
}
