//! The project's source code, read as the compiler's tokens: which file uses which, and which files are long; also the commands
//! that documents show.
//!
//! Comments and strings are not tokens with names, so nothing in them counts as a use. Arguments of macros are read like other
//! code; their expansions are not seen. Modules for unit tests are omitted: the uses of a test alone connect no files.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The Rust files under a folder, without those of another package.
pub fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = entries.partition(|path| path.is_dir());
    let folders = folders.into_iter().filter(|folder| !folder.join("Cargo.toml").exists());
    let rust = files.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let mut all: Vec<PathBuf> = rust.chain(folders.flat_map(|folder| rust_files(&folder))).collect();
    all.sort();
    all
}

/// The text of a file.
pub fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The commands of a program that a document shows, in shell blocks and within sentences, each split into words.
pub fn shown_commands(page: &str, program: &str) -> Vec<Vec<String>> {
    let mut shown = Vec::new();
    for (index, part) in page.split("```").enumerate() {
        let part = part.replace("\\\n", " ");
        let commands: Vec<&str> = if index % 2 == 0 {
            part.split('`').skip(1).step_by(2).collect()
        } else if part.starts_with("sh\n") {
            part.split(['\n', '"']).flat_map(|line| line.split("&&")).collect()
        } else {
            continue;
        };
        for command in commands {
            let command = command.split(" #").next().unwrap_or(command);
            let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
            if words.first().is_some_and(|word| word.rsplit('/').next() == Some(program)) {
                shown.push(words);
            }
        }
    }
    shown
}

/// Fails if files or folders of one folder import each other in a cycle, directly or indirectly.
pub fn assert_imports_have_no_cycle(folder: &Path) {
    let cycles = Crate::read(folder).cycles();
    assert!(
        cycles.is_empty(),
        "these use each other: {cycles:#?}\nMove what both need into the lower of the two or into a file of its own, or \
         hand it over as an argument, so that imports go one way."
    );
}

/// A module's path from the root of its crate.
type ModulePath = Vec<String>;

/// A crate: its modules and the names in each.
pub struct Crate {
    modules: BTreeMap<ModulePath, Module>,
}

/// A module: its definitions, and its references to other modules.
#[derive(Default)]
struct Module {
    /// Its file, from the source folder.
    file: String,
    items: BTreeSet<String>,
    imports: Vec<Import>,
    /// Paths of two names or more in its code.
    mentions: BTreeSet<Vec<String>>,
    /// All names in its code.
    words: BTreeSet<String>,
}

/// One name that a `use` brings in.
struct Import {
    path: Vec<String>,
    /// Its local name; `*` for all.
    name: String,
    /// Whether it is re-exported.
    public: bool,
}

impl Crate {
    /// Reads all files under a source folder, without those of unit tests.
    pub fn read(folder: &Path) -> Crate {
        let mut modules = BTreeMap::new();
        for path in rust_files(folder).into_iter().filter(|path| !path.ends_with("tests.rs")) {
            let file =
                path.strip_prefix(folder).expect("a file of the folder").to_string_lossy().into_owned();
            let tokens: TokenStream = read(&path).parse().unwrap_or_else(|error| panic!("{file}: {error}"));
            read_module(&mut modules, module_of(&file), &file, tokens.into_iter().collect());
        }
        Crate { modules }
    }

    /// The cycles of each folder: files and folders in it that use each other, directly or indirectly. `mod.rs` belongs to its
    /// folder, and so does `name.rs` to the folder `name`.
    pub fn cycles(&self) -> BTreeSet<String> {
        let mut folders: BTreeMap<ModulePath, BTreeSet<(String, String)>> = BTreeMap::new();
        for (one, two) in self.edges() {
            let (one, two) = (module_of(&one), module_of(&two));
            let shared = one.iter().zip(&two).take_while(|(one, two)| one == two).count();
            if let (Some(from), Some(to)) = (one.get(shared), two.get(shared)) {
                folders.entry(one[..shared].to_vec()).or_default().insert((from.clone(), to.clone()));
            }
        }
        let mut found = BTreeSet::new();
        for (folder, edges) in folders {
            let reached = |from: &str| {
                let (mut seen, mut next) = (BTreeSet::new(), vec![from.to_owned()]);
                while let Some(at) = next.pop() {
                    let further = edges.iter().filter(|(one, _)| *one == at).map(|(_, two)| two.clone());
                    next.extend(further.filter(|two| seen.insert(two.clone())));
                }
                seen
            };
            let names: BTreeSet<&String> = edges.iter().map(|(one, _)| one).collect();
            for name in names {
                let circle: Vec<String> =
                    reached(name).into_iter().filter(|other| reached(other).contains(name)).collect();
                if !circle.is_empty() {
                    found.insert(format!("{}: {}", folder.join("/"), circle.join(", ")));
                }
            }
        }
        found
    }

