// SPDX-License-Identifier: BSD-3-Clause
//! Declaration specifiers and type names. C17 §6.7.1 to §6.7.3, §6.7.5, §6.7.7.

use super::names::Meaning;
use super::*;
use crate::syntax::token::builtin_type;

/// Type specifiers that are words, counted until the whole is known.
#[derive(Default)]
struct Words {
    /// The one among `void char int float double _Bool __int128` that was met.
    base: Option<Tok>,
    /// A second one was met.
    conflict: bool,
    n_long: u8,
    is_short: bool,
    is_signed: bool,
    is_unsigned: bool,
    is_complex: bool,
    any: bool,
}

impl Words {
    fn add(&mut self, kind: Tok) {
        self.any = true;
        match kind {
            Tok::Long => self.n_long = self.n_long.saturating_add(1),
            Tok::Short => self.is_short = true,
            Tok::Signed => self.is_signed = true,
            Tok::Unsigned => self.is_unsigned = true,
            Tok::Complex => self.is_complex = true,
            _ if self.base.is_some() => self.conflict = true,
            _ => self.base = Some(kind),
        }
    }

    /// The table of C17 §6.7.2p2; `None` for what is not in it.
    fn builtin(&self) -> Option<Builtin> {
        use Builtin::*;
        let sized = self.is_short || self.n_long > 0;
        let signed = self.is_signed || self.is_unsigned;
        let pick = |s: Builtin, u: Builtin| if self.is_unsigned { u } else { s };
        if self.conflict || self.is_signed && self.is_unsigned || self.is_short && self.n_long > 0 {
            return None;
        }
        let floating = matches!(self.base, None | Some(Tok::Float | Tok::Double));
        // GNU C has complex integers; only their text matters.
        if self.is_complex && floating && !signed && !self.is_short {
            return Some(match (self.base, self.n_long) {
                (Some(Tok::Float), 0) => ComplexFloat,
                (_, 0) => ComplexDouble,
                (_, 1) => ComplexLDouble,
                _ => return None,
            });
        }
        Some(match self.base {
            None | Some(Tok::Int) => match self.n_long {
                0 if self.is_short => pick(Short, UShort),
                0 => pick(Int, UInt),
                1 => pick(Long, ULong),
                2 => pick(LLong, ULLong),
                _ => return None,
            },
            Some(Tok::Char) if sized => return None,
            Some(Tok::Char) if self.is_signed => SChar,
            Some(Tok::Char) => pick(Char, UChar),
            Some(Tok::Int128) if !sized => pick(Int128, UInt128),
            Some(Tok::Double) if self.n_long == 1 && !signed => LDouble,
            _ if sized || signed => return None,
            Some(Tok::Void) => Void,
            Some(Tok::Float) => Float,
            Some(Tok::Double) => Double,
            Some(Tok::Bool) => Bool,
            _ => return None,
        })
    }
}

/// A specifier list under construction.
struct Builder {
    specs: DeclSpecs,
    words: Words,
    ty_span: Option<Span>,
}

impl Builder {
    fn has_type(&self) -> bool {
        self.ty_span.is_some()
    }

    fn cover(&mut self, span: Span) {
        self.ty_span = Some(self.ty_span.map_or(span, |s| s.to(span)));
    }
}

