import assert from 'node:assert/strict';
import { Actions } from '../e2e/driver/actions.js';

/** The walks through the window are as short as is promised only if one action more fails. */
describe('the actions of a walk', () => {
  it('are taken in order, and the one after the last that is allowed fails before it is taken', async () => {
    const actions = new Actions(2);
    const taken: string[] = [];
    const take = (name: string) => actions.take(name, async () => void taken.push(name));
    await take('Optimize');
    await take('Accept');
    await assert.rejects(take('Save'), /“Save” is one action more than 2: Optimize, Accept, Save\./);
    assert.deepEqual(taken, ['Optimize', 'Accept']);
  });
});
