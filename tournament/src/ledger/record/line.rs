//! A line of a journal: a checksum, and JSON.

use serde::Serialize;

/// Bytes before the JSON: the digits of the checksum, and a blank.
const PREFIX: usize = 9;

/// A value as a line, with its end.
pub(super) fn write(value: &impl Serialize) -> Vec<u8> {
    let mut line = vec![b' '; PREFIX];
    serde_json::to_writer(&mut line, value).expect("plain values can be written as JSON");
    let sum = format!("{:08x}", crc32fast::hash(&line[PREFIX..]));
    line[..PREFIX - 1].copy_from_slice(sum.as_bytes());
    line.push(b'\n');
    line
}

/// The JSON of a line, which is given with its end; or the fault of the line.
pub(super) fn read(line: &[u8]) -> Result<&[u8], String> {
    let line = line.strip_suffix(b"\n").ok_or("it does not end")?;
    let (sum, json) = line.split_at_checked(PREFIX).ok_or("it is too short")?;
    let written = std::str::from_utf8(sum).ok().and_then(|sum| sum.strip_suffix(' '));
    let written = written.and_then(|sum| u32::from_str_radix(sum, 16).ok());
    let written = written.ok_or("it does not begin with a checksum")?;
    let found = crc32fast::hash(json);
    if written == found { Ok(json) } else { Err(format!("its checksum is {found:08x}, not {written:08x}")) }
}
