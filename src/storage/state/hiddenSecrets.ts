import * as z from 'zod';
import { mapTexts } from '../../mapTexts.js';
import type { UserStore } from './store.js';

/** A value without its secrets, and what was taken out of it, by what stands there now. */
interface Hidden<Value> {
  readonly value: Value;
  readonly secrets: Readonly<Record<string, string>>;
}

/** Takes the secrets out of a value before it is stored. */
export type HideSecrets = <Value>(value: Value) => Hidden<Value>;

/** The secrets of a stored value, encrypted with this user's key; missing where it has none. */
export const HiddenSecrets = z.record(z.string(), z.string()).optional();
type HiddenSecrets = z.output<typeof HiddenSecrets>;

type Store = Pick<UserStore, 'key' | 'hide'>;

/**
 * A value as it is stored: with placeholders, and with its secrets encrypted beside it where it must be read again as it
 * was. Equal values give equal bytes.
 */
export function withoutSecrets<Value>(
  { key, hide }: Store,
  value: Value,
): { readonly value: Value; readonly secrets: HiddenSecrets } {
  const hidden = hide?.(value);
  const found = Object.entries(hidden?.secrets ?? {});
  if (hidden === undefined || found.length === 0) return { value, secrets: undefined };
  const encrypted = found.map(([placeholder, secret]) => [placeholder, key.encrypt(secret)] as const);
  return { value: hidden.value, secrets: Object.fromEntries(encrypted) };
}

/** The value as it was. What another user hid stays hidden. */
export function withSecrets<Value>({ key }: Pick<Store, 'key'>, value: Value, secrets: HiddenSecrets): Value {
  const known = Object.entries(secrets ?? {}).flatMap(([placeholder, text]) => {
    const secret = key.decrypt(text);
    return secret === undefined ? [] : [[placeholder, secret] as const];
  });
  if (known.length === 0) return value;
  return mapTexts(value, (text) =>
    known.reduce((restored, [placeholder, secret]) => restored.replaceAll(placeholder, () => secret), text),
  );
}
