import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Proposal, ProposedDocument, ProposedEdit } from '../../src/ports/proposal.js';
import type { Edit } from '../../src/skill/edits/edit.js';
import { sha256 } from '../../src/hash.js';
import { nodeClock } from '../../src/storage/files/nodeAdapters.js';
import { findPlaces } from '../../src/storage/state/places.js';
import { readProposal, writeProposal } from '../../src/storage/proposals/proposals.js';
import { readDecisions, type Decisions } from '../../src/storage/proposals/decisions.js';
import { openSkillStore, type SkillStore } from '../../src/storage/state/store.js';
import { openTexts } from '../../src/storage/files/contentStore.js';
import { aProposedEdit, aReviewDocument, aReviewProposal } from './aReviewProposal.js';

/** A window's workspace and the state that belongs to it. */
export interface StagePlace {
  readonly workspace: string;
  /** The user state: `WHETSTONE_HOME`. */
  readonly state: string;
  readonly home: string;
}

export interface StagedSkill {
  readonly name: string;
  readonly text: string;
  readonly edits: readonly (Edit | ProposedEdit)[];
  readonly proposal?: Partial<Proposal>;
  /** The memory file that goes with the skill: its path in the workspace, its text, and the edits of it. */
  readonly memory?: { readonly path: string; readonly text: string; readonly edits: readonly Edit[] };
  /** A file of its package, by its path from the skill's folder. */
  readonly file?: { readonly path: string; readonly text: string; readonly edits: readonly ProposedEdit[] };
  /** What the model said to a held-out task, before and after. */
  readonly answers?: Readonly<Record<string, readonly [before: string, after: string]>>;
  /** What the file holds now, where it is no longer the text that the proposal was made from. */
  readonly now?: string;
}

/** Writes a skill and a proposal for it, as a run does, and gives the path of the skill. */
export async function stageProposal(place: StagePlace, skill: StagedSkill): Promise<string> {
  const skillPath = path.join(place.workspace, '.claude/skills', skill.name, 'SKILL.md');
  await mkdir(path.dirname(skillPath), { recursive: true });
  await writeFile(skillPath, skill.text);
  const store = await stagedStore(place, skillPath);
  const document = aReviewDocument(skill.text, skill.edits, { path: store.places.documentPath });
  const memory = skill.memory === undefined ? [] : [await stagedMemory(place, skill.memory)];
  const files = skill.file === undefined ? [] : [await stagedFile(skillPath, skill.file)];
  const documents = [...(skill.edits.length > 0 ? [document] : []), ...files, ...memory];
  const proposal = aReviewProposal(documents, {
    id: sha256(`${skillPath} ${documents.map(({ candidateText }) => candidateText).join('\0')}`),
    skillKey: store.places.skillKey,
    skillName: skill.name,
    ...(skill.answers === undefined ? {} : { answers: await storedAnswers(store, skill.answers) }),
    ...skill.proposal,
  });
  await writeProposal(store, proposal);
  if (skill.now !== undefined) await writeFile(skillPath, skill.now);
  return skillPath;
}

async function stagedMemory(
  { workspace }: StagePlace,
  { path: memoryPath, text, edits }: NonNullable<StagedSkill['memory']>,
): Promise<ProposedDocument> {
  await writeFile(path.join(workspace, memoryPath), text);
  const proposed = edits.map((edit, index) => aProposedEdit(edit, { id: `M${index + 1}` }));
  return aReviewDocument(text, proposed, { kind: 'memory', path: memoryPath, scope: 'learned' });
}

async function stagedFile(
  skillPath: string,
  { path: name, text, edits }: NonNullable<StagedSkill['file']>,
): Promise<ProposedDocument> {
  const file = path.join(path.dirname(skillPath), name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  return aReviewDocument(text, edits, { kind: 'file', path: `./${name}` });
}

async function storedAnswers(
  store: SkillStore,
  answers: NonNullable<StagedSkill['answers']>,
): Promise<Proposal['answers']> {
  const texts = openTexts(store);
  const rows = Object.entries(answers).map(async ([id, [before, after]]) => {
    return [id, [await texts.put(before), await texts.put(after)]] as const;
  });
  return Object.fromEntries(await Promise.all(rows));
}

export async function stagedStore({ workspace, state, home }: StagePlace, skillPath: string): Promise<SkillStore> {
  const places = await findPlaces({
    skillPath,
    workspaceFolders: [workspace],
    environment: { WHETSTONE_HOME: state },
    platform: process.platform,
    home,
  });
  return openSkillStore(places, nodeClock);
}

/** What is written down of a staged proposal: undefined once it was put away. */
export async function stagedDecisions(place: StagePlace, skillPath: string): Promise<Decisions | undefined> {
  const store = await stagedStore(place, skillPath);
  const reading = await readProposal(store);
  return reading.kind === 'verified' ? readDecisions(store, reading.proposal.id) : undefined;
}
