import { UserError } from '../../errors.js';
import type { WorkTree } from '../../ports/agentWork.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import type { OpenSkill } from '../openSkill.js';
import type { World } from '../world.js';
import { givenToAgents, type WorkedTasks } from './agentSecrets.js';
import type { AgentTrees } from './agentSources.js';

interface SentFolders extends Pick<WorkedTasks, 'tasks'> {
  readonly world: Pick<World, 'attempts'>;
  readonly skill: Pick<OpenSkill, 'folder' | 'name'>;
  readonly target: Pick<LanguageModel, 'identity'>;
}

/** Throws before the first attempt where a folder that agents are given does not fit the way to the workers that make them. */
export async function refuseTooLarge(
  { world: { attempts }, skill, tasks, target: { identity } }: SentFolders,
  trees: AgentTrees,
  signal: AbortSignal,
): Promise<void> {
  const { place, mostFolderBytes: most } = attempts ?? {};
  if (place === undefined || most === undefined || identity.simulated || attempts?.takes?.(identity) === false) return;
  const given = await givenToAgents({ skill, tasks }, trees, signal);
  const large = given.find(({ tree }) => bytesOf(tree) > most);
  if (large === undefined) return;
  const [megabytes, bytes] = [most / mega, Math.ceil(bytesOf(large.tree) / mega)];
  const name = large.fixture ?? skill.name;
  throw new UserError(
    'environment-refused',
    `The folder “${name}” that agents are given has ${bytes} MB of files; the queue takes about ${megabytes} MB.`,
    'Make it smaller, or run it without a queue.',
  );
}

const mega = 1024 * 1024;

function bytesOf({ entries }: WorkTree): number {
  return entries.reduce((sum, entry) => sum + (entry.kind === 'file' ? entry.bytes.length : 0), 0);
}
