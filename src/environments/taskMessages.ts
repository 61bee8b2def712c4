import { sha256 } from '../hash.js';
import { attemptPrompt, attemptWithoutSkillPrompt } from '../prompts/attempt.js';
import type { RoomOptions } from '../prompts/answerRoom.js';
import { fence, promptsIn, renderPrompt, type PromptOverrides } from '../prompts/renderPrompt.js';
import type { AttemptRequest } from '../ports/environment.js';
import type { FixtureFiles } from '../ports/files.js';
import type { ModelMessage } from '../ports/languageModel.js';
import { messageOf } from '../errors.js';
import { leavesFolder, listFixtures, type Task } from '../tasks/task.js';

export interface TaskSources {
  readonly files: FixtureFiles;
  /** The folder that fixture paths are relative to. */
  readonly folder: string;
  readonly prompts: PromptOverrides;
  /** Markdown files that the skill points to and that the person asked to inline: path -> text. */
  readonly references: ReadonlyMap<string, string>;
  /** How long an answer may be; what is usual where nobody says. */
  readonly room?: RoomOptions | undefined;
}

type TaskMessages =
  | { readonly kind: 'messages'; readonly messages: readonly ModelMessage[]; readonly fixtureHash: string }
  | { readonly kind: 'invalid'; readonly reason: string };

/** What the target reads: the skill in neutral words (or in the task's own system text), then the task. */
export async function messagesFor(
  request: AttemptRequest,
  sources: TaskSources,
  signal: AbortSignal,
): Promise<TaskMessages> {
  const fixtures = await readFixtureTexts(request.task, sources, signal);
  if (fixtures.kind === 'invalid') return fixtures;
  const { task } = request;
  const user = [task.prompt, ...(task.context === undefined ? [] : [task.context]), ...fixtures.texts].join('\n\n');
  const system = systemText(request, sources);
  return {
    kind: 'messages',
    // Servers refuse a system message without text.
    messages: [...(system === '' ? [] : [message('system', system)]), message('user', user)],
    fixtureHash: sha256(fixtures.texts.join('\u0000')),
  };
}

function message(role: 'system' | 'user', content: string): ModelMessage {
  return { role, content };
}

function systemText(request: AttemptRequest, sources: TaskSources): string {
  const { task, skill, memory } = request;
  // The baseline has neither the skill nor what belongs to it.
  const belonging = skill === undefined ? [] : [...sources.references];
  const references = belonging.map(
    ([path, found]) => `${path}:\n${fence('reference', request.files?.[path] ?? found)}`,
  );
  if (task.system !== undefined) return ownSystemText(task.system, [skill ?? '', ...references, memory ?? '']);
  const memoryWords =
    memory === undefined || memory === ''
      ? undefined
      : { words: `Notes that always apply:\n\n${fence('memory', memory)}` };
  const prompts = promptsIn(sources.prompts, task.environment);
  if (skill === undefined) return renderPrompt(attemptWithoutSkillPrompt, { memory: memoryWords }, prompts);
  const skillWords = [fence('skill', skill), ...references].join('\n\n');
  return renderPrompt(attemptPrompt, { skill: { words: skillWords }, memory: memoryWords }, prompts);
}

/** The task's own system text stays verbatim; the skill goes where `{skill}` stands, else after it. */
function ownSystemText(system: string, parts: readonly string[]): string {
  const given = parts.filter((part) => part !== '').join('\n\n');
  return system.includes('{skill}')
    ? system.split('{skill}').join(given)
    : [system, given].filter((part) => part !== '').join('\n\n');
}

/** More than this is not read by a person either; such a task needs a program with a file system. */
export const mostFixtureBytes = 64 * 1024;
const needsProgram =
  'A model that only reads cannot take it: declare a program that can under “environments” in evals/whetstone.json, and name it in the task.';

type FixtureTexts =
  | { readonly kind: 'texts'; readonly texts: readonly string[] }
  | { readonly kind: 'invalid'; readonly reason: string };

/**
 * The fixtures of a task as text, each in a fence that it cannot close. Whatever cannot be shown to a model that only
 * reads (too much, not text, not there) makes this task invalid and never the run: the others still count.
 */
async function readFixtureTexts(
  task: Pick<Task, 'files'>,
  { files, folder }: { readonly files: FixtureFiles; readonly folder: string },
  signal: AbortSignal,
): Promise<FixtureTexts> {
  const texts: string[] = [];
  let bytes = 0;
  for (const file of listFixtures(task)) {
    const content = leavesFolder(file)
      ? `The fixture ${file} could lie outside the folder of the skill.`
      : await contentOf(file, { files, folder }, signal);
    if (typeof content === 'string') return { kind: 'invalid', reason: content };
    bytes += content.byteLength;
    if (bytes > mostFixtureBytes) {
      return { kind: 'invalid', reason: `The fixtures of this task are over 64 KB. ${needsProgram}` };
    }
    const text = decode(content);
    if (text === undefined) {
      return { kind: 'invalid', reason: `The fixture ${file} is not text. ${needsProgram}` };
    }
    texts.push(`${file}:\n${fence('file', text)}`);
  }
  return { kind: 'texts', texts };
}

/** The bytes, or the sentence that says why there are none. */
async function contentOf(
  file: string,
  { files, folder }: { readonly files: FixtureFiles; readonly folder: string },
  signal: AbortSignal,
): Promise<Uint8Array | string> {
  try {
    return (await files.read(`${folder}/${file}`, signal)) ?? `The fixture ${file} of this task is missing.`;
  } catch (error) {
    signal.throwIfAborted();
    return `The fixture ${file} of this task cannot be read: ${messageOf(error)}`;
  }
}

function decode(content: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(content);
    return text.includes('\u0000') ? undefined : text;
  } catch {
    return undefined; // Not UTF-8: the caller says what the task needs instead.
  }
}
