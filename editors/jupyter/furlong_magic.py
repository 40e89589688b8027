# SPDX-License-Identifier: BSD-3-Clause
"""UPC in notebooks: `%load_ext furlong_magic`, then cells that begin with `%%upc -n 4`.

The words after `%%upc` are those of `furlong run`; behind `--` stand the program's arguments. A cell without
`main` is put into one, behind <upc.h> and <stdio.h>.
"""

import hashlib
import os
import re
import shlex
import subprocess
import sys
import tempfile

HEADERS = "#include <stdio.h>\n#include <stdlib.h>\n#include <upc.h>\n#include <upc_collective.h>\n"


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


def upc(line, cell):
    words = shlex.split(line)
    at = words.index("--") if "--" in words else len(words)
    text = source_of(cell)
    # The same text has the same name, so that it is compiled once.
    folder = os.path.join(tempfile.gettempdir(), "furlong-cells-%d" % os.getuid())
    os.makedirs(folder, mode=0o700, exist_ok=True)
    if os.stat(folder).st_uid != os.getuid():
        raise PermissionError(folder + " is another user's")
    name = os.path.join(folder, hashlib.sha256(text.encode()).hexdigest()[:16] + ".upc")
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)
    command = ["furlong", "run", *words[:at], name, *words[at + 1 :]]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as job:
        try:
            for out in job.stdout:
                print(out.replace(name, "cell.upc"), end="")
        except KeyboardInterrupt:
            job.terminate()
    if job.returncode:
        print("furlong run: exit code %d" % job.returncode, file=sys.stderr)


def load_ipython_extension(shell):
    shell.register_magic_function(upc, magic_kind="cell", magic_name="upc")
