import assert from 'node:assert/strict';
import { withRedaction } from '../../../../src/models/wrappers/withRedaction.js';
import type { ModelRequest } from '../../../../src/ports/languageModel.js';
import { createRedactor } from '../../../../src/redaction/redactor.js';
import { ScriptedModel, aReply, aRequest } from '../../../fakes/ScriptedModel.js';

const { signal } = new AbortController();
const token = `ghp_${'a1B2c3D4'.repeat(4)}e5F6`;
const block = ['-----BEGIN PRIVATE KEY-----', 'MIIEvQ'.repeat(12), '-----END PRIVATE KEY-----'].join('\n');

describe('withRedaction', () => {
  it('sends no secret, wherever in the request it stands', async () => {
    const model = new ScriptedModel().when('', 'Fine.');
    const request = aRequest({
      messages: [
        { role: 'system', content: `Use ${token}.` },
        { role: 'user', content: `My key: ${token}` },
        {
          role: 'assistant',
          content: '',
          toolCalls: [{ id: '1', name: 'call', arguments: JSON.stringify({ token }) }],
        },
        { role: 'tool', toolCallId: '1', content: `echo ${token}` },
      ],
      tools: [{ name: 't', description: token, parameters: { properties: { a: { enum: [token], default: token } } } }],
      replySchema: { name: 's', schema: { properties: { a: { const: token } } } },
    });
    await withRedaction(model, createRedactor({ key: 'k' })).complete(request, signal);
    const sent = JSON.stringify(model.requests);
    assert.doesNotMatch(sent, /a1B2c3D4/);
    assert.equal(sent.match(/REDACTED_github-token_/g)?.length, 8);
  });

  it('sends no secret in ids and names, and keeps equal what was equal', async () => {
    const model = new ScriptedModel().when('', aReply({ toolCalls: [{ id: '2', name: token, arguments: '{}' }] }));
    const other = `ghp_${'z9Y8x7W6'.repeat(4)}v5U4`;
    const request = aRequest({
      messages: [
        {
          role: 'assistant',
          content: '',
          toolCalls: [token, other, 'call_1'].map((id) => ({ id, name: token, arguments: '{}' })),
        },
        ...[token, other, 'call_1'].map((id) => ({ role: 'tool' as const, toolCallId: id, content: 'done' })),
      ],
      tools: [{ name: token, description: '', parameters: { properties: { [token]: {} }, required: [token] } }],
      replySchema: { name: token, schema: { properties: { [token]: {} } } },
    });
    const reply = await withRedaction(model, createRedactor({ key: 'k' })).complete(request, signal);
    assert.doesNotMatch(JSON.stringify(model.requests), /a1B2c3D4|z9Y8x7W6/);
    const [sent] = model.requests;
    assert.ok(sent !== undefined);
    const calls = sent.messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
    const results = sent.messages.flatMap((message) => (message.role === 'tool' ? [message.toolCallId] : []));
    assert.deepEqual(
      calls.map(({ id }) => id),
      results,
    );
    assert.equal(new Set(results).size, 3);
    assert.equal(results[2], 'call_1', 'what is no secret stays');
    assert.deepEqual(
      [...new Set(calls.map(({ name }) => name))],
      (sent.tools ?? []).map(({ name }) => name),
    );
    assert.equal(reply.toolCalls[0]?.name, token, 'whoever asked knows the tool by its own name');
  });

  it('gives the reply back with the secrets in it', async () => {
    const model = new ScriptedModel().when('', (request) => `You said: ${lastWord(request)}`);
    const reply = await withRedaction(model, createRedactor({ key: 'k' })).complete(asking(token), signal);
    assert.equal(reply.text, `You said: ${token}`);
  });

  const quotations: readonly [name: string, wrap: (json: string) => string][] = [
    ['a bare value', (json) => json],
    ['a fence', (json) => `Here:\n\n\`\`\`json\n${json}\n\`\`\`\nDone.`],
    ['a fence without a language', (json) => `\`\`\`\n${json}\n\`\`\``],
  ];
  for (const [name, wrap] of quotations) {
    it(`keeps JSON parseable that quotes a secret with line breaks (${name})`, async () => {
      const model = new ScriptedModel().when('', (request) => wrap(JSON.stringify({ target: lastWord(request) })));
      const reply = await withRedaction(model, createRedactor({ key: 'k' })).complete(asking(block), signal);
      assert.deepEqual(JSON.parse(/\{.*\}/s.exec(reply.text)?.[0] ?? ''), { target: block });
    });
  }

  it('restores prose as it is, line breaks and all', async () => {
    const model = new ScriptedModel().when('', (request) => `Replace\n${lastWord(request)}\nplease.`);
    const reply = await withRedaction(model, createRedactor({ key: 'k' })).complete(asking(block), signal);
    assert.equal(reply.text, `Replace\n${block}\nplease.`);
  });

  it('restores the arguments of tool calls', async () => {
    const model = new ScriptedModel().when('', (request) =>
      aReply({ toolCalls: [{ id: '1', name: 'write', arguments: JSON.stringify({ text: lastWord(request) }) }] }),
    );
    const reply = await withRedaction(model, createRedactor({ key: 'k' })).complete(asking(block), signal);
    assert.deepEqual(JSON.parse(reply.toolCalls[0]?.arguments ?? ''), { text: block });
  });

  it('gives nothing back that stood in another request', async () => {
    const redactor = createRedactor({ key: 'k' });
    const { text } = redactor.redact(token);
    const model = new ScriptedModel().when('', `You want ${text}.`);
    const reply = await withRedaction(model, redactor).complete(aRequest(), signal);
    assert.equal(reply.text, `You want ${text}.`);
  });

  it('gives the optimizer back what the documents hold, and nothing else', async () => {
    const held = `ghp_${'z9Y8x7W6'.repeat(4)}v5U4`;
    const invented = `ghp_${'i1N2v3E4'.repeat(4)}n5T6`;
    const model = new ScriptedModel().when('', (request) =>
      JSON.stringify({ anchor: request.messages[0]?.content, content: `And ${invented}.` }),
    );
    const messages = [{ role: 'user' as const, content: `Skill: ${held}. Task: ${token}.` }];
    const request = aRequest({ role: 'optimizer', messages });
    const reply = await withRedaction(model, createRedactor({ key: 'k' }), [`Use ${held}.`]).complete(request, signal);
    const said = reply.text.replaceAll(/REDACTED_github-token_[0-9a-f]{12}/g, '#');
    assert.deepEqual(JSON.parse(said), { anchor: `Skill: ${held}. Task: #.`, content: 'And #.' });
  });

  it('gives the optimizer back what a document holds in a rewrite of it, and not in the summary of that', async () => {
    const held = `ghp_${'z9Y8x7W6'.repeat(4)}v5U4`;
    const model = new ScriptedModel().when('', (request) => {
      const text = request.messages[0]?.content ?? '';
      return JSON.stringify({ new_skill: `${text}\n"Quoted".\n`, change_summary: [{ section: '', change: text }] });
    });
    const request = aRequest({ role: 'optimizer', messages: [{ role: 'user', content: `Use ${held}.` }] });
    const reply = await withRedaction(model, createRedactor({ key: 'k' }), [`Use ${held}.`]).complete(request, signal);
    const said: unknown = JSON.parse(reply.text);
    assert.ok(said instanceof Object && 'new_skill' in said && 'change_summary' in said);
    assert.equal(said.new_skill, `Use ${held}.\n"Quoted".\n`);
    assert.ok(!JSON.stringify(said.change_summary).includes(held));
  });

  it('gives the optimizer nothing back in its reasons, which are shown and exported', async () => {
    const held = `ghp_${'z9Y8x7W6'.repeat(4)}v5U4`;
    const model = new ScriptedModel().when('', (request) =>
      aReply({
        text: `Here:\n\`\`\`json\n${JSON.stringify({ reasoning: lastWord(request), edits: [editQuoting(request)] }, undefined, 2)}\n\`\`\``,
        toolCalls: [{ id: '1', name: 'propose', arguments: JSON.stringify(editQuoting(request)) }],
      }),
    );
    const request = aRequest({ role: 'optimizer', messages: [{ role: 'user', content: held }] });
    const reply = await withRedaction(model, createRedactor({ key: 'k' }), [held]).complete(request, signal);
    const [, json = ''] = reply.text.split(/```(?:json)?/);
    const placeholder = /^REDACTED_github-token_[0-9a-f]{12}$/;
    const whole: unknown = JSON.parse(json);
    assert.ok(whole instanceof Object && 'reasoning' in whole && 'edits' in whole && Array.isArray(whole.edits));
    assert.match(String(whole.reasoning), placeholder);
    for (const read of [whole.edits[0], JSON.parse(reply.toolCalls[0]?.arguments ?? '')]) {
      assert.deepEqual([read.target, read.content], [held, `A "quoted" ${held}`]);
      assert.match(read.rationale.replace('Because of ', ''), placeholder);
    }
  });

  it('leaves a request without secrets exactly as it is', async () => {
    const model = new ScriptedModel().when('', 'Fine.');
    const request = aRequest({ temperature: 0.1, dependsOn: ['x'] });
    await withRedaction(model, createRedactor({ key: 'k' })).complete(request, signal);
    assert.deepEqual(model.requests, [request]);
  });
});

function editQuoting({ messages }: ModelRequest): Readonly<Record<string, string>> {
  const said = messages[0]?.content ?? '';
  return { op: 'replace', target: said, content: `A "quoted" ${said}`, rationale: `Because of ${said}` };
}

function asking(secret: string): ModelRequest {
  return aRequest({ messages: [{ role: 'user', content: `Mind this:\n\n${secret}` }] });
}

function lastWord({ messages }: ModelRequest): string {
  return messages.at(-1)?.content.split(/\s/).at(-1) ?? '';
}
