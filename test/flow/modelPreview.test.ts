import assert from 'node:assert/strict';
import { createLearnedCapabilities } from '../../src/models/openai/capabilities.js';
import type { Endpoint } from '../../src/models/openai/endpoint.js';
import { createOpenAIModel } from '../../src/models/openai/openaiModel.js';
import { aWorkspace, inEveryRole, writtenTasks, type TestWorkspace } from '../builders/aWorkspace.js';
import { ChatServer, stream } from '../fakes/ChatServer.js';

const secret = `ghp_${'A1b2C3d4E5'.repeat(4).slice(0, 36)}`;
const { signal } = new AbortController();

describe('the preview of what is sent', () => {
  let server: ChatServer;
  const workspaces: TestWorkspace[] = [];
  beforeEach(async () => {
    server = (await ChatServer.start()).answers(stream({ deltas: [{ content: 'alpha' }] }));
  });
  afterEach(() => server.stop());
  after(() => workspaces.forEach((workspace) => workspace.dispose()));

  const shapes: readonly [name: string, endpointOf: (baseUrl: string) => Partial<Endpoint>][] = [
    ['an OpenAI-compatible server', (baseUrl) => ({ provider: 'custom', baseUrl, model: 'some-model' })],
    [
      'Azure',
      (baseUrl) => ({ provider: 'azure', baseUrl: baseUrl.replace('/v1', ''), model: 'dep', apiVersion: '2024-10-21' }),
    ],
    [
      'a server with options of its own',
      (baseUrl) => ({ provider: 'custom', baseUrl, model: 'm', extraBody: { reasoning_effort: 'low' } }),
    ],
  ];
  for (const [name, endpointOf] of shapes) {
    it(`is, to the letter, what the first call to ${name} carries`, async () => {
      const workspace = onServer(endpointOf(server.baseUrl));
      const { requests, text, json } = await workspace
        .useCases()
        .preview({ ...requestOf(workspace), task: 'training-0' }, signal);
      assert.match(text, /^## user\n\n```text\nDescribe a harbour at dawn: quaytraining/m, 'read as it is read');
      assert.ok(text.includes('\n# Words\n') && !text.includes(String.raw`\n# Words`), 'lines are lines');
      assert.ok(json.includes(String.raw`\n# Words`) && !json.includes(secret), 'and as JSON, behind a switch');
      assert.equal(server.requests.length, 0, 'a preview asks nobody');
      const target = requests.find(({ role }) => role === 'target');
      assert.deepEqual(target?.redacted, ['github-token']);
      assert.ok(!text.includes(secret) && !text.includes('sk-planted'));

      await workspace
        .useCases()
        .evaluate({ ...requestOf(workspace), withoutSkill: false, only: ['training-0'] }, () => undefined, signal);
      const sent = server.requests.find(({ method }) => method === 'POST');
      assert.deepEqual(sent?.body, target?.body);
      assert.equal(new URL(sent?.path ?? '', server.baseUrl).href, target?.url);
    });
  }

  it('shows the judge and the optimizer as well, and says that their answers are still to come', async () => {
    const workspace = onServer({ provider: 'custom', baseUrl: server.baseUrl, model: 'm' });
    const { requests, text } = await workspace
      .useCases()
      .preview({ ...requestOf(workspace), task: 'heldOut-1' }, signal);
    assert.deepEqual(
      requests.map(({ role }) => role),
      ['target', 'judge', 'optimizer'],
    );
    assert.match(text, /# judge: the answer to heldOut-1, which is not given yet/);
    assert.match(text, /# optimizer: training tasks as if all of them had failed/);
    assert.match(text, new RegExp(`POST ${server.baseUrl}/chat/completions`));
    const optimizer = JSON.stringify(requests.at(-1)?.body);
    assert.doesNotMatch(optimizer, /heldOut|sealed group/, 'held-out tasks are not shown to the optimizer');
  });

  it('says of the simulated model that nothing leaves the machine', async () => {
    const workspace = aWorkspace();
    workspaces.push(workspace);
    const { text } = await workspace.useCases().preview(requestOf(workspace), signal);
    assert.match(text, /\(simulated\): nothing leaves this machine\./);
  });

  it('refuses a task that is not there, and names those that are', async () => {
    const workspace = onServer({ provider: 'custom', baseUrl: server.baseUrl, model: 'm' });
    await assert.rejects(workspace.useCases().preview({ ...requestOf(workspace), task: 'nope' }, signal), {
      code: 'usage',
      cure: /training-0/,
    });
  });

  function onServer(parts: Partial<Endpoint>): TestWorkspace {
    const endpoint = { provider: 'custom', baseUrl: '', model: 'm', apiKey: 'sk-planted-key', ...parts };
    const tasks = writtenTasks({ training: 3, heldOut: 5, sealed: 1 }, ['alpha']).map((task) => ({
      ...task,
      checks: [...task.checks, { check: 'rubric', rubric: 'It is kind.' }],
    }));
    const workspace = aWorkspace({
      skill: `---\nname: words\ndescription: Answers in words.\n---\n# Words\n\nThe token is ${secret}.\n`,
      tasks,
      models: inEveryRole(createOpenAIModel(endpoint, { fetch, learned: createLearnedCapabilities() })),
    });
    workspaces.push(workspace);
    return workspace;
  }
});

function requestOf({ skillPath, folder }: TestWorkspace) {
  const shared = { skillPath, workspaceFolders: [folder], preset: 'quick' as const, settings: [] };
  return { ...shared, purpose: 'optimize' as const, trusted: true };
}
