import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Overviews } from '../../../src/editor/skills/overviews.js';
import { arranged, everything, tellingFolder } from '../../../src/editor/tree/arrangement.js';
import { SkillsTree } from '../../../src/editor/tree/skillsTree.js';
import { rowsBeneath } from './rowsBeneath.js';
import type { FoundSkill } from '../../../src/editor/skills/discoverSkills.js';
import type { KnownSkill } from '../../../src/editor/tree/skillNode.js';
import { aKnownSkill } from '../../builders/aKnownSkill.js';

const found = (path: string): FoundSkill => ({
  realPath: path,
  paths: [path],
  name: path.split('/').at(-2) ?? '',
  workspaceFolder: '/work',
});
const dates = found('/folder/.claude/skills/dates/SKILL.md');
const mails = found('/folder/.claude/skills/mails/SKILL.md');
const notes = found('/folder/.claude/skills/notes/SKILL.md');
const other = found('/folder/vendor/skills/dates/SKILL.md');
const all = [dates, mails, notes, other];

describe('many skills', () => {
  it('are told apart by their folder where they have the same name', () => {
    assert.deepEqual(
      all.map((skill) => tellingFolder(skill, all)),
      ['.claude/skills', undefined, undefined, 'vendor/skills'],
    );
  });

  it('are filtered by words of their name or folder', () => {
    const shown = (filter: string): readonly string[] =>
      arranged(all, { ...everything, filter }, () => undefined).map(({ realPath }) => realPath);
    assert.deepEqual(shown('DATES'), [dates.realPath, other.realPath]);
    assert.deepEqual(shown('dates vendor'), [other.realPath]);
    assert.deepEqual(
      shown('  '),
      all.map(({ realPath }) => realPath),
    );
    assert.deepEqual(shown('nothing of this'), []);
  });

  it('come in the order of need where the person wants that: what waits, what fails, what lacks tasks', () => {
    const known = new Map<string, KnownSkill>([
      [dates.realPath, withoutDrafts(aKnownSkill({ pending: false }))],
      [mails.realPath, aKnownSkill({ pending: false, tasks: false })],
      [notes.realPath, aKnownSkill({})],
      [other.realPath, { ...aKnownSkill({}), overview: undefined, trouble: 'The file cannot be read.' }],
    ]);
    const order = arranged(all, { ...everything, order: 'attention' }, ({ realPath }) => known.get(realPath));
    assert.deepEqual(order, [notes, other, mails, dates]);
    assert.deepEqual(
      arranged(all, everything, ({ realPath }) => known.get(realPath)),
      all,
    );
  });

  it('are drawn as they are arranged, and the row says which of two it is', async () => {
    const overviews = new Overviews(() => Promise.reject(new Error('nothing is stored yet')));
    const tree = new SkillsTree(
      { skills: () => Promise.resolve(all), onDidChange: new vscode.EventEmitter<void>().event },
      overviews,
      rowsBeneath,
    );
    try {
      const rows = async (): Promise<readonly string[]> =>
        (await tree.getChildren()).map((row) => {
          const { label, description } = row.row();
          return `${label}: ${description}`;
        });
      assert.match((await rows())[0] ?? '', /^dates: \.claude\/skills · /);
      tree.arrange({ filter: 'mails' });
      assert.deepEqual(
        (await rows()).map((row) => row.split(':')[0]),
        ['mails'],
      );
      assert.deepEqual(tree.counts, { shown: 1, all: 4 });
      assert.ok(await tree.branchOf(notes.realPath), 'a filter that hides what is to be shown ends');
    } finally {
      tree.dispose();
      overviews.dispose();
    }
  });
});

function withoutDrafts(known: KnownSkill): KnownSkill {
  const { overview } = known;
  const tasks = overview?.tasks && { ...overview.tasks, drafts: [] };
  return { ...known, overview: overview && { ...overview, tasks } };
}
