import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { aReviewDocument } from '../builders/aReviewProposal.js';
import { aCommandLine, snapshotOf, type CommandLine } from '../builders/commandLine.js';
import {
  aHostilePlace,
  append,
  fewHostileWorkspaces,
  forge,
  lawful,
  type Place,
  said,
  skillText,
  wantsInVain,
} from './hostileWorkspaces.js';

describe('a workspace that wants to write somewhere', () => {
  let line: CommandLine;
  let place: Place;
  beforeEach(() => {
    line = aCommandLine();
    place = aHostilePlace(line.folder);
  });
  afterEach(() => line.dispose());

  for (const hostile of fewHostileWorkspaces) it(hostile.name, () => wantsInVain(hostile));

  it('a lawful proposal from elsewhere is adopted once it was shown, and only into the skill', async () => {
    writeFileSync(path.join(place.workspace, 'CLAUDE.md'), '# House rules\n');
    const memory = aReviewDocument('# House rules\n', [append], {
      kind: 'memory',
      path: 'CLAUDE.md',
      scope: 'learned',
    });
    await forge(place, [lawful(place), memory]);
    const before = snapshotOf(place.workspace);
    const result = await line.run('adopt', place.skill, '--made-elsewhere');
    assert.equal(result.code, 0, said(result));
    assert.match(result.out, /From another machine, not verified here\.\nCLAUDE\.md is left out/);
    const after = snapshotOf(place.workspace);
    const skill = Buffer.from(after['skills/greeter/SKILL.md'] ?? '', 'base64').toString('utf8');
    assert.equal(skill, `${skillText}\nSay hello.\n`);
    assert.deepEqual({ ...after, 'skills/greeter/SKILL.md': before['skills/greeter/SKILL.md'] }, before);
    const undone = await line.run('undo', place.skill);
    assert.equal(undone.code, 0, said(undone));
    assert.deepEqual(snapshotOf(place.workspace), before);
  });

  it('a night adopts no proposal that was made elsewhere', async () => {
    await forge(place, [lawful(place)]);
    const skillPath = path.join(place.skill, 'SKILL.md');
    const result = await line.run('night', skillPath, '--auto-adopt', 'greeter');
    assert.match(said(result), /greeter/);
    assert.doesNotMatch(readFileSync(path.join(place.skill, 'SKILL.md'), 'utf8'), /Say hello/, said(result));
  });

  for (const files of [3, 7, 11]) {
    it(`.whetstone becomes a link once ${files} files are there: nothing lands where it leads`, async () => {
      const state = path.join(place.workspace, '.whetstone');
      const run = line.run('optimize', place.skill, '--preset', 'quick');
      while (!existsSync(state) || readdirSync(state, { recursive: true }).length < files) await nextMoment();
      renameSync(state, `${state}-away`);
      symlinkSync(place.outside, state);
      const result = await run;
      assert.deepEqual(snapshotOf(place.outside), {}, said(result));
      assert.equal(readFileSync(path.join(place.skill, 'SKILL.md'), 'utf8'), skillText);
    });
  }
});

function nextMoment(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 1);
  });
}
