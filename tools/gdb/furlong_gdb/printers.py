# SPDX-License-Identifier: BSD-3-Clause
"""How pointers-to-shared, and arrays of shared elements, are shown."""

import gdb
import gdb.printing

from . import types


class PointerPrinter:
    def __init__(self, pointer):
        self.pointer = pointer

    def to_string(self):
        return str(self.pointer) + _target_text(self.pointer)


def _target_text(pointer):
    """What a pointer to a scalar points to."""
    if pointer.elem is None or pointer.address == 0:
        return ""
    bare = pointer.elem.strip_typedefs()
    scalar = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_FLT, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_CHAR,
              gdb.TYPE_CODE_ENUM)
    if bare.code not in scalar or types.named(pointer.elem) is not None:
        return ""
    try:
        return " -> " + pointer.target().format_string()
    except gdb.error:
        return " -> <not in memory>"  # shared memory is not part of cores


def lookup(value):
    """gdb asks this of every value that it prints."""
    try:
        if types.named(value.type) is None and value.type.strip_typedefs().code != \
                gdb.TYPE_CODE_PTR:
            return None
        pointer = types.pointer(value)
    except (gdb.error, gdb.GdbError, OverflowError, ValueError):
        return None  # optimised out, or not in memory: gdb says it best
    return PointerPrinter(pointer) if pointer is not None else None


def array_text(array, form):
    """`{1, 2, ...}` of an expression.Array, row by row."""
    if array.obj.block == 0 and None not in array.dims:
        type = array.obj.elem
        for n in reversed(array.dims):
            type = type.array(n - 1)
        whole = types.Pointer(array.pointer().address, 0, 0, type)
        return whole.target().format_string(**form)
    most = gdb.parameter("print elements") or 1 << 30
    left = [most]

    def rows(part):
        if not hasattr(part, "dims"):
            left[0] -= 1
            return part.load().format_string(**form)
        shown = []
        n = part.dims[0]
        if n is None:
            return "{...}"
        for i in range(n):
            if left[0] <= 0:
                shown.append("...")
                break
            shown.append(rows(part.subscript(i)))
        return "{" + ", ".join(shown) + "}"

    return rows(array)


def register():
    lookup.name = "furlong"
    lookup.enabled = True
    gdb.printing.register_pretty_printer(None, lookup, replace=True)
