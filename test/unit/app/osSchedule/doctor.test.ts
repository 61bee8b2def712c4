import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createUseCases } from '../../../../src/app/useCases.js';
import { nodeClock } from '../../../../src/storage/files/nodeAdapters.js';
import { aWhetstoneFile } from '../../../builders/aSkillFolder.js';
import { aMachine, neverAborted, scrapMachines } from '../../../builders/storage.js';
import { ScriptedModel } from '../../../fakes/ScriptedModel.js';

describe('the doctor, about the program of a skill,', () => {
  after(scrapMachines);

  for (const name of ['plain', 'C# notes', '100%', 'a%20b']) {
    it(`finds it in a folder named “${name}”`, async () => {
      assert.deepEqual(await missingPrograms(name, './run.sh'), []);
    });
  }

  it('says so where it is not there', async () => {
    const [said] = await missingPrograms('C# notes', './walk.sh');
    assert.match(said ?? '', /C# notes runs “\.\/walk\.sh”, which is not found here/);
  });

  it('finds one of its own clone on the PATH, which is no program of the person', async () => {
    assert.deepEqual(await missingPrograms('plain', 'own-runner', 'node_modules/.bin'), []);
    assert.equal((await missingPrograms('plain', 'no-runner', 'node_modules/.bin')).length, 1);
  });
});

/** `searched`: the folder of the workspace that is the PATH, with one program in it. */
async function missingPrograms(name: string, command: string, searched = '.'): Promise<readonly string[]> {
  const machine = await aMachine();
  const folder = path.join(machine.workspace, name);
  const evals = ['a', 'b', 'c', 'd'].map((id) => ({ id, prompt: `Do ${id} in its own way`, expectations: ['Done.'] }));
  const environments = { runner: { command, arguments: [], folder: 'evals/env' } };
  mkdirSync(path.join(folder, 'evals', 'env'), { recursive: true });
  writeFileSync(path.join(folder, 'SKILL.md'), '# Notes\n');
  writeFileSync(path.join(folder, 'evals', 'evals.json'), JSON.stringify({ evals }));
  writeFileSync(path.join(folder, 'evals', 'whetstone.json'), JSON.stringify(aWhetstoneFile({}, { environments })));
  writeFileSync(path.join(folder, 'evals', 'env', 'run.sh'), 'exit 0\n');
  const PATH = path.join(machine.workspace, searched);
  mkdirSync(PATH, { recursive: true });
  writeFileSync(path.join(PATH, 'own-runner'), 'exit 0\n', { mode: 0o755 });
  const model = new ScriptedModel().when(() => true, 'ready');
  const useCases = createUseCases({
    environment: { PATH },
    platform: 'linux',
    home: machine.home,
    clock: nodeClock,
    models: () => Promise.resolve({ target: model, optimizer: model, judge: model }),
    trusted: () => true,
    consent: { allows: () => Promise.resolve(false) },
    caps: () => ({ day: {}, month: {} }),
    tell: () => undefined,
  });
  const skills = [path.join(folder, 'SKILL.md')];
  const { findings } = await useCases.doctor({ version: '0', folders: [machine.workspace], skills }, neverAborted);
  assert.ok(findings.some(({ what }) => what === '1 of 1 skill can be trained.'));
  return findings.filter(({ state, check }) => check === 'program' && state === 'warning').map(({ what }) => what);
}
