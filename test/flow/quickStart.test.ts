import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import { createUseCases, startSimulatedServer, withOwnChecks, worldOfMachine } from '../../src/bundles/core.js';
import { createLibrary } from '../../src/library/createLibrary.js';
import { aCommandLine, type CommandLine } from '../builders/commandLine.js';
import { inFull } from '../builders/few.js';

const example = path.resolve('examples/quick-start');
const page = readFileSync(path.join(example, 'README.md'), 'utf8');

/** A command of the page, and the lines that the page says it prints. */
interface Step {
  readonly command: string;
  readonly printed: readonly string[];
}

describe('examples/quick-start', () => {
  const servers: { stop(): Promise<void> }[] = [];
  const shell = aCommandLine({ copy: example, model: 'none' });
  after(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    shell.dispose();
  });

  it('splits 20 questions into 8, 8 and 4', () => {
    const counts = ['train', 'val', 'test'].map(
      (side) =>
        readFileSync(path.join(example, `data/${side}/items.jsonl`), 'utf8')
          .trim()
          .split('\n').length,
    );
    assert.deepEqual(counts, [8, 8, 4]);
  });

  inFull(
    'prints what its page says, command by command, and comes to the same verdicts through the library',
    async () => {
      const ports = new Map<string, string>();
      for (const step of stepsOf(page)) await take(step, ports);
      assert.equal(servers.length, 2);
      const left = readdirSync(path.join(shell.folder, 'outputs')).sort();
      assert.deepEqual(left, ['default', 'library-confident', 'library-strict', 'strict']);
      for (const name of left) {
        const summary = JSON.parse(readFileSync(path.join(shell.folder, 'outputs', name, 'summary.json'), 'utf8'));
        assert.equal(summary.verdict?.kind, 'accepted', name);
        assert.equal(summary.verdict?.figures?.rule, /strict/.test(name) ? 'strict' : 'confident', name);
      }
    },
  );

  async function take({ command, printed }: Step, ports: Map<string, string>): Promise<void> {
    const [program, ...words] = command.split(/\s+/);
    if (command.startsWith('whetstone serve-simulated ')) await serve(words, ports);
    else if (program === 'whetstone') holds(await ran(shell, words, ports), printed, ports);
    else if (command === 'node train.mjs') holds(await ranScript(ports), printed, ports);
    else assert.match(command, /^(?:cp|npm) /, `nobody runs “${command}”`);
  }

  /** The same server at a port that is free. */
  async function serve(words: readonly string[], ports: Map<string, string>): Promise<void> {
    const told = (flag: string): string => words[words.indexOf(flag) + 1] ?? '';
    const model = words.includes('--lapse') ? { lapseRate: Number(told('--lapse')) } : {};
    const server = await startSimulatedServer({ port: 0, model });
    servers.push(server);
    ports.set(`127.0.0.1:${told('--port')}`, `127.0.0.1:${server.port}`);
  }

  /** The script of the example as it stands, on the library of this process, with the state that the commands have. */
  async function ranScript(ports: ReadonlyMap<string, string>): Promise<string> {
    const { train, evaluate } = createLibrary({ createUseCases, withOwnChecks, worldOfMachine });
    const source = moved(readFileSync(path.join(shell.folder, 'train.mjs'), 'utf8'), ports);
    const imports = /^import .*$/gm;
    assert.deepEqual(
      source.match(imports)?.map((line) => line.replace(/^import (.*) from '(.*)';$/, '$2: $1')),
      ['node:fs: { readFileSync }', 'node:process: process', 'whetstone: { evaluate, train }'],
    );
    let said = '';
    const own = { stdout: { write: (text: string) => void (said += text) } };
    const body = `(async (readFileSync, process, evaluate, train) => {\n${source.replaceAll(imports, '')}\n})`;
    const script: (...given: readonly unknown[]) => Promise<void> = vm.runInThisContext(body);
    const home = process.env['WHETSTONE_HOME'];
    process.env['WHETSTONE_HOME'] = shell.home;
    try {
      await standingIn(shell.folder, () => script(readFileSync, own, evaluate, train));
    } finally {
      if (home === undefined) delete process.env['WHETSTONE_HOME'];
      else process.env['WHETSTONE_HOME'] = home;
    }
    return said;
  }
});

/** The commands of the page in their order; what stands in the next block of text is what the last of them prints. */
function stepsOf(text: string): readonly Step[] {
  const blocks = [...text.matchAll(/^```(sh|text)\n([\s\S]*?)^```$/gm)].map(([, kind, body = '']) => ({ kind, body }));
  return blocks.flatMap(({ kind, body }, index) => {
    if (kind !== 'sh') return [];
    const commands = body
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')
      .map((line) => line.replace(/\s+(?:&|#.*)$/, '').trim())
      .filter((line) => line !== '');
    const next = blocks[index + 1];
    const printed = next?.kind === 'text' ? next.body.split('\n').filter((line) => line.trim() !== '') : [];
    return commands.map((command, at) => ({ command, printed: at === commands.length - 1 ? printed : [] }));
  });
}

async function ran(shell: CommandLine, words: readonly string[], ports: ReadonlyMap<string, string>): Promise<string> {
  const { code, out, err } = await standingIn(shell.folder, () =>
    shell.run(...words.map((word) => moved(word, ports))),
  );
  assert.equal(code, 0, err);
  return out;
}

/** The page names the skill from where a person stands. */
async function standingIn<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const before = process.cwd();
  process.chdir(folder);
  return work().finally(() => process.chdir(before));
}

function moved(text: string, ports: ReadonlyMap<string, string>): string {
  return [...ports].reduce((so, [from, to]) => so.replaceAll(from, to), text);
}

/** Every line that is shown was printed, in that order; “…” stands for lines that the page leaves out. */
function holds(out: string, printed: readonly string[], ports: ReadonlyMap<string, string>): void {
  const said = [...ports].reduce((so, [from, to]) => so.replaceAll(to, from), out);
  const lines = said.split('\n').map((line) => line.trimEnd());
  let from = 0;
  for (const line of printed.filter((each) => each !== '…')) {
    const at = lines.indexOf(line.trimEnd(), from);
    assert.ok(at >= 0, `“${line}” is not printed:\n${said}`);
    from = at + 1;
  }
}
