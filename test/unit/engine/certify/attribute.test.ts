import assert from 'node:assert/strict';
import { ModelError } from '../../../../src/errors.js';
import { attribute } from '../../../../src/engine/certify/attribute.js';
import { countForAttribution } from '../../../../src/engine/certify/attributionBudget.js';
import { asSkill, originalCandidate } from '../../../../src/engine/candidate.js';
import { withEdits } from '../../../../src/engine/stages/update.js';
import type { Edit } from '../../../../src/skill/edits/edit.js';
import { aPatchEdit } from '../../../builders/aPatch.js';
import { aRunContext, neverSay, say, skillText, type RunParts } from '../../../builders/aRunContext.js';
import { aSplit, wants } from '../../../builders/aSplit.js';

const { signal } = new AbortController();

describe('attribution', () => {
  it('keeps the edits that help and drops those that do not', async () => {
    const { attributed, kept, dropped } = await attributedTo([say('alpha'), say('gamma'), say('beta')]);
    assert.deepEqual(kept, ['alpha', 'beta']);
    assert.deepEqual(dropped, ['gamma']);
    assert.ok(!attributed.kept.text.includes('gamma'));
  });

  it('says what each edit is worth, within its interval', async () => {
    const { attributed } = await attributedTo([say('alpha'), say('gamma')]);
    const [alpha, gamma] = [...attributed.worths.values()];
    assert.ok(alpha !== undefined && gamma !== undefined);
    assert.equal(alpha.effect, 0.5);
    assert.equal(gamma.effect, 0);
    for (const worth of [alpha, gamma])
      assert.ok(worth.interval[0] <= worth.effect && worth.effect <= worth.interval[1]);
  });

  it('measures a block of all subsets over all training tasks', async () => {
    const { run } = await attributedTo([say('alpha'), say('beta')]);
    assert.equal(run.attempts.length, 4 * 6);
    assert.ok(run.attempts.every(({ task, phase }) => task.id.startsWith('training') && phase === 'training'));
  });

  it('measures neighbours together where there are more than four', async () => {
    const words = ['alpha', 'beta', 'c', 'd', 'e'];
    const { attributed } = await attributedTo(words.map(say));
    const groups = [...attributed.worths].map(([each, { group }]) => [
      wordOf(each.edit),
      group.map(({ edit }) => wordOf(edit)),
    ]);
    assert.deepEqual(groups.at(-1), ['e', ['d']]);
  });

  it('drops an edit whose place only a dropped one made', async () => {
    const list: readonly Edit[] = [
      { op: 'append', content: '## Habits\n\n- Think.', rationale: '' },
      { op: 'insert_after', anchor: '- Think.', content: '- Ponder.', rationale: '' },
      say('alpha'),
      say('beta'),
    ];
    const { attributed } = await attributedTo(list);
    assert.ok(!attributed.kept.text.includes('Ponder'));
    assert.deepEqual(
      attributed.kept.edits.map(({ edit }) => wordOf(edit)),
      ['alpha', 'beta'],
    );
  });

  it('leaves the bundle whole where nothing helps singly: the certification tells what it was', async () => {
    const { attributed, dropped } = await attributedTo([say('gamma'), neverSay('delta')]);
    assert.equal(attributed.kept.edits.length, 2);
    assert.deepEqual(dropped, []);
  });

  it('measures nothing for a single edit, nor where it is turned off', async () => {
    assert.equal((await attributedTo([say('alpha')])).run.attempts.length, 0);
    const off = { settings: { gate: { attribution: false } } };
    assert.equal((await attributedTo([say('alpha'), say('beta')], off)).run.attempts.length, 0);
  });

  it('leaves the bundle whole where a cap ends it, and says so', async () => {
    let left = 5;
    const ability = (): string | Error => (left-- > 0 ? 'alpha' : new ModelError('cap', 'The cap is reached.'));
    const { attributed, run } = await attributedTo([say('alpha'), say('beta')], { ability });
    assert.deepEqual([attributed.kept.edits.length, attributed.worths.size], [2, 0]);
    assert.ok(run.events.some((event) => event.kind === 'note' && event.text.includes('The cap is reached.')));
  });

  it('leaves the bundle whole where its bound does not pay for a single task, and says so', async () => {
    const few = { settings: { gate: { attributionCalls: 4 } } };
    const { attributed, run } = await attributedTo([say('alpha'), say('beta')], few);
    assert.deepEqual([attributed.kept.edits.length, attributed.worths.size, run.attempts.length], [2, 0, 0]);
    assert.ok(run.events.some((event) => event.kind === 'note' && event.text.includes('more than the 4 calls')));
  });

  it('counts the judge of a task into its bound', async () => {
    const dear = aRunContext({ settings: { gate: { attributionCalls: 30 } } });
    const tasks = aSplit({ training: 6 });
    const { budget } = countForAttribution({ ...dear.context, passCost: judgedTwice }, tasks);
    assert.deepEqual([budget.left(), tasks.training.map(budget.cost)], [30, [3, 3, 3, 3, 3, 3]]);
  });

  it('lets an attempt that the world prevented count for nobody', async () => {
    const tasks = aSplit({ training: 4 }, () => wants('alpha'));
    const { kept } = await attributedTo([say('alpha'), say('gamma')], { ability: losingOne }, tasks);
    assert.deepEqual(kept, ['alpha']);
  });
});

async function attributedTo(
  list: readonly Edit[],
  parts: RunParts = {},
  tasks = aSplit({ training: 6 }, (_, index) => wants(index % 2 === 0 ? 'alpha' : 'beta')),
) {
  const run = aRunContext(parts);
  const original = originalCandidate(skillText);
  const edits = list.map((edit) => aPatchEdit(edit));
  const { candidate: best } = await withEdits(run.context, original, edits, new AbortController().signal);
  assert.equal(best.edits.length, list.length);
  const slot = asSkill(undefined);
  const attributed = await attribute(
    run.context,
    {
      original,
      best,
      slot,
      tasks: tasks.training,
      claim: 'better',
      budget: countForAttribution(run.context, tasks).budget,
    },
    signal,
  );
  return {
    run,
    attributed,
    kept: attributed.kept.edits.map(({ edit }) => wordOf(edit)),
    dropped: attributed.dropped.map(({ edit }) => wordOf(edit)),
  };
}

function wordOf(edit: Edit): string {
  return 'content' in edit ? (/“(\w+)”/u.exec(edit.content)?.[1] ?? edit.content) : '';
}

function losingOne(skill: string, prompt: string): string | Error {
  if (prompt.includes('training 0')) return new ModelError('timeout', 'slow');
  return skill.includes('“alpha”') ? 'alpha' : 'no';
}

/** A pass over one task under both texts, each attempt with two questions to a judge. */
function judgedTwice() {
  return { calls: 6, usd: undefined };
}
