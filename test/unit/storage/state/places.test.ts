import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findPlaces } from '../../../../src/storage/state/places.js';
import { aMachine, type Machine, scrapMachines } from '../../../builders/storage.js';

describe('the places of a skill', () => {
  after(scrapMachines);

  it('are the folder .whetstone of the workspace, and the state of this user', async () => {
    const machine = await aMachine();
    const places = await findPlaces(machine.request);
    assert.equal(places.workspaceState, path.join(machine.workspace, '.whetstone'));
    assert.equal(places.userState, path.join(machine.home, '.local/state/whetstone'));
    assert.equal(places.root, machine.workspace);
    assert.equal(places.documentPath, 'skills/dates/SKILL.md');
    assert.equal(places.storedIn, 'workspace');
    assert.equal(places.note, undefined);
  });

  it('let git see what a team shares and nothing else', async () => {
    const machine = await aMachine();
    const { workspaceState } = await findPlaces(machine.request);
    const ignore = await readFile(path.join(workspaceState, '.gitignore'), 'utf8');
    assert.deepEqual(ignore.split('\n').filter(Boolean), [
      '*',
      '!.gitignore',
      '!split.json',
      '!config.yaml',
      '!prompts/',
      '!prompts/**',
    ]);
  });

  it('are found without writing anything when one only looks', async () => {
    const machine = await aMachine();
    const looked = await findPlaces({ ...machine.request, purpose: 'look' });
    assert.deepEqual(await readdir(machine.workspace), ['skills']);
    assert.deepEqual(await readdir(machine.home), []);
    assert.deepEqual(await findPlaces(machine.request), looked);
  });

  const roots: readonly { name: string; folders: readonly string[]; opened: string; root: string }[] = [
    { name: 'the opened folder', folders: [], opened: '.', root: '.' },
    {
      name: 'the nearest ancestor with .git above a subfolder that is open',
      folders: ['.git'],
      opened: 'skills',
      root: '.',
    },
    { name: 'the nearest .git of two', folders: ['.git', 'skills/.git'], opened: '.', root: 'skills' },
    { name: '.whetstone rather than a nearer .git', folders: ['.whetstone', 'skills/.git'], opened: '.', root: '.' },
    {
      name: 'the nearest .whetstone of two',
      folders: ['.whetstone', 'skills/.whetstone'],
      opened: '.',
      root: 'skills',
    },
  ];
  for (const { name, folders, opened, root } of roots) {
    it(`have as root ${name}`, async () => {
      const machine = await aMachine();
      for (const folder of folders) await mkdir(path.join(machine.workspace, folder), { recursive: true });
      const open = path.join(machine.workspace, opened);
      const inEditor = await findPlaces({ ...machine.request, workspaceFolders: [open] });
      const onCommandLine = await findPlaces({ ...machine.request, workspaceFolders: [], cwd: open });
      assert.equal(inEditor.root, path.join(machine.workspace, root));
      assert.deepEqual(onCommandLine, inEditor);
    });
  }

  it('have the root that the person named, and look for no other', async () => {
    const machine = await aMachine();
    await mkdir(path.join(machine.workspace, '.git'));
    const explicitRoot = path.join(machine.workspace, 'skills');
    assert.equal((await findPlaces({ ...machine.request, explicitRoot })).root, explicitRoot);
  });

  it('belong to the innermost of several open folders', async () => {
    const machine = await aMachine();
    const inner = path.join(machine.workspace, 'skills');
    const places = await findPlaces({ ...machine.request, workspaceFolders: [machine.workspace, inner] });
    assert.equal(places.root, inner);
  });

  const outside: readonly { name: string; change: (machine: Machine) => Partial<Machine['request']> }[] = [
    { name: 'no folder is open', change: () => ({ workspaceFolders: [] }) },
    { name: 'it lies beside the open folder', change: ({ home }) => ({ workspaceFolders: [home] }) },
    { name: 'it lies outside the working directory', change: ({ home }) => ({ workspaceFolders: [], cwd: home }) },
    { name: 'it lies outside the root named', change: ({ home }) => ({ explicitRoot: home }) },
  ];
  for (const { name, change } of outside) {
    it(`are all in user state when ${name}`, async () => {
      const machine = await aMachine();
      await mkdir(path.join(machine.workspace, '.git'));
      const places = await findPlaces({ ...machine.request, ...change(machine) });
      assert.equal(places.root, undefined);
      assert.equal(places.storedIn, 'user');
      assert.equal(places.documentPath, machine.skillPath);
      assert.ok(places.workspaceState.startsWith(places.userState));
      assert.match(places.note ?? '', /outside every open folder/);
      assert.deepEqual(await readdir(machine.workspace), ['.git', 'skills']);
    });
  }

  it('are the same from a folder elsewhere, once the skill has a .whetstone above it', async () => {
    const machine = await aMachine();
    const inside = await findPlaces(machine.request);
    const elsewhere = await findPlaces({ ...machine.request, workspaceFolders: [], cwd: machine.home });
    assert.deepEqual(elsewhere, inside);
  });

  const linkedOut: readonly {
    readonly name: string;
    readonly link: (machine: Machine, away: string) => Promise<string>;
  }[] = [
    {
      name: 'a file',
      link: async ({ workspace }, away) => {
        await symlink(path.join(away, 'SKILL.md'), path.join(workspace, 'SKILL.md'));
        return path.join(workspace, 'SKILL.md');
      },
    },
    {
      name: 'a file that is no document, inside',
      link: async ({ workspace }) => {
        await writeFile(path.join(workspace, '.env'), 'KEY=secret');
        await symlink('.env', path.join(workspace, 'SKILL.md'));
        return path.join(workspace, 'SKILL.md');
      },
    },
    {
      name: 'its folder',
      link: async ({ workspace }, away) => {
        await symlink(away, path.join(workspace, 'skills', 'out'));
        return path.join(workspace, 'skills', 'out', 'SKILL.md');
      },
    },
    {
      name: 'a folder that is a repository of its own',
      link: async ({ workspace }, away) => {
        await mkdir(path.join(away, '.git'));
        await mkdir(path.join(away, '.whetstone'));
        await symlink(away, path.join(workspace, 'skills', 'out'));
        return path.join(workspace, 'skills', 'out', 'SKILL.md');
      },
    },
    {
      name: 'a folder above it',
      link: async ({ workspace, home }) => {
        await mkdir(path.join(home, 'far', 'out'), { recursive: true });
        await writeFile(path.join(home, 'far', 'out', 'SKILL.md'), 'elsewhere');
        await symlink(path.join(home, 'far'), path.join(workspace, 'more'));
        return path.join(workspace, 'more', 'out', 'SKILL.md');
      },
    },
  ];
  for (const { name, link } of linkedOut) {
    // A path outside every open folder that leads to a repository of its own is what the person asked for.
    const byGit = name === 'a folder that is a repository of its own' ? [] : ['around it, by .git alone'];
    for (const opened of ['opened in a window', 'the folder that a command runs in', ...byGit]) {
      it(`are refused where ${name} is a link out of the folder that is ${opened}`, async () => {
        const machine = await aMachine();
        const away = path.join(machine.home, 'elsewhere');
        await mkdir(away);
        await writeFile(path.join(away, 'SKILL.md'), 'elsewhere');
        await mkdir(path.join(machine.workspace, '.git'));
        const skillPath = await link(machine, away);
        const where = {
          'opened in a window': { workspaceFolders: [machine.workspace] },
          'the folder that a command runs in': { workspaceFolders: [], cwd: machine.folder },
          'around it, by .git alone': { workspaceFolders: [], cwd: path.join(machine.folder, 'elsewhere') },
        }[opened];
        for (const purpose of ['look', 'work'] as const) {
          await assert.rejects(findPlaces({ ...machine.request, ...where, skillPath, purpose }), {
            code: 'leads-outside',
          });
        }
      });
    }
  }

  it('follow a link to a skill in another open folder', async () => {
    const machine = await aMachine();
    const second = path.join(machine.home, 'second');
    await mkdir(second);
    await writeFile(path.join(second, 'SKILL.md'), 'elsewhere');
    await symlink(second, path.join(machine.workspace, 'skills', 'out'));
    const skillPath = path.join(machine.workspace, 'skills', 'out', 'SKILL.md');
    const places = await findPlaces({ ...machine.request, skillPath, workspaceFolders: [machine.workspace, second] });
    assert.equal(places.skillPath, path.join(second, 'SKILL.md'));
  });

  it('do not mind a link above the folder that was opened', async () => {
    const machine = await aMachine();
    await symlink(machine.workspace, path.join(machine.home, 'work'));
    const skillPath = path.join(machine.home, 'work', 'skills', 'dates', 'SKILL.md');
    const inside = await findPlaces(machine.request);
    for (const folder of [machine.workspace, path.join(machine.home, 'work')]) {
      const where = { workspaceFolders: [folder], skillPath };
      assert.equal((await findPlaces({ ...machine.request, ...where })).workspaceState, inside.workspaceState);
    }
  });

  it('are the same for a skill and for a link to it', async () => {
    const machine = await aMachine();
    const link = path.join(machine.workspace, 'linked');
    await symlink(path.dirname(machine.skillPath), link);
    const places = await findPlaces({ ...machine.request, skillPath: path.join(link, 'SKILL.md') });
    assert.deepEqual(places, await findPlaces(machine.request));
  });

  it('are missing where there is no file', async () => {
    const machine = await aMachine();
    for (const skillPath of [path.join(machine.workspace, 'none.md'), machine.workspace]) {
      await assert.rejects(findPlaces({ ...machine.request, skillPath }), { code: 'skill-missing' });
    }
  });

  it('fall back to user state where the file system fails its test, say so, and stay there', async () => {
    const machine = await aMachine();
    await mkdir(path.join(machine.workspace, '.whetstone'));
    await writeFile(path.join(machine.workspace, '.whetstone', 'split.json'), '{}');
    const fault = 'is on a file system that cannot replace a file by renaming';
    const faultOf = (): Promise<string> => Promise.resolve(fault);
    const places = await findPlaces({ ...machine.request, faultOf });
    assert.equal(places.storedIn, 'user');
    assert.equal(places.root, machine.workspace);
    assert.equal(places.sharedState, path.join(machine.workspace, '.whetstone'));
    assert.match(places.note ?? '', /cannot replace a file by renaming, so its state is kept in/);
    assert.deepEqual(await readdir(path.join(machine.workspace, '.whetstone')), ['split.json']);
    for (const purpose of ['look', 'work'] as const) {
      const later = await findPlaces({ ...machine.request, purpose });
      assert.equal(later.workspaceState, places.workspaceState);
      assert.match(later.note ?? '', /To keep it in the workspace again/);
    }
  });

  it('do not follow a .whetstone that is a link out of the workspace', async () => {
    const machine = await aMachine();
    const trap = path.join(machine.home, 'trap');
    await mkdir(trap);
    await symlink(trap, path.join(machine.workspace, '.whetstone'));
    const places = await findPlaces(machine.request);
    assert.equal(places.storedIn, 'user');
    assert.match(places.note ?? '', /a link to somewhere else/);
    assert.deepEqual(await readdir(trap), []);
  });

  it('are never where a .whetstone leads that became a link while it was looked at', async () => {
    const machine = await aMachine();
    const [state, trap] = [path.join(machine.workspace, '.whetstone'), path.join(machine.home, 'trap')];
    await mkdir(trap);
    await findPlaces(machine.request);
    const becomesLink = async (): Promise<undefined> => {
      await rename(state, `${state}-away`);
      await symlink(trap, state);
    };
    await assert.rejects(findPlaces({ ...machine.request, faultOf: becomesLink }), { code: 'leads-outside' });
    assert.deepEqual(await readdir(trap), []);
    await rm(state);
    await rename(`${state}-away`, state);
    await writeFile(path.join(trap, '.gitignore'), '');
    const places = await findPlaces({ ...machine.request, faultOf: becomesLink });
    assert.equal(places.workspaceState, state);
    assert.equal(places.sharedState, state);
  });

  it('leave the skill byte for byte as it was', async () => {
    const machine = await aMachine();
    const before = await stat(machine.skillPath);
    await findPlaces(machine.request);
    const after = await stat(machine.skillPath);
    assert.deepEqual([after.mtimeMs, after.ino], [before.mtimeMs, before.ino]);
  });
});

