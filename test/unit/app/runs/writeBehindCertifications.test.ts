import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type { Certifications, StoredCertification } from '../../../../src/engine/runContext.js';
import { startCertification } from '../../../../src/gate/statistics/certification.js';
import { writeBehindCertifications } from '../../../../src/app/runs/writeBehindCertifications.js';
import { MemoryCertifications } from '../../../fakes/MemoryCertifications.js';

const first: StoredCertification = { state: startCertification({ n: 6, grid: 1 }), answers: {} };
const subject = { originalHash: 'before', candidateHash: 'after', heldOut: ['a', 'b', 'c', 'd', 'e', 'f'] };

describe('certifications whose passes are stored beside the work', () => {
  it('do not keep the run waiting, and are stored in order', async () => {
    const memory = new MemoryCertifications();
    const later = writeBehindCertifications(slow(memory));
    await later.save('id', { ...first, answers: { a: ['1', undefined] } });
    await later.save('id', { ...first, answers: { a: ['2', undefined] } });
    assert.equal(memory.stored.size, 0);
    await later.settled();
    assert.deepEqual(memory.stored.get('id')?.answers, { a: ['2', undefined] });
  });

  it('are opened as the last pass left them', async () => {
    const later = writeBehindCertifications(slow(new MemoryCertifications()));
    const opened = await later.open(subject, first);
    assert.ok(opened.kind === 'open');
    await later.save(opened.id, { ...first, answers: { a: ['1', '2'] } });
    const again = await later.open(subject, first);
    assert.deepEqual(again.kind === 'open' && again.stored.answers, { a: ['1', '2'] });
  });

  it('say at the end where a pass could not be stored', async () => {
    const memory = new MemoryCertifications();
    const later = writeBehindCertifications({
      open: (what, begun) => memory.open(what, begun),
      save: () => Promise.reject(new Error('the disk is full')),
    });
    await later.save('id', first);
    await wait(1);
    await assert.rejects(later.settled(), /the disk is full/);
    await assert.rejects(later.open(subject, first), /the disk is full/);
  });
});

function slow(memory: MemoryCertifications): Certifications {
  return {
    open: (what, begun) => memory.open(what, begun),
    save: async (id, stored) => {
      await wait(2);
      await memory.save(id, stored);
    },
  };
}
