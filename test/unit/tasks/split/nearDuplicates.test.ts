import assert from 'node:assert/strict';
import { atOnce } from '../../../../src/tasks/steps.js';
import { type Bond, nearDuplicates as nearDuplicatesInSteps } from '../../../../src/tasks/split/nearDuplicates.js';

const subjects = [
  'tax',
  'pensions',
  'divorce',
  'wills',
  'leases',
  'mergers',
  'patents',
  'visas',
  'debts',
  'claims',
  'contracts',
  'estates',
  'trusts',
  'injury',
  'libel',
];

const nearDuplicates = (tasks: Parameters<typeof nearDuplicatesInSteps>[0]): readonly Bond[] =>
  atOnce(nearDuplicatesInSteps(tasks));

describe('nearDuplicates', () => {
  const together: readonly (readonly [string, string, string])[] = [
    ['case, punctuation and spacing', 'Summarise the incident.', '  summarise THE incident!'],
    [
      'a word of courtesy',
      'Write a summary of the incident report for the board meeting',
      'Please write a summary of the incident report for the board meeting',
    ],
    [
      'a wrapper',
      '(quick one) Write a summary of the incident report for the board',
      'Write a summary of the incident report for the board',
    ],
    ['an article', 'Write a haiku about the autumn leaves', 'Write a haiku about autumn leaves'],
    [
      'a spelling',
      `Explain the colour of the sky to a child who asks about it. ${'Use simple words and short sentences. '.repeat(2)}`,
      `Explain the color of the sky to a child who asks about it. ${'Use simple words and short sentences. '.repeat(2)}`,
    ],
    ['Chinese spacing', '请就遗产提供建议。', '请就 遗产 提供建议'],
    ['full-width letters', 'Ｓｕｍｍａｒｉｓｅ this', 'summarise this'],
  ];
  for (const [name, first, second] of together) {
    it(`sees through ${name}`, () => assert.ok(areTied([first, second, ...unrelated], 0, 1)));
  }

  const apart: readonly (readonly [string, string, string])[] = [
    ['another subject', 'Advise on tax', 'Advise on divorce'],
    ['another direction', 'Convert 5 USD to EUR', 'Convert 5 EUR to USD'],
    ['another number', 'Convert 15 USD to EUR', 'Convert 27 USD to EUR'],
    ['a narrower subject', 'Advise on tax', 'Advise on tax law'],
    ['another Chinese subject', '请就税法提供建议', '请就婚姻提供建议'],
    ['nothing but signs', '???', '!!!'],
  ];
  for (const [name, first, second] of apart) {
    it(`keeps apart what differs in ${name}`, () => assert.ok(!areTied([first, second, ...unrelated], 0, 1)));
  }

  const templates: readonly (readonly [string, (subject: string, index: number) => string])[] = [
    ['a short template', (subject) => `Advise on ${subject}`],
    [
      'a long template',
      (subject) =>
        `Read the request of the client below with care and then advise on ${subject} in at most two hundred words, with a heading and three bullets.`,
    ],
    ['a numbered template', (_, index) => `Advise on topic ${index}`],
    ['a Chinese template', (_, index) => `请阅读客户的请求并就第${index}号主题提供建议，不超过两百字。`],
    [
      'a template with a long common text',
      (subject) => `${'The house style asks for plain words. '.repeat(30)} Advise on ${subject}.`,
    ],
  ];
  for (const [name, text] of templates) {
    it(`does not take fifteen tasks of ${name} for duplicates`, () =>
      assert.deepEqual(nearDuplicates(subjects.map((subject, index) => taskOf(text(subject, index)))), []));
  }

  it('still sees a true duplicate among tasks of one template', () => {
    const texts = [...subjects.map((subject) => `Advise on ${subject}`), 'advise on TAX!'];
    assert.deepEqual(nearDuplicates(texts.map(taskOf)), [[0, 15]]);
  });

  it('takes the same words about different files for different tasks', () => {
    const prompt = 'Summarise the attached file in three sentences for a busy reader';
    assert.deepEqual(
      nearDuplicates([
        { ...taskOf(prompt), files: ['a.txt'] },
        { ...taskOf(prompt), files: ['b.txt'] },
      ]),
      [],
    );
  });

  it('takes different questions about one document for different tasks', () => {
    const context = Array.from({ length: 300 }, (_, index) => `clause${index}`).join(' ');
    const questions = ['Who signed the contract?', 'When does it end?', 'What does the penalty say about delay?'];
    assert.deepEqual(nearDuplicates(questions.map((prompt) => ({ prompt, context, files: [] }))), []);
    const same = ['Who signed the contract?', 'Who has signed the contract?'];
    assert.notDeepEqual(nearDuplicates(same.map((prompt) => ({ prompt, context, files: [] }))), []);
  });

  it('ties many wrappers of one request to it, although what they share looks like a template', () => {
    const request =
      'Summarise the incident report of last Monday for the board in three short sentences and name the cause, the effect and the next step';
    const wrapped = [
      '(quick one) Q',
      'Please: Q',
      'Q, thank you',
      'For the daily report: Q',
      'Hello! Q',
      'Q. It is urgent.',
    ];
    const texts = [request, ...wrapped.map((wrapper) => wrapper.replace('Q', request))];
    for (const index of wrapped.keys()) assert.ok(areTied(texts, 0, index + 1), wrapped[index]);
  });

  it('sees an added article where every word and every pair of words is common', () => {
    const [first, second] = ['Write a haiku about the red sea and the sky', 'Write a haiku about red sea and sky'];
    const pairs = [first, second].flatMap((text) =>
      text
        .split(' ')
        .slice(1)
        .map((word, at) => `${text.split(' ')[at]} ${word}`),
    );
    const common = pairs.flatMap((pair, at) =>
      [1, 2, 3, 4].map((copy) => `own${at}x${copy} ${pair} mine${at}x${copy}`),
    );
    const noise = Array.from({ length: 300 }, (_, at) => `noise${at} the signal${at}`);
    assert.ok(areTied([first, second, ...common, ...noise], 0, 1));
  });
});

const unrelated = [
  'Translate the letter into French',
  'Plan a birthday party for ten children',
  'Find the bug in this function',
];

function taskOf(prompt: string): { prompt: string; context: undefined; files: readonly string[] } {
  return { prompt, context: undefined, files: [] };
}

function areTied(texts: readonly string[], first: number, second: number): boolean {
  return nearDuplicates(texts.map(taskOf)).some((bond) => bond.includes(first) && bond.includes(second));
}
