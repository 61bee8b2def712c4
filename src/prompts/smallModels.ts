import type { ModelIdentity } from '../ports/languageModel.js';

/** Up to this many billions of parameters a model is weak at writing edits and at grading. */
const largestSmall = 9;

/** How many billions of parameters a model has, where its name says so; of a mixture all of them. */
export function billionsOf({ provider, model }: Pick<ModelIdentity, 'provider' | 'model'>): number | undefined {
  const name = model.toLowerCase();
  if (/\d+x\d+(?:\.\d+)?b(?![a-z0-9])/.test(name)) return undefined; // 8x7b: more than any of its parts
  const sizes = Array.from(
    name.matchAll(/(?<![a-z0-9.])e?(\d{1,4}(?:\.\d{1,3})?)(b|m)(?![a-z0-9])/g),
    ([, size, unit]) => (unit === 'm' ? Number(size) / 1_000 : Number(size)),
  );
  return sizes.length > 0 ? Math.max(...sizes) : usualSize(provider, name);
}

/** Whether a model is known to be small. One whose size nobody says is not taken for it. */
export function isSmallModel(identity: Pick<ModelIdentity, 'provider' | 'model' | 'simulated'>): boolean {
  const billions = identity.simulated ? undefined : billionsOf(identity);
  return billions !== undefined && billions <= largestSmall;
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
