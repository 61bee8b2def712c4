import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findMemoryFile } from '../../../../src/app/runs/memoryFile.js';
import { aMachine, aStore, scrapMachines, type Machine } from '../../../builders/storage.js';

const files = ['CLAUDE.md', 'AGENTS.md', '.github/copilot-instructions.md'];

describe('the memory file of a skill', () => {
  after(scrapMachines);

  const rows = [
    { skill: '.claude/skills/dates', wins: 'CLAUDE.md' },
    { skill: '.agents/skills/dates', wins: 'AGENTS.md' },
    { skill: '.github/skills/dates', wins: '.github/copilot-instructions.md' },
    { skill: 'skills/dates', wins: 'CLAUDE.md' },
  ];
  for (const { skill, wins } of rows) {
    it(`is that of the agent whose folder the skill lies in: ${skill} → ${wins}`, async () => {
      const machine = await aMachine();
      for (const file of files) write(machine, file);
      assert.equal((await found(machine, skill))?.path, wins);
    });
  }

  it('is the one that there is', async () => {
    const machine = await aMachine();
    write(machine, 'AGENTS.md');
    assert.deepEqual(await found(machine, '.claude/skills/dates'), { path: 'AGENTS.md', text: 'AGENTS.md\n' });
  });

  it('is none where there is none, and none behind a link that leads out of the workspace', async () => {
    const machine = await aMachine();
    assert.equal(await found(machine, 'skills/dates'), undefined);
    const outside = path.join(machine.folder, 'OUTSIDE.md');
    writeFileSync(outside, 'secret\n');
    symlinkSync(outside, path.join(machine.workspace, 'CLAUDE.md'));
    assert.equal(await found(machine, 'skills/dates'), undefined);
  });

  it('goes by its real name where one file is linked under both names', async () => {
    const machine = await aMachine();
    write(machine, 'AGENTS.md');
    symlinkSync('AGENTS.md', path.join(machine.workspace, 'CLAUDE.md'));
    assert.equal((await found(machine, '.claude/skills/dates'))?.path, 'AGENTS.md');
  });
});

async function found(machine: Machine, skill: string): ReturnType<typeof findMemoryFile> {
  const skillPath = path.join(machine.workspace, skill, 'SKILL.md');
  mkdirSync(path.dirname(skillPath), { recursive: true });
  writeFileSync(skillPath, '---\nname: dates\n---\n');
  const store = await aStore(machine, { request: { skillPath } });
  return findMemoryFile(store.places);
}

function write(machine: Machine, file: string): void {
  const target = path.join(machine.workspace, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, `${file}\n`);
}
