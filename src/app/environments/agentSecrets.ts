import path from 'node:path';
import { nameOfFile, SecretsFound, type FileWithSecrets } from '../../errors.js';
import { sha256 } from '../../hash.js';
import type { WorkEntry, WorkTree } from '../../ports/agentWork.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import { readings } from '../../redaction/readings.js';
import type { Redactor } from '../../redaction/redactor.js';
import { allow, isAllowed, type ConsentRequest } from '../../storage/state/consents.js';
import type { Steps } from '../../tasks/steps.js';
import type { Task } from '../../tasks/task.js';
import { redactorFor } from '../models/runModels.js';
import type { OpenSkill } from '../openSkill.js';
import { paced } from '../paced.js';
import type { SkillTasks } from '../tasks/skillTasks.js';
import { userStore, type World } from '../world.js';
import { agentTrees, type AgentTrees } from './agentSources.js';

interface SecretScope {
  readonly world: Pick<World, 'secrets'> & Parameters<typeof userStore>[0];
  readonly skill: OpenSkill;
  readonly tasks: SkillTasks;
}

/**
 * Throws where a fixture or the package holds what looks like a secret: what an agent program sends to its server nobody
 * redacts. The person takes it out, or allows exactly that content on this machine. The scripted agent sends nothing.
 */
export async function refuseSecrets(
  { target, ...parts }: SecretScope & { readonly target: Pick<LanguageModel, 'identity'> },
  trees: AgentTrees,
  signal: AbortSignal,
): Promise<void> {
  if (target.identity.simulated) return;
  const { files: found } = await secretsGiven(parts, trees, signal);
  if (found.length === 0) return;
  const named = found.slice(0, mostNamed).map((each) => `${nameOfFile(each)} (${each.kinds.join(', ')})`);
  const names = found.length > named.length ? `${named.join(', ')}, …` : named.join(', ');
  throw new SecretsFound(
    `Files that an agent would be given hold what looks like a secret: ${names}. What an agent sends to its server is not redacted.`,
    'Take it out; or look at these files and allow them as they are now, with “whetstone secrets <skill> --allow”.',
    { skillPath: parts.skill.places.skillPath, files: found },
  );
}

const mostNamed = 5;

/** Which of them are allowed from now on: none, all, or those with exactly these contents, by their hashes. */
export type SecretsToAllow = boolean | readonly string[];

/** Files that agents would be given and that hold what looks like a secret. */
export interface SecretsForAgents {
  /** Those that were not allowed yet; where some are to be, the ones that are from now on. */
  readonly files: readonly FileWithSecrets[];
  /** How many others there are, which were allowed before. */
  readonly allowedBefore: number;
}

/** Looks for them, and allows those that are to be. */
export async function secretsForAgents(
  {
    allowing,
    ...parts
  }: SecretScope & { readonly allowing: SecretsToAllow } & { readonly world: Pick<World, 'environment'> },
  signal: AbortSignal,
): Promise<SecretsForAgents> {
  const found = await secretsGiven(parts, agentTrees(parts.skill, parts.world.environment), signal);
  if (allowing === false) return found;
  const meant = allowing === true ? found.files : found.files.filter(({ hash }) => allowing.includes(hash));
  const store = await userStore(parts.world);
  const contents = new Map(meant.map((each) => [each.hash, each]));
  for (const each of contents.values()) await allow(store, yesTo(each), signal);
  return { ...found, files: meant };
}

async function secretsGiven(
  { world, skill, tasks }: SecretScope,
  trees: AgentTrees,
  signal: AbortSignal,
): Promise<SecretsForAgents> {
  const given = await givenToAgents({ skill, tasks }, trees, signal);
  if (given.length === 0) return { files: [], allowedBefore: 0 };
  const redactor = await redactorFor(world, skill.store);
  const store = await userStore(world, 'look');
  const files: FileWithSecrets[] = [];
  let allowedBefore = 0;
  for (const each of given) {
    signal.throwIfAborted();
    for (const held of await paced(heldIn(each, redactor), signal)) {
      if (await isAllowed(store, yesTo(held))) allowedBefore += 1;
      else files.push(held);
    }
  }
  return { files, allowedBefore };
}

/** A folder that agents are given: the package of the skill, or a fixture of its tasks. */
interface GivenFolder {
  readonly fixture: string | undefined;
  /** Where it lies on this machine. */
  readonly folder: string;
  readonly tree: WorkTree;
}

