import assert from 'node:assert/strict';
import type { WorkEntry } from '../../../../../src/ports/agentWork.js';
import { withoutSkill } from '../../../../../src/storage/programs/workplace/withoutSkill.js';
import { treeOf } from '../../../../../src/storage/programs/workplace/workTree.js';
import { aWorkTree } from '../../../../builders/aWorkTree.js';

const text = '---\nname: dates\ndescription: Dates.\n---\n\nWrite dates as 2026-01-31, always.\n';
const guide = '# Guide\n\nA day has two digits and a year has four.\n';
const skill = { name: 'dates', files: aWorkTree({ 'SKILL.md': text, 'references/guide.md': guide, empty: '' }) };

/** Every place that an answer or a copy of the skill could lie in. */
const planted: Readonly<Record<string, string>> = {
  'evals/evals.json': 'answer',
  'deep/in/Evals/answers.txt': 'answer',
  '.whetstone/proposals/x.json': 'answer',
  '.claude/skills/dates/SKILL.md': 'no front matter',
  '.claude/skills/dates/scripts/run.sh': 'answer',
  '.agents/skills/dates/x.txt': 'answer',
  '.codex/skills/Dates/x.txt': 'answer',
  '.opencode/skill/dates/x.txt': 'answer',
  '.gemini/skills/dates/x.txt': 'answer',
  '.github/skills/dates/x.txt': 'answer',
  'plugins/a/skills/dates/x.txt': 'answer',
  'other/place/SKILL.md': '---\nname: "Dates"\n---\nAn older version.\n',
  'other/place/references/old.md': 'answer',
  'docs/copy.md': `\uFEFF${text.replaceAll('\n', '\r\n')}`,
  'docs/older.md': '---\nname: dates\n---\nAn older version.\n',
  'docs/renamed.txt': `${guide}\n\n`,
  'dist/dates.skill': 'packed',
  'dist/dates.zip': 'packed',
};

const kept: Readonly<Record<string, string>> = {
  'src/dates.ts': 'export {};',
  'src/empty': '',
  '.claude/skills/times/SKILL.md': '---\nname: times\n---\nTimes.\n',
  'docs/evals.md': 'What evals are.',
  'dates/readme.md': 'A folder of that name is nobody’s skill.',
};

describe('what an attempt starts from', () => {
  it('has no answer and no copy of the skill, wherever it lay', () => {
    const cleaned = withoutSkill(aWorkTree({ ...planted, ...kept }), skill);
    assert.deepEqual(
      cleaned.entries.map(({ path }) => path),
      Object.keys(kept).toSorted(),
    );
    const alone = Object.keys(planted).filter((name) => {
      const one = aWorkTree({ [name]: planted[name] ?? '', 'src/a.ts': 'a' });
      return withoutSkill(one, skill).entries.some(({ path }) => path === name);
    });
    assert.deepEqual(alone, ['other/place/references/old.md']); // given away by the file beside it alone
  });

  it('keeps all around a skill that is the root, and no link that led to what is gone', () => {
    const files = aWorkTree({ 'SKILL.md': text, 'src/a.ts': 'a', '.claude/skills/dates/x': 'x' }).entries;
    const links = [
      link('here', 'src/a.ts'),
      link('lost', '.claude/skills/dates'),
      link('src/again', '../lost'),
      link('src/up', '..'),
    ];
    const cleaned = withoutSkill(treeOf([...files, ...links, link('folder', './src/')]), skill);
    assert.deepEqual(
      cleaned.entries.map(({ path }) => path),
      ['folder', 'here', 'src/a.ts'],
    );
    assert.notEqual(cleaned.hash, treeOf([...files, ...links]).hash);
  });
});

function link(path: string, to: string): WorkEntry {
  return { kind: 'link', path, to };
}
