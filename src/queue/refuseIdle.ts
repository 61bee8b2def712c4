import { UserError } from '../errors.js';
import { programsOnCard, servedLanes, type WorkerOffer } from './worker.js';

/** A worker that would take no job is a mistake of whoever starts it, and waiting does not show it. */
export function refuseIdle(offer: WorkerOffer): void {
  const served = servedLanes(offer);
  if (served.length > 0) return;
  const { noPrograms } = programsOnCard(offer, served);
  const reasons = [...noAgents(offer), ...(noPrograms === undefined ? [] : [noPrograms])];
  throw new UserError(
    'usage',
    ['This worker would take no job.', ...reasons].join(' '),
    'Add chat to --environments for answers to prompts, or give what is missing: an agent program as the model (--model claude-code), --roles target for agents, --roles judge and a list with programs (--programs) for programs.',
  );
}

function noAgents({ environments, roles, models }: WorkerOffer): readonly string[] {
  if (!environments.includes('agent')) return [];
  if (!roles.includes('target')) return ['Agents at work need the role target.'];
  const { provider, model } = models.target.identity;
  return [`${provider}/${model} is no agent program and cannot work in a folder.`];
}