impl Parser<'_> {
    /// Whether a declaration starts here (GNU's `__extension__` is looked through).
    pub(super) fn at_declaration(&self) -> bool {
        let mut ahead = 0;
        while self.peek(ahead) == Tok::Extension {
            ahead += 1;
        }
        let idx = (self.pos + ahead).min(self.tokens.len() - 1);
        let token = self.tokens[idx];
        match token.kind {
            Tok::Ident => match self.names.get(token.sym) {
                Meaning::Typedef | Meaning::BuiltinType => true,
                // `foo_t x` can only be a declaration with an unknown type.
                Meaning::Unknown => self.is_declarator(idx + 1),
                Meaning::Object => false,
            },
            kind => is_specifier(kind),
        }
    }

    /// Whether a name stands here, and after it what can follow the name in a declaration.
    fn is_declarator(&self, idx: usize) -> bool {
        let kind = |idx: usize| self.tokens.get(idx).map_or(Tok::Eof, |t| t.kind);
        kind(idx) == Tok::Ident
            && matches!(
                kind(idx + 1),
                Tok::Semi | Tok::Eq | Tok::Comma | Tok::LBracket | Tok::LParen
            )
    }

    /// Whether a type name starts here, as after `(` in a cast.
    pub(super) fn at_type_name(&self, ahead: usize) -> bool {
        let idx = (self.pos + ahead).min(self.tokens.len() - 1);
        let token = self.tokens[idx];
        match token.kind {
            Tok::Ident => {
                matches!(self.names.get(token.sym), Meaning::Typedef | Meaning::BuiltinType)
            }
            Tok::Extension => self.at_type_name(ahead + 1),
            // `[[` cannot start a type name, and `[` follows `shared` only.
            kind => is_specifier(kind),
        }
    }

    /// declaration-specifiers = (storage-class | type-specifier | type-qualifier
    ///     | function-specifier | alignment-specifier | attribute)*
    pub(super) fn specifiers(&mut self) -> Parse<DeclSpecs> {
        let lo = self.lo();
        let mut b = Builder { specs: empty_specs(lo), words: Words::default(), ty_span: None };
        loop {
            let span = self.span();
            let kind = self.kind();
            match kind {
                Tok::Typedef => self.storage(&mut b, Storage::Typedef),
                Tok::Extern => self.storage(&mut b, Storage::Extern),
                Tok::Static => self.storage(&mut b, Storage::Static),
                Tok::Auto => self.storage(&mut b, Storage::Auto),
                Tok::Register => self.storage(&mut b, Storage::Register),
                Tok::Constexpr => b.specs.constexpr = Some(self.bump()),
                Tok::ThreadLocal => b.specs.thread_local = Some(self.bump()),
                Tok::Inline => {
                    b.specs.is_inline = true;
                    self.bump();
                }
                Tok::Noreturn | Tok::Extension => {
                    self.bump();
                }
                Tok::Attribute => self.attribute_specifier(&mut b.specs.attributes)?,
                Tok::LBracket if self.at_c2x_attribute() => {
                    self.attribute_specifier(&mut b.specs.attributes)?
                }
                Tok::Alignas => self.alignas(&mut b.specs)?,
                Tok::Atomic if self.peek(1) == Tok::LParen => {
                    self.bump();
                    let (ty, _) = self.parenthesized_type()?;
                    b.specs.ty = TypeSpec::Atomic(ty);
                    b.cover(self.since(span.lo));
                }
                Tok::LBracket if self.is_late_layout(&b.specs.quals) => self.late_layout()?,
                _ if is_qualifier(kind) => {
                    let qualifier = self.qualifier()?;
                    b.specs.quals.push(qualifier);
                }
                _ if is_type_word(kind) => {
                    b.words.add(kind);
                    b.cover(self.bump());
                }
                Tok::Struct | Tok::Union if !b.has_type() => {
                    b.specs.ty = TypeSpec::Record(self.nested(Self::record)?);
                    b.cover(self.since(span.lo));
                }
                Tok::Enum if !b.has_type() => {
                    b.specs.ty = TypeSpec::Enum(self.enumeration()?);
                    b.cover(self.since(span.lo));
                }
                Tok::Typeof if !b.has_type() => {
                    b.specs.ty = self.typeof_specifier()?;
                    b.cover(self.since(span.lo));
                }
                Tok::AutoType if !b.has_type() => {
                    b.specs.ty = TypeSpec::Auto;
                    b.cover(self.bump());
                }
                Tok::Ident if self.named_type(&mut b)? => {}
                _ => break,
            }
        }
        self.finish_specifiers(b, lo)
    }

    fn storage(&mut self, b: &mut Builder, storage: Storage) {
        let span = self.bump();
        b.specs.storage.get_or_insert((storage, span));
    }

    /// A typedef name, if the identifier here is one and a type can still come.
    fn named_type(&mut self, b: &mut Builder) -> Parse<bool> {
        let token = self.token();
        let meaning = self.names.get(token.sym);
        let only_complex = b.words.is_complex && b.words.base.is_none() && b.words.n_long == 0;
        if meaning == Meaning::BuiltinType && only_complex {
            // `_Complex _Float128`
            let name = format!("_Complex {}", self.ast.names.name(token.sym));
            b.specs.ty = TypeSpec::Builtin(Builtin::Other(self.ast.names.intern(&name)));
            b.words = Words::default();
            b.cover(self.bump());
            return Ok(true);
        }
        if b.has_type() {
            return Ok(false);
        }
        match meaning {
            Meaning::Typedef => {
                b.specs.ty = TypeSpec::Typedef(Ident { name: token.sym, span: self.span() });
            }
            Meaning::BuiltinType => b.specs.ty = TypeSpec::Builtin(builtin_type(token.sym)),
            Meaning::Unknown if self.is_unknown_type() => {
                b.specs.ty = self.unknown_type(token)?;
            }
            _ => return Ok(false),
        }
        b.cover(self.bump());
        Ok(true)
    }

    /// `foo_t x` and `foo_t *x`, where `foo_t` is not declared and nothing else fits.
    fn is_unknown_type(&self) -> bool {
        match self.peek(1) {
            Tok::Ident => true,
            Tok::Star if self.unknown_types => true,
            Tok::Star => self.peek(2) == Tok::Ident || self.peek(2) == Tok::Star,
            Tok::LParen => self.unknown_types && self.peek(2) == Tok::Star,
            kind => {
                let ends = matches!(kind, Tok::Comma | Tok::RParen);
                self.unknown_types && (ends || is_qualifier(kind))
            }
        }
    }

    /// An error, but the compilers' own headers use type names that only that compiler knows.
    fn unknown_type(&mut self, token: Token) -> Parse<TypeSpec> {
        if self.unknown_types || self.ast.lines.file_at(token.lo).is_system {
            return Ok(TypeSpec::Builtin(Builtin::Other(token.sym)));
        }
        self.note_use();
        let name = self.ast.names.name(token.sym);
        let title = format!("unknown type name `{name}`");
        let help = format!("declare `{name}` with `typedef`, or include the header that does");
        let diagnostic = Diagnostic::error(codes::E0102, self.span(), title);
        self.report(diagnostic.label("not declared as a type").help(help));
        self.names.declare_globally(token.sym, Meaning::Typedef);
        Ok(TypeSpec::Error)
    }

    fn finish_specifiers(&mut self, mut b: Builder, lo: u32) -> Parse<DeclSpecs> {
        b.specs.span = self.since(lo);
        if self.pos == 0 || b.specs.span.hi < lo || self.prev_hi() < lo {
            b.specs.span = Span::new(lo, lo);
        }
        b.specs.ty_span = b.ty_span.unwrap_or(Span::new(b.specs.span.hi, b.specs.span.hi));
        if b.words.any {
            // `_Complex` or `unsigned` beside a typedef name is the C compiler's to refuse.
            if matches!(b.specs.ty, TypeSpec::Missing) {
                b.specs.ty = match b.words.builtin() {
                    Some(builtin) => TypeSpec::Builtin(builtin),
                    None if b.words.is_complex => TypeSpec::Builtin(Builtin::ComplexDouble),
                    None => {
                        let text = b.specs.ty_span.text(self.text);
                        let title = format!("`{text}` is not a type");
                        self.report(Diagnostic::error(codes::E0102, b.specs.ty_span, title));
                        TypeSpec::Error
                    }
                };
            }
        }
        Ok(b.specs)
    }

    /// type-qualifier = "const" | "volatile" | "restrict" | "_Atomic"
    ///     | "shared" layout-qualifier? | "strict" | "relaxed"        UPC 1.3 §6.5.1
    pub(super) fn qualifier(&mut self) -> Parse<Qualifier> {
        let lo = self.lo();
        let kind = match self.kind() {
            Tok::Const => QualifierKind::Const,
            Tok::Volatile => QualifierKind::Volatile,
            Tok::Restrict => QualifierKind::Restrict,
            Tok::Atomic => QualifierKind::Atomic,
            Tok::Strict => QualifierKind::Strict,
            Tok::Relaxed => QualifierKind::Relaxed,
            _ => {
                self.bump();
                let layout = self.opt_layout()?;
                let kind = QualifierKind::Shared(layout);
                return Ok(Qualifier { span: self.since(lo), kind });
            }
        };
        Ok(Qualifier { span: self.bump(), kind })
    }

    /// `typeof (expression)` or `typeof (type-name)`
    fn typeof_specifier(&mut self) -> Parse<TypeSpec> {
        self.bump();
        if self.at_type_name(1) {
            return Ok(TypeSpec::TypeofType(self.parenthesized_type()?.0));
        }
        let open = self.expect(Tok::LParen, "`(` after `typeof`")?;
        let expr = self.expression()?;
        self.expect_close(Tok::RParen, open)?;
        Ok(TypeSpec::TypeofExpr(expr))
    }

    /// alignment-specifier = "_Alignas" "(" (type-name | constant-expression) ")"
    fn alignas(&mut self, specs: &mut DeclSpecs) -> Parse<()> {
        let lo = self.bump().lo;
        let operand = if self.at_type_name(1) {
            ExprOrType::Type(self.parenthesized_type()?.0)
        } else {
            let open = self.expect(Tok::LParen, "`(` after `_Alignas`")?;
            let expr = self.conditional()?;
            self.expect_close(Tok::RParen, open)?;
            ExprOrType::Expr(expr)
        };
        specs.alignas.push((self.since(lo), operand));
        Ok(())
    }

    /// "(" type-name ")", with the span of the whole
    pub(super) fn parenthesized_type(&mut self) -> Parse<(TypeNameId, Span)> {
        let open = self.expect(Tok::LParen, "`(`")?;
        let ty = self.type_name()?;
        self.expect_close(Tok::RParen, open)?;
        Ok((ty, self.since(open.lo)))
    }

    /// type-name = specifier-qualifier-list abstract-declarator?
    pub(super) fn type_name(&mut self) -> Parse<TypeNameId> {
        self.nested(|p| {
            let lo = p.lo();
            let specs = p.specifiers()?;
            if matches!(specs.ty, TypeSpec::Missing) && specs.quals.is_empty() {
                return Err(p.expected("a type"));
            }
            let declarator = p.declarator(false)?;
            let span = p.since(lo);
            p.ast.type_names.push(TypeName { span, specs, declarator });
            Ok(TypeNameId(p.ast.type_names.len() as u32 - 1))
        })
    }
}

