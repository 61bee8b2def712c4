import * as vscode from 'vscode';
import { messageOf } from '../../errors.js';
import type { UseCases } from '../../app/useCases.js';
import type { EvaluatedTask } from '../../app/runs/evaluate.js';
import { signalOf } from '../cancellation.js';
import { curesOf } from '../cures.js';
import { reportError } from '../reportError.js';
import { runRequestFor } from '../run/runRequestFor.js';
import { confirmAttempts } from '../run/confirmAttempts.js';
import { retold } from '../../wording/translate.js';
import { testMessageOf } from '../shown/tests.js';

/** The tasks of one skill that are to be attempted. */
export interface ChosenTasks {
  readonly skillPath: string;
  readonly items: readonly vscode.TestItem[];
}

export interface TestsToRun {
  readonly controller: vscode.TestController;
  readonly request: vscode.TestRunRequest;
  readonly chosen: readonly ChosenTasks[];
  readonly withoutSkill: boolean;
  readonly useCases: UseCases;
  /** What a good answer to a task looks like, where the task says so. */
  readonly expectedOf: (item: vscode.TestItem) => string | undefined;
}

/** The task that a test stands for: its label only shows it. */
export function taskOf({ id, parent }: vscode.TestItem): string {
  return parent === undefined ? id : id.slice(parent.id.length + 1);
}

/** Attempts each task once and says how it came out. What gave no result is an error, never a failure. */
export async function runTests(wanted: TestsToRun, token: vscode.CancellationToken): Promise<void> {
  const run = wanted.controller.createTestRun(wanted.request);
  const { signal, dispose } = signalOf(token);
  try {
    for (const chosen of wanted.chosen) await runSkill(wanted, chosen, run, signal);
  } finally {
    dispose();
    run.end();
  }
}

async function runSkill(
  { useCases, withoutSkill, expectedOf }: TestsToRun,
  { skillPath, items }: ChosenTasks,
  run: vscode.TestRun,
  signal: AbortSignal,
): Promise<void> {
  for (const item of items) run.started(item);
  try {
    const request = { ...runRequestFor(skillPath), withoutSkill, only: items.map(taskOf) };
    const result = await useCases.evaluate(request, () => undefined, signal);
    const tasks = withoutSkill ? (result.baseline?.tasks ?? []) : result.tasks;
    const byId = new Map(tasks.map((task) => [task.id, task]));
    for (const item of items) tell(run, item, { task: byId.get(taskOf(item)), expected: expectedOf(item) });
  } catch (error) {
    if (signal.aborted) for (const item of items) run.skipped(item);
    else tellBroken(run, items, error);
  }
}

/** The list of tests has no buttons: where a place of ours mends it, the person is told beside it too. */
function tellBroken(run: vscode.TestRun, items: readonly vscode.TestItem[], error: unknown): void {
  const message = testMessageOf(retold(messageOf(error)));
  for (const item of items) run.errored(item, message);
  if (curesOf(error).length > 0) void reportError(error);
}

function tell(
  run: vscode.TestRun,
  item: vscode.TestItem,
  { task, expected }: { readonly task: EvaluatedTask | undefined; readonly expected: string | undefined },
): void {
  if (task === undefined || task.hard === undefined) {
    run.errored(
      item,
      testMessageOf(task?.invalid === undefined ? vscode.l10n.t('There is no result.') : retold(task.invalid)),
    );
    return;
  }
  if (task.hard === 1) run.passed(item);
  else run.failed(item, messagesOf(task, expected));
}

/** Every check that failed: what was expected, or what the check says where no answer is given, beside what the model answered. */
function messagesOf({ checks, answer }: EvaluatedTask, expected: string | undefined): vscode.TestMessage[] {
  return checks
    .filter(({ pass }) => !pass)
    .map(({ name, reason }) =>
      testMessageOf(`${name}: ${retold(reason)}`, { expected: expected ?? retold(reason), actual: answer ?? '' }),
    );
}

/** Says how many attempts the tests make, on which model, and what that costs at most. Asked of every model but the simulated one. */
export async function confirmTests(
  useCases: UseCases,
  { chosen, withoutSkill }: Pick<TestsToRun, 'chosen' | 'withoutSkill'>,
): Promise<boolean> {
  const some = chosen.filter(({ items }) => items.length > 0);
  if (some.length === 0) return false;
  // Without the skill means: beside the same task with it.
  const attempted = some.map(({ skillPath, items }) => ({ skillPath, only: items.map(taskOf), withoutSkill }));
  return confirmAttempts(useCases, { chosen: attempted, always: true });
}
