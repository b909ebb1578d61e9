//! The token that pages present, and the file that keeps one for a port.

use super::guard::secret;
use kroo_core::files;
use std::io::{self, Write};
use std::path::Path;
use std::{fs, str};

const DIGITS: usize = 32;

/// The token that a file keeps; a new one, which the file keeps from now on, if it has none or others can read it.
pub fn kept_token(path: &Path) -> io::Result<String> {
    match fs::read(path) {
        Ok(bytes) => {
            if let Some(token) = token_in(&bytes).filter(|_| is_private(path)) {
                return Ok(token.to_owned());
            }
            fs::remove_file(path)?;
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    fs::create_dir_all(files::folder_of(path))?;
    let token = secret();
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(token.as_bytes())?;
    Ok(token)
}

fn token_in(bytes: &[u8]) -> Option<&str> {
    let is_token = bytes.len() == DIGITS && bytes.iter().all(u8::is_ascii_hexdigit);
    str::from_utf8(bytes).ok().filter(|_| is_token)
}

/// Whether only the owner can read a file.
#[cfg(unix)]
fn is_private(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::symlink_metadata(path).is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o077 == 0)
}

#[cfg(not(unix))]
fn is_private(_: &Path) -> bool {
    true
}
