import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { agentWorkplaces } from '../../../../src/app/environments/agentWorkplaces.js';
import { createSandboxUseCases } from '../../../../src/app/environments/sandbox.js';
import type { SandboxWorld } from '../../../../src/app/world.js';
import { userStateFolder } from '../../../../src/storage/state/userState.js';
import { ManualClock } from '../../../fakes/ManualClock.js';
import { needsSandbox, sandboxHelper } from '../../../builders/aSandbox.js';
import { aMachine, neverAborted, scrapMachines } from '../../../builders/storage.js';

describe('where agents work on this machine', () => {
  after(scrapMachines);

  it('is the sandbox, also where the machine is declared one that is thrown away', async function () {
    await needsSandbox(this);
    const { world, cases } = await aWorld({ helper: sandboxHelper });
    await cases.declareThrowAwayMachine(true, neverAborted);
    assert.deepEqual(await agentWorkplaces(world, () => []).state(neverAborted), { kind: 'contained' });
    await cases.turnSandbox(false, neverAborted);
    assert.deepEqual(await agentWorkplaces(world, () => []).state(neverAborted), { kind: 'throw-away' });
    await cases.declareThrowAwayMachine(false, neverAborted);
    assert.deepEqual(await agentWorkplaces(world, () => []).state(neverAborted), {
      kind: 'none',
      sandbox: { kind: 'off' },
    });
  });

  it('is nowhere without a sandbox until the person declares it, in their own state and sealed', async () => {
    const { world, cases } = await aWorld(undefined);
    const places = agentWorkplaces(world, () => []);
    assert.equal((await places.state(neverAborted)).kind, 'none');
    assert.equal(await cases.isThrowAwayMachine(), false);
    await cases.declareThrowAwayMachine(true, neverAborted);
    assert.equal((await places.state(neverAborted)).kind, 'throw-away');
    await cases.declareThrowAwayMachine(false, neverAborted);
    const file = path.join(userStateFolder(world), 'machine.json');
    const text = await readFile(file, 'utf8');
    assert.match(text, /"on": ?false/u);
    await writeFile(file, text.replace(/("on": ?)false/u, '$1true')); // not written by us
    assert.equal((await places.state(neverAborted)).kind, 'none');
  });
});

async function aWorld(sandbox: SandboxWorld['sandbox']) {
  const { home } = await aMachine();
  const { PATH } = process.env;
  const world = {
    environment: { PATH },
    platform: 'linux' as const,
    home,
    clock: new ManualClock(),
    trusted: () => true,
    sandbox,
  };
  return { world, cases: createSandboxUseCases(world) };
}
