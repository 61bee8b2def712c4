import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Proposal, ProposedDocument } from '../../src/ports/proposal.js';
import type { Clock } from '../../src/ports/clock.js';
import type { ModelReply } from '../../src/ports/languageModel.js';
import { sha256 } from '../../src/hash.js';
import { learnedEnd, learnedStart } from '../../src/skill/document/protectedRegions.js';
import type { Edit } from '../../src/skill/edits/edit.js';
import { hunksOfEdits } from '../../src/skill/edits/hunksOfEdits.js';
import { findPlaces, type PlacesRequest } from '../../src/storage/state/places.js';
import type { Probe } from '../../src/storage/files/durableWrite.js';
import { openReplies } from '../../src/storage/runs/replies.js';
import { openSkillStore, type SkillStore, type UserStore } from '../../src/storage/state/store.js';
import { ManualClock } from '../fakes/ManualClock.js';

/** Never aborted. */
export const neverAborted = new AbortController().signal;

/** A machine of its own in a temporary folder: a home, and a workspace with one skill. */
export interface Machine {
  readonly folder: string;
  readonly workspace: string;
  readonly home: string;
  readonly skillPath: string;
  /** What `findPlaces` needs to find the skill there. */
  readonly request: PlacesRequest;
}

const machines: string[] = [];
/** In memory where the system has such a place: the tests sync often, and a busy disk would set their pace. */
const temporary = existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();

export const skillText = '---\nname: dates\n---\n\n# Dates\n\nWrite dates.\n';

export async function aMachine(skill: string | Uint8Array = skillText): Promise<Machine> {
  const folder = await realpath(await mkdtemp(path.join(temporary, 'whetstone-unit-')));
  machines.push(folder);
  const workspace = path.join(folder, 'workspace');
  const home = path.join(folder, 'home');
  const skillPath = path.join(workspace, 'skills', 'dates', 'SKILL.md');
  await mkdir(path.dirname(skillPath), { recursive: true });
  await mkdir(home);
  await writeFile(skillPath, skill);
  const request = { skillPath, workspaceFolders: [workspace], environment: {}, platform: 'linux' as const, home };
  return { folder, workspace, home, skillPath, request };
}

/** Removes the machines that a file of tests made; for `after`. */
export async function scrapMachines(): Promise<void> {
  for (const folder of machines.splice(0)) await rm(folder, { recursive: true, force: true });
}

export async function aStore(
  machine: Machine,
  options: { readonly clock?: Clock; readonly probe?: Probe; readonly request?: Partial<PlacesRequest> } = {},
): Promise<SkillStore> {
  const places = await findPlaces({ ...machine.request, ...options.request });
  return openSkillStore(places, options.clock ?? new ManualClock(), options.probe);
}

export function aDocument(base: string, candidate: string, more: Partial<ProposedDocument> = {}): ProposedDocument {
  const edit: Edit = { op: 'append', content: 'Use ISO dates.\n', rationale: 'Three tasks wanted them.' };
  const [hunks] = hunksOfEdits({ baseText: base, candidateText: candidate, scope: 'body' }, [edit]);
  return {
    kind: 'skill',
    path: 'skills/dates/SKILL.md',
    baseHash: sha256(base),
    baseText: base,
    candidateHash: sha256(candidate),
    candidateText: candidate,
    scope: 'body',
    edits: [
      {
        id: 'E1',
        edit,
        worth: { kind: 'measured', effect: 0.25, interval: [0.1, 0.4], group: [] },
        source: 'failure',
        lessonsFrom: ['t1'],
        support: 2,
        hunks: hunks ?? [],
      },
    ],
    ...more,
  };
}

/** An accepted proposal for the machine's skill. */
export function aProposal(store: SkillStore, more: Partial<Proposal> = {}): Proposal {
  const figures = {
    rule: 'confident' as const,
    metric: 'hard' as const,
    before: 0.5,
    after: 0.75,
    difference: 0.25,
    interval: [0.1, 0.4] as const,
    p: 0.01,
    pTask: undefined,
    alpha: 0.0125,
    n: 8,
    passes: 4,
    invalid: 0,
    fixed: ['h1'],
    regressed: [],
    warnings: [],
  };
  return {
    id: 'p1',
    skillKey: store.places.skillKey,
    skillName: 'dates',
    documents: [aDocument(skillText, `${skillText}\nUse ISO dates.\n`)],
    leftOut: [],
    verdict: { kind: 'accepted', reason: 'Better on held-out tasks.', figures },
    comparisons: [
      {
        id: 'h1',
        before: { passes: 0, valid: 4, invalid: 0, score: 0 },
        after: { passes: 4, valid: 4, invalid: 0, score: 1 },
      },
    ],
    sealed: undefined,
    models: { target: 'simulated', optimizer: 'simulated', judge: 'simulated', simulated: true },
    settings: { rule: 'confident', metric: 'hard', seed: 1 },
    answers: { h1: ['aa', undefined] },
    ...more,
  };
}

/** A reply that an earlier process stored. */
export function keepReply(store: UserStore, key: string, reply: ModelReply): Promise<void> {
  return openReplies(store).put(key, reply);
}

/** A memory file with a rule in its learned block, as a run leaves it. */
export function withRule(text: string, rule: string): string {
  return [text, '', learnedStart, '## Learned preferences & procedures', '', `- ${rule}`, learnedEnd, ''].join('\n');
}
