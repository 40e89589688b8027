// SPDX-License-Identifier: BSD-3-Clause
//! Reads the runtime's list of settings, `runtime/core/params.def`, for `furlong info` and, as
//! xtask includes this file, for docs/env.md.

/// The arguments of each row: field, variable, type, default, least, most, stability, help. None if
/// a row has another number of them.
pub fn rows(list: &str) -> Option<Vec<[String; 8]>> {
    // The head of the list shows the form of a row in a comment: rows begin a line.
    list.split("\nFL_PARAM(").skip(1).map(|row| fields(row).try_into().ok()).collect()
}

/// The arguments up to the closing parenthesis; commas and parentheses inside strings are text,
/// and strings that follow each other one.
fn fields(row: &str) -> Vec<String> {
    let (mut fields, mut field, mut in_string) = (Vec::new(), String::new(), false);
    for c in row.chars() {
        match c {
            '"' => in_string = !in_string,
            ',' if !in_string => fields.push(std::mem::take(&mut field)),
            ')' if !in_string => break,
            c if c.is_whitespace() && !in_string => {}
            _ => field.push(c),
        }
    }
    fields.push(field);
    fields
}
