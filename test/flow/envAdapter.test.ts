import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { aCommandLine, type CommandLine } from '../builders/commandLine.js';
import { inFull, isFull } from '../builders/few.js';

const example = path.resolve('examples/env-adapter');
const read = (file: string): string => readFileSync(path.join(example, file), 'utf8');

interface Trained {
  readonly verdict: { readonly kind: string; readonly reason: string };
  readonly run: string;
  readonly calls: number;
  readonly edits: readonly { readonly content: string; readonly environment?: string }[];
}

describe('examples/env-adapter', () => {
  const shells: CommandLine[] = [];
  after(() => shells.forEach((shell) => shell.dispose()));

  it('is the same skill twice, with a program and with a module', () => {
    for (const file of ['SKILL.md', 'evals/post/items.json'])
      assert.equal(read(`program/${file}`), read(`module/${file}`), file);
  });

  inFull('certifies the same edits by both, and counts what they ask the target', async () => {
    const commands = [...read('README.md').matchAll(/^whetstone (optimize .*)$/gm)].map(([, words = '']) => words);
    assert.deepEqual(
      commands.map((words) => words.split(' ')[1]),
      ['program', 'module'],
    );
    const rule = isFull ? '' : ' --set gate.rule=strict';
    const [program, module] = [await trained(`${commands[0]}${rule}`), await trained(`${commands[1]}${rule}`)];
    assert.equal(program.result.verdict.kind, 'accepted', program.result.verdict.reason);
    assert.deepEqual(module.result.verdict, program.result.verdict);
    assert.deepEqual(came(module.result), came(program.result));
    const [own, ...more] = program.result.edits.filter(({ environment }) => environment === 'post');
    assert.equal(own?.content, '- End with the line “Kind regards”.', 'what the environment proposes itself');
    assert.deepEqual([more.length, program.result.edits.length], [0, 2], 'the other is what the optimizer learnt');
    assert.deepEqual(module.spent, program.spent);
    assert.ok(program.spent.target >= 16, 'a call for each attempt');
  });

  /** A command of the page in a workspace and a state of its own. */
  async function trained(words: string): Promise<{ readonly result: Trained; readonly spent: { target: number } }> {
    const shell = aCommandLine({ copy: example, model: 'none' });
    shells.push(shell);
    const before = process.cwd();
    process.chdir(shell.folder); // the page names the skill from where a person stands
    const done = await shell.run(...words.split(' '), '--json').finally(() => process.chdir(before));
    assert.equal(done.code, 0, done.err);
    const result: Trained = JSON.parse(done.out);
    const place = path.join(shell.folder, '.whetstone/runs', result.run, 'summary.json');
    const { spend }: { spend: { target: { calls: number } } } = JSON.parse(readFileSync(place, 'utf8'));
    assert.equal(settledCalls(shell), result.calls, 'the ledger has every call');
    const skill = path.join(shell.folder, words.split(' ')[1] ?? '');
    assert.ok((await shell.run('show', skill)).out.includes(`Statistics: whetstone report ${skill}\n`));
    const status = await shell.run('status', skill);
    assert.match(status.out, /^letters in .*\n {2}“post” brings tasks of its own/m, 'not “0 training”');
    return { result, spent: { target: spend.target.calls } };
  }
});

function settledCalls({ home }: CommandLine): number {
  const spend = path.join(home, 'spend');
  const lines = readdirSync(spend).flatMap((file) => readFileSync(path.join(spend, file), 'utf8').split('\n'));
  return lines.filter((line) => line.includes('"kind":"settle"')).length;
}

function came({ edits }: Trained): readonly unknown[] {
  return edits.map(({ content, environment }) => [content, environment]);
}
