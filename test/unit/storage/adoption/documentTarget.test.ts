import assert from 'node:assert/strict';
import { chmod, link, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../../../src/errors.js';
import {
  documentTarget,
  readOnly,
  refuseBesideLearned,
  type DocumentName,
} from '../../../../src/storage/adoption/documentTarget.js';
import { findPlaces, type Places } from '../../../../src/storage/state/places.js';
import { aMachine, scrapMachines, type Machine } from '../../../builders/storage.js';

const skill: DocumentName = { kind: 'skill', documentPath: 'skills/dates/SKILL.md' };
const memory = (documentPath: string): DocumentName => ({ kind: 'memory', documentPath });

/** Each with the whole of what the person is told: what is wrong, and what to do about it. */
describe('where a document may be replaced', () => {
  let machine: Machine;
  let places: Places;
  beforeEach(async () => {
    machine = await aMachine();
    places = await findPlaces(machine.request);
  });
  after(scrapMachines);

  it('is the file of the skill', async () => {
    assert.equal(await documentTarget(places, skill), machine.skillPath);
  });

  it('is a memory file of the workspace, under either of two names', async () => {
    const file = path.join(machine.workspace, 'AGENTS.md');
    await writeFile(file, '# Rules\n');
    assert.equal(await documentTarget(places, memory('AGENTS.md')), file);
  });

  it('is nowhere where the file is gone, unless it is made again', async () => {
    await rm(machine.skillPath);
    await refused(documentTarget(places, skill), {
      code: 'skill-missing',
      message: `${machine.skillPath} is not there any more.`,
      cure: 'Restore the file first.',
    });
    assert.equal(await documentTarget(places, skill, 'made'), machine.skillPath);
    await rm(path.dirname(path.dirname(machine.skillPath)), { recursive: true });
    assert.equal(await documentTarget(places, skill, 'made'), machine.skillPath);
  });

  it('is not made again behind a link in the place of its folder', async () => {
    const folder = path.dirname(machine.skillPath);
    await rename(folder, path.join(machine.folder, 'elsewhere'));
    await symlink(path.join(machine.folder, 'elsewhere'), folder);
    await rm(path.join(folder, 'SKILL.md'));
    await refused(documentTarget(places, skill, 'made'), {
      code: 'proposal-not-adoptable',
      message: `${folder} is a link or no folder.`,
      cure: 'Put the folder of the skill back first.',
    });
  });

  it('is no link', async () => {
    await rename(machine.skillPath, path.join(machine.folder, 'real.md'));
    await symlink(path.join(machine.folder, 'real.md'), machine.skillPath);
    await refused(documentTarget(places, skill), notRegular());
  });

  it('is no folder', async () => {
    await rm(machine.skillPath);
    await mkdir(machine.skillPath);
    await refused(documentTarget(places, skill), notRegular());
  });

  it('is not below a link', async () => {
    const folder = path.dirname(machine.skillPath);
    await rename(folder, path.join(machine.folder, 'elsewhere'));
    await symlink(path.join(machine.folder, 'elsewhere'), folder);
    await refused(documentTarget(places, skill), notRegular());
  });

  it('is no file that has another name too', async () => {
    await link(machine.skillPath, path.join(machine.folder, 'twin.md'));
    await refused(documentTarget(places, skill), {
      code: 'proposal-not-adoptable',
      message: `${machine.skillPath} has 2 hard links, and replacing it would part them.`,
      cure: 'Make it a file of its own (copy it, then move the copy over it).',
    });
  });

  it('is no file that is write-protected, for everybody', async () => {
    await chmod(machine.skillPath, 0o444);
    await refused(documentTarget(places, skill), {
      code: 'skill-read-only',
      message: `${machine.skillPath} is read-only.`,
      cure: 'Make the file and its folder writable, then try again.',
    });
    for (const mode of [0o644, 0o464, 0o446]) {
      await chmod(machine.skillPath, mode);
      assert.equal(await documentTarget(places, skill), machine.skillPath);
    }
  });

  for (const named of ['README.md', '../AGENTS.md', 'skills/dates/AGENTS.md', '/etc/passwd'])
    it(`is no memory file by the name ${named}`, async () => {
      await refused(documentTarget(places, memory(named)), {
        code: 'proposal-not-adoptable',
        message: `${named} is not a memory file of this workspace.`,
        cure: 'Reject the proposal; it was not made for this workspace.',
      });
    });

  it('is no memory file where there is no workspace', async () => {
    const nowhere = { ...places, root: undefined };
    await assert.rejects(documentTarget(nowhere, memory('AGENTS.md')), /AGENTS\.md is not a memory file/);
  });

  it('is changed in its learned block alone, where it is a memory file', () => {
    refuseBesideLearned('AGENTS.md', block('one'), block('two'));
    assert.throws(
      () => refuseBesideLearned('AGENTS.md', block('one'), block('two').replace('Rules', 'Laws')),
      told({
        code: 'proposal-not-adoptable',
        message: 'The change of AGENTS.md goes beyond its learned block.',
        cure: 'Make that change in the file itself.',
      }),
    );
  });

  it('says with a read-only file what the system said', () => {
    const cause = new Error('EROFS');
    assert.equal(readOnly('/a', cause).cause, cause);
    assert.ok(!('cause' in readOnly('/a')));
  });

  function notRegular(): Told {
    return {
      code: 'proposal-not-adoptable',
      message: `${machine.skillPath} is a link or no regular file.`,
      cure: 'Open the file it stands for.',
    };
  }
});

function block(line: string): string {
  return `# Rules\n\n<!-- SKILLOPT-SLEEP:LEARNED START -->\n- ${line}\n<!-- SKILLOPT-SLEEP:LEARNED END -->\n`;
}

interface Told {
  readonly code: string;
  readonly message: string;
  readonly cure: string;
}

async function refused(asked: Promise<unknown>, expected: Told): Promise<void> {
  await assert.rejects(asked, told(expected));
}

function told(expected: Told): (error: unknown) => true {
  return (error) => {
    assert.ok(error instanceof UserError);
    assert.deepEqual({ code: error.code, message: error.message, cure: error.cure }, expected);
    return true;
  };
}
