import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { Overviews } from '../../../src/editor/skills/overviews.js';
import { TestExplorer } from '../../../src/editor/testExplorer/testExplorer.js';
import { SkillCatalog } from '../../../src/editor/skills/skillCatalog.js';
import type { FoundSkill } from '../../../src/editor/skills/discoverSkills.js';
import { emptySummary } from '../../../src/engine/journal/runSummary.js';
import { givesUpAfter } from '../../../src/models/wrappers/breaker.js';
import type { EvaluationSize } from '../../../src/app/runs/bound/evaluationSize.js';
import type { UseCases } from '../../../src/app/useCases.js';
import type { EvaluatedTask, EvaluationResult } from '../../../src/app/runs/evaluate.js';
import { makeSkills, scaledUseCases } from '../../builders/manySkills.js';

/** The Test Explorer as VS Code drives it: its profiles are called as the buttons of the Testing view call them. */
describe('tasks in the Test Explorer', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await aStage();
  });
  afterEach(() => stage.close());

  it('lists every skill, and beneath it its training and held-out tasks', async () => {
    const [skill] = await stage.roots();
    assert.ok(skill);
    await stage.controller.resolveHandler?.(skill);
    const tasks = childrenOf(skill);
    assert.deepEqual(
      new Set(tasks.map(({ label, description }) => `${label} ${description}`)),
      new Set(['task-0 training', 'task-2 training', 'task-1 held-out', 'task-3 held-out']),
    );
    assert.deepEqual([...new Set(tasks.flatMap(({ tags }) => tags.map(({ id }) => id)))], ['training', 'held-out']);
  });

  it('has a profile with and one without the skill, neither part of “Run All Tests”', () => {
    assert.deepEqual(
      stage.profiles.map(({ label, isDefault, supportsContinuousRun }) => [label, isDefault, supportsContinuousRun]),
      [
        ['With the Skill', false, false],
        ['Without the Skill', false, false],
      ],
    );
  });

  it('runs nothing before the price is confirmed', async () => {
    await stage.run('With the Skill', { answer: undefined });
    assert.deepEqual(stage.asked, [
      'Attempt 4 tasks on openai/mini? usually 0.04 USD, at most 0.08 USD · usually 4, at most 8 calls · usually 1 min, at most 2 min',
    ]);
    assert.deepEqual([stage.evaluations, stage.outcomes], [[], []]);
  });

  it('asks nothing where the simulated model attempts them: nothing costs, and nothing leaves the machine', async () => {
    stage.simulate();
    await stage.run('With the Skill', { answer: undefined });
    assert.deepEqual([stage.asked, stage.evaluations.length], [[], 1]);
  });

  it('tells what failed from what gave no result', async () => {
    await stage.run('With the Skill', { answer: 'Run' });
    assert.equal(stage.outcomes.at(-1), 'ended');
    const outcomes = [...stage.outcomes].sort((a, b) => (a < b ? -1 : 1));
    assert.deepEqual(outcomes, [
      'ended',
      'task-0 passed',
      'task-1 errored: no answer within 60 s',
      'task-2 failed: contains: The answer lacks “Severity”. (expected “Severity: high”, actual “It is bad.”)',
      'task-3 errored: There is no result.',
    ]);
    assert.equal(stage.evaluations.length, 1, 'the tasks of a skill are one run');
  });

  it('shows how a task comes out without the skill, and counts both attempts in the price', async () => {
    await stage.run('Without the Skill', { answer: 'Run', only: 'task-0' });
    assert.deepEqual(stage.asked, [
      'Attempt 2 tasks on openai/mini? usually 0.02 USD, at most 0.04 USD · usually 2, at most 4 calls · usually 1 min, at most 2 min',
    ]);
    assert.deepEqual(stage.evaluations, [{ withoutSkill: true, only: ['task-0'] }]);
    assert.match(stage.outcomes[0] ?? '', /^task-0 failed: contains/);
  });

  it('reports a run that broke as an error of its tasks, and a cancelled one as skipped', async () => {
    stage.fail('The key was refused.');
    await stage.run('With the Skill', { answer: 'Run', only: 'task-0' });
    await stage.run('With the Skill', { answer: 'Run', only: 'task-0', cancelled: true });
    assert.deepEqual(stage.outcomes, ['task-0 errored: The key was refused.', 'ended', 'task-0 skipped', 'ended']);
  });
});

