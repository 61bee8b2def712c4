import { stat } from 'node:fs/promises';
import path from 'node:path';
import { mostWorkShown } from '../../../checks/askJudge.js';
import { mostGradings } from '../../../checks/judgeManner.js';
import { criteriaOf } from '../../../checks/criteria.js';
import type { PackageFiles } from '../../../skill/package/packageFile.js';
import type { RunOptions } from '../../../engine/runOptions.js';
import { bringsOf } from '../../../environments/askEnvironment.js';
import { mostFixtureBytes } from '../../../environments/taskMessages.js';
import { mostRounds } from '../../../environments/tools.js';
import { mostTokens } from '../../../models/tokens.js';
import { answerRoom, mostAsks } from '../../../prompts/answerRoom.js';
import { countTokens } from '../../../skill/document/countTokens.js';
import { advisedSize } from '../../../skill/edits/sizeBudget.js';
import { unlessMissing } from '../../../storage/files/fileErrors.js';
import type { TargetLimits } from '../../../tasks/readers/whetstoneFile.js';
import { leavesFolder, listFixtures, type Task } from '../../../tasks/task.js';
import type { RoleModels } from '../../models/runModels.js';
import { referenceTexts, type ReferenceOptions } from '../../environments/unseenFiles.js';
import type { SkillTasks } from '../../tasks/skillTasks.js';
import { agentBound, type AgentBoundInput } from './agentBound.js';
import { largestOf, nothingAsked, ofRole, sumOfBounds, times, type CallBound } from './callBound.js';

/** What attempts are made with. */
export interface BoundInput extends Pick<AgentBoundInput, 'agentTokens'> {
  /** What the target reads beside a task: the skill, and the memory file. */
  readonly text: string;
  /** The folder that fixtures lie in. */
  readonly folder: string;
  /** Declared programs and modules by name: what they may ask the target in an attempt, where they may. */
  readonly programs: ReadonlyMap<string, TargetLimits | undefined>;
  readonly options: Pick<RunOptions, 'answers' | 'thinking' | 'judge' | 'agent'> & ReferenceOptions;
  readonly models: Pick<RoleModels, 'target' | 'judge'>;
}

/** What a run is made with. */
export interface RunBoundInput extends BoundInput {
  readonly options: RunOptions;
  readonly models: RoleModels;
  /** The declared programs and modules that have remarks, and edits of their own; none where it is missing. */
  readonly speaking?: readonly string[];
  /** The documents beside SKILL.md that the optimizer may edit. */
  readonly files?: PackageFiles | undefined;
}

/** What the optimizer is shown of the package: SKILL.md may grow, and the others at its expense alone. */
export function shownToOptimizer({ text, files = {} }: Pick<RunBoundInput, 'text' | 'files'>): Beside['references'] {
  const beside = referencesBound(Object.entries(files));
  return { usual: countTokens(text) + beside.usual, most: mostText(text) + beside.most };
}

/** The programs that tasks declare. */
export function programsOf({ read }: Pick<SkillTasks, 'read'>): BoundInput['programs'] {
  return new Map([...read.environments].map(([name, { target }]) => [name, target]));
}

/** Those of them that are asked about training attempts. */
export function speakingOf({ read }: Pick<SkillTasks, 'read'>): readonly string[] {
  return [...read.environments].filter(([, declared]) => bringsOf(declared, 'edits')).map(([name]) => name);
}

/** What one attempt at each task takes. */
export interface AttemptBounds {
  readonly of: (task: Task) => CallBound;
  /** At each of them. */
  readonly all: readonly CallBound[];
  /** At a task like one of them. */
  readonly dearest: CallBound;
  /** At any task at all, such as one that may be recalled. */
  readonly unknown: CallBound;
  /** The most tokens of a task with its answer, as others may be shown them. */
  readonly longest: number;
}

/** A usual answer, in tokens. */
export const usualAnswer = 300;
const usualJudgement = 80;
const usualRounds = 2;
/** Tokens of our own words around a task or a grading, at most; a fourth of it is usual. */
const frame = 400;

