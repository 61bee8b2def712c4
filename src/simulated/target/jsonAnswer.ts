import { preface, wrapped, type Parts, type Size } from './layout.js';
import type { JsonKey } from './plan.js';
import { verdictLine } from './voice.js';

const usualKeys: readonly JsonKey[] = [
  { name: 'answer', type: 'string', options: [] },
  { name: 'details', type: 'string', options: [] },
];

/** The answer as one JSON object: sentences go into its texts, every other value is of the type that was named. */
export function jsonAnswer(parts: Parts, keys: readonly JsonKey[], size: Size): string {
  const named = keys.length === 0 ? usualKeys : keys;
  const texts = textsFor(parts, named.filter(isText).length, size);
  let next = 0;
  const entries = named.map((key, at) => {
    if (!isText(key)) return [key.name, valueOf(parts, key, at)] as const;
    next += 1;
    return [key.name, texts[next - 1] ?? parts.voice.phrase(at)] as const;
  });
  return wrapped(parts.plan, JSON.stringify(Object.fromEntries(entries), null, size.tightness > 0 ? 0 : 2));
}

function isText(key: JsonKey): boolean {
  return key.type === 'string' && key.options.length === 0;
}

function textsFor(parts: Parts, count: number, size: Size): readonly string[] {
  const { plan, voice } = parts;
  const fillers = Array.from({ length: size.fillers }, (_, index) => voice.filler(index));
  return Array.from({ length: count }, (_, at) => {
    const own = fillers.filter((_filler, index) => index % count === at);
    const first = [preface(plan, voice, size), ...voice.facts(size.tightness > 0)];
    const last = at === count - 1 ? (verdictLine(plan, voice) ?? '') : '';
    const sentences = [...(at === 0 ? first : []), ...own, last].filter((text) => text !== '');
    return sentences.length === 0 ? voice.phrase(at) : sentences.join(' ');
  });
}

function valueOf({ chance, voice }: Parts, key: JsonKey, at: number): unknown {
  if (key.options.length > 0) return chance.pick(`json ${key.name}`, key.options);
  switch (key.type) {
    case 'string':
      return voice.phrase(at);
    case 'number':
      return 1 + Math.floor(chance.fraction(`json ${key.name}`) * 9);
    case 'boolean':
      return chance.fraction(`json ${key.name}`) < 0.5;
    case 'array':
      return [0, 1, 2].map((index) => voice.phrase(at + index));
    case 'object':
      return { note: voice.phrase(at) };
  }
}
