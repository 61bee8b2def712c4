import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AnswersAwaited } from '../../src/errors.js';
import { createHandoffModel } from '../../src/models/handoff/handoffModel.js';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import type { Proposal } from '../../src/ports/proposal.js';
import type { RoleModels } from '../../src/app/models/runModels.js';
import { afterAWhile, answerAll, answeringAtOnce, answersPrompts } from '../builders/answeredByHand.js';
import { aWorkspace, inEveryRole, writtenTasks, type TestWorkspace } from '../builders/aWorkspace.js';
import { few } from '../builders/few.js';
import type { KillPoint } from './children/killPoints.js';
import type { TrainReport } from './children/trainChild.js';
import { callLogIn, runTraining, trainingScript } from './children/trainProcess.js';

const minutes = 60_000;
const lapses = { lapseRate: 0.1 };

const neverAborted = new AbortController().signal;

/** With so many held-out tasks a certification comes to an answer. */
const enough = { training: 2, heldOut: 6, sealed: 1 };
const small = { training: 1, heldOut: 3, sealed: 1 };
const strict = { gate: { rule: 'strict' } };

describe('a run that somebody answers by hand', function () {
  this.timeout(180_000);
  let script = '';

  before(async () => {
    script = await trainingScript();
  });

  const strictly = {
    settings: { ...strict, concurrency: 4 },
    size: small,
    kills: [{ kind: 'rename', at: 9 }], // while the prompts of the first round are written
    most: 6,
  } as const;
  const confidently = {
    settings: { concurrency: 4 },
    size: enough,
    kills: [
      { kind: 'rename', at: 9 },
      { kind: 'renamed', at: 5 }, // while its answers are stored
      { kind: 'torn', at: 20 }, // in the middle of a line, after the optimizer answered
      { kind: 'fsync', at: 8 }, // in the certification
    ],
    most: 7,
  } as const;
  for (const { settings, size, kills: points, most } of few([strictly, confidently])) {
    const { rule } = { rule: 'confident', ...('gate' in settings ? settings.gate : {}) };
    it(`comes to what a model that answers at once comes to, killed on its way, in no more rounds than was said (${rule})`, async () => {
      const workspace = made(size);
      const kills: KillPoint[] = [...points];
      try {
        const { byHand } = await byHandIn(workspace).preflight(requestOf(workspace, settings), neverAborted);
        const byHands = await handed(inProcesses(workspace, script, settings, kills));
        const atOnce = await direct(workspace, { run: byHands.run, size }, settings);
        assert.deepEqual(kills, []);
        const told = byHand?.rounds.most ?? 0;
        assert.ok(byHands.rounds <= told && told <= most, `${byHands.rounds} rounds of ${told}`);
        assert.equal(byHands.proposal?.verdict.kind, 'accepted');
        assert.deepEqual(resultOf(byHands.proposal), resultOf(atOnce));
        assert.deepEqual(readdirSync(path.join(workspace.folder, '.whetstone', 'handoff')), []);
      } finally {
        workspace.dispose();
      }
    });
  }

  it('says so where Every repeat of a prompt has the same answer, letter for letter', async () => {
    const workspace = made();
    try {
      const settings = { concurrency: 4 };
      const copied = await handed(here(workspace, settings), answersPrompts({ copies: true }));
      const { verdict } = copied.proposal ?? {};
      assert.ok(verdict?.kind === 'accepted');
      assert.deepEqual(verdict.figures.warnings.length, 1);
      assert.match(
        verdict.figures.warnings[0] ?? '',
        /Every repeat of a prompt has the same answer, letter for letter/,
      );
      const { pending } = await workspace.overview();
      assert.deepEqual(pending?.proposal.verdict, verdict);
    } finally {
      workspace.dispose();
    }
  });

  it('takes five rounds where a judge is asked by hand too, and asks anew for what cannot be read', async () => {
    const workspace = made(small);
    try {
      askJudge(workspace);
      const settings = strict;
      const { byHand } = await byHandIn(workspace).preflight(requestOf(workspace, settings), neverAborted);
      assert.deepEqual(byHand?.rounds, { usual: 5, most: 5 });
      const answer = answersPrompts();
      const again: string[] = [];
      const { proposal, rounds } = await handed(here(workspace, settings), async (prompt) => {
        if (prompt.includes('The last reply was not of that form')) again.push(prompt);
        return prompt.includes('"failure_summary"') && again.length === 0 ? 'Well, let me think.' : answer(prompt);
      });
      assert.equal(proposal?.verdict.kind, 'accepted');
      assert.deepEqual([rounds, again.length], [6, 1]);
      const [, , first = ''] = (again[0] ?? '').split('\n');
      assert.match(first, /^\*\*The last reply was not of the form that was asked for\.\*\*/);
    } finally {
      workspace.dispose();
    }
  });

  it('can be one of several models: the optimizer alone is asked once', async () => {
    const workspace = made(small);
    try {
      const [model, hand] = [createSimulatedModel(), createHandoffModel('handoff')];
      const models = { target: model, optimizer: hand, judge: model };
      const { proposal, rounds } = await handed(here(workspace, strict, { models }));
      assert.equal(proposal?.verdict.kind, 'accepted');
      assert.equal(rounds, 1);
    } finally {
      workspace.dispose();
    }
  });
});

