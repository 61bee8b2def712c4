import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { HarvestSource } from '../../src/harvest/session.js';

/** What is said in the session with secrets that each source tells, in the place of what its fixture says. */
export interface PlantedWords {
  readonly asked: string;
  readonly answer: string;
}

/** Copies the fixtures of all sources to a folder, with these words in those of the story with secrets. */
export function plantFixtures(folder: string, planted: ReadonlyMap<HarvestSource, PlantedWords>): string {
  cpSync('test/fixtures/harvest', folder, { recursive: true });
  for (const [source, { asked, answer }] of planted) {
    const file = path.join(folder, source, 'secrets.jsonl');
    const before = readFileSync(file, 'utf8');
    // A part of OpenCode's messages is JSON within a row.
    const written = (text: string): string => (source === 'opencode' ? inJson(inJson(text)) : inJson(text));
    const after = before
      .replaceAll('Rotate the key AKIAIOSFODNN7EXAMPLE in the config.', () => written(asked))
      .replaceAll('I replaced AKIAIOSFODNN7EXAMPLE.', () => written(answer));
    if (after === before) throw new Error(`Nothing was planted in ${file}.`);
    writeFileSync(file, after);
  }
  return folder;
}

/** A text as it stands within one of JSON. */
export function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
