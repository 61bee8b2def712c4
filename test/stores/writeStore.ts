// Writes a store with the code of this checkout: `node scripts/make-store.mjs`.
import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { replyKey } from '../../src/models/wrappers/replyKey.js';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import type { LanguageModel } from '../../src/ports/languageModel.js';
import { parseScheduleSettings } from '../../src/schedule/scheduleSettings.js';
import { applyEdits } from '../../src/skill/edits/applyEdits.js';
import { parseSkill, printSkill } from '../../src/skill/document/skillDocument.js';
import { adopt } from '../../src/storage/adoption/adopt.js';
import { findPlaces } from '../../src/storage/state/places.js';
import { readProposal } from '../../src/storage/proposals/proposals.js';
import { openSkillStore } from '../../src/storage/state/store.js';
import { createUseCases } from '../../src/app/useCases.js';
import type { UseCases } from '../../src/app/useCases.js';
import { lookAtStore } from './lookAtStore.js';
import { packStore, printStore, unpackStore } from './packStore.js';
import { writePersonsFiles, writeTestKey } from './storedSkills.js';
import { trimStore } from './trimStore.js';
import { neverAborted, fixedPlace, inEveryRole, osRequest, paidModel, storePlace, storeWorld } from './storePlace.js';

const start = Date.UTC(2026, 0, 5, 2, 0, 0);
/** The run that is cut off has asked so many questions by then. */
const cutAfter = 34;

const [version = '', target = ''] = process.argv.slice(2);
const place = storePlace(fixedPlace);
const image = `${fixedPlace}.image`;
const world = storeWorld(place, start);
const useCases = createUseCases(world);
const agreed = (): Promise<boolean> => Promise.resolve(true);
const unseen = (): void => undefined;

rmSync(place.root, { recursive: true, force: true });
writePersonsFiles(place);
writeTestKey(place);
await setUpWorkspace();
await stageProposals();
await adoptAndGoBack();
await decideOnHalf();
await spendNights();
await allowThings();
const resumed = await cutOff();
const packed = packStore(image, { version, at: world.clock.now() });
const store = { ...packed, place: fixedPlace };
unpackStore(store, fixedPlace);
const seen = await lookAtStore(place, store.at + 3_600_000);
writeFileSync(path.join(target, 'store.json'), printStore(store));
writeFileSync(path.join(target, 'seen.json'), `${JSON.stringify({ ...seen, resumed }, undefined, 1)}\n`);
for (const folder of [fixedPlace, image]) rmSync(folder, { recursive: true, force: true });

/** What a workspace may bring along: options, wishes, and a prompt of its own that the person allowed. */
async function setUpWorkspace(): Promise<void> {
  const prompt = await useCases.promptFile({ ...place.skill('pending'), name: 'contrast' }, neverAborted);
  writeFileSync(prompt, `${readFileSync(prompt, 'utf8').trimEnd()}\n\nBe brief.\n`);
  writeFileSync(
    path.join(place.work, '.whetstone', 'config.yaml'),
    'concurrency: 1\nskills:\n  .claude/skills/half:\n    edits:\n      budget: 5\n',
  );
  writeFileSync(path.join(place.work, '.whetstone', 'preferences.md'), 'Short sentences.\n');
  const allowing = createUseCases({ ...world, allowsPrompt: agreed, allowsPreferences: agreed });
  await allowing.preflight(place.run('pending'), neverAborted);
}

async function stageProposals(): Promise<void> {
  const trained = await useCases.optimize(place.run('pending'), unseen, neverAborted);
  expect(trained.proposal?.verdict.kind, 'accepted');
  await useCases.refillErrorBudget({ ...place.skill('pending'), reason: 'New tasks come next week.' }, neverAborted);
  // Five edits in four groups: two of them are measured together.
  const measured = { edits: { budget: 5 }, gate: { attribution: true } };
  const half = await useCases.optimize(place.run('half', { settings: [measured] }), unseen, neverAborted);
  expect(half.proposal?.verdict.kind, 'accepted', half.noProposal?.reason);
  const rules = { crashed: 'strict', outside: 'off' };
  for (const [name, rule] of Object.entries(rules)) {
    const { proposal, noProposal: nothing } = await useCases.optimize(
      place.run(name, { settings: [{ gate: { rule } }] }),
      unseen,
      neverAborted,
    );
    expect(proposal === undefined, false, `${name}: ${nothing?.reason}`);
  }
}

/** Adopted whole with a record beside the skill, undone, restored; then measured by itself. */
async function adoptAndGoBack(): Promise<void> {
  const request = place.skill('adopted');
  await useCases.checkRecord({ ...place.run('adopted'), update: true, allow: 0 }, unseen, neverAborted);
  const before = readFileSync(path.join(request.skillPath, 'SKILL.md'), 'utf8');
  await useCases.optimize(place.run('adopted'), unseen, neverAborted);
  await useCases.adopt(request, neverAborted);
  await useCases.undo(request, neverAborted);
  await useCases.restore({ ...request, version: '1' }, neverAborted);
  const after = readFileSync(path.join(request.skillPath, 'SKILL.md'), 'utf8');
  await useCases.measure({ ...place.run('adopted'), before, after }, unseen, neverAborted);
}

