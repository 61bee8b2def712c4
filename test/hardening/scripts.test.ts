import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import type { ForeignLanguage } from '../../src/skill/package/packageFile.js';
import { nodePrograms } from '../../src/storage/programs/nodePrograms.js';
import { createScriptParser } from '../../src/storage/programs/scriptParser.js';
import { isFull } from '../builders/few.js';
import { neverAborted } from '../builders/storage.js';
import { generator } from '../unit/redaction/secretCorpus.js';
import { figure, isWhole, seed } from './figures.js';

/** How often each language is tried. */
const rounds = isWhole ? 30 : isFull ? 10 : 1;

/** A script that is sound, and how one of its language would leave a file behind. */
interface Subject {
  readonly command: string;
  readonly lines: readonly string[];
  /** Without one of these lines nothing parses. */
  readonly needed: readonly number[];
  readonly payloads: (file: string) => readonly string[];
}

const shell = {
  lines: ['if [ -n "$1" ]; then', '  echo "$1"', 'fi', 'for each in a b; do', '  echo "$each"', 'done'],
  needed: [0, 2, 3, 5],
};

const subjects: Readonly<Record<ForeignLanguage, Subject>> = {
  python: {
    command: 'python3',
    lines: ['def cut(text):', '    return text[:9]', 'class A:', '    x = 1', 'print(cut("a"), A.x)'],
    needed: [1, 3],
    payloads: (file) => [
      `open(${JSON.stringify(file)}, "w").close()`,
      `import os; os.system("touch ${file}")`,
      `@(lambda f: open(${JSON.stringify(file)}, "w"))\ndef g(): pass`,
      `x: open(${JSON.stringify(file)}, "w") = 1`,
      `f"{open('${file}', 'w')}"`,
    ],
  },
  bash: {
    command: 'bash',
    ...shell,
    payloads: (file) => [
      `touch ${file}`,
      `x=$(touch ${file})`,
      `: "\${x:=\`touch ${file}\`}"`,
      `set +n; touch ${file}`,
      `cat < <(touch ${file})`,
      `((x[$(touch ${file})]++))`,
    ],
  },
  sh: {
    command: 'sh',
    ...shell,
    payloads: (file) => [`touch ${file}`, `x=$(touch ${file})`, `trap 'touch ${file}' EXIT`, `set +n\ntouch ${file}`],
  },
  module: {
    command: process.execPath,
    lines: ['import fs from "node:fs";', 'export function cut(text) {', '  return text;', '}', 'cut(fs);'],
    needed: [1, 3],
    payloads: (file) => [
      `fs.writeFileSync(${JSON.stringify(file)}, "");`,
      `await import("data:text/javascript,import fs from 'fs';fs.writeFileSync('${file}','')");`,
      `class A { static { fs.writeFileSync(${JSON.stringify(file)}, ""); } }`,
    ],
  },
};
const languages: readonly ForeignLanguage[] = ['python', 'bash', 'sh', 'module'];

/** Not in the sandbox, which would hold back what is run: nothing is. */
describe('scripts that are parsed by programs of this machine', () => {
  let folder = '';
  before(async () => {
    folder = await realpath(await mkdtemp('/var/tmp/whetstone-scripts-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));
  const searched = process.env['PATH'];
  const parser = createScriptParser({ sandbox: () => Promise.resolve(nodePrograms), closed: [], searched });

  it('are not run, and not taken for sound where a part of them is missing', async function () {
    this.timeout(600_000);
    const next = generator(seed);
    const one = <T>(of: readonly T[]): T | undefined => of[Math.floor(next() * of.length)];
    const broken: string[] = [];
    let tried = 0;
    for (const language of languages)
      for (let round = 0; round < rounds; round += 1) {
        const { lines, needed, payloads } = subjects[language];
        const payload = one(payloads(path.join(folder, 'ran'))) ?? '';
        const remark = `${language === 'module' ? '//' : '#'} ${round}`; // equal texts are parsed once
        const whole = [...lines, payload, remark].join('\n');
        const missing = one(needed) ?? 0;
        const part = whole.split('\n').filter((_, at) => at !== missing);
        tried += 2;
        if ((await parser.parse(language, `${whole}\n`, neverAborted)).kind !== 'parses')
          broken.push(`no script: ${whole}`);
        const left = `${part.join('\n')}\n`;
        if ((await parser.parse(language, left, neverAborted)).kind !== 'broken') broken.push(`sound: ${left}`);
        if (readdirSync(folder).length > 0) broken.push(`run: ${whole}`);
        rmSync(path.join(folder, 'ran'), { force: true });
      }
    figure({
      what: 'scripts that would leave a file, and scripts with a line missing, parsed by python3, bash, sh and node',
      tried,
      result: `${broken.length} were run, or taken for what they are not`,
    });
    assert.deepEqual(broken, []);
  });

  it('would leave a file where they were run', () => {
    const [first] = languages.filter((language) => language !== 'module').toReversed();
    for (const language of isFull || isWhole ? languages : [first ?? 'sh']) {
      const { command, lines, payloads } = subjects[language];
      const [payload = ''] = payloads(path.join(folder, 'ran'));
      const file = path.join(folder, language === 'module' ? 'script.mjs' : 'script');
      writeFileSync(file, [...lines, payload, ''].join('\n'));
      execFileSync(command, [file], { stdio: 'ignore' });
      assert.ok(existsSync(path.join(folder, 'ran')), language);
      for (const each of readdirSync(folder)) rmSync(path.join(folder, each));
    }
  });
});
