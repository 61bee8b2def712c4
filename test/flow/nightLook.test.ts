import assert from 'node:assert/strict';
import { parseScheduleSettings } from '../../src/schedule/scheduleSettings.js';
import type { LanguageModel } from '../../src/ports/languageModel.js';
import type { NightLook, ScheduledRequest } from '../../src/app/nights/nights.js';
import {
  aNightRequest,
  aNightWorkspace,
  aSettableClock,
  silent,
  simulated,
  type NightWorkspace,
} from './nightWorkspace.js';

const name = 'incident-summary';
const hour = 3_600_000;
const neverAborted = new AbortController().signal;

describe('a window that looks at the clock', () => {
  const workspaces: NightWorkspace[] = [];
  after(() => workspaces.forEach((each) => each.dispose()));

  it('runs nothing at the moment of turning on, one night at its time, and none twice', async () => {
    const window = aWindow();
    assert.equal((await window.look()).decision.kind, 'wait');
    window.clock.set(window.due - 60_000);
    assert.equal((await window.look()).decision.kind, 'wait');
    window.clock.set(window.due + 20_000);
    const night = await window.look();
    assert.equal(night.decision.kind, 'run');
    assert.equal(night.result?.skills[0]?.outcome, 'proposed');
    assert.equal((await window.look()).decision.kind, 'wait');
    window.clock.set(window.due - 30_000);
    assert.equal((await window.look()).decision.kind, 'wait', 'a clock that was set back repeats no night');
  });

  it('looks at no skill while no night is due', async () => {
    const window = aWindow({ unreadable: true });
    await window.look();
    assert.equal(window.asked(), 0);
  });

  it('asks about a night that was slept through, and runs it at the person’s word, once', async () => {
    const window = aWindow();
    await window.look();
    window.clock.set(window.due + 5 * hour);
    const look = await window.look();
    assert.equal(look.decision.kind, 'ask');
    assert.equal(look.result, undefined);
    const answered = await window.answer('run');
    assert.equal(answered.result?.skills[0]?.outcome, 'proposed');
    assert.equal((await window.answer('run')).result, undefined);
  });

  it('skips a night with its reason where something stops it, and writes it down', async () => {
    const window = aWindow();
    await window.look();
    window.clock.set(window.due);
    const look = await window.look({ trusted: false });
    assert.equal(look.decision.kind, 'skip');
    assert.match(look.decision.kind === 'skip' ? look.decision.sentence : '', /not trusted/);
    const state = await window.workspace.useCases(simulated()).scheduleState([window.workspace.folder]);
    assert.equal(state?.lastDecision?.kind, 'skip');
  });

  it('shares its schedule with every process on the same folders, in any order of the folders', async () => {
    const window = aWindow();
    const folders = [window.workspace.folder, '/another'];
    await window.look({ folders });
    window.clock.set(window.due);
    const [first, second] = [await window.look({ folders }), await window.look({ folders: folders.toReversed() })];
    assert.equal(first.decision.kind, 'run');
    assert.equal(second.decision.kind, 'wait');
  });

  it('lets the operating system’s firing find that the window has dealt with the night', async () => {
    const window = aWindow();
    await window.look();
    window.clock.set(window.due);
    assert.equal((await window.look()).decision.kind, 'run');
    const fired = await window.workspace.useCases(simulated()).firedNight(window.request(), silent, neverAborted);
    assert.equal(fired.result, undefined);
  });

  function aWindow({ unreadable = false } = {}) {
    const due = new Date(2026, 2, 10, 3, 17).getTime();
    const clock = aSettableClock(due - 6 * hour);
    const workspace = aNightWorkspace([name], { clock });
    workspace.keepTasks(name, 8);
    workspaces.push(workspace);
    let asked = 0;
    const models = (): Promise<Record<'target' | 'optimizer' | 'judge', LanguageModel>> => {
      asked += 1;
      const model = simulated();
      return unreadable
        ? Promise.reject(new Error('asked'))
        : Promise.resolve({ target: model, optimizer: model, judge: model });
    };
    const request = (more: Partial<ScheduledRequest> = {}): ScheduledRequest => ({
      ...aNightRequest(workspace.folder, { skills: [workspace.skillPath(name)] }),
      folders: [workspace.folder],
      schedule: parseScheduleSettings({ enabled: true, at: '03:17' }, Intl.DateTimeFormat().resolvedOptions().timeZone),
      startedBy: 'window',
      consent: 'stored',
      ...more,
    });
    const useCases = workspace.useCases(simulated(), { models });
    return {
      clock,
      due,
      workspace,
      request,
      asked: () => asked,
      look: (more: Partial<ScheduledRequest> = {}): Promise<NightLook> =>
        useCases.tick(request(more), silent, neverAborted),
      answer: (answer: 'run' | 'skip'): Promise<NightLook> =>
        useCases.answerMissed({ ...request(), answer }, silent, neverAborted),
    };
  }
});
