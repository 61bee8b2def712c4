import assert from 'node:assert/strict';
import { createToolsEnvironment } from '../../../src/environments/tools.js';
import { ModelError } from '../../../src/errors.js';
import type { AttemptResult } from '../../../src/ports/environment.js';
import type { ModelRequest, ToolCall } from '../../../src/ports/languageModel.js';
import type { StubTool } from '../../../src/tasks/task.js';
import { anAttempt } from '../../builders/anAttempt.js';
import { aTask } from '../../builders/aTask.js';
import { MemoryFiles } from '../../fakes/MemoryFiles.js';
import { ScriptedModel } from '../../fakes/ScriptedModel.js';

const neverAborted = new AbortController().signal;
const search: StubTool = {
  name: 'search',
  description: 'Finds articles.',
  parameters: {
    type: 'object',
    properties: {
      query: { type: 'string', minLength: 2 },
      limit: { type: ['integer', 'null'] },
      sort: { enum: ['new'] },
    },
    required: ['query'],
    additionalProperties: false,
  },
  result: 'KB-7: hold the button for five seconds',
};
const ping: StubTool = { name: 'ping', description: '', parameters: {}, result: 'pong' };

describe('the tools environment', () => {
  it('offers the declared tools without their results, and answers calls with the fixed ones', async () => {
    const model = new ScriptedModel()
      .when(atRound(1), { toolCalls: [call('search', '{"query":"reset"}'), call('ping', '')] })
      .when(atRound(2), 'Hold the button.');
    const result = await attempt(model);
    assert.deepEqual(
      model.requests[0]?.tools?.map((tool) => Object.keys(tool)),
      [
        ['name', 'description', 'parameters'],
        ['name', 'description', 'parameters'],
      ],
    );
    assert.deepEqual(
      model.requests[1]?.messages.slice(-2).map(({ content }) => content),
      [search.result, 'pong'],
    );
    assert.ok(result.kind === 'answered');
    assert.equal(result.answer, 'Hold the button.');
    assert.deepEqual(result.toolsCalled, [
      { name: 'search', arguments: '{"query":"reset"}' },
      { name: 'ping', arguments: '' },
    ]);
    assert.deepEqual(
      result.transcript.map((turn) =>
        turn.kind === 'tool' ? `tool ${turn.name}` : turn.kind === 'message' ? turn.role : turn.kind,
      ),
      ['system', 'user', 'tool search', 'tool ping', 'assistant'],
    );
    assert.deepEqual(result.usage, { inputTokens: 20, outputTokens: 10, exact: true });
  });

  const wrong: readonly (readonly [string, ToolCall, RegExp])[] = [
    ['an unknown name', call('delete_all', '{}'), /no tool named “delete_all”\. The tools are: search, ping\./],
    ['arguments that are no JSON', call('search', '{"query": "re'), /not a JSON object/],
    ['arguments that are a list', call('search', '["reset"]'), /not a JSON object/],
    ['a missing argument', call('search', '{}'), /“query”/],
    ['an argument of another type', call('search', '{"query": 7}'), /“query”.*expected string/],
    ['an argument that is too short', call('search', '{"query": "r"}'), /“query”/],
    ['an argument that none of several types fits', call('search', '{"query":"reset","limit":"2"}'), /“limit”/],
    ['an argument beyond its choices', call('search', '{"query":"reset","sort":"old"}'), /“sort”/],
    ['an argument that nobody declared', call('search', '{"query":"reset","admin":true}'), /admin/],
  ];
  for (const [name, given, says] of wrong) {
    it(`tells the model of ${name}, and does not count the call`, async () => {
      const model = new ScriptedModel().when(atRound(1), { toolCalls: [given] }).when(atRound(2), 'Done.');
      const result = await attempt(model);
      assert.match(model.requests[1]?.messages.at(-1)?.content ?? '', /^Error: /);
      assert.match(model.requests[1]?.messages.at(-1)?.content ?? '', says);
      assert.deepEqual(result.kind === 'answered' ? result.toolsCalled : undefined, []);
      assert.equal(result.kind === 'answered' ? result.transcript.some((turn) => turn.kind === 'tool') : false, true);
    });
  }

  it('accepts any object where the declaration is no schema that can be read', async () => {
    const odd = { ...search, parameters: { type: 'object', properties: { a: { type: 'banana' } } } };
    const model = new ScriptedModel()
      .when(atRound(1), { toolCalls: [call('search', '{"a":1}')] })
      .when(atRound(2), 'Done.');
    const result = await attempt(model, [odd]);
    assert.equal(result.kind === 'answered' ? result.toolsCalled.length : 0, 1);
  });

  it('ends after eight rounds with a fail: a skill that never answers is the skill’s doing', async () => {
    const model = new ScriptedModel().when(() => true, { toolCalls: [call('ping', '{}')] });
    const result = await attempt(model);
    assert.equal(model.requests.length, 8);
    assert.ok(result.kind === 'answered');
    assert.equal(result.answer, '');
    assert.equal(result.toolsCalled.length, 8);
    assert.match(result.failure ?? '', /after 8 rounds/);
  });

  it('keeps what was said when the conversation grows longer than the model can read', async () => {
    const model = new ScriptedModel()
      .when(atRound(1), { toolCalls: [call('ping', '{}')] })
      .when(atRound(2), new ModelError('context-length', 'too long'));
    const result = await attempt(model);
    assert.ok(result.kind === 'answered');
    assert.match(result.failure ?? '', /longer than the model can read/);
    assert.deepEqual(result.toolsCalled, [{ name: 'ping', arguments: '{}' }]);
  });

  it('gives more room once an attempt, and from then on in every round', async () => {
    const thought = { text: '', finish: 'length' as const };
    const limits: number[] = [];
    const model = new ScriptedModel().when(
      () => true,
      (request) => {
        limits.push(request.maxOutputTokens);
        if (request.maxOutputTokens < 5_000) return thought;
        return atRound(4)(request) ? 'Done.' : { toolCalls: [call('ping', '{}')] };
      },
    );
    const result = await attempt(model);
    assert.equal(result.kind === 'answered' && result.answer, 'Done.');
    assert.deepEqual(limits, [4_096, 16_384, 16_384, 16_384, 16_384]);
    assert.equal(result.kind === 'answered' && result.usage.outputTokens, 25, 'the call without an answer is counted');
  });

  it('keeps what was said where thinking uses up its room in a later round', async () => {
    const model = new ScriptedModel()
      .when(atRound(1), { toolCalls: [call('ping', '{}')] })
      .when(atRound(2), { text: '', finish: 'length' });
    const result = await attempt(model);
    assert.ok(result.kind === 'answered' && result.thoughtOnly === true);
    assert.match(result.failure ?? '', /thinking used up its room/);
    assert.deepEqual(result.toolsCalled, [{ name: 'ping', arguments: '{}' }]);
  });

  it('offers no empty list of tools', async () => {
    const model = new ScriptedModel().when(() => true, 'Done.');
    await attempt(model, []);
    assert.equal('tools' in (model.requests[0] ?? {}), false);
  });
});

function call(name: string, given: string): ToolCall {
  return { id: `${name}-1`, name, arguments: given };
}

function atRound(round: number): (request: ModelRequest) => boolean {
  return ({ messages }) => messages.filter(({ role }) => role === 'assistant').length === round - 1;
}

function attempt(model: ScriptedModel, tools: readonly StubTool[] = [search, ping]): Promise<AttemptResult> {
  const sources = { files: new MemoryFiles({}), folder: '/skill', prompts: new Map(), references: new Map() };
  const request = anAttempt({ task: aTask({ tools, environment: 'tools' }) });
  return createToolsEnvironment(model, sources).attempt(request, neverAborted);
}
