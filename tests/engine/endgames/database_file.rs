//! Tests of the header of a database's file.

use kroo::endgames::probe::file::*;
use kroo::endgames::probe::packed_values;
use kroo::endgames::probe::plain_values::BLOCK;
use kroo::files::for_shell;
use std::fs::File;
use std::io::{self, Read};

/// Counts the bytes that are read from it.
struct Counted<'a>(&'a File, u64);

impl Read for Counted<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let length = self.0.read(bytes)?;
        self.1 += length as u64;
        Ok(length)
    }
}

/// A forged header asks for gigabytes, and the file has them as a hole.
#[test]
fn a_file_full_of_holes_is_refused_after_its_first_bytes() {
    let file = DatabaseFile::of_database::<kroo::game::Awari>(24);
    let boards = file.bytes as u64;
    for (values, rare, thresholds) in
        [(boards, boards, 256), (boards, boards, 1 << 30), (boards, u64::MAX >> 8, 1), (1 << 40, 0, 2)]
    {
        let hole = tempfile::NamedTempFile::new().expect("a file");
        let mut header = MAGIC.to_vec();
        header.extend(VERSION.to_le_bytes());
        header.extend([0, 24]);
        header.extend(*b"awari\0\0\0\0\0\0\0");
        header.extend(values.to_le_bytes());
        header.extend(rare.to_le_bytes());
        header.extend((thresholds as u32).to_le_bytes());
        header.extend((BLOCK as u32).to_le_bytes());
        std::fs::write(hole.path(), &header).expect("room");
        let length = 60 << 30;
        hole.as_file().set_len(length).expect("a hole");
        let opened = File::open(hole.path()).expect("there");
        let mut counted = Counted(&opened, 0);
        let found = file.header(&mut counted, length).expect("it can be read");
        assert!(found.is_err(), "{values} {rare} {thresholds}");
        assert!(counted.1 < 1 << 20, "{} bytes were read", counted.1);
    }
}

/// The sum of the lengths in a damaged header may be larger than any number of bytes.
#[test]
fn a_header_with_impossible_lengths_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let plain = DatabaseFile::of_database::<kroo::game::Awari>(2);
    let mut header = MAGIC.to_vec();
    header.extend(VERSION.to_le_bytes());
    header.extend([0, 2]);
    header.extend(*b"awari\0\0\0\0\0\0\0");
    header.extend([0xff; 8 + 8 + 4]);
    header.extend((BLOCK as u32).to_le_bytes());
    let path = folder.path().join("plain");
    std::fs::write(&path, &header).expect("room");
    let error = plain.map(&path).expect_err("a damaged file").to_string();
    assert!(error.contains("its header gives lengths that no file can have"), "{error}");
    let mut header = packed_values::MAGIC.to_vec();
    header.extend(packed_values::VERSION.to_le_bytes());
    header.resize(16, 0);
    header.extend([0xff; 4 * 8]);
    let path = folder.path().join("packed");
    std::fs::write(&path, &header).expect("room");
    let error = packed_values::PackedValues::open(&plain, &path).expect_err("a damaged file").to_string();
    assert!(error.contains("its header gives lengths that no file can have"), "{error}");
}

/// A folder with a blank is quoted in the command, which a user copies into a shell.
#[test]
fn the_command_against_a_damaged_file_can_be_copied() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().join("my files");
    std::fs::create_dir(&folder).expect("a folder");
    let path = folder.join("awari2.kroo");
    std::fs::write(&path, "no endgames").expect("room");
    let error =
        DatabaseFile::of_database::<kroo::game::Awari>(2).map(&path).expect_err("damaged").to_string();
    let command =
        format!("`kroo endgame build --variant awari --seeds 2 --out {}` makes", for_shell(&folder));
    assert!(error.contains(&command), "{error}");
}
