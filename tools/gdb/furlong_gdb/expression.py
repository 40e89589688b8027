# SPDX-License-Identifier: BSD-3-Clause
"""Evaluates UPC expressions: C's operators without calls and `?:`, on shared objects by their own
names, elements by UPC's layout, and pointers-to-shared. Operators on private values are gdb's."""

import re

import gdb

from . import job, types

_TOKEN = re.compile(
    r"""\s*(?:(?P<number>\.?\d(?:[\w.]|(?<=[eEpP])[+-])*)|(?P<name>\$?\w+|\$)"""
    r"""|(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')"""
    r"""|(?P<op>->|<<|>>|<=|>=|==|!=|&&|\|\||[][().*&+\-~!/%<>^|=]))""")

_LEVELS = [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<", ">", "<=", ">="],
           ["<<", ">>"], ["+", "-"], ["*", "/", "%"]]


class Element:
    """A shared lvalue: where it is, and how pointers to it count."""

    def __init__(self, pointer):
        self.pointer = pointer

    def load(self):
        return self.pointer.target()


class Array:
    """A shared array, or what some subscripts of one leave: `dims` more are possible."""

    def __init__(self, obj, dims, index):
        self.obj, self.dims, self.index = obj, dims, index

    def subscript(self, i):
        rest = self.dims[1:]
        index = self.index + i * _product(rest)
        if rest:
            return Array(self.obj, rest, index)
        return Element(self.obj.pointer().add(index))

    def pointer(self):
        return self.obj.pointer().add(self.index)


def _product(numbers):
    total = 1
    for n in numbers:
        total *= n or 1
    return total


def evaluate(text):
    """A gdb.Value, types.Pointer, Element or Array."""
    parser = _Parser(text)
    result = parser.assignment()
    parser.expect(None)
    return result


def load(x):
    """As a value: shared lvalues are read, arrays become pointers to their first element."""
    if isinstance(x, Element):
        x = x.load()
    elif isinstance(x, Array):
        x = x.pointer()
    if isinstance(x, gdb.Value):
        x = types.pointer(x) if _is_pointer(x) else x
        return x
    return x


def _is_pointer(value):
    if types.named(value.type) is not None:
        return True
    bare = value.type.strip_typedefs()
    return bare.code == gdb.TYPE_CODE_PTR and job.is_shared(int(value))


