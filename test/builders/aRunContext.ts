import { evaluateAnswer } from '../../src/checks/judgeAnswer.js';
import { optimizeSkill, type RunResult, type RunSubject } from '../../src/engine/optimizeSkill.js';
import type { RunContext } from '../../src/engine/runContext.js';
import type { RejectedEdit } from '../../src/engine/stages/history.js';
import type { RunEvent } from '../../src/engine/journal/runEvents.js';
import { resolveOptions } from '../../src/engine/runOptions.js';
import { createChatEnvironment } from '../../src/environments/chat.js';
import type { AttemptRequest } from '../../src/ports/environment.js';
import type { ModelRequest } from '../../src/ports/languageModel.js';
import type { Edit } from '../../src/skill/edits/edit.js';
import type { GamingEvidence } from '../../src/skill/edits/gaming.js';
import { ManualClock } from '../fakes/ManualClock.js';
import { MemoryCertifications } from '../fakes/MemoryCertifications.js';
import { MemoryContents } from '../fakes/MemoryContents.js';
import { MemoryFiles } from '../fakes/MemoryFiles.js';
import { MemoryTextStore } from '../fakes/MemoryTextStore.js';
import { ScriptedModel, type ScriptedAnswer } from '../fakes/ScriptedModel.js';
import { aSplit } from './aSplit.js';

export const skillText = '---\nname: words\n---\n\n# Words\n\nAnswer in words.\n';

/** What a target can do under a skill; `sample` is another text for every independent attempt. */
export type Ability = (skill: string, prompt: string, sample: string) => ScriptedAnswer;

export interface RunParts {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly ability?: Ability;
  readonly optimizer?: ScriptedModel;
  readonly judge?: ScriptedModel;
  readonly clock?: ManualClock;
  readonly rejected?: readonly RejectedEdit[];
  readonly metaSkill?: string;
  readonly gaming?: GamingEvidence;
  readonly certifications?: MemoryCertifications;
  /** Called before the event is kept. */
  readonly onEvent?: (event: RunEvent) => void;
}

/** A run's context without files or network, and what was asked of it. */
export interface TestRun {
  readonly context: RunContext;
  readonly events: RunEvent[];
  readonly attempts: AttemptRequest[];
  readonly texts: MemoryTextStore;
  readonly optimizer: ScriptedModel;
  readonly target: ScriptedModel;
}

/** A context on a target whose ability is to say the words that its skill tells it to say. */
export function aRunContext(parts: RunParts = {}): TestRun {
  const events: RunEvent[] = [];
  const attempts: AttemptRequest[] = [];
  const texts = new MemoryTextStore();
  const target = new ScriptedModel().when(() => true, answering(parts.ability ?? sayWhatIsAsked));
  const optimizer = parts.optimizer ?? anOptimizer();
  const sources = { files: new MemoryFiles({}), folder: '/', prompts: new Map(), references: new Map() };
  const chat = createChatEnvironment(target, sources);
  const services = {
    judge: parts.judge ?? new ScriptedModel(),
    programs: { run: () => Promise.reject(new Error('no program')) },
    consent: { allows: () => Promise.resolve(false) },
    contents: new MemoryContents({}),
    repeats: 1,
  };
  const context: RunContext = {
    options: resolveOptions('standard', [parts.settings ?? {}]),
    optimizer,
    attempt: (request, signal) => {
      attempts.push(request);
      return chat.attempt(request, signal);
    },
    judge: (task, answered, sample, signal) =>
      evaluateAnswer(task, answered, { ...services, ...sources, ...sample }, signal),
    clock: parts.clock ?? new ManualClock(),
    texts,
    record: (event) => {
      parts.onEvent?.(event);
      events.push(event);
    },
    prompts: new Map(),
    gaming: parts.gaming ?? { regexSources: [], references: [], taskTexts: [] },
    rejected: parts.rejected ?? [],
    metaSkill: parts.metaSkill,
    certifications: parts.certifications ?? new MemoryCertifications(),
  };
  return { context, events, attempts, texts, optimizer, target };
}

