import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { mostExchanges } from '../../../src/harvest/sessionDraft.js';
import { harvestSources } from '../../../src/harvest/session.js';
import { builtChild } from '../../builders/builtChild.js';
import { inFull } from '../../builders/few.js';
import { writeLongSession } from './longSession.js';
import type { LongSession } from './longSessionChild.js';

const report = z.object({
  peakMegabytes: z.number(),
  exchanges: z.number(),
  lastAsked: z.string(),
  counts: z.record(z.string(), z.number()),
});

describe('a session of hundreds of megabytes', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'whetstone-sessions-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const forms = [
    ...harvestSources.map((source) => ({ source, outputs: 'long' as const })),
    // Those in which something is kept of every entry.
    ...(['claude-code', 'gemini-cli', 'vscode-chat'] as const).map((source) => ({ source, outputs: 'short' as const })),
  ];
  for (const { source, outputs } of forms)
    inFull(`${source}: takes at most half as much memory again as one of 20 MB, with ${outputs} outputs`, async () => {
      const program = await builtChild('test/unit/harvest/longSessionChild.ts', folder);
      const file = path.join(folder, `${source}.jsonl`);
      const read = (megabytes: number): Promise<z.infer<typeof report>> => {
        writeLongSession(file, { source, outputs }, megabytes);
        return readIn(program, { source, file });
      };
      const [small, large] = [await read(20), await read(200)];
      rmSync(file);
      const figures = `${small.peakMegabytes.toFixed()} MB and ${large.peakMegabytes.toFixed()} MB`;
      assert.ok(large.peakMegabytes <= 1.5 * small.peakMegabytes, figures);
      assert.equal(large.exchanges, mostExchanges);
      assert.ok((large.counts['dropped'] ?? 0) > 0);
      assert.equal(large.counts['tooLong'], source === 'opencode' ? 0 : 1);
      assert.match(large.lastAsked, /^Do \d+\.$/u);
    });
});

async function readIn(program: string, order: LongSession): Promise<z.infer<typeof report>> {
  const child = fork(program, { execArgv: [] }); // the tests themselves have a larger heap
  const ended = once(child, 'exit');
  const told: Promise<readonly unknown[]> = once(child, 'message');
  child.send(order);
  const [first] = await Promise.race([told, ended]);
  await ended;
  return report.parse(first);
}
