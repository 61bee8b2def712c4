import assert from 'node:assert/strict';
import path from 'node:path';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createHarvestUseCases, type HarvestUseCases } from '../../../../src/app/harvest/harvest.js';
import { offeredForTraining } from '../../../../src/app/harvest/usageMap.js';
import { countTokens } from '../../../../src/skill/document/countTokens.js';
import { trainingDetail } from '../../../../src/wording/harvest/usageWords.js';
import { english } from '../../../../src/wording/translate.js';
import { aPreparedHome, type PreparedHome } from '../../../builders/aPreparedHome.js';
import { neverAborted } from '../../../builders/storage.js';
import { ManualClock } from '../../../fakes/ManualClock.js';

const releaseNotes = `---\nname: release-notes\ndescription: Writes the notes of a release.\n---\n\n${'Name the function that changed. '.repeat(20)}\n`;

describe('the use of skills', () => {
  let prepared: PreparedHome;
  let useCases: HarvestUseCases;
  let here = '';
  before(async () => {
    prepared = aPreparedHome();
    const environment = { WHETSTONE_HOME: path.join(path.dirname(prepared.home), 'state') };
    const world = { ...prepared.person, platform: 'linux' as const, environment };
    useCases = createHarvestUseCases({ ...world, clock: new ManualClock(), trusted: () => true });
    here = path.join(prepared.shop, '.claude/skills/release-notes/SKILL.md');
    mkdirSync(path.dirname(here), { recursive: true });
    writeFileSync(here, releaseNotes);
    prepared.put('.claude/skills/dates/SKILL.md', '---\nname: dates\ndescription: Dates.\n---\n\nUse ISO dates.\n');
    prepared.put('.agents/skills/release-notes/SKILL.md', releaseNotes);
    for (const source of ['claude-code', 'codex', 'vscode-chat'])
      await useCases.allowSessions(source, true, neverAborted);
  });
  after(() => prepared.dispose());

  it('counts what fired, what was corrected afterwards and what never fired, with the tokens of each', async () => {
    const before = prepared.state();
    const folders = [prepared.shop];
    const usage = await useCases.skillUsage({ folders, skills: [here] }, neverAborted);
    const [first, second, third] = usage.skills;
    assert.deepEqual(
      usage.skills.map(({ name, place, fired, corrected, sessions }) => [name, place, fired, corrected, sessions]),
      [
        ['release-notes', 'workspace', 3, 3, 3],
        ['release-notes', 'home', 3, 3, 3],
        ['dates', 'home', 0, 0, 0],
      ],
    );
    assert.deepEqual([first?.sharesName, second?.sharesName, third?.sharesName], [true, true, false]);
    assert.deepEqual([usage.sessions, usage.messages], [12, first?.messages]);
    const listed = countTokens('- release-notes: Writes the notes of a release.');
    const body = countTokens(releaseNotes.slice(releaseNotes.indexOf('\nName')));
    assert.deepEqual(first?.tokens, { listed, body, aMessage: Math.round(listed + (body * 3) / usage.messages) });
    const rarely = countTokens('- dates: Dates.');
    assert.deepEqual(third?.tokens, { listed: rarely, body: countTokens('\nUse ISO dates.\n'), aMessage: rarely });
    assert.deepEqual(usage.others, []);
    assert.deepEqual(prepared.state(), before);
    assert.deepEqual(await useCases.lastUsage(folders), { ...usage, counts: {}, unread: [] });
    assert.equal(await useCases.lastUsage([prepared.other]), undefined);
  });

  it('names what fired and is none of the skills, and counts a folder for a skill of the home only after a yes', async () => {
    const folders = [prepared.other];
    const use = async () =>
      (await useCases.skillUsage({ folders, skills: [] }, neverAborted)).skills.map(({ fired }) => fired);
    assert.deepEqual(await use(), [0, 0]);
    const skillPath = path.join(prepared.home, '.agents/skills/release-notes/SKILL.md');
    await useCases.allowSessionFolder({ skillPath, folder: prepared.shop }, true, neverAborted);
    const usage = await useCases.skillUsage({ folders, skills: [] }, neverAborted);
    assert.deepEqual(
      usage.skills.map(({ name, fired }) => [name, fired]),
      [
        ['release-notes', 3],
        ['dates', 0],
      ],
    );
    await useCases.allowSessionFolder({ skillPath, folder: prepared.shop }, false, neverAborted);
    rmSync(path.dirname(skillPath), { recursive: true });
    const { others } = await useCases.skillUsage({ folders: [prepared.shop], skills: [] }, neverAborted);
    assert.deepEqual(others, [{ name: 'release-notes', fired: 3, sessions: 3, corrected: 3 }]);
  });

  it('is why a skill that was corrected is offered for training first: the one that needs it most before the others', async () => {
    const folders = [prepared.shop];
    const { skills } = await useCases.skillUsage({ folders, skills: [here] }, neverAborted);
    const offered = await useCases.offerForTraining(['/a/SKILL.md', here, '/b/SKILL.md'], folders);
    assert.deepEqual(
      offered.map(({ skillPath, usage }) => [skillPath, trainingDetail({ waits: false, usage }, english)]),
      [
        [here, 'used 3 times, corrected 3 times in your sessions: training it is likely to pay'],
        ['/a/SKILL.md', undefined],
        ['/b/SKILL.md', undefined],
      ],
    );
    assert.deepEqual(await useCases.offerForTraining([here], [prepared.other]), [
      { skillPath: here, usage: undefined },
    ]);
    const [known = assert.fail()] = skills;
    const of = (skillPath: string, fired: number, corrected: number) => ({ ...known, skillPath, fired, corrected });
    const some = { skills: [of('/quiet', 9, 0), of('/once', 6, 1), of('/rare', 2, 2), of('/often', 6, 2)] };
    assert.deepEqual(
      offeredForTraining(['/new', '/quiet', '/once', '/rare', '/often'], some).map(({ skillPath }) => skillPath),
      ['/often', '/rare', '/once', '/new', '/quiet'],
    );
  });
});
