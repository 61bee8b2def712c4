import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { ProgramRequest, ProgramResult, Programs } from '../../../../src/ports/programs.js';
import type { ForeignLanguage } from '../../../../src/skill/package/packageFile.js';
import type { ParsedScript } from '../../../../src/skill/package/parsedScript.js';
import { createScriptParser } from '../../../../src/storage/programs/scriptParser.js';
import { needsSandbox, onDisk, theSandbox } from '../../../builders/aSandbox.js';
import { few, inFull } from '../../../builders/few.js';
import { neverAborted } from '../../../builders/storage.js';
import { keepsContractOfScriptParsers } from './scriptParserContract.js';

const searched = process.env['PATH'];

describe('the parser of scripts in the sandbox', () => {
  before(function () {
    return needsSandbox(this);
  });
  const parser = createScriptParser({ sandbox: () => Promise.resolve(theSandbox()), closed: [], searched });

  keepsContractOfScriptParsers(() => parser);

  const marker = path.join(os.homedir(), 'whetstone-was-run');
  const hostile: readonly (readonly [what: string, language: ForeignLanguage, text: string, kind: string | RegExp])[] =
    [
      ['would write a file', 'python', `import os\nos.system("touch ${marker} ran")\n`, 'parses'],
      [
        'would write a file',
        'bash',
        `touch ${marker} ran $(touch ran) \`touch ran\`\n: "\${x:=$(touch ran)}"\n`,
        'parses',
      ],
      ['would write a file', 'sh', `touch ${marker}\ntrap 'touch ran' EXIT\nexit 0\n`, 'parses'],
      [
        'would write a file',
        'module',
        `import { writeFileSync } from 'node:fs';\nwriteFileSync('${marker}', '');\n`,
        'parses',
      ],
      ['turns reading without running off', 'bash', `set +n\ntouch ${marker}\n`, 'parses'],
      ['decorates, subclasses and annotates', 'python', `@exit\nclass A(print("x")): y: exit() = exit()\n`, 'parses'],
      ['is a warning and no fault', 'python', 'x = 1 is 1\ny = "\\d"\nassert (x, "y")\n', 'parses'],
      ['returns outside of a function', 'python', 'return 1\n', 'broken'],
      ['holds a null byte', 'python', 'x = 1\0\n', 'broken'],
      ['has a byte order mark', 'python', '\uFEFFx = 1\r\ny = "ä"\r\n', 'parses'],
      ['mixes tabs and spaces', 'python', 'if 1:\n\tx = 1\n        y = 2\n', 'broken'],
      ['has line breaks of Windows', 'bash', 'if true; then\r\n  ls\r\nfi\r\n', 'broken'],
      ['leaves a here-document open', 'bash', 'cat <<EOF\nrm -rf /\n', 'broken'],
      ['leaves a here-document open', 'sh', 'cat <<EOF\nrm -rf /\n', 'broken'],
      ['is for bash alone', 'sh', 'a=(1 2)\n', 'broken'],
      ['is for bash alone', 'bash', 'a=(1 2)\n', 'parses'],
      ['would be history', 'bash', 'echo "done!!" !ls\n', 'parses'],
      ['is nested too deeply', 'python', `x = ${'('.repeat(150_000)}`, /broken|unparsed/u],
      ['is nested too deeply to compile', 'python', `x = ${'-'.repeat(200_000)}1\n`, /broken|unparsed/u],
      ['is nested too deeply', 'bash', `${'$('.repeat(20_000)}ls${')'.repeat(20_000)}\n`, /broken|unparsed/u],
      ['is nested too deeply', 'module', `x = ${'['.repeat(200_000)}`, /broken|unparsed/u],
      ['is too long', 'sh', 'ls\n'.repeat(200_000), 'unparsed'],
    ];
  for (const [what, language, text, kind] of few(hostile, 2))
    it(`runs nothing and never fails where a script in ${language} ${what}`, async () => {
      const parsed = await parser.parse(language, text, neverAborted);
      assert.match(parsed.kind, typeof kind === 'string' ? new RegExp(`^${kind}$`, 'u') : kind, JSON.stringify(parsed));
      assert.ok(!(await readdir(os.homedir())).includes('whetstone-was-run'));
      assert.ok(!(await readdir('.')).includes('ran'));
    });

  inFull('tells no place of this machine', async () => {
    for (const [language, text] of [
      ['python', 'x = (\n'],
      ['bash', 'ls; }\n'],
      ['sh', 'ls; }\n'],
      ['module', 'let let;'],
    ] as const) {
      const parsed = await parser.parse(language, text, neverAborted);
      assert.equal(parsed.kind, 'broken');
      assert.doesNotMatch(parsed.message, /\/|stdin/u);
    }
  });
});

