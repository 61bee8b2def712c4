import assert from 'node:assert/strict';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { NightRequest } from '../../src/app/nights/nightSkills.js';
import type { FolderSettings, FormerSwitch } from '../../src/app/nights/nightAgreement.js';
import { hasNightSwitch } from '../../src/storage/state/nightPlace.js';
import { parseScheduleSettings } from '../../src/schedule/scheduleSettings.js';
import { few } from '../builders/few.js';
import { aNightRequest, aNightWorkspace, silent, simulated, type NightWorkspace } from './nightWorkspace.js';
import { isFull } from '../builders/few.js';

const name = 'incident-summary';
const neverAborted = new AbortController().signal;

describe('auto-adopt by path', () => {
  after(disposeAll);

  it('adopts the skill at the path, and not the stranger that bears its name', async () => {
    const workspace = open();
    const stranger = aStranger(workspace);
    const before = workspace.skillText(name);
    const skills = [workspace.skillPath(name), stranger];
    const folder = path.dirname(workspace.skillPath(name));
    const night = await workspace.night(simulated(), { skills, autoAdopt: [folder] });
    assert.deepEqual(
      night.skills.map(({ outcome }) => outcome),
      ['adopted', 'proposed'],
    );
    assert.notEqual(workspace.skillText(name), before);
  });

  for (const autoAdoptIn of few([undefined, 'schedule'] as const))
    it(`adopts nothing where two skills bear a name that was ${autoAdoptIn === undefined ? 'typed' : 'installed'}, and says why`, async () => {
      const workspace = open();
      const skills = [workspace.skillPath(name), aStranger(workspace)];
      const list = { autoAdopt: [name], ...(autoAdoptIn === undefined ? {} : { autoAdoptIn }) };
      const night = await workspace.night(simulated(), { skills, consent: 'stored', ...list });
      for (const skill of night.skills) {
        assert.equal(skill.outcome, 'proposed');
        assert.match(
          skill.reason,
          /Not adopted by itself: 2 skills here are named “incident-summary”; .* by its path\./,
        );
      }
    });

  it('finds a name of the settings once, and keeps it for that path when another comes to bear it', async () => {
    const workspace = open();
    const stranger = aStranger(workspace);
    const listed: Partial<NightRequest> = { autoAdopt: [name], autoAdoptIn: 'setting', consent: 'stored' };
    assert.equal((await workspace.night(simulated(), listed)).skills[0]?.outcome, 'adopted');
    const night = await workspace.night(simulated(), { ...listed, skills: [stranger] });
    assert.equal(night.skills[0]?.outcome, 'proposed');
    assert.ok(night.skills[0].reason.includes(`“${name}” stands for ${workspace.skillPath(name)}.`));
  });

  it('finds no name in a folder that nobody agreed to', async () => {
    const workspace = open();
    const listed: Partial<NightRequest> = { autoAdopt: [name], autoAdoptIn: 'setting', consent: 'given' };
    const [skill] = (await workspace.night(simulated(), listed)).skills;
    assert.equal(skill?.outcome, 'proposed');
    assert.match(skill.reason, /is a name, and you have not agreed to nights in this folder/);
  });

  it('says what a typed name was taken for', async () => {
    const workspace = open();
    const [skill] = (await workspace.night(simulated(), { autoAdopt: [name, 'nobody'] })).skills;
    assert.equal(skill?.outcome, 'adopted');
    assert.ok(skill.reason.includes(`was taken for ${workspace.skillPath(name)}`));
    assert.ok(workspace.told.some((note) => note.includes('No skill here is named “nobody”')));
  });
});

