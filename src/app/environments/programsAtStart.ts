import { commandToRun } from '../../checks/rules/command.js';
import { askedAbout, noteBeginning, type StartToAllow } from '../../environments/allowedToRun.js';
import { declaredStart, type DeclaredStart } from '../../environments/declaredStart.js';
import type { StartSources } from '../../environments/program.js';
import { UserError } from '../../errors.js';
import type { ProgramQuestion } from '../../ports/programs.js';
import { isProgramAllowed, wasAllowedOtherwise } from '../../storage/state/consents.js';
import type { EnvironmentDeclaration } from '../../tasks/readers/whetstoneFile.js';
import type { Task } from '../../tasks/task.js';
import { exactText } from '../../wording/shownText.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import { userStore, type World } from '../world.js';
import { isUnplayed } from './unplayedTasks.js';

/** What programs are declared, and the tasks that need them. */
interface ProgramUse {
  readonly declared: ReadonlyMap<string, EnvironmentDeclaration>;
  readonly tasks: readonly Task[];
  /** What attempts them: not every target starts what judges them. */
  readonly target?: Pick<LanguageModel, 'identity'>;
}

/**
 * Notes what every program of a run is before the first of them runs: one program could change another that was not
 * needed yet, and a flag that allows programs allows what is there when the run begins.
 */
export async function noteProgramsAtStart(use: ProgramUse, sources: StartSources, signal: AbortSignal): Promise<void> {
  const bringing = [...use.declared].filter(([, { brings = [] }]) => brings.length > 0);
  const starts = bringing.map(([, each]) => declaredStart(each, sources.folder, sources.moduleStart));
  await noteBeginning([...starts, ...startsOf(use, sources)], sources, signal);
}

/**
 * Asks about every program that tasks need before a model is asked anything: answers that no program may judge are paid
 * for and lost. Throws where one of them is not allowed.
 */
export async function askAboutPrograms(use: ProgramUse, sources: StartSources, signal: AbortSignal): Promise<void> {
  const refused: ProgramQuestion[] = [];
  for (const start of startsOf(use, sources)) {
    const question = await askedAbout(start, sources, signal);
    if (question !== undefined && !(await sources.consent.allows(question, signal))) refused.push(question);
  }
  if (refused.length === 0) return;
  const names = refused.map(({ shown, what }) => `“${exactText(shown ?? what)}”`).join(', ');
  throw new UserError(
    'environment-refused',
    `Tasks of this run need what was not allowed to run: ${names}. No model was asked.`,
    'Look at what would run, then start the run again and allow it (--allow-programs on the command line).',
  );
}

/** Which programs a run will ask about, as sentences. Asks nobody, and writes nothing. */
export async function programsToAllow(
  world: World,
  use: ProgramUse,
  sources: Pick<StartSources, 'folder' | 'moduleStart' | 'contents'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const store = await userStore(world, 'look');
  // Whether the sandbox works is found out when the run begins: until then it is taken to be as it was.
  const sandbox = world.sandbox === undefined ? undefined : ({ kind: 'available' } as const);
  const lines: string[] = [];
  for (const start of startsOf(use, sources)) {
    const question = await askedAbout(start, sources, signal);
    if (question === undefined || (await isProgramAllowed(store, { ...question, sandbox }))) continue;
    const command = exactText(question.shown ?? question.what);
    lines.push(
      (await wasAllowedOtherwise(store, question))
        ? `Before the first call you are asked whether this may run, which changed since you allowed it: ${command}`
        : `Before the first call you are asked whether this may run: ${command}`,
    );
  }
  return lines;
}

/** A program that tasks of a run need, and how it is started. */
export interface NeededProgram {
  readonly what: string;
  readonly started: DeclaredStart['started'];
  /** Whether it is given the run's target to ask, at an address of this machine. */
  readonly asksTarget: boolean;
}

/** Each of them once, in one line each. */
export function neededPrograms(
  use: ProgramUse,
  sources: Pick<StartSources, 'folder' | 'moduleStart'>,
): readonly NeededProgram[] {
  const asking = [...use.declared.values()].filter((declared) => declared.target !== undefined);
  const known = new Set(
    asking.map((declared) => JSON.stringify(declaredStart(declared, sources.folder, sources.moduleStart))),
  );
  return startsOf(use, sources).map((start) => {
    const { what, started } = start;
    return { what, started, asksTarget: known.has(JSON.stringify(start)) };
  });
}

/** A program that takes one of these names is refused as such. */
const ours: ReadonlySet<string> = new Set(['chat', 'tools', 'agent']);

/** Each once: what the tasks are attempted by, and what judges them. */
function startsOf(
  { declared, tasks, target }: ProgramUse,
  sources: Pick<StartSources, 'folder' | 'moduleStart'>,
): readonly (StartToAllow & Pick<DeclaredStart, 'started'>)[] {
  const named = new Set(tasks.map(({ environment }) => environment));
  const used = [...declared].filter(([name]) => named.has(name) && !ours.has(name));
  const judged = tasks
    .filter((task) => target === undefined || !isUnplayed(task, target))
    .flatMap(({ checks }) => checks);
  const commands = judged.flatMap((check) => commandToRun(check, sources.folder) ?? []);
  const starts = [...used.map(([, each]) => declaredStart(each, sources.folder, sources.moduleStart)), ...commands];
  return [...new Map(starts.map((each) => [JSON.stringify(each), each])).values()];
}