describe('the parser of scripts', () => {
  const ends: readonly (readonly [string, ForeignLanguage, ProgramResult, ParsedScript['kind']])[] = [
    ['takes too long', 'python', { kind: 'timed-out' }, 'unparsed'],
    ['says too much', 'bash', { kind: 'output-too-large' }, 'unparsed'],
    ['is not started', 'bash', { kind: 'not-started', reason: 'ENOENT' }, 'unparsed'],
    ['is ended by a signal', 'python', exited(139), 'unparsed'],
    ['is ended by a signal after a word', 'bash', exited(139, '', 'bash: line 3: near x'), 'unparsed'],
    ['says nothing', 'python', exited(0), 'unparsed'],
    ['says nothing of a fault', 'bash', exited(2), 'unparsed'],
    ['runs out of memory', 'bash', exited(2, '', 'bash: xmalloc: cannot allocate 8 bytes'), 'unparsed'],
    ['fails otherwise', 'module', exited(1, '', 'node: bad option: --check'), 'unparsed'],
    ['took more than it may', 'python', { ...exited(0, 'parses'), told: ['The sandbox ended it.'] }, 'unparsed'],
    ['only warns', 'bash', exited(0, '', 'bash: line 9: warning: here-document at line 2'), 'broken'],
  ];
  for (const [what, language, result, kind] of ends)
    it(`gives a result where the program ${what}`, async () => {
      const { parser } = scripted(() => result);
      assert.equal((await parser.parse(language, 'ls\n', neverAborted)).kind, kind);
    });

  it('is given the text as its input, an environment with a PATH alone, and no folder', async () => {
    const { parser, requests } = scripted(() => exited(0, 'parses'));
    await parser.parse('python', 'x = 1\n', neverAborted);
    const [request] = requests;
    assert.deepEqual(request?.arguments.slice(0, 2), ['-I', '-S']);
    assert.equal(request.input, 'x = 1\n');
    assert.deepEqual([request.folder, request.reach], [undefined, undefined]);
    assert.deepEqual(request.environment, { PATH: '/usr/bin:/bin' });
  });

  it('parses equal texts once, and asks both shells of a script for any', async () => {
    const { parser, requests } = scripted(() => exited(0));
    for (const text of ['ls\n', 'ls\n', 'ls -a\n']) await parser.parse('sh', text, neverAborted);
    assert.deepEqual(
      requests.map(({ command, input }) => `${path.basename(command) === 'bash' ? 'bash' : 'sh'} ${input}`),
      ['sh ls\n', 'bash ls\n', 'sh ls -a\n', 'bash ls -a\n'],
    );
  });

  it('is asked again where it could not be started', async () => {
    let starts = 0;
    const { parser } = scripted(() => ((starts += 1) === 1 ? { kind: 'not-started', reason: 'gone' } : exited(0)));
    assert.equal((await parser.parse('bash', 'ls', neverAborted)).kind, 'unparsed');
    assert.equal((await parser.parse('bash', 'ls', neverAborted)).kind, 'parses');
  });

  it('says what is missing, and parses nothing without a sandbox', async () => {
    const without = createScriptParser({ sandbox: () => Promise.resolve('There is none.'), closed: [], searched });
    assert.equal(await without.lacks('bash', neverAborted), 'There is none.');
    assert.deepEqual(await without.parse('bash', 'ls', neverAborted), { kind: 'unparsed', reason: 'There is none.' });
    const { parser } = scripted(() => exited(0), { closed: ['/usr', '/bin', '/root', os.homedir()] });
    assert.equal(await parser.lacks('python', neverAborted), 'python3 is not installed here.');
  });

  it('takes no program of a workspace, and none that only stands for another', async () => {
    await onDisk(os.tmpdir(), async (folder) => {
      const [mine, shims] = [path.join(folder, 'workspace'), path.join(folder, 'shims')];
      for (const each of [mine, shims]) await mkdir(each);
      for (const each of [path.join(mine, 'bash'), path.join(shims, 'bash')]) {
        await writeFile(each, '#!/bin/sh\necho parses\n');
        await chmod(each, 0o755);
      }
      await symlink(path.join(mine, 'bash'), path.join(shims, 'python3'));
      const found = { closed: [mine], searched: [mine, shims, searched].join(path.delimiter) };
      const { parser, requests } = scripted(() => exited(0), found);
      await parser.parse('bash', 'ls', neverAborted);
      await parser.parse('python', 'x', neverAborted);
      assert.deepEqual(
        requests.filter(({ command }) => command.startsWith(folder)),
        [],
      );
    });
  });
});

function exited(code: number, output = '', errorOutput = ''): ProgramResult {
  return { kind: 'exited', code, output, errorOutput };
}

function scripted(
  run: (request: ProgramRequest) => ProgramResult,
  parts: { readonly closed?: readonly string[]; readonly searched?: string | undefined } = {},
) {
  const requests: ProgramRequest[] = [];
  const programs: Programs = {
    run: async (request) => {
      requests.push(request);
      return run(request);
    },
  };
  const parser = createScriptParser({ closed: [], searched, ...parts, sandbox: () => Promise.resolve(programs) });
  return { parser, requests };
}
