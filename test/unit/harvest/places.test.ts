import assert from 'node:assert/strict';
import { placesOf, vscodeFolders } from '../../../src/harvest/places.js';
import { readers } from '../../../src/harvest/readers/readers.js';
import { harvestSources } from '../../../src/harvest/session.js';

describe('where sessions lie', () => {
  const linux = { platform: 'linux', home: '/home/user', environment: {} };

  it('is known of every source, in a form that it is read in', () => {
    const places = placesOf(linux);
    assert.deepEqual(new Set(places.map(({ source }) => source)), new Set(harvestSources));
    for (const { source, form } of places)
      assert.ok(readers[source][form === 'database' ? 'rows' : form] !== undefined, `${source}: ${form}`);
  });

  it('is in the home of the person', () => {
    assert.deepEqual(folders(linux), [
      '/home/user/.claude/projects/*/*.jsonl',
      '/home/user/.codex/sessions/*/*/*/rollout-*.jsonl',
      '/home/user/.codex/archived_sessions/rollout-*.jsonl',
      '/home/user/.copilot/session-state/*/events.jsonl',
      '/home/user/.gemini/tmp/*/chats/session-*.jsonl',
      '/home/user/.gemini/tmp/*/chats/session-*.json',
      '/home/user/.local/share/opencode/opencode.db',
      ...['Code', 'Code - Insiders'].flatMap((name) =>
        ['workspaceStorage/*/chatSessions', 'globalStorage/emptyWindowChatSessions'].flatMap((folder) =>
          ['jsonl', 'json'].map((ending) => `/home/user/.config/${name}/User/${folder}/*.${ending}`),
        ),
      ),
      '/home/user/.cursor/projects/*/agent-transcripts/*/*.jsonl',
      '/home/user/.pi/agent/sessions/*/*.jsonl',
    ]);
  });

  it('is elsewhere where the environment says so', () => {
    const environment = {
      CLAUDE_CONFIG_DIR: '/a/claude',
      CODEX_HOME: '/a/codex',
      COPILOT_HOME: '/a/copilot',
      GEMINI_CLI_HOME: '/a',
      OPENCODE_DB: '/a/other.db',
      PI_CODING_AGENT_DIR: '/a/pi',
      XDG_CONFIG_HOME: '',
    };
    const found = folders({ ...linux, environment }).filter(
      (each) => !each.includes('/Code') && !each.includes('cursor'),
    );
    assert.ok(
      found.every((each) => each.startsWith('/a/')),
      found.join('\n'),
    );
    assert.ok(found.includes('/a/other.db') && found.includes('/a/pi/sessions/*/*.jsonl'));
    assert.ok(folders({ ...linux, environment: { XDG_DATA_HOME: '/b' } }).includes('/b/opencode/opencode.db'));
  });

  it('is of VS Code stable, Insiders and portable, on every system', () => {
    const environment = { VSCODE_PORTABLE: '/usb/data' };
    assert.deepEqual(vscodeFolders({ ...linux, environment }), [
      '/home/user/.config/Code/User',
      '/home/user/.config/Code - Insiders/User',
      '/usb/data/user-data/User',
    ]);
    assert.deepEqual(vscodeFolders({ platform: 'darwin', home: '/Users/user', environment: {} }), [
      '/Users/user/Library/Application Support/Code/User',
      '/Users/user/Library/Application Support/Code - Insiders/User',
    ]);
    const windows = { platform: 'win32', home: 'C:\\Users\\user', environment: { VSCODE_PORTABLE: 'D:\\data' } };
    assert.deepEqual(vscodeFolders(windows), [
      'C:\\Users\\user\\AppData\\Roaming\\Code\\User',
      'C:\\Users\\user\\AppData\\Roaming\\Code - Insiders\\User',
      'D:\\data\\user-data\\User',
    ]);
    assert.ok(placesOf(windows).some(({ folder }) => folder === 'C:\\Users\\user\\.claude\\projects'));
  });
});

function folders(person: Parameters<typeof placesOf>[0]): readonly string[] {
  return placesOf(person).map(({ folder, files }) => [folder, ...files].join('/'));
}
