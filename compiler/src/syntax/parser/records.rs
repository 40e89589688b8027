// SPDX-License-Identifier: BSD-3-Clause
//! Structures, unions and enumerations. C17 §6.7.2.1 and §6.7.2.2.

use super::names::Meaning;
use super::*;

impl Parser<'_> {
    /// struct-or-union-specifier = ("struct" | "union") attribute* identifier?
    ///     ("{" member* "}")? attribute*
    pub(super) fn record(&mut self) -> Parse<RecordSpec> {
        let is_union = self.at(Tok::Union);
        self.bump();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let tag_place = self.prev_hi();
        let tag = self.opt_ident();
        let body = match self.kind() {
            Tok::LBrace => Some(self.record_body()?),
            _ if tag.is_none() => return Err(self.expected("a tag or `{`")),
            _ => None,
        };
        if body.is_some() {
            self.attributes(&mut attributes)?;
        }
        Ok(RecordSpec { is_union, tag, attributes, tag_place, body })
    }

    fn record_body(&mut self) -> Parse<RecordBody> {
        let open = self.bump();
        let mut members = Vec::new();
        while !matches!(self.kind(), Tok::RBrace | Tok::Eof) {
            if self.eat(Tok::Semi) {
                continue;
            }
            match self.member() {
                Ok(member) => members.push(member),
                Err(Reported) => self.skip_to_end(),
            }
        }
        self.expect_close(Tok::RBrace, open)?;
        Ok(RecordBody { span: self.since(open.lo), members })
    }

    /// member = specifier-qualifier-list (member-declarator ("," member-declarator)*)? ";"
    ///     | static-assert
    fn member(&mut self) -> Parse<Member> {
        if self.at(Tok::StaticAssert) {
            let (span, condition) = self.static_assert()?;
            return Ok(Member::StaticAssert { span, condition });
        }
        let lo = self.lo();
        while self.eat(Tok::Extension) {}
        let first = self.pos;
        let specs = self.specifiers()?;
        if self.pos == first {
            return Err(self.expected("a member's type or `}`"));
        }
        let mut declarators = Vec::new();
        while !matches!(self.kind(), Tok::Semi | Tok::RBrace) {
            declarators.push(self.member_declarator()?);
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        // GNU C forgives the last member a missing semicolon.
        if !self.at(Tok::RBrace) {
            self.expect_semi("this member")?;
        }
        let span = self.since(lo);
        Ok(Member::Declaration(self.decl(Declaration { span, specs, declarators })))
    }

    /// member-declarator = declarator? (":" constant-expression)? attribute*
    fn member_declarator(&mut self) -> Parse<InitDeclarator> {
        let lo = self.lo();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let declarator = match self.kind() {
            Tok::Colon => Declarator { span: Span::new(lo, lo), ..Declarator::default() },
            _ => self.declarator(true)?,
        };
        self.attributes(&mut attributes)?;
        let width = if self.eat(Tok::Colon) { Some(self.conditional()?) } else { None };
        self.attributes(&mut attributes)?;
        let span = self.since(lo);
        Ok(InitDeclarator { span, declarator, width, asm_label: None, attributes, init: None })
    }

    /// enum-specifier = "enum" attribute* identifier? (":" type)? ("{" enumerators "}")? attribute*
    pub(super) fn enumeration(&mut self) -> Parse<EnumSpec> {
        self.bump();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let tag = self.opt_ident();
        if self.at(Tok::Colon) && self.at_type_name(1) {
            self.bump();
            self.type_name()?;
        }
        let enumerators = match self.kind() {
            Tok::LBrace => Some(self.enumerators()?),
            _ if tag.is_none() => return Err(self.expected("a tag or `{`")),
            _ => None,
        };
        if enumerators.is_some() {
            self.attributes(&mut attributes)?;
        }
        Ok(EnumSpec { tag, attributes, enumerators })
    }

    /// enumerators = identifier attribute* ("=" constant-expression)? ("," ...)* ","?
    fn enumerators(&mut self) -> Parse<Vec<Enumerator>> {
        let open = self.bump();
        let mut list = Vec::new();
        let result = self.enumerator_list(open, &mut list);
        if result.is_err() {
            // The mistake stays inside the braces; the names before it are known.
            while !matches!(self.kind(), Tok::RBrace | Tok::Semi | Tok::LBrace | Tok::Eof) {
                self.bump();
            }
            self.eat(Tok::RBrace).then_some(()).ok_or(Reported)?;
        }
        Ok(list)
    }

    fn enumerator_list(&mut self, open: Span, list: &mut Vec<Enumerator>) -> Parse<()> {
        let mut ignored = Vec::new();
        while !self.at(Tok::RBrace) {
            let name = self.expect_ident("the name of an enumeration constant")?;
            self.attributes(&mut ignored)?;
            let value = if self.eat(Tok::Eq) { Some(self.conditional()?) } else { None };
            self.names.declare(name.name, Meaning::Object);
            list.push(Enumerator { name, value });
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect_close(Tok::RBrace, open)?;
        Ok(())
    }
}
