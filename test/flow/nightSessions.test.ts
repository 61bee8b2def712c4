import assert from 'node:assert/strict';
import { openSkill } from '../../src/app/openSkill.js';
import { learnedOriginsOf } from '../../src/storage/harvest/learnedOrigins.js';
import { taskArchiveOf } from '../../src/storage/state/taskArchive.js';
import { nightLine } from '../../src/wording/harvest/nightLine.js';
import { english } from '../../src/wording/translate.js';
import { aTrainingTask } from '../builders/aTask.js';
import { neverAborted } from '../builders/storage.js';
import type { LanguageModel } from '../../src/ports/languageModel.js';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import { aNightRequest, perfectSkill, silent, simulated } from './nightWorkspace.js';
import { committedNotes, skillName, someNights, type SomeNights } from './someNights.js';
import { aboutFiles, incidents, ordering, remarks } from './toldIncidents.js';

const [remark = ''] = remarks;

describe('a night with past sessions', () => {
  it('makes drafts of new sessions, learns from some unconfirmed ones, proves on confirmed ones alone, and spends nothing without new ones', async () => {
    const nights = someNights({ tasks: 7 });
    try {
      nights.workspace.writeSkill(skillName, perfectSkill);
      const commit = committedNotes(nights.workspace.folder);
      const asked = [...incidents.slice(0, 4), ordering, aboutFiles(1)].map((text) => ({ asked: text, remark }));
      nights.tell(0, [...asked, { asked: aboutFiles(2), remark, commit }]);
      await nights.useCases.turnUnconfirmedTraining({ folders: [nights.workspace.folder], on: true }, neverAborted);
      const before = nights.homeState();

      const first = await nights.run(0);
      const { read, asked: sent, drafts, spend } = first.sessions ?? assert.fail('no sessions were looked through');
      assert.deepEqual([read, sent, drafts], [7, 6, 6], 'what names no commit can be attempted nowhere');
      assert.ok(spend.calls > 0, 'what the miner took is counted');
      assert.match(
        nightLine(first, english),
        /^0 proposals; 7 sessions read, 6 drafts waiting; .*USD, (?:less than a minute|\d+ min)$/u,
      );
      const tried = incidents.filter((incident) => nights.attempted(incident));
      assert.ok(tried.length > 0 && tried.length < 4, 'some are left for the person');
      assert.match(first.skills[0]?.reason ?? '', new RegExp(`trains also on ${tried.length} task`, 'u'));
      assert.equal((await learnedOrigins(nights)).length, tried.length, 'their sessions are noted');
      const apart = [ordering, aboutFiles(2)].filter((text) => nights.attempted(text));
      assert.deepEqual(apart, [], 'neither what carries instructions nor what an agent would work on files for');
      assert.deepEqual(await sidesOf(nights, incidents), [], 'none of them is on a side before it is confirmed');

      await nights.confirm();
      const placed = await sidesOf(nights, incidents);
      assert.deepEqual(
        tried.filter((incident) => placed.some(({ prompt, side }) => prompt === incident && side !== 'training')),
        [],
        'what a night learned from proves nothing',
      );
      assert.ok(placed.some(({ side }) => side === 'heldOut'));
      const [onFiles] = await sidesOf(nights, [aboutFiles(2)]);
      assert.deepEqual(
        [onFiles?.environment, (await nights.drafts()).map(({ prompt }) => prompt)],
        ['agent', [ordering]],
      );
      assert.deepEqual(nights.homeState(), before, 'the files of the programs are as they were');
      nights.tell(1, [{ asked: incidents[4] ?? '', remark }]);
      const home = nights.homeState();
      await archiveAsBefore(nights);
      const recalling = { settings: [{ consolidate: { recall: 5 } }] };
      assert.equal((await nights.run(1, recalling)).sessions?.drafts, 1);
      assert.ok(nights.attempted(aboutFiles(2)), 'confirmed, it is attempted in its repository');
      assert.ok(!nights.attempted(lax.prompt));
      assert.match(await notesOf(nights), /^Not recalled: 1 task of earlier nights/mu);

      const calls = nights.calls();
      const idle = await nights.run(2, recalling);
      assert.deepEqual([idle.stops[0]?.name, idle.spend.calls, nights.calls()], ['nothing-changed', 0, calls]);
      assert.deepEqual(nights.homeState(), home);
    } finally {
      nights.workspace.dispose();
    }
  });
});

describe('a night with unconfirmed drafts that was cut off', () => {
  it('goes on with them only while nights may still learn from such', async () => {
    const stop = new AbortController();
    let calls = 0;
    const simulatedModel = createSimulatedModel();
    const model: LanguageModel = {
      identity: simulatedModel.identity,
      complete(asked, signal) {
        calls += asked.role === 'target' ? 1 : 0;
        if (calls === 12) stop.abort();
        return simulatedModel.complete(asked, signal);
      },
    };
    const nights = someNights({ tasks: 9, model });
    const { useCases, request, workspace } = nights;
    const learning = { folders: [workspace.folder], on: true };
    try {
      nights.tell(
        0,
        incidents.slice(0, 4).map((asked) => ({ asked, remark })),
      );
      await useCases.allowSessions('claude-code', true, neverAborted);
      await useCases.turnUnconfirmedTraining(learning, neverAborted);
      const wish = aNightRequest(workspace.folder, { skills: [request.skillPath] });
      await useCases.night(wish, silent, stop.signal).catch(() => undefined);
      assert.ok((await learnedOrigins(nights)).length > 0, 'it began with drafts');

      const resume = {
        ...request,
        settings: [],
        purpose: 'optimize',
        trusted: true,
        resume: { run: undefined },
      } as const;
      const goOn = () => useCases.optimize({ ...resume, preset: 'standard' }, () => undefined, neverAborted);
      await useCases.forbidSending(neverAborted);
      const before = calls;
      await assert.rejects(goOn(), /the tasks have changed/u);
      assert.equal(calls, before);
      await useCases.turnUnconfirmedTraining(learning, neverAborted);
      assert.ok((await goOn()).summary.resumed > 0);
    } finally {
      workspace.dispose();
    }
  });
});

const lax = aTrainingTask({ id: 'lax', prompt: 'Praise Acme in an incident report.', origin: 'session 1' });

async function learnedOrigins({ workspace, request }: SomeNights): Promise<readonly string[]> {
  return learnedOriginsOf((await openSkill(workspace.world(simulated()), request, 'look')).store).all();
}

/** Earlier versions said nothing of what the criteria of a draft stand on. */
async function archiveAsBefore({ workspace, request }: SomeNights): Promise<void> {
  const { store } = await openSkill(workspace.world(simulated()), request, 'work');
  await taskArchiveOf(store).add([lax], neverAborted);
}

async function notesOf({ useCases, request }: SomeNights): Promise<string> {
  return (await useCases.overview(request, neverAborted)).runs[0]?.notes.join('\n') ?? '';
}

interface Placed {
  readonly prompt: string;
  readonly side: string;
  readonly environment: string;
}

async function sidesOf(nights: SomeNights, prompts: readonly string[]): Promise<readonly Placed[]> {
  return Object.entries(await nights.sides()).flatMap(([side, tasks]) =>
    tasks.flatMap(({ prompt, environment }) => (prompts.includes(prompt) ? [{ prompt, side, environment }] : [])),
  );
}
