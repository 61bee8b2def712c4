import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  namesOf,
  readKnownOnce,
  rememberSkill,
  type SkillSighting,
} from '../../../../src/storage/state/knownSkills.js';

/** With hundreds of skills, a list that each of them read anew would open more files than a process may. */
describe('the skills that are remembered', () => {
  let userState: string;
  beforeEach(async () => {
    userState = await mkdtemp(path.join(tmpdir(), 'whetstone-known-'));
  });
  afterEach(() => rm(userState, { recursive: true, force: true }));

  it('are read once in one look, however many skills ask', async () => {
    await remember('one');
    const known = readKnownOnce(userState);
    const lists = await Promise.all([known(), known(), known()]);
    assert.ok(lists.every((list) => list === lists[0] && list.length === 1));
    await remember('two');
    assert.equal((await known()).length, 1, 'a new look reads anew');
    assert.equal((await readKnownOnce(userState)()).length, 2);
  });

  it('give a skill that moved its names, from such a list too', async () => {
    const names = await remember('one');
    const moved = { ...sightingOf('elsewhere'), contentHash: sightingOf('one').contentHash };
    assert.deepEqual((await namesOf(userState, moved, readKnownOnce(userState))).skillId, names.skillId);
  });

  it('are not asked for where the skill itself is known', async () => {
    await remember('one');
    const names = await namesOf(userState, sightingOf('one'), () => assert.fail('nobody needs the list'));
    assert.equal(names.skillId, (await namesOf(userState, sightingOf('one'))).skillId);
  });

  async function remember(name: string): ReturnType<typeof namesOf> {
    const names = await namesOf(userState, sightingOf(name));
    await rememberSkill(userState, sightingOf(name), names);
    return names;
  }

  function sightingOf(name: string): SkillSighting {
    const skillPath = path.join(userState, 'skills', name, 'SKILL.md');
    return { skillPath, root: undefined, documentPath: skillPath, contentHash: `hash of ${name}` };
  }
});