/** A whole run, from the text of a skill to a proposal or the reason why there is none. */
export async function aRun(
  parts: RunParts & Partial<Pick<RunSubject, 'tasks' | 'skill' | 'leaks'>> & { readonly signal?: AbortSignal } = {},
): Promise<TestRun & { readonly result: RunResult }> {
  const run = aRunContext(parts);
  const signal = parts.signal ?? new AbortController().signal;
  const result = await optimizeSkill(run.context, aSubject(parts), signal);
  return { ...run, result };
}

function aSubject(parts: Partial<Pick<RunSubject, 'tasks' | 'skill' | 'leaks'>>): RunSubject {
  return {
    skillKey: 'key',
    skillName: 'words',
    skillPath: 'skills/words/SKILL.md',
    skill: parts.skill ?? skillText,
    memory: undefined,
    tasks: parts.tasks ?? aSplit(),
    leaks: parts.leaks ?? [],
    models: { target: 'scripted', optimizer: 'scripted', judge: 'scripted', simulated: false },
  };
}

/** Says “x” for every “Say “x”.” that it reads, but for what it is told never to say. */
export function sayWhatIsAsked(skill: string): string {
  const never = new Set([...skill.matchAll(/Never say “(\w+)”/gu)].map(([, word]) => word));
  const said = [...skill.matchAll(/Say “(\w+)”/gu)].map(([, word]) => word).filter((word) => !never.has(word));
  return said.length === 0 ? 'Nothing.' : said.join(' ');
}

export interface OptimizerScript {
  readonly reflect?: ScriptedAnswer;
  readonly merge?: ScriptedAnswer;
  readonly rank?: ScriptedAnswer;
  readonly budget?: ScriptedAnswer;
  readonly slowUpdate?: ScriptedAnswer;
  readonly metaSkill?: ScriptedAnswer;
}

/** An optimizer that answers each kind of question by its part of the script; without one it proposes nothing. */
export function anOptimizer(script: OptimizerScript = {}): ScriptedModel {
  const { reflect, merge, rank, budget, slowUpdate, metaSkill } = script;
  const model = new ScriptedModel()
    .when(asksFor('reflection'), reflect ?? edits())
    .when(asksFor('places'), edits())
    .when(asksFor('slow_update'), slowUpdate ?? guidance(''))
    .when(asksFor('meta_skill'), metaSkill ?? notes(''));
  if (merge !== undefined) model.when(asksFor('merge'), merge);
  if (budget !== undefined) model.when(asksFor('edit_budget'), budget);
  if (rank !== undefined) model.when(asksFor('ranking'), rank);
  return model;
}

function asksFor(name: string): (request: ModelRequest) => boolean {
  return (request) => request.replySchema?.name === name;
}

/** The reply of an analyst or of a merge. */
export function edits(...list: readonly (Edit & { readonly tasks?: readonly string[] })[]): string {
  return JSON.stringify({ failure_summary: [], edits: list });
}

/** The reply of a slow update. */
export function guidance(content: string): string {
  return JSON.stringify({ reasoning: 'Forgotten over the epoch.', slow_update_content: content });
}

/** The optimizer's notes to itself. */
export function notes(content: string): string {
  return JSON.stringify({ reasoning: '', meta_skill_content: content });
}

export function say(word: string): Edit {
  return { op: 'append', content: `- Say “${word}”.`, rationale: `Answers lacked ${word}.` };
}

export function neverSay(word: string): Edit {
  return { op: 'append', content: `- Never say “${word}”.`, rationale: 'It reads better.' };
}

/** A number in [0, 1) that depends on this text alone. */
export function chance(text: string): number {
  let hash = 2166136261;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619);
  // A last mix: the lower bits of the sum above are not free of each other.
  hash = Math.imul(hash ^ (hash >>> 15), 2246822507);
  hash = Math.imul(hash ^ (hash >>> 13), 3266489909);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

function answering(ability: Ability): ScriptedAnswer {
  return ({ messages, attempt, dependsOn = [] }) => {
    const [system, user] = messages;
    return ability(system?.content ?? '', user?.content ?? '', JSON.stringify([attempt, dependsOn]));
  };
}
