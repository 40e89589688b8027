// SPDX-License-Identifier: BSD-3-Clause
//! Command-line options in the style of C compilers: one dash, long names, values attached or not.
//!
//! A tool declares one table of [`Opt`] rows; matching, help and the man page all come from it.
//! What an option means is the tool's business: a row only carries an identifier `I` for it.
//! Crates for GNU-style arguments are of no use here, because an option that is not in upcc's
//! table belongs to the C compiler, and because `-shared-heap` would read as `-s -h -a ...`.

use furlong_compiler::diag::similar::distance;

/// How an option takes its value. The text is the value's name in the help.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    None,
    /// `-n 4`, `-n=4` or `-n4`.
    Any(&'static str),
    /// `-heap 4` or `-heap=4`: the name is a word, so that nothing can follow it directly.
    Word(&'static str),
    /// `-T 4`, `-T=4` or `-T4`; followed by anything but a number, the name is someone else's:
    /// `-T script` is the linker's.
    Number(&'static str),
    /// `-network=smp` only.
    Equals(&'static str),
    /// `-pthreads` or `-pthreads=4`.
    MayEqual(&'static str),
    /// `-fupc-threads-4`: whatever follows the name, be it nothing.
    Rest(&'static str),
}

/// One row of a tool's table.
#[derive(Clone, Copy, Debug)]
pub struct Opt<I: 'static> {
    /// The first name is the one shown first in the help; all begin with a dash.
    pub names: &'static [&'static str],
    pub value: Value,
    /// A sentence without its first capital and full stop. Empty: accepted, not shown in the help.
    pub help: &'static str,
    pub id: I,
}

pub const fn row<I: Copy>(
    names: &'static [&'static str],
    value: Value,
    help: &'static str,
    id: I,
) -> Opt<I> {
    Opt { names, value, help, id }
}

/// An option found at the head of an argument list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Match<I> {
    pub id: I,
    pub value: Option<String>,
    /// Arguments consumed: 1 or 2.
    pub used: usize,
}

/// What the head of an argument list is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found<I> {
    Option(Match<I>),
    /// The option of this name lacks its value.
    MissingValue(&'static str),
    Unknown,
}

/// What is known of a name that is not in a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Advice {
    /// It asks for what is so anyhow.
    Nothing,
    /// The name in the table that means the same, and what else there is to say.
    Other { same: Option<&'static str>, hint: Option<&'static str> },
}

/// Nothing is known.
pub const NO_ADVICE: Advice = Advice::Other { same: None, hint: None };

/// Looks up the option at the head of `args`, which must not be empty. A name with two dashes
/// counts as the same name with one.
pub fn find<I: Copy>(table: &[Opt<I>], args: &[String]) -> Found<I> {
    let arg = match args[0].strip_prefix("--") {
        Some(rest) if !rest.is_empty() => format!("-{rest}"),
        _ => args[0].clone(),
    };
    // Exact names go first, so that `-node` is never read as `-n ode`.
    for row in table {
        for name in row.names {
            if arg == *name {
                return exact(row, name, args);
            }
        }
    }
    for row in table {
        for name in row.names {
            if let Some(value) = arg.strip_prefix(name).and_then(|rest| attached(row.value, rest)) {
                return Found::Option(Match { id: row.id, value: Some(value), used: 1 });
            }
        }
    }
    Found::Unknown
}

/// Hands the options at the head of `args` to `take`, each with its value and as it was written;
/// what follows them is returned. `advice` is about names that are not in the
/// table.
pub fn each<'a, I: Copy>(
    table: &[Opt<I>],
    advice: impl Fn(&str) -> Advice,
    mut args: &'a [String],
    mut take: impl FnMut(I, String, &str) -> Result<(), String>,
) -> Result<&'a [String], String> {
    while let Some(arg) = args.first() {
        if arg == "--" {
            return Ok(&args[1..]);
        }
        if !arg.starts_with('-') {
            break;
        }
        match find_with(table, &advice, args) {
            Found::Option(found) => {
                take(found.id, found.value.unwrap_or_default(), arg)?;
                args = &args[found.used..];
            }
            Found::MissingValue(name) => return Err(format!("`{name}` lacks its value")),
            Found::Unknown => match advice(arg) {
                Advice::Nothing => args = &args[1..],
                Advice::Other { hint, same } => {
                    // A name that means the same is unknown here, or takes no value.
                    let near = || nearest(table, same.unwrap_or(arg));
                    let meant = || near().map(|name| format!("did you mean `{name}`?"));
                    let text = hint.map(str::to_string).or_else(meant);
                    let text = text.map_or(String::new(), |text| format!("; {text}"));
                    return Err(format!("there is no option `{arg}`{text}"));
                }
            },
        }
    }
    Ok(args)
}

/// As [`find`], where the name may be another one for an option of the table.
fn find_with<I: Copy>(
    table: &[Opt<I>],
    advice: &impl Fn(&str) -> Advice,
    args: &[String],
) -> Found<I> {
    match (find(table, args), advice(&args[0])) {
        (Found::Unknown, Advice::Other { same: Some(name), .. }) => {
            let value = args[0].find('=').map_or("", |at| &args[0][at..]);
            let renamed = std::iter::once(format!("{name}{value}"));
            find(table, &renamed.chain(args.get(1).cloned()).collect::<Vec<_>>())
        }
        (found, _) => found,
    }
}

