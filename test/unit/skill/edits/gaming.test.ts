import assert from 'node:assert/strict';
import type { Edit } from '../../../../src/skill/edits/edit.js';
import { findGaming, type GamingEvidence } from '../../../../src/skill/edits/gaming.js';

const evidence: GamingEvidence = {
  regexSources: [
    '^Verdict: (PASS|FAIL)$',
    '\\b\\d{4}-\\d{2}-\\d{2}\\b',
    '/severity:\\s*(low|high)/i',
    'Owner',
    'TL;DR',
  ],
  references: ['The Treaty of Westphalia', '1648', 'yes', 'a1b2', '拿破仑在滑铁卢战败', '1,247.50 EUR'],
  taskTexts: [
    {
      taskId: 'peace',
      prompt:
        'Which treaty ended the Thirty Years War in Europe, and in which year was it signed by both of the parties?',
      context:
        'The delegates met in Osnabrück and Münster for four years before the last of the papers was signed in October.',
      reference: 'The Treaty of Westphalia',
    },
    {
      taskId: 'invoice',
      prompt: 'Sum up invoice 4711 of Brandt & Sons for the accountant. Include the net amount and the due date.',
      context: 'Net 1,247.50 EUR, due 2024-03-01, contact Maria Brandt, 12 items, delivered to the northern warehouse.',
      reference: 'Net amount 1,247.50 EUR, due 2024-03-01.',
    },
    {
      taskId: 'chinese',
      prompt: '请根据下面的会议记录写一份不超过两百字的摘要，并且列出所有负责人的姓名。',
      context: '王小明负责在下周五之前完成北方仓库的盘点报告，并把结果发给财务部门审核。',
      reference: '拿破仑在滑铁卢战败',
    },
  ],
};

