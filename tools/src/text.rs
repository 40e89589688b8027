// SPDX-License-Identifier: BSD-3-Clause
//! Small readings and writings of text that the tools share: sizes, words with quotes, settings, and
//! names of files, which may be any bytes.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// A byte that is not UTF-8 is, as text, the character of its number above this one: the last of a
/// plane that Unicode leaves to programs.
const BYTES: u32 = 0x10_FF00;

fn byte(c: char) -> Option<u8> {
    u32::from(c).checked_sub(BYTES).and_then(|n| u8::try_from(n).ok())
}

/// An argument as text, of which [`os`] makes the same bytes again.
pub fn from_os(word: &OsStr) -> String {
    let mut out = String::new();
    let keep = |out: &mut String, bytes: &[u8]| {
        out.extend(bytes.iter().filter_map(|&b| char::from_u32(BYTES + u32::from(b))));
    };
    for chunk in word.as_bytes().utf8_chunks() {
        for c in chunk.valid().chars() {
            match byte(c) {
                Some(_) => keep(&mut out, c.encode_utf8(&mut [0; 4]).as_bytes()),
                None => out.push(c),
            }
        }
        keep(&mut out, chunk.invalid());
    }
    out
}

/// What the system is to be given for text: of an argument, its own bytes.
pub fn os(text: &str) -> OsString {
    let mut out = Vec::with_capacity(text.len());
    for c in text.chars() {
        match byte(c) {
            Some(byte) => out.push(byte),
            None => out.extend(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    OsString::from_vec(out)
}

/// Whether text is that of bytes which are not UTF-8.
pub fn has_bytes(text: &str) -> bool {
    text.chars().any(|c| byte(c).is_some())
}

/// Splits `text` as a shell or gcc's `@file` would: blanks part words, quotes and backslashes
/// keep them together.
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            (c, Some(q)) if c == q => quote = None,
            ('\\', None | Some('"')) => word.get_or_insert_default().extend(chars.next()),
            (c, Some(_)) => word.get_or_insert_default().push(c),
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, None) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// As a shell reads it: quoted if it has to be.
pub fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./,:@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// As a string on one line of C, or of assembly.
pub fn c_string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_ascii_control() => out += &format!("\\{:03o}", u32::from(c)),
            c => out.push(c),
        }
    }
    out + "\""
}

/// Text without the characters that separate keys and list elements of settings.
pub fn percent_encoded(text: &[u8]) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._/".contains(&b);
    let encode = |&b: &u8| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") };
    text.iter().map(encode).collect()
}

/// Whether a setting that is a flag is on: any value but the words for no.
pub fn truth(text: &str) -> bool {
    !["", "0", "no", "n", "false", "off"].contains(&text.to_lowercase().as_str())
}

/// Bytes in `64M`, `2GB`, `512k`; a plain number counts megabytes, as Berkeley UPC's does.
pub fn size(text: &str) -> Result<u64, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit = unit.to_ascii_uppercase();
    let shift = match unit.strip_suffix('B').unwrap_or(&unit) {
        "K" => 10,
        "" | "M" if unit != "B" => 20,
        "G" => 30,
        "T" => 40,
        "" => 0,
        _ => return Err(bad_size(text)),
    };
    let number: u64 = number.parse().map_err(|_| bad_size(text))?;
    number.checked_mul(1 << shift).filter(|bytes| *bytes > 0).ok_or_else(|| bad_size(text))
}

/// A number of bytes in the largest unit that makes it whole, or nearly so.
pub fn bytes(count: u64) -> String {
    const UNITS: [(&str, u32); 4] = [("TB", 40), ("GB", 30), ("MB", 20), ("KB", 10)];
    match UNITS.iter().find(|(_, shift)| count >> shift > 0) {
        _ if count == u64::MAX => "unlimited".to_string(),
        Some((unit, shift)) if count % (1 << shift) == 0 => format!("{} {unit}", count >> shift),
        Some((unit, shift)) => format!("{:.1} {unit}", count as f64 / (1u64 << shift) as f64),
        None => count.to_string(),
    }
}

fn bad_size(text: &str) -> String {
    format!("`{text}` is not a size: write for example 512MB or 4GB (a plain number is megabytes)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_of_c_stay_on_one_line() {
        assert_eq!(c_string("a\"b\\c\nü"), "\"a\\\"b\\\\c\\012ü\"");
    }

    #[test]
    fn words_are_quoted_only_where_a_shell_needs_it() {
        assert_eq!(shell_word("-DX=1"), "-DX=1");
        assert_eq!(shell_word("-DX=\"a b\""), "'-DX=\"a b\"'");
        assert_eq!(shell_word("it's"), "'it'\\''s'");
    }

    #[test]
    fn words_keep_what_is_quoted() {
        assert_eq!(words("-n 4  '-D x=\"y\"' a\\ b \"\""), ["-n", "4", "-D x=\"y\"", "a b", ""]);
        assert!(words(" \n\t").is_empty());
    }

    #[test]
    fn flags_are_words_or_numbers() {
        assert!(truth("1") && truth("Yes") && truth("on"));
        assert!(!truth("0") && !truth("NO") && !truth(""));
    }

    #[test]
    fn numbers_of_bytes_are_short() {
        assert_eq!(bytes(1000), "1000");
        assert_eq!(bytes(64 << 30), "64 GB");
        assert_eq!(bytes(3 << 29), "1.5 GB");
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("64"), Ok(64 << 20));
        assert_eq!(size("64MB"), Ok(64 << 20));
        assert_eq!(size("2g"), Ok(2 << 30));
        assert_eq!(size("100B"), Ok(100));
        for bad in ["", "0", "-1", "x", "1Q", "99999999999T", "1.5G"] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn bytes_that_are_not_utf8_come_back() {
        for bytes in [&b"caf\xe9 \xff\x80"[..], b"a\xc3", "caf\u{e9} \u{10ff80}".as_bytes(), b""] {
            let word = OsStr::from_bytes(bytes);
            assert_eq!(os(&from_os(word)), word);
        }
        assert_eq!(from_os(OsStr::new("caf\u{e9}")), "caf\u{e9}");
        assert!(!has_bytes("caf\u{e9}") && has_bytes(&from_os(OsStr::from_bytes(b"\xe9"))));
    }
}
