import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { agentAccess } from '../../../../src/app/models/agentAccess.js';
import { userStore } from '../../../../src/app/world.js';
import { prune } from '../../../../src/storage/state/retention.js';
import { ManualClock } from '../../../fakes/ManualClock.js';

const dayMs = 24 * 60 * 60 * 1000;

describe('what an agent program told while it worked', () => {
  let state: string;
  beforeEach(() => {
    state = mkdtempSync(path.join(os.tmpdir(), 'whetstone-lines-'));
  });
  afterEach(() => rmSync(state, { recursive: true, force: true }));

  it('is kept without secrets, for this user’s eyes alone, for thirty days', async () => {
    const clock = new ManualClock(Date.now());
    const environment = { WHETSTONE_HOME: state };
    const world = { environment, platform: process.platform, home: state, clock, trusted: () => true };
    const { keepLines } = await agentAccess({ world })();
    const token = `ghp_${'a1B2c3D4'.repeat(4)}e5F6`;
    const name = await keepLines?.(['{"type":"first"}', `{"output":"${token}"}`]);
    const [file, ...others] = readdirSync(state, { recursive: true, encoding: 'utf8' })
      .map((each) => path.join(state, each))
      .filter((each) => each.includes(`${path.sep}texts${path.sep}`) && statSync(each).isFile());
    assert.ok(file !== undefined && others.length === 0);
    assert.equal(path.basename(file), name);
    const text = readFileSync(file, 'utf8');
    assert.match(text, /^\{"type":"first"\}\n\{"output":"/u);
    assert.ok(!text.includes(token));
    if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);
    const store = await userStore(world);
    assert.equal((await prune({ ...store, clock: new ManualClock(Date.now() + 29 * dayMs) })).texts, 0);
    assert.equal((await prune({ ...store, clock: new ManualClock(Date.now() + 31 * dayMs) })).texts, 1);
  });
});
