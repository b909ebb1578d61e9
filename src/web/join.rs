//! Joins a page's modules into one file: a browser has six connections, and each round of files costs it the whole latency.
//!
//! The modules are those of `clients/web` as formatted by prettier: imports and exports begin a line, and every import names
//! its items.

use std::fmt::Write as _;

/// Returns the text of a module.
pub type Source = dyn Fn(&str) -> &'static str;

/// A module and all its imports, each once and in a scope of its own, as one module.
pub fn joined(name: &'static str, source: &Source) -> String {
    let mut text = String::new();
    join(name, source, &mut Vec::new(), &mut text);
    text
}

/// Appends a module after its imports.
fn join(name: &'static str, source: &Source, done: &mut Vec<&'static str>, text: &mut String) {
    if done.contains(&name) {
        return;
    }
    done.push(name);
    let (mut imports, mut body, mut exports) = (String::new(), String::new(), Vec::new());
    let mut rest = source(name);
    while let Some(line) = rest.split_inclusive('\n').next() {
        if let Some((names, from, after)) = import(rest) {
            join(from, source, done, text);
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

/// The items of an import at the beginning of a text, its module, and the text after it.
fn import(text: &'static str) -> Option<(String, &'static str, &'static str)> {
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

fn scope(name: &str) -> String {
    format!("${}", name.trim_end_matches(".js").replace('-', "_"))
}
