// What came of one start of VS Code. The word of the tests themselves is required: an exit code alone proves nothing.
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs';
import path from 'node:path';

/** The files through which the entry inside the host (test/host/index.ts) speaks to this process. */
export function hostFiles(session) {
  return { result: path.join(session.folder, 'result.json'), output: path.join(session.folder, 'output.txt') };
}

export function hostEnvironment(session, { grep, full }) {
  const { result, output } = hostFiles(session);
  return {
    WHETSTONE_HOST_RESULT: result,
    WHETSTONE_HOST_OUTPUT: output,
    ...(process.stdout.isTTY ? { WHETSTONE_HOST_COLORS: '1' } : {}),
    ...(grep === undefined ? {} : { WHETSTONE_HOST_GREP: grep }),
    ...(full ? { WHETSTONE_FULL: '1' } : {}),
  };
}

export function hasResult(session) {
  return existsSync(hostFiles(session).result);
}

/**
 * The counts that the tests wrote. `explain` is what the host said, for the case that they wrote none; a run without
 * counts is one failure, so that no sum of floors can come out green.
 */
export function readOutcome(session, explain) {
  const { result, output } = hostFiles(session);
  if (existsSync(result)) {
    const outcome = JSON.parse(readFileSync(result, 'utf8'));
    if (outcome.kind === 'finished') return { ...outcome.counts, problem: outcome.problem };
    return failure(`The tests crashed while loading; none of them ran:\n${outcome.error}`);
  }
  if (existsSync(output)) return failure(`VS Code ended in the middle of the tests, without a result.\n${explain}`);
  return failure(`VS Code did not get as far as running the tests.\n${explain}`);
}

export function failure(problem) {
  return { passed: 0, failed: 1, skipped: 0, problem };
}

/** Prints what is appended to the tests' output as it comes; `stop` prints the rest. */
export function followOutput(session) {
  const { output } = hostFiles(session);
  let position = 0;
  const printNew = () => {
    if (!existsSync(output)) return;
    const file = openSync(output, 'r');
    const buffer = Buffer.alloc(65_536);
    for (let read; (read = readSync(file, buffer, 0, buffer.length, position)) > 0; position += read) {
      process.stdout.write(Buffer.from(buffer.subarray(0, read)));
    }
    closeSync(file);
  };
  const timer = setInterval(printNew, 100);
  return {
    lastPosition: () => position,
    stop() {
      clearInterval(timer);
      printNew();
    },
  };
}
