import assert from 'node:assert/strict';
import { neverAborted } from '../builders/storage.js';
import type { TrainOrder, TrainReport } from './children/trainChild.js';
import { callLogIn, callsIn, runTraining, storedReplies, trainingScript } from './children/trainProcess.js';
import { aDay, firstNight, someNights, type SomeNights } from './someNights.js';
import { incidents, remarks } from './toldIncidents.js';

const settings = { gate: { attribution: false }, concurrency: 2 };
const minutes = 60_000;
const mined = 4; // calls of the miner, one a session

describe('a night with unconfirmed drafts that is killed', function killed() {
  this.timeout(300_000);
  let script = '';
  let unbroken: Ended;

  before(async () => {
    script = await trainingScript();
    unbroken = await withNights(async (nights) => ended(nights, await finished(nights, { night: 'next' })));
    assert.ok(unbroken.drafts.length === mined && unbroken.calls.length > mined + 20, String(unbroken.calls.length));
    assert.ok(
      unbroken.lessons.some((id) => unbroken.drafts.includes(id)),
      'it learns from drafts',
    );
  });

  const kills = [
    ['while it mines', mined - 1, 'next', 'by the next night'],
    ['while it trains', mined + 12, 'next', 'by the next night'],
    ['while it trains', mined + 12, 'resumed', 'by the person'],
  ] as const;
  for (const [when, at, night, by] of kills)
    it(`${when} comes to the same drafts and the same proposal, taken up ${by}, and pays nothing twice`, () =>
      withNights(async (nights) => {
        const first = await runTraining(script, orderFor(nights, { night, kill: { kind: 'call', at } }));
        assert.equal(first.signal, 'SIGKILL', first.complaints);
        const stored = storedReplies(nights);
        const asked = callsIn(nights);
        const end = await ended(nights, await finished(nights, { night, aheadMs: 2 * minutes }));
        const again = end.calls.slice(asked.length);
        assert.deepEqual(
          again.filter((key) => stored.has(key)),
          [],
          'stored replies were asked for again',
        );
        assert.deepEqual(end.drafts, unbroken.drafts);
        assert.deepEqual(end.proposal?.documents, unbroken.proposal?.documents);
        assert.deepEqual(end.proposal?.verdict, unbroken.proposal?.verdict);
        assert.deepEqual(new Set(end.calls), new Set(unbroken.calls));
        const repeated = end.calls.length - new Set(end.calls).size;
        assert.ok(repeated <= settings.concurrency, `${repeated} replies were lost, more than were under way`);
      }));

  async function finished(nights: SomeNights, more: Partial<TrainOrder>): Promise<TrainReport> {
    const { code, said, complaints } = await runTraining(script, orderFor(nights, more));
    assert.equal(code, 0, complaints);
    return JSON.parse(said);
  }
});

interface Ended {
  readonly proposal: TrainReport['proposal'];
  /** The tasks that its edits come from. */
  readonly lessons: readonly string[];
  readonly drafts: readonly string[];
  readonly calls: readonly string[];
}

async function ended(nights: SomeNights, { proposal }: TrainReport): Promise<Ended> {
  const lessons = proposal?.documents.flatMap(({ edits }) => edits.flatMap(({ lessonsFrom }) => lessonsFrom)) ?? [];
  return { proposal, lessons, drafts: (await nights.drafts()).map(({ id }) => id), calls: callsIn(nights) };
}

/** Sessions of today: the night of another process goes by the machine's own clock. */
async function withNights<Result>(work: (nights: SomeNights) => Promise<Result>): Promise<Result> {
  const nights = someNights({ tasks: 9 });
  try {
    const told = incidents.slice(0, mined).map((asked) => ({ asked, remark: remarks[0] ?? '' }));
    nights.tell((Date.now() - firstNight) / aDay, told);
    await nights.useCases.allowSessions('claude-code', true, neverAborted);
    await nights.useCases.turnUnconfirmedTraining({ folders: [nights.workspace.folder], on: true }, neverAborted);
    return await work(nights);
  } finally {
    nights.workspace.dispose();
  }
}

function orderFor(nights: SomeNights, more: Partial<TrainOrder>): TrainOrder {
  const { home, request, workspace } = nights;
  return {
    folder: workspace.folder,
    home,
    skillPath: request.skillPath,
    callLog: callLogIn(nights),
    settings,
    aheadMs: 0,
    ...more,
  };
}
