import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { nodeClock } from '../../src/storage/files/nodeAdapters.js';
import { findStateKey } from '../../src/storage/state/stateKey.js';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import type { SimulatedOptions } from '../../src/simulated/options.js';
import { nameOf } from '../../src/storage/handoff/handoffFolder.js';
import { promptText } from '../../src/storage/handoff/promptText.js';
import type { Clock } from '../../src/ports/clock.js';
import type { LanguageModel, ModelMessage } from '../../src/ports/languageModel.js';

/** Somebody who answers prompts from what their files say, and from nothing else. */
export function answersPrompts({ copies = false, ...options }: SimulatedOptions & { readonly copies?: boolean } = {}): (
  prompt: string,
) => Promise<string> {
  const model = createSimulatedModel(options);
  return async (prompt) => {
    const name = /^# Prompt (\w+)$/m.exec(prompt)?.[1] ?? '';
    const role = prompt.includes('- The reply is one JSON object') ? 'optimizer' : 'target';
    const asked = { role, messages: partsOf(prompt, name), maxOutputTokens: 64_000, attempt: 1 } as const;
    // Repeats have their own luck: each has its own name.
    return (await model.complete({ ...asked, dependsOn: copies ? [] : [name] }, new AbortController().signal)).text;
  };
}

function partsOf(prompt: string, name: string): readonly ModelMessage[] {
  const [, ...parts] = prompt.split(new RegExp(`^=== ${name} (system|user|assistant|end) ===\\n`, 'm'));
  return parts.flatMap((role, at): readonly ModelMessage[] => {
    if (at % 2 === 1 || (role !== 'system' && role !== 'user' && role !== 'assistant')) return [];
    return [{ role, content: (parts[at + 1] ?? '').replace(/\n\n$/, '') }];
  });
}

/** By which answers that were just written have been at rest for a while. */
export const afterAWhile: Clock = { ...nodeClock, now: () => nodeClock.now() + 5000 };

/** Answers every prompt of the folder that has no answer; gives how many. */
export async function answerAll(folder: string, answer: (prompt: string) => Promise<string>): Promise<number> {
  const ending = '.prompt.md';
  const names = readdirSync(folder).flatMap((file) => (file.endsWith(ending) ? [file.slice(0, -ending.length)] : []));
  const open = names.filter((name) => !existsSync(path.join(folder, `${name}.answer.md`)));
  for (const name of open) {
    const file = path.join(folder, `${name}.answer.md`);
    writeFileSync(file, `${await answer(readFileSync(path.join(folder, `${name}${ending}`), 'utf8'))}\n`);
  }
  return open.length;
}

/** A model that says at once what that somebody would, given the prompts of a run of the same user. */
export function answeringAtOnce(
  state: string,
  run: string,
  answer: (prompt: string) => Promise<string>,
): LanguageModel {
  return {
    identity: { provider: 'handoff', endpoint: 'at once', model: 'handoff', simulated: false },
    async complete(request) {
      const name = nameOf({ key: await findStateKey(state) }, run, { request, answeredBy: 'handoff' });
      const text = await answer(promptText(name, request));
      const usage = { inputTokens: 1, outputTokens: 1, exact: false };
      return { text, finish: 'stop', toolCalls: [], usage, cached: false };
    },
  };
}
