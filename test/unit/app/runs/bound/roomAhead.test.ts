import assert from 'node:assert/strict';
import { leavesRoomAhead } from '../../../../../src/app/runs/bound/roomAhead.js';
import { resolveOptions } from '../../../../../src/engine/runOptions.js';
import type { SpendCap } from '../../../../../src/ports/spend.js';
import { aSplit } from '../../../../builders/aSplit.js';
import { ManualClock } from '../../../../fakes/ManualClock.js';
import { MemoryLedger } from '../../../../fakes/MemoryLedger.js';
import { ScriptedModel } from '../../../../fakes/ScriptedModel.js';

const free = new ScriptedModel({ simulated: true });
const priced = new ScriptedModel({ provider: 'openai', model: 'gpt-5-mini' });
const unpriced = new ScriptedModel();

describe('room for attempts that are made ahead', () => {
  const cases: readonly {
    readonly name: string;
    readonly run?: SpendCap;
    readonly month?: SpendCap;
    readonly model?: ScriptedModel;
    readonly room: boolean;
  }[] = [
    { name: 'without a cap', room: true },
    { name: 'with a cap in minutes alone, which no call can pass by itself', run: { minutes: 1 }, room: true },
    { name: 'with calls enough for both', run: { calls: 500 }, room: true },
    { name: 'with calls for one of them', run: { calls: 12 }, room: false },
    { name: 'with calls enough of which others made most this month', month: { calls: 60 }, room: false },
    { name: 'with few tokens', run: { tokens: 1_000 }, room: false },
    { name: 'with much money', run: { usd: 1_000 }, model: priced, room: true },
    { name: 'with little money', run: { usd: 0.001 }, model: priced, room: false },
    { name: 'with money for what nobody knows the price of', run: { usd: 1_000 }, model: unpriced, room: false },
  ];
  for (const { name, run = {}, month = {}, model = free, room } of cases) {
    it(`${room ? 'is there' : 'is missing'} ${name}`, async () => {
      const { training, heldOut } = aSplit({ training: 6, heldOut: 6 });
      const ledger = new MemoryLedger(new ManualClock());
      const claim = { runId: 'another', role: 'target', model: 'm', worst: { tokens: 1, usd: 0 } } as const;
      const open = { run: {}, day: {}, month: {} };
      for (let call = 0; call < 50; call++)
        await ledger.reserve({ ...claim, caps: open }, new AbortController().signal);
      const found = await leavesRoomAhead({
        text: 'Answer in words.',
        folder: '/',
        programs: new Map(),
        options: resolveOptions('standard', []),
        models: { target: model, optimizer: model, judge: model },
        prices: {},
        heldOut,
        training,
        caps: { run, day: {}, month },
        ledger,
        runId: 'this',
      });
      assert.equal(found, room);
    });
  }
});
