// SPDX-License-Identifier: BSD-3-Clause
// Starts `furlong lsp` for UPC sources, and `furlong dap` for jobs that are debugged. All the rest is theirs.
const { DebugAdapterExecutable, debug, workspace } = require('vscode')
const { LanguageClient } = require('vscode-languageclient/node')
const { spawn } = require('child_process')
const { dirname, join } = require('path')

let client

const command = () => workspace.getConfiguration('furlong').get('command')

// Starts the job of a configuration, with a thread that waits for the debugger; the process to attach to.
const frozen = ({ program, args = [], threads = 1, cwd, env }, folder) =>
  new Promise((resolve, reject) => {
    const upcrun = join(dirname(command()), 'upcrun')
    const job = spawn(upcrun, ['-n', `${threads}`, '-p', `${threads}`, '-freeze', program, ...args], {
      cwd: cwd || (folder && folder.uri.fsPath),
      env: { ...process.env, ...env },
    })
    let said = ''
    job.stdout.on('data', (text) => debug.activeDebugConsole.append(`${text}`))
    job.stderr.on('data', (text) => {
      debug.activeDebugConsole.append(`${text}`)
      const found = /waits for a debugger: process (\d+)/.exec((said += text))
      if (found) resolve(Number(found[1]))
    })
    job.on('error', reject)
    job.on('close', () => reject(new Error(said || `${upcrun} has ended`)))
  })

exports.activate = (context) => {
  context.subscriptions.push(
    debug.registerDebugAdapterDescriptorFactory('furlong', {
      createDebugAdapterDescriptor: () => new DebugAdapterExecutable(command(), ['dap']),
    }),
    debug.registerDebugConfigurationProvider('furlong', {
      resolveDebugConfigurationWithSubstitutedVariables: async (folder, wanted) =>
        wanted.request === 'attach'
          ? wanted
          : { ...wanted, request: 'attach', pid: await frozen(wanted, folder) },
    }),
  )
  const settings = workspace.getConfiguration('furlong')
  client = new LanguageClient(
    'furlong',
    'furlong lsp',
    { command: command(), args: ['lsp'] },
    {
      documentSelector: [{ language: 'upc' }],
      initializationOptions: { flags: settings.get('flags') },
      synchronize: { configurationSection: 'furlong' },
    },
  )
  return client.start()
}

exports.deactivate = () => client && client.stop()
