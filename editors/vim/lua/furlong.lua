-- SPDX-License-Identifier: BSD-3-Clause
-- Neovim's client of `furlong lsp`: one server for each folder.
local M = { clients = {} }

-- The command may be set before: require('furlong').command = { '/opt/furlong/bin/furlong', 'lsp' }
M.command = { 'furlong', 'lsp' }

function M.start()
  local folder = vim.fn.expand('%:p:h')
  local client = M.clients[folder]
  if client == nil or vim.lsp.client_is_stopped(client) then
    client = vim.lsp.start_client({ name = 'furlong', cmd = M.command, root_dir = folder })
    M.clients[folder] = client
  end
  if client ~= nil then
    vim.lsp.buf_attach_client(0, client)
  end
end

return M
