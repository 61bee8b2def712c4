import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { NightlyController } from '../../src/editor/nightly/nightlyController.js';
import type { NightUseCases, NightLook } from '../../src/app/nights/nights.js';
import type { NightPlan } from '../../src/app/nights/nightPlan.js';
import type { NightWatcher } from '../../src/app/nights/night.js';
import type { NightResult } from '../../src/app/nights/nightResult.js';
import type { UseCases } from '../../src/app/useCases.js';
import { createUseCases } from '../../src/app/useCases.js';
import { neverAborted } from '../../src/editor/cancellation.js';
import { openFolders } from '../../src/editor/nightly/nightlySettings.js';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import { nodeClock } from '../../src/storage/files/nodeAdapters.js';
import { showNightlyMenu } from '../../src/editor/nightly/nightlyMenu.js';
import { turnOff, turnOn } from '../../src/editor/nightly/turnOn.js';
import { givesUpAfter } from '../../src/models/wrappers/breaker.js';
import { batchLines } from '../../src/wording/nights/batchLines.js';
import { answering } from './answering.js';
import { until } from './until.js';

type Scripted = NightUseCases & Pick<UseCases, 'spendThisMonth'>;

const waits: NightLook = { decision: { kind: 'wait', until: undefined, missed: undefined }, result: undefined };
const missed = { key: '2026-03-10 03:17', due: Date.now() - 3_600_000, count: 1 };
const asks: NightLook = {
  decision: { kind: 'ask', missed, sentence: 'The night due today 03:17 did not run. Run it now?' },
  result: undefined,
};
const noKey: NightPlan['stops'][number] = { name: 'no-key', sentence: 'There is no API key.', cure: 'Set it.' };

