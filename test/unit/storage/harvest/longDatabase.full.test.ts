import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { sqliteOfNode } from '../../../../src/storage/harvest/databaseRows.js';
import { builtChild } from '../../../builders/builtChild.js';
import { inFull } from '../../../builders/few.js';
import type { LongDatabase } from './longDatabaseChild.js';

const Report = z.object({
  reading: z.string(),
  sessions: z.number(),
  exchanges: z.number(),
  tooLong: z.number(),
  peakMegabytes: z.number(),
});

describe('a database that is long or written to', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'whetstone-databases-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  inFull('is read row by row: it takes at most half as much memory again as one of 20 MB', async () => {
    const program = await builtChild('test/unit/storage/harvest/longDatabaseChild.ts', folder);
    const file = path.join(folder, 'opencode.db');
    const peaks: number[] = [];
    for (const megabytes of [20, 200]) {
      await asked(program, { file, megabytes });
      assert.ok(statSync(file).size > megabytes * 1024 * 1024);
      const { peakMegabytes, ...told } = await asked(program, { file });
      assert.deepEqual(told, { reading: 'read', sessions: megabytes, exchanges: megabytes * 50, tooLong: 1 });
      peaks.push(peakMegabytes);
      rmSync(file);
    }
    const [small = 0, large = Infinity] = peaks;
    process.stdout.write(`      ${small.toFixed()} MB for 20 MB, ${large.toFixed()} MB for 200 MB\n`);
    assert.ok(large <= 1.5 * small, `${small.toFixed()} MB and ${large.toFixed()} MB`);
  });

  inFull('is read in good time where it has half a million messages and says wrong things of itself', async () => {
    const program = await builtChild('test/unit/storage/harvest/longDatabaseChild.ts', folder);
    const file = path.join(folder, 'many.db');
    await asked(program, { file, requests: 500_000 });
    const begun = Date.now();
    const told = await asked(program, { file });
    assert.deepEqual([told.reading, told.sessions, told.exchanges], ['read', 1000, 200_000]); // 200 of each are kept
    assert.ok(Date.now() - begun < 120_000, `${Date.now() - begun} ms`);
    rmSync(file);
  });

  for (const writing of ['WAL', 'DELETE'] as const)
    inFull(`is read whole, or named as written to, while its program writes: ${writing}`, async () => {
      const program = await builtChild('test/unit/storage/harvest/longDatabaseChild.ts', folder);
      const file = path.join(folder, `${writing}.db`);
      await asked(program, { file, writing });
      const [written, told] = await Promise.all([
        asked(program, { file, writing, forMs: 5_000 }),
        asked(program, { file, forMs: 4_000 }),
      ]);
      assert.ok(written.sessions > 0);
      assert.match(told.reading, /^(?:busy )?read$/u);
      assert.deepEqual(
        [told.exchanges, told.sessions % 20],
        [told.sessions, 0],
        'every change is there whole or not at all',
      );
    });
});

async function asked(program: string, order: LongDatabase): Promise<z.infer<typeof Report>> {
  const child = fork(program, { execPath: nodeWithSqlite(), execArgv: [] });
  const ended = once(child, 'exit');
  const told: Promise<readonly unknown[]> = once(child, 'message');
  child.send(order);
  const [first] = await Promise.race([told, ended]);
  await ended;
  return Report.parse(first);
}

/** The Node that runs this, or the one of the host that the tests in VS Code run in. */
function nodeWithSqlite(): string {
  if (sqliteOfNode() !== undefined) return process.execPath;
  const found = path.resolve(`.vscode-test/host/node_modules/node-linux-${process.arch}/bin/node`);
  assert.ok(existsSync(found), 'Use Node 22.13 or newer, or install the test host: node scripts/host/install.mjs');
  return found;
}
