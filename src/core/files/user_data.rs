//! The folders of a user's data and cache.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

const NAME: &str = "kroo";

/// The folder for the current user's data; it need not exist. On Linux it follows the XDG Base Directory Specification (version
/// 0.8), on macOS and Windows it is the system's; `XDG_DATA_HOME` applies to all systems but Windows. `None` if the environment
/// names none.
pub fn user_data_folder() -> Option<PathBuf> {
    data_folder_on(env::consts::OS, &|name| env::var_os(name))
}

/// The folder for cached files that can be made again, by the same rules.
pub fn user_cache_folder() -> Option<PathBuf> {
    cache_folder_on(env::consts::OS, &|name| env::var_os(name))
}

/// [`user_cache_folder`] on a system with these environment variables.
#[doc(hidden)]
pub fn cache_folder_on(system: &str, variable: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let path = |name| absolute(variable(name));
    let beside = |folder| path("XDG_CACHE_HOME").or_else(|| Some(path("HOME")?.join(folder)));
    match system {
        "windows" => Some(path("LOCALAPPDATA")?.join(NAME).join("cache")),
        "macos" => Some(beside("Library/Caches")?.join(NAME)),
        _ => Some(beside(".cache")?.join(NAME)),
    }
}

/// [`user_data_folder`] on a system with these environment variables.
#[doc(hidden)]
pub fn data_folder_on(system: &str, variable: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let path = |name| absolute(variable(name));
    let folder = match system {
        "windows" => path("LOCALAPPDATA"),
        "macos" => path("XDG_DATA_HOME").or_else(|| Some(path("HOME")?.join("Library/Application Support"))),
        _ => path("XDG_DATA_HOME").or_else(|| Some(path("HOME")?.join(".local/share"))),
    };
    folder.map(|folder| folder.join(NAME))
}

/// The specification demands to ignore relative paths.
fn absolute(path: Option<OsString>) -> Option<PathBuf> {
    path.map(PathBuf::from).filter(|path| path.is_absolute())
}
