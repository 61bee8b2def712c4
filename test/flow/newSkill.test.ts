import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { NewSkill } from '../../src/app/tasks/newSkill.js';
import { parseSkill } from '../../src/skill/document/skillDocument.js';
import { aCommandLine } from '../builders/commandLine.js';
import { aWorkspace, type TestWorkspace } from '../builders/aWorkspace.js';
import { neverAborted } from '../builders/storage.js';

describe('a new skill', () => {
  let workspace: TestWorkspace;
  beforeEach(() => {
    workspace = aWorkspace();
  });
  afterEach(() => workspace.dispose());

  const create = (more: Partial<NewSkill> = {}): Promise<string> =>
    workspace.useCases().createSkill(
      {
        workspaceFolder: workspace.folder,
        place: '.claude/skills',
        name: 'release-notes',
        description: 'Writes release notes: "short", with # signs and ünïcode.',
        examples: [],
        ...more,
      },
      neverAborted,
    );

  it('says in its front matter what it was told, and has no tasks where none were given', async () => {
    const skillPath = await create();
    assert.equal(skillPath, path.join(workspace.folder, '.claude/skills/release-notes/SKILL.md'));
    const { frontMatter } = parseSkill(readFileSync(skillPath, 'utf8'));
    assert.equal(frontMatter?.name, 'release-notes');
    assert.match(readFileSync(skillPath, 'utf8'), /^description: "Writes release notes: \\"short\\", with # signs/m);
    assert.equal(existsSync(path.join(path.dirname(skillPath), 'evals')), false);
  });

  it('has its examples as tasks that the split places: two for training, then five held out, then in turn', async () => {
    const subjects = 'harbour bread lift hills paint choir ferry cook lamp'.split(' ');
    const examples = subjects.map((word) => ({
      prompt: `Tell me all about the ${word}.`,
      expectation: `It has ${word}.`,
    }));
    const skillPath = await create({ examples });
    const { tasks } = await workspace
      .useCases()
      .overview({ skillPath, workspaceFolders: [workspace.folder] }, neverAborted);
    assert.deepEqual([tasks?.training.length, tasks?.heldOut.length, tasks?.sealed.length], [3, 6, 0]);
  });

  it('has a draft where nobody said what is expected', async () => {
    const skillPath = await create({ examples: [{ prompt: 'Sum it up', expectation: undefined }] });
    const { tasks } = await workspace
      .useCases()
      .overview({ skillPath, workspaceFolders: [workspace.folder] }, neverAborted);
    assert.deepEqual(
      tasks?.drafts.map(({ id }) => id),
      ['example-1'],
    );
    assert.match(tasks?.drafts[0]?.expectations[0] ?? '', /does what the skill promises: Writes release notes/);
  });

  it('is never written over what is there', async () => {
    const folder = path.join(workspace.folder, '.claude/skills/release-notes');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'SKILL.md'), 'mine');
    await assert.rejects(create(), /There is already something at/);
    assert.equal(readFileSync(path.join(folder, 'SKILL.md'), 'utf8'), 'mine');
  });

  it('is not written through a link that leads out of the folder', async () => {
    mkdirSync(path.join(workspace.home, 'elsewhere'), { recursive: true });
    symlinkSync(path.join(workspace.home, 'elsewhere'), path.join(workspace.folder, '.claude'));
    await assert.rejects(create(), { code: 'leads-outside' });
    assert.equal(existsSync(path.join(workspace.home, 'elsewhere/skills')), false);
  });

  const refused: readonly (readonly [string, Partial<NewSkill>])[] = [
    ['a name with spaces', { name: 'Release Notes' }],
    ['a name that climbs', { name: '../x' }],
    ['a name that is too long', { name: 'a'.repeat(65) }],
    ['an empty description', { description: ' ' }],
    ['a description that is too long', { description: 'x'.repeat(1_025) }],
  ];
  for (const [what, wanted] of refused)
    it(`is refused with ${what}`, async () => {
      await assert.rejects(create(wanted), { code: 'usage' });
      assert.equal(existsSync(path.join(workspace.folder, '.claude')), false);
    });
});

describe('whetstone new', () => {
  it('makes the folders that are missing, here and elsewhere, and follows no link out of where the person is', async () => {
    const shell = aCommandLine();
    try {
      const described = ['--description', 'Writes release notes.'];
      const elsewhere = path.join(shell.home, 'kept', 'skills', 'letters');
      for (const folder of ['.claude/skills/release-notes', elsewhere]) {
        const made = await shell.run('new', folder, ...described);
        assert.equal(made.code, 0, made.err);
        assert.ok(existsSync(path.resolve(shell.folder, folder, 'SKILL.md')));
      }
      mkdirSync(path.join(shell.home, 'outside'));
      symlinkSync(path.join(shell.home, 'outside'), path.join(shell.folder, 'linked'));
      symlinkSync(path.join(shell.home, 'nowhere'), path.join(shell.folder, 'dangling'));
      for (const folder of ['linked/skills/notes', 'linked/notes', 'dangling/skills/notes']) {
        const refused = await shell.run('new', folder, ...described);
        assert.deepEqual([refused.code, /link that leads out/.test(refused.err)], [2, true], refused.err);
      }
      assert.ok(!existsSync(path.join(shell.home, 'outside/skills')) && !existsSync(path.join(shell.home, 'nowhere')));
      assert.match((await shell.run('new', 'letters')).err, /Run whetstone new letters --description "…"\./);
    } finally {
      shell.dispose();
    }
  });
});
