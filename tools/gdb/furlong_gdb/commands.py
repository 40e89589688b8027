# SPDX-License-Identifier: BSD-3-Clause
"""The command `upc` and its relatives."""

import os
import re

import gdb

from . import expression, frames, job, printers, types


class _Upc(gdb.Command):
    """UPC programs: `help upc` lists the commands."""

    def __init__(self):
        super().__init__("upc", gdb.COMMAND_DATA, gdb.COMPLETE_NONE, True)


class _Command(gdb.Command):
    """Errors of gdb are said in one line, without Python's part in them."""

    def invoke(self, text, from_tty):
        try:
            self.run(text)
        except gdb.MemoryError as error:
            why = "; shared memory is not part of cores" if job.is_core() else ""
            raise gdb.GdbError(str(error) + why)
        except gdb.error as error:
            raise gdb.GdbError(str(error))


class _Print(_Command):
    """upc print[/FORMAT] EXPRESSION: evaluate UPC, with shared objects by their own names.

Elements of arrays are found by UPC's layout, and pointers-to-shared of all kinds follow *, ->,
[], + and -. `EXPRESSION = VALUE` assigns. Formats are those of `print`: x, d, c, ..."""

    def __init__(self):
        super().__init__("upc print", gdb.COMMAND_DATA, gdb.COMPLETE_SYMBOL)

    def run(self, text):
        match = re.match(r"/(\w)\s+", text)
        form = {"format": match.group(1)} if match else {}
        x = expression.evaluate(text[match.end():] if match else text)
        print(show(x, form))


def show(x, form):
    if isinstance(x, expression.Array):
        return printers.array_text(x, form)
    if isinstance(x, types.Pointer):
        return "(%s) %s" % (x.type_text(), printers.PointerPrinter(x).to_string())
    value = x.load() if isinstance(x, expression.Element) else x
    if types.named(value.type) is not None:
        return show(types.pointer(value), form)
    return value.format_string(**form)


class _Whereis(_Command):
    """upc whereis EXPRESSION: the thread, phase and address of a shared object or element, or of
what a pointer-to-shared points to."""

    def __init__(self):
        super().__init__("upc whereis", gdb.COMMAND_DATA, gdb.COMPLETE_SYMBOL)

    def run(self, text):
        x = expression.evaluate(text)
        if isinstance(x, expression.Array):
            p = x.pointer()
            print("%s: %s, begins at %s" % (text, x.obj.type_text(), p))
        elif isinstance(x, expression.Element):
            print("%s: %s" % (text, x.pointer))
        else:
            self.value(text, x)

    @staticmethod
    def value(text, x):
        address = x.address if isinstance(x, gdb.Value) else None
        if address is not None and job.is_shared(int(address)):
            print("%s: %s" % (text, types.Pointer(int(address), 0, 0, None)))
            return
        p = expression.load(x)
        if isinstance(p, types.Pointer):
            print("*%s: %s" % (text, p))
        elif address is not None:
            print("%s: private, %#x" % (text, int(address)))
        else:
            print("%s: a value, which has no place" % text)


class _Info(_Command):
    """info upc, upc info: THREADS, the process's part of the job, and its UPC threads."""

    def __init__(self, name):
        super().__init__(name, gdb.COMMAND_STATUS, gdb.COMPLETE_NONE)

    def run(self, text):
        part = job.process()["job"]
        first, count = int(part["first"]), int(part["count"])
        print("THREADS = %d in %s; this is process %d, with %s"
              % (job.threads(), _plural(int(part["procs"]), "process", "processes"),
                 int(part["proc"]), "thread %d" % first if count == 1
                 else "threads %d-%d" % (first, first + count - 1)))
        print("shared memory: thread T at %#x + T * %#x" % (job.BASE, job.stride()))
        selected = gdb.selected_thread()
        if selected is None:
            return
        for number, thread in job.numbered():
            thread.switch()
            mark = "*" if thread.num == selected.num else " "
            name = "thread %d" % number if number is not None else "(no UPC thread)"
            print("%s %s: gdb thread %d, LWP %d, %s"
                  % (mark, name, thread.num, thread.ptid[1], _where()))
        selected.switch()


def _where():
    frame = frames.innermost()[0]
    place = frame.find_sal()
    name = frames.shown_name(frame.name() or "??")
    return "%s (%s:%d)" % (name, place.symtab.filename, place.line) if place.symtab else name


