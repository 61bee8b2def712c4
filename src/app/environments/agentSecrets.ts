import { UserError } from '../../errors.js';
import { sha256 } from '../../hash.js';
import type { WorkEntry } from '../../ports/agentWork.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import type { Redactor } from '../../redaction/redactor.js';
import { allow, isAllowed, type ConsentRequest } from '../../storage/state/consents.js';
import type { Task } from '../../tasks/task.js';
import { redactorFor } from '../models/runModels.js';
import type { OpenSkill } from '../openSkill.js';
import type { SkillTasks } from '../tasks/skillTasks.js';
import { userStore, type World } from '../world.js';
import { agentTrees, type AgentTrees } from './agentSources.js';

/** A file that an agent would be given, and what in it looks like a secret. */
export interface FoundSecrets {
  readonly file: string;
  readonly kinds: readonly string[];
  /** Of its bytes: a yes is to these. */
  readonly hash: string;
}

interface Searched {
  readonly world: Pick<World, 'secrets'> & Parameters<typeof userStore>[0];
  readonly skill: OpenSkill;
  readonly tasks: SkillTasks;
}

/**
 * Throws where a fixture or the package holds what looks like a secret: what an agent program sends to its server nobody
 * redacts. The person takes it out, or allows exactly that content on this machine. The scripted agent sends nothing.
 */
export async function refuseSecrets(
  { target, ...parts }: Searched & { readonly target: Pick<LanguageModel, 'identity'> },
  trees: AgentTrees,
  signal: AbortSignal,
): Promise<void> {
  if (target.identity.simulated) return;
  const found = await unallowed(parts, trees, signal);
  if (found.length === 0) return;
  const named = found.slice(0, mostNamed).map(({ file, kinds }) => `${file} (${kinds.join(', ')})`);
  const names = found.length > named.length ? `${named.join(', ')}, …` : named.join(', ');
  throw new UserError(
    'environment-refused',
    `Files that an agent would be given hold what looks like a secret: ${names}. What an agent sends to its server is not redacted.`,
    'Take it out; or look at these files and allow them as they are now, with “whetstone secrets <skill> --allow”.',
  );
}

const mostNamed = 5;

/** Those that were not allowed yet; with `allowing` they are from now on. */
export async function secretsForAgents(
  { allowing, ...parts }: Searched & { readonly allowing: boolean } & { readonly world: Pick<World, 'environment'> },
  signal: AbortSignal,
): Promise<readonly FoundSecrets[]> {
  const found = await unallowed(parts, agentTrees(parts.skill, parts.world.environment), signal);
  if (!allowing) return found;
  const store = await userStore(parts.world);
  for (const each of found) await allow(store, yesTo(each), signal);
  return found;
}

async function unallowed(
  { world, skill, tasks }: Searched,
  trees: AgentTrees,
  signal: AbortSignal,
): Promise<readonly FoundSecrets[]> {
  const { training, heldOut, sealed } = tasks.result.split;
  const worked = [...training, ...heldOut, ...sealed, ...(tasks.tried ?? [])].filter(isForAgents);
  if (worked.length === 0) return [];
  const redactor = await redactorFor(world, skill.store);
  const given = new Set([await trees.files(signal)]);
  for (const task of worked) given.add(await trees.fixtureOf(task, signal));
  const store = await userStore(world, 'look');
  const found = new Map<string, FoundSecrets>();
  for (const entry of [...given].flatMap(({ entries }) => entries)) {
    signal.throwIfAborted();
    const held = secretsIn(entry, redactor);
    if (held !== undefined && !(await isAllowed(store, yesTo(held)))) found.set(held.hash, held);
  }
  return [...found.values()];
}

function isForAgents({ environment }: Task): boolean {
  return environment === 'agent';
}

const mostBytes = 2 * 1024 * 1024; // of one file: what is longer is no settings file

function secretsIn(entry: WorkEntry, redactor: Redactor): FoundSecrets | undefined {
  if (entry.kind !== 'file' || entry.bytes.byteLength > mostBytes) return undefined;
  const text = new TextDecoder().decode(entry.bytes);
  if (text.includes('\u0000')) return undefined;
  const kinds = [...new Set(redactor.redact(text).found.map(({ kind }) => kind))];
  return kinds.length === 0 ? undefined : { file: entry.path, kinds, hash: sha256(entry.bytes) };
}

/** By content alone: wherever these bytes lie, they were looked at. */
function yesTo({ hash }: FoundSecrets): ConsentRequest {
  return { what: 'a file with secrets for agents', content: hash };
}
