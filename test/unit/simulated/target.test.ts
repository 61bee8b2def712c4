import assert from 'node:assert/strict';
import type { ModelRequest } from '../../../src/ports/languageModel.js';
import { createSimulatedModel } from '../../../src/simulated/simulatedModel.js';
import { answerOf, ask, aTargetRequest, searchDocs } from './asking.js';

const full = process.env['WHETSTONE_FULL'] === '1';

describe('the simulated model as target', () => {
  it('follows a skill whose wording no table holds', async () => {
    const skill = [
      '# Handling outage mails',
      '',
      'People read these on a watch: whatever happens, never go beyond 420 characters, and spare them any small talk.',
      '',
      '### Shape',
      '',
      '1. The very first line must read `OUTAGE`.',
      '2. Split the rest under the headers “Seen” and “Done about it”, and let “Seen” stand ahead of “Done about it”.',
      '3. Somewhere there has to be a “Team:” field (one of red, blue or green).',
      '',
      'It should not use the phrases “as far as we know” or “perhaps”. Please call `search_docs` prior to writing anything.',
      'Close with “Over and out.”',
    ].join('\n');
    const { answer, toolsCalled } = await answerOf(
      createSimulatedModel(),
      aTargetRequest({ skill, tools: [searchDocs] }),
    );
    assert.ok(answer.length <= 420, `${answer.length} characters`);
    assert.match(answer, /^OUTAGE\n/);
    assert.match(answer, /^Team: (?:red|blue|green)$/m);
    assert.match(answer, /## Seen\n[\s\S]*## Done about it\n/);
    assert.match(answer, /\nOver and out\.$/);
    assert.doesNotMatch(answer, /perhaps|as far as we know|Great question|Hope this helps/i);
    assert.deepEqual(toolsCalled, ['search_docs']);
  });

  it('rambles, hedges and asks back when it is told nothing', async () => {
    const { answer, toolsCalled } = await answerOf(createSimulatedModel(), aTargetRequest({ tools: [searchDocs] }));
    assert.ok(answer.length > 1600);
    assert.match(answer, /maybe/);
    assert.match(answer, /\?/);
    assert.doesNotMatch(answer, /^#|^[A-Z]\w+:/m);
    assert.deepEqual(toolsCalled, []);
  });

  it('names what the task names', async () => {
    const { answer } = await answerOf(createSimulatedModel(), aTargetRequest({ skill: 'Use at most 300 characters.' }));
    assert.match(answer, /checkout-service/);
    assert.match(answer, /4\.2\.1/);
  });

  it('counts what the task itself asks for', async () => {
    const task = 'Say why the export fails. Answer in German.';
    const { answer } = await answerOf(createSimulatedModel(), aTargetRequest({ task }));
    assert.match(answer, /\bist\b/);
  });

  it('follows a conditional instruction only where the task has a word of its condition', async () => {
    const skill = 'If the customer mentions a refund, answer in German.';
    const [plain, refund] = await Promise.all(
      ['The lamp flickers.', 'I want a refund for the lamp.'].map((task) =>
        answerOf(createSimulatedModel(), aTargetRequest({ skill, task })),
      ),
    );
    assert.doesNotMatch(plain?.answer ?? '', /\bist\b/);
    assert.match(refund?.answer ?? '', /\bist\b/);
  });

  it('keeps to a limit together with everything else that was asked for', async () => {
    const skill = [
      '- Include a section headed “Findings”.',
      '- Include a section headed “Risks”.',
      '- In the “Risks” section, mention “rollback”.',
      '- Give exactly 3 bullet points.',
      '- Always use the words “error budget”.',
      '- Include a line that starts with “Severity:”.',
      '- End with a line that starts with “Verdict:” followed by one of approve or reject.',
      '- Keep the answer to at most 400 characters.',
    ].join('\n');
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const { answer } = await answerOf(createSimulatedModel(), aTargetRequest({ skill, attempt }));
      assert.ok(answer.length <= 400, answer);
      for (const part of [
        /^## Findings$/m,
        /^## Risks\n.*rollback/im,
        /error budget/,
        /^Severity: \w/m,
        /^Verdict: (?:approve|reject)$/m,
      ]) {
        assert.match(answer, part);
      }
      assert.equal(answer.match(/^- /gm)?.length, 3);
    }
  });

  it('writes sections of separate sentences in any order, unless it is told one', async () => {
    const wishes = '- Include a section headed “Before”.\n- Include a section headed “After”.\n';
    assert.deepEqual(await ordersOf(wishes), new Set([false, true]));
    assert.deepEqual(await ordersOf(`${wishes}- “Before” comes before “After”.\n`), new Set([true]));
  });

  it('calls each tool once, with arguments that fit, and uses what they say', async () => {
    const getOrder = {
      name: 'get_order',
      description: 'An order.',
      parameters: {
        type: 'object',
        properties: {
          number: { type: 'string' },
          limit: { type: 'integer', minimum: 5 },
          mode: { enum: ['short', 'long'] },
        },
        required: ['number', 'limit', 'mode'],
      },
    };
    const request = aTargetRequest({
      skill: 'Consult every available tool before you answer.',
      task: 'Where is order AB-77120?',
      tools: [searchDocs, getOrder],
    });
    const model = createSimulatedModel();
    const first = await ask(model, request);
    assert.equal(first.finish, 'tool-calls');
    const { answer, toolsCalled } = await answerOf(model, request, 'Order AB-77120 left Rotterdam on Monday.');
    assert.deepEqual(toolsCalled, ['search_docs', 'get_order']);
    assert.match(answer, /left Rotterdam on Monday/);
    const second = await ask(model, {
      ...request,
      messages: [...request.messages, { role: 'assistant', content: '', toolCalls: first.toolCalls }],
    });
    assert.deepEqual(JSON.parse(second.toolCalls[0]?.arguments ?? ''), { number: 'AB-77120', limit: 5, mode: 'short' });
  });

  it('does not call a tool that is not offered', async () => {
    const reply = await ask(createSimulatedModel(), aTargetRequest({ skill: 'Call `search_docs` before answering.' }));
    assert.equal(reply.finish, 'stop');
  });

  it('says when its answer was cut, and counts what it used', async () => {
    const request = { ...aTargetRequest({}), maxOutputTokens: 20 };
    const reply = await ask(createSimulatedModel(), request);
    assert.equal(reply.finish, 'length');
    assert.equal(reply.usage.outputTokens, 20);
    assert.deepEqual([reply.usage.exact, reply.cached], [true, false]);
  });
});

describe('chance in the simulated model', () => {
  const requests: readonly ModelRequest[] = Array.from({ length: 30 }, (_, index) =>
    aTargetRequest({
      skill: 'Use at most 90 words. Commit to one answer.',
      task: `Job ${index % 10} of the export.`,
      attempt: index % 3,
    }),
  );

  it('falls the same way in any order of arrival and for any number of calls at a time', async () => {
    const options = { seed: 7, lapseRate: 0.4 };
    const inOrder = await Promise.all(requests.map((request) => ask(createSimulatedModel(options), request)));
    const one = createSimulatedModel(options);
    const backwards = await Promise.all(requests.toReversed().map((request) => ask(one, request)));
    assert.deepEqual(backwards.toReversed(), inOrder);
    const oneByOne = [];
    for (const request of requests) oneByOne.push(await ask(one, request));
    assert.deepEqual(oneByOne, inOrder);
  });

  it('falls anew for another attempt, seed, role, message, tool and dependency', async () => {
    const base = aTargetRequest({});
    const others: readonly ModelRequest[] = [
      { ...base, attempt: 1 },
      { ...base, dependsOn: ['fixture'] },
      { ...base, tools: [searchDocs] },
      aTargetRequest({ skill: 'Be kind.' }),
    ];
    const texts = await Promise.all(
      [base, ...others].map(async (request) => (await ask(createSimulatedModel(), request)).text),
    );
    texts.push((await ask(createSimulatedModel({ seed: 2 }), base)).text);
    assert.equal(new Set(texts).size, 6);
  });

  it('does not fall anew for a limit on the reply or for latency', async () => {
    const request = aTargetRequest({});
    const [one, other] = await Promise.all([
      ask(createSimulatedModel(), request),
      ask(createSimulatedModel({ latencyMs: 1 }), { ...request, maxOutputTokens: 9000, temperature: 0.3 }),
    ]);
    assert.equal(one.text, other.text);
  });

  it('lapses as often as it was told to, for each instruction on its own', async () => {
    const count = full ? 10_000 : 600;
    const rate = 0.3;
    const model = createSimulatedModel({ lapseRate: rate });
    const skill = 'Use at most 60 words. End with the line “Over.”';
    let long = 0;
    let open = 0;
    let both = 0;
    for (let attempt = 0; attempt < count; attempt += 1) {
      const { text } = await ask(model, aTargetRequest({ skill, attempt }));
      const isLong = text.split(/\s+/).length > 60;
      const isOpen = !text.endsWith('\nOver.');
      long += isLong ? 1 : 0;
      open += isOpen ? 1 : 0;
      both += isLong && isOpen ? 1 : 0;
    }
    const within = (seen: number, wanted: number): boolean =>
      Math.abs(seen / count - wanted) < 4 * Math.sqrt((wanted * (1 - wanted)) / count);
    assert.ok(within(long, rate), `${long} of ${count} too long`);
    assert.ok(within(open, rate), `${open} of ${count} without the last line`);
    assert.ok(within(both, rate * rate), `${both} of ${count} with both`);
  });
});

describe('the identity of the simulated model', () => {
  it('says that it is simulated', () => {
    assert.deepEqual(createSimulatedModel().identity, {
      provider: 'simulated',
      endpoint: 'embedded',
      model: 'simulated-1',
      simulated: true,
    });
  });

  it('names every option that changes an answer, so that stored replies are never mixed up', () => {
    const options = {
      seed: 3,
      lapseRate: 0.2,
      optimizer: { harmful: 0.5 },
      obedient: true,
      judgeNoise: 0.1,
      latencyMs: 5,
    };
    assert.equal(
      createSimulatedModel(options).identity.model,
      'simulated-1;seed=3;lapse=0.2;harmful=0.5;noise=0.1;obedient',
    );
  });

  const refused = [
    { lapseRate: 1.5 },
    { optimizer: { harmful: 0.7, useless: 0.7 } },
    { optimizer: { helpful: 0.5, harmful: 0.1 } },
    { seed: 0.5 },
  ];
  for (const options of refused) {
    it(`refuses ${JSON.stringify(options)}`, () => {
      assert.throws(() => createSimulatedModel(options), { name: 'UserError', code: 'options-malformed' });
    });
  }

  it('throws the reason of an abort, before and during the wait', async () => {
    const model = createSimulatedModel({ latencyMs: 60_000 });
    const reason = new Error('enough');
    await assert.rejects(model.complete(aTargetRequest({}), AbortSignal.abort(reason)), reason);
    const controller = new AbortController();
    const waiting = model.complete(aTargetRequest({}), controller.signal);
    controller.abort(reason);
    await assert.rejects(waiting, reason);
  });
});

/** Whether “Before” came first, over several attempts. */
async function ordersOf(skill: string): Promise<ReadonlySet<boolean>> {
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, attempt) => answerOf(createSimulatedModel(), aTargetRequest({ skill, attempt }))),
  );
  return new Set(answers.map(({ answer }) => answer.indexOf('## Before') < answer.indexOf('## After')));
}
