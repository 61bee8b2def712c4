import assert from 'node:assert/strict';
import { ModelError } from '../../../../src/errors.js';
import { select } from '../../../../src/engine/stages/select.js';
import { aPatchEdit } from '../../../builders/aPatch.js';
import { aRunContext, anOptimizer, say } from '../../../builders/aRunContext.js';
import type { ScriptedAnswer } from '../../../fakes/ScriptedModel.js';

const { signal } = new AbortController();
const five = ['a', 'b', 'c', 'd', 'e'];

describe('selection of edits', () => {
  it('takes all where they fit the budget, without a call', async () => {
    const { words, calls } = await chosen(five.slice(0, 2), new Error('must not be asked'));
    assert.deepEqual([words, calls], [['a', 'b'], 0]);
  });

  const rankings: readonly (readonly [name: string, reply: ScriptedAnswer, words: readonly string[], says: RegExp])[] =
    [
      ['takes the ranked ones in their order', ranking([4, 1]), ['e', 'b'], /^$/],
      ['takes no more than the budget', ranking([4, 3, 2, 1]), ['e', 'd'], /^$/],
      ['counts an edit named twice once', ranking([3, 3, 0]), ['d', 'a'], /^$/],
      ['ignores numbers that name no edit', ranking([99, -1, 1.5, 2]), ['c'], /^$/],
      [
        'takes no number that was cut, twice: it may be the start of another',
        { text: '{"reasoning": "x", "selected_indices": [4, 1', finish: 'length' },
        ['e'],
        /^$/,
      ],
      [
        'takes the first where thinking left no ranking',
        { text: '', finish: 'length' },
        ['a', 'b'],
        /because the reply is malformed: thinking used up all its room/,
      ],
      [
        'takes the first where no number names an edit',
        ranking([99]),
        ['a', 'b'],
        /the ranking named no edit of the list/,
      ],
      [
        'takes the first where the ranking is prose',
        'All of them.',
        ['a', 'b'],
        /the first 2 were taken, because the reply is malformed/,
      ],
      [
        'takes the first where the call fails',
        new ModelError('timeout', 'Too slow.'),
        ['a', 'b'],
        /the call failed: Too slow\./,
      ],
    ];
  for (const [name, reply, words, says] of rankings) {
    it(name, async () => {
      const result = await chosen(five, reply);
      assert.deepEqual(result.words, words);
      assert.match(result.fallback ?? '', says);
    });
  }
});

function ranking(indices: readonly number[]): string {
  return JSON.stringify({ reasoning: '', selected_indices: indices });
}

async function chosen(words: readonly string[], rank: ScriptedAnswer) {
  const run = aRunContext({ optimizer: anOptimizer({ rank }) });
  const list = words.map((word) => aPatchEdit(say(word)));
  const result = await select(run.context, list, { step: 1, skill: '# Skill', budget: 2 }, signal);
  const event = run.events.findLast((each) => each.kind === 'selected');
  return {
    words: result.map((each) => /“(\w+)”/u.exec(JSON.stringify(each))?.[1] ?? ''),
    calls: run.optimizer.requests.length,
    fallback: event?.fallback,
  };
}
