import { presetNames, resolveOptions, RunOptions } from '../../engine/runOptions.js';
import { canonicalJson } from '../../hash.js';

/** Options that did not exist when the first nights were remembered, by their names or that of their part. */
const addedLater: readonly string[] = [
  'edits.code',
  'edits.growth',
  'answers',
  'thinking',
  'reflect.trajectoryTokens',
  'edits.mode',
  'edits.control',
  'train.accumulation',
  'reflect.skillAware',
  'reflect.reminders',
  'slowUpdate',
  'metaSkill',
  'choice',
  'timeouts',
  'referenceTokens',
  'agent',
  'nightly',
];

/**
 * The options as a night is remembered by: one that was added later and says what is usual, or what a preset says of it,
 * is left out, so that a night from before there was such an option is still known as the same.
 */
export function rememberedOptions(options: RunOptions): object {
  const usual = [RunOptions.parse({}), ...presetNames.map((name) => resolveOptions(name, []))];
  return addedLater.reduce<object>((left, name) => {
    const path = name.split('.');
    const said = canonicalJson({ value: at(options, path) });
    const isUsual = usual.some((each) => canonicalJson({ value: at(each, path) }) === said);
    return isUsual ? without(left, path) : left;
  }, options);
}

function at(part: object, [name = '', ...rest]: readonly string[]): unknown {
  const value: unknown = Object.entries(part).find(([key]) => key === name)?.[1];
  return rest.length > 0 && value instanceof Object ? at(value, rest) : value;
}

function without(part: object, [name = '', ...rest]: readonly string[]): object {
  const entries: readonly (readonly [string, unknown])[] = Object.entries(part);
  return Object.fromEntries(
    entries.flatMap(([key, value]) => {
      if (key !== name) return [[key, value]];
      return rest.length > 0 && value instanceof Object ? [[key, without(value, rest)]] : [];
    }),
  );
}
