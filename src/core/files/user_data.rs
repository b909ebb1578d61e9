//! The folders of a user's data and cache.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

/// The name of the program's folder.
const NAME: &str = "kroo";

/// The folder for the current user's data; it need not exist. On Linux it follows the XDG Base Directory Specification (version
/// 0.8), on macOS and Windows it is the system's; `XDG_DATA_HOME` applies to all systems but Windows. `None` if the environment
/// names none.
#[must_use]
pub fn user_data_folder() -> Option<PathBuf> {
    folder(env::consts::OS, &|name| env::var_os(name))
}

/// The folder for cached files that can be made again, by the same rules.
#[must_use]
pub fn user_cache_folder() -> Option<PathBuf> {
    cache_folder(env::consts::OS, &|name| env::var_os(name))
}

fn cache_folder(system: &str, variable: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let path = |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let beside = |folder| path("XDG_CACHE_HOME").or_else(|| Some(path("HOME")?.join(folder)));
    match system {
        "windows" => Some(path("LOCALAPPDATA")?.join(NAME).join("cache")),
        "macos" => Some(beside("Library/Caches")?.join(NAME)),
        _ => Some(beside(".cache")?.join(NAME)),
    }
}

fn folder(system: &str, variable: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    // The specification demands to ignore relative paths.
    let path = |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = match system {
        "windows" => path("LOCALAPPDATA"),
        "macos" => path("XDG_DATA_HOME").or_else(|| Some(path("HOME")?.join("Library/Application Support"))),
        _ => path("XDG_DATA_HOME").or_else(|| Some(path("HOME")?.join(".local/share"))),
    };
    folder.map(|folder| folder.join(NAME))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn each_system_has_its_place() {
        let found = |system: &str, variables: &[(&str, &str)]| {
            let variable = |name: &str| {
                variables.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
            };
            folder(system, &variable).map(|path| path.display().to_string())
        };
        let cache = |system: &str, variables: &[(&str, &str)]| {
            let variable = |name: &str| {
                variables.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
            };
            cache_folder(system, &variable).map(|path| path.display().to_string())
        };
        let home = ("HOME", "/home/ada");
        assert_eq!(cache("linux", &[home]).as_deref(), Some("/home/ada/.cache/kroo"));
        assert_eq!(cache("linux", &[home, ("XDG_CACHE_HOME", "/c")]).as_deref(), Some("/c/kroo"));
        assert_eq!(
            cache("linux", &[home, ("XDG_CACHE_HOME", "c")]).as_deref(),
            Some("/home/ada/.cache/kroo")
        );
        assert_eq!(cache("linux", &[]), None);
        assert_eq!(cache("macos", &[home]).as_deref(), Some("/home/ada/Library/Caches/kroo"));
        assert_eq!(cache("windows", &[("LOCALAPPDATA", "/c")]).as_deref(), Some("/c/kroo/cache"));
        assert_eq!(found("linux", &[home]).as_deref(), Some("/home/ada/.local/share/kroo"));
        assert_eq!(found("macos", &[home]).as_deref(), Some("/home/ada/Library/Application Support/kroo"));
        for system in ["linux", "macos"] {
            let told = found(system, &[home, ("XDG_DATA_HOME", "/data")]);
            assert_eq!(told.as_deref(), Some("/data/kroo"));
            assert_eq!(found(system, &[("XDG_DATA_HOME", "data")]), None, "a relative path is ignored");
            assert_eq!(found(system, &[]), None);
        }
        assert_eq!(found("windows", &[("LOCALAPPDATA", "/c/local"), home]).as_deref(), Some("/c/local/kroo"));
        assert_eq!(found("windows", &[home]), None);
    }
}
