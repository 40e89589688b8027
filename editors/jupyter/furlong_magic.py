# SPDX-License-Identifier: BSD-3-Clause
"""UPC in notebooks: `%load_ext furlong_magic`, then cells that begin with `%%upc -n 4`.

The words after `%%upc` are those of `furlong run`; behind `--` stand the program's arguments. A cell without
`main` is put into one, behind <upc.h> and <stdio.h>. With `-report DIR` the cell shows who accessed whose
memory.
"""

import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from html import escape

HEADERS = "#include <stdio.h>\n#include <stdlib.h>\n#include <upc.h>\n#include <upc_collective.h>\n"
# From blue over green to yellow, as on the report's page.
COLOURS = [(68, 57, 131), (49, 104, 142), (33, 145, 140), (68, 191, 112), (253, 231, 37)]
# A notebook that draws more pairs of threads is slow: the report's page is the place for them.
PAIRS_MOST = 4096
# Pixels of the whole matrix, of a thread's row in it, and of the numbers beside it.
MATRIX_MOST, ROW_MOST, MARGIN = 600, 40, 46


class Job:
    """What a cell's program was: `summary` is the object that `upcrun -json-summary` writes."""

    def __init__(self, summary):
        self.summary = summary

    @property
    def matrix(self):
        """Who read and wrote how much of whose memory; empty without `-report`."""
        return (self.summary["report"] or {}).get("matrix", [])

    def __repr__(self):
        return "%s in %s on %s, %.3g s" % (
            count(self.summary["threads"], "thread", "threads"),
            count(self.summary["processes"], "process", "processes"),
            count(len(self.summary["hosts"]), "host", "hosts"),
            self.summary["wall_ns"] / 1e9,
        )

    def _repr_html_(self):
        if not self.summary["report"]:
            return None
        if not self.matrix:
            shown = "<p>No access to other threads' memory was recorded; -inst has single ones counted.</p>"
        elif len(self.matrix) > PAIRS_MOST:
            shown = "<p>The matrix of so many threads is on the report's page.</p>"
        else:
            shown = drawn(self.matrix, self.summary["threads"])
        page = escape(self.summary["report_page"])
        return "<p>%s; the report is <code>%s</code></p>%s" % (self, page, shown)


def count(number, one, many):
    return "%d %s" % (number, one if number == 1 else many)


def bytes_of(cell):
    return cell["read_bytes"] + cell["written_bytes"]


def drawn(matrix, threads):
    """A square for each pair of threads, lighter with each power of two of its bytes."""
    size = max(4, min(ROW_MOST, MATRIX_MOST // threads))
    side = MARGIN + threads * size
    most = max(1, max(map(bytes_of, matrix)).bit_length())
    label = '<text x="%g" y="%g" text-anchor="%s" fill="currentColor">%s</text>'
    parts = [
        '<svg width="%d" height="%d" font-family="sans-serif" font-size="12">' % (side, side),
        label % (MARGIN, 12, "start", "memory of thread"),
        square(MARGIN, MARGIN, threads * size, "#8882", "no access"),
    ]
    for thread in range(0, threads, -(-24 // size)):
        middle = MARGIN + (thread + 0.5) * size
        parts.append(label % (middle, MARGIN - 6, "middle", thread))
        parts.append(label % (MARGIN - 6, middle + 4, "end", thread))
    for cell in matrix:
        text = (
            "thread %(from)d with thread %(to)d's memory: %(reads)d reads, %(read_bytes)d bytes; "
            "%(writes)d writes, %(written_bytes)d bytes" % cell
        )
        x, y = MARGIN + cell["to"] * size, MARGIN + cell["from"] * size
        parts.append(square(x, y, size, colour(bytes_of(cell).bit_length() / most), text))
    return "".join(parts) + "</svg>"


def square(x, y, size, fill, title):
    text = '<rect x="%d" y="%d" width="%d" height="%d" fill="%s"><title>%s</title></rect>'
    return text % (x, y, size, size, fill, title)


def colour(share):
    at = min(share, 0.9999) * (len(COLOURS) - 1)
    low, high = COLOURS[int(at)], COLOURS[int(at) + 1]
    return "rgb(%d,%d,%d)" % tuple(c + (d - c) * (at % 1) for c, d in zip(low, high))


def source_of(cell):
    """The cell as a whole program, with its own line numbers."""
    if re.search(r"\bmain\s*\(", cell):
        return cell
    lines = cell.split("\n")
    heads = [line for line in lines if re.match(r"\s*(#|shared\b|strict\b|relaxed\b)", line)]
    body = ["" if line in heads else line for line in lines]
    return (
        HEADERS
        + "\n".join(heads)
        + '\nint main(void) {\n#line 1 "cell.upc"\n'
        + "\n".join(body)
        + "\nreturn 0;\n}\n"
    )


def own_folder():
    folder = os.path.join(tempfile.gettempdir(), "furlong-cells-%d" % os.getuid())
    os.makedirs(folder, mode=0o700, exist_ok=True)
    if os.stat(folder).st_uid != os.getuid():
        raise PermissionError(folder + " is another user's")
    return folder


def run(command, name):
    """Shows what a command prints while it runs, with the cell's file by a shorter name; its exit code."""
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as job:
        try:
            for out in job.stdout:
                print(out.replace(name, "cell.upc"), end="")
        except KeyboardInterrupt:
            job.terminate()
    return job.returncode


def upc(line, cell):
    words = shlex.split(line)
    at = words.index("--") if "--" in words else len(words)
    text = source_of(cell)
    folder = own_folder()
    # The same text has the same name, so that it is compiled once.
    name = os.path.join(folder, hashlib.sha256(text.encode()).hexdigest()[:16] + ".upc")
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)
    with tempfile.NamedTemporaryFile(dir=folder, suffix=".json") as file:
        options = ["-json-summary", file.name, *words[:at]]
        code = run(["furlong", "run", *options, name, *words[at + 1 :]], name)
        summary = file.read()
    if code:
        print("furlong run: exit code %d" % code, file=sys.stderr)
    # A program that could not be compiled was no job.
    return Job(json.loads(summary)) if summary else None


def load_ipython_extension(shell):
    shell.register_magic_function(upc, magic_kind="cell", magic_name="upc")
