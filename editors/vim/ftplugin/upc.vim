" SPDX-License-Identifier: BSD-3-Clause
" UPC is C with some words more; Neovim starts the language server.
runtime! ftplugin/c.vim
if has('nvim')
  lua require('furlong').start()
endif
