// SPDX-License-Identifier: BSD-3-Clause
// Starts `furlong lsp` for UPC sources. All the rest is the server's.
const { workspace } = require('vscode')
const { LanguageClient } = require('vscode-languageclient/node')

let client

exports.activate = () => {
  const settings = workspace.getConfiguration('furlong')
  const server = { command: settings.get('command'), args: ['lsp'] }
  client = new LanguageClient('furlong', 'furlong lsp', server, {
    documentSelector: [{ language: 'upc' }],
    initializationOptions: { flags: settings.get('flags') },
    synchronize: { configurationSection: 'furlong' },
  })
  return client.start()
}

exports.deactivate = () => client && client.stop()
