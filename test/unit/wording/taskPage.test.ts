import assert from 'node:assert/strict';
import { answersPage, pageHtml, taskPage, type PageTask } from '../../../src/wording/taskPage.js';

const view: PageTask = {
  task: {
    id: 'greet-ada',
    prompt: 'Greet **Ada**.',
    context: undefined,
    expectedOutput: undefined,
    files: [],
    tags: [],
  },
  state: 'confirmed',
  reason: undefined,
  judgedBy: ['The answer contains “harbour”.'],
  moves: {
    side: 'training',
    together: ['greet-bob'],
    to: [
      { side: 'heldOut', refused: 'A run has already learned from it.' },
      { side: 'sealed', refused: undefined },
    ],
  },
  answers: [{ under: 'skill', passed: false, answer: '# Hello', checks: [{ name: 'contains', pass: false }] }],
};

describe('the page of a task', () => {
  it('says whether it counts, what is asked, what is expected, where it may go and how it was answered', () => {
    const text = textOf(taskPage(view, [{ label: 'Try', href: 'command:whetstone.tryTask?x' }], 'today 03:17'));
    for (const words of [
      'greet-ada',
      'Confirmed · Training',
      'Try',
      'Cannot move to Held-out. A run has already learned from it.',
      'Moves together with greet-bob: one origin, or almost the same text.',
      'Greet Ada.',
      'The answer contains “harbour”.',
      'Last answers, today 03:17',
      'With the skill: failed',
      '✗ The answer contains “harbour”.',
      'Hello',
    ])
      assert.ok(text.includes(words), words);
  });

  const states: readonly (readonly [PageTask['state'], string | undefined, string])[] = [
    ['draft', undefined, 'Draft, counts once you confirm it · Training'],
    ['disabled', undefined, 'Disabled, does not count · Training'],
    ['set-aside', 'Too close.', 'Set aside: Too close.'],
    ['broken', 'No check.', 'Cannot be used: No check.'],
  ];
  for (const [state, reason, words] of states) {
    it(`says of a task that is ${state}: ${words}`, () =>
      assert.ok(textOf(taskPage({ ...view, state, reason }, [], undefined)).includes(words)));
  }

  it('leaves out what there is not', () => {
    const bare = taskPage({ ...view, answers: [], judgedBy: [] }, [], undefined);
    for (const words of ['Last answers', 'Context', 'Files', 'Tags', '<nav>', 'A good answer'])
      assert.ok(!bare.includes(words), words);
  });
});

describe('the page of two answers', () => {
  const answers = [
    {
      title: 'Without the skill: failed',
      checks: [{ pass: false, text: 'contains: no “harbour”' }],
      answer: '| a |\n|---|\n| 1 |',
    },
    { title: 'With the skill: passed', checks: [{ pass: undefined, text: 'graded' }], answer: '<b>harbour</b>' },
  ];

  it('has the task on top and both answers as their author meant them to look, side by side', () => {
    const body = answersPage({ id: 'one', prompt: 'Greet Ada' }, answers, []);
    assert.ok(body.indexOf('Greet Ada') < body.indexOf('Without the skill: failed'));
    assert.match(
      body,
      /<div class="columns"><article>[\s\S]*<table>[\s\S]*<\/article>\n<article>[\s\S]*&lt;b&gt;harbour/,
    );
    assert.match(body, /✗ contains: no “harbour”[\s\S]*\? graded/);
  });

  it('shows beside each answer what an agent did and changed, and nothing of it as HTML', () => {
    const steps = [
      { did: 'ls', result: '<b>a.txt</b>' },
      { did: 'On it.', result: '' },
    ];
    const [first, second] = answers.map((answer, at) => ({
      ...answer,
      steps: at === 0 ? [] : steps,
      diff: at === 0 ? '' : '+<i>\n-two\n@@',
    }));
    assert.ok(first !== undefined && second !== undefined);
    const body = answersPage({ id: 'one', prompt: '' }, [first, second], []);
    assert.match(body, /What the agent did<\/h4><p class="note">Nothing\./);
    assert.match(body, /<summary><code>ls<\/code><\/summary><pre>&lt;b&gt;a\.txt/);
    assert.match(body, /<li><code>On it\.<\/code><\/li>/);
    assert.match(body, /class="added">\+&lt;i&gt;<\/span>\n<span class="removed">-two<\/span>\n<span class="about">@@/);
  });

  it('runs no script, loads nothing, and lets no name out of its place', () => {
    const page = pageHtml('"><script>x</script>', answersPage({ id: '<i>', prompt: '' }, [], []), 'n0');
    assert.match(page, /content="default-src 'none'; style-src 'nonce-n0'; base-uri 'none'; form-action 'none'"/);
    assert.doesNotMatch(page, /<script|<i>/);
  });
});

function textOf(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(' .', '.');
}