/** As the editor does it: one edit saved, one rejected, one rewritten, the rest open. */
async function decideOnHalf(): Promise<void> {
  const request = place.skill('half');
  const { pending } = await useCases.overview(request, neverAborted);
  const [document] = pending?.proposal.documents ?? [];
  if (pending === undefined || document === undefined) throw new Error('half has a proposal');
  const before = document.baseText;
  const first = document.edits.filter(({ id }) => id === 'E1').map(({ edit }) => edit);
  const after = printSkill(applyEdits(parseSkill(before), first, { scope: document.scope }).document);
  writeFileSync(path.join(request.skillPath, 'SKILL.md'), after);
  await useCases.noteAdoption(
    { ...request, documentPath: document.path, before, after, edits: ['E1'], pending },
    neverAborted,
  );
  const decisions = {
    E1: { kind: 'accepted' as const },
    E2: { kind: 'rejected' as const, reason: 'We never say so.' },
    E3: { kind: 'edited' as const },
  };
  await useCases.decide({ ...request, decisions }, neverAborted);
}

/** One night whose memory file was adopted, one whose proposal for skill and memory file waits. */
async function spendNights(): Promise<void> {
  const schedule = parseScheduleSettings({ enabled: true, at: '03:17', catchUp: 'ask' }, 'UTC');
  const night = (name: string, consolidate: Readonly<Record<string, unknown>>) => ({
    skills: [path.join(place.skill(name).skillPath, 'SKILL.md')],
    workspaceFolders: [place.work],
    folders: [place.work],
    preset: 'quick' as const,
    settings: [{ consolidate, edits: { budget: 1, minimum: 1 } }],
    trusted: true,
    force: false,
  });
  const watcher = { began: unseen, observe: unseen };
  const first = await useCases.night(night('notes', { skill: false, memory: true }), watcher, neverAborted);
  expect(first.skills[0]?.outcome, 'proposed', first.skills[0]?.reason);
  await useCases.adopt(place.skill('notes'), neverAborted);
  const second = await useCases.night(night('diary', { skill: true, memory: true }), watcher, neverAborted);
  expect(second.skills[0]?.outcome, 'proposed', second.skills[0]?.reason);
  await useCases.tick({ ...night('diary', {}), schedule }, watcher, neverAborted);
}

async function allowThings(): Promise<void> {
  const yes: UseCases = createUseCases({ ...world, consent: { allows: () => Promise.resolve(true) } });
  await yes.evaluate({ ...place.run('program'), withoutSkill: false }, unseen, neverAborted);
  await useCases.draftTasks({ ...place.skill('program'), count: 1, trusted: true }, neverAborted);
  const paid = createUseCases({ ...world, models: () => Promise.resolve(inEveryRole(paidModel)) });
  await paid.agreeToNights({ folders: [place.work], workspaceFolders: [place.work], models: true }, neverAborted);
  await useCases.installOsSchedule(osRequest(place), neverAborted);
}

/** What a kill leaves: in the middle of a run, with an adoption half done beside it. The run then goes on to its end here. */
async function cutOff() {
  const asked: string[] = [];
  const simulated = createSimulatedModel();
  const model: LanguageModel = {
    identity: simulated.identity,
    complete: async (request, signal) => {
      asked.push(replyKey(simulated.identity, request));
      if (asked.length === cutAfter) await takeImage(asked);
      return simulated.complete(request, signal);
    },
  };
  const cutting = createUseCases({ ...world, models: () => Promise.resolve(inEveryRole(model)) });
  const request = place.run('cut', { settings: [{ concurrency: 1 }] });
  const { proposal, runId } = await cutting.optimize(request, unseen, neverAborted);
  if (asked.length <= cutAfter) throw new Error(`the run ended after ${asked.length} questions`);
  return { runId, proposal, calls: asked.length, cutAfter };
}

async function takeImage(asked: readonly string[]): Promise<void> {
  const { environment, platform, home, clock } = world;
  const skillPath = path.join(place.skill('crashed').skillPath, 'SKILL.md');
  const places = await findPlaces({ skillPath, workspaceFolders: [place.work], environment, platform, home });
  const dying = await openSkillStore(places, clock, (point) => {
    if (point.startsWith('receipt')) throw new Error('killed');
  });
  await adopt(dying, { reading: await readProposal(dying), attended: true }, neverAborted).then(
    () => Promise.reject(new Error('the adoption was not cut off')),
    (error: unknown) => expect(error instanceof Error ? error.message : '', 'killed'),
  );
  rmSync(image, { recursive: true, force: true });
  cpSync(place.root, image, { recursive: true });
  trimStore(storePlace(image), asked);
  // A kill in the middle of a line.
  const runs = path.join(image, 'work', '.whetstone', 'runs');
  const [last = ''] = readdirSync(runs).sort().toReversed();
  appendFileSync(path.join(runs, last, 'journal.jsonl'), '{"seq":');
}

function expect(found: unknown, wanted: unknown, about = ''): void {
  if (found !== wanted) throw new Error(`${about} is ${String(found)}, not ${String(wanted)}`);
}
