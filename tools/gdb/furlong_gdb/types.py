# SPDX-License-Identifier: BSD-3-Clause
"""What upcc -g tells a debugger (compiler/src/emit/debug.rs): pointers-to-shared whose type is
named `upcr_pts_BLOCK_ELEMENT`, and a constant `upcr_debug_x` beside each shared object x."""

import gdb

from . import job


class Pointer:
    """A pointer-to-shared by value. `block` and `elem` (a gdb.Type) may be None: not known."""

    def __init__(self, address, phase, block, elem):
        self.address, self.phase, self.block, self.elem = address, phase, block, elem

    def add(self, n):
        """self + n by the rules of UPC 1.3 6.4.2."""
        size = self.element().sizeof
        if not self.block:
            return Pointer(self.address + n * size, self.phase, self.block, self.elem)
        blocks, phase = divmod((self.phase or 0) + n, self.block)
        row, owner = divmod(job.owner(self.address) + blocks, job.threads())
        local = job.offset(self.address)
        local += (row * self.block + phase - (self.phase or 0)) * size
        return Pointer(job.at(owner, local), phase, self.block, self.elem)

    def minus(self, other):
        size = self.element().sizeof
        local = (job.offset(self.address) - job.offset(other.address)) // size
        if not self.block:
            return local
        phases = (self.phase or 0) - (other.phase or 0)
        rows = (local - phases) // self.block
        owners = job.owner(self.address) - job.owner(other.address)
        return (rows * job.threads() + owners) * self.block + phases

    def element(self):
        if self.elem is None or self.elem.strip_typedefs().code == gdb.TYPE_CODE_VOID:
            raise gdb.GdbError("The debugger does not know what this pointer points to.")
        return self.elem

    def target(self):
        if self.address == 0:
            raise gdb.GdbError("The pointer is null.")
        if job.is_core() and job.is_shared(self.address):
            raise gdb.MemoryError("Cannot access memory at address %#x" % self.address)
        return gdb.Value(self.address).cast(self.element().pointer()).dereference()

    def type_text(self):
        return "%s %s *" % (block_text(self.block), self.elem if self.elem else "void")

    def __str__(self):
        if self.address == 0:
            return "0x0"
        return "%#x (%s)" % (self.address, self.place())

    def place(self):
        try:
            where = "thread %d, " % job.owner(self.address)
            local = ", offset %#x" % job.offset(self.address)
        except (gdb.error, gdb.GdbError):
            where, local = "", ""  # a file that does not run yet
        if self.block is not None and self.block < 2:
            phase = ""
        elif self.phase is None or self.phase == job.PHASE_UNKNOWN:
            phase = "phase unknown"
        else:
            phase = "phase %d" % self.phase
        return (where + phase).strip(", ") + local


def block_text(block):
    return {None: "shared", 0: "shared []", 1: "shared"}.get(block, "shared [%s]" % block)


def named(type):
    """The name `upcr_pts...` that stands on `type` or under its typedefs; None without one."""
    type = type.unqualified()
    while type.code == gdb.TYPE_CODE_TYPEDEF:
        name = type.name or ""
        if name.startswith("upcr_pts") or name == "upcr_wide":
            return name
        type = type.target().unqualified()
    return None


def pointer(value):
    """`value` as a Pointer if it is a pointer-to-shared, or an address of shared memory."""
    name = named(value.type)
    if value.is_optimized_out:
        raise gdb.GdbError("It is optimised out here.")
    bare = value.type.strip_typedefs()
    if bare.code == gdb.TYPE_CODE_PTR:
        address = int(value)
        if name is None and not job.is_shared(address):
            return None
        block = int(name.split("_")[2]) if name else None
        if bare.target().code == gdb.TYPE_CODE_ARRAY:
            # C's pointer to an array does not say how its elements lie over the threads.
            return Pointer(address, 0, 0, None)
        # Of a plain address only the element is known: as far as that goes it is indefinite.
        return Pointer(address, 0, 0 if block is None else block, bare.target())
    if name is None:
        return None
    block, elem = None, None
    if name not in ("upcr_pts", "upcr_wide"):
        _, _, block, rest = name.split("_", 3)
        block, elem = int(block), _element(rest)
    if bare.sizeof == 16:
        # gdb's Python has no integers of 16 bytes.
        bits = int(value.cast(bare).format_string(format="x", raw=True), 16)
        return Pointer(bits & (1 << 64) - 1, bits >> 64, block, elem)
    bits = int(value.cast(bare))
    return Pointer(bits & (1 << job.PHASE_SHIFT) - 1, bits >> job.PHASE_SHIFT, block, elem)


def _element(name):
    """The type that upcc calls `name`; None if the program's debug information lacks it."""
    for word in ("const_", "volatile_"):
        if name.startswith(word):
            inner = _element(name[len(word):])
            return inner and (inner.const() if word == "const_" else inner.volatile())
    if name.startswith("ptr_"):
        inner = _element(name[4:])
        return inner and inner.pointer()
    for word in ("struct_", "union_", "enum_"):
        if name.startswith(word):
            return _lookup(word[:-1] + " " + name[len(word):])
    if name.startswith("upcr_pts"):
        return _lookup(name)
    return _lookup(name.replace("_", " ")) or _lookup(name)


def _lookup(text):
    try:
        return gdb.parse_and_eval("(%s *) 0" % text).type.target()
    except gdb.error:
        return None


class Object:
    """A static shared object: scalar, structure or array."""

    def __init__(self, name, value):
        job.process()  # an error before the program has started
        self.name = name
        block, dims = value["layout"].string().split(":")
        self.block = int(block)
        self.dims_text = [d for d in dims.split(",") if d]
        cell = value["cell"]
        self.elem = cell.type.strip_typedefs().target().target()
        self.address = int(cell.dereference()) if int(cell) else 0
        if not job.is_shared(self.address):
            raise gdb.GdbError("%s has no place yet: `upc start` runs the program to its main."
                               % name)

    def dims(self):
        return [_length(text) for text in self.dims_text]

    def pointer(self):
        return Pointer(self.address, 0, self.block, self.elem)

    def type_text(self):
        dims = "".join("[%s]" % d.replace("1*THREADS", "THREADS") if d.startswith("1*")
                       else "[%s]" % d for d in self.dims_text)
        return "%s %s%s" % (block_text(self.block), self.elem, " " + dims if dims else "")


def _length(text):
    if text == "?":
        return None
    factor, times, _ = text.partition("*")
    return int(factor) * (job.threads() if times else 1)


def find_object(name):
    """The shared object that `name` means at the selected frame; None if it is no such name."""
    marked = "upcr_debug_" + name
    block = None
    try:
        block = gdb.selected_frame().block()
    except (gdb.error, RuntimeError):
        pass  # no process, or no debug information here
    inner = block
    while inner is not None and not inner.is_static and not inner.is_global:
        for symbol in inner:
            if symbol.name == marked:
                return Object(name, symbol.value())
            if symbol.name == name and (symbol.is_variable or symbol.is_argument):
                return None
        inner = inner.superblock
    symbol = gdb.lookup_symbol(marked, block)[0] if block else None
    if symbol is None:
        symbol = gdb.lookup_static_symbol(marked)
    if symbol is None:
        return None
    private = gdb.lookup_symbol(name, block)[0] if block else None
    if private is not None and private.is_variable and private.symtab != symbol.symtab:
        here = block.static_block
        if any(s.name == name for s in here):
            return None
    return Object(name, symbol.value())
