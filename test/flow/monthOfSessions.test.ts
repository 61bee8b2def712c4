import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { aCommandLine } from '../builders/commandLine.js';
import { emptySkill, writeMonth } from '../builders/monthOfSessions.js';

/** The programs of this machine may have folders of their own: this person has a home alone. */
const nowhere = { CLAUDE_CONFIG_DIR: '', CODEX_HOME: '', COPILOT_HOME: '', XDG_CONFIG_HOME: '', XDG_DATA_HOME: '' };

describe('a month of sessions, on the command line', () => {
  it('leads from a skill without a line to its first proved edit', async function () {
    this.timeout(120_000);
    const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'whetstone-month-')));
    try {
      const folder = path.join(base, 'workspace');
      const skill = path.join(folder, 'skills', 'release-notes', 'SKILL.md');
      mkdirSync(path.dirname(skill), { recursive: true });
      mkdirSync(path.join(folder, '.git'));
      writeFileSync(skill, emptySkill);
      writeMonth(path.join(base, 'home'), folder, Date.now());
      const cli = aCommandLine({ at: { base }, environment: nowhere, findSkills: () => Promise.resolve([skill]) });
      const sources = ['claude-code', 'codex', 'copilot-cli'].flatMap((name) => ['--allow', name]);
      const mined = await cli.run('mine', ...sources, '--model', 'simulated', '--yes');
      assert.match(mined.out, /19 drafts wait for your word/u, mined.out + mined.err);
      await cli.run('tasks', 'confirm', skill, '--all', '--yes');
      const { out, err } = await cli.run('optimize', skill, '--model', 'simulated', '--yes');
      assert.match(out, /release-notes improved from 0 % to \d+ % on 8 held-out tasks/u, err);
    } finally {
      rmSync(base, { recursive: true, force: true });
    }
  });
});
