import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { aCommandLine } from '../builders/commandLine.js';

describe('a skill with a hundred thousand tasks', () => {
  it('is shown with a sentence that says what is wrong, before they are looked at', async () => {
    const line = aCommandLine({ copy: path.resolve('media/demo') });
    try {
      const skill = path.join(line.folder, '.claude/skills/incident-summary');
      const evals = Array.from({ length: 100_000 }, (_, id) => ({ id, prompt: `Sum up incident ${id}.` }));
      writeFileSync(path.join(skill, 'evals/evals.json'), JSON.stringify({ evals }));
      const { out, err } = await line.run('status', skill);
      assert.match(out + err, /holds (?:100000 tasks, and at most 10000 of one skill|more values than) are read/u);
    } finally {
      line.dispose();
    }
  });
});
