import { mapTexts } from '../mapTexts.js';
import { placeholdersIn, type Redactor } from './redactor.js';

/** A value without its secrets, and what was taken out of it, by what stands there now. */
export interface RedactedValue<Value> {
  readonly value: Value;
  readonly secrets: Readonly<Record<string, string>>;
}

/** Redacts values of any form. */
export type RedactValue = <Value>(value: Value) => RedactedValue<Value>;

/** The same value with every text inside it redacted; names of fields stay. */
export function redactingValues(redactor: Redactor): RedactValue {
  return (value) => {
    const secrets = new Map<string, string>();
    const redacted = mapTexts(value, (text) => {
      if (isPlain(text)) return text;
      const clean = redactor.redact(text);
      if (clean.text === text) return text;
      const before = new Set(placeholdersIn(text));
      for (const { placeholder } of clean.found) {
        if (!before.has(placeholder)) secrets.set(placeholder, redactor.restore(placeholder));
      }
      return clean.text;
    });
    return { value: redacted, secrets: Object.fromEntries(secrets) };
  };
}

/** Hashes, times and single short words, which journals are full of: nothing that a pattern could tell from a secret. */
function isPlain(text: string): boolean {
  return text.length < 8 || /^(?:[0-9a-f]{64}|[\w.-]{1,15}|[\d:.TZ-]+)$/.test(text);
}
