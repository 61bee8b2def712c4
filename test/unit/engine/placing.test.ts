import assert from 'node:assert/strict';
import { originalCandidate } from '../../../src/engine/candidate.js';
import type { PatchEdit } from '../../../src/engine/patch.js';
import { update } from '../../../src/engine/stages/update.js';
import { aPatchEdit } from '../../builders/aPatch.js';
import { aRunContext } from '../../builders/aRunContext.js';
import { neverAborted } from '../../builders/storage.js';
import { ScriptedModel, type ScriptedAnswer } from '../../fakes/ScriptedModel.js';

const text = '# Tone\n\n- Be brief.\n- Say what happens.\n';
const nowhere = aPatchEdit(
  { op: 'replace', anchor: 'Be polite.', content: '- Be kind.', rationale: 'rude' },
  { tasks: ['t7'], support: 3 },
);
const there: PatchEdit = aPatchEdit({ op: 'append', content: '- Never guess.', rationale: '' });

describe('edits of a step of which none finds its place', () => {
  it('are asked for once more with the reasons, and keep where they came from', async () => {
    const { candidate, asked } = await updated(
      [nowhere],
      reply({ op: 'replace', anchor: '- Be brief.', content: '- Be kind.' }),
    );
    assert.equal(candidate.text, '# Tone\n\n- Be kind.\n- Say what happens.\n');
    assert.deepEqual(
      candidate.edits.map(({ tasks, support, source }) => ({ tasks, support, source })),
      [{ tasks: ['t7'], support: 3, source: 'failure' }],
    );
    assert.equal(asked.length, 1);
    assert.match(asked[0] ?? '', /The document does not contain “Be polite\.”/);
    assert.match(asked[0] ?? '', /- Say what happens\./);
  });

  const kept: readonly (readonly [name: string, answer: ScriptedAnswer, calls: number])[] = [
    ['the second ones find none either', reply({ op: 'delete', anchor: 'Still nowhere.' }), 1],
    ['none come back', JSON.stringify({ edits: [] }), 1],
    ['what comes back cannot be read, twice', 'I am sorry.', 2],
  ];
  for (const [name, answer, calls] of kept) {
    it(`are reported as they were where ${name}, and not asked for a third time`, async () => {
      const { candidate, report, asked } = await updated([nowhere], answer);
      assert.equal(candidate.text, text);
      assert.deepEqual(report, [{ ...report[0], edit: nowhere.edit }]);
      assert.equal(asked.length, calls);
    });
  }

  it('are not more than there were', async () => {
    const { candidate } = await updated(
      [nowhere],
      reply({ op: 'append', content: '- Be kind.' }, { op: 'append', content: '- Be quick.' }),
    );
    assert.equal(candidate.edits.length, 1);
  });

  const notAsked: readonly (readonly [name: string, edits: readonly PatchEdit[]])[] = [
    ['one of them found its place', [nowhere, there]],
    ['they were refused for another reason', [aPatchEdit({ op: 'append', content: '- Be brief.', rationale: '' })]],
    ['they are an environment’s own', [{ ...nowhere, source: 'environment', environment: 'lab' }]],
    ['there were none', []],
  ];
  for (const [name, edits] of notAsked) {
    it(`are not asked for where ${name}`, async () => {
      assert.deepEqual((await updated(edits, 'nobody asks')).asked, []);
    });
  }
});

async function updated(edits: readonly PatchEdit[], answer: ScriptedAnswer) {
  const optimizer = new ScriptedModel().when('none of them could be made', answer);
  const { context } = aRunContext({ optimizer });
  const made = await update(context, edits, { step: 1, about: '', from: originalCandidate(text) }, neverAborted);
  return {
    ...made,
    asked: optimizer.requests.map(({ messages }) => messages.map(({ content }) => content).join('\n')),
  };
}

function reply(...edits: readonly object[]): string {
  return JSON.stringify({ reasoning: '', edits });
}
