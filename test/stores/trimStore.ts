import { readdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { sha256 } from '../../src/hash.js';
import type { StorePlace } from './storePlace.js';

/**
 * Lets everything go that says nothing more about a format, or much about the machine: locks name their holder, drafts
 * are nobody's, replies and texts may be deleted at any time. Those of the run that was cut off stay, and of the other
 * runs the summary and the report; the last of them, a night, stays whole.
 */
export function trimStore(place: StorePlace, asked: readonly string[]): void {
  const { work, state } = place;
  rmSync(path.join(state, 'locks'), { recursive: true, force: true });
  const replies = new Set(asked.map((key) => `${sha256(key)}.json`));
  for (const file of filesIn(path.join(state, 'replies'))) if (!replies.has(path.basename(file))) rmSync(file);
  const runs = path.join(work, '.whetstone', 'runs');
  const [cut = '', ...ended] = readdirSync(runs).sort().toReversed();
  const night = ended.find((run) => readFileSync(path.join(runs, run, 'summary.json'), 'utf8').includes('"night"'));
  for (const run of ended.filter((each) => each !== night)) trimRun(path.join(runs, run));
  for (const file of filesIn(path.join(state, 'workspaces')))
    if (path.basename(file) === 'journal.jsonl') trimRun(path.dirname(file));
  trimTexts(place, readFileSync(path.join(runs, cut, 'journal.jsonl'), 'utf8'));
}

/** Texts that the journal or the proposal that waits names stay. */
function trimTexts({ work, state }: StorePlace, journal: string): void {
  const proposals = filesIn(path.join(work, '.whetstone', 'proposals')).map((file) => readFileSync(file, 'utf8'));
  const named = `${journal}${proposals.find((text) => text.includes('"skillName": "pending"'))}`;
  for (const file of filesIn(path.join(state, 'texts'))) if (!named.includes(path.basename(file))) rmSync(file);
  for (const name of readdirSync(path.join(state, 'texts'))) {
    const shard = path.join(state, 'texts', name);
    if (readdirSync(shard).length === 0) rmdirSync(shard);
  }
}

function trimRun(folder: string): void {
  const kept = ['summary.json', 'report.md'];
  for (const name of readdirSync(folder))
    if (!kept.includes(name)) rmSync(path.join(folder, name), { recursive: true });
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());
}
