import assert from 'node:assert/strict';
import { shellCommands } from '../../src/shellCommands.js';

const cases: readonly (readonly [line: string, commands: readonly string[]])[] = [
  ['npm test', ['npm test']],
  [
    'cd app && CI=1 npm test -- --all | tail -3; ls',
    ['cd app', 'CI=1 npm test -- --all', 'npm test -- --all', 'tail -3', 'ls'],
  ],
  ["echo 'not running npm test' && printf 'npm test; npm test'", []],
  ['echo "$(npm test)"', ['npm test)"']],
  [`bash -lc "cd app && npm test"`, ['bash -lc "cd app && npm test"', 'cd app', 'npm test']],
  [`sh -c 'echo "npm test"'`, [`sh -c 'echo "npm test"'`]],
  ['timeout 60 python3 -m pytest -q', ['timeout 60 python3 -m pytest -q', 'python3 -m pytest -q', 'pytest -q']],
  [
    'if ! ./a/check.sh; then make lint; fi',
    ['if ! ./a/check.sh', '! ./a/check.sh', './a/check.sh', 'check.sh', 'then make lint', 'make lint', 'fi'],
  ],
  ["cat > a.sh <<'EOF'\nnpm test\nEOF\n# npm test\nls", ["cat > a.sh <<'EOF'", 'ls']],
  ['git commit -m "then npm test; done"', ['git commit -m "then npm test; done"']],
];

describe('what a line given to a shell runs', () => {
  for (const [line, commands] of cases)
    it(JSON.stringify(line), () => assert.deepEqual(shellCommands(line).commands, commands));

  it('is all of it, or not', () => {
    assert.ok(shellCommands('cd x && npm test').isAllRun);
    for (const line of ['echo x; ls', '# x\nls', `sh -c 'echo x'`]) assert.ok(!shellCommands(line).isAllRun, line);
  });
});
