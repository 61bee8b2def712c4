import type { LanguageModel, ModelIdentity } from '../ports/languageModel.js';

/** Up to this many billions of parameters a model is weak at writing edits and at grading. */
const largestSmall = 9;

/** A model as far as its size goes. */
export type SizedModel = Pick<LanguageModel, 'identity' | 'billions'>;

/** How many billions of parameters a model has: as its server says, else as its name does. */
export function billionsOf({ identity, billions }: SizedModel): number | undefined {
  return billions ?? billionsInName(identity);
}

/** Whether a model is known to be small. One whose size nobody says is not taken for it. */
export function isSmallModel(model: SizedModel): boolean {
  const billions = model.identity.simulated ? undefined : billionsOf(model);
  return billions !== undefined && billions <= largestSmall;
}

/** A size as servers write it: “1.5B”, “494.03M”. */
export function billionsIn(size: string): number | undefined {
  const [, count, unit] = /^\s*(\d+(?:\.\d+)?)\s*([mbt])\s*$/i.exec(size) ?? [];
  if (count === undefined || unit === undefined) return undefined;
  return Number(((Number(count) * (inMillions.get(unit.toLowerCase()) ?? 0)) / 1_000).toPrecision(3));
}

const inMillions: ReadonlyMap<string, number> = new Map([
  ['m', 1],
  ['b', 1_000],
  ['t', 1_000_000],
]);

/** As the name says it; of a mixture all of them. */
function billionsInName({ provider, model }: ModelIdentity): number | undefined {
  const name = model.toLowerCase();
  if (/\d+x\d+(?:\.\d+)?b(?![a-z0-9])/.test(name)) return undefined; // 8x7b: more than any of its parts
  const sizes = Array.from(
    name.matchAll(/(?<![a-z0-9.])e?(\d{1,4}(?:\.\d{1,3})?)(b|m)(?![a-z0-9])/g),
    ([, size, unit]) => (unit === 'm' ? Number(size) / 1_000 : Number(size)),
  );
  return sizes.length > 0 ? Math.max(...sizes) : usualSize(provider, name);
}

/** What Ollama runs under a bare name, in billions. */
const usualSizes: ReadonlyMap<string, number> = new Map([
  ['codellama', 7],
  ['deepseek-r1', 8],
  ['gemma', 9],
  ['gemma2', 9],
  ['gemma3', 4],
  ['granite3.3', 8],
  ['llama2', 7],
  ['llama3', 8],
  ['llama3.1', 8],
  ['llama3.2', 3],
  ['mistral', 7],
  ['phi3', 3.8],
  ['phi4-mini', 3.8],
  ['qwen2.5', 7],
  ['qwen2.5-coder', 7],
  ['qwen3', 8],
  ['smollm2', 1.7],
  ['tinyllama', 1.1],
]);

function usualSize(provider: string, name: string): number | undefined {
  return provider === 'ollama' ? usualSizes.get(name.replace(/:latest$/, '')) : undefined;
}
