import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { AdoptionsUnderWay } from '../../../src/review/adoptionsUnderWay.js';

describe('adoptions under way', () => {
  it('keep nobody waiting where there are none, or only those of another skill', async () => {
    const underWay = new AdoptionsUnderWay();
    underWay.begin('/other/SKILL.md');
    assert.equal(await isSettled(underWay), true);
    underWay.end('/never/begun/SKILL.md');
    assert.equal(await isSettled(underWay), true);
  });

  it('are waited for until the last has its receipt', async () => {
    const underWay = new AdoptionsUnderWay();
    underWay.begin(skill);
    underWay.begin(skill);
    const settled = underWay.settled(skill);
    underWay.end(skill);
    assert.equal(await isSettled(underWay), false);
    underWay.end(skill);
    await settled;
    assert.equal(await isSettled(underWay), true);
  });

  it('are not waited for without end where the person has yet to save', async () => {
    const underWay = new AdoptionsUnderWay(100);
    underWay.begin(skill);
    await underWay.settled(skill);
  });

  it('are waited for as long as we are saving', async () => {
    const underWay = new AdoptionsUnderWay(50);
    const disk = new EventEmitter();
    const saving = underWay.saving(skill, async () => void (await once(disk, 'saved')));
    const settled = underWay.settled(skill);
    await wait(200);
    assert.equal(await isSettled(underWay), false);
    disk.emit('saved');
    await Promise.all([saving, settled]);
    assert.equal(await isSettled(underWay), true);
    await assert.rejects(
      underWay.saving(skill, () => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.equal(await isSettled(underWay), true);
  });
});

const skill = '/words/SKILL.md';

async function isSettled(underWay: AdoptionsUnderWay): Promise<boolean> {
  return Promise.race([underWay.settled(skill).then(() => true), wait(20).then(() => false)]);
}
