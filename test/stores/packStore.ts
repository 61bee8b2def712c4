import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import * as z from 'zod';

/** A store in one file: every folder and every file with its mode and its text. */
export const PackedStore = z.object({
  /** The version that wrote it. */
  version: z.string(),
  /** Where it was written. */
  place: z.string(),
  /** When its last file was written; whoever opens it does so later. */
  at: z.number(),
  folders: z.record(z.string(), z.string()),
  files: z.record(z.string(), z.object({ mode: z.string(), text: z.string() })),
});
export type PackedStore = z.infer<typeof PackedStore>;

/** Reads everything below a folder. A file that is not UTF-8 would not come back as it was: it is refused. */
export function packStore(place: string, about: Pick<PackedStore, 'version' | 'at'>): PackedStore {
  const folders: Record<string, string> = {};
  const files: PackedStore['files'] = {};
  const names = readdirSync(place, { recursive: true, encoding: 'utf8' }).sort((a, b) => (a < b ? -1 : 1));
  for (const name of names) {
    const file = path.join(place, name);
    const found = statSync(file);
    const mode = (found.mode & 0o777).toString(8);
    if (found.isDirectory()) folders[name] = mode;
    else files[name] = { mode, text: textOf(file) };
  }
  return { ...about, place, folders, files };
}

/** One line a folder and a file, so that a change of the store reads well. */
export function printStore({ folders, files, ...head }: PackedStore): string {
  const first = Object.entries(head).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`);
  return `{\n${first.join('')}  "folders": {\n${linesOf(folders)}\n  },\n  "files": {\n${linesOf(files)}\n  }\n}\n`;
}

function linesOf(rows: Readonly<Record<string, unknown>>): string {
  return Object.entries(rows)
    .map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(',\n');
}

/** Makes the store anew in a folder; what lay there goes. */
export function unpackStore(store: PackedStore, place: string): void {
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true, mode: 0o700 });
  for (const [name, mode] of Object.entries(store.folders)) {
    mkdirSync(path.join(place, name), { recursive: true });
    chmodSync(path.join(place, name), Number.parseInt(mode, 8));
  }
  for (const [name, { mode, text }] of Object.entries(store.files)) {
    writeFileSync(path.join(place, name), text);
    chmodSync(path.join(place, name), Number.parseInt(mode, 8));
  }
}

/** Whether the place means the same on this machine as where the store was written: `/tmp` is a link on macOS. */
export function liesAsWritten({ place }: Pick<PackedStore, 'place'>): boolean {
  return process.platform !== 'win32' && path.join(realpathSync(path.dirname(place)), path.basename(place)) === place;
}

function textOf(file: string): string {
  const bytes = readFileSync(file);
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes)) throw new Error(`${file} is not text`);
  return text;
}
