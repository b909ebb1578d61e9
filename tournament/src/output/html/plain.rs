//! The frame of a page without a script.

use super::page::BEGINNING;
use super::parts::{nonce, policy, style};
use super::report::card;
use crate::failure::Failure;
use crate::output::document::Document;
use horrorshow::{Raw, html};
use std::io::Write;
use std::path::Path;

/// A page with this title and body, without its [`BEGINNING`].
pub(super) fn page(title: &str, body: &str) -> String {
    let nonce = nonce();
    let policy = policy(&nonce, false);
    let page = html! {
        html(lang = "en") {
            head {
                meta(charset = "utf-8");
                : Raw(&policy);
                meta(name = "viewport", content = "width=device-width");
                title : title;
                style(nonce = &nonce) : Raw(style());
            }
            body { : Raw(body); }
        }
    };
    format!("{page}\n")
}

/// Writes a page with one table, which is HTML, below a title.
///
/// # Errors
/// If it cannot be written. The path is then as it was.
pub fn write_table(path: &Path, title: &str, table: &str) -> Result<(), Failure> {
    let body = html! { h1 : title; : Raw(card("Tests", table)); }.to_string();
    let mut document = Document::begin(path, BEGINNING, &|_| ())?;
    document.add(|file| file.write_all(page(title, &body).as_bytes()))?;
    document.commit()
}