describe('the clock of the nights in a window', () => {
  const controllers: NightlyController[] = [];
  const keys = new vscode.EventEmitter<void>();
  const { showInformationMessage } = vscode.window;

  const homes: string[] = [];
  afterEach(async () => {
    await set('whetstone.nightly.time', undefined);
    for (const controller of controllers.splice(0)) controller.dispose();
    Object.assign(vscode.window, { showInformationMessage });
  });
  after(async () => {
    keys.dispose();
    for (const home of homes) await rm(home, { recursive: true, force: true });
  });

  it('keeps the progress and the stop of a night that runs, whatever is looked at meanwhile', async () => {
    let looks = 0;
    let stopped = false;
    let end: ((look: NightLook) => void) | undefined;
    const night = new Promise<NightLook>((resolve) => {
      end = resolve;
    });
    const controller = open({
      tick: (_request, watcher, signal) => {
        looks += 1;
        if (looks > 1) return Promise.resolve(waits);
        watcher.began(['one', 'two']);
        signal.addEventListener('abort', () => {
          stopped = true;
          end?.(waits);
        });
        return night;
      },
    });
    await until(() => controller.status().kind === 'running', 'a night that runs');
    const other = controller.poll();
    keys.fire();
    await pause();
    assert.deepEqual(controller.status(), { kind: 'running', skill: '', done: 0, total: 2 });
    assert.equal(looks, 1, 'one look at a time');
    controller.cancel();
    await other;
    assert.ok(stopped);
    assert.notEqual(controller.status().kind, 'running');
    assert.equal(looks, 2, 'one more look for all who asked');
  });

  it('lets nights learn from unconfirmed tasks in the menu, after what it means, where sessions may be read', async () => {
    const turned: boolean[] = [];
    const controller = open({
      unconfirmedTraining: () => Promise.resolve(turned.at(-1) ?? false),
      turnUnconfirmedTraining: ({ on }) => Promise.resolve(void turned.push(on)),
    });
    const row = '$(comment-discussion) Train Also on Unconfirmed Tasks from Sessions';
    const closed = await answering({ picks: [row] }, () => showNightlyMenu(controller));
    assert.ok(closed.rows.includes(`${row}: off`), closed.rows.join());
    assert.ok(closed.rows.some((each) => each.endsWith(': no cap of money or tokens for a night')));
    assert.match(closed.warningDetails.join(), /only what you confirmed proves anything/);
    assert.deepEqual(turned, [], 'nothing without a yes');
    await answering({ picks: [row], warnings: ['Turn On'] }, () => showNightlyMenu(controller));
    const off = '$(circle-slash) Stop Training on Unconfirmed Tasks from Sessions';
    const again = await answering({ picks: [off] }, () => showNightlyMenu(controller));
    assert.deepEqual([turned, again.warnings], [[true, false], []]);
    const without = await answering({}, () => showNightlyMenu(open({})));
    assert.ok(without.rows.includes(`${row}: not before the sessions of a program may be read`), without.rows.join());
  });

  it('asks once about a night that was slept through, and does as it is told', async () => {
    const asked: string[] = [];
    const answers: string[] = [];
    Object.assign(vscode.window, {
      showInformationMessage: async (message: string, ...buttons: readonly string[]) => {
        asked.push(message);
        return buttons[0];
      },
    });
    const controller = open({
      tick: () =>
        Promise.resolve(asked.length === 0 ? asks : { ...waits, decision: { kind: 'wait', until: undefined, missed } }),
      answerMissed: ({ answer }) => {
        answers.push(answer);
        return Promise.resolve(waits);
      },
    });
    await until(() => answers.length > 0, 'an answer');
    await controller.poll();
    assert.deepEqual(asked, ['Whetstone: The night due today 03:17 did not run. Run it now?']);
    assert.deepEqual(answers, ['run']);
  });

  it('goes on asking in the status bar where the question was closed', async () => {
    Object.assign(vscode.window, { showInformationMessage: () => Promise.resolve(undefined) });
    const controller = open({ tick: () => Promise.resolve(asks) });
    await until(() => controller.status().kind === 'missed', 'the question in the status bar');
  });

  it('remembers why the last night was skipped, whichever window skipped it', async () => {
    const at = Date.now();
    const sentence = 'The night due today 03:17 did not run. dates has unsaved changes.';
    const controller = open({
      lastNights: () => Promise.resolve([aNight(at - 1000)]),
      scheduleState: () =>
        Promise.resolve({
          enabledAt: at,
          cron: '17 3 * * *',
          nextDue: undefined,
          lastRun: undefined,
          lastDecision: { key: missed.key, due: missed.due, at, kind: 'skip', sentence },
          missed: undefined,
          settled: [],
        }),
    });
    await until(() => controller.news.lastWords === sentence, 'the reason');
  });

  it('is mended as soon as a key is there, without a change of settings', async () => {
    let stops: NightPlan['stops'] = [noKey];
    const controller = open({ planNight: () => Promise.resolve({ ...aPlan, stops }) });
    await until(() => controller.status().kind === 'broken', 'a broken state');
    assert.equal(controller.stoppedBy, 'no-key');
    stops = [];
    keys.fire();
    await until(() => controller.status().kind === 'on', 'a state that is mended');
  });

  it('is broken with the reason where a look fails, and looks for the trouble again', async () => {
    let fails = true;
    const controller = open({
      tick: () => (fails ? Promise.reject(new Error('The disk is full.')) : Promise.resolve(waits)),
    });
    await until(() => controller.status().kind === 'broken', 'a broken state');
    assert.match(JSON.stringify(controller.status()), /The disk is full/);
    fails = false;
    await controller.poll();
    assert.equal(controller.status().kind, 'on');
  });

  it('gives what a night came to that the person started, and shows its progress over the skills that it trains', async () => {
    const seen: string[] = [];
    const controller = open({
      night: async (_request, watcher: NightWatcher) => {
        watcher.began(['one']);
        seen.push(JSON.stringify(controller.status()));
        return aNight(Date.now());
      },
    });
    await controller.poll();
    const result = await controller.runNow();
    assert.equal(result?.skills.length, 0);
    assert.deepEqual(seen, ['{"kind":"running","skill":"","done":0,"total":1}']);
    assert.equal(controller.status().kind, 'on');
  });

  it('asks about a setting that changed in the workspace since the person agreed, and keeps the former until then', async () => {
    const asked: string[] = [];
    let answer: string | undefined;
    Object.assign(vscode.window, {
      showInformationMessage: async (message: string) => {
        asked.push(message);
        return answer;
      },
    });
    const { settingsInForce, agreeToNights, turnNights } = await realConsents();
    const settings = { time: '03:17' };
    await agreeToNights({ folders: openFolders(), workspaceFolders: openFolders(), settings }, neverAborted());
    await turnNights({ folders: openFolders(), on: true }, neverAborted());
    await set('whetstone.nightly.time', '03:17');
    const ticked: string[] = [];
    const controller = open({
      settingsInForce,
      agreeToNights,
      tick: ({ schedule: { cron } }) => {
        ticked.push(`${cron.hour}:${cron.minute}`);
        return Promise.resolve(waits);
      },
    });
    await until(() => controller.status().kind === 'on', 'nights as they were agreed to');
    assert.deepEqual(asked, []);

    await set('whetstone.nightly.time', '04:05');
    await until(() => asked.length > 0, 'the question');
    assert.match(asked[0] ?? '', /settings of this workspace for nights have changed \(time: "03:17" → "04:05"\)/);
    await controller.poll();
    assert.equal(ticked.at(-1), '3:17');
    assert.equal(asked.length, 1, 'asked once a window');

    answer = 'Use the New Settings';
    await controller.consent.askAboutSettings('again');
    await until(() => ticked.at(-1) === '4:5', 'the new time');
    assert.deepEqual(controller.consent.changed, []);
  });

  it('does not turn nights on because the workspace says so, and does not warn of it', async () => {
    const { settingsInForce } = await realConsents();
    await set('whetstone.nightly.enabled', true);
    try {
      let ticks = 0;
      const controller = open({ settingsInForce, tick: () => Promise.resolve(((ticks += 1), waits)) });
      await controller.poll();
      assert.deepEqual(controller.status(), { kind: 'off' });
      assert.equal(ticks, 0);
    } finally {
      await set('whetstone.nightly.enabled', undefined);
    }
  });

  it('is turned off for this person, and writes no setting', async () => {
    const consents = await realConsents();
    await consents.turnNights({ folders: openFolders(), on: true }, neverAborted());
    const controller = open(consents);
    await until(() => controller.status().kind === 'on', 'nights that are on');
    await turnOff(controller);
    assert.equal(controller.status().kind, 'off');
    const { globalValue, workspaceValue } =
      vscode.workspace.getConfiguration().inspect('whetstone.nightly.enabled') ?? {};
    assert.deepEqual([globalValue, workspaceValue], [undefined, undefined]);
  });

  it('says one limit of a plan when it is turned on, and lets a cap be set before it is answered', async () => {
    const trained = { skillPath: '/nowhere/SKILL.md', name: 'dates', preflight, autoAdopted: false };
    const controller = open({ planNight: () => Promise.resolve({ ...aPlan, train: [trained] }) });
    const answers = { picks: ['dates'], modals: ['Set a Cap', undefined] };
    const { messages, menus } = await answering(answers, () => turnOn(controller));
    const questions = messages.filter((message) => message.startsWith('Train 1 skill every night?'));
    assert.equal(questions.length, 2);
    assert.match(questions[0] ?? '', /capped at 90 calls/);
    assert.match(questions[0] ?? '', /A night takes .* tokens, from your plan with Codex\./);
    assert.doesNotMatch(questions[0] ?? '', /No cap for a night is set|price/);
    assert.ok(menus.some((menu) => menu.includes('Which cap?')));
  });

  it('explains the places of a large fleet and what batches take before it is turned on, in a question of 20 lines', async () => {
    const batches = batchLines({ usual: 6, most: 14, hours: 4, nights: 3, least: 20 });
    const place = `Chosen for the expected gain: +6.1 points for 44 calls. Left to gain: 38 %. Never tried.`;
    const names = Array.from({ length: 40 }, (_, index) => `skill-${index + 1}`);
    const train = names.map((name) => ({
      skillPath: `/nowhere/${name}/SKILL.md`,
      name,
      preflight: { ...preflight, batches },
      autoAdopted: false,
      place,
    }));
    const sentence =
      'The budget of this night (1,760 calls) holds 40 of 200 skills. One place in ten goes to those that waited longest, the others by expected gain for the cost.';
    const controller = open({ planNight: () => Promise.resolve({ ...aPlan, train, fleet: { sentence, later: [] } }) });
    const { messages } = await answering({ picks: [names], modals: [undefined] }, () => turnOn(controller));
    const question = messages.find((message) => message.startsWith('Train 40 skills every night?')) ?? '';
    for (const line of [sentence, 'skill-3: Chosen for the expected gain: +6.1 points for 44 calls.', ...batches])
      assert.ok(question.includes(line), `${line} in\n${question}`);
    assert.match(question, /At 03:17: skill-1, skill-2, .*skill-8 and 32 others\./);
    assert.doesNotMatch(question, /skill-4: |Left to gain|skill-9/);
    assert.equal(question.split(batches[0] ?? '').length, 2, 'what batches take is said once');
    assert.ok(question.split('\n').length <= 20 && question.length < 1_800, question);
  });

  for (const [count, line] of [
    [8, /^At 03:17: skill-1, .*skill-7, skill-8\.$/m],
    [9, /^At 03:17: skill-1, .*skill-8, skill-9\.$/m],
    [10, /^At 03:17: skill-1, .*skill-8 and 2 others\.$/m],
  ] as const)
    it(`names what a night of ${count} skills begins with, and never “1 others”`, async () => {
      const names = Array.from({ length: count }, (_, index) => `skill-${index + 1}`);
      const train = names.map((name) => ({
        skillPath: `/nowhere/${name}/SKILL.md`,
        name,
        preflight,
        autoAdopted: false,
      }));
      const controller = open({ planNight: () => Promise.resolve({ ...aPlan, train }) });
      const { messages } = await answering({ picks: [names], modals: [undefined] }, () => turnOn(controller));
      assert.match(messages.find((message) => message.startsWith(`Train ${count} skills every night?`)) ?? '', line);
    });

  it('lists a skill that is left out for its tasks beside the others, and names all where none is left', async () => {
    const trained = { skillPath: '/nowhere/SKILL.md', name: 'dates', preflight, autoAdopted: false };
    const left = ['parcel', 'post'].map((name) => ({
      skillPath: `/nowhere/${name}/SKILL.md`,
      name,
      stop: { name: 'tool-tasks', sentence: `${name}: 2 of its tasks need tools.`, cure: 'Choose another.' } as const,
    }));
    const some = open({ planNight: () => Promise.resolve({ ...aPlan, train: [trained], leftOut: left }) });
    const { rows } = await answering({}, () => turnOn(some));
    assert.ok(rows.includes('parcel: parcel: 2 of its tasks need tools.'), rows.join('\n'));
    const stops = left.map(({ stop }) => stop);
    const none = open({ planNight: () => Promise.resolve({ ...aPlan, leftOut: left, stops }) });
    const { warnings } = await answering({}, () => turnOn(none));
    assert.deepEqual(warnings, [
      'Whetstone: parcel: 2 of its tasks need tools. post: 2 of its tasks need tools. Choose another.',
    ]);
  });

  it('says that nights are off only where there is a skill to train', async () => {
    const nothing = { skills: 0, pending: 0, unmeasured: [] };
    const controller = open({ settingsInForce: () => Promise.resolve({ on: false, settings: {}, changed: [] }) });
    await controller.poll();
    assert.equal(controller.hasSkills, false);
    controller.noteSkills({ ...nothing, skills: 1 });
    assert.equal(controller.hasSkills, true);
    controller.noteSkills(nothing);
    assert.equal(controller.hasSkills, false);
  });

  it('asks about options of the workspace that would raise the bound of a night', async () => {
    const asked: string[] = [];
    const agreed: unknown[] = [];
    Object.assign(vscode.window, {
      showInformationMessage: async (message: string, ...buttons: readonly string[]) => {
        asked.push(message);
        return buttons[0];
      },
    });
    const raised = [{ name: 'dates', former: { calls: 120, tokens: 1 }, now: { calls: 4_000, tokens: 2 } }];
    open({
      planNight: () => Promise.resolve({ ...aPlan, raised: agreed.length === 0 ? raised : [] }),
      agreeToNights: (agreement) => Promise.resolve(void agreed.push(agreement)),
    });
    await until(() => agreed.length > 0, 'the consent');
    assert.match(asked[0] ?? '', /would raise what a night may take for dates from 120 to 4,000 calls/);
    assert.deepEqual(agreed, [{ folders: openFolders(), workspaceFolders: openFolders(), optionsFor: [] }]);
  });

  async function realConsents(): Promise<Pick<Scripted, 'settingsInForce' | 'agreeToNights' | 'turnNights'>> {
    const home = await mkdtemp(path.join(tmpdir(), 'whetstone-consents-'));
    homes.push(home);
    const model = createSimulatedModel();
    return createUseCases({
      environment: { WHETSTONE_HOME: home },
      platform: process.platform,
      home,
      clock: nodeClock,
      models: () => Promise.resolve({ target: model, optimizer: model, judge: model }),
      consent: { allows: () => Promise.resolve(false) },
      caps: () => ({ day: {}, month: {} }),
      tell: () => undefined,
      trusted: () => true,
    });
  }

  function open(more: Partial<Scripted>): NightlyController {
    const controller = new NightlyController({
      useCases: () => Promise.resolve({ ...idle, ...more }),
      catalog: { skills: () => Promise.resolve([]), hasAny: () => Promise.resolve(false) },
      hasSwitch: () => Promise.resolve(true),
      overviews: {
        of: () => Promise.reject(new Error('no skill')),
        showRun: () => undefined,
        refresh: () => undefined,
      },
      log: { info: () => undefined, warn: () => undefined, show: () => undefined },
      now: () => Date.now(),
      ensureModel: () => Promise.resolve(),
      onDidChangeKeys: keys.event,
    });
    controllers.push(controller);
    return controller;
  }
});

