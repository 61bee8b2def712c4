import type { CheckCatalog, CheckInspection } from './checkCatalog.js';
import type { JsonPath } from './json/jsonTree.js';
import { leavesFolder, type CheckSpec, type Task } from './task.js';
import type { TaskProblem } from './taskProblem.js';

/** A problem before it is known which line it stands on: `path` leads into the task's entry of `file`. */
export interface TaskFinding extends Pick<TaskProblem, 'severity' | 'code' | 'message'> {
  readonly file: 'evals' | 'whetstone';
  readonly path: JsonPath;
}

/** What makes a task unfit to judge a skill by: what no schema can say. */
export function inspectTask(task: Task, catalog: CheckCatalog): readonly TaskFinding[] {
  const inspections = task.checks.map((spec) => catalog.inspect(spec, task));
  return [
    ...agentFindings(task),
    ...task.files.flatMap((file, index) => (leavesFolder(file) ? [outside(file, index)] : [])),
    ...inspections.flatMap((inspection, index) => checkFindings(task.checks[index], inspection, index)),
    ...inspections.flatMap((inspection, index) => notDescribed(task, inspection, index)),
    ...weakness(task, inspections),
  ];
}

/** A folder to work in, and nothing that only a model without one is shown. */
function agentFindings(task: Task): readonly TaskFinding[] {
  const place = { file: 'whetstone', severity: 'error', code: 'schema' } as const;
  if (task.environment !== 'agent') {
    const message = `The task “${task.id}” says how an agent works on it, and its environment is “${task.environment}”. Name the environment “agent”, or leave “agent” out.`;
    return task.agent === undefined ? [] : [{ ...place, path: ['agent'], message }];
  }
  if (task.agent === undefined) {
    const message = `The task “${task.id}” names no folder for an agent to work in. Add “agent”: { “fixture”: “evals/fixtures/…” }.`;
    return [{ ...place, path: ['environment'], message }];
  }
  if (task.files.length === 0 && task.system === undefined && task.tools.length === 0) return [];
  const message = `An agent that works on the task “${task.id}” gets its folder alone: put files into the fixture, and leave “system” and “tools” out.`;
  return [{ ...place, severity: 'warning', code: 'unknown-field', path: ['agent'], message }];
}

function checkFindings(
  spec: CheckSpec | undefined,
  inspection: CheckInspection,
  index: number,
): readonly TaskFinding[] {
  const place = { file: 'whetstone', path: ['checks', index] } as const;
  const name = spec?.check ?? '';
  switch (inspection.kind) {
    case 'unknown': {
      const hint = inspection.nearest === undefined ? '' : ` Did you mean “${inspection.nearest}”?`;
      const message = `There is no check named “${name}”.${hint}`;
      return [{ ...place, path: [...place.path, 'check'], severity: 'error', code: 'unknown-check', message }];
    }
    case 'malformed': {
      const path = [...place.path, ...inspection.path];
      return [
        { ...place, path, severity: 'error', code: 'malformed-check', message: `“${name}”: ${inspection.reason}` },
      ];
    }
    case 'sound':
      if (inspection.cannotPass === undefined) return [];
      return [{ ...place, severity: 'error', code: 'cannot-pass', message: inspection.cannotPass }];
  }
}

/** A hidden check is kept from the optimizer on purpose. */
function notDescribed(task: Task, inspection: CheckInspection, index: number): readonly TaskFinding[] {
  const spec = task.checks[index];
  if (spec === undefined || spec.hidden || inspection.kind !== 'sound' || inspection.isDescribed) return [];
  const path = ['checks', index, ...('criterion' in spec.arguments ? ['criterion'] : [])];
  const message = `The task “${task.id}” has a check “${spec.check}” whose demand is not told to the optimizer. Say in its field “criterion” what it demands, in plain words.`;
  return [{ file: 'whetstone', path, severity: 'warning', code: 'not-described', message }];
}

/** Programs bring their own scores, so that a task of theirs may have no check at all. */
function weakness(task: Task, inspections: readonly CheckInspection[]): readonly TaskFinding[] {
  const sound = inspections.filter((inspection) => inspection.kind === 'sound');
  const judged = task.expectations.length > 0 || (task.checks.length === 0 && task.expectedOutput !== undefined);
  if (judged || sound.length < inspections.length || !judgedByChecks.has(task.environment)) return [];
  const place =
    task.checks.length === 0
      ? ({ file: 'evals', path: [] } as const)
      : ({ file: 'whetstone', path: ['checks'] } as const);
  if (!sound.some((inspection) => inspection.canFail)) {
    const message = `No answer can fail the task “${task.id}”. Add an expectation or a check that a bad answer would fail.`;
    return [{ ...place, severity: 'error', code: 'never-fails', message }];
  }
  if (sound.every((inspection) => inspection.shapeOnly || !inspection.canFail)) {
    const message = `The checks of the task “${task.id}” only constrain the form of an answer, not what it says.`;
    return [{ ...place, severity: 'warning', code: 'shape-only', message }];
  }
  return [];
}

const judgedByChecks = new Set(['chat', 'tools', 'agent']);

function outside(file: string, index: number): TaskFinding {
  const message = `“${file}” could lie outside the folder of the skill. Fixtures must lie in it.`;
  return { file: 'evals', path: ['files', index], severity: 'error', code: 'fixture-outside', message };
}
