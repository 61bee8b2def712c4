import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as z from 'zod';

const Figures = z.array(
  z.object({ name: z.string(), ratio: z.number(), limit: z.number(), ms: z.number(), plainMs: z.number() }).loose(),
);

/** Opens reviews and plain diffs of the same texts inside a real VS Code, by turns; times are seen from an extension. */
export function run(): z.infer<typeof Figures> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'whetstone-bench-'));
  const result = path.join(folder, 'figures.json');
  try {
    const host = spawnSync(process.execPath, [path.resolve('scripts/host/run.mjs'), '--bench', 'bench/review'], {
      encoding: 'utf8',
      env: { ...process.env, WHETSTONE_BENCH_RESULT: result },
    });
    if (host.status !== 0) throw new Error(`The bench did not run in VS Code:\n${host.stdout}${host.stderr}`);
    return Figures.parse(JSON.parse(readFileSync(result, 'utf8')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
