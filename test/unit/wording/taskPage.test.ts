import assert from 'node:assert/strict';
import type { WorkEvent } from '../../../src/ports/agentWork.js';
import { answersPage, pageHtml, taskPage, type PageAnswer, type PageTask } from '../../../src/wording/taskPage.js';
import { simulatedNote } from '../../../src/wording/taskWords.js';

const view: PageTask = {
  task: {
    id: 'greet-ada',
    prompt: 'Greet **Ada**.',
    expectations: [],
    environment: 'chat',
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
  answers: [
    {
      under: 'skill',
      passed: false,
      answer: '# Hello',
      checks: [{ criterion: 'The answer contains “harbour”.', outcome: 'fail', reason: 'It does not.' }],
    },
  ],
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
      '✗ The answer contains “harbour”. Failed: It does not.',
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
  const answers: readonly PageAnswer[] = [
    {
      title: 'Without the skill: failed',
      checks: [
        { criterion: 'It says “harbour”.', outcome: 'fail', reason: 'There is no “harbour”.' },
        { criterion: 'It is short.', outcome: 'not-run', reason: 'the attempt gave no result.' },
      ],
      answer: '| a |\n|---|\n| 1 |',
    },
    {
      title: 'With the skill: passed',
      checks: [
        { criterion: 'It says “harbour”.', outcome: 'pass', reason: '' },
        { criterion: 'It is short.', outcome: 'unknown', reason: 'graded' },
      ],
      answer: '<b>harbour</b>',
    },
  ];

  it('has the task on top and both answers as their author meant them to look, side by side', () => {
    const body = answersPage({ id: 'one', prompt: 'Greet Ada' }, answers, []);
    assert.ok(body.indexOf('Greet Ada') < body.indexOf('Without the skill: failed'));
    assert.match(
      body,
      /<div class="columns"><article>[\s\S]*<table>[\s\S]*<\/article>\n<article>[\s\S]*&lt;b&gt;harbour/,
    );
    const text = textOf(body);
    for (const words of [
      '✗ It says “harbour”. Failed: There is no “harbour”.',
      '? It is short. Not checked: the attempt gave no result.',
      '✓ It says “harbour”. Passed.',
      '? It is short. Not known: graded',
    ])
      assert.ok(text.includes(words), words);
  });

  const ls: WorkEvent = { kind: 'tool', name: 'Bash', input: '', output: '<b>a.txt</b>', command: 'ls <dir>' };
  const [plain, skilled] = answers;
  assert.ok(plain !== undefined && skilled !== undefined);

  it('shows beside each answer what an agent did and changed, and nothing of it as HTML', () => {
    const diff = 'diff --git a/<i>.md b/<i>.md\n@@ -1 +1 @@\n one\n+<i>\n-two\nignored: <u>\n';
    const worked = { ...skilled, work: { events: [ls], diff } };
    const body = answersPage({ id: 'one', prompt: '' }, [{ ...plain, work: { events: [], diff: '' } }, worked], []);
    assert.match(body, /What it changed<\/h4><p class="note">Nothing\./);
    assert.match(body, /<summary><span class="label">Command<\/span> <code>ls &lt;dir&gt;<\/code><\/summary><pre/);
    assert.match(body, /tabindex="0" role="region" aria-label="Command: ls &lt;dir&gt;">&lt;b&gt;a\.txt/);
    assert.match(body, /<figcaption>&lt;i&gt;\.md \(changed\)<\/figcaption><pre class="diff" tabindex="0"/);
    assert.match(
      body,
      /class="same"> one<\/span>\n<span class="added">\+&lt;i&gt;<\/span>\n<span class="removed">-two</,
    );
    assert.match(body, /<p class="note">ignored: &lt;u&gt;/);
  });

  it('lays the same steps of two attempts beside each other', () => {
    const skill: WorkEvent = { kind: 'skill', name: 's', how: 'tool' };
    const worked = [[ls], [skill, ls]].map((events) => ({ ...plain, work: { events, diff: '' } }));
    const body = answersPage({ id: 'one', prompt: '' }, worked, []);
    const kinds = [...body.matchAll(/<li class="(gap|skill|command)"/g)].map(([, kind]) => kind);
    assert.deepEqual(kinds, ['gap', 'command', 'skill', 'command']);
    assert.equal(body.match(/<li class="gap" aria-hidden="true"><\/li>/g)?.length, 1);
  });

  it('begins at the step that was asked for, which is open and marked, or at what was changed', () => {
    const skill: WorkEvent = { kind: 'skill', name: 's', how: 'tool' };
    const long: WorkEvent = { ...ls, command: 'ls two' };
    const [one, two] = [[ls], [skill, ls, long]].map((events) => ({ ...plain, work: { events, diff: '' } }));
    assert.ok(one !== undefined && two !== undefined);
    const at = (wanted: PageAnswer['wanted']): readonly string[] => {
      const body = answersPage({ id: 'one', prompt: '' }, [one, { ...two, wanted }], []);
      return [
        ...body.matchAll(/<(\w+) class="(?:\w+ )?wanted">(?:<details open><summary>)?([^]*?)<\/(?:summary|h\d)>/g),
      ].map(([, tag, text = '']) => `${tag} ${textOf(text).trim()}`);
    };
    // Steps that only one attempt has leave gaps: the number is that of the attempt itself.
    assert.deepEqual(at(2), ['li Command ls two']);
    assert.deepEqual(at('changes'), ['h4 What it changed']);
    assert.deepEqual(at('start'), ['h3 Without the skill: failed']);
    assert.deepEqual(at(undefined), []);
    assert.match(pageHtml('one', '', { nonce: 'n0', language: 'en' }), /\.wanted \{ scroll-initial-target: nearest;/);
  });

  it('says above them where the simulated model made the attempts', () => {
    assert.match(
      textOf(answersPage({ id: 'one', prompt: '', note: simulatedNote() }, answers, [])),
      /Simulated model: /,
    );
    assert.doesNotMatch(textOf(answersPage({ id: 'one', prompt: '' }, answers, [])), /Simulated model/);
  });

  it('cuts no line of a difference, and no step that can be opened', () => {
    const line = `+${'word '.repeat(2_000)}end`;
    const events: readonly WorkEvent[] = [{ kind: 'assistant', text: `${'x'.repeat(9_000)} last` }];
    const answer = { ...plain, work: { events, diff: `diff --git a/a b/a\n@@ -1 +1 @@\n${line}` } };
    const body = answersPage({ id: 'one', prompt: '' }, [answer], []);
    assert.ok(body.includes(`>${line}</span>`));
    assert.match(body, /x last<\/pre>/);
  });

  it('runs no script, loads nothing, and lets no name out of its place', () => {
    const page = pageHtml('"><script>x</script>', answersPage({ id: '<i>', prompt: '' }, [], []), {
      nonce: 'n0',
      language: 'en',
    });
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
