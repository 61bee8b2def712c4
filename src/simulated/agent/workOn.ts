import type { AgentWork, WorkEvent, WorkLeft, WorkTree } from '../../ports/agentWork.js';
import type { ModelMessage, ModelRequest } from '../../ports/languageModel.js';
import { contentWords } from '../reading/wording.js';
import type { AnswerPlan } from '../target/plan.js';
import { openFolder, type WorkFolder } from './workFolder.js';

/** What the plan of an answer says that is to be done in the folder. */
type Deeds = Pick<AnswerPlan, 'commands' | 'notes'>;

/** How the model behind the agent answers, given all that it has read. */
export type Answering = (messages: readonly ModelMessage[]) => { readonly text: string; readonly plan: Deeds };

/**
 * A tiny agent in memory: it starts no program and needs no sandbox. It uses a skill whose description speaks of the task,
 * makes the replacement that the task asks for, notes what the skill says is to be noted, and tells the commands that it
 * says are to be run: none is, and each step says so.
 */
export function workOn(
  request: Pick<ModelRequest, 'messages'>,
  work: AgentWork,
  answer: Answering,
): { readonly text: string; readonly left: WorkLeft } {
  const task = request.messages.map(({ content }) => content).join('\n\n');
  const folder = openFolder(work.fixture);
  const skill = skillFor(task, work);
  const said = answer([
    ...(skill === undefined ? [] : [{ role: 'system' as const, content: skill.text }]),
    ...request.messages,
  ]);
  const steps: readonly WorkEvent[] = [
    ...(skill === undefined ? [] : [skill.event]),
    listed(folder),
    ...replaced(task, folder),
    ...said.plan.notes.map((note) => noted(note, task, folder)),
    ...said.plan.commands.map(told),
  ];
  const isLong = steps.length > work.limits.maxTurns;
  const done = isLong ? steps.slice(0, work.limits.maxTurns) : steps;
  const text = isLong ? 'The work is not finished.' : said.text;
  return {
    text,
    left: {
      events: [
        { kind: 'user', text: task },
        ...done,
        { kind: 'assistant', text },
        { kind: 'end', ok: true, reason: 'done' },
      ],
      diff: folder.diff(),
      changed: folder.changed(),
      judged: work.judges.map(() => ({
        kind: 'not-started',
        reason: 'the scripted agent of the simulated model starts no program.',
      })),
      touched: [],
      refusedHosts: [],
      ended: isLong ? 'turns' : 'done',
    },
  };
}

/** The text of the skill where the agent reads it: told to, or because its description has a telling word of the task. */
function skillFor(
  task: string,
  { skill, mode }: AgentWork,
): { readonly text: string; readonly event: WorkEvent } | undefined {
  const file = skill?.files.entries.find(({ path }) => path === 'SKILL.md');
  if (skill === undefined || file?.kind !== 'file') return undefined;
  const own = new TextDecoder().decode(file.bytes);
  const text = [own, ...pointedTo(own, skill.files)].join('\n\n');
  if (mode === 'forced') return { text, event: { kind: 'skill', name: skill.name, how: 'prompt' } };
  const description = /^description:\s*(.+)$/mu.exec(own)?.[1] ?? '';
  const telling = contentWords(description).filter((word) => word.length > 3);
  const words = new Set(contentWords(task));
  return telling.some((word) => words.has(word))
    ? { text, event: { kind: 'skill', name: skill.name, how: 'tool' } }
    : undefined;
}

const opened = /\.(?:md|json|ya?ml|[cm]?js|py|sh|bash)$/u;

/** The Markdown files and scripts that the skill names by their paths: an agent opens them where it is told to. */
function pointedTo(text: string, { entries }: WorkTree): readonly string[] {
  return entries.flatMap((entry) =>
    entry.kind === 'file' && entry.path !== 'SKILL.md' && opened.test(entry.path) && text.includes(entry.path)
      ? [new TextDecoder().decode(entry.bytes)]
      : [],
  );
}

/** `change “19.00” to “21.50” in `prices.csv``: the words that such a task has for it. */
const replacement =
  /\b(?:change|replace|set|move|raise|lower|rename|correct)\b[^“”`]{0,60}“([^“”]{1,400})”[^“”`]{0,40}\b(?:to|with|into|by)\b[^“”`]{0,20}“([^“”]{1,400})”[^“”`]{0,60}`([^`]{1,400})`/giu;

function replaced(task: string, folder: WorkFolder): readonly WorkEvent[] {
  return [...task.matchAll(replacement)].map(([, from = '', to = '', path = '']) => {
    const text = folder.read(path);
    const found = text?.includes(from) === true;
    if (found) folder.write(path, text.replace(from, to));
    const input = JSON.stringify({ path, from, to });
    return {
      kind: 'tool',
      name: 'edit',
      input,
      output: found ? `${path} was changed.` : `“${from}” is not in ${path}.`,
      ok: found,
    };
  });
}

function noted({ file, words }: AnswerPlan['notes'][number], task: string, folder: WorkFolder): WorkEvent {
  const before = folder.read(file) ?? '';
  const summary =
    task
      .trim()
      .split(/(?<=[.!?])\s/u)[0]
      ?.slice(0, 120) ?? '';
  // Behind a label stands what it labels.
  const labels = words.filter((word) => word.endsWith(':'));
  const line = `- ${[...labels, summary, ...words.filter((word) => !labels.includes(word))].join(' ')}`;
  folder.write(file, `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${line}\n`);
  return {
    kind: 'tool',
    name: 'edit',
    input: JSON.stringify({ path: file, add: line }),
    output: `${file} was changed.`,
    ok: true,
  };
}

function listed(folder: WorkFolder): WorkEvent {
  return { kind: 'tool', name: 'ls', input: '{"path":"."}', output: folder.names().join('\n'), ok: true };
}

function told(command: string): WorkEvent {
  const output = 'Told, not run: the scripted agent starts no program.';
  return { kind: 'tool', name: 'shell', input: command, output, ok: true, command, onlyTold: true };
}