    /// Pairs of a file and another whose definitions it uses.
    pub fn edges(&self) -> BTreeSet<(String, String)> {
        let mut edges = BTreeSet::new();
        for (at, module) in &self.modules {
            let handed_on = |import: &Import| import.public && !module.words.contains(&import.name);
            let imported =
                module.imports.iter().filter(|import| !handed_on(import)).map(|import| &import.path);
            let targets = imported.chain(&module.mentions).filter_map(|path| self.file_of(at, path, 0));
            edges.extend(targets.map(|target| (module.file.clone(), target.to_owned())));
        }
        edges.retain(|(one, two)| one != two);
        edges
    }

    /// The file with the definition that a path in a module names; `None` if it belongs to another crate or the language.
    fn file_of(&self, at: &[String], path: &[String], hops: usize) -> Option<&str> {
        let (mut module, mut rest) = match path.first()?.as_str() {
            "crate" => (Vec::new(), &path[1..]),
            "self" => (at.to_vec(), &path[1..]),
            "super" => (at[..at.len().checked_sub(1)?].to_vec(), &path[1..]),
            first if self.modules.contains_key(&child(at, first)) => (at.to_vec(), path),
            _ => return None,
        };
        while let Some(name) = rest.first() {
            let inside = child(&module, name);
            if name == "super" {
                module.pop();
            } else if self.modules.contains_key(&inside) {
                module = inside;
            } else {
                break;
            }
            rest = &rest[1..];
        }
        let found = self.modules.get(&module)?;
        let Some(name) = rest.first() else { return Some(&found.file) };
        if found.items.contains(name) || hops > 8 {
            return Some(&found.file);
        }
        let named = found.imports.iter().find(|import| import.name == *name);
        if let Some(import) = named {
            return self.file_of(&module, &import.path, hops + 1);
        }
        let globs = found.imports.iter().filter(|import| import.name == "*");
        let mut through = globs.filter_map(|import| {
            let mut path = import.path.clone();
            path.push(name.clone());
            self.file_of(&module, &path, hops + 1)
        });
        // Macro definitions are not seen, and are attributed to the module's own file.
        Some(through.next().unwrap_or(&found.file))
    }
}

fn child(module: &[String], name: &str) -> ModulePath {
    module.iter().cloned().chain([name.to_owned()]).collect()
}

fn module_of(file: &str) -> ModulePath {
    let mut path: ModulePath = file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if path.last().is_some_and(|name| name == "mod") || path == ["lib"] {
        path.pop();
    }
    path
}

fn read_module(
    modules: &mut BTreeMap<ModulePath, Module>,
    path: ModulePath,
    file: &str,
    tokens: Vec<TokenTree>,
) {
    let mut module = Module { file: file.to_owned(), ..Module::default() };
    let mut inline = Vec::new();
    read_code(&mut module, &mut inline, tokens, true);
    for (name, tokens) in inline {
        read_module(modules, child(&path, &name), file, tokens);
    }
    modules.insert(path, module);
}

/// Inline modules of a file, with their tokens.
type Inline = Vec<(String, Vec<TokenTree>)>;

