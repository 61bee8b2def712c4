import type { CheckCatalog, CheckInspection } from './checkCatalog.js';
import type { JsonPath } from './json/jsonTree.js';
import { meantName } from './nearestName.js';
import { leavesFolder, type Task } from './task.js';
import type { TaskProblem } from './taskProblem.js';

/** A problem before it is known which line it stands on: `path` leads into the task's entry of `file`. */
export interface TaskFinding extends Pick<TaskProblem, 'severity' | 'code' | 'message'> {
  readonly file: 'evals' | 'whetstone';
  readonly path: JsonPath;
  /** True for a field that there is not: it is its name that is wrong. */
  readonly isName?: true;
}

/** What is known of the file that a task stands in. */
interface TaskSurroundings {
  /** Fields of the task of which nothing is known, because what is written there is wrong: that is told already. */
  readonly unread?: ReadonlySet<string> | undefined;
  /** The environments that are declared there. */
  readonly declared?: readonly string[];
}

/** What makes a task unfit to judge a skill by: what no schema can say. Nothing that only follows from another fault. */
export function inspectTask(
  task: Task,
  catalog: CheckCatalog,
  { unread = new Set(), declared }: TaskSurroundings = {},
): readonly TaskFinding[] {
  const inspections = task.checks.map((spec) => catalog.inspect(spec, task));
  const mistyped = declared === undefined || unread.has('environment') ? [] : mistypedEnvironment(task, declared);
  const isKnown = (...fields: readonly string[]): boolean => !fields.some((field) => unread.has(field));
  const isPlaced = mistyped.length === 0 && isKnown('environment', 'agent', 'tools');
  return [
    ...mistyped,
    ...(isPlaced ? agentFindings(task) : []),
    ...task.files.flatMap((file, index) => (leavesFolder(file) ? [outside(file, index)] : [])),
    ...inspections
      .flatMap((inspection, index) => checkFindings(task, inspection, index))
      .filter(({ code }) => isPlaced || code !== 'cannot-pass'),
    ...inspections.flatMap((inspection, index) => notDescribed(task, inspection, index)),
    ...(isPlaced && isKnown('checks', 'references') ? weakness(task, inspections) : []),
  ];
}

const ours = ['chat', 'tools', 'agent'];

/** One that nothing here declares may be an extension's: where it says how an agent works, it is not. */
function mistypedEnvironment({ id, environment, agent }: Task, declared: readonly string[]): readonly TaskFinding[] {
  const known = [...ours, ...declared];
  const meant = known.includes(environment) ? undefined : meantName(environment, known);
  if (meant === undefined) return [];
  const message = `The task “${id}” asks for the environment “${environment}”, which nothing here declares. Did you mean “${meant}”?`;
  const severity = agent !== undefined && meant === 'agent' ? 'error' : 'warning';
  return [{ file: 'whetstone', path: ['environment'], severity, code: 'schema', message }];
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

function checkFindings({ id, checks }: Task, inspection: CheckInspection, index: number): readonly TaskFinding[] {
  const place = { file: 'whetstone', path: ['checks', index] } as const;
  const name = checks[index]?.check ?? '';
  switch (inspection.kind) {
    case 'unknown': {
      const { nearest, known } = inspection;
      const message =
        nearest === undefined
          ? `The task “${id}” cannot be used: There is no check named “${name}”. There are these: ${known.join(', ')}.`
          : `The task “${id}” cannot be used: There is no check named “${name}”. Did you mean “${nearest}”?`;
      return [{ ...place, path: [...place.path, 'check'], severity: 'error', code: 'unknown-check', message }];
    }
    case 'malformed':
      return inspection.faults.map(({ reason, path }) => ({
        ...place,
        path: [...place.path, ...path],
        severity: 'error',
        code: 'malformed-check',
        message: `The task “${id}” cannot be used: There is a fault in its check “${name}”: ${reason}`,
      }));
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

const judgedByChecks = new Set(ours);

function outside(file: string, index: number): TaskFinding {
  const message = `“${file}” could lie outside the folder of the skill. Fixtures must lie in it.`;
  return { file: 'evals', path: ['files', index], severity: 'error', code: 'fixture-outside', message };
}
