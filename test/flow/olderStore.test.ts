import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { RunSummarySchema } from '../../src/engine/journal/runSummary.js';
import { replyKey } from '../../src/models/wrappers/replyKey.js';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import type { LanguageModel } from '../../src/ports/languageModel.js';
import { sha256 } from '../../src/hash.js';
import { readProposal } from '../../src/storage/proposals/proposals.js';
import { listReceipts } from '../../src/storage/adoption/receipts.js';
import { recoverAll } from '../../src/storage/adoption/recover.js';
import { listRuns } from '../../src/storage/runs/summaries.js';
import { printSplitFile, readSplitFile } from '../../src/tasks/split/splitFile.js';
import { taskArchiveOf } from '../../src/storage/state/taskArchive.js';
import { openSkill } from '../../src/app/openSkill.js';
import { createUseCases } from '../../src/app/useCases.js';
import type { NightRequest } from '../../src/app/nights/nightSkills.js';
import type { UseCases } from '../../src/app/useCases.js';
import type { World } from '../../src/app/world.js';
import { lookAtStore } from '../stores/lookAtStore.js';
import { readFixtureStore, somewhereElse, whereItWasWritten, type UnpackingPlace } from '../stores/openStore.js';
import { liesAsWritten } from '../stores/packStore.js';
import { originalNotes, originalText, ownCrontab } from '../stores/storedSkills.js';
import { neverAborted, inEveryRole, osRequest, paidModel, storeWorld } from '../stores/storePlace.js';

const { store, seen, later } = readFixtureStore('0.1.0');
const unseen = (): void => undefined;

/** What depends on the path is tested where the path means what it meant; the rest anywhere, as after a move. */
const places = [
  ...(liesAsWritten(store)
    ? [{ where: 'where it was written', open: () => whereItWasWritten(store), moved: false }]
    : []),
  { where: 'in another folder', open: () => somewhereElse(store), moved: true },
];

