// SPDX-License-Identifier: BSD-3-Clause
//! Declarators and parameters. C17 §6.7.6 and §6.7.7.

use super::names::Meaning;
use super::specifiers::is_qualifier;
use super::*;

impl Parser<'_> {
    /// declarator = pointer? direct-declarator; if not `named`, the name may be missing.
    pub(super) fn declarator(&mut self, named: bool) -> Parse<Declarator> {
        let before = self.prev_hi();
        let lo = self.lo();
        let first = self.pos;
        let mut declarator = Declarator::default();
        self.nested(|p| p.declarator_chunks(named, &mut declarator))?;
        declarator.span =
            if self.pos == first { Span::new(before, before) } else { self.since(lo) };
        Ok(declarator)
    }

    /// pointer = ("*" (type-qualifier | attribute)*)*
    /// direct-declarator = (identifier | "(" declarator ")")? (array | function)*
    ///
    /// Appends chunks from the name outward: what the parentheses hold, the suffixes, the stars.
    fn declarator_chunks(&mut self, named: bool, out: &mut Declarator) -> Parse<()> {
        let mut ignored = Vec::new();
        self.attributes(&mut ignored)?;
        let mut pointers = Vec::new();
        while matches!(self.kind(), Tok::Star | Tok::Caret) {
            pointers.push(self.pointer()?);
        }
        self.attributes(&mut ignored)?;
        match self.kind() {
            Tok::Ident => {
                out.name = self.opt_ident();
                // GNU C's attributes come after the whole declarator, C23's after the name.
                if self.at_c2x_attribute() {
                    self.attribute_specifier(&mut ignored)?;
                }
            }
            Tok::LParen if named || self.is_group() => {
                let open = self.bump();
                self.nested(|p| p.declarator_chunks(named, out))?;
                self.expect_close(Tok::RParen, open)?;
            }
            _ if named => return Err(self.expected("a name")),
            _ => {}
        }
        loop {
            match self.kind() {
                Tok::LBracket if !self.at_c2x_attribute() => {
                    let chunk = self.array()?;
                    out.chunks.push(chunk);
                }
                Tok::LParen => {
                    let chunk = self.function()?;
                    out.chunks.push(chunk);
                }
                _ => break,
            }
        }
        out.chunks.extend(pointers.into_iter().rev());
        // Types nest as deep as their declarators have chunks.
        if out.chunks.len() > MAX_DEPTH as usize {
            return Err(self.too_deep());
        }
        Ok(())
    }

    fn pointer(&mut self) -> Parse<DeclaratorChunk> {
        let lo = self.bump().lo;
        let mut quals = Vec::new();
        let mut ignored = Vec::new();
        loop {
            if is_qualifier(self.kind()) {
                quals.push(self.qualifier()?);
            } else if self.at_attribute() {
                self.attribute_specifier(&mut ignored)?;
            } else {
                break;
            }
        }
        Ok(DeclaratorChunk { span: self.since(lo), kind: ChunkKind::Pointer(quals) })
    }

    /// Whether `(` in an abstract declarator groups, rather than opens a parameter list.
    fn is_group(&self) -> bool {
        match self.peek(1) {
            Tok::Star | Tok::Caret | Tok::LParen | Tok::Attribute => true,
            // `shared [4]` was a qualifier; a bracket here is an array declarator's.
            Tok::LBracket => self.peek(2) != Tok::LBracket,
            Tok::Ident => !self.at_type_name(1) && !self.is_unknown_parameter(),
            _ => false,
        }
    }

    /// `(foo_t x`, with a type that is not declared.
    fn is_unknown_parameter(&self) -> bool {
        let idx = self.pos + 1;
        let is_unknown = self.names.get(self.tokens[idx].sym) != Meaning::Object;
        is_unknown && matches!(self.peek(2), Tok::Ident | Tok::Star)
    }

    /// array = "[" (type-qualifier | "static")* (assignment | "*")? "]"
    fn array(&mut self) -> Parse<DeclaratorChunk> {
        let open = self.bump();
        let mut quals = Vec::new();
        let mut is_static = false;
        loop {
            if self.eat(Tok::Static) {
                is_static = true;
            } else if is_qualifier(self.kind()) {
                quals.push(self.qualifier()?);
            } else {
                break;
            }
        }
        let size = match self.kind() {
            Tok::RBracket => ArraySize::None,
            Tok::Star if self.peek(1) == Tok::RBracket => {
                self.bump();
                ArraySize::Star
            }
            _ => ArraySize::Expr(self.assignment()?),
        };
        self.expect_close(Tok::RBracket, open)?;
        let kind = ChunkKind::Array { quals, is_static, size };
        Ok(DeclaratorChunk { span: self.since(open.lo), kind })
    }

    /// function = "(" ("void" | parameter ("," parameter)* ("," "...")? | names)? ")"
    fn function(&mut self) -> Parse<DeclaratorChunk> {
        let open = self.bump();
        self.names.enter();
        let params = self.nested(Self::parameters);
        self.names.leave();
        let params = params?;
        self.expect_close(Tok::RParen, open)?;
        Ok(DeclaratorChunk { span: self.since(open.lo), kind: ChunkKind::Function(params) })
    }

    fn parameters(&mut self) -> Parse<Params> {
        match self.kind() {
            Tok::RParen => return Ok(Params::Empty),
            Tok::Void if self.peek(1) == Tok::RParen => {
                self.bump();
                return Ok(Params::Prototype { params: Vec::new(), is_variadic: false });
            }
            Tok::Ident if self.at_identifier_list() => return self.identifier_list(),
            _ => {}
        }
        let mut params = Vec::new();
        let mut is_variadic = false;
        loop {
            if self.eat(Tok::Ellipsis) {
                is_variadic = true;
                break;
            }
            params.push(self.parameter()?);
            // Before C99 some headers wrote `int a ...`; it costs nothing to read.
            if !self.eat(Tok::Comma) && !self.at(Tok::Ellipsis) {
                break;
            }
        }
        Ok(Params::Prototype { params, is_variadic })
    }

    fn at_identifier_list(&self) -> bool {
        let known = matches!(self.names.get(self.token().sym), Meaning::Typedef);
        !known
            && !self.unknown_types
            && !self.at_type_name(0)
            && matches!(self.peek(1), Tok::Comma | Tok::RParen)
    }

    /// names = identifier ("," identifier)*        K&R
    fn identifier_list(&mut self) -> Parse<Params> {
        let mut names = Vec::new();
        loop {
            // It may be a type in a prototype without names.
            self.note_use();
            names.push(self.expect_ident("the name of a parameter")?);
            if !self.eat(Tok::Comma) {
                return Ok(Params::Names(names));
            }
        }
    }

    /// parameter = declaration-specifiers (declarator | abstract-declarator)? attribute*
    fn parameter(&mut self) -> Parse<Param> {
        let lo = self.lo();
        let specs = self.specifiers()?;
        if self.pos > 0 && self.prev_hi() <= lo {
            return Err(self.expected("a parameter's type"));
        }
        let declarator = self.declarator(false)?;
        if let Some(name) = declarator.name {
            self.names.declare(name.name, Meaning::Object);
        }
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        Ok(Param { span: self.since(lo), specs, declarator, attributes })
    }
}