/** Whose folders agents are given. */
export interface WorkedTasks {
  readonly skill: Pick<OpenSkill, 'folder'>;
  readonly tasks: Pick<SkillTasks, 'tried'> & { readonly result: Pick<SkillTasks['result'], 'split'> };
}

/** None where no task is for an agent. */
export async function givenToAgents(
  { skill, tasks }: WorkedTasks,
  trees: AgentTrees,
  signal: AbortSignal,
): Promise<readonly GivenFolder[]> {
  const { training, heldOut, sealed } = tasks.result.split;
  const worked = [...training, ...heldOut, ...sealed, ...(tasks.tried ?? [])].filter(isForAgents);
  if (worked.length === 0) return [];
  const given = new Map<WorkTree, GivenFolder>();
  const files = await trees.files(signal);
  given.set(files, { fixture: undefined, folder: skill.folder, tree: files });
  for (const task of worked) {
    const tree = await trees.fixtureOf(task, signal);
    given.set(tree, { fixture: fixtureName(task), folder: placeOf(task, skill.folder), tree });
  }
  return [...given.values()];
}

/** What is searched: each folder by its name, with how many files it holds. */
export interface SearchedFolder {
  /** As tasks name it; undefined for the package of the skill. */
  readonly fixture: string | undefined;
  readonly files: number;
}

/** The folders that agents are given, and that are searched for secrets; none where no task is for an agent. */
export async function searchedForSecrets(
  { skill, tasks }: Pick<SecretScope, 'skill' | 'tasks'>,
  environment: World['environment'],
  signal: AbortSignal,
): Promise<readonly SearchedFolder[]> {
  const given = await givenToAgents({ skill, tasks }, agentTrees(skill, environment), signal);
  return given.map(({ fixture, tree }) => ({ fixture, files: tree.entries.length }));
}

function fixtureName({ agent }: Task): string {
  const { fixture = '' } = agent ?? {};
  return typeof fixture === 'string' ? fixture : `${fixture.repository} at ${fixture.commit.slice(0, 10)}`;
}

function isForAgents({ environment }: Task): boolean {
  return environment === 'agent';
}

/** Where the files of its fixture lie. */
function placeOf({ agent }: Task, folder: string): string {
  const { fixture = '' } = agent ?? {};
  return path.resolve(folder, typeof fixture === 'string' ? fixture : fixture.repository);
}

/** A megabyte takes half a second: others have their turn between files, and between the pieces of each. */
function* heldIn(given: GivenFolder, redactor: Redactor): Steps<readonly FileWithSecrets[]> {
  const found = [...(yield* secretNames(given, redactor))];
  for (const entry of given.tree.entries) {
    yield;
    const held = yield* secretsIn(entry, given, redactor);
    if (held !== undefined) found.push(held);
  }
  return found;
}

function* secretsIn(
  entry: WorkEntry,
  { folder, fixture }: GivenFolder,
  redactor: Redactor,
): Steps<FileWithSecrets | undefined> {
  const texts = entry.kind === 'file' ? readings(entry.bytes) : [entry.to];
  for (const text of texts) {
    const redaction = yield* redactor.redacting(text);
    const kinds = [...new Set(redaction.found.map(({ kind }) => kind))];
    if (kinds.length === 0) continue;
    const place = { path: path.join(folder, entry.path), line: firstOther(text, redaction.text) };
    const hash = sha256(entry.kind === 'file' ? entry.bytes : entry.to);
    return { file: redactor.redact(entry.path).text, fixture, kinds, hash, ...place };
  }
  return undefined;
}

/** Names are handed over too. They are shown as they are without what looks like a secret in them. */
function* secretNames(
  { tree: { entries }, folder, fixture }: GivenFolder,
  redactor: Redactor,
): Steps<readonly FileWithSecrets[]> {
  const all = yield* redactor.redacting(entries.map((entry) => entry.path).join('\n'));
  if (all.found.length === 0) return [];
  return entries.flatMap((entry) => {
    const { text, found } = redactor.redact(entry.path);
    const kinds = [...new Set(found.map(({ kind }) => kind))];
    const place = { path: path.join(folder, entry.path), line: 1 };
    return kinds.length === 0 ? [] : [{ file: text, fixture, kinds, hash: sha256(`name ${entry.path}`), ...place }];
  });
}

/** The line in which two texts begin to differ, from 1. */
function firstOther(text: string, other: string): number {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at += 1;
  return text.slice(0, at).split('\n').length;
}

/** By content alone: wherever these bytes lie, they were looked at. */
function yesTo({ hash }: FileWithSecrets): ConsentRequest {
  return { what: 'a file with secrets for agents', content: hash };
}