describe('a skill that moves', () => {
  after(scrapMachines);

  it('keeps its names in the same root', async () => {
    const machine = await aMachine();
    const before = await findPlaces(machine.request);
    const after = await findPlaces(await moveTo(machine, 'other'));
    assert.deepEqual([after.skillKey, after.skillId], [before.skillKey, before.skillId]);
    assert.equal(after.documentPath, 'other/SKILL.md');
    assert.notEqual(after.lockKey, before.lockKey);
  });

  it('is recognised by one who only looks', async () => {
    const machine = await aMachine();
    const before = await findPlaces(machine.request);
    const after = await findPlaces({ ...(await moveTo(machine, 'other')), purpose: 'look' });
    assert.equal(after.skillKey, before.skillKey);
  });

  it('leaves its names to no other skill that takes its place', async () => {
    const machine = await aMachine();
    const before = await findPlaces(machine.request);
    await findPlaces(await moveTo(machine, 'other'));
    await writeFile(machine.skillPath, 'another skill');
    const newcomer = await findPlaces(machine.request);
    assert.notEqual(newcomer.skillKey, before.skillKey);
    assert.notEqual(newcomer.skillId, before.skillId);
    assert.deepEqual(await findPlaces(machine.request), newcomer);
  });

  it('is another skill when it is a copy', async () => {
    const machine = await aMachine();
    const before = await findPlaces(machine.request);
    const copy = path.join(machine.workspace, 'COPY.md');
    await writeFile(copy, await readFile(machine.skillPath));
    const after = await findPlaces({ ...machine.request, skillPath: copy });
    assert.notEqual(after.skillId, before.skillId);
  });

  it('keeps its name in user state when its whole workspace moves', async () => {
    const machine = await aMachine();
    const before = await findPlaces(machine.request);
    const moved = path.join(machine.folder, 'moved');
    await rename(machine.workspace, moved);
    const skillPath = path.join(moved, 'skills/dates/SKILL.md');
    const after = await findPlaces({ ...machine.request, skillPath, workspaceFolders: [moved] });
    assert.deepEqual([after.skillKey, after.skillId], [before.skillKey, before.skillId]);
  });
});

async function moveTo(machine: Machine, folder: string): Promise<Machine['request']> {
  const target = path.join(machine.workspace, folder, 'SKILL.md');
  await mkdir(path.dirname(target), { recursive: true });
  await rename(machine.skillPath, target);
  return { ...machine.request, skillPath: target };
}
