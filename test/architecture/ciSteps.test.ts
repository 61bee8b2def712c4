import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { quickSteps, readChoice, windowSteps } from '../../scripts/test/steps.mjs';
import { repository } from './sourceFiles.js';

describe('the jobs of CI', () => {
  it('run every step of `npm test` between them', () => {
    const folder = join(repository, '.github/workflows');
    const commands = readdirSync(folder)
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
      .filter((line) => /\brun: .*npm test/.test(line))
      .map((line) =>
        [...line.matchAll(/--only (?:"([^"]+)"|(\S+))/g)].map(([, quoted, plain]) => quoted ?? plain ?? ''),
      );
    assert.ok(commands.length >= 3);
    const choices = commands.map((names) => readChoice(names.flatMap((name) => ['--only', name])));
    const left = [...quickSteps, ...windowSteps].filter((step) => !choices.some(({ isWanted }) => isWanted(step)));
    assert.deepEqual(left, []);
  });

  it('cannot name a step that is not there', () => {
    assert.throws(() => readChoice(['--only', 'untis']), /There is no step “untis”/);
    assert.throws(() => readChoice(['--skip', 'hots']), /There is no step “hots”/);
  });

  it('leave out nothing where they name nothing', () => {
    const { isWanted } = readChoice([]);
    assert.ok([...quickSteps, ...windowSteps].every(isWanted));
  });
});