describe('the bound of a consented night', () => {
  after(disposeAll);
  const stored: Partial<NightRequest> = { consent: 'stored', force: true };

  it('is not raised by options that the workspace changed since, which the night says', async () => {
    const workspace = open();
    const useCases = workspace.useCases(simulated());
    const request = aNightRequest(workspace.folder, { ...stored, skills: [workspace.skillPath(name)] });
    const place = placeOf(workspace);
    await useCases.agreeToNights({ ...place, optionsFor: request.skills }, neverAborted);
    const planned = async () => {
      const plan = await useCases.planNight(request, neverAborted);
      return { raised: plan.raised[0], high: plan.train[0]?.preflight.calls.high ?? 0 };
    };
    const { high: agreed } = await planned();
    config(workspace, 'train: { attempts: 10 }\nconsolidate: { variants: 5 }\njudge: { repeats: 9 }\n');

    const { raised, high } = await planned();
    assert.deepEqual([high, raised?.former.calls], [agreed, agreed]);
    assert.ok(raised !== undefined && raised.now.calls > agreed);
    const [skill] = (await workspace.night(simulated(), stored)).skills;
    assert.ok(skill !== undefined && skill.spend.calls <= agreed, `${skill?.spend.calls} of ${agreed}`);
    assert.match(skill.reason, /would raise what a night may take from [\d,]+ to [\d,]+ calls; until you agree/);

    await useCases.agreeToNights({ ...place, optionsFor: request.skills }, neverAborted);
    const after = await planned();
    assert.equal(after.raised, undefined);
    assert.ok(after.high > agreed);
  });

  it('counts a cap that the workspace took away as raised', async () => {
    const workspace = open();
    config(workspace, 'caps: { calls: 3 }\n');
    const useCases = workspace.useCases(simulated());
    const request = aNightRequest(workspace.folder, { ...stored, skills: [workspace.skillPath(name)] });
    const place = placeOf(workspace);
    await useCases.agreeToNights({ ...place, optionsFor: request.skills }, neverAborted);
    config(workspace, '');
    assert.equal((await useCases.planNight(request, neverAborted)).raised[0]?.former.calls, 3);
  });

  it('lets options through that make a night cheaper', async () => {
    const workspace = open();
    const useCases = workspace.useCases(simulated());
    const request = aNightRequest(workspace.folder, { ...stored, skills: [workspace.skillPath(name)] });
    await useCases.agreeToNights({ ...placeOf(workspace), optionsFor: request.skills }, neverAborted);
    config(workspace, 'reflect: { minibatchSize: 4 }\ncaps: { calls: 5 }\n');
    const plan = await useCases.planNight(request, neverAborted);
    assert.deepEqual(plan.raised, []);
  });

  it('of a consent of an earlier version is that of its next night', async () => {
    const workspace = open();
    config(workspace, 'train: { attempts: 2 }\n');
    const useCases = workspace.useCases(simulated());
    const request = aNightRequest(workspace.folder, { ...stored, skills: [workspace.skillPath(name)] });
    await workspace.night(simulated(), stored);
    assert.deepEqual((await useCases.planNight(request, neverAborted)).raised, []);
    config(workspace, 'train: { attempts: 3 }\n');
    assert.equal((await useCases.planNight(request, neverAborted)).raised.length, 1);
  });

  it('does not bind a night that the person starts', async () => {
    const workspace = open();
    const useCases = workspace.useCases(simulated());
    const request = aNightRequest(workspace.folder, { skills: [workspace.skillPath(name)] });
    await useCases.agreeToNights({ ...placeOf(workspace), optionsFor: request.skills }, neverAborted);
    config(workspace, 'train: { attempts: 3 }\n');
    assert.deepEqual((await useCases.planNight({ ...request, consent: 'given' }, neverAborted)).raised, []);
  });
});

describe('settings of a folder for its nights', () => {
  after(disposeAll);
  const said: FolderSettings = { time: '04:00', catchUp: 'run' };

  it('count for nothing in a folder that nobody agreed to', async () => {
    const { look, turn } = aPlace();
    await turn(true);
    const { settings, changed } = await look(said);
    assert.deepEqual([settings, changed.map(({ name: each }) => each)], [{}, ['time', 'catchUp']]);
    assert.deepEqual((await look(said)).settings, {}, 'at the second look too');
  });

  it('count as they were agreed to, and one that changed since keeps its former value until it is asked about', async () => {
    const { look, agree, turn } = aPlace();
    await agree(said);
    await turn(true);
    assert.deepEqual(await look(said), { on: true, settings: said, changed: [] });
    const pulled: FolderSettings = { ...said, time: '* * * * *', exclude: [name], skipOnBattery: true };
    assert.deepEqual(await look(pulled), {
      on: true,
      settings: said,
      changed: [
        { name: 'time', former: '04:00', now: '* * * * *' },
        { name: 'exclude', former: undefined, now: [name] },
        { name: 'skipOnBattery', former: undefined, now: true },
      ],
    });
    await agree(pulled);
    assert.deepEqual(await look(pulled), { on: true, settings: pulled, changed: [] });
  });

  it('are asked about only while nights are on', async () => {
    const { look, agree } = aPlace();
    await agree(said);
    assert.deepEqual((await look({ ...said, time: '05:00' })).changed, []);
  });

  it('keep the person’s word where a window looked at them at the same moment', async () => {
    const { look, agree } = aPlace();
    await Promise.all([look(said), agree(said), look(said)]);
    assert.deepEqual(await look(said), { on: false, settings: said, changed: [] });
  });

  it('of a consent of an earlier version are those of today, once', async () => {
    const { look, useCases, folder } = aPlace();
    // An earlier version kept the time here, and wrote nothing else down.
    const schedule = parseScheduleSettings({ enabled: true, at: '04:00' }, 'UTC');
    const request = { ...aNightRequest(folder, {}), folders: [folder], schedule };
    await useCases.tick(request, silent, neverAborted);
    assert.deepEqual(await look(said), { on: false, settings: said, changed: [] });
    assert.equal((await look({ ...said, time: '05:00' })).settings.time, '04:00');
  });

  it('cannot name a time that comes every minute', () => {
    assert.throws(() => parseScheduleSettings({ enabled: true, at: '* * * * *' }, 'UTC'), /at most once a day/);
  });
});

