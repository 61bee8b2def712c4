import { sha256 } from '../hash.js';
import { attemptPrompt, attemptWithoutSkillPrompt } from '../prompts/attempt.js';
import { fence } from '../prompts/fence.js';
import { renderPrompt, type PromptOverrides } from '../prompts/renderPrompt.js';
import type { AttemptRequest } from '../ports/environment.js';
import type { FixtureFiles } from '../ports/files.js';
import type { ModelMessage } from '../ports/languageModel.js';
import { readFixtureTexts } from './fixtureTexts.js';

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
  const references = belonging.map(([path, text]) => `${path}:\n${fence('reference', text)}`);
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
