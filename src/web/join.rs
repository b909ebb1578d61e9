//! Modules of the page as one file: a browser has six connections, and each round of files costs it the whole latency.
//!
//! The modules are those of `clients/web` in the form that prettier gives them: imports and exports begin a line, and every
//! import names what it takes.

use super::files;
use std::fmt::Write as _;

/// A module and all that it imports, each once and in a scope of its own, as one module.
pub(super) fn joined(name: &str) -> String {
    let mut text = String::new();
    join(name, &mut Vec::new(), &mut text);
    text
}

/// Appends a module after those that it imports.
fn join<'a>(name: &'a str, done: &mut Vec<&'a str>, text: &mut String) {
    if done.contains(&name) {
        return;
    }
    done.push(name);
    let source = files::page_text(name).unwrap_or_default();
    let (mut imports, mut body, mut exports) = (String::new(), String::new(), Vec::new());
    let mut rest = source;
    while let Some(line) = rest.split_inclusive('\n').next() {
        if let Some((names, from, after)) = import(rest) {
            join(from, done, text);
            let _ = writeln!(imports, "const {{ {names} }} = {};", scope(from));
            rest = after;
            continue;
        }
        let plain = line.strip_prefix("export ");
        exports.extend(plain.and_then(declared));
        body.push_str(plain.unwrap_or(line));
        rest = &rest[line.len()..];
    }
    let exports = exports.join(", ");
    let _ =
        write!(text, "const {} = (() => {{\n{imports}{body}return {{ {exports} }};\n}})();\n", scope(name));
}

/// What an import at the beginning of a text takes, from which module, and the text after it.
fn import(text: &str) -> Option<(String, &str, &str)> {
    let (names, rest) = text.strip_prefix("import {")?.split_once("} from \"./")?;
    let (from, rest) = rest.split_once("\";\n")?;
    let names: Vec<&str> = names.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    Some((names.join(", "), from, rest))
}

/// The name that a line declares.
fn declared(line: &str) -> Option<&str> {
    let mut words = line
        .split([' ', '(', '{', '=', ';'])
        .filter(|word| !["async", "function", "class", "const", ""].contains(word));
    words.next()
}

/// The variable of a module.
fn scope(name: &str) -> String {
    format!("${}", name.trim_end_matches(".js").replace('-', "_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_module_comes_once_and_after_what_it_imports() {
        let text = joined("main.js");
        assert!(!text.contains("\nimport ") && !text.contains("\nexport "));
        for file in files::FILES.iter().filter(|file| file.path.ends_with(".js")) {
            let name = &file.path[1..];
            let count = text.matches(&format!("const {} = (() => {{", scope(name))).count();
            assert_eq!(count, usize::from(name != "shared-worker.js"), "{name}");
        }
        let at = |name: &str| text.find(&format!("const {} = (", scope(name)));
        assert!(at("dom.js") < at("board.js") && at("board.js") < at("main.js"));
        assert!(joined("shared-worker.js").contains("$server"));
    }
}
