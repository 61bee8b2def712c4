import assert from 'node:assert/strict';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ModelError } from '../../src/errors.js';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import { nightLine } from '../../src/wording/harvest/nightLine.js';
import { english } from '../../src/wording/translate.js';
import { calm } from '../builders/storage.js';
import { ScriptedModel } from '../fakes/ScriptedModel.js';
import { aNightRequest } from './nightWorkspace.js';
import { skillName, someNights, type NightsParts, type SomeNights } from './someNights.js';
import { aboutFiles, incidents, remarks } from './toldIncidents.js';

const [remark = ''] = remarks;

/** A skill without tasks is trained by no night, which looks through the sessions all the same. */
describe('sessions at night', () => {
  it('become drafts by rules where nobody said that the model may be sent them', async () => {
    const model = new ScriptedModel();
    await withSessions(5, { model }, async (nights) => {
      const { sessions, stops } = await nights.run(0);
      assert.deepEqual([stops[0]?.name, sessions?.asked, sessions?.drafts], ['no-tasks', 0, 5]);
      assert.equal(model.requests.length, 0);
      const { drafts = [], harvested } = (await nights.useCases.overview(nights.request, calm)).tasks ?? {};
      assert.deepEqual(
        drafts.map(({ id }) => harvested?.get(id)?.by),
        drafts.map(() => 'rules'),
      );
    });
  });

  it('are asked about within the caps of the night, which says what it left: that comes in the next one', async () => {
    await withSessions(5, {}, async (nights) => {
      const capped = await nights.run(0, { cap: { calls: 2 } });
      assert.deepEqual([capped.sessions?.drafts, capped.sessions?.left, nights.calls()], [2, 3, 2]);
      assert.match(capped.sessions?.reason ?? '', /cap/u);
      const line = nightLine(capped, english);
      assert.match(line, /; 5 sessions read, 3 of them left for the next night, 2 drafts waiting; /u);
      const { sessions } = await nights.run(1);
      assert.deepEqual([sessions?.read, sessions?.drafts, sessions?.left, nights.calls()], [3, 3, undefined, 5]);
      assert.equal((await nights.run(2)).sessions?.read, 0, 'used is used');
    });
  });

  it('are not used up by a call that failed', async () => {
    const simulated = createSimulatedModel();
    let failing = true;
    const model = {
      identity: simulated.identity,
      complete: (...given: Parameters<typeof simulated.complete>) =>
        failing ? Promise.reject(new ModelError('malformed', 'No.')) : simulated.complete(...given),
    };
    await withSessions(2, { model }, async (nights) => {
      const { sessions } = await nights.run(0);
      assert.deepEqual([sessions?.drafts, sessions?.left, (await nights.drafts()).length], [0, 2, 0]);
      failing = false;
      assert.equal((await nights.run(1)).sessions?.drafts, 2);
    });
  });

  it('that give nothing for a skill are looked at once, and again when agents are told something else of it', async () => {
    await withSessions(0, {}, async (nights) => {
      nights.tell(0, [
        { asked: aboutFiles(1), remark }, // it names no commit: nobody can attempt it again
        { asked: 'Continue.', remark: 'Thanks.' },
      ]);
      const readIn = async (night: number): Promise<number | undefined> => (await nights.run(night)).sessions?.read;
      assert.deepEqual([await readIn(0), await readIn(1), nights.calls()], [2, 0, 0]);
      const text = readFileSync(nights.request.skillPath, 'utf8');
      nights.workspace.writeSkill(skillName, `${text}\n- Be brief.\n`);
      assert.equal(await readIn(2), 0, 'what it says inside changes nothing');
      nights.workspace.writeSkill(skillName, text.replace(/^description: .*$/mu, 'description: Continues things.'));
      assert.deepEqual([await readIn(3), await readIn(4)], [2, 0]);
    });
  });

  it('are counted in what a person is told of a night before, and nobody is asked about them then', async () => {
    await withSessions(5, {}, async (nights) => {
      await nights.useCases.allowSessions('claude-code', true, calm);
      const wish = { skills: [nights.request.skillPath], consent: 'given', cap: { calls: 3 } } as const;
      const plan = await nights.useCases.planNight(aNightRequest(nights.workspace.folder, wish), calm);
      assert.deepEqual([plan.sessions?.read, plan.sessions?.size?.calls.low, nights.calls()], [5, 3, 0]);
      assert.equal((await nights.drafts()).length, 0);
    });
  });

  it('of a folder are taken by a skill of the person’s home only after a yes for that folder', async () => {
    await withSessions(2, {}, async (nights) => {
      const skillPath = path.join(nights.home, '.claude/skills', skillName, 'SKILL.md');
      cpSync(path.dirname(nights.request.skillPath), path.dirname(skillPath), { recursive: true });
      rmSync(path.dirname(nights.request.skillPath), { recursive: true });
      const about = { skillPath, folder: nights.workspace.folder };
      const drafted = async (night: number): Promise<number | undefined> =>
        (await nights.run(night, { skills: [skillPath] })).sessions?.drafts;
      assert.equal(await drafted(0), 0);
      await nights.useCases.allowSessionFolder(about, true, calm);
      assert.equal(await drafted(1), 2);
      nights.tell(2, [{ asked: incidents[2] ?? '', remark }]);
      await nights.useCases.allowSessionFolder(about, false, calm);
      assert.equal(await drafted(2), 0);
    });
  });
});

async function withSessions(
  count: number,
  parts: Omit<NightsParts, 'tasks'>,
  work: (nights: SomeNights) => Promise<void>,
): Promise<void> {
  const nights = someNights({ tasks: 0, ...parts });
  try {
    rmSync(path.join(path.dirname(nights.request.skillPath), 'evals'), { recursive: true });
    nights.tell(
      0,
      incidents.slice(0, count).map((asked) => ({ asked, remark })),
    );
    await work(nights);
  } finally {
    nights.workspace.dispose();
  }
}
