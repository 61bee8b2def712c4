import assert from 'node:assert/strict';
import * as z from 'zod';
import { chooseModels } from '../../src/app/models/chooseModels.js';
import type { ModelRequest } from '../../src/ports/languageModel.js';
import { aModelThatLearns } from '../builders/aModelThatLearns.js';
import { ChatServer, stream } from '../fakes/ChatServer.js';
import { aWorkspace, inEveryRole, writtenTasks, type TestWorkspace } from '../builders/aWorkspace.js';

/** A judge's word is said once and cannot be worked out again: the run keeps it for whoever looks at the answers. */
describe('what a judge said of an answer', () => {
  const workspaces: TestWorkspace[] = [];
  let server: ChatServer;
  before(async () => {
    server = await ChatServer.start();
  });
  after(async () => {
    workspaces.forEach((workspace) => workspace.dispose());
    await server.stop();
  });

  it('is shown with the answer after the run, before and after the edits', async () => {
    const checks = [
      { check: 'max_chars', limit: 500 },
      { check: 'rubric', rubric: 'It says alpha.' },
    ];
    const tasks = writtenTasks({ training: 4, heldOut: 6, sealed: 2 }, []).map((task) => ({ ...task, checks }));
    const model = aModelThatLearns(graded);
    const workspace = aWorkspace({ tasks, models: inEveryRole(model) });
    workspaces.push(workspace);
    const { proposal } = await workspace.optimize();
    const [before, after] = proposal?.answers['heldOut-0'] ?? [];

    const shown = await Promise.all([before, after].map((hash) => checksOf(workspace, hash)));
    assert.deepEqual(shown, [
      ['pass: It has 8 characters.', 'fail: It is silent about letters.'],
      ['pass: It has 5 characters.', 'pass: It names the letter.'],
    ]);
  });

  it('stands in diagnostics.json, and the optimizer hears of it, where the judge is a server', async () => {
    server.answers((response, request) => {
      const content = graded({ messages: Messages.parse(request.body['messages']) });
      stream({ deltas: [{ content }] })(response, request);
    });
    const checks = [{ check: 'rubric', rubric: 'It says alpha.' }];
    const tasks = writtenTasks({ training: 2, heldOut: 5, sealed: 0 }, []).map((task) => ({ ...task, checks }));
    const scripted = aModelThatLearns(() => assert.fail('The judge is a server.'));
    const spec = { target: `${server.baseUrl}#a-judge`, optimizer: undefined, judge: undefined };
    const { judge } = await chooseModels(spec, { environment: {}, fetch });
    const workspace = aWorkspace({ tasks, models: { target: scripted, optimizer: scripted, judge } });
    workspaces.push(workspace);
    const { summary } = await workspace.optimize();
    const { held_out: rows } = Diagnostics.parse(
      JSON.parse(workspace.artifact(summary.runId, 'diagnostics.json') ?? '{}'),
    );
    assert.deepEqual(
      rows.map(({ before, after }) => [before.said, after.said]),
      tasks.slice(2).map(() => [[{ check: 'rubric', reason: 'It is silent about letters.' }], []]),
    );
    const asked = scripted.requests.filter(({ replySchema }) => replySchema?.name === 'reflection');
    assert.match(asked[0]?.messages[0]?.content ?? '', /It is silent about letters\./u);
  });
});

const Side = z.looseObject({ said: z.unknown() });
const Diagnostics = z.looseObject({ held_out: z.array(z.looseObject({ before: Side, after: Side })) });
const Messages = z.array(z.object({ role: z.literal(['system', 'user', 'assistant']), content: z.string() }));

async function checksOf(workspace: TestWorkspace, answerHash: string | undefined) {
  assert.ok(answerHash);
  const { skillPath, folder } = workspace;
  const request = { skillPath, workspaceFolders: [folder], taskId: 'heldOut-0', answerHash };
  const found = await workspace.useCases().answerChecks(request, new AbortController().signal);
  return found?.checks.map(({ outcome, reason }) => `${outcome}: ${reason}`);
}

function graded({ messages }: Pick<ModelRequest, 'messages'>): string {
  const pass = /```answer-[0-9a-f]+\nalpha\n/u.test(messages[0]?.content ?? '');
  const reason = pass ? 'It names the letter.' : 'It is silent about letters.';
  return JSON.stringify({ results: [{ index: 0, pass, score: pass ? 1 : 0, reason }] });
}
