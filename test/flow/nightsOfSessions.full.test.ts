import assert from 'node:assert/strict';
import type { Task } from '../../src/tasks/task.js';
import { neverAborted } from '../builders/storage.js';
import { committedNotes, skillName, someNights, type SomeNights, type Told } from './someNights.js';
import { aboutFiles, incidents, remarks } from './toldIncidents.js';

/** A morning: what the night found, and what the skill scores once the day is over. */
interface Row {
  readonly night: number;
  readonly verdict: string;
  /** Tasks on the three sides, and how many of them an agent works on. */
  readonly tasks: readonly (readonly [number, number])[];
  /** On the held-out tasks of the first night, on those that there are by now, and on sealed ones. */
  readonly own: number;
  readonly grown: number;
  readonly sealed: number | undefined;
  readonly calls: number;
}

describe('five nights out of sessions', () => {
  it('certify what the person corrected, on a held-out set that grows; sealed tasks agree; the sixth spends nothing', async function fiveNights() {
    this.timeout(600_000);
    const nights = someNights({ tasks: 9 });
    try {
      const commit = committedNotes(nights.workspace.folder);
      await nights.useCases.turnUnconfirmedTraining({ folders: [nights.workspace.folder], on: true }, neverAborted);
      const unlearned = nights.workspace.skillText(skillName);
      const own = (await nights.sides()).heldOut;
      const rows: Row[] = [];
      for (const night of [0, 1, 2, 3, 4]) rows.push(await nightAndDay(nights, { night, own, commit }));

      // Nobody asked, confirmed or adopted anything since: what is confirmed by day is new to a night.
      const calls = nights.calls();
      const sixth = await nights.run(5);
      assert.deepEqual(
        [sixth.stops[0]?.name, sixth.sessions?.read, sixth.spend.calls, nights.calls()],
        ['nothing-changed', 0, 0, calls],
      );

      await nights.confirm();
      const { heldOut: grown, sealed } = await nights.sides();
      const scored = async () => ({
        own: await nights.score(own),
        grown: await nights.score(grown),
        sealed: await nights.score(sealed),
      });
      const learned = await scored();
      nights.workspace.writeSkill(skillName, unlearned);
      const before = await scored();
      const table = [...rows.map(lineOf), `before ${JSON.stringify(before)}, learned ${JSON.stringify(learned)}`];
      process.stdout.write(table.map((line) => `      ${line}\n`).join(''));

      assert.ok(grown.length >= 2 * own.length, 'the held-out set has grown');
      assert.deepEqual(
        [fromSessions(own), fromSessions(sealed)],
        [0, sealed.length],
        'sealed ones are out of sessions',
      );
      for (const side of [grown, sealed]) assert.ok(side.some(({ environment }) => environment === 'agent'));
      for (const set of ['own', 'grown', 'sealed'] as const) assert.ok(learned[set] > before[set] + 0.3, set);
      for (const [at, row] of rows.entries()) assert.ok(row.own >= (rows[at - 1]?.own ?? 0), 'nothing is unlearned');
      const verdicts = rows.map(({ verdict }) => verdict);
      // What too few tasks carried in the second night is tried again once there are more, and then it is proved.
      assert.deepEqual([verdicts[0], verdicts[1]], ['accepted', 'rejected']);
      assert.ok(verdicts.slice(2).includes('accepted'), verdicts.join(', '));
    } finally {
      nights.workspace.dispose();
    }
  });
});

/** Half of the sessions are about files. By day what waits is confirmed, and what is proved adopted. */
async function nightAndDay(
  nights: SomeNights,
  { night, own, commit }: { readonly night: number; readonly own: readonly Task[]; readonly commit: string },
): Promise<Row> {
  await nights.confirm();
  nights.tell(night, sessionsOf(night, commit));
  const [home, calls] = [nights.homeState(), nights.calls()];
  const { sessions, skills } = await nights.run(night);
  const spent = nights.calls() - calls;
  assert.deepEqual([sessions?.read, sessions?.asked, sessions?.drafts], [6, 6, 6]);
  const drafts = await nights.drafts();
  assert.deepEqual([drafts.length, forAgents(drafts)], [6, 3]);
  assert.deepEqual(nights.homeState(), home, 'the files of the programs are as they were');
  const [{ outcome, reason, verdict, cause = '' } = assert.fail('no skill was trained')] = skills;
  assert.ok(['proposed', 'nothing'].includes(outcome), reason);
  if (verdict === 'accepted') await nights.useCases.adopt(nights.request, neverAborted);
  return { night: night + 1, verdict: verdict ?? cause, calls: spent, ...(await scoredNow(nights, own)) };
}

async function scoredNow(
  nights: SomeNights,
  own: readonly Task[],
): Promise<Pick<Row, 'tasks' | 'own' | 'grown' | 'sealed'>> {
  const { training, heldOut, sealed } = await nights.sides();
  return {
    tasks: [training, heldOut, sealed].map((side) => [side.length, forAgents(side)]),
    own: await nights.score(own),
    grown: await nights.score(heldOut),
    sealed: sealed.length === 0 ? undefined : await nights.score(sealed),
  };
}

function sessionsOf(night: number, commit: string): readonly Told[] {
  return [0, 1, 2].flatMap((at) => {
    const number = 3 * night + at;
    const [loss, impact] = number % 2 === 0 ? remarks : remarks.toReversed();
    return [
      { asked: incidents[number] ?? assert.fail(), remark: loss ?? '' },
      { asked: aboutFiles(number), remark: impact ?? '', commit },
    ];
  });
}

function lineOf({ night, verdict, tasks, own, grown, sealed, calls }: Row): string {
  const sides = tasks.map(([all, agents]) => `${all} (${agents} agent)`).join(' / ');
  const [first, now, last] = [own, grown, sealed].map((score) => (score === undefined ? '–' : score.toFixed(2)));
  return `night ${night}: ${verdict}; training / held-out / sealed ${sides}; first night's held-out ${first}, grown ${now}, sealed ${last}; ${calls} calls`;
}

function forAgents(tasks: readonly Task[]): number {
  return tasks.filter(({ environment }) => environment === 'agent').length;
}

function fromSessions(tasks: readonly Task[]): number {
  return tasks.filter(({ origin }) => origin?.startsWith('session ')).length;
}
