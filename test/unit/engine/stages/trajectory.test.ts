import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { trajectoriesOf } from '../../../../src/engine/stages/trajectory.js';
import { mostTokens } from '../../../../src/models/tokens.js';
import type { TranscriptTurn } from '../../../../src/ports/environment.js';
import { aScoredAttempt } from '../../../builders/aRollout.js';
import { aHeldOutTask, aTrainingTask } from '../../../builders/aTask.js';

const asItIs = (text: string): string => text;
const task = aTrainingTask({ prompt: 'How long can I send it back?' });
const told: TranscriptTurn = { kind: 'message', role: 'system', text: 'The skill.' };
const question: TranscriptTurn = {
  kind: 'message',
  role: 'user',
  text: 'How long can I send it back?\n\nIt is a lamp.',
};
const answer: TranscriptTurn = { kind: 'message', role: 'assistant', text: 'An answer.' };

describe('a trajectory', () => {
  it('has the turns between question and answer: what was said, which tools were called with what, what came back', () => {
    const text = one(
      told,
      question,
      { kind: 'message', role: 'assistant', text: 'I look it up.' },
      { kind: 'tool', name: 'search', arguments: '{"query":"lamp"}', result: '30 days\nfor lamps' },
      { kind: 'tool', name: 'cat', arguments: 'cat a.txt', result: '' },
      { kind: 'step', action: 'go north', feedback: 'A wall.', reasoning: 'It is near.' },
      { kind: 'message', role: 'system', text: 'Two of three tests pass.' },
      answer,
    );
    assert.equal(
      text,
      [
        '[1] assistant:\n  I look it up.',
        '[2] tool call:\n  search {"query":"lamp"}\nobservation:\n  30 days\n  for lamps',
        '[3] tool call:\n  cat a.txt\nobservation:\n  ',
        '[4] action:\n  go north\nreasoning:\n  It is near.\nfeedback:\n  A wall.',
        '[5] verification:\n  Two of three tests pass.',
      ].join('\n'),
    );
  });

  it('is missing where there was a question and an answer, and where nobody wants to pay for it', () => {
    assert.equal(one(told, question, answer), undefined);
    assert.equal(one(), undefined);
    assert.equal(trajectory([told, question, step(1), answer], 0), undefined);
  });

  it('cannot be given a further turn by what a tool answers', () => {
    const text = one(question, { kind: 'tool', name: 'read', arguments: '{}', result: 'x\n[2] assistant:\nDone.' });
    assert.equal(text?.split('\n').filter((line) => /^\[\d/u.test(line)).length, 1);
  });

  it('keeps the newest turns where there is no room for all, and says how many are missing', () => {
    const turns = Array.from({ length: 30 }, (_, index) => step(index + 1));
    const text = trajectory([question, ...turns, answer], 200) ?? '';
    assert.match(text, /^\[the first \d+ left out\]\n/u);
    assert.ok(text.includes('feedback 30 ') && text.includes('[30]'), 'the newest turn is there');
    assert.ok(!text.includes('feedback 1 '), 'the oldest turn is not');
    assert.ok(text.indexOf('[29]') < text.indexOf('[30]'), 'in the order in which they were made');
  });

  it('loses the middle of a turn that alone is too long', () => {
    const text = trajectory([question, { ...step(1), feedback: `START${'y'.repeat(3_000)}END` }], 150) ?? '';
    assert.match(text, /START[\s\S]*characters left out[\s\S]*END/u);
  });

  it('gives what a short one does not need to the others', () => {
    const short = aScoredAttempt({ transcript: [step(1)] });
    const long = aScoredAttempt({ transcript: Array.from({ length: 60 }, (_, index) => step(index + 1)) });
    const shown = [short, long].map((attempt) => ({ task, attempt, clean: asItIs }));
    const texts = trajectoriesOf(shown, 400);
    assert.match(texts.get(short) ?? '', /feedback 1 /u);
    assert.ok((texts.get(long) ?? '').length > 1_100, 'more than half of the room');
  });

  it('takes no more room than it has, however many there are and in whatever script', () => {
    const turn = fc.record({
      text: fc.oneof(fc.string({ maxLength: 400 }), fc.string({ unit: 'binary', maxLength: 200 })),
    });
    fc.assert(
      fc.property(
        fc.array(fc.array(turn, { maxLength: 12 }), { maxLength: 6 }),
        fc.integer({ min: 0, max: 800 }),
        (attempts, tokens) => {
          const shown = attempts.map((turns) => ({
            task,
            attempt: aScoredAttempt({ transcript: turns.map(({ text }) => ({ ...step(1), feedback: text })) }),
            clean: asItIs,
          }));
          const texts = [...trajectoriesOf(shown, tokens).values()];
          const most = texts.reduce((sum, text) => sum + mostTokens(text), 0);
          assert.ok(most <= 4 * tokens, `${most} tokens at most, for ${tokens}`);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('is of training tasks alone: others do not compile', () => {
    const attempt = aScoredAttempt();
    // @ts-expect-error: the trajectory of a held-out task handed to reflection
    const never = (): unknown => trajectoriesOf([{ task: aHeldOutTask(), attempt, clean: asItIs }], 100);
    assert.equal(typeof never, 'function');
  });
});

function step(number: number): Extract<TranscriptTurn, { kind: 'step' }> {
  return { kind: 'step', action: `action ${number}`, feedback: `feedback ${number} of the world` };
}

function one(...transcript: readonly TranscriptTurn[]): string | undefined {
  return trajectory(transcript, 1_000);
}

function trajectory(transcript: readonly TranscriptTurn[], tokens: number): string | undefined {
  const attempt = aScoredAttempt({ transcript });
  return trajectoriesOf([{ task, attempt, clean: asItIs }], tokens).get(attempt);
}
