// SPDX-License-Identifier: BSD-3-Clause
//! What tells the C compiler where the text that follows came from.

use crate::span::LineMap;

/// A line marker for the place `offset`, with its newline. `is_quiet`: C gives no warnings for what
/// follows; it has given them, or will, for another copy of the same text.
pub fn marker_at(offset: u32, lines: &LineMap, is_quiet: bool) -> String {
    if lines.regions.is_empty() {
        return String::new();
    }
    let place = lines.locate(offset);
    let file = lines.file(place.file);
    let is_system = is_quiet || file.is_system || lines.region(offset).is_quiet;
    let flag = if is_system { " 3" } else { "" };
    format!("# {} {}{flag}\n", place.line, c_string(&file.name))
}

/// `text` as a C string literal.
pub fn c_string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => {
                out.push('\\');
                out.push(byte as char);
            }
            0x20..=0x7e => out.push(byte as char),
            _ => out += &format!("\\{byte:03o}"),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c_string_escapes() {
        assert_eq!(c_string("a\"b\\é"), "\"a\\\"b\\\\\\303\\251\"");
    }
}
