# SPDX-License-Identifier: BSD-3-Clause
"""UPC for Pygments: `pygmentize -x -l furlong_pygments.py:UpcLexer prog.upc`."""

from pygments.lexers.c_cpp import CLexer
from pygments.token import Keyword, Name, Operator


class UpcLexer(CLexer):
    """C with the words of UPC 1.3."""

    name = "UPC"
    aliases = ["upc"]
    filenames = ["*.upc", "*.uph"]
    mimetypes = ["text/x-upc"]

    _words = {
        Keyword.Reserved: {"shared", "strict", "relaxed"},
        Keyword: {"upc_forall", "upc_barrier", "upc_notify", "upc_wait", "upc_fence"},
        Operator.Word: {"upc_localsizeof", "upc_blocksizeof", "upc_elemsizeof"},
        Name.Constant: {"THREADS", "MYTHREAD", "UPC_MAX_BLOCK_SIZE"},
    }

    def get_tokens_unprocessed(self, text, stack=("root",)):
        for index, token, value in super().get_tokens_unprocessed(text, stack):
            if token in Name:
                for kind, words in self._words.items():
                    if value in words:
                        token = kind
                if token in Name and value.startswith(("upc_", "bupc_", "upcx_")):
                    token = Keyword.Type if value.endswith("_t") else Name.Builtin
            yield index, token, value
