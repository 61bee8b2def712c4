import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { windowQueue } from '../../../src/queue/bridge/windowQueue.js';
import { aWorkspace, writtenTasks } from '../../builders/aWorkspace.js';

const { signal } = new AbortController();

describe('a run of a window whose model only the window asks', () => {
  it('says nothing of workers, and writes down no word of an address that was mistyped', async () => {
    const address = 'rediss://team:harbour/at+night==@queue.example:6380';
    const workspace = aWorkspace({ tasks: writtenTasks({ training: 1, heldOut: 5, sealed: 0 }, ['Visibility:']) });
    const { attempts } = windowQueue({
      wishes: () => ({ address, secretFile: '', commandLine: '' }),
      isSet: () => true,
      environment: {},
      platform: process.platform,
      home: workspace.home,
      workspace: () => [workspace.folder],
      version: '1.2.3',
    });
    const { skillPath, folder, home } = workspace;
    const where = { skillPath, workspaceFolders: [folder], trusted: true };
    const request = { ...where, preset: 'quick', settings: [], purpose: 'optimize' } as const;
    try {
      const { summary } = await workspace.useCases(undefined, { attempts }).optimize(request, () => undefined, signal);
      assert.ok(!summary.notes.some((note) => note.includes('workers')), summary.notes.join('\n'));
      const written = [folder, home].flatMap((place) =>
        readdirSync(place, { recursive: true }).map((name) => path.join(place, String(name))),
      );
      const files = written.filter((file) => statSync(file).isFile());
      assert.ok(files.length > 5);
      for (const file of files) assert.ok(!readFileSync(file, 'utf8').includes('harbour/at+night'), file);
    } finally {
      workspace.dispose();
    }
  });
});
