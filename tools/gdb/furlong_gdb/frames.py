# SPDX-License-Identifier: BSD-3-Clause
"""Backtraces without the runtime: frames below the user's main, and those inside a function of
the runtime that the user called, are not shown (`backtrace -no-filters` shows them)."""

import gdb
from gdb.FrameDecorator import FrameDecorator

MAIN = "upcr_main"  # what upcc calls the user's main


def _runtime_folder():
    symbol = gdb.lookup_global_symbol("upc_start")
    name = symbol.symtab.filename if symbol is not None else ""
    return name[:-len("upc/start.c")] if name.endswith("upc/start.c") else None


def of_user(frames):
    """Those of `frames` (gdb.Frame, newest first) that concern the user."""
    frames = list(frames)
    folder = _runtime_folder()

    def in_runtime(frame):
        place = frame.find_sal().symtab
        return folder is not None and place is not None and place.filename.startswith(folder)

    begin = 0
    for i, frame in enumerate(frames):
        if frame.type() == gdb.SIGTRAMP_FRAME and any(
                f.name() == "on_deadly_signal" for f in frames[:i]):
            begin = i + 1
    end = len(frames)
    for i, frame in enumerate(frames):
        function = frame.function()
        if function is not None and function.linkage_name == MAIN:
            end = i + 1
            break
        if frame.name() == "run_thread":
            end = i
            break
    first = next((i for i in range(begin, end) if _is_source(frames[i], folder)), end)
    if first > begin and in_runtime(frames[first - 1]):
        # A function of the runtime, and what that called: its name says enough.
        begin = first - 1
    shown = frames[begin:end]
    return shown or frames


def _is_source(frame, folder):
    """Is the frame of the program itself, and not of the runtime or a library?"""
    place, started = frame.find_sal().symtab, gdb.lookup_global_symbol("upc_start")
    return (place is not None and folder is not None and not place.filename.startswith(folder)
            and place.objfile == started.symtab.objfile)


def shown_name(name):
    """The user's main under the name that the user gave it."""
    return "main" if name == MAIN else name


class _Frame(FrameDecorator):
    def function(self):
        return shown_name(super().function())


class _Filter:
    name = "furlong"
    enabled = True
    priority = 100

    def filter(self, iterator):
        frames = list(iterator)
        if not any(f.inferior_frame().name() == "run_thread" for f in frames):
            return iter(frames)
        keep = of_user([f.inferior_frame() for f in frames])
        return (_Frame(f) for f in frames if any(f.inferior_frame() == k for k in keep))


def _all():
    frames = []
    frame = gdb.newest_frame()
    while frame is not None:
        frames.append(frame)
        frame = frame.older()
    return frames


def innermost():
    """The newest frame of the selected thread that shows the user's source."""
    return of_user(_all())


def is_failing():
    """Is the selected thread in the runtime's report of a failure? Not if its memory is gone."""
    return any(f.name() == "upc_debugger_backtrace_sigsafe" for f in _all())


def register():
    gdb.frame_filters["furlong"] = _Filter()
    # `step` goes into the user's functions only.
    gdb.execute("skip -gfi *furlong/upcr.h", to_string=True)
