import { aModelThatLearns } from '../../builders/aModelThatLearns.js';
import { aWorkspace, inEveryRole, writtenTasks, type WrittenTask } from '../../builders/aWorkspace.js';
import type { ModelRequest } from '../../../src/ports/languageModel.js';

/** Six training and six held-out tasks that all fail before and all pass after; none sealed. */
const counts = { training: 6, heldOut: 6, sealed: 0 };

/** Model calls until a strict decision: the paper's nightly loop needs 19 with exact checks, 37 with rubrics. */
export async function run() {
  return [
    await measured('calls until a strict decision, exact checks', 16, [{ check: 'exact', answer: 'alpha' }]),
    await measured('calls until a strict decision, rubrics', 30, [{ check: 'rubric', rubric: 'It says alpha.' }]),
  ];
}

async function measured(name: string, limit: number, checks: WrittenTask['checks']) {
  const tasks = writtenTasks(counts, []).map((task) => ({ ...task, checks }));
  const model = aModelThatLearns(graded);
  const workspace = aWorkspace({ tasks, models: inEveryRole(model) });
  try {
    const { proposal } = await workspace.optimize({ preset: 'quick', settings: { gate: { rule: 'strict' } } });
    if (proposal?.verdict.kind !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(proposal?.verdict)}`);
    const notNeeded = proposal.comparisons.filter(({ after }) => after.score === undefined).length;
    return { name, ratio: model.requests.length, limit, notNeeded };
  } finally {
    workspace.dispose();
  }
}

function graded({ messages }: ModelRequest): string {
  const pass = /```answer-[0-9a-f]+\nalpha\n/u.test(messages[0]?.content ?? '');
  return JSON.stringify({ results: [{ index: 0, pass, score: pass ? 1 : 0, reason: 'It does or does not.' }] });
}
