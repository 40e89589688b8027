# SPDX-License-Identifier: BSD-3-Clause
"""gdb as a debug adapter, `furlong dap`, of a job whose thread waits for the debugger: all processes of
the job on this host are attached to, each as an inferior of gdb, and the job goes on with the first
`continue`, as editors have buttons, not gdb's command `upc start`.

gdb's own adapter knows one inferior: it lists the threads of that, and ends the session when it ends.
Both are replaced here. How the protocol is spoken stays gdb's business."""

import os

import gdb
from gdb.dap import events
from gdb.dap.server import _commands as requests, request
from gdb.dap.startup import exec_and_log

from . import job


def _parent(pid):
    with open("/proc/%d/stat" % pid) as status:
        return int(status.read().rpartition(")")[2].split()[1])


def _program(pid):
    return os.stat("/proc/%d/exe" % pid)


def _siblings(pid):
    """The other processes of the job on this host, all started by the same launcher."""
    parent, program = _parent(pid), _program(pid)
    for other in map(int, filter(str.isdigit, os.listdir("/proc"))):
        try:
            is_sibling = _parent(other) == parent and os.path.samestat(_program(other), program)
        except OSError:  # ended, or another user's
            continue
        if is_sibling and other != pid:
            yield other


def _attach_siblings():
    frozen = gdb.selected_thread()
    gdb.execute("set schedule-multiple on")
    for pid in sorted(_siblings(gdb.selected_inferior().pid)):
        try:
            gdb.execute("add-inferior -no-connection", to_string=True)
            gdb.execute("inferior %d" % max(i.num for i in gdb.inferiors()), to_string=True)
            gdb.execute("attach %d" % pid, to_string=True)
        except gdb.error as error:
            gdb.write("process %d is not attached to: %s\n" % (pid, error), gdb.STDERR)
    frozen.switch()


def _stopped(_event):
    symbol = gdb.lookup_global_symbol("upc_process")
    if symbol is not None and int(symbol.value()["frozen"]) != 0:
        gdb.events.stop.disconnect(_stopped)
        gdb.events.stop.disconnect(events._on_stop)
        _attach_siblings()
        gdb.events.stop.connect(events._on_stop)
        events.inferior_running = False  # as the first _on_stop has found
        gdb.events.stop.connect(_stopped)
        gdb.execute("set var upc_process.frozen = 0")


def _go_on():
    """gdb stops all processes when one ends."""
    left = next((i for i in gdb.inferiors() if i.threads()), None)
    if left is not None:
        left.threads()[0].switch()
        exec_and_log("continue")


def _exited(event):
    if any(i.pid for i in gdb.inferiors() if i != event.inferior):
        gdb.post_event(_go_on)
    else:
        events._on_exit(event)


def _named(number, thread):
    name = thread.name if number is None else "UPC thread %d" % number
    return {"id": thread.global_num, "name": name or "thread %d" % thread.num}


def _threads(**_arguments):
    """All threads of all processes; of UPC's, the numbers."""
    before, pairs = gdb.selected_thread(), []
    for inferior in filter(lambda i: i.threads(), gdb.inferiors()):
        inferior.threads()[0].switch()
        pairs += job.numbered()
    if before is not None and before.is_valid():
        before.switch()
    pairs.sort(key=lambda pair: (pair[0] is None, pair[0] or 0, pair[1].global_num))
    return {"threads": [_named(*pair) for pair in pairs]}


def register():
    gdb.events.stop.connect(_stopped)
    gdb.events.exited.disconnect(events._on_exit)
    gdb.events.exited.connect(_exited)
    del requests["threads"]
    request("threads")(_threads)
