import { evaluateAnswer } from '../../src/checks/judgeAnswer.js';
import { consolidate, consolidateAction, type ConsolidateAction } from '../../src/engine/consolidate/consolidate.js';
import type { ConsolidateSubject } from '../../src/engine/consolidate/evolve.js';
import type { RunResult } from '../../src/engine/optimizeSkill.js';
import type { Certifications, RunContext, StoredCertification } from '../../src/engine/runContext.js';
import type { RunEvent } from '../../src/engine/journal/runEvents.js';
import { resolveOptions } from '../../src/engine/runOptions.js';
import { createChatEnvironment } from '../../src/environments/chat.js';
import type { AttemptRequest } from '../../src/ports/environment.js';
import type { ModelRequest } from '../../src/ports/languageModel.js';
import type { Edit } from '../../src/skill/edits/edit.js';
import type { SplitTasks } from '../../src/tasks/task.js';
import { aCheck, aHeldOutTask, aSealedTask, aTrainingTask } from '../builders/aTask.js';
import { ManualClock } from '../fakes/ManualClock.js';
import { MemoryContents } from '../fakes/MemoryContents.js';
import { MemoryFiles } from '../fakes/MemoryFiles.js';
import { MemoryTextStore } from '../fakes/MemoryTextStore.js';
import { ScriptedModel, type ScriptedAnswer } from '../fakes/ScriptedModel.js';

export const skill = '---\nname: words\n---\n\n# Words\n\nAnswer in words.\n';
export const memoryFile = '# Notes\n\nBe kind.\n';

/** What a night is given; tests state what matters. */
export interface NightParts {
  readonly tasks?: SplitTasks;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** What the optimizer replies about the skill, and about the memory file. */
  readonly aboutSkill?: readonly Edit[];
  readonly aboutMemory?: readonly Edit[];
  readonly memory?: ConsolidateSubject['memoryFile'];
  readonly leaks?: ConsolidateSubject['leaks'];
  readonly recalled?: ConsolidateSubject['recalled'];
  /** What the environment of the tasks, which is `chat`, adds to training. */
  readonly hooks?: RunContext['hooks'];
  readonly target?: (request: ModelRequest) => ScriptedAnswer;
}

export interface NightEnd {
  readonly result: RunResult;
  readonly action: ConsolidateAction;
  readonly attempts: readonly AttemptRequest[];
  readonly events: readonly RunEvent[];
  readonly optimizer: ScriptedModel;
}

/** A whole consolidation on a model whose only ability is to say the words that it is told to say. */
export async function aNight(parts: NightParts): Promise<NightEnd> {
  const events: RunEvent[] = [];
  const attempts: AttemptRequest[] = [];
  const optimizer = new ScriptedModel()
    .when("agent's memory file", replyOf(parts.aboutMemory))
    .when('The current skill', replyOf(parts.aboutSkill));
  const context = contextFor(parts, { events, attempts, optimizer });
  const result = await consolidate(context, subjectOf(parts), new AbortController().signal);
  return { result, action: consolidateAction(result, context.options), attempts, events, optimizer };
}

/** Six training, six held-out and two sealed tasks; half of each want “alpha”, the other half “beta”. */
export function someTasks(more: Partial<SplitTasks> = {}): SplitTasks {
  const numbers = [0, 1, 2, 3, 4, 5];
  return {
    training: numbers.map((index) => aTrainingTask(row('training', index))),
    heldOut: numbers.map((index) => aHeldOutTask(row('held-out', index))),
    sealed: [0, 1].map((index) => aSealedTask(row('sealed', index))),
    setAside: [],
    ...more,
  };
}

function row(side: string, index: number) {
  const word = index % 2 === 0 ? 'alpha' : 'beta';
  return { id: `${side}-${index}`, prompt: `Job ${side} ${index}.`, checks: [aCheck('contains', { text: word })] };
}

export function say(word: string): Edit {
  return { op: 'append', content: `- Say “${word}”.`, rationale: `Answers lacked ${word}.` };
}

export const nonsense: Edit = { op: 'append', content: '- Think twice.', rationale: 'It may help.' };
export const harm: Edit = { op: 'append', content: '- Never say “gamma”.', rationale: 'It reads better.' };

function subjectOf(parts: NightParts): ConsolidateSubject {
  return {
    skillKey: 'key',
    skillName: 'words',
    skillPath: 'skills/words/SKILL.md',
    skill,
    memoryFile: parts.memory ?? { path: 'CLAUDE.md', text: memoryFile, evolve: true },
    tasks: parts.tasks ?? someTasks(),
    models: { target: 'scripted', optimizer: 'scripted', judge: 'scripted', simulated: false },
    leaks: parts.leaks ?? [],
    recalled: parts.recalled ?? [],
  };
}

function contextFor(
  parts: NightParts,
  { events, attempts, optimizer }: { events: RunEvent[]; attempts: AttemptRequest[]; optimizer: ScriptedModel },
): RunContext {
  const target = new ScriptedModel().when(() => true, parts.target ?? sayWhatIsAsked);
  const judge = new ScriptedModel();
  const sources = { files: new MemoryFiles({}), folder: '/', prompts: new Map(), references: new Map() };
  const chat = createChatEnvironment(target, sources);
  return {
    options: resolveOptions('standard', [
      { gate: { rule: 'strict', metric: 'mixed', attribution: false }, concurrency: 8 },
      parts.settings ?? {},
    ]),
    optimizer,
    attempt: async (request, signal) => {
      attempts.push(request);
      return chat.attempt(request, signal);
    },
    judge: (task, answered, sample, signal) =>
      evaluateAnswer(
        task,
        answered,
        {
          judge,
          programs: { run: () => Promise.reject(new Error('no program')) },
          consent: { allows: () => Promise.resolve(false) },
          contents: new MemoryContents({}),
          repeats: 1,
          ...sources,
          ...sample,
        },
        signal,
      ),
    clock: new ManualClock(),
    texts: new MemoryTextStore(),
    record: (event) => events.push(event),
    prompts: new Map(),
    gaming: { regexSources: [], references: [], taskTexts: [] },
    rejected: [],
    certifications: memoryCertifications(),
    hooks: parts.hooks,
  };
}

/** Says “x” for every “Say “x”.” that it reads, but for what it is told never to say. */
function sayWhatIsAsked({ messages }: ModelRequest): string {
  const text = messages.map(({ content }) => content).join('\n');
  const never = new Set([...text.matchAll(/Never say “(\w+)”/g)].map(([, word]) => word));
  const said = [...text.matchAll(/Say “(\w+)”/g)].map(([, word]) => word).filter((word) => !never.has(word));
  return said.length === 0 ? 'Nothing.' : said.join(' ');
}

function replyOf(edits: readonly Edit[] = []): string {
  return JSON.stringify({ failure_summary: [], edits });
}

function memoryCertifications(): Certifications {
  const known = new Map<string, StoredCertification>();
  return {
    open: (subject, first) => {
      const id = JSON.stringify(subject);
      return Promise.resolve({ kind: 'open', id, stored: known.get(id) ?? first });
    },
    save: (id, stored) => {
      known.set(id, stored);
      return Promise.resolve();
    },
  };
}