def _plural(n, one, many):
    return "1 %s" % one if n == 1 else "%d %s" % (n, many)


class _Thread(_Command):
    """upc thread N: select the gdb thread that is UPC thread N."""

    def __init__(self):
        super().__init__("upc thread", gdb.COMMAND_RUNNING, gdb.COMPLETE_NONE)

    def run(self, text):
        job.find(int(expression.evaluate(text))).switch()
        refresh()
        gdb.execute("frame")


class _Start(_Command):
    """upc start [N]: run to the entry of main, of thread N or the frozen one.

Works in a program that gdb has not started, and in one that waits for the debugger
(`upcrun -freeze`)."""

    def __init__(self):
        super().__init__("upc start", gdb.COMMAND_RUNNING, gdb.COMPLETE_NONE)

    def run(self, text):
        if gdb.selected_inferior().pid == 0:
            gdb.execute("tbreak " + frames.MAIN, to_string=True)
            gdb.execute("run")
            return
        context = job.process()
        frozen = int(context["frozen"])
        if frozen == 0:
            raise gdb.GdbError("No thread of this process waits for a debugger.")
        thread = job.find(int(text) if text else frozen - 1)
        thread.switch()
        # A main that upcc did not compile has no name of its own.
        known = gdb.lookup_global_symbol(frames.MAIN) or _is_minimal(frames.MAIN)
        place = frames.MAIN if known else "*%#x" % int(context["main"])
        gdb.execute("tbreak %s thread %d" % (place, thread.num), to_string=True)
        gdb.execute("set var upc_process.frozen = 0")
        gdb.execute("continue")


def _is_minimal(name):
    try:
        gdb.parse_and_eval("(long) &" + name)
        return True
    except gdb.error:
        return False


class _Backtrace(_Command):
    """upc backtrace [LWP FD]: the selected thread's calls, without those of the runtime. With
arguments: of the thread LWP, to the descriptor FD, as `upcrun -backtrace` wants it."""

    def __init__(self):
        super().__init__("upc backtrace", gdb.COMMAND_STACK, gdb.COMPLETE_NONE)

    def run(self, text):
        words = [int(word) for word in text.split()]
        if len(words) != 2:
            gdb.execute("backtrace")
            return
        lwp, fd = words
        for thread in gdb.selected_inferior().threads():
            if thread.ptid[1] == lwp:
                thread.switch()
        if not frames.is_failing():
            raise gdb.GdbError("The process has ended.")
        # Numbered as the user sees them, so not by gdb's own numbers.
        lines = re.sub(r"(?m)^#(\d+) +(0x[0-9a-f]+ in )?", "#",
                       gdb.execute("backtrace", to_string=True)).splitlines()
        shown = ["#%d  %s" % (i, line[1:]) if line.startswith("#") else line
                 for i, line in enumerate(lines)]
        header = "backtrace of thread %d:" % (job.mythread() or 0)
        # In one piece: other processes write, too.
        os.write(fd, ("\n".join([header] + shown) + "\n").encode())


class _Function(gdb.Function):
    """$upc("EXPRESSION"): its value, for `print`, `display` and conditions."""

    def __init__(self):
        super().__init__("upc")

    def invoke(self, text):
        x = expression.evaluate(text.string())
        value = x.load() if isinstance(x, expression.Element) else x
        if isinstance(value, gdb.Value):
            return value
        p = value.pointer() if isinstance(value, expression.Array) else value
        return gdb.Value(p.address).cast(p.element().pointer())


def refresh(event=None):
    """Sets $MYTHREAD and $THREADS for the selected thread."""
    try:
        gdb.set_convenience_variable("THREADS", job.threads())
        gdb.set_convenience_variable("MYTHREAD", job.mythread())
    except (gdb.error, gdb.GdbError):
        pass  # no UPC program, or not started


def register():
    for command in (_Upc, _Print, _Whereis, _Thread, _Start, _Backtrace, _Function):
        command()
    _Info("upc info")
    _Info("info upc")
    gdb.events.stop.connect(refresh)
    # Switching threads by gdb's own command must not leave the old MYTHREAD.
    gdb.execute("define hookpost-thread\npython import furlong_gdb.commands as c; c.refresh()\nend",
                to_string=True)
    refresh()
