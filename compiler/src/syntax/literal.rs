// SPDX-License-Identifier: BSD-3-Clause
//! The values of literals. C17 §6.4.4 and §6.4.5, for the LP64 types of every machine we run on.

use super::ast::{Builtin, ExprKind, Target};

/// What a pp-number denotes, or why it denotes nothing.
pub fn number(text: &str) -> Result<ExprKind, String> {
    if text.contains('\'') {
        return number(&text.replace('\'', ""));
    }
    let lower = text.to_ascii_lowercase();
    let (radix, digits) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, &lower[2..]),
        [b'0', b'b', ..] => (2, &lower[2..]),
        [b'0', ..] => (8, lower.as_str()),
        _ => (10, lower.as_str()),
    };
    let exponent = if radix == 16 { 'p' } else { 'e' };
    let is_float = digits.contains('.')
        || radix != 2 && digits.contains(exponent) && digits.starts_with(|c: char| c != exponent);
    if is_float {
        return float(text, digits, radix, exponent);
    }
    let n_digits = digits.find(|c: char| !c.is_digit(radix.max(10))).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(n_digits);
    if digits.is_empty() {
        return Err(format!("`{text}` has no digits"));
    }
    let mut value = 0u128;
    for c in digits.chars() {
        let Some(digit) = c.to_digit(radix) else {
            return Err(format!("`{c}` is not a digit of a number to base {radix}"));
        };
        value = value.wrapping_mul(u128::from(radix)).wrapping_add(u128::from(digit));
    }
    if matches!(suffix, "i" | "j") {
        return Ok(ExprKind::Float { ty: Builtin::ComplexDouble });
    }
    let Some((is_unsigned, rank)) = int_suffix(suffix) else {
        let suffix = &text[text.len() - suffix.len()..];
        return Err(format!("`{suffix}` is not a suffix of an integer"));
    };
    Ok(ExprKind::Int { value, ty: int_type(value, radix == 10, is_unsigned, rank) })
}

/// Unsigned, and 0, 1 or 2 for `int`, `long`, `long long`.
fn int_suffix(suffix: &str) -> Option<(bool, u8)> {
    Some(match suffix {
        "" => (false, 0),
        "u" => (true, 0),
        "l" => (false, 1),
        "ll" => (false, 2),
        "ul" | "lu" => (true, 1),
        "ull" | "llu" => (true, 2),
        _ => return None,
    })
}

/// The table of C17 §6.4.4.1p5, with `__int128` after it as GCC has it.
fn int_type(value: u128, is_decimal: bool, is_unsigned: bool, rank: u8) -> Builtin {
    use Builtin::*;
    let types = [(Int, UInt, 31), (Long, ULong, 63), (LLong, ULLong, 63), (Int128, UInt128, 127)];
    for (signed, unsigned, bits) in &types[rank as usize..] {
        if !is_unsigned && value >> bits == 0 {
            return *signed;
        }
        if (is_unsigned || !is_decimal) && (*bits == 127 || value >> (bits + 1) == 0) {
            return *unsigned;
        }
    }
    UInt128
}

fn float(text: &str, digits: &str, radix: u32, exponent: char) -> Result<ExprKind, String> {
    let bad = || Err(format!("`{text}` is not a number"));
    let mantissa =
        digits.find(|c: char| c != '.' && !c.is_digit(radix.max(10))).unwrap_or(digits.len());
    let (mantissa, mut rest) = digits.split_at(mantissa);
    if mantissa.matches('.').count() > 1 || mantissa == "." {
        return bad();
    }
    if let Some(after) = rest.strip_prefix(exponent) {
        let after = after.strip_prefix(['+', '-']).unwrap_or(after);
        let n = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        if n == 0 {
            return Err(format!("`{text}` has an exponent without digits"));
        }
        rest = &after[n..];
    } else if radix == 16 {
        return Err(format!("`{text}` needs an exponent, such as `p0`"));
    }
    // GNU imaginary constants put `i` or `j` before or after the other suffix.
    let real = rest.replacen(['i', 'j'], "", 1);
    let is_imaginary = real != rest && !rest.starts_with("dd");
    let ty = match (real.as_str(), is_imaginary) {
        ("", false) => Builtin::Double,
        ("", true) => Builtin::ComplexDouble,
        ("f", false) => Builtin::Float,
        ("f", true) => Builtin::ComplexFloat,
        ("l", false) => Builtin::LDouble,
        ("l", true) => Builtin::ComplexLDouble,
        ("q" | "w" | "f128" | "f64x", _) => Builtin::LDouble,
        ("f64" | "f32x" | "d" | "dd" | "dl", _) => Builtin::Double,
        ("f32" | "f16" | "bf16" | "df", _) => Builtin::Float,
        _ => {
            let suffix = &text[text.len() - rest.len()..];
            return Err(format!("`{suffix}` is not a suffix of a floating constant"));
        }
    };
    Ok(ExprKind::Float { ty })
}

