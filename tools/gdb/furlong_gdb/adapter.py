# SPDX-License-Identifier: BSD-3-Clause
"""gdb as a debug adapter, `furlong dap`: a thread that waits for the debugger goes on with the first
`continue`. Editors have buttons, not gdb's command `upc start`."""

import gdb


def _thaw(_event):
    symbol = gdb.lookup_global_symbol("upc_process")
    if symbol is not None and int(symbol.value()["frozen"]) != 0:
        gdb.execute("set var upc_process.frozen = 0")


def register():
    gdb.events.stop.connect(_thaw)
