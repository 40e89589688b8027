# SPDX-License-Identifier: BSD-3-Clause
"""Teaches gdb about UPC programs (docs/debugging.md): `source` this file, or start the job with
`upcrun -gdb`. Installed as share/furlong/gdb/furlong.py beside the folder furlong_gdb."""

import os
import sys

_here = os.path.dirname(os.path.abspath(__file__))
if _here not in sys.path:
    sys.path.insert(0, _here)

if "furlong_gdb.commands" not in sys.modules:  # a program may name the script that is loaded
    from furlong_gdb import commands, frames, printers

    printers.register()
    frames.register()
    commands.register()
