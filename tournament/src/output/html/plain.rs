//! The frame of a page without a script.

use super::parts::{nonce, policy, style};
use horrorshow::{Raw, html};

/// A page with this title and body, without its [`BEGINNING`](super::BEGINNING).
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
