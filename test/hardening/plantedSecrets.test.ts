import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { aWorkspace, inEveryRole, writtenTasks, type TestWorkspace } from '../builders/aWorkspace.js';
import { ChatServer } from '../fakes/ChatServer.js';
import { figure, isWhole, seed } from './figures.js';
import { allOf, places, plant, plantedSecrets, talkingServer, type Planted } from './plantedSecrets.js';

const each = isWhole ? 10 : 2;

describe('secrets planted wherever one can stand', function planted() {
  this.timeout(isWhole ? 600_000 : 180_000);
  let server: ChatServer;
  let workspace: TestWorkspace;
  let planting: Planted;

  before(async () => {
    server = await ChatServer.start();
    planting = plantedSecrets(seed, each);
    const tasks = writtenTasks({ training: 3, heldOut: 6, sealed: 1 }, ['alpha']);
    workspace = aWorkspace({ tasks, models: inEveryRole(talkingServer(server, planting)) });
    plant(workspace, tasks, planting);
  });
  after(async () => {
    await server.stop();
    workspace.dispose();
  });

  it('reach neither the server, nor the state of the user, nor the workspace', async () => {
    const own = new Set(filesBelow(path.dirname(workspace.folder)));
    const preferences = planting.preferences.map(({ text }) => text).join('\n\n');
    if (isWhole) await workspace.optimize({ settings: { preferences } });
    const { skillPath, folder } = workspace;
    const { proposal } = await workspace.useCases().optimize(
      {
        skillPath,
        workspaceFolders: [folder],
        preset: 'quick',
        trusted: true,
        purpose: 'consolidate',
        settings: [{ preferences, consolidate: { memory: true, recall: 3 } }],
      },
      () => undefined,
      new AbortController().signal,
    );
    const samples = allOf(planting);
    const sent = server.requests.map(({ body }) => JSON.stringify(body)).join('\n');
    const state = path.dirname(workspace.home);
    const written = filesBelow(state).filter((file) => !own.has(file));
    const out = {
      server: samples.filter(({ secret }) => holds(sent, secret)),
      state: leaks(written.filter((file) => file.startsWith(workspace.home))),
      workspace: leaks(written.filter((file) => !file.startsWith(workspace.home))),
    };
    figure({
      what: `secrets planted in ${places.length} kinds of places`,
      tried: samples.length,
      result: `${out.server.length} to the server, ${out.state.length} to the state folder, ${out.workspace.length} to the workspace`,
    });
    assert.ok(samples.length >= (isWhole ? 120 : 30), `${samples.length} secrets`);
    assert.equal(new Set(samples.map(({ secret }) => secret)).size, samples.length);
    assert.ok(server.requests.length > 20 && written.length > 30, `${server.requests.length}, ${written.length}`);
    assert.ok(
      written.some((file) => file.includes('task-archives')) && written.some((file) => file.includes('replies')),
    );
    assert.ok(proposal !== undefined, 'there was something to stage');
    assert.deepEqual(
      out.server.map(({ place, kind }) => `${place}: ${kind}`),
      [],
    );
    assert.deepEqual([...out.state, ...out.workspace], []);

    function leaks(files: readonly string[]): readonly string[] {
      return files.flatMap((file) => {
        const text = readFileSync(file, 'utf8');
        return samples
          .filter(({ secret }) => holds(text, secret))
          .map(({ place, kind }) => `${path.relative(state, file)}: ${place}, ${kind}`);
      });
    }
  });
});

function holds(text: string, secret: string): boolean {
  const once = JSON.stringify(secret).slice(1, -1);
  return [secret, once, JSON.stringify(once).slice(1, -1)].some((form) => text.includes(form));
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());
}
