import assert from 'node:assert/strict';
import { openPythonJudges } from '../../../../src/app/environments/agentNotes.js';
import { aCheck, aTrainingTask } from '../../../builders/aTask.js';

describe('what is said before a run of judges that start Python', () => {
  const rows: readonly (readonly [command: string, words: readonly string[], isNamed: boolean, folder?: string])[] = [
    ['python3', ['check.py'], true],
    ['/usr/bin/python3.12', ['-B', '-X', 'utf8', 'check.py', '-I'], true],
    ['python3', ['-m', 'unittest'], true],
    ['python3', ['-I', 'check.py'], false],
    ['python3', ['-X', 'utf8', '-BP', 'check.py'], false],
    ['python3', ['/opt/judge/check.py'], false],
    ['sh', ['-c', 'python3 "$JUDGE/check.py"'], false],
    ['node', ['check.js'], false],
    // It brings no file of its own: what runs is the fixture's, and the agent's to change.
    ['python3', ['check.py'], false, ''],
  ];
  for (const [command, words, isNamed, folder = 'evals/judge'] of rows)
    it(`${isNamed ? 'names' : 'passes over'} ${[command, ...words].join(' ')}${folder === '' ? ', of the fixture' : ''}`, () => {
      const given = { command, arguments: words, ...(folder === '' ? {} : { folder }) };
      const task = aTrainingTask({ environment: 'agent', checks: [aCheck('command', given)] });
      const notes = openPythonJudges([task, task]);
      assert.equal(notes.length, isNamed ? 1 : 0);
      if (isNamed) assert.match(notes[0] ?? '', new RegExp(`^“${command} `, 'u'));
    });
});