/// The element type that the prefix of a literal selects; `None` for no prefix or `u8`.
fn prefix_type(text: &str, target: Target) -> Option<Builtin> {
    match text.as_bytes() {
        [b'L', ..] => Some(target.wide_char),
        [b'U', ..] => Some(Builtin::UInt),
        [b'u', b'8', ..] => None,
        [b'u', ..] => Some(Builtin::UShort),
        _ => None,
    }
}

/// What stands between the quotes.
fn inside(text: &str, quote: char) -> &str {
    let open = text.find(quote).map_or(0, |i| i + 1);
    let inner = &text[open..];
    inner.strip_suffix(quote).unwrap_or(inner)
}

/// One element of a literal: an escape's value, or a character.
enum Unit {
    Value(u32),
    Char(char),
}

struct Units<'a>(std::str::Chars<'a>);

impl Iterator for Units<'_> {
    type Item = Unit;

    fn next(&mut self) -> Option<Unit> {
        let c = self.0.next()?;
        if c != '\\' {
            return Some(Unit::Char(c));
        }
        Some(match self.0.next()? {
            'n' => Unit::Value(10),
            't' => Unit::Value(9),
            'r' => Unit::Value(13),
            'a' => Unit::Value(7),
            'b' => Unit::Value(8),
            'f' => Unit::Value(12),
            'v' => Unit::Value(11),
            'e' | 'E' => Unit::Value(27),
            'x' => Unit::Value(self.digits(16, usize::MAX, 0)),
            'u' => universal(self.digits(16, 4, 0)),
            'U' => universal(self.digits(16, 8, 0)),
            '\n' => return self.next(),
            c @ '0'..='7' => Unit::Value(self.digits(8, 2, c as u32 - '0' as u32)),
            c => Unit::Char(c),
        })
    }
}

impl Units<'_> {
    fn digits(&mut self, radix: u32, most: usize, first: u32) -> u32 {
        let mut value = first;
        for _ in 0..most {
            let mut ahead = self.0.clone();
            let Some(digit) = ahead.next().and_then(|c| c.to_digit(radix)) else { break };
            value = value.wrapping_mul(radix).wrapping_add(digit);
            self.0 = ahead;
        }
        value
    }
}

fn universal(code: u32) -> Unit {
    char::from_u32(code).map_or(Unit::Value(code), Unit::Char)
}

/// A character constant; several characters pack as GCC does.
pub fn char_constant(text: &str, target: Target) -> ExprKind {
    let wide = prefix_type(text, target);
    let mut value = 0i64;
    let mut n_bytes = 0;
    for unit in Units(inside(text, '\'').chars()) {
        match (wide, unit) {
            (Some(_), Unit::Value(v)) => value = i64::from(v),
            (Some(_), Unit::Char(c)) => value = i64::from(c as u32),
            (None, Unit::Value(v)) => {
                value = (value << 8) | i64::from(v & 0xff);
                n_bytes += 1;
            }
            (None, Unit::Char(c)) => {
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    value = (value << 8) | i64::from(byte);
                    n_bytes += 1;
                }
            }
        }
    }
    value = match wide {
        None if n_bytes == 1 && target.is_char_signed => i64::from(value as i8),
        Some(Builtin::UShort) => value & 0xffff,
        Some(Builtin::UInt) => value & 0xffff_ffff,
        _ => i64::from(value as i32),
    };
    ExprKind::Char { value, ty: wide.unwrap_or(Builtin::Int) }
}

/// Adjacent string literals as one (C17 §6.4.5p5): any prefix among them counts for all.
pub fn string<'a>(parts: impl Iterator<Item = &'a str> + Clone, target: Target) -> ExprKind {
    let prefix = |part| prefix_type(part, target);
    let elem = parts.clone().find_map(prefix).unwrap_or(Builtin::Char);
    let units = parts.flat_map(|part| Units(inside(part, '"').chars()));
    let len: usize = units
        .map(|unit| match (unit, elem) {
            (Unit::Value(_), _) => 1,
            (Unit::Char(c), Builtin::Char) => c.len_utf8(),
            (Unit::Char(c), Builtin::UShort) => c.len_utf16(),
            (Unit::Char(_), _) => 1,
        })
        .sum();
    ExprKind::Str { elem, len: len as u64 + 1 }
}