interface Stage {
  readonly controller: vscode.TestController;
  readonly profiles: readonly vscode.TestRunProfile[];
  readonly asked: string[];
  readonly evaluations: unknown[];
  readonly outcomes: string[];
  roots(): Promise<readonly vscode.TestItem[]>;
  run(
    profile: string,
    how: { readonly answer: string | undefined; readonly only?: string; readonly cancelled?: boolean },
  ): Promise<void>;
  fail(message: string): void;
  simulate(): void;
  close(): Promise<void>;
}

async function aStage(): Promise<Stage> {
  const folder = await mkdtemp(path.join(tmpdir(), 'whetstone-tests-'));
  const skills = await makeSkills(folder, { skills: 1, tasks: 4, runs: 0 });
  const [asked, evaluations, outcomes]: [string[], unknown[], string[]] = [[], [], []];
  const profiles: vscode.TestRunProfile[] = [];
  let failure: string | undefined;
  let allSimulated = false;
  const useCases: UseCases = {
    ...scaledUseCases(folder),
    evaluationSize: ([first]) => Promise.resolve({ ...aSize(first), allSimulated }),
    reachModels: () => Promise.resolve(),
    localModels: () => Promise.resolve([]),
    smallRoles: () => Promise.resolve([]),
    evaluate: async ({ withoutSkill, only }, _observe, signal) => {
      if (failure !== undefined || signal.aborted) throw new Error(failure);
      evaluations.push({ withoutSkill, only });
      return anEvaluation();
    },
  };
  const overviews = new Overviews(() => Promise.resolve(useCases));
  const { controller, explorer } = recorded({ profiles, outcomes }, () => {
    const parts = { useCases: () => Promise.resolve(useCases), catalog: new FixedCatalog(skills), overviews };
    return new TestExplorer(parts);
  });
  const roots = async (): Promise<readonly vscode.TestItem[]> => {
    await controller.resolveHandler?.(undefined);
    return itemsOf(controller.items);
  };
  return {
    controller,
    profiles,
    asked,
    evaluations,
    outcomes,
    fail: (message) => void (failure = message),
    simulate: () => void (allSimulated = true),
    roots,
    async run(profile, { answer, only, cancelled }) {
      const [skill] = await roots();
      assert.ok(skill);
      await controller.resolveHandler?.(skill);
      const include = only === undefined ? undefined : childrenOf(skill).filter(({ label }) => label === only);
      const source = new vscode.CancellationTokenSource();
      if (cancelled === true) source.cancel();
      const chosen = profiles.find(({ label }) => label === profile);
      await answeringWith(answer, asked, async () =>
        chosen?.runHandler(new vscode.TestRunRequest(include, undefined, chosen), source.token),
      );
      source.dispose();
    },
    async close() {
      explorer.dispose();
      overviews.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Makes the explorer while its controller is being watched: the real one, whose runs write down what they are told. */
function recorded(
  { profiles, outcomes }: { readonly profiles: vscode.TestRunProfile[]; readonly outcomes: string[] },
  make: () => TestExplorer,
): { readonly controller: vscode.TestController; readonly explorer: TestExplorer } {
  const before = vscode.tests.createTestController;
  let controller: vscode.TestController | undefined;
  const create: typeof before = (id, label) => {
    const made = before(`${id}-under-test`, label);
    const profile = made.createRunProfile.bind(made);
    made.createRunProfile = (...given) => {
      const created = profile(...given);
      profiles.push(created);
      return created;
    };
    const begin = made.createTestRun.bind(made);
    made.createTestRun = (...given) => listening(begin(...given), outcomes);
    controller = made;
    return made;
  };
  Object.assign(vscode.tests, { createTestController: create });
  try {
    const explorer = make();
    assert.ok(controller);
    return { controller, explorer };
  } finally {
    Object.assign(vscode.tests, { createTestController: before });
  }
}

function says(message: vscode.TestMessage | readonly vscode.TestMessage[]): string {
  return [message]
    .flat()
    .map(({ message: text, expectedOutput, actualOutput }) =>
      expectedOutput === undefined
        ? textOf(text)
        : `${textOf(text)} (expected “${expectedOutput}”, actual “${actualOutput}”)`,
    )
    .join('; ');
}

function listening(run: vscode.TestRun, outcomes: string[]): vscode.TestRun {
  run.passed = ({ label }) => void outcomes.push(`${label} passed`);
  run.failed = ({ label }, message) => void outcomes.push(`${label} failed: ${says(message)}`);
  run.errored = ({ label }, message) => void outcomes.push(`${label} errored: ${says(message)}`);
  run.skipped = ({ label }) => void outcomes.push(`${label} skipped`);
  const end = run.end.bind(run);
  run.end = () => {
    outcomes.push('ended');
    end();
  };
  return run;
}

function textOf(message: string | vscode.MarkdownString): string {
  return typeof message === 'string' ? message : message.value;
}

/** Runs `work` while a person presses `answer` in every question. */
async function answeringWith(answer: string | undefined, asked: string[], work: () => Promise<unknown>): Promise<void> {
  const before = vscode.window.showInformationMessage;
  const show = async (message: string, { detail }: vscode.MessageOptions): Promise<string | undefined> => {
    asked.push(`${message} ${detail ?? ''}`.trim());
    return answer;
  };
  Object.assign(vscode.window, { showInformationMessage: show });
  try {
    await work();
  } finally {
    Object.assign(vscode.window, { showInformationMessage: before });
  }
}

class FixedCatalog extends SkillCatalog {
  readonly #skills: readonly FoundSkill[];

  constructor(skills: readonly FoundSkill[]) {
    super((file) => Promise.resolve(file));
    this.#skills = skills;
  }

  override skills(): Promise<readonly FoundSkill[]> {
    return Promise.resolve(this.#skills);
  }
}

function aSize({ only = [], withoutSkill }: Parameters<UseCases['evaluationSize']>[0][0]): EvaluationSize {
  const attempts = (withoutSkill ? 2 : 1) * only.length;
  return {
    skillName: 'skill-0',
    attempts,
    models: { target: 'openai/mini', optimizer: 'openai/mini', judge: 'openai/mini', simulated: false },
    servers: [],
    prices: [],
    holds: { run: {}, day: {}, month: {} },
    ownHolds: { run: {}, day: {}, month: {} },
    callCap: undefined,
    caps: [],
    givesUp: givesUpAfter,
    repeatsHeld: false,
    calls: { low: attempts, high: 2 * attempts },
    tokens: { low: 100, high: 1000 },
    usd: { low: 0.01 * attempts, high: 0.02 * attempts },
    minutes: { low: 1, high: 2, measured: false },
    usual: { calls: attempts, tokens: 100, usd: 0.01 * attempts, minutes: 1 },
  };
}

const failed = [
  { name: 'contains', criterion: 'It says how severe it is.', pass: false, reason: 'The answer lacks “Severity”.' },
];

function evaluated(id: string, more: Partial<EvaluatedTask>): EvaluatedTask {
  const good = {
    split: 'training',
    hard: 1,
    soft: 1,
    checks: [],
    invalid: undefined,
    answer: 'Severity: high',
  } as const;
  return { id, ...good, ...more };
}

function anEvaluation(): EvaluationResult {
  const total = { hard: 1, soft: 1, n: 1, invalid: 0 };
  const about = { skillName: 'skill-0', model: 'openai/mini', simulated: false };
  const totals = { all: total, training: total, heldOut: total, sealed: total };
  const tasks = [
    evaluated('task-0', {}),
    evaluated('task-1', { hard: undefined, soft: undefined, invalid: 'no answer within 60 s', answer: undefined }),
    evaluated('task-2', { hard: 0, soft: 0, answer: 'It is bad.', checks: failed }),
  ];
  const without = [evaluated('task-0', { hard: 0, checks: failed, answer: 'It is bad.' })];
  return {
    ...about,
    tasks,
    totals,
    answers: { all: 2, stored: 0 },
    baseline: { ...about, tasks: without, totals, answers: { all: 1, stored: 0 } },
    notScored: [],
    sealedLeftOut: 0,
    problems: [],
    summary: emptySummary('r1', 0),
  };
}

function childrenOf(item: vscode.TestItem): readonly vscode.TestItem[] {
  return itemsOf(item.children);
}

function itemsOf(collection: vscode.TestItemCollection): readonly vscode.TestItem[] {
  const items: vscode.TestItem[] = [];
  collection.forEach((item) => items.push(item));
  return items;
}
