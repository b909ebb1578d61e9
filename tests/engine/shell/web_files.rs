//! The files of the page, joined.

use kroo::web::files::{FILES, text_of};
use kroo::web::join::joined;

#[test]
fn each_module_comes_once_and_after_what_it_imports() {
    let start = |name: &str| format!("const ${} = (() => {{", name.trim_end_matches(".js").replace('-', "_"));
    let text = joined("main.js", &text_of);
    assert!(!text.contains("\nimport ") && !text.contains("\nexport "));
    for file in FILES.iter().filter(|file| file.path.ends_with(".js")) {
        let name = &file.path[1..];
        let count = text.matches(&start(name)).count();
        assert_eq!(count, usize::from(name != "shared-worker.js"), "{name}");
    }
    let at = |name: &str| text.find(&start(name));
    assert!(at("dom.js") < at("board.js") && at("board.js") < at("main.js"));
    assert!(joined("shared-worker.js", &text_of).contains("$server"));
}
