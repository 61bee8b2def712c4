import type { Command } from 'commander';
import type { EvaluationResult } from '../../workshop/workshop.js';
import { runRequest, withRunOptions, type Face, type RunCommandOptions } from '../commandLine.js';
import { createProgress } from '../progressLine.js';
import { table } from '../table.js';
import { harmless, painter, type Paint } from '../terminal.js';

interface EvaluateOptions extends RunCommandOptions {
  readonly withoutSkill?: boolean;
  readonly task: readonly string[];
}

/** `whetstone evaluate <skill>`: scores every task once and proposes nothing. */
export function addEvaluate(program: Command, face: Face): void {
  withRunOptions(program.command('evaluate').argument('<skill>', 'a SKILL.md, or the folder that holds one'))
    .description('score every task once under the skill; proposes nothing')
    .option('--without-skill', 'score the tasks without the skill as well, as a baseline')
    .option(
      '--task <id>',
      'only this task (repeatable)',
      (value: string, before: readonly string[]) => [...before, value],
      [],
    )
    .action(async (skill: string, options: EvaluateOptions) => {
      const { terminal } = face;
      const progress = createProgress(terminal);
      const quiet = options.json === true;
      const request = {
        ...runRequest(face, skill, options),
        purpose: 'optimize' as const,
        withoutSkill: options.withoutSkill === true,
        only: options.task.length === 0 ? undefined : options.task,
      };
      const result = await face
        .open(options)
        .evaluate(request, (_event, summary) => (quiet ? undefined : progress.show(summary)), face.signal)
        .finally(() => (quiet ? undefined : progress.clear()));
      terminal.out(
        quiet
          ? `${JSON.stringify(evaluationJson(result), undefined, 2)}\n`
          : `${evaluationText(result, painter(terminal))}\n`,
      );
    });
}

function evaluationJson({
  skillName,
  model,
  simulated,
  tasks,
  totals,
  baseline,
}: EvaluationResult): Readonly<Record<string, unknown>> {
  return {
    skill: skillName,
    model,
    simulated,
    tasks: taskRows(tasks),
    totals,
    ...(baseline === undefined ? {} : { baseline: { tasks: taskRows(baseline.tasks), totals: baseline.totals } }),
  };
}

function taskRows(list: EvaluationResult['tasks']): readonly unknown[] {
  return list.map(({ id, split, hard, soft, checks, invalid }) => ({
    id,
    split,
    hard: hard ?? null,
    soft: soft ?? null,
    checks,
    ...(invalid === undefined ? {} : { invalid }),
  }));
}

function evaluationText(result: EvaluationResult, paint: Paint): string {
  const without = new Map((result.baseline?.tasks ?? []).map((task) => [task.id, task]));
  const head = ['', 'task', 'side', 'hard', 'soft', ...(result.baseline === undefined ? [] : ['without']), 'why'].map(
    (word) => paint('bold', word),
  );
  const rows = result.tasks.map((task) => {
    const passed = task.hard === 1;
    const mark = task.invalid !== undefined ? paint('yellow', '?') : passed ? paint('green', '✓') : paint('red', '✗');
    const why =
      task.invalid ??
      task.checks
        .filter((check) => !check.pass)
        .map((check) => check.reason)
        .join('; ');
    const base = result.baseline === undefined ? [] : [number(without.get(task.id)?.hard)];
    return [
      mark,
      task.id,
      task.split === 'heldOut' ? 'held-out' : task.split,
      number(task.hard),
      number(task.soft),
      ...base,
      harmless(why).slice(0, 100),
    ];
  });
  const { all, training, heldOut, sealed } = result.totals;
  const line = (name: string, total: typeof all): string =>
    `${name} ${number(total.hard)} (${total.n} tasks${total.invalid > 0 ? `, ${total.invalid} without a result` : ''})`;
  return [
    table([head, ...rows]),
    '',
    `${result.skillName} on ${result.model}: ${line('all', all)}, ${line('training', training)}, ${line('held-out', heldOut)}, ${line('sealed', sealed)}.`,
    ...(result.baseline === undefined ? [] : [`Without the skill: ${line('all', result.baseline.totals.all)}.`]),
  ].join('\n');
}

function number(score: number | undefined): string {
  return score === undefined ? '–' : score.toFixed(2);
}
