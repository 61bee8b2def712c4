import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ModelError } from '../../src/errors.js';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import { nightLine } from '../../src/wording/harvest/nightLine.js';
import { english } from '../../src/wording/translate.js';
import { neverAborted } from '../builders/storage.js';
import { ScriptedModel } from '../fakes/ScriptedModel.js';
import { aNightRequest } from './nightWorkspace.js';
import { firstNight, skillName, someNights, type NightsParts, type SomeNights } from './someNights.js';
import { aboutFiles, incidents, remarks } from './toldIncidents.js';
import { tellSession } from './toldSessions.js';

const [remark = ''] = remarks;
const label = 'Write a label for a parcel of lamps to Lima: fragile, keep dry.';

/** A skill without tasks is trained by no night, which looks through the sessions all the same. */
describe('sessions at night', () => {
  it('become drafts by rules where nobody said that the model may be sent them', async () => {
    const model = new ScriptedModel();
    await withSessions(5, { model }, async (nights) => {
      const { sessions, stops } = await nights.run(0);
      assert.deepEqual([stops[0]?.name, sessions?.asked, sessions?.drafts], ['no-tasks', 0, 5]);
      assert.equal(model.requests.length, 0);
      const { drafts = [], harvested } = (await nights.useCases.overview(nights.request, neverAborted)).tasks ?? {};
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

  it('are used up by no server that replies with nothing: rules make the drafts', async () => {
    const { identity } = createSimulatedModel();
    const text = '{"tasks": []}';
    const model = new ScriptedModel().when('Request 1', text);
    const useless = { identity, complete: model.complete.bind(model) };
    await withSessions(2, { model: useless }, async (nights) => {
      const { sessions } = await nights.run(0);
      assert.deepEqual([sessions?.asked, sessions?.drafts, (await nights.drafts()).length], [2, 2, 2]);
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

  it('are looked through for each skill apart: what was mined for one is still new to another', async () => {
    const model = new ScriptedModel();
    await withSessions(0, { model }, async (nights) => {
      const { workspace, home, useCases, request } = nights;
      const skill = [skillName, 'parcel-labels'];
      const at = firstNight - 3_600_000;
      tellSession(home, workspace.folder, { id: 'both', at, said: [incidents[0] ?? '', label], skill });
      await useCases.allowSessions('claude-code', true, neverAborted);
      const folders = [workspace.folder];
      const mineAlone = async (): Promise<number> => {
        const { sessions } = await useCases.harvestSessions({ folders }, neverAborted);
        const wish = {
          sessions,
          targets: [{ ...request, folders }],
          by: 'rules',
          mostSessions: 9,
          trusted: true,
        } as const;
        return (await useCases.mineSessions(wish, neverAborted)).skills.flatMap(({ drafts }) => drafts).length;
      };
      assert.equal(await mineAlone(), 1);
      const later = workspace.skillPath('parcel-labels');
      mkdirSync(path.dirname(later), { recursive: true });
      writeFileSync(later, '---\nname: parcel-labels\ndescription: Writes labels.\n---\n\nWrite labels.\n');
      const skills = [request.skillPath, later];
      const { sessions } = await nights.run(0, { skills });
      assert.deepEqual([sessions?.read, sessions?.drafts], [1, 1]);
      assert.equal((await nights.run(1, { skills })).sessions?.read, 0, 'both have had it');
    });
  });

  it('whose files cannot be read are told of, as are those that could not be looked through at all', async () => {
    await withSessions(1, {}, async (nights) => {
      const file = path.join(nights.home, '.gemini/tmp/shop/chats/session-2026-11-01.json');
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, '{}');
      truncateSync(file, 65 * 1024 * 1024);
      await nights.useCases.allowSessions('gemini-cli', true, neverAborted);
      const night = await nights.run(0);
      const unread = [{ source: 'gemini-cli', path: file, why: 'too-long' }];
      assert.deepEqual([night.sessions?.read, night.sessions?.unread?.files], [1, unread]);
      assert.match(nightLine(night, english), /; 1 session read, 1 draft waiting, 1 file not read; /u);
      const log = path.join(nights.workspace.state, 'night-logs');
      assert.match(readFileSync(path.join(log, readdirSync(log)[0] ?? ''), 'utf8'), /"version": 3/u);
    });
    const world = { secrets: () => Promise.reject(new Error('The keys are locked.')) };
    await withSessions(1, { world }, async (nights) => {
      const night = await nights.run(0);
      assert.deepEqual([night.sessions?.read, night.sessions?.reason], [0, 'The keys are locked.']);
      assert.match(nightLine(night, english), /sessions could not be looked through/u);
    });
  });

  it('are counted in what a person is told of a night before, and nobody is asked about them then', async () => {
    await withSessions(5, {}, async (nights) => {
      await nights.useCases.allowSessions('claude-code', true, neverAborted);
      const wish = { skills: [nights.request.skillPath], consent: 'given', cap: { calls: 3 } } as const;
      const plan = await nights.useCases.planNight(aNightRequest(nights.workspace.folder, wish), neverAborted);
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
      await nights.useCases.allowSessionFolder(about, true, neverAborted);
      assert.equal(await drafted(1), 2);
      nights.tell(2, [{ asked: incidents[2] ?? '', remark }]);
      await nights.useCases.allowSessionFolder(about, false, neverAborted);
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
