// Listens on the socket that the test names; a connection sends one JSON object, settings to change, commands to run
// and files to open, and hears `done` or an error.
const { rmSync } = require('node:fs');
const { createServer } = require('node:net');
const { commands, ConfigurationTarget, Uri, window, workspace } = require('vscode');

exports.activate = ({ subscriptions }) => {
  const socket = process.env.WHETSTONE_SETTINGS_SOCKET;
  if (socket === undefined) return;
  rmSync(socket, { force: true }); // left by the extension host before a reload
  const server = createServer({ allowHalfOpen: true }, (connection) => {
    let text = '';
    connection.on('data', (data) => (text += data));
    connection.on('end', () => {
      apply(JSON.parse(text)).then(
        () => connection.end('done'),
        (error) => connection.end(String(error)),
      );
    });
  });
  server.listen(socket);
  subscriptions.push({ dispose: () => server.close() });
};

async function apply({ settings = {}, run = [], open = [] }) {
  for (const [name, value] of Object.entries(settings)) {
    await workspace.getConfiguration().update(name, value ?? undefined, ConfigurationTarget.Global);
  }
  for (const [command, ...given] of run) await commands.executeCommand(command, ...given);
  for (const file of open) await window.showTextDocument(Uri.file(file), { preview: false });
}
