import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import { aCommandLine } from '../builders/commandLine.js';
import { aWorkspace, inEveryRole, writtenTasks } from '../builders/aWorkspace.js';
import { few } from '../builders/few.js';

/** The same skill, tasks, seed and user state: one proposal, whichever face it was made in. */
describe('the use cases and the command line', () => {
  const options: readonly (readonly [name: string, settings: readonly string[]])[] = [
    ['the usual options', []],
    ['an edit budget of the optimizer', ['edits.control=autonomous']],
    ['accumulated batches', ['train.batchSize=1', 'train.accumulation=2']],
    ['reminders for lapses', ['reflect.skillAware=true']],
  ];
  for (const [name, settings] of few(options)) {
    it(`stage the same bytes with ${name}`, async () => {
      const parts = { tasks: writtenTasks({ training: 2, heldOut: 6, sealed: 0 }, ['Visibility:', 'fathoms']) };
      const [one, other] = [aWorkspace(parts), aWorkspace(parts)];
      try {
        const wish = settings.map((setting) => setting.split('='));
        const layers = wish.map(([option = '', value = '']) => layerOf(option, value));
        await one.optimize({ models: inEveryRole(createSimulatedModel()), settings: merged(layers) });
        mkdirSync(other.home, { recursive: true, mode: 0o700 });
        copyFileSync(path.join(one.home, 'state', 'state.key'), path.join(other.home, 'state.key'));
        const line = aCommandLine({ at: { base: path.dirname(other.folder) } });
        const given = settings.flatMap((setting) => ['--set', setting]);
        const { code, err } = await line.run('optimize', other.skillPath, '--preset', 'quick', ...given, '--json');
        assert.equal(code, 0, err);
        assert.ok(proposalIn(one.folder).equals(proposalIn(other.folder)), 'the two proposals differ');
      } finally {
        one.dispose();
        other.dispose();
      }
    });
  }
});

function layerOf(option: string, value: string): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const [group = '', name = ''] = option.split('.');
  return { [group]: { [name]: /^(?:\d+|true)$/u.test(value) ? JSON.parse(value) : value } };
}

function merged(layers: readonly ReturnType<typeof layerOf>[]): ReturnType<typeof layerOf> {
  return layers.reduce(
    (all, layer) =>
      Object.fromEntries(
        Object.entries({ ...all, ...layer }).map(([group]) => [group, { ...all[group], ...layer[group] }]),
      ),
    {},
  );
}

function proposalIn(folder: string): Buffer {
  const proposals = path.join(folder, '.whetstone', 'proposals');
  const [name] = readdirSync(proposals);
  assert.ok(name);
  return readFileSync(path.join(proposals, name));
}
