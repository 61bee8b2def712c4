import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { settingDefaults } from '../../../src/editor/contributions.js';
import { aCommandLine } from '../../builders/commandLine.js';

/** What the README says is there is there, and what is there it says. */
describe('the README', () => {
  const readme = readFileSync('README.md', 'utf8');

  it('names every command of the command line, and no other', async () => {
    const line = aCommandLine();
    try {
      const { out } = await line.run('--help');
      const there = [...out.matchAll(/^ {2}([a-z][a-z-]+)(?= |$)/gm)].map(([, name]) => name);
      assert.ok(there.length > 15, out);
      const table = sectionOf(readme, 'On the command line');
      const rows = table.split('\n').filter((row) => row.startsWith('| `'));
      const named = rows.flatMap((row) =>
        [...(row.split('|')[1] ?? '').matchAll(/`([a-z-]+)`/g)].map(([, name]) => name),
      );
      // The composition root adds the server and the queue, which the command line itself does not know.
      const wanted = [...new Set([...there, 'serve-simulated', 'worker', 'queue'])].filter((name) => name !== 'help');
      assert.deepEqual(new Set(named), new Set(wanted));
      assert.equal(named.length, wanted.length, 'each once');
    } finally {
      line.dispose();
    }
  });

  it('states of a first run what a dry run says', async () => {
    const table = sectionOf(readme, 'With your own skill and a real model');
    const rows = table.split('\n').filter((row) => row.startsWith('| `'));
    assert.ok(rows.length >= 3);
    const line = aCommandLine({ copy: path.resolve('media/demo') });
    const skill = path.join(line.folder, '.claude/skills/incident-summary');
    const keys = { OPENAI_API_KEY: 'not-used', ANTHROPIC_API_KEY: 'not-used' };
    const before = { ...process.env };
    Object.assign(process.env, keys);
    try {
      for (const row of rows) {
        const [, model = '', ...cells] = row.split('|').map((cell) => cell.replaceAll('`', '').trim());
        const { code, out, err } = await line.run('optimize', skill, '--model', model, '--dry-run');
        assert.equal(code, 0, err);
        const said = new Set(out.match(/\d[\d,.]*\d|\d/g));
        for (const figure of cells.join(' ').match(/\d[\d,.]*\d|\d/g) ?? []) {
          assert.ok(said.has(figure), `${model}: ${figure} is not in\n${out}`);
        }
      }
    } finally {
      for (const name of Object.keys(keys)) restore(name, before[name]);
      line.dispose();
    }
  });

  it('has a picture of at most 3 MB that moves and is not shipped', () => {
    const picture = 'docs/pictures/tour.png';
    assert.ok(readme.includes(`](${picture})`));
    assert.ok(statSync(picture).size <= 3 * 1024 * 1024);
    const bytes = readFileSync(picture);
    assert.ok(bytes.includes('acTL') && bytes.indexOf('fdAT') > 0, 'an APNG: several frames');
    const shipped = readFileSync('.vscodeignore', 'utf8')
      .split('\n')
      .filter((row) => row.startsWith('!'));
    const ofDocs = shipped.filter((row) => row.startsWith('!docs'));
    assert.deepEqual(ofDocs, ['!docs/!(architecture|mutation).md'], 'of docs/ only pages are shipped');
    assert.ok(readdirSync('docs/pictures').every((name) => !name.endsWith('.md')));
  });

  it('names every setting in docs/settings.md, and no other', () => {
    const all = Object.keys(settingDefaults);
    const named = readFileSync('docs/settings.md', 'utf8')
      .split('\n')
      .flatMap((row) => settingsIn(row.split('|')[1] ?? ''))
      .filter((name) => name.startsWith('whetstone.')); // the options of a run stand there as well
    assert.deepEqual(new Set(named), new Set(all));
    assert.equal(named.length, all.length, 'each once');
  });

  it('points only to files that are there', () => {
    const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, link]) => link ?? '');
    const files = links.filter((link) => !/^https?:/.test(link));
    assert.ok(files.length > 5);
    for (const file of files) assert.ok(readFileSync(file).length > 0, file);
  });
});

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

function sectionOf(text: string, title: string): string {
  const [, after = ''] = text.split(`## ${title}\n`);
  const [section = ''] = after.split(/^## /m);
  assert.ok(section.length > 0, `no section “${title}”`);
  return section;
}

/** In a row `whetstone.caps.runTokens`, `.runUsd` the second is short for `whetstone.caps.runUsd`. */
function settingsIn(cell: string): readonly string[] {
  let group = '';
  return [...cell.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => {
    if (!name.startsWith('.')) group = name.slice(0, name.lastIndexOf('.'));
    return name.startsWith('.') ? `${group}${name}` : name;
  });
}