describe('whether nights are on', () => {
  after(disposeAll);

  it('is the person’s own word, and no setting has a say in it', async () => {
    const { look, turn } = aPlace();
    await turn(true);
    assert.equal((await look({}, { inFolder: false, own: false })).on, true);
    await turn(false);
    assert.equal((await look({}, { inFolder: true, own: true })).on, false);
  });

  for (const [what, agreed, found, on] of [
    ['turned on in the folder, and agreed to', true, { inFolder: true }, true],
    ['turned on in the folder, and not agreed to', undefined, { inFolder: true }, false],
    ['turned on in the person’s own settings, in a folder not agreed to', undefined, { own: true }, false],
    ['agreed to, and turned off in the folder since', true, { inFolder: false, own: true }, false],
    ['agreed to, and no longer in the folder, with the person’s own on', true, { own: true }, true],
    ['agreed to be off, whatever the folder says', false, { inFolder: true, own: true }, false],
  ] as const)
    it(`is taken over from the settings: ${what}`, async () => {
      const { look, agree } = aPlace();
      if (agreed !== undefined) await agree({ enabled: agreed });
      assert.equal((await look({}, found)).on, on);
    });

  it('is taken over once', async () => {
    const { look, agree, turn } = aPlace();
    await agree({ enabled: true });
    await look({}, { inFolder: true });
    assert.equal((await look({}, { inFolder: false })).on, true, 'what the setting says later counts for nothing');
    await turn(false);
    assert.equal((await look({}, { inFolder: true })).on, false, 'the person turned them off');
  });

  it('goes on in a store of an earlier version that kept the time', async () => {
    const { look, useCases, folder } = aPlace();
    const schedule = parseScheduleSettings({ enabled: true, at: '04:00' }, 'UTC');
    await useCases.tick({ ...aNightRequest(folder, {}), folders: [folder], schedule }, silent, neverAborted);
    assert.equal((await look({ time: '04:00' }, { inFolder: true })).on, true);
  });

  it('holds for these folders alone', async () => {
    const { turn, useCases } = aPlace();
    await turn(true);
    const elsewhere = { folders: ['/elsewhere'], inFolder: {}, formerSwitch: {} };
    assert.equal((await useCases.settingsInForce(elsewhere, neverAborted)).on, false);
  });

  it('is known to be kept without being read', async () => {
    const { folder, home, turn } = aPlace();
    const here = { environment: { WHETSTONE_HOME: home }, platform: process.platform, home };
    assert.equal(await hasNightSwitch(here, [folder]), false);
    await turn(false);
    assert.equal(await hasNightSwitch(here, [folder]), true);
  });
});

const opened: NightWorkspace[] = [];

function open(): NightWorkspace {
  const workspace = aNightWorkspace([name]);
  workspace.keepTasks(name, isFull ? 14 : 10);
  opened.push(workspace);
  return workspace;
}

function disposeAll(): void {
  for (const each of opened.splice(0)) each.dispose();
}

/** Another skill of the workspace that says the same name. */
function aStranger(workspace: NightWorkspace): string {
  const folder = path.join(workspace.folder, 'vendor', 'stranger', 'skills', 'helper');
  cpSync(path.dirname(workspace.skillPath(name)), folder, { recursive: true });
  return path.join(folder, 'SKILL.md');
}

function placeOf({ folder }: NightWorkspace) {
  return { folders: [folder], workspaceFolders: [folder] };
}

function config(workspace: NightWorkspace, text: string): void {
  mkdirSync(path.join(workspace.folder, '.whetstone'), { recursive: true });
  writeFileSync(path.join(workspace.folder, '.whetstone', 'config.yaml'), text);
}

function aPlace() {
  const workspace = open();
  const { folder } = workspace;
  const useCases = workspace.useCases(simulated());
  return {
    folder,
    useCases,
    home: workspace.state,
    look: (inFolder: FolderSettings, formerSwitch: FormerSwitch = {}) =>
      useCases.settingsInForce({ folders: [folder], inFolder, formerSwitch }, neverAborted),
    turn: (on: boolean) => useCases.turnNights({ folders: [folder], on }, neverAborted),
    agree: (settings: FolderSettings) =>
      useCases.agreeToNights({ folders: [folder], workspaceFolders: [folder], settings }, neverAborted),
  };
}