const preflight: NightPlan['train'][number]['preflight'] = {
  skillName: 'dates',
  skillPath: '/nowhere/SKILL.md',
  tasks: { training: 4, heldOut: 4, sealed: 0, drafts: 0, setAside: 0 },
  problems: [],
  undescribed: [],
  models: { target: 'codex', optimizer: 'codex', judge: 'codex', simulated: false },
  servers: [],
  calls: { low: 20, high: 90 },
  tokens: { low: 1_000, high: 9_000 },
  usd: undefined,
  plan: 'Codex',
  minutes: { low: 1, high: 2, measured: false },
  usual: { calls: 40, tokens: 4_000, usd: undefined, minutes: 1 },
  stages: [],
  prices: [],
  holds: { run: {}, day: {}, month: {} },
  ownHolds: { run: {}, day: {}, month: {} },
  callCap: 90,
  repeatsHeld: true,
  caps: ['codex takes its calls and tokens from your plan with Codex: the run is capped at 90 calls.'],
  givesUp: givesUpAfter,
  power: '',
  taskPower: { n: 4, found20: 0, found40: 0, known: { tasks: 0 }, alwaysPass: [], alwaysFail: [] },
  settled: [],
  notes: [],
};

const aPlan: NightPlan = {
  train: [],
  leftOut: [],
  broken: [],
  stops: [],
  model: 'm',
  simulated: false,
  consented: true,
  raised: [],
  sessions: undefined,
};

const idle: Scripted = {
  night: () => Promise.reject(new Error('not asked for')),
  planNight: () => Promise.resolve(aPlan),
  tick: () => Promise.resolve(waits),
  answerMissed: () => Promise.resolve(waits),
  firedNight: () => Promise.resolve(waits),
  scheduleState: () => Promise.resolve(undefined),
  lastNights: () => Promise.resolve([]),
  agreeToNights: () => Promise.resolve(),
  turnNights: () => Promise.resolve(),
  unconfirmedTraining: () => Promise.resolve(undefined),
  turnUnconfirmedTraining: () => Promise.resolve(),
  settingsInForce: ({ inFolder }) => Promise.resolve({ on: true, settings: inFolder, changed: [] }),
  spendThisMonth: () => Promise.resolve({ calls: 0, tokens: 0, usd: 0, exact: true }),
};

function aNight(endedAt: number): NightResult {
  return {
    startedAt: endedAt - 1000,
    endedAt,
    startedBy: 'person',
    stops: [],
    skills: [],
    spend: { calls: 0, tokens: 0, usd: 0 },
  };
}

async function set(name: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Workspace);
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}