class _Parser:
    def __init__(self, text):
        self.tokens = []
        at = 0
        text = text.rstrip()
        while at < len(text):
            match = _TOKEN.match(text, at)
            if not match:
                raise gdb.GdbError("Not understood: `%s`." % text[at:].strip())
            self.tokens.append((match.lastgroup, match.group(match.lastgroup)))
            at = match.end()
        self.at = 0

    def peek(self):
        return self.tokens[self.at][1] if self.at < len(self.tokens) else None

    def take(self, *wanted):
        if self.peek() in wanted:
            self.at += 1
            return self.tokens[self.at - 1][1]
        return None

    def expect(self, wanted):
        found = self.peek()
        if found != wanted:
            shown = "the end" if found is None else "`%s`" % found
            raise gdb.GdbError("Expected %s, not %s." % ("`%s`" % wanted if wanted else "the end",
                                                         shown))
        self.at += 1

    def assignment(self):
        left = self.binary(0)
        if not self.take("="):
            return left
        right = self.assignment()
        target = left.load() if isinstance(left, Element) else left
        if not isinstance(target, gdb.Value) or target.address is None:
            raise gdb.GdbError("This cannot be assigned to.")
        if types.named(target.type) is not None:
            raise gdb.GdbError("Pointers-to-shared cannot be assigned here.")
        _gdb_eval("*$upc_a = $upc_b", target.address, _plain(right))
        return left

    def binary(self, level):
        if level == len(_LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while True:
            op = self.take(*_LEVELS[level])
            if op is None:
                return left
            left = _operate(op, load(left), load(self.binary(level + 1)))

    def unary(self):
        op = self.take("*", "&", "-", "+", "~", "!")
        if op == "*":
            return _dereference(load(self.unary()))
        if op == "&":
            return _address(self.unary())
        if op:
            return _gdb_eval(op + "$upc_a", _plain(self.unary()))
        type = self.cast()
        if type is not None:
            return _plain(self.unary()).cast(type)
        return self.postfix()

    def cast(self):
        """`( type-name )`, if one stands here."""
        if self.peek() != "(":
            return None
        depth, end = 0, self.at
        while end < len(self.tokens):
            word = self.tokens[end][1]
            depth += (word == "(") - (word == ")")
            if depth == 0:
                break
            end += 1
        words = self.tokens[self.at + 1:end]
        if not words or words[0][0] != "name" or any(k in ("number", "text") for k, _ in words):
            return None
        if words[0][1] == "shared":
            raise gdb.GdbError("Casts to types with `shared` are not understood here.")
        text = " ".join(word for _, word in words)
        if types.find_object(words[0][1]) or _is_variable(words[0][1]):
            return None
        try:
            type = gdb.parse_and_eval("(%s *) 0" % text).type.target()
        except gdb.error:
            return None
        self.at = end + 1
        return type

    def postfix(self):
        x = self.primary()
        while True:
            if self.take("["):
                index = int(_plain(self.assignment()))
                self.expect("]")
                x = _subscript(x, index)
            elif self.take("."):
                x = _field(x, self.name())
            elif self.take("->"):
                x = _field(_dereference(load(x)), self.name())
            else:
                return x

    def name(self):
        if self.at < len(self.tokens) and self.tokens[self.at][0] == "name":
            self.at += 1
            return self.tokens[self.at - 1][1]
        raise gdb.GdbError("A member's name is missing.")

    def primary(self):
        if self.take("("):
            x = self.assignment()
            self.expect(")")
            return x
        if self.at == len(self.tokens):
            raise gdb.GdbError("The expression ends too early.")
        kind, word = self.tokens[self.at]
        self.at += 1
        if kind == "op":
            raise gdb.GdbError("`%s` is not expected here." % word)
        if kind != "name":
            return gdb.parse_and_eval(word)
        if self.peek() == "(":
            return self.query(word)
        return _named(word)

    def query(self, word):
        """A call: the three questions to a pointer."""
        if word not in ("upc_threadof", "upc_phaseof", "upc_addrfield"):
            raise gdb.GdbError("Calls are not understood here: `print %s(...)`." % word)
        self.expect("(")
        p = load(self.assignment())
        self.expect(")")
        if not isinstance(p, types.Pointer):
            raise gdb.GdbError("`%s` wants a pointer-to-shared." % word)
        known = {"upc_threadof": lambda: job.owner(p.address), "upc_phaseof": lambda: p.phase,
                 "upc_addrfield": lambda: job.offset(p.address)}
        return gdb.Value(known[word]() if p.address else 0)


def _is_variable(name):
    try:
        symbol = gdb.lookup_symbol(name)[0]
    except gdb.error:
        return False  # no frame
    return symbol is not None and (symbol.is_variable or symbol.is_argument)


def _named(word):
    if word == "THREADS":
        return gdb.Value(job.threads())
    if word == "MYTHREAD":
        me = job.mythread()
        if me is None:
            raise gdb.GdbError("The selected gdb thread is no UPC thread: see `upc info`.")
        return gdb.Value(me)
    obj = types.find_object(word)
    if obj is None:
        return gdb.parse_and_eval(word)
    dims = obj.dims()
    return Array(obj, dims, 0) if dims else Element(obj.pointer())


def _gdb_eval(text, a, b=None):
    gdb.set_convenience_variable("upc_a", a)
    gdb.set_convenience_variable("upc_b", b)
    return gdb.parse_and_eval(text)


def _plain(x):
    """A private value; pointers become addresses."""
    x = load(x)
    return gdb.Value(x.address) if isinstance(x, types.Pointer) else x


def _dereference(x):
    if isinstance(x, types.Pointer):
        x.target()  # an error here speaks of the pointer
        return Element(x)
    return x.dereference()


def _address(x):
    if isinstance(x, Element):
        return x.pointer
    if isinstance(x, Array):
        # A pointer to an array: where it points, but not what pointers to its elements reach.
        p = x.pointer()
        return types.Pointer(p.address, p.phase, p.block, None)
    if not isinstance(x, gdb.Value) or x.address is None:
        raise gdb.GdbError("This has no address.")
    return load(x.address)


def _subscript(x, index):
    if isinstance(x, Array):
        return x.subscript(index)
    if isinstance(x, Element) or (isinstance(x, gdb.Value) and _is_pointer(x)):
        value = x.load() if isinstance(x, Element) else x
        if value.type.strip_typedefs().code == gdb.TYPE_CODE_ARRAY:
            return value[index]  # inside one element
        x = load(value)
    return Element(x.add(index)) if isinstance(x, types.Pointer) else x[index]


def _field(x, name):
    value = x.load() if isinstance(x, Element) else x
    if not isinstance(value, gdb.Value):
        raise gdb.GdbError("This is no structure.")
    try:
        return value[name]
    except gdb.error:
        raise gdb.GdbError("%s has no member `%s`." % (value.type, name))


def _operate(op, a, b):
    is_pointer = isinstance(a, types.Pointer), isinstance(b, types.Pointer)
    if op in ("+", "-") and is_pointer == (True, False):
        return a.add(int(b) if op == "+" else -int(b))
    if op == "+" and is_pointer == (False, True):
        return b.add(int(a))
    if op == "-" and is_pointer == (True, True):
        return gdb.Value(a.minus(b))
    return _gdb_eval("$upc_a %s $upc_b" % op, _plain(a), _plain(b))
