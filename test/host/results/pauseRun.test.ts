import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { pauseRun } from '../../../src/editor/run/pauseRun.js';
import { RunControls } from '../../../src/editor/run/runControls.js';
import { Overviews } from '../../../src/editor/skills/overviews.js';
import { emptySummary } from '../../../src/engine/journal/runSummary.js';
import { answering, type Answers } from '../answering.js';

const [dates, tables, greeter] = ['dates', 'tables', 'greeter'].map((name) => `/folder/skills/${name}/SKILL.md`);
assert.ok(dates !== undefined && tables !== undefined && greeter !== undefined);
const live = { summary: emptySummary('r1', 0), share: { share: 0.5, leftMs: undefined } };

/** What is running, what the command is called with, which skill is in front; and what is paused, or what is said. */
interface Row {
  readonly running: readonly string[];
  readonly night?: string;
  readonly given?: string;
  readonly active?: string;
  readonly answers?: Answers;
  readonly paused: readonly string[];
  readonly said?: RegExp;
}

const rows: Readonly<Record<string, Row>> = {
  'the run that is named': { running: [dates, tables], given: tables, paused: [tables] },
  'no other run for one that does not run': {
    running: [dates],
    given: tables,
    paused: [],
    said: /^No run of tables goes on in this window\.$/,
  },
  'no other run for the skill of a night': {
    running: [dates],
    night: tables,
    given: tables,
    paused: [],
    said: /tables is trained by a night.*“Stop Nightly Training”/s,
  },
  'the run in front': { running: [dates, tables], active: tables, paused: [tables] },
  'the only run': { running: [dates], active: greeter, paused: [dates] },
  'the one that is picked of several': {
    running: [dates, tables],
    active: greeter,
    answers: { picks: ['tables'] },
    paused: [tables],
  },
  'none where the question is closed': { running: [dates, tables], paused: [], said: /Canceled/ },
  'none where none runs': { running: [], paused: [], said: /^No run to pause\.$/ },
  'no night': { running: [], night: tables, paused: [], said: /No run to pause.*“Stop Nightly Training”/s },
};

describe('Pause Run stops', () => {
  for (const [name, { running, night, given, active, answers = {}, paused, said }] of Object.entries(rows)) {
    it(name, async () => {
      const overviews = new Overviews(() => Promise.reject(new Error('nothing is stored yet')));
      const controls = new RunControls();
      const source = new vscode.CancellationTokenSource();
      const signals = running.map((skillPath) => [skillPath, controls.begin(skillPath, source.token).signal] as const);
      if (night !== undefined) overviews.showRun(night, { ...live, ofNight: true });
      let why: unknown;
      try {
        await answering(answers, () =>
          pauseRun(given, active, { controls, overviews }).catch((error: unknown) => (why = error)),
        );
      } finally {
        overviews.dispose();
        source.dispose();
      }
      const stopped = signals.filter(([, { aborted }]) => aborted).map(([skillPath]) => skillPath);
      assert.deepEqual(stopped, paused);
      assert.match(saidBy(why), said ?? /^$/);
    });
  }
});

function saidBy(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return [error.message, ...('cure' in error && error.cure !== '' ? [String(error.cure)] : [])].join(' ');
}
