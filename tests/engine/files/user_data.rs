//! Tests of `src/core/files/user_data.rs`.

use kroo::files::user_data::{cache_folder_on, data_folder_on};
use std::ffi::OsString;
use std::path::PathBuf;

type FolderOn = fn(&str, &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf>;

fn found(folder_on: FolderOn, system: &str, variables: &[(&str, &str)]) -> Option<String> {
    let variable = |name: &str| {
        variables.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
    };
    folder_on(system, &variable).map(|path| path.display().to_string())
}

#[test]
fn each_system_has_its_folders() {
    let data = |system: &str, variables: &[(&str, &str)]| found(data_folder_on, system, variables);
    let cache = |system: &str, variables: &[(&str, &str)]| found(cache_folder_on, system, variables);
    let home = ("HOME", "/home/ada");
    assert_eq!(cache("linux", &[home]).as_deref(), Some("/home/ada/.cache/kroo"));
    assert_eq!(cache("linux", &[home, ("XDG_CACHE_HOME", "/c")]).as_deref(), Some("/c/kroo"));
    let relative = cache("linux", &[home, ("XDG_CACHE_HOME", "c")]);
    assert_eq!(relative.as_deref(), Some("/home/ada/.cache/kroo"), "a relative path is ignored");
    assert_eq!(cache("linux", &[]), None);
    assert_eq!(cache("macos", &[home]).as_deref(), Some("/home/ada/Library/Caches/kroo"));
    assert_eq!(cache("windows", &[("LOCALAPPDATA", "/c")]).as_deref(), Some("/c/kroo/cache"));
    assert_eq!(data("linux", &[home]).as_deref(), Some("/home/ada/.local/share/kroo"));
    assert_eq!(data("macos", &[home]).as_deref(), Some("/home/ada/Library/Application Support/kroo"));
    for system in ["linux", "macos"] {
        assert_eq!(data(system, &[home, ("XDG_DATA_HOME", "/data")]).as_deref(), Some("/data/kroo"));
        assert_eq!(data(system, &[("XDG_DATA_HOME", "data")]), None, "a relative path is ignored");
        assert_eq!(data(system, &[]), None);
    }
    assert_eq!(data("windows", &[("LOCALAPPDATA", "/c/local"), home]).as_deref(), Some("/c/local/kroo"));
    assert_eq!(data("windows", &[home]), None);
}
