import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openPlace } from '../../../../../src/storage/programs/workplace/attemptPlace.js';
import type { ProgramResult } from '../../../../../src/ports/programs.js';
import { neverAborted } from '../../../../builders/storage.js';
import { aPlan, aRun } from './workplacesContract.js';

describe('the place of an attempt', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'whetstone-place-test-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const exited = { kind: 'exited', code: 137, output: '', errorOutput: '' } as const;
  const cases: readonly (readonly [ProgramResult, string])[] = [
    [{ ...exited, told: ['The sandbox ended it: it made more than 200000 files and folders.'] }, 'output-too-large'],
    [{ ...exited, told: ['The program tried to read a file.'] }, 'exited'],
    [exited, 'exited'],
  ];
  for (const [result, kind] of cases)
    it(`tells what the sandbox ended as too much, and nothing else: ${result.told?.[0] ?? 'nothing is told'}`, async () => {
      let starts = 0;
      const parts = {
        folder,
        plan: aPlan(),
        // The first start is our git's, which leaves a repository.
        start: async (): Promise<ProgramResult> => {
          starts += 1;
          if (starts > 1) return result;
          await mkdir(path.join(folder, 'git', 'base.git'));
          return { ...exited, code: 0 };
        },
        environment: {},
        searched: [],
        contained: true,
        repositories: new Map(),
      };
      const place = await openPlace(parts, neverAborted);
      assert.equal((await place.run(aRun({}), neverAborted)).kind, kind);
    });
});
