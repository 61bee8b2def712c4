import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { createLearnedCapabilities } from '../../src/models/openai/capabilities.js';
import { createOpenAIModel } from '../../src/models/openai/openaiModel.js';
import { aWorkspace, inEveryRole, writtenTasks, type TestWorkspace } from '../builders/aWorkspace.js';
import { ChatServer, stream } from '../fakes/ChatServer.js';
import { sampleSecrets } from '../unit/redaction/secretCorpus.js';

/** Every task is full of secrets, and the server repeats everything that it is told. */
describe('a whole run over tasks full of secrets', () => {
  let server: ChatServer;
  let workspace: TestWorkspace;
  const samples = sampleSecrets(5);

  before(async () => {
    server = await ChatServer.start();
    server.answers((response, request) =>
      stream({ deltas: [{ content: JSON.stringify(request.body['messages']) }] })(response, request),
    );
    const tasks = writtenTasks({ training: 4, heldOut: 6, sealed: 2 }, ['alpha']).map((task, index, all) => {
      const own = samples.filter((_, at) => at % all.length === index).map(({ text }) => text);
      return { ...task, prompt: [task.prompt, ...own].join('\n\n') };
    });
    const endpoint = { provider: 'custom', baseUrl: server.baseUrl, model: 'm', apiKey: undefined };
    const model = createOpenAIModel(endpoint, { fetch, learned: createLearnedCapabilities() });
    workspace = aWorkspace({ tasks, models: inEveryRole(model) });
  });
  after(async () => {
    await server.stop();
    workspace.dispose();
  });

  it('sends none of them, and writes none of them', async function () {
    assert.ok(samples.length >= 120);
    const { summary } = await workspace.optimize({ preset: 'standard' });
    assert.ok(server.requests.length >= 12);
    assert.ok(summary.spend.optimizer.calls > 0, 'the optimizer was shown what failed');
    const sent = server.requests.map(({ body }) => JSON.stringify(body));
    assert.deepEqual(survivors(sent.join('\n')), []);
    const state = path.dirname(workspace.home);
    const own = path.join(path.dirname(workspace.skillPath), 'evals');
    const written = filesBelow(state).filter((file) => !file.startsWith(own));
    assert.ok(written.length > 30, `${written.length} files`);
    for (const file of written) assert.deepEqual(survivors(readFileSync(file, 'utf8')), [], file);
  });

  function survivors(text: string): readonly string[] {
    return samples
      .filter(({ secret }) => text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1)))
      .map(({ kind }) => kind);
  }
});

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());
}