for (const { where, open, moved } of places) {
  describe(`a store of version 0.1.0, opened ${where}`, () => {
    let place: UnpackingPlace;
    const world = (more: Partial<World> = {}): World => storeWorld(place, later, more);
    const useCases = (more: Partial<World> = {}): UseCases => createUseCases(world(more));
    const bytesOf = (name: string): string => readFileSync(path.join(place.skill(name).skillPath, 'SKILL.md'), 'utf8');
    /** Without those that are found again by their path alone: outside every root, or changed behind our back. */
    const skills = Object.keys(seen.skills).filter((name) => !moved || (name !== 'outside' && name !== 'crashed'));

    before(async () => {
      place = await open();
    });
    beforeEach(() => place.unpack());
    after(() => place.dispose());

    it('shows what it showed: tasks on their sides, proposals, decisions, runs, history, certifications', async () => {
      const shown = await lookAtStore(place, later);
      for (const name of skills) assertHolds(Reflect.get(shown.skills, name), asSaidNow(name, seen.skills[name]), name);
      assertHolds(shown.spend, seen.spend, 'spend');
    });

    it('knows nothing of single held-out tasks, which its runs did not write down', async () => {
      for (const name of skills.filter((each) => seen.skills[each]?.['pending'] !== undefined).slice(0, 2)) {
        const { tasks, runs } = await useCases().overview(place.skill(name), neverAborted);
        assert.deepEqual([tasks?.settled, runs[0]?.known], [undefined, undefined], name);
        assert.deepEqual((await useCases().reportData(place.skill(name)))?.settled ?? [], [], name);
      }
    });

    it('takes everything in it for made here', async () => {
      for (const name of skills) {
        const { store: opened } = await openSkill(world(), place.skill(name), 'look');
        const proposal = await readProposal(opened);
        assert.equal(proposal.kind, seen.skills[name]?.['pending'] === undefined ? 'missing' : 'verified', name);
        for (const { kind } of await listReceipts(opened)) assert.equal(kind, 'verified', name);
        for (const run of await listRuns(opened, RunSummarySchema)) {
          assert.equal(run.kind, run.runId === seen.resumed.runId ? 'unfinished' : 'verified', run.runId);
        }
      }
    });

    it('gives back the exact bytes when adoptions are undone, of a skill and of the memory file', async () => {
      for (const name of ['adopted', 'half', 'notes']) await useCases().undo(place.skill(name), neverAborted);
      assert.equal(bytesOf('adopted'), originalText('adopted'));
      assert.equal(bytesOf('half'), originalText('half'));
      assert.equal(readFileSync(path.join(place.work, 'CLAUDE.md'), 'utf8'), originalNotes);
    });

    it('gives every version back', async () => {
      const { history } = await useCases().overview(place.skill('adopted'), neverAborted);
      assert.equal(history.length, 3);
      for (const { id, beforeHash, afterHash } of history) {
        for (const [side, hash] of [
          ['before', beforeHash],
          ['after', afterHash],
        ] as const) {
          const text = await useCases().versionText({ ...place.skill('adopted'), version: id, side });
          assert.equal(sha256(text ?? ''), hash, `${id} ${side}`);
        }
      }
    });

    it('goes on with the run that was cut off, to the same proposal, and pays for nothing twice', async () => {
      const stored = new Set(Object.keys(store.files).filter((name) => name.startsWith('state/replies/')));
      assert.equal(stored.size, seen.resumed.cutAfter - 1);
      const asked: string[] = [];
      const models = inEveryRole(noting(asked));
      const resuming = { ...place.run('cut'), resume: { run: undefined } };
      const { runId, proposal, summary } = await useCases({ models: () => Promise.resolve(models) }).optimize(
        resuming,
        unseen,
        neverAborted,
      );
      assert.equal(runId, seen.resumed.runId);
      assert.equal(summary.resumed, 1);
      assertHolds(proposal, seen.resumed.proposal, 'proposal');
      assert.deepEqual(
        asked.filter((key) => stored.has(`state/replies/${sha256(key)}.json`)),
        [],
      );
      assert.equal(asked.length, seen.resumed.calls - stored.size);
      assert.deepEqual((await useCases().overview(place.skill('cut'), neverAborted)).unfinished, []);
    });

    it('lets the person decide on the rest of a proposal, which is then put away', async () => {
      const rest = { E4: { kind: 'accepted' as const }, E5: { kind: 'rejected' as const, reason: undefined } };
      await useCases().decide({ ...place.skill('half'), decisions: rest }, neverAborted);
      const { pending, rejected } = await useCases().overview(place.skill('half'), neverAborted);
      assert.equal(pending, undefined);
      assert.equal(rejected.length, 2);
    });

    it('adopts what waits, the skill and the memory file together', async () => {
      const { pending } = await useCases().overview(place.skill('diary'), neverAborted);
      await useCases().adopt(place.skill('diary'), neverAborted);
      const [skill, memory] = pending?.proposal.documents ?? [];
      assert.equal(bytesOf('diary'), skill?.candidateText);
      assert.equal(readFileSync(path.join(place.work, 'CLAUDE.md'), 'utf8'), memory?.candidateText);
    });

    it('holds against its record what the skill scores now', async () => {
      const checked = await useCases().checkRecord(
        { ...place.run('adopted'), update: false, allow: 0 },
        unseen,
        neverAborted,
      );
      assert.deepEqual([checked.kind, checked.recorded, checked.now], ['held', 1, 1]);
    });

    it('remembers what nights trained on', async () => {
      const { store: opened } = await openSkill(world(), place.skill('notes'), 'look');
      const archived = (await taskArchiveOf(opened).all()).map(({ id }) => id);
      const { tasks } = await useCases().overview(place.skill('notes'), neverAborted);
      assert.deepEqual(archived.sort(), tasks?.training.map(({ id }) => id).sort());
    });

    if (!moved) {
      it('runs the program and says the prompt that were allowed, and asks nobody', async () => {
        const { tasks } = await useCases().evaluate(
          { ...place.run('program'), withoutSkill: false },
          unseen,
          neverAborted,
        );
        assert.deepEqual(
          tasks.filter(({ split }) => split !== 'none').map(({ hard, invalid }) => [hard, invalid]),
          [
            [1, undefined],
            [1, undefined],
          ],
        );
        const prompts = await useCases().prompts(place.skill('program'), neverAborted);
        assert.deepEqual(
          prompts.filter(({ own }) => own).map(({ name }) => name),
          ['contrast'],
        );
      });

      it('ends the adoption that a kill cut off, and can undo it', async () => {
        const { store: opened } = await openSkill(world(), place.skill('crashed'), 'look');
        const [recovery] = await recoverAll(opened, neverAborted);
        assert.equal(recovery?.kind, 'finished');
        assert.notEqual(bytesOf('crashed'), originalText('crashed'));
        await useCases().undo(place.skill('crashed'), neverAborted);
        assert.equal(bytesOf('crashed'), originalText('crashed'));
      });
    }
  });
}

