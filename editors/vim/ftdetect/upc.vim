" SPDX-License-Identifier: BSD-3-Clause
autocmd BufNewFile,BufRead *.upc,*.uph setfiletype upc
