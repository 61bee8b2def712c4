import type { ModelMessage, ModelRequest } from '../../ports/languageModel.js';
import { withSchemaRequest } from '../inWords.js';

/** What a program is told: its system prompt, empty where there is none, and everything else as one text. */
export interface AgentPrompt {
  readonly system: string;
  readonly prompt: string;
}

export function promptOf(request: ModelRequest): AgentPrompt {
  const messages = request.replySchema === undefined ? request.messages : withSchemaRequest(request);
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  const rest = messages.filter(({ role }) => role !== 'system');
  return { system: system.join('\n\n'), prompt: rest.length === 1 ? (rest[0]?.content ?? '') : conversation(rest) };
}

/** For programs that know no system prompt: what it says comes first. */
export function folded({ system, prompt }: AgentPrompt): string {
  return system === '' ? prompt : `${system}\n\n${prompt}`;
}

/** A text whose first sign no program takes for a command of its own. */
export function plainly(text: string): string {
  return /^\s*[/!$@#&?]/u.test(text) ? `The message:\n\n${text}` : text;
}

/** For programs that take an empty system prompt for a wish for their own. */
export const noSystem = 'Answer the person.';

/** For programs that expand nothing: the skill is named in the prompt. */
export function askedToUse(skill: string, prompt: string): string {
  return `Use the skill “${skill}” for this: load it first, then follow it.\n\n${prompt}`;
}

function conversation(messages: readonly ModelMessage[]): string {
  const turns = messages.map(({ role, content }) => `## ${role === 'assistant' ? 'You' : 'The person'}\n\n${content}`);
  return ['A conversation so far. Give your next answer in it, and nothing else.', ...turns].join('\n\n');
}
