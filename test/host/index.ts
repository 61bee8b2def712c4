import { renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { format } from 'node:util';
import Mocha from 'mocha';
import { followScripts, type ScriptCounts } from '../../scripts/scriptCounts.cjs';
import { whyLeftOut } from '../builders/leaveOut.js';
import { hostFile, say } from './say.js';
import { toSourceLines } from './sourceLines.js';

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The names of what failed. */
  readonly problems: readonly string[];
  /** What this system cannot run, and why. */
  readonly leftOut: readonly string[];
  /** The same by test file. */
  readonly scripts: Readonly<Record<string, ScriptCounts>>;
}

/** The word of the tests to the process that started VS Code; without it that process calls the run a failure. */
type Outcome =
  | { readonly kind: 'finished'; readonly counts: Counts; readonly problem?: string }
  | { readonly kind: 'crashed'; readonly error: string };

/** What VS Code calls inside its extension host. Rejects when a test failed, so that its own exit code says so too. */
export async function run(): Promise<void> {
  process.setSourceMapsEnabled(true);
  say(''); // heard: VS Code got as far as this
  const mocha = createMocha();
  try {
    loadTests(mocha);
  } catch (error) {
    report({ kind: 'crashed', error: toSourceLines(describeError(error)) });
    throw error;
  }
  const counts = await runTests(mocha);
  report(judge(counts));
  if (counts.failed > 0) throw new Error(`${counts.failed} tests failed`);
}

function createMocha(): Mocha {
  Mocha.reporters.Base.consoleLog = (...words: unknown[]) => {
    say(toSourceLines(format(...words)));
  };
  const grep = process.env['WHETSTONE_HOST_GREP'];
  return new Mocha({
    ui: 'bdd',
    color: process.env['WHETSTONE_HOST_COLORS'] === '1',
    timeout: 180_000,
    retries: 1, // VS Code may lose a step to what the machine does beside; each is named
    forbidOnly: process.env['CI'] !== undefined,
    ...(grep === undefined ? {} : { grep }),
  });
}

// The tests are a bundle of their own beside this one: it defines describe and it first, and survives their crash.
function loadTests(mocha: Mocha): void {
  mocha.suite.emit('pre-require', globalThis, __filename, mocha);
  createRequire(__filename)('./tests.cjs');
}

// Where in VS Code the call came from is of no use to the reader.
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const lines = (error.stack ?? error.message).split('\n');
  return lines.filter((line) => !/\bnode:internal|extensionHostProcess\.js/.test(line)).join('\n');
}

function runTests(mocha: Mocha): Promise<Counts> {
  return new Promise((resolve) => {
    const problems: string[] = [];
    const runner = mocha.run((failed) => {
      const { passes: passed = 0, pending: skipped = 0 } = runner.stats ?? {};
      resolve({ passed, failed, skipped, problems, leftOut: whyLeftOut(), scripts });
    });
    const scripts = followScripts(runner);
    runner.on('fail', (test: Mocha.Runnable, error: Error) => {
      problems.push(`${test.fullTitle()}: ${error.message}`);
    });
    runner.on('retry', (test: Mocha.Test, error: Error) => {
      const cause = error.cause instanceof Error ? `\n${error.cause.message}` : '';
      say(`    needs a second try: ${test.fullTitle()}: ${error.message}${cause}`);
    });
  });
}

// Asking for tests by name may leave a suite with none; that there is none at all in it is a mistake.
function judge(counts: Counts): Outcome {
  const some = counts.passed + counts.failed + counts.skipped > 0;
  if (some || process.env['WHETSTONE_HOST_GREP'] !== undefined) return { kind: 'finished', counts };
  return { kind: 'finished', counts: { ...counts, failed: 1 }, problem: 'The suite holds no test.' };
}

function report(outcome: Outcome): void {
  const file = hostFile('WHETSTONE_HOST_RESULT');
  writeFileSync(`${file}.new`, JSON.stringify(outcome));
  renameSync(`${file}.new`, file); // whole or not at all: the other side may be looking
}
