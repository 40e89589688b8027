// SPDX-License-Identifier: BSD-3-Clause
//! The call around the cursor: which function, and which argument is being written. Calls that are
//! being written are no calls yet, so this goes by the characters before the cursor.

use crate::index::{functions, params, Target};
use crate::unit::Unit;
use furlong_compiler::sema::types::Type;
use furlong_compiler::sema::ObjectKind;
use furlong_compiler::syntax::ast::{Declarator, Params};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    pub name: String,
    /// `void f(int a, int b)`
    pub text: String,
    /// As they stand in `text`.
    pub params: Vec<String>,
    pub argument: u32,
}

/// How far before the cursor a call may begin.
const MAX_BYTES: usize = 8 << 10;

pub fn signature(unit: &Unit, at: u32) -> Option<Signature> {
    let (name, argument) = call(&unit.source, at as usize)?;
    if let Some(definition) = unit.text.macros.get(name) {
        let params = definition.params.as_ref()?;
        let params = params.iter().map(|param| param.to_string()).collect::<Vec<_>>();
        let text = format!("{name}({})", params.join(", "));
        return Some(Signature { name: name.to_string(), text, params, argument });
    }
    let (names, types) = (&unit.ast.names, &unit.sema.types);
    let symbol = names.get(name)?;
    let objects = unit.sema.objects.iter().enumerate();
    let (n, object) = objects.rev().find(|(_, object)| {
        let target = types.pointee(object.ty).unwrap_or(object.ty);
        object.name == symbol && object.kind != ObjectKind::Typedef && types.is_function(target)
    })?;
    let ty = types.pointee(object.ty).unwrap_or(object.ty);
    let Type::Function(function) = types.kind(ty) else { return None };
    let id = furlong_compiler::sema::ObjectId(n as u32);
    let mut params: Vec<String> = written(unit, id).unwrap_or_default();
    if params.len() != function.params.len() {
        params = function.params.iter().map(|&ty| types.display(names, ty)).collect();
    }
    if function.is_variadic {
        params.push("...".to_string());
    }
    let inside = if params.is_empty() { "void".to_string() } else { params.join(", ") };
    let text = types.declaration(names, function.ret, &format!("{name}({inside})"));
    let last = params.len().saturating_sub(1) as u32;
    let argument = if function.is_variadic { argument.min(last) } else { argument };
    Some(Signature { name: name.to_string(), text, params, argument })
}

/// The parameters as a declaration of the function has them, with their names.
fn written(unit: &Unit, id: furlong_compiler::sema::ObjectId) -> Option<Vec<String>> {
    let declared = unit.index().of(Target::Object(id)).filter(|o| o.is_declaration);
    let spans: Vec<_> = declared.map(|o| o.span).collect();
    let of_decls = unit.ast.decls.iter().flat_map(|d| d.declarators.iter().map(|i| &i.declarator));
    let all = of_decls.chain(functions(&unit.ast).into_iter().map(|f| &f.declarator));
    let is_it = |d: &&Declarator| d.name.is_some_and(|name| spans.contains(&name.span));
    all.filter(is_it).find_map(|declarator| match params(declarator)? {
        Params::Prototype { params, .. } => Some(
            params
                .iter()
                .map(|param| {
                    let text = param.span.text(&unit.text.text);
                    text.split_whitespace().collect::<Vec<_>>().join(" ")
                })
                .collect(),
        ),
        _ => None,
    })
}

/// The name before the innermost parenthesis that is open at `at`, and the commas since.
fn call(source: &str, at: usize) -> Option<(&str, u32)> {
    let at = (0..=at.min(source.len())).rev().find(|&at| source.is_char_boundary(at))?;
    let bytes = &source.as_bytes()[..at];
    let (mut depth, mut commas, mut n) = (0u32, 0, bytes.len());
    while n > 0 && bytes.len() - n < MAX_BYTES {
        n -= 1;
        match bytes[n] {
            b')' | b']' => depth += 1,
            b'[' => depth = depth.saturating_sub(1),
            b'(' if depth > 0 => depth -= 1,
            b'(' => {
                let before = source[..n].trim_end();
                let is_word = |c: char| c.is_alphanumeric() || c == '_';
                let start = before
                    .rfind(|c| !is_word(c))
                    .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
                let name = &before[start..];
                return (!name.is_empty()).then_some((name, commas));
            }
            b',' if depth == 0 => commas += 1,
            b';' | b'{' | b'}' if depth == 0 => return None,
            b'"' | b'\'' => {
                let quote = bytes[n];
                while n > 0 && !(bytes[n - 1] == quote && (n < 2 || bytes[n - 2] != b'\\')) {
                    if bytes[n - 1] == b'\n' {
                        break;
                    }
                    n -= 1;
                }
                n = n.saturating_sub(1);
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_open_call_counts() {
        let call = |text: &str| call(text, text.len()).map(|(name, n)| (name.to_string(), n));
        assert_eq!(call("x = f(a, g(b, c), "), Some(("f".into(), 2)));
        assert_eq!(call("f(a, g(b, "), Some(("g".into(), 1)));
        assert_eq!(call("f(\"a, (\", a[g(1, 2)], "), Some(("f".into(), 2)));
        assert_eq!(call("f(a); "), None);
        assert_eq!(call("é("), Some(("é".into(), 0)));
    }
}
