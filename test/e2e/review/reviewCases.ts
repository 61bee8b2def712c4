import type { StagedSkill } from '../../builders/stageProposal.js';
import { aProposedEdit } from '../../builders/aReviewProposal.js';

const head = (name: string): string =>
  `---\nname: ${name}\ndescription: Turns data files into printed reports.\n---\n\n`;

/** A skill with one change of each kind, each with its reason and its worth. */
export const report: StagedSkill = {
  name: 'pdf-report',
  text: `${head('pdf-report')}# PDF report

1. Read the file.
2. Check the columns.
3. Draw the charts.
4. Lay out the pages with **reportlab**.
5. Save the file next to the input.

\`\`\`python
import pandas as pd
frame = pd.read_csv("data.csv")
\`\`\`

## Tables

Numbers stand to the right, words to the left.
Repeat the header on every page.
Leave no table without a caption.

## Style

- Use the company font.
- Be creative with colours.
- Surprise the reader.
- Keep margins at 2 cm.
- Write captions in full sentences.
- Never use more than three colours.

## Words

Write for people who have five minutes.
Say what the figures mean before you show them.
Leave out what nobody asked for.

## Delivery

Name the file after the input.
`,
  edits: [
    aProposedEdit(
      {
        op: 'replace',
        anchor: '3. Draw the charts.',
        content:
          '3. Draw at most four charts, and label both axes of each one with its unit, so that a page can be read alone.',
        rationale:
          'Three of five failing tasks asked for axis units and got none. Naming the limit also keeps reports short.',
      },
      {
        id: 'E1',
        worth: { kind: 'measured', effect: 0.18, interval: [0.06, 0.29], group: [] },
        lessonsFrom: ['chart-units', 'sales-by-month', 'two-series'],
      },
    ),
    aProposedEdit(
      {
        op: 'insert_after',
        anchor: '5. Save the file next to the input.',
        content:
          '6. Render page 1 to PNG and look at it.\n   - If a table is cut off, reduce the column widths.\n   - If a chart has no axis labels, add them.',
        rationale: 'Cut-off tables were never noticed, because nobody looked at the result.',
      },
      { id: 'E2', source: 'contrast', lessonsFrom: ['wide-table'] },
    ),
    aProposedEdit(
      {
        op: 'delete',
        anchor: '- Be creative with colours.\n- Surprise the reader.',
        rationale: 'It works against “never more than three colours” below.',
      },
      { id: 'E3', source: 'success', lessonsFrom: [] },
    ),
  ],
};

export const deletionAtTheEnd: StagedSkill = {
  name: 'csv-clean',
  text: `${head('csv-clean')}# CSV clean\n\nRead the file.\n\n- Do not guess types.\n- Report counts.\n\nOld footer line to delete.\nSecond old footer line.\n`,
  edits: [
    { op: 'delete', anchor: 'Old footer line to delete.\nSecond old footer line.', rationale: 'It says nothing.' },
  ],
};

export const firstLine: StagedSkill = {
  name: 'plain-notes',
  text: '# Notes\n\nWrite notes.\n\nKeep them short.\n\nDate every note.\n',
  edits: [{ op: 'replace', anchor: '# Notes', content: '# Notes of meetings', rationale: 'The title was too wide.' }],
};

export const lastLine: StagedSkill = {
  name: 'last-line',
  text: `${head('last-line')}# Last\n\nFirst this.\n\nThen that.\n\nNo line break after this`,
  edits: [
    {
      op: 'replace',
      anchor: 'No line break after this',
      content: 'Still no line break after this',
      rationale: 'Clearer.',
    },
  ],
};

export const windows: StagedSkill = {
  name: 'windows',
  text: `${head('windows')}# Windows\n\nUse the local order.\n\nName the month.\n`.replaceAll('\n', '\r\n'),
  edits: [
    { op: 'replace', anchor: 'Name the month.', content: 'Name the month in full.', rationale: 'Readers asked.' },
  ],
};

export const chinese: StagedSkill = {
  name: '日期-格式',
  text: `${head('日期-格式')}# 日期格式\n\n日期按照当地的习惯书写。\n\n- 月份写成数字。\n- 年份不要省略。\n\n遇到含糊的日期时先询问。\n`,
  edits: [
    {
      op: 'replace',
      anchor: '日期按照当地的习惯书写。',
      content: '日期一律写成 ISO 8601 格式，例如 2026-03-17，这样不同地区的读者都不会误解日和月的顺序。',
      rationale: '五个任务中有三个因为日月顺序含糊而失败。统一格式可以避免误解。',
    },
    { op: 'append', content: '写出时区。', rationale: '两个任务需要时区。' },
  ],
};

const paragraphs = 1_490;

/** 3,000 lines and 40 changes spread over them. */
export const huge: StagedSkill = {
  name: 'huge',
  text: `${head('huge')}# Huge\n\n${Array.from({ length: paragraphs }, (_, index) => `Rule ${index} of this skill says what to do in case ${index}.\n`).join('\n')}`,
  edits: Array.from({ length: 40 }, (_, index) => ({
    op: 'replace' as const,
    anchor: `Rule ${index * 37} of this skill says what to do in case ${index * 37}.`,
    content: `Rule ${index * 37} of this skill says precisely what to do in case ${index * 37}, and why.`,
    rationale: `Case ${index * 37} was not clear.`,
  })),
};
