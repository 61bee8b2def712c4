import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { parseJson } from '../../parseJson.js';
import { unlessMissing } from '../files/fileErrors.js';
import { readBounded } from '../files/sealedFile.js';
import { writeInside } from '../files/writeInside.js';
import { withoutSecrets } from '../state/hiddenSecrets.js';
import type { SkillStore } from '../state/store.js';
import { journalFile } from './journal.js';
import { chainStart, type JournalLine, nextLine, readJournal, journalVersions } from './readJournal.js';
import { runFolder } from './runFolder.js';
import { readSummary, writeSummary } from './summaries.js';

/**
 * Writes what a run left once more without the secrets that an earlier version left in it: journal, summary and what is
 * there for reading. What has none keeps its bytes; what was not written here is left alone. Whoever calls holds the
 * skill's run lock. A kill leaves each file as it was or clean.
 */
export async function cleanRun(store: SkillStore, runId: string): Promise<void> {
  await cleanJournal(store, runId);
  await cleanSummary(store, runId);
  const folder = runFolder(store.places, runId);
  const names = (await unlessMissing(readdir(folder, { recursive: true }))) ?? [];
  for (const name of names.filter((each) => /\.(?:json|md|txt)$/.test(each) && each !== 'summary.json')) {
    await cleanFile(store, path.join(folder, name));
  }
}

async function cleanJournal(store: SkillStore, runId: string): Promise<void> {
  const file = journalFile(store, runId);
  const reading = await readJournal(store.key, runId, file);
  if (reading.kind !== 'verified') return;
  const clean = withoutSecrets(
    store,
    reading.lines.map(({ event }) => event),
  );
  if (clean.secrets === undefined) return;
  const lines: JournalLine[] = [];
  const append = (at: number, event: unknown): void => {
    const before = lines.at(-1)?.mac ?? chainStart(store.key, runId);
    lines.push(nextLine(store.key, before, { seq: lines.length, at, event }));
  };
  const holds = reading.lines.some(({ event }) => Named.safeParse(event).success) ? 'workers' : 'plain';
  append(reading.lines[0]?.at ?? 0, { format: 'whetstone-journal', version: journalVersions[holds], runId });
  for (const [index, event] of clean.value.entries()) append(reading.lines[index]?.at ?? 0, event);
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  await writeInside(store.places.workspaceState, file, text, { mode: 0o600 });
}

/** A call whose worker is told. */
const Named = z.object({ worker: z.string() });
const anything = z.record(z.string(), z.unknown());

async function cleanSummary(store: SkillStore, runId: string): Promise<void> {
  const reading = await readSummary(store, anything, runId);
  if (reading?.kind !== 'verified') return;
  const { value, secrets } = withoutSecrets(store, reading.body);
  if (secrets !== undefined) await writeSummary(store, anything, runId, value);
}

const mostBytes = 4 * 1024 * 1024; // of what we write for reading nothing is nearly as long

async function cleanFile(store: SkillStore, file: string): Promise<void> {
  const found = await stat(file);
  const text = found.isFile() && found.size <= mostBytes ? await readBounded(file) : undefined;
  if (text === undefined) return;
  const content = file.endsWith('.json') ? (parseJson(text) ?? text) : text;
  const { value, secrets } = withoutSecrets(store, content);
  if (secrets === undefined) return;
  const clean = typeof value === 'string' ? value : `${JSON.stringify(value, undefined, 2)}\n`;
  await writeInside(store.places.workspaceState, file, clean, { mode: 0o600 });
}
