import type { ModelRequest } from '../../../src/ports/languageModel.js';
import { anOptimizer, chance, edits, say } from '../../builders/aRunContext.js';
import { aWorkspace, inEveryRole, writtenTasks } from '../../builders/aWorkspace.js';

const sizes = [20, 40, 100];
const four = ['alpha', 'beta', 'gamma', 'delta'];
const leastBound = 80;

/**
 * What finding out the worth of four edits takes of a whole run with the usual options, on a model that is as noisy as
 * models are: its calls over its bound, and its share of all calls, beside the share without a bound.
 */
export async function run() {
  return Promise.all(
    sizes.map(async (tasks) => {
      const held = await callsOf(tasks, {});
      const free = await callsOf(tasks, { gate: { attributionCalls: 'unbounded' } });
      const bound = Math.max(leastBound, Math.floor(held.planned / 4));
      return {
        name: `attribution at ${tasks} tasks: its calls over its bound`,
        ratio: held.attributed / bound,
        limit: 1,
        calls: held.attributed,
        allCalls: held.all,
        share: held.attributed / held.all,
        shareUnbounded: free.attributed / free.all,
      };
    }),
  );
}

async function callsOf(tasks: number, settings: Readonly<Record<string, unknown>>) {
  const counts = { training: 0.4 * tasks, heldOut: 0.4 * tasks, sealed: 0.2 * tasks };
  const model = anOptimizer({ reflect: edits(...four.map(say)) }).when(({ role }) => role === 'target', noisy);
  const written = writtenTasks(counts, ['alpha']).map((task) => ({ ...task, prompt: unlikeOthers(task.id) }));
  const workspace = aWorkspace({ tasks: written, models: inEveryRole(model) });
  const attempts = { attributed: 0, certified: 0 };
  try {
    const { proposal } = await workspace.optimize({
      preset: 'standard',
      settings,
      onEvent: (event) => {
        if (event.kind === 'attempt' && event.stage === 'attribute') attempts.attributed++;
        if (event.kind === 'attempt' && event.stage === 'certify') attempts.certified++;
      },
    });
    const all = model.requests.length;
    if (attempts.attributed === 0 || proposal?.verdict.kind !== 'accepted')
      throw new Error(`nothing was attributed and accepted at ${tasks} tasks: ${proposal?.verdict.reason}`);
    // The sealed tasks are among the calls already, the certification counts as one pass.
    const planned = all - attempts.attributed - attempts.certified + 2 * counts.heldOut;
    return { all, planned, attributed: attempts.attributed };
  } finally {
    workspace.dispose();
  }
}

/** Tasks that are almost the same would be taken for leaked ones. */
function unlikeOthers(id: string): string {
  const words = Array.from({ length: 10 }, (_, at) => Math.floor(chance(`${id} ${at}`) * 1e9).toString(36));
  return `What have ${words.join(', ')} to do with each other?`;
}

/** Every edit that it reads makes it somewhat more likely to answer as it should. */
function noisy({ messages, attempt, dependsOn = [] }: ModelRequest): string {
  const [system, user] = messages;
  const read = four.filter((word) => system?.content.includes(`“${word}”`)).length;
  const draw = chance(JSON.stringify([system?.content, user?.content, attempt, dependsOn]));
  return draw < 0.1 + 0.2 * read ? 'alpha' : 'Nothing.';
}
