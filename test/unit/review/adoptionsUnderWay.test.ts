import assert from 'node:assert/strict';
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

  it('are not waited for without end', async function () {
    this.timeout(6_000);
    const underWay = new AdoptionsUnderWay();
    underWay.begin(skill);
    await underWay.settled(skill);
  });
});

const skill = '/words/SKILL.md';

async function isSettled(underWay: AdoptionsUnderWay): Promise<boolean> {
  return Promise.race([underWay.settled(skill).then(() => true), wait(20).then(() => false)]);
}