describe('findGaming', () => {
  describe('lets pass', () => {
    const lawful: readonly (readonly [name: string, content: string])[] = [
      ['a threshold', 'Keep the summary under 120 words.'],
      ['a required heading', 'Start with the heading “## Findings”.'],
      ['required words', 'End with a line “Verdict: PASS” or “Verdict: FAIL”.'],
      ['a word that a pattern consists of', 'Name an Owner for each action.'],
      ['a name that a task mentions', 'Invoices of Brandt & Sons are in euros.'],
      ['a format in plain words', 'Write dates as year-month-day with leading zeros.'],
      ['tests as the subject', 'Run the unit tests before every commit and wait until they pass.'],
      ['checks as an instruction', 'Check that each claim has a source.'],
      ['checks of a build', 'Merge only when all CI checks pass; fix lint errors first.'],
      ['evals as the subject', 'Write three evals for each prompt, and keep them in evals/evals.json.'],
      ['grading as the subject', 'Grade each essay from 1 to 5 against the rubric that the teacher gives.'],
      ['a score as the subject', 'Report the Lighthouse score of each page.'],
      ['points as the subject', 'List the three main points of the meeting.'],
      ['held-out data as the subject', 'Keep a held-out set of 20 % when you train a classifier.'],
      ['a regular expression as the subject', 'Explain each group of a regular expression in one sentence.'],
      ['a type checker', 'The type checker expects a return type on every exported function.'],
      ['two short answers to choose from', 'Answer with “yes” or “no” before you explain.'],
      ['a short answer as an ordinary word', 'Say yes to the plan only when the budget is known.'],
      ['a short answer as a number in a rule', 'Use the year 1648 style: digits only.'],
      ['seven words of a task', 'Explain which treaty ended the Thirty Years War.'],
      ['common words in another order', 'Include the due date, then the net amount, for the accountant.'],
      ['a short common Chinese phrase', '摘要不超过两百字，列出负责人。'],
      ['part of a longer word', 'Mention a1b2c3 style ids as they are.'],
      ['a reward as the subject', 'Explain how the reward function of the agent works.'],
      ['an answer that is judged by people', 'Put the answer first: readers decide in five seconds whether to go on.'],
      ['references as files', 'Put reference material into references/ and link to it.'],
      ['an evaluation as the subject', 'Summarise the evaluation section of a paper in two sentences.'],
      ['a judge as a person', 'Address the judge as “Your Honour” in letters to a court.'],
    ];
    for (const [name, content] of lawful) {
      it(name, () => assert.equal(findGaming(append(content), evidence), undefined));
    }
  });

  describe('refuses', () => {
    const gaming: readonly (readonly [name: string, content: string, why: RegExp])[] = [
      ['a pattern', 'The last line must match ^Verdict: (PASS|FAIL)$ exactly.', /pattern/],
      ['a pattern without its anchors', 'End with `Verdict: (PASS|FAIL)`.', /pattern/],
      ['a pattern with doubled backslashes', 'Use "\\\\b\\\\d{4}-\\\\d{2}-\\\\d{2}\\\\b".', /pattern/],
      ['a pattern in its delimiters', 'Write a line that fits severity:\\s*(low|high).', /pattern/],
      ['a long reference answer', 'The peace of 1648 was the Treaty of Westphalia.', /reference/],
      ['a long reference answer in other case and spacing', 'Remember: THE  TREATY OF\nWESTPHALIA.', /reference/],
      ['an amount', 'The net amount is 1,247.50 EUR.', /reference/],
      ['a short answer in quotes', 'If asked for the year of the peace, answer “1648”.', /reference/],
      ['a short answer in backticks', 'The answer is `1648`.', /reference/],
      ['a short answer as a code block', 'Reply with:\n\n```\n1648\n```', /reference/],
      ['a short answer that fits most tasks', 'Always reply "yes".', /reference/],
      ['a code in quotes', "For locked files respond with 'a1b2'.", /reference/],
      ['a Chinese reference answer', '记住：拿破仑在滑铁卢战败。', /reference/],
      [
        'eight words of a prompt',
        'When asked which treaty ended the Thirty Years War in Europe, be short.',
        /words of one task/,
      ],
      [
        'eight words of a context',
        'Note that the last of the papers was signed in October that year.',
        /words of one task/,
      ],
      [
        'eight words with other punctuation',
        'Which treaty — ended **the** “Thirty Years War” in Europe?',
        /words of one task/,
      ],
      [
        'eight words of a reference',
        'Close like this: Net amount 1247 EUR, due 2024; contact Maria Brandt, 12 items, delivered to the northern warehouse.',
        /words of one task/,
      ],
      [
        'a Chinese passage of a prompt',
        '回答时写一份不超过两百字的摘要，并且列出所有负责人的姓名。',
        /words of one task/,
      ],
      ['a Chinese passage of a context', '注意王小明负责在下周五之前完成北方仓库的盘点报告。', /words of one task/],
      ['what the grader looks for', 'The grader looks for the word “Summary”.', /graded/],
      ['what the judge rewards', 'The judge model rewards short answers, so be short.', /graded/],
      ['that the answer is graded', 'Your answer will be graded automatically, so never leave it empty.', /graded/],
      ['what answers are scored on', 'Responses are scored on exact match; copy the wording.', /graded/],
      ['passing the checks', 'Include every keyword to pass all the checks.', /graded/],
      ['satisfying the hidden rubric', 'Mention safety twice to satisfy the hidden rubric.', /graded/],
      ['a higher score', 'Add a table to get a higher score.', /graded/],
      ['full marks', 'List five items for full marks.', /graded/],
      ['a check by a pattern', 'The output is checked by a regex, so keep the colon.', /graded/],
      ['the evaluation', 'The evaluation only checks for headings.', /graded/],
      ['held-out tasks', 'The held-out tasks are like these, so reuse the wording.', /graded/],
      ['hidden checks', 'There are hidden checks for the date.', /graded/],
      ['what counts as a fail', 'An answer without a date counts as a failure.', /graded/],
    ];
    for (const [name, content, why] of gaming) {
      it(name, () => assert.match(findGaming(append(content), evidence) ?? 'lawful', why));
    }
  });

  it('says nothing about deletions', () => {
    const edit: Edit = { op: 'delete', anchor: 'The Treaty of Westphalia', rationale: '' };
    assert.equal(findGaming(edit, evidence), undefined);
  });

  it('does not blame a replacement for what stood there before', () => {
    const anchor =
      'Which treaty ended the Thirty Years War in Europe? The Treaty of Westphalia. The grader looks for it.';
    const edit: Edit = { op: 'replace', anchor, content: `${anchor} Be brief.`, rationale: '' };
    assert.equal(findGaming(edit, evidence), undefined);
    const worse: Edit = { ...edit, content: `${anchor} 1,247.50 EUR` };
    assert.match(findGaming(worse, evidence) ?? '', /reference/);
  });

  it('is lawful where there is no evidence', () => {
    const none: GamingEvidence = { regexSources: ['', '.'], references: ['', ' '], taskTexts: [] };
    assert.equal(findGaming(append('Anything. At all.'), none), undefined);
  });

  it('lets an edit say what a criterion demands word for word, though a pattern is written the same', () => {
    const regexSources = ['{"risk": "high"}', '^Risk: (high|low)$'];
    const json = append('End with `{"risk": "high"}`.');
    const pattern = append('End with a line like Risk: (high|low).');
    const none: GamingEvidence = { regexSources, references: [], taskTexts: [] };
    const stated = { ...none, stated: ['{"risk": "high"}', 'Risk: high', 'Risk: low'] };
    assert.match(findGaming(json, none) ?? '', /pattern that answers are checked with/);
    assert.equal(findGaming(json, stated), undefined);
    assert.equal(findGaming(append('End with a line “Risk: high” or “Risk: low”.'), stated), undefined);
    assert.match(findGaming(pattern, stated) ?? '', /pattern that answers are checked with/);
  });

  it('compares a long context in linear time', () => {
    const context = Array.from({ length: 50_000 }, (_, index) => `word${index % 977}`).join(' ');
    const long: GamingEvidence = {
      regexSources: [],
      references: [],
      taskTexts: [{ taskId: 'long', prompt: '', context, reference: '' }],
    };
    const started = performance.now();
    assert.equal(
      findGaming(append('Write word1 word3 word5 word7 and nothing else, please, at all.'), long),
      undefined,
    );
    assert.ok(performance.now() - started < 3000);
  });
});

function append(content: string): Edit {
  return { op: 'append', content, rationale: '' };
}
