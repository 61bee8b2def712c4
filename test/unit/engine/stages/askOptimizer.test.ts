import assert from 'node:assert/strict';
import { askOptimizer } from '../../../../src/engine/stages/askOptimizer.js';
import { ModelError } from '../../../../src/errors.js';
import { readEdits } from '../../../../src/prompts/replies/editReply.js';
import { reflectionReply, reflectionReplySchema } from '../../../../src/prompts/reflection/reflection.js';
import { aRunContext, edits, say } from '../../../builders/aRunContext.js';
import { ScriptedModel, type ScriptedAnswer } from '../../../fakes/ScriptedModel.js';

const whole = edits(say('alpha'), say('beta'), say('gamma'));
const inThird = whole.slice(0, whole.indexOf('gamma') + 3);
const cut: ScriptedAnswer = { text: inThird, finish: 'length' };

describe('an optimizer whose reply is cut', () => {
  it('is asked once more, with four times the room', async () => {
    const { answer, limits, notes } = await ask(cut, whole);
    assert.deepEqual(contents(answer), ['- Say “alpha”.', '- Say “beta”.', '- Say “gamma”.']);
    assert.deepEqual(limits, [16_384, 65_536]);
    assert.deepEqual(notes, []);
  });

  it('is not asked for more where its server has no more, which a note says with what to set there', async () => {
    const contextCure = 'Start Ollama with OLLAMA_CONTEXT_LENGTH=16384.';
    const { answer, limits, notes } = await ask({ text: inThird, finish: 'length', contextCure }, 'no second');
    assert.deepEqual(contents(answer), ['- Say “alpha”.', '- Say “beta”.']);
    assert.equal(limits.length, 1);
    assert.match(notes.join(), /what it held last was dropped\. Start Ollama with OLLAMA_CONTEXT_LENGTH=16384\.$/);
    const lost = await ask({ text: '', finish: 'length', contextCure }, 'no second');
    assert.match(lost.answer.kind === 'lost' ? lost.answer.reason : '', /used up all its room\. Start Ollama/);
    assert.equal(lost.limits.length, 1);
  });

  it('never gives half an edit, wherever it is cut, however often', async () => {
    for (let end = 1; end < whole.length; end += 1) {
      const { answer } = await ask({ text: whole.slice(0, end), finish: 'length' }, cut);
      for (const content of contents(answer)) assert.match(content, /^- Say “(?:alpha|beta|gamma)”\.$/);
    }
  });

  it('loses the last edit where it is cut again, which a note says', async () => {
    const { answer, notes } = await ask(cut, cut);
    assert.deepEqual(contents(answer), ['- Say “alpha”.', '- Say “beta”.']);
    assert.deepEqual(notes, [
      'The optimizer’s reply was cut off (reflect, step 2): what it held last was dropped. Raise answers.optimizer, or let the model think less.',
    ]);
  });

  const useless: readonly (readonly [name: string, second: ScriptedAnswer])[] = [
    ['is of no form', 'I would rather not.'],
    ['is thought away', { text: '', finish: 'length' }],
    ['comes too late', new ModelError('timeout', 'Late.')],
    ['is not within the caps', new ModelError('cap', 'The cap of 5 USD is reached.')],
  ];
  for (const [name, second] of useless) {
    it(`keeps the whole edits of the first reply where the second ${name}`, async () => {
      const { answer, notes } = await ask(cut, second);
      assert.deepEqual(contents(answer), ['- Say “alpha”.', '- Say “beta”.']);
      assert.equal(notes.length, 1);
    });
  }

  it('says so where thinking used up all its room, twice', async () => {
    const thought: ScriptedAnswer = { text: '', finish: 'length' };
    const { answer } = await ask(thought, thought);
    assert.equal(answer.kind === 'lost' && answer.reason, 'the reply is malformed: thinking used up all its room');
  });

  it('is not asked again where the cut came after the last edit', async () => {
    const { answer, limits } = await ask({ text: `${whole}\n\nThese edits sho`, finish: 'length' }, 'no second');
    assert.equal(contents(answer).length, 3);
    assert.equal(limits.length, 1);
  });

  it('is asked again where the server does not say that it was cut', async () => {
    const { answer, limits } = await ask(inThird, whole);
    assert.equal(contents(answer).length, 3);
    assert.deepEqual(limits, [16_384, 65_536]);
  });

  it('is asked once where no more room is to be given', async () => {
    const { answer, limits } = await ask(cut, 'no second', { answers: { more: 1, optimizer: 2_000 } });
    assert.deepEqual(contents(answer), ['- Say “alpha”.', '- Say “beta”.']);
    assert.deepEqual(limits, [2_000]);
  });
});

async function ask(first: ScriptedAnswer, second: ScriptedAnswer, settings: Readonly<Record<string, unknown>> = {}) {
  const optimizer = new ScriptedModel().when(({ attempt }) => attempt === 1, first).when(() => true, second);
  const { context, events } = aRunContext({ optimizer, settings });
  const question = {
    prompt: 'Improve it.',
    reply: reflectionReply,
    replySchema: reflectionReplySchema,
    about: 'reflect' as const,
    step: 2,
    part: '',
  };
  const answer = await askOptimizer(context, question, new AbortController().signal);
  const notes = events.flatMap((event) => (event.kind === 'note' ? [event.text] : []));
  return { answer, notes, limits: optimizer.requests.map((request) => request.maxOutputTokens) };
}

function contents(answer: Awaited<ReturnType<typeof ask>>['answer']): readonly string[] {
  if (answer.kind === 'lost') return [];
  return readEdits(answer.value.edits).edits.map(({ edit }) => ('content' in edit ? edit.content : ''));
}