function made(size = enough): TestWorkspace {
  return aWorkspace({ tasks: writtenTasks(size, ['Visibility:', 'fathoms']) });
}

function requestOf({ skillPath, folder }: TestWorkspace, settings: Settings) {
  const where = { skillPath, workspaceFolders: [folder] };
  return { ...where, preset: 'standard', settings: [settings], purpose: 'optimize', trusted: true } as const;
}

/** What a rule checks is graded by a judge instead. */
function askJudge({ skillPath }: TestWorkspace): void {
  const file = path.join(path.dirname(skillPath), 'evals', 'whetstone.json');
  const rubric = '"check": "rubric", "rubric": "The answer contains “';
  const judged = readFileSync(file, 'utf8')
    .replaceAll('"check": "contains",', '')
    .replaceAll(/"text": "([^"]*)"/g, `${rubric}$1”."`);
  writeFileSync(file, judged);
}

type Settings = Readonly<Record<string, unknown>>;

interface HandedEnd {
  readonly proposal: Proposal | undefined;
  readonly rounds: number;
  readonly run: string;
}

/** Answers what waits and goes on, until the run ends; `next` starts it, or goes on with it. */
async function handed(
  next: () => Promise<Partial<TrainReport> | undefined>,
  answer = answersPrompts(lapses),
): Promise<HandedEnd> {
  let run = '';
  for (let rounds = 0; ;) {
    const report = await next();
    if (report === undefined) continue; // it was killed
    if (report.prompts === undefined) return { proposal: report.proposal, rounds, run };
    run = path.basename(report.prompts); // the folder is named by it
    rounds += 1;
    assert.ok(rounds < 20, 'it never ends');
    // Nothing of earlier rounds lies beside what waits: it would tell which tasks the optimizer does not learn from.
    assert.deepEqual(filesBesidePrompts(report.prompts), ['INDEX.md', 'about.json']);
    assert.equal(await answerAll(report.prompts, answer), report.waiting);
  }
}

function filesBesidePrompts(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => !name.endsWith('.prompt.md'))
    .sort();
}

/** The run in processes of its own, the first of each round killed at the next point; once all are, it goes on in this one. */
function inProcesses(workspace: TestWorkspace, script: string, settings: Settings, kills: KillPoint[]) {
  const { folder, home, skillPath } = workspace;
  let [aheadMs, isArmed] = [0, true];
  const afterwards = () => here(workspace, settings, { resumes: true, aheadMs });
  let goesOn: ReturnType<typeof here> | undefined;
  return async (): Promise<Partial<TrainReport> | undefined> => {
    if (kills.length === 0) return (goesOn ??= afterwards())();
    const kill = isArmed ? kills[0] : undefined;
    const order = { folder, home, skillPath, callLog: callLogIn(workspace), settings, handoff: true as const, aheadMs };
    const end = await runTraining(script, kill === undefined ? order : { ...order, kill });
    aheadMs += 2 * minutes;
    if (end.signal === 'SIGKILL') {
      kills.shift(); // a process that ends before its point leaves it to the next round
      isArmed = false;
      return undefined;
    }
    isArmed = true;
    assert.equal(end.code, 0, end.complaints);
    return JSON.parse(end.said);
  };
}

interface Here {
  readonly models?: RoleModels;
  /** One that was cut off goes on. */
  readonly resumes?: boolean;
  readonly aheadMs?: number;
}

/** The run in this process. */
function here(workspace: TestWorkspace, settings: Settings, { models, resumes = false, aheadMs = 0 }: Here = {}) {
  const cases = byHandIn(workspace, models, aheadMs);
  let resume: { readonly run: string | undefined } | undefined = resumes ? { run: undefined } : undefined;
  return async (): Promise<Partial<TrainReport>> => {
    try {
      const { proposal } = await cases.optimize(
        { ...requestOf(workspace, settings), resume },
        () => undefined,
        neverAborted,
      );
      return { proposal };
    } catch (error) {
      if (!(error instanceof AnswersAwaited)) throw error;
      resume = { run: error.runId };
      return { waiting: error.waiting, prompts: error.folder };
    }
  };
}

function byHandIn(workspace: TestWorkspace, models = inEveryRole(createHandoffModel('handoff')), aheadMs = 0) {
  const clock = { ...afterAWhile, now: () => afterAWhile.now() + aheadMs };
  return workspace.useCases(models, { byHand: () => true, clock });
}

/** The same run, in a state with the same key, on a model that answers at once. */
async function direct(
  { home, skillPath }: TestWorkspace,
  { run, size }: { readonly run: string; readonly size: typeof enough },
  settings: Settings,
) {
  const workspace = made(size);
  try {
    const state = path.join(workspace.home, 'state');
    mkdirSync(state, { recursive: true, mode: 0o700 });
    for (const file of readdirSync(path.join(home, 'state'))) {
      if (file.includes('key')) cpSync(path.join(home, 'state', file), path.join(state, file));
    }
    assert.equal(workspace.skillText(), readFileSync(skillPath, 'utf8'));
    const models = inEveryRole(answeringAtOnce(state, run, answersPrompts(lapses)));
    const cases = byHandIn(workspace, models);
    return (await cases.optimize(requestOf(workspace, settings), () => undefined, neverAborted)).proposal;
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
