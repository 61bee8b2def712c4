import assert from 'node:assert/strict';
import { ModelError } from '../../../../src/errors.js';
import { originalCandidate } from '../../../../src/engine/candidate.js';
import { certify } from '../../../../src/engine/certify/certify.js';
import { aRunContext, chance, type Ability } from '../../../builders/aRunContext.js';
import { aSplit } from '../../../builders/aSplit.js';
import { MemoryCertifications } from '../../../fakes/MemoryCertifications.js';

const { signal } = new AbortController();

describe('certification', () => {
  it('attempts every held-out task under both skills, side by side, until the answer is known', async () => {
    const { certified, run } = await certifiedBy(better, { heldOut: 10 });
    assert.equal(certified.kind === 'decided' && certified.stored.state.decision.kind, 'accepted');
    assert.equal(run.attempts.length, 2 * 10);
    const [first, second] = run.attempts;
    assert.equal(first?.task.id, second?.task.id);
    assert.deepEqual([first?.skill, second?.skill], ['before', 'after']);
  });

  it('takes fresh attempts that no selection has seen, others in every pass', async () => {
    const { run } = await certifiedBy(coin(0.5));
    const families = new Set(run.attempts.map(({ family }) => family));
    assert.equal(families.size, 1);
    assert.ok([...families].every((family) => family.startsWith('certification:')));
    const passes = new Set(run.attempts.map(({ attempt }) => attempt));
    assert.ok(passes.size >= 2);
  });

  it('refuses below five tasks before anything is spent', async () => {
    const { certified, run } = await certifiedBy(() => 'alpha', { heldOut: 4 });
    assert.deepEqual([certified.kind, run.attempts.length], ['too-few-tasks', 0]);
  });

  it('pays one quarter of the error budget each, and refuses the fifth', async () => {
    const certifications = new MemoryCertifications();
    const kinds: string[] = [];
    for (let round = 0; round < 5; round++) {
      const { certified } = await certifiedBy(() => 'no', { certifications, after: `after ${round}` });
      kinds.push(certified.kind);
    }
    assert.deepEqual(kinds, ['decided', 'decided', 'decided', 'decided', 'budget-empty']);
  });

  it('goes on where a cap cut it off, with the same attempts and without paying again', async () => {
    const certifications = new MemoryCertifications();
    let left = 20;
    const capped: Ability = (skill, prompt, sample) =>
      left-- > 0 ? coin(0.5)(skill, prompt, sample) : new ModelError('cap', 'Enough.');
    const cut = await certifiedBy(capped, { certifications });
    assert.equal(cut.certified.kind, 'cut-off');
    const resumed = await certifiedBy(coin(0.5), { certifications });
    const whole = await certifiedBy(coin(0.5));
    assert.ok(resumed.certified.kind === 'decided' && whole.certified.kind === 'decided');
    assert.deepEqual(resumed.certified.stored.state, whole.certified.stored.state);
    assert.equal(certifications.budget?.certifications.length, 1);
  });

  it('keeps the last answers of every task on both sides', async () => {
    const { certified, run } = await certifiedBy(better);
    assert.ok(certified.kind === 'decided');
    const [before, after] = certified.stored.answers['heldOut-0'] ?? [];
    assert.equal(run.texts.texts.get(before ?? ''), 'no');
    assert.equal(run.texts.texts.get(after ?? ''), 'alpha');
  });
});

const better: Ability = (skill) => (skill.includes('after') ? 'alpha' : 'no');

function coin(share: number): Ability {
  return (skill, prompt, sample) => (chance(`${skill} ${prompt} ${sample}`) < share ? 'alpha' : 'no');
}

async function certifiedBy(
  ability: Ability,
  parts: {
    readonly heldOut?: number;
    readonly certifications?: MemoryCertifications;
    readonly after?: string;
  } = {},
) {
  const run = aRunContext({
    ability,
    ...(parts.certifications === undefined ? {} : { certifications: parts.certifications }),
  });
  const { heldOut } = aSplit({ heldOut: parts.heldOut ?? 8 });
  const compared = {
    original: originalCandidate('before'),
    candidate: originalCandidate(parts.after ?? 'after'),
    heldOut,
    memory: { before: undefined, after: undefined },
    claim: 'better' as const,
  };
  return { run, certified: await certify(run.context, compared, signal) };
}