/** The calls and tokens of one attempt at each of these tasks: second tries, rounds of tools, fixtures and judges counted. */
export async function attemptBounds(input: BoundInput, tasks: readonly Task[]): Promise<AttemptBounds> {
  const fixtures = await fixtureBytes(input.folder, tasks);
  const references = referencesBound([...(await referenceTexts(input, input.options))]);
  const skill = { usual: countTokens(input.text), most: mostText(input.text) };
  const beside = (task: Task): Beside => ({ skill, fixture: fixtures.get(task) ?? 0, references });
  const known = new Map(tasks.map((task) => [task, boundOf(input, task, beside(task))]));
  const dearest = largestOf([...known.values()]);
  const { second } = answerRoom({ role: 'target', identity: input.models.target.identity }, input.options);
  return {
    of: (task) => known.get(task) ?? nothingAsked,
    all: [...known.values()],
    dearest,
    unknown: largestOf([dearest, boundOf(input, anyTask, { skill, fixture: mostFixtureBytes, references })]),
    longest: tasks.reduce(
      (longest, task) =>
        Math.max(longest, mostTokens(wordsOf(task)) + (fixtures.get(task) ?? 0) + second + leftBy(task)),
      0,
    ),
  };
}

/** What an agent leaves is shown beside its answer. */
function leftBy({ environment }: Task): number {
  return environment === 'agent' ? mostWorkShown : 0;
}

/** The same attempt at every task, so many times. */
export async function boundOfAttempts(input: BoundInput, tasks: readonly Task[], often: number): Promise<CallBound> {
  const attempts = await attemptBounds(input, tasks);
  return times(sumOfBounds(tasks.map(attempts.of)), { least: often, usual: often, most: often });
}

/** What the target reads beside the words of the task. */
interface Beside {
  readonly skill: { readonly usual: number; readonly most: number };
  /** Bytes, which are the most tokens that they can be. */
  readonly fixture: number;
  readonly references: { readonly usual: number; readonly most: number };
}

/** Each stands under its name, in a fence of its own. */
function referencesBound(files: readonly (readonly [string, string])[]): Beside['references'] {
  const all = files.map(([name, text]) => `${name}${text}`).join('');
  return { usual: countTokens(all), most: mostTokens(all) + files.length * fenceTokens };
}

const fenceTokens = 60;

function boundOf(input: BoundInput, task: Task, beside: Beside): CallBound {
  if (input.programs.has(task.environment)) return programBound(input, task);
  if (task.environment === 'agent')
    return sumOfBounds([agentBound(input, task, wordsOf(task)), judgeBound(input, task)]);
  return sumOfBounds([targetBound(input, task, beside), judgeBound(input, task)]);
}

/** A program or a module may ask the target, where it is declared to; and it may leave the judging to the task. */
function programBound(input: BoundInput, task: Task): CallBound {
  const limits = input.programs.get(task.environment);
  const judged = { ...nothingAsked, most: judgeBound(input, task).most };
  return limits === undefined ? judged : sumOfBounds([askingBound(input, limits), judged]);
}

/** Usually it asks once. It may use the room that the skill has for words of its own, each byte of them a token. */
function askingBound({ text, options, models }: BoundInput, { calls, kilobytes }: TargetLimits): CallBound {
  const room = answerRoom({ role: 'target', identity: models.target.identity }, options);
  const read = Math.max(mostText(text), Buffer.byteLength(text)) + kilobytes * 1024 + frame;
  return ofRole('target', {
    least: { calls: 0, inputTokens: 0, outputTokens: 0 },
    usual: { calls: 1, inputTokens: countTokens(text) + usualAnswer + frame / 4, outputTokens: usualAnswer },
    most: { calls, inputTokens: calls * read, outputTokens: calls * room.second },
  });
}

const anyTask: Task = {
  id: '',
  prompt: '',
  expectedOutput: undefined,
  files: [],
  expectations: ['anything'],
  checks: [],
  references: [],
  context: undefined,
  system: undefined,
  tools: [],
  environment: 'tools',
  tags: [],
  assigned: undefined,
  origin: undefined,
  draft: false,
  enabled: true,
  contentHash: '',
};

