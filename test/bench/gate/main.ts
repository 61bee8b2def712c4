import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { groups, type GroupResult } from './bars.js';
import type { Cell } from './cells.js';
import { fullScale, type Finding } from './finding.js';
import { acceptedRows, passesRows, printTables } from './table.js';

/** Two simulations side by side at most: the machine has other work. */
const processes = Math.min(2, availableParallelism());

const only = process.argv.find((argument) => argument.startsWith('--group='))?.slice('--group='.length);
if (only === undefined) process.exitCode = await runAll(process.argv.includes('--json'));
else runHere(only);

/** The groups that were asked for by words of their names; all of them where none was. */
function wantedGroups(): readonly string[] {
  const words = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
  return Object.keys(groups).filter((name) => words.length === 0 || words.some((word) => name.includes(word)));
}

async function runAll(json: boolean): Promise<number> {
  const started = performance.now();
  const wanted = wantedGroups();
  // The dearest first, so that no process is left with a long one at the end.
  const waiting = wanted.toReversed();
  const results = new Map<string, GroupResult>();
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      // Each of the processes takes the next group when it is done with one.
      results.set(name, await inProcess(name));
      process.stderr.write(`${name}: done after ${Math.round((performance.now() - started) / 1000)} s\n`);
    }
  };
  await Promise.all(Array.from({ length: processes }, work));

  const ordered = wanted.flatMap((name) => results.get(name) ?? []);
  const cells = ordered.flatMap((result) => result.cells);
  const isWhole = wanted.length === Object.keys(groups).length;
  const findings = [...ordered.flatMap((result) => result.findings), ...(isWhole ? [pageShows(cells)] : [])];
  const missed = findings.filter((finding) => !finding.holds);
  const report = [
    ...(cells.length === 0 ? [] : [printTables(cells)]),
    ...ordered.flatMap((result) => result.notes),
    '',
    ...findings.map(printFinding),
    `${findings.length - missed.length} of ${findings.length} bars held, ${Math.round((performance.now() - started) / 1000)} s`,
    '',
  ].join('\n');
  process.stdout.write(json ? `${JSON.stringify(cells, undefined, 1)}\n` : report);
  if (json) process.stderr.write(report);
  return missed.length === 0 && findings.length > 0 ? 0 : 1;
}

/** What the page about the gate claims is what was measured just now. Run from the root of the project. */
function pageShows(cells: readonly Cell[]): Finding {
  const page = readFileSync('docs/gate.md', 'utf8');
  const stale = [...acceptedRows(cells), ...passesRows(cells)].filter((row) => !page.includes(row));
  const bar = 'docs/gate.md: rows of the tables that are not what was measured';
  return { bar, measured: stale.length, relation: 'at most', limit: 0, holds: stale.length === 0 };
}

function inProcess(name: string): Promise<GroupResult> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), [`--group=${name}`]);
    child.once('message', (result) => {
      if (isGroupResult(result)) resolve(result);
      else reject(new Error(`The simulation "${name}" sent something else than its result.`));
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The simulation "${name}" ended with ${code} and no result.`)));
  });
}

function isGroupResult(message: unknown): message is GroupResult {
  return typeof message === 'object' && message !== null && 'cells' in message && 'findings' in message;
}

function runHere(name: string): void {
  const run = groups[name];
  if (run === undefined) throw new Error(`There is no group called ${name}.`);
  process.send?.(run(fullScale));
}

function printFinding({ bar, measured, relation, limit, holds }: Finding): string {
  return `${holds ? 'held  ' : 'MISSED'} ${bar} ${measured.toFixed(5)} (${relation} ${limit.toFixed(4)})`;
}
