import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
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
      // The composition root adds the server, which the command line itself does not know.
      const wanted = [...new Set([...there, 'serve-simulated'])].filter((name) => name !== 'help');
      assert.deepEqual(new Set(named), new Set(wanted));
      assert.equal(named.length, wanted.length, 'each once');
    } finally {
      line.dispose();
    }
  });

  it('names every setting, and no other', () => {
    const all = Object.keys(settingDefaults);
    const named = sectionOf(readme, 'Settings')
      .split('\n')
      .flatMap((row) => settingsIn(row.split('|')[1] ?? ''));
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
