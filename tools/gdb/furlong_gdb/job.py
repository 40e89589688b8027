# SPDX-License-Identifier: BSD-3-Clause
"""The job as the stopped process sees it: THREADS, the segments, which thread is which. Reads the
runtime's one context, `upc_process` (runtime/upc/process.h)."""

import gdb

BASE = 1 << 45  # UPCR_LOG2_SPACE in furlong/upcr.h
PHASE_SHIFT = 46
PHASE_UNKNOWN = (1 << 18) - 1


def process():
    """The runtime's context; an error if the program has not come so far."""
    symbol = gdb.lookup_global_symbol("upc_process")
    if symbol is None:
        raise gdb.GdbError("This is no UPC program: it has no `upc_process`.")
    value = symbol.value()
    if int(value["job"]["threads"]) == 0:
        raise gdb.GdbError("The UPC program has not started: `upc start` runs it to its main.")
    return value


def threads():
    return int(process()["job"]["threads"])


def log2_segment():
    return 45 - (threads() - 1).bit_length()


def stride():
    """Bytes from one thread's segment to the next one's."""
    return int(process()["space"]["stride"])


def is_shared(address):
    return BASE <= address < 2 * BASE


def is_core():
    """Is a core looked at? It lacks shared memory, for which gdb may show zeros."""
    connection = gdb.selected_inferior().connection
    return connection is not None and connection.type == "core"


def owner(address):
    return (address - BASE) >> log2_segment()


def offset(address):
    return address - BASE - owner(address) * stride()


def at(thread, local):
    return BASE + thread * stride() + local


def mythread():
    """MYTHREAD of the selected gdb thread; None if it is no UPC thread."""
    context = process()
    try:
        self = gdb.parse_and_eval("upc_self")
        return int(self["me"]) if int(self) else None
    except gdb.error:
        # Without libthread_db, as for cores, thread-local variables are out of reach.
        return _mythread_by_stack(context)


def _mythread_by_stack(context):
    frame = gdb.newest_frame()
    while frame is not None:
        if frame.name() == "run_thread":
            try:
                pointer = gdb.lookup_type("struct upc_thread").pointer()
                return int(frame.read_var("argument").cast(pointer)["me"])
            except (gdb.error, ValueError):
                break
        frame = frame.older()
    only = int(context["job"]["count"]) == 1 and len(gdb.selected_inferior().threads()) == 1
    return int(context["job"]["first"]) if only else None


def numbered():
    """Pairs (MYTHREAD or None, gdb thread) of this process, in the order of MYTHREAD."""
    before = gdb.selected_thread()
    pairs = []
    for thread in gdb.selected_inferior().threads():
        try:
            thread.switch()
            pairs.append((mythread(), thread))
        except (gdb.error, gdb.GdbError):
            pairs.append((None, thread))
    if before is not None and before.is_valid():
        before.switch()
    return sorted(pairs, key=lambda pair: (pair[0] is None, pair[0] or 0, pair[1].num))


def find(number):
    """The gdb thread that is UPC thread `number`."""
    for mine, thread in numbered():
        if mine == number:
            return thread
    context = process()["job"]
    first, count, total = int(context["first"]), int(context["count"]), int(context["threads"])
    if number >= total or number < 0:
        raise gdb.GdbError("There is no thread %d: THREADS is %d." % (number, total))
    if first <= number < first + count:
        raise gdb.GdbError("Thread %d has not started, or has ended." % number)
    raise gdb.GdbError("Thread %d is in another process: `upcrun -gdb %d`, or -p to have "
                       "several threads in one." % (number, number))