// Schedules and consents are named by the folders as they were given: on macOS too, where `/tmp` is a link.
if (process.platform !== 'win32') {
  describe('the nights in a store of version 0.1.0', () => {
    let place: UnpackingPlace;
    const useCases = (more: Partial<World> = {}): UseCases => createUseCases(storeWorld(place, later, more));
    const night = (): NightRequest => ({
      skills: [path.join(place.skill('diary').skillPath, 'SKILL.md')],
      workspaceFolders: [place.work],
      folders: [place.work],
      preset: 'quick',
      settings: [{ consolidate: { skill: true, memory: true }, edits: { budget: 1, minimum: 1 } }],
      trusted: true,
      force: false,
      consent: 'stored',
    });

    before(async () => {
      place = await whereItWasWritten(store);
    });
    beforeEach(() => place.unpack());
    after(() => place.dispose());

    it('know that nothing changed since the last one', async () => {
      const { train, leftOut } = await useCases().planNight(night(), neverAborted);
      assert.deepEqual([train, leftOut.map(({ stop }) => stop.name)], [[], ['nothing-changed']]);
    });

    it('are listed as they were, and the schedule is known', async () => {
      const shown = await lookAtStore(place, later);
      assertHolds(shown.nights, seen['nights'], 'nights');
      assertHolds(shown.schedule, seen['schedule'], 'schedule');
    });

    it('still have the consent to ask their models', async () => {
      const paid = useCases({ models: () => Promise.resolve(inEveryRole(paidModel)) });
      assert.equal((await paid.planNight(night(), neverAborted)).consented, true);
      const other = { ...paidModel, identity: { ...paidModel.identity, model: 'paid-2' } };
      const asking = useCases({ models: () => Promise.resolve(inEveryRole(other)) });
      assert.equal((await asking.planNight(night(), neverAborted)).consented, false);
    });

    it('go on for the person who agreed to them, and are nothing that a later setting turns off', async () => {
      const found = { folders: [place.work], inFolder: {}, formerSwitch: { inFolder: true } };
      const paid = useCases({ models: () => Promise.resolve(inEveryRole(paidModel)) });
      assert.equal((await paid.settingsInForce(found, neverAborted)).on, true);
      assert.equal(
        (await paid.settingsInForce({ ...found, formerSwitch: { inFolder: false } }, neverAborted)).on,
        true,
      );
    });

    it('are recognised in the schedule of the operating system, by record and by text', async () => {
      const { id, text } = seen.osSchedule;
      const shown = await useCases().showOsSchedule(osRequest(place), neverAborted);
      assert.deepEqual([shown.installed, shown.id, shown.text], [true, id, text]);
      assert.equal(readFileSync(place.crontab, 'utf8'), `${ownCrontab}${text}`);
      const { cli: _cli, host: _host, keys: _keys, ...request } = osRequest(place);
      const entry: unknown = JSON.parse(JSON.stringify(request));
      assert.deepEqual(await useCases().installedOsSchedule({ id }), entry);
      assert.deepEqual(await useCases().installedOsSchedule({ folders: [place.work] }), entry);
    });

    it('are taken out of it again without a trace', async () => {
      assert.equal(await useCases().removeOsSchedule([place.work], neverAborted), true);
      assert.equal(readFileSync(place.crontab, 'utf8'), ownCrontab);
      assert.equal(await useCases().installedOsSchedule({ id: seen.osSchedule.id }), undefined);
    });
  });
}

it('a store of version 0.1.0 holds every format that the version wrote', () => {
  const texts = Object.values(store.files).map(({ text }) => text);
  const formats = new Set(
    texts.flatMap((text) => /^\s*\{\s*(?:"seq":0,"at":\d+,"event":\{)?"format":\s*"([^"]+)"/.exec(text)?.[1] ?? []),
  );
  assert.deepEqual(
    everyFormat.filter((format) => !formats.has(format)),
    [],
  );
});

it('a store of version 0.1.0 remembers sides in a file that is written as it is read', () => {
  const { text } = store.files['work/.whetstone/split.json'] ?? { text: '' };
  assert.equal(printSplitFile(readSplitFile(text, 'split.json')), text);
});

const everyFormat = [
  'whetstone-certifications',
  'whetstone-consents',
  'whetstone-decisions',
  'whetstone-diagnostics',
  'whetstone-journal',
  'whetstone-known-skill',
  'whetstone-last-nights',
  'whetstone-measured-texts',
  'whetstone-nights',
  'whetstone-os-schedule',
  'whetstone-proposal',
  'whetstone-pruning',
  'whetstone-receipt',
  'whetstone-record',
  'whetstone-rejected-edits',
  'whetstone-reply',
  'whetstone-schedule',
  'whetstone-spend',
  'whetstone-state-key',
  'whetstone-summary',
  'whetstone-task-archives',
  'whetstone-transaction',
  'whetstone.split',
  'whetstone.tasks',
];

/** A model that notes the name of every question that reaches it. */
function noting(asked: string[]): LanguageModel {
  const simulated = createSimulatedModel();
  return {
    identity: simulated.identity,
    complete: (request, signal) => {
      asked.push(replyKey(simulated.identity, request));
      return simulated.complete(request, signal);
    },
  };
}

/** A file that holds what was taken of its proposal was once said to have changed since, in these two; it is not any more. */
function asSaidNow(name: string, skill: unknown): unknown {
  if (name !== 'half' && name !== 'crashed') return skill;
  return JSON.parse(JSON.stringify(skill, (key, value: unknown) => (key === 'stale' ? false : value)));
}

/** Everything that was there is there; what a later version adds is its own affair. */
function assertHolds(found: unknown, wanted: unknown, about: string): void {
  assert.deepEqual(narrowed(JSON.parse(JSON.stringify(found)), wanted), wanted, about);
}

function narrowed(found: unknown, wanted: unknown): unknown {
  if (Array.isArray(found) && Array.isArray(wanted)) return found.map((item, index) => narrowed(item, wanted[index]));
  if (!isObject(found) || !isObject(wanted)) return found;
  const names = Object.keys(found).filter((name) => name in wanted);
  return Object.fromEntries(names.map((name) => [name, narrowed(Reflect.get(found, name), Reflect.get(wanted, name))]));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
