import { UserError } from '../../errors.js';
import type { CommitToExport } from '../../storage/programs/workplace/exportCommit.js';
import { fieldFaults } from '../../tasks/fieldFaults.js';
import type { TaskSource } from '../../tasks/makeTask.js';
import { agentEntry } from '../../tasks/readers/whetstoneFile.js';
import type { AgentTask, CheckSpec } from '../../tasks/task.js';
import type { OpenSkill } from '../openSkill.js';
import { agentFixtures } from './agentFixtures.js';
import { whyNoStart } from './fixtureFaults.js';

/** How an agent is to work on a new task, as a person typed it. */
export interface AgentWish {
  /** The folder that it starts from, relative to that of the skill. */
  readonly fixture?: string | undefined;
  /** Instead of it the repository that the skill lies in, at this commit; `last`: as it was last committed. */
  readonly commit?: string | undefined;
  readonly mode?: string | undefined;
  readonly program?: string | undefined;
  readonly maxTokens?: string | undefined;
  readonly maxTurns?: string | undefined;
  readonly minutes?: string | undefined;
  /** A file that it must add, change or delete. */
  readonly changedFile?: string | undefined;
  /** Whether an attempt that leaves the skill alone fails. */
  readonly mustUseSkill?: boolean | undefined;
}

/** What a task says of it; throws in plain words what is wrong, and where nothing is there to start from. */
export async function agentTask(
  skill: OpenSkill,
  { id, wish, environment }: { readonly id: string; readonly wish: AgentWish } & Pick<CommitToExport, 'environment'>,
  signal: AbortSignal,
): Promise<Pick<TaskSource, 'environment' | 'agent' | 'checks'>> {
  const fixture = await fixtureOf(skill, wish, environment, signal);
  const { mode, program, maxTokens, maxTurns, minutes, changedFile, mustUseSkill = false } = wish;
  const numbers = { maxTokens, maxTurns, minutes };
  const agent = checked(stated({ fixture, mode, program, ...stated(numbers, asNumber) }));
  const missing = typeof agent.fixture === 'string' ? await whyNoStart(skill.folder, agent.fixture, { id }) : undefined;
  if (missing !== undefined) throw new UserError('usage', missing.message, missing.cure);
  const wrong = changedFile === undefined ? undefined : changedFileProblem(changedFile);
  if (wrong !== undefined) throw new UserError('usage', `“${changedFile}” is no file of it.`, wrong);
  const checks: readonly CheckSpec[] = [
    ...(changedFile === undefined ? [] : [{ check: 'file_changed', hidden: false, arguments: { path: changedFile } }]),
    ...(mustUseSkill ? [{ check: 'skill_used', hidden: false, arguments: {} }] : []),
  ];
  return { environment: 'agent', agent, ...(checks.length === 0 ? {} : { checks }) };
}

/** Why a text cannot name a file in the folder that an agent works in; undefined where it can. */
export function changedFileProblem(file: string): string | undefined {
  return /^(?:\/|~|\.\.?(?:\/|$))/u.test(file.trim())
    ? 'Name it relative to the folder that the agent works in.'
    : undefined;
}

async function fixtureOf(
  skill: OpenSkill,
  { fixture, commit }: AgentWish,
  environment: CommitToExport['environment'],
  signal: AbortSignal,
): Promise<AgentTask['fixture'] | undefined> {
  if (fixture !== undefined && commit !== undefined)
    throw new UserError('usage', 'An agent starts from a folder or from a commit.', 'Name one of the two.');
  if (commit === undefined) return fixture;
  if (commit !== 'last') return { repository: '.', commit };
  const { repository } = await agentFixtures(skill, environment, signal);
  if (repository !== undefined) return repository;
  throw new UserError('usage', 'The skill lies in no repository with a commit.', 'Name a folder instead.');
}

function checked(given: unknown): AgentTask {
  const parsed = agentEntry.safeParse(given);
  if (parsed.success) return parsed.data;
  const [first] = fieldFaults(agentEntry, given, parsed);
  throw new UserError('usage', first?.message ?? '', 'Correct it, then add the task again.');
}

/** Without what was not said. */
function stated(
  fields: Readonly<Record<string, unknown>>,
  read: (value: unknown) => unknown = (value) => value,
): Readonly<Record<string, unknown>> {
  const said = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(said.map(([name, value]) => [name, read(value)]));
}

/** What is no number stays as it is, and is told. */
function asNumber(text: unknown): unknown {
  const number = Number(text);
  return String(text).trim() === '' || !Number.isFinite(number) ? text : number;
}