/** One question, or a talk with tools; where thinking left no answer, one further try. An extension's own asks nobody of ours. */
function targetBound({ options, models }: BoundInput, task: Task, beside: Beside): CallBound {
  const { skill, fixture, references } = beside;
  const withTools = task.environment === 'tools';
  if (!withTools && task.environment !== 'chat') return nothingAsked;
  const room = answerRoom({ role: 'target', identity: models.target.identity }, options);
  const further = mostAsks('target', options) - 1;
  const calls = (withTools ? mostRounds : 1) + further;
  const longest = further === 0 ? room.first : room.second;
  const results = task.tools.reduce((total, { result }) => total + mostTokens(result), 0);
  const heard = withTools ? (calls * (calls - 1)) / 2 : 0; // each round reads what those before it said
  const read = skill.most + mostTokens(wordsOf(task)) + fixture + references.most + frame;
  const usualRead = skill.usual + countTokens(wordsOf(task)) + Math.ceil(fixture / 4) + references.usual + frame / 4;
  const usually = (often: number) => ({
    calls: often,
    inputTokens: often * usualRead,
    outputTokens: often * usualAnswer,
  });
  return ofRole('target', {
    least: usually(1),
    usual: usually(withTools ? usualRounds : 1),
    most: {
      calls,
      inputTokens: calls * read + heard * (longest + results),
      outputTokens: withTools ? calls * longest : room.first + further * room.second,
    },
  });
}

/** What the judge is asked is told from what decides: a task without checks and expectations has its expected output. */
function judgeBound({ options, models }: BoundInput, task: Task): CallBound {
  const found = criteriaOf(task);
  const asked = found.kind === 'malformed' ? [] : found.criteria.filter(({ evaluation }) => evaluation.by === 'judge');
  if (asked.length === 0) return nothingAsked;
  const room = answerRoom({ role: 'judge', identity: models.judge.identity, criteria: asked.length }, options);
  const answer = answerRoom({ role: 'target', identity: models.target.identity }, options).second + leftBy(task);
  const { repeats } = options.judge;
  const asks = mostGradings(models.judge, asked.length);
  const words = [wordsOf(task), task.expectedOutput ?? '', ...task.references, ...asked.map((each) => each.criterion)];
  const text = words.join('\n');
  const usual = {
    calls: repeats,
    inputTokens: repeats * (countTokens(text) + usualAnswer + frame / 4),
    outputTokens: repeats * usualJudgement,
  };
  return ofRole('judge', {
    least: usual,
    usual,
    most: {
      calls: repeats * asks,
      inputTokens: repeats * asks * (mostTokens(text) + answer + room.second + frame),
      outputTokens: repeats * (room.first + (asks - 1) * room.second),
    },
  });
}

function wordsOf({ prompt, context = '', system = '' }: Task): string {
  return [prompt, context, system].join('\n');
}

/** A skill may grow up to what is advised. */
export function mostText(text: string): number {
  return Math.max(mostTokens(text), advisedSize.tokens);
}

/** Bytes of each task's fixtures, as far as they are shown to a model. */
async function fixtureBytes(folder: string, tasks: readonly Task[]): Promise<ReadonlyMap<Task, number>> {
  const withFiles = tasks.filter((task) => task.files.length > 0);
  const sizes = new Map<string, number>();
  for (const file of new Set(withFiles.flatMap(listFixtures))) {
    const found = leavesFolder(file) ? undefined : await unlessMissing(stat(path.join(folder, file))).catch(unreadable);
    sizes.set(file, found?.size ?? 0);
  }
  return new Map(
    withFiles.map((task) => {
      const bytes = listFixtures(task).reduce((total, file) => total + (sizes.get(file) ?? 0), 0);
      return [task, Math.min(bytes, mostFixtureBytes)];
    }),
  );
}

/** A fixture that cannot be read is told when the task is attempted. */
function unreadable(): undefined {
  return undefined;
}
