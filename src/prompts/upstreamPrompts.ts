import { mergePrompt, rankPrompt } from './edits/mergeEdits.js';
import { reflectFailuresPrompt, reflectSuccessesPrompt } from './reflection/reflection.js';
import type { PromptOverrides, PromptTemplate } from './renderPrompt.js';

/** A key of SkillOpt's and skillrl's prompt_overrides: which prompt of ours it is about, and under which name it counts. */
interface UpstreamPrompt {
  readonly template: PromptTemplate<string>;
  readonly countsAs: string;
}

/** The six keys. Theirs has three prompts for merging where ours has one: each counts for its own merges alone. */
const upstreamPrompts: Readonly<Record<string, UpstreamPrompt>> = {
  analyst_error: { template: reflectFailuresPrompt, countsAs: reflectFailuresPrompt.name },
  analyst_success: { template: reflectSuccessesPrompt, countsAs: reflectSuccessesPrompt.name },
  merge_failure: { template: mergePrompt, countsAs: 'merge_failure' },
  merge_success: { template: mergePrompt, countsAs: 'merge_success' },
  merge_final: { template: mergePrompt, countsAs: 'merge_final' },
  ranking: { template: rankPrompt, countsAs: rankPrompt.name },
};

export const upstreamKeys: readonly string[] = Object.keys(upstreamPrompts);

export function upstreamPromptNamed(name: string): UpstreamPrompt | undefined {
  return Object.hasOwn(upstreamPrompts, name) ? upstreamPrompts[name] : undefined;
}

/** The key that counts for a merge: of failures, of successes, or of both in the end. */
export function mergeKeyOf(part: string): string {
  if (part === 'final') return 'merge_final';
  return part.startsWith('successes') ? 'merge_success' : 'merge_failure';
}

/** The template of a merge: one of theirs where the person has it, for merges of edits alone. */
export function mergeTemplate<Placeholder extends string>(
  template: PromptTemplate<Placeholder>,
  part: string,
  overrides: PromptOverrides,
): PromptTemplate<Placeholder> {
  const key = mergeKeyOf(part);
  return template.name === mergePrompt.name && overrides.has(key) ? { ...template, name: key } : template;
}

/**
 * A text of theirs as a template of ours. Theirs say what to do and hold no placeholder, because the data is a message of
 * its own: here the data, our rules for edits and the form of the reply follow. One with placeholders is ours already.
 */
export function fromUpstream(text: string, { text: ours, placeholders }: PromptTemplate<string>): string {
  if (placeholders.some((name) => text.includes(`{{${name}}}`))) return text;
  const data = ours.slice(ours.indexOf('\n# ') + 1);
  const said = placeholders
    .filter((name) => !data.includes(`{{${name}}}`))
    .map((name) => sentences[name] ?? `{{${name}}}`);
  return [text.trim(), ...said, data].join('\n\n');
}

const sentences: Readonly<Record<string, string>> = {
  budget: 'At most {{budget}} edits.',
  priority: 'Where two edits contradict each other, keep the one with more support{{priority}}.',
};