fn read_code(module: &mut Module, inline: &mut Inline, tokens: Vec<TokenTree>, top: bool) {
    let mut index = 0;
    while index < tokens.len() {
        let rest = &tokens[index..];
        if is_test_module(rest) {
            index +=
                rest.iter().position(|token| group(token, Delimiter::Brace).is_some()).map_or(1, |at| at + 1);
            continue;
        }
        match &tokens[index] {
            TokenTree::Group(group) => read_code(module, inline, group.stream().into_iter().collect(), false),
            TokenTree::Ident(word) if word == "use" => {
                let end = rest.iter().position(|token| is_punct(token, ';')).unwrap_or(rest.len());
                let public =
                    index > 0 && (is_word(&tokens[index - 1], "pub") || is_visibility(&tokens[..index]));
                imports(&mut module.imports, &rest[1..end], &[], public);
                index += end;
                continue;
            }
            TokenTree::Ident(word) if word == "mod" && top => {
                if let Some(TokenTree::Ident(name)) = rest.get(1)
                    && let Some(code) = rest.get(2).and_then(|token| group(token, Delimiter::Brace))
                {
                    inline.push((name.to_string(), code.into_iter().collect()));
                }
                index += 3;
                continue;
            }
            TokenTree::Ident(_) => {
                if top && let Some(name) = item(rest) {
                    module.items.insert(name);
                }
                let (path, length) = mention(rest);
                module.words.insert(path[0].clone());
                if path.len() > 1 {
                    module.mentions.insert(path);
                }
                index += length;
                continue;
            }
            _ => {}
        }
        index += 1;
    }
}

/// Whether the tokens begin with `#[cfg(test)] mod …`.
fn is_test_module(tokens: &[TokenTree]) -> bool {
    let [hash, attribute, rest @ ..] = tokens else { return false };
    let is_test = |stream: TokenStream| stream.to_string().replace(' ', "") == "cfg(test)";
    is_punct(hash, '#')
        && group(attribute, Delimiter::Bracket).is_some_and(is_test)
        && rest.first().is_some_and(|token| is_word(token, "mod"))
}

/// Whether tokens end in `pub(…)`.
fn is_visibility(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [.., word, within] if is_word(word, "pub") && group(within, Delimiter::Parenthesis).is_some())
}

/// The name of the item whose keyword comes first.
fn item(tokens: &[TokenTree]) -> Option<String> {
    const KEYWORDS: [&str; 9] =
        ["struct", "enum", "trait", "type", "const", "static", "fn", "union", "macro_rules"];
    let [TokenTree::Ident(keyword), rest @ ..] = tokens else { return None };
    if !KEYWORDS.iter().any(|word| keyword == word) {
        return None;
    }
    match rest.iter().find(|token| !is_punct(token, '!') && !is_word(token, "mut"))? {
        TokenTree::Ident(name) => Some(name.to_string()),
        _ => None,
    }
}

/// The path at the beginning, and its number of tokens.
fn mention(tokens: &[TokenTree]) -> (Vec<String>, usize) {
    let mut path = vec![tokens[0].to_string()];
    let mut length = 1;
    while let [colon, second, TokenTree::Ident(name), ..] = &tokens[length..]
        && is_punct(colon, ':')
        && is_punct(second, ':')
    {
        path.push(name.to_string());
        length += 3;
    }
    (path, length)
}

/// The names that the tree of a `use` imports.
fn imports(found: &mut Vec<Import>, tree: &[TokenTree], before: &[String], public: bool) {
    let mut path = before.to_vec();
    for (index, token) in tree.iter().enumerate() {
        match token {
            TokenTree::Ident(word) if word == "as" => {
                let name = tree[index + 1].to_string();
                found.push(Import { path, name, public });
                return;
            }
            TokenTree::Ident(word) if word == "self" && !path.is_empty() => {}
            TokenTree::Ident(word) => path.push(word.to_string()),
            TokenTree::Punct(punct) if punct.as_char() == '*' => {
                found.push(Import { path, name: "*".to_owned(), public });
                return;
            }
            TokenTree::Group(list) => {
                let list: Vec<TokenTree> = list.stream().into_iter().collect();
                for branch in list.split(|token| is_punct(token, ',')).filter(|branch| !branch.is_empty()) {
                    imports(found, branch, &path, public);
                }
                return;
            }
            _ => {}
        }
    }
    let name = path.last().cloned().unwrap_or_default();
    found.push(Import { path, name, public });
}

fn is_punct(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}

fn group(token: &TokenTree, delimiter: Delimiter) -> Option<TokenStream> {
    match token {
        TokenTree::Group(group) if group.delimiter() == delimiter => Some(group.stream()),
        _ => None,
    }
}
