import assert from 'node:assert/strict';
import { AttemptTarget } from '../../../src/environments/attemptTarget.js';
import { answered } from '../../../src/environments/targetAnswer.js';
import { ModelError } from '../../../src/errors.js';
import type { ToolCall } from '../../../src/ports/languageModel.js';
import type { TargetQuestion } from '../../../src/ports/targetClient.js';
import { targetServers } from '../../../src/wire/serveTarget.js';
import { anAttempt } from '../../builders/anAttempt.js';
import { ScriptedModel } from '../../fakes/ScriptedModel.js';

const neverAborted = new AbortController().signal;
const passed = answered({ scores: { hard: 1, soft: 1, reason: undefined } });

describe('the target for one attempt', () => {
  it('asks with the sample of the attempt, and a question that comes again as another sample', async () => {
    const { target, model } = make('hello');
    await target.ask(question('Who?'), neverAborted);
    await target.ask(question('Who?'), neverAborted);
    const [first, second] = model.requests;
    assert.deepEqual([first?.attempt, first?.role], [1, 'target']);
    assert.notDeepEqual(first?.dependsOn, second?.dependsOn);
    const settled = target.settle(passed);
    assert.ok(settled.kind === 'answered' && settled.usage.inputTokens > 0, 'what it used is part of the attempt');
  });

  it('gives no answer longer than the person allows', async () => {
    const { target, model } = make('hello');
    await target.ask({ ...question('Who?'), maxOutputTokens: 1e9 }, neverAborted);
    await target.ask({ ...question('What?'), maxOutputTokens: 7 }, neverAborted);
    assert.deepEqual(
      model.requests.map(({ maxOutputTokens }) => maxOutputTokens),
      [16_384, 7],
    );
  });

  it('refuses a question that is longer than was told beforehand, without asking', async () => {
    const { target, model } = make('hello');
    const said = await target.ask(question('x'.repeat(40_000)), neverAborted);
    assert.deepEqual([said.kind === 'refused' && said.why, model.requests.length], ['too-long', 0]);
  });

  const huge = 'y'.repeat(40_000);
  const call = { id: '1', name: 'look', arguments: '{}' };
  const tool = { name: 'look', description: '', parameters: {} };
  const hidden: Readonly<Record<string, TargetQuestion>> = {
    'the id of a call': calling({ ...call, id: huge }),
    'the id that a result is for': { messages: [{ role: 'tool', toolCallId: huge, content: '' }] },
    'the name of a call': calling({ ...call, name: huge }),
    'the arguments of a call': calling({ ...call, arguments: huge }),
    'calls that say nothing': calling(...Array.from({ length: 5_000 }, () => ({ id: '', name: '', arguments: '' }))),
    'messages that say nothing': { messages: Array.from({ length: 5_000 }, () => ({ role: 'user', content: '' })) },
    'a tool in another script': { ...question(''), tools: [{ ...tool, description: '字'.repeat(12_000) }] },
    'the name of a form': { ...question(''), replySchema: { name: huge, schema: {} } },
  };
  for (const [where, asked] of Object.entries(hidden)) {
    it(`refuses what is too long in ${where}, without asking`, async () => {
      const { target, model } = make('hello');
      const said = await target.ask(asked, neverAborted);
      assert.deepEqual([said.kind === 'refused' && said.why, model.requests.length], ['too-long', 0]);
    });
  }

  it('refuses a huge id over the wire with 400, and sends nothing', async () => {
    const { target, model } = make('hello');
    const server = await targetServers.open([target]);
    try {
      const called = { id: huge, type: 'function', function: { name: 'look', arguments: '{}' } };
      const messages = [
        { role: 'assistant', tool_calls: [called] },
        { role: 'tool', tool_call_id: huge, content: '' },
      ];
      const headers = { authorization: `Bearer ${server.tokens[0]}` };
      const body = JSON.stringify({ messages });
      const { status } = await fetch(`${server.url}/chat/completions`, { method: 'POST', headers, body });
      assert.deepEqual([status, model.requests.length], [400, 0]);
    } finally {
      await server.close();
    }
  });

  it('makes an attempt invalid whose call failed, whatever the environment made of it', async () => {
    const { target } = make(new ModelError('unavailable', 'The server cannot be reached.'));
    const said = await target.ask(question('Who?'), neverAborted);
    assert.equal(said.kind === 'refused' && said.why, 'no-answer');
    assert.ok(target.ended.aborted, 'the environment is ended at once');
    assert.deepEqual(target.settle(passed), { kind: 'invalid', reason: 'The server cannot be reached.' });
  });

  it('ends the run with what no retry mends', async () => {
    const { target } = make(new ModelError('cap', 'The cap of the run is reached.'));
    await target.ask(question('Who?'), neverAborted);
    assert.throws(() => target.settle(passed), /The cap of the run/);
  });

  it('tells of a context that is too long, and lets the environment go on', async () => {
    const { target } = make(new ModelError('context-length', 'Too long.'));
    const said = await target.ask(question('Who?'), neverAborted);
    assert.deepEqual([said.kind === 'refused' && said.why, target.ended.aborted], ['too-long', false]);
    assert.equal(target.settle(passed).kind, 'answered');
  });

  it('scores an attempt that broke at its cap as a fail: the skill can cause it', async () => {
    const { target } = make('hello');
    for (const word of ['a', 'b', 'c']) await target.ask(question(word), neverAborted);
    const settled = target.settle({ kind: 'invalid', reason: 'The program ended with 1.' });
    assert.ok(settled.kind === 'answered');
    assert.equal(settled.scores?.hard, 0);
    assert.match(settled.failure ?? '', /more than 2 times. The program ended with 1/);
  });
});

function calling(...toolCalls: readonly ToolCall[]): TargetQuestion {
  return { messages: [{ role: 'assistant', content: '', toolCalls }] };
}

function question(content: string): TargetQuestion {
  return { messages: [{ role: 'user', content }] };
}

function make(reply: string | ModelError): { readonly target: AttemptTarget; readonly model: ScriptedModel } {
  const model = new ScriptedModel().when(() => true, reply);
  const limits = { calls: 2, kilobytes: 32 };
  const target = new AttemptTarget({
    target: model,
    environment: 'post',
    request: anAttempt(),
    limits,
    room: undefined,
  });
  return { target, model };
}
