import type { Runner } from 'mocha';

export interface ScriptCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** How many of its tests needed a second try in the same window. */
  readonly retried: number;
}

export function followScripts(runner: Runner): Readonly<Record<string, ScriptCounts>>;
