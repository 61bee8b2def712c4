import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Proposal } from '../../src/ports/proposal.js';
import { answerAll, answeringAtOnce, answersPrompts } from '../builders/answeredByHand.js';
import { aWorkspace, inEveryRole, writtenTasks, type TestWorkspace } from '../builders/aWorkspace.js';
import type { KillPoint } from './children/killPoints.js';
import type { TrainReport } from './children/trainChild.js';
import { callLogIn, runTraining, trainingScript } from './children/trainProcess.js';

const minutes = 60_000;
const lapses = { lapseRate: 0.15 };

describe('a run that somebody answers by hand', function byHand() {
  this.timeout(180_000);
  let script = '';

  before(async () => {
    script = await trainingScript();
  });
  after(() => rmSync(path.dirname(script), { recursive: true, force: true }));

  it('comes to what a model that answers at once comes to, killed at four points on its way', async () => {
    const settings = { concurrency: 4 };
    const workspace = made();
    const kills: readonly KillPoint[] = [
      { kind: 'rename', at: 9 }, // while prompts are written
      { kind: 'torn', at: 30 }, // half of one is written
      { kind: 'renamed', at: 12 }, // while answers are stored
      { kind: 'fsync', at: 12 }, // on its way to the next round
    ];
    try {
      const byHands = await handed(workspace, { script, settings, kills });
      const atOnce = await direct(workspace, settings);
      assert.equal(byHands.killed, 4);
      assert.equal(byHands.proposal?.verdict.kind, 'accepted');
      assert.deepEqual(resultOf(byHands.proposal), resultOf(atOnce));
      assert.deepEqual(readdirSync(path.join(workspace.folder, '.whetstone', 'handoff')), []);
    } finally {
      workspace.dispose();
    }
  });

  it('takes no more rounds than was said before, and at most six under the strict rule', async () => {
    const settings = { gate: { rule: 'strict' }, concurrency: 4 };
    const workspace = made();
    try {
      const told = await workspace
        .useCases(undefined, { byHand: () => true })
        .preflight(requestOf(workspace, settings), calm);
      const byHands = await handed(workspace, { script, settings, kills: [] });
      assert.equal(told.byHand, undefined); // nobody answers by hand on the simulated model
      assert.ok(byHands.rounds <= 6, `${byHands.rounds} rounds`);
      assert.deepEqual(resultOf(byHands.proposal), resultOf(await direct(workspace, settings)));
    } finally {
      workspace.dispose();
    }
  });
});

const calm = new AbortController().signal;

function made(): TestWorkspace {
  return aWorkspace({ tasks: writtenTasks({ training: 3, heldOut: 6, sealed: 2 }, ['Visibility:', 'fathoms']) });
}

function requestOf({ skillPath, folder }: TestWorkspace, settings: Readonly<Record<string, unknown>>) {
  const where = { skillPath, workspaceFolders: [folder] };
  return { ...where, preset: 'standard', settings: [settings], purpose: 'optimize', trusted: true } as const;
}

interface Handed {
  readonly script: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly kills: readonly KillPoint[];
}

/** Starts the run, answers what waits and goes on, until it ends; each kill meets the next process. */
async function handed(workspace: TestWorkspace, { script, settings, kills }: Handed) {
  const { folder, home, skillPath } = workspace;
  const answer = answersPrompts(lapses);
  const left = [...kills];
  let [killed, rounds, aheadMs] = [0, 0, 0];
  for (;;) {
    const kill = left.shift();
    const order = { folder, home, skillPath, callLog: callLogIn(workspace), settings, handoff: true as const, aheadMs };
    const end = await runTraining(script, kill === undefined ? order : { ...order, kill });
    aheadMs += 2 * minutes;
    if (end.signal === 'SIGKILL') {
      killed += 1;
      continue;
    }
    assert.equal(end.code, 0, end.complaints);
    const report: TrainReport = JSON.parse(end.said);
    if (report.prompts === undefined) return { proposal: report.proposal, killed, rounds };
    rounds += 1;
    assert.ok(rounds < 20, 'it never ends');
    assert.equal(await answerAll(report.prompts, answer), report.waiting);
    if (kill !== undefined) left.unshift(kill); // it came to its end before: the next one may not
  }
}

/** The same run, in a state with the same key, on a model that answers at once. */
async function direct({ home, skillPath }: TestWorkspace, settings: Readonly<Record<string, unknown>>) {
  const workspace = made();
  try {
    const state = path.join(workspace.home, 'state');
    mkdirSync(state, { recursive: true, mode: 0o700 });
    for (const file of readdirSync(path.join(home, 'state'))) {
      if (file.includes('key')) cpSync(path.join(home, 'state', file), path.join(state, file));
    }
    assert.equal(workspace.skillText(), readFileSync(skillPath, 'utf8'));
    const models = inEveryRole(answeringAtOnce(state, answersPrompts(lapses)));
    const cases = workspace.useCases(models, { byHand: () => true });
    return (await cases.optimize(requestOf(workspace, settings), () => undefined, calm)).proposal;
  } finally {
    workspace.dispose();
  }
}

/** What a person decides on. */
function resultOf(proposal: Proposal | undefined): unknown {
  assert.ok(proposal !== undefined);
  const { documents, verdict, comparisons, sealed, leftOut, answers } = proposal;
  return JSON.parse(JSON.stringify({ documents, verdict, comparisons, sealed, leftOut, answers }));
}