/// The argument is the option's name and nothing more.
fn exact<I: Copy>(row: &Opt<I>, name: &'static str, args: &[String]) -> Found<I> {
    match row.value {
        Value::None | Value::MayEqual(_) => {
            Found::Option(Match { id: row.id, value: None, used: 1 })
        }
        Value::Any(_) | Value::Word(_) => match args.get(1) {
            Some(value) => Found::Option(Match { id: row.id, value: Some(value.clone()), used: 2 }),
            None => Found::MissingValue(name),
        },
        Value::Number(_) => match args.get(1).filter(|value| is_number(value)) {
            Some(value) => Found::Option(Match { id: row.id, value: Some(value.clone()), used: 2 }),
            None => Found::Unknown,
        },
        Value::Rest(_) => Found::Option(Match { id: row.id, value: None, used: 1 }),
        // Without its `=` the name is someone else's.
        Value::Equals(_) => Found::Unknown,
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// The value in `rest`, which follows an option's name in the same argument.
fn attached(value: Value, rest: &str) -> Option<String> {
    let after_equals = rest.strip_prefix('=');
    let text = match value {
        Value::None => None,
        Value::Any(_) => {
            // `-n-4` would be a typing error, `-nx` an option we do not know.
            let digits = rest.starts_with(|c: char| c.is_ascii_digit()).then_some(rest);
            after_equals.or(digits)
        }
        Value::Number(_) => after_equals.or(is_number(rest).then_some(rest)),
        Value::Word(_) | Value::Equals(_) | Value::MayEqual(_) => after_equals,
        Value::Rest(_) => Some(rest),
    };
    text.filter(|t| !t.is_empty()).map(str::to_string)
}

/// The name in the table that is most like `arg`, if one is close enough to suggest.
pub fn nearest<I>(table: &[Opt<I>], arg: &str) -> Option<&'static str> {
    let wanted = arg.split('=').next().unwrap_or(arg);
    // Half of its letters are right, at least: any letter is near to any other.
    let letters = wanted.trim_start_matches('-').len();
    table
        .iter()
        .filter(|row| !row.help.is_empty())
        .flat_map(|row| row.names.iter())
        .filter_map(|name| {
            let most = (1 + name.len() / 4).min(letters / 2);
            Some((distance(wanted, name, most)?, *name))
        })
        .min()
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &[Opt<u8>] = &[
        Opt { names: &["-n"], value: Value::Any("N"), help: "number", id: 1 },
        Opt { names: &["-nolink"], value: Value::None, help: "no", id: 2 },
        Opt { names: &["-heap", "-shared-heap"], value: Value::Word("SZ"), help: "heap", id: 3 },
        Opt { names: &["-net"], value: Value::Equals("NET"), help: "net", id: 4 },
        Opt { names: &["-threads-"], value: Value::Rest("N"), help: "threads", id: 5 },
        Opt { names: &["-pth"], value: Value::MayEqual("N"), help: "pthreads", id: 6 },
        Opt { names: &["-T"], value: Value::Number("N"), help: "threads", id: 7 },
    ];

    fn found(args: &[&str]) -> Found<u8> {
        let args: Vec<String> = args.iter().map(|s| s.to_string()).collect();
        find(TABLE, &args)
    }

    fn option(id: u8, value: Option<&str>, used: usize) -> Found<u8> {
        Found::Option(Match { id, value: value.map(str::to_string), used })
    }

    #[test]
    fn values_stand_where_the_row_says() {
        assert_eq!(found(&["-n", "4"]), option(1, Some("4"), 2));
        assert_eq!(found(&["-n4"]), option(1, Some("4"), 1));
        assert_eq!(found(&["-n=4"]), option(1, Some("4"), 1));
        assert_eq!(found(&["--n=4"]), option(1, Some("4"), 1));
        assert_eq!(found(&["-shared-heap", "1G"]), option(3, Some("1G"), 2));
        assert_eq!(found(&["-net=smp"]), option(4, Some("smp"), 1));
        assert_eq!(found(&["-threads-7"]), option(5, Some("7"), 1));
        assert_eq!(found(&["-pth"]), option(6, None, 1));
        assert_eq!(found(&["-pth=2"]), option(6, Some("2"), 1));
    }

    #[test]
    fn a_missing_value_is_named_and_a_longer_name_is_another_option() {
        assert_eq!(found(&["-n"]), Found::MissingValue("-n"));
        assert_eq!(found(&["-net"]), Found::Unknown);
        assert_eq!(found(&["-nolink"]), option(2, None, 1));
        assert_eq!(found(&["-nothing"]), Found::Unknown);
        assert_eq!(found(&["-pthread"]), Found::Unknown);
        assert_eq!(found(&["-"]), Found::Unknown);
        assert_eq!(found(&["--"]), Found::Unknown);
    }

    #[test]
    fn a_number_makes_the_option_ours() {
        for args in [&["-T", "4"][..], &["-T=4"], &["-T4"], &["--T=4"]] {
            assert_eq!(found(args), option(7, Some("4"), args.len()), "{args:?}");
        }
        for args in [&["-T", "script.ld"][..], &["-T"], &["-Tbss=4"], &["-T", "-4"]] {
            assert_eq!(found(args), Found::Unknown, "{args:?}");
        }
        // What follows `=` is meant as a number, and refused by the tool if it is none.
        assert_eq!(found(&["-T=four"]), option(7, Some("four"), 1));
    }

    #[test]
    fn near_names_are_suggested() {
        assert_eq!(nearest(TABLE, "-shared-haep=4"), Some("-shared-heap"));
        assert_eq!(nearest(TABLE, "-zzz"), None);
        assert_eq!(nearest(TABLE, "-k"), None);
    }
}
