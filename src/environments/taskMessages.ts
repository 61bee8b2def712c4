import { createHash } from 'node:crypto';
import { fence } from '../prompts/fence.js';
import { attemptPrompt, attemptWithoutSkillPrompt } from '../prompts/attempt.js';
import { renderPrompt, type PromptOverrides } from '../prompts/renderPrompt.js';
import type { AttemptRequest } from '../ports/environment.js';
import type { FixtureFiles } from '../ports/files.js';
import type { ModelMessage } from '../ports/languageModel.js';

/** More than this is not read by a person either; such a task needs an agent with a file system. */
const mostFixtureBytes = 64 * 1024;

export interface TaskSources {
  readonly files: FixtureFiles;
  /** The folder that fixture paths are relative to. */
  readonly folder: string;
  readonly prompts: PromptOverrides;
  /** Markdown files that the skill points to and that the person asked to inline: path -> text. */
  readonly references: ReadonlyMap<string, string>;
}

export type TaskMessages =
  | { readonly kind: 'messages'; readonly messages: readonly ModelMessage[]; readonly fixtureHash: string }
  | { readonly kind: 'invalid'; readonly reason: string };

/** What the target reads: the skill in neutral words (or in the task's own system text), then the task. */
export async function messagesFor(
  request: AttemptRequest,
  sources: TaskSources,
  signal: AbortSignal,
): Promise<TaskMessages> {
  const fixtures = await readFixtures(request, sources, signal);
  if (fixtures.kind === 'invalid') return fixtures;
  const { task } = request;
  const user = [task.prompt, ...(task.context === undefined ? [] : [task.context]), ...fixtures.texts].join('\n\n');
  return {
    kind: 'messages',
    messages: [
      { role: 'system', content: systemText(request, sources) },
      { role: 'user', content: user },
    ],
    fixtureHash: createHash('sha256').update(fixtures.texts.join('\u0000')).digest('hex'),
  };
}

function systemText(request: AttemptRequest, sources: TaskSources): string {
  const { task, skill, memory } = request;
  const references = [...sources.references].map(([path, text]) => `${path}:\n${fence('reference', text)}`);
  if (task.system !== undefined) return ownSystemText(task.system, [skill ?? '', ...references, memory ?? '']);
  const memoryWords =
    memory === undefined || memory === ''
      ? undefined
      : { words: `Notes that always apply:\n\n${fence('memory', memory)}` };
  if (skill === undefined) return renderPrompt(attemptWithoutSkillPrompt, { memory: memoryWords }, sources.prompts);
  const skillWords = [fence('skill', skill), ...references].join('\n\n');
  return renderPrompt(attemptPrompt, { skill: { words: skillWords }, memory: memoryWords }, sources.prompts);
}

/** The task's own system text stays verbatim; the skill goes where `{skill}` stands, else after it. */
function ownSystemText(system: string, parts: readonly string[]): string {
  const given = parts.filter((part) => part !== '').join('\n\n');
  return system.includes('{skill}')
    ? system.split('{skill}').join(given)
    : [system, given].filter((part) => part !== '').join('\n\n');
}

async function readFixtures(
  { task }: AttemptRequest,
  { files, folder }: TaskSources,
  signal: AbortSignal,
): Promise<
  { readonly kind: 'texts'; readonly texts: readonly string[] } | { readonly kind: 'invalid'; readonly reason: string }
> {
  const texts: string[] = [];
  let bytes = 0;
  for (const file of task.files) {
    const content = await files.read(`${folder}/${file}`, signal);
    if (content === undefined) return { kind: 'invalid', reason: `The fixture ${file} of this task is missing.` };
    bytes += content.byteLength;
    if (bytes > mostFixtureBytes) {
      return { kind: 'invalid', reason: `The fixtures of this task are over 64 KB; it needs the environment “agent”.` };
    }
    const text = decode(content);
    if (text === undefined)
      return { kind: 'invalid', reason: `The fixture ${file} is not text; this task needs the environment “agent”.` };
    texts.push(`${file}:\n${fence('file', text)}`);
  }
  return { kind: 'texts', texts };
}

function decode(content: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(content);
    return text.includes('\u0000') ? undefined : text;
  } catch {
    return undefined; // Not UTF-8: the caller says what the task needs instead.
  }
}