pub(super) fn empty_specs(at: u32) -> DeclSpecs {
    DeclSpecs {
        span: Span::new(at, at),
        storage: None,
        thread_local: None,
        constexpr: None,
        is_inline: false,
        quals: Vec::new(),
        attributes: Vec::new(),
        alignas: Vec::new(),
        ty: TypeSpec::Missing,
        ty_span: Span::new(at, at),
    }
}

pub(super) fn is_qualifier(kind: Tok) -> bool {
    use Tok::*;
    matches!(kind, Const | Volatile | Restrict | Atomic | Shared | Strict | Relaxed)
}

fn is_type_word(kind: Tok) -> bool {
    use Tok::*;
    matches!(
        kind,
        Void | Char
            | Short
            | Int
            | Long
            | Float
            | Double
            | Signed
            | Unsigned
            | Bool
            | Complex
            | Int128
    )
}

/// Starts or continues a specifier list, other than a name.
fn is_specifier(kind: Tok) -> bool {
    use Tok::*;
    is_qualifier(kind)
        || is_type_word(kind)
        || matches!(
            kind,
            Typedef
                | Extern
                | Static
                | Auto
                | Register
                | ThreadLocal
                | Inline
                | Noreturn
                | Attribute
                | Alignas
                | Constexpr
                | Struct
                | Union
                | Enum
                | Typeof
                | AutoType
        )
}
