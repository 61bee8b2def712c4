import assert from 'node:assert/strict';
import { rationaleLabel, rationaleMarkdown, showAnswersCommand } from '../../../src/wording/rationale.js';
import type { HunkOrigin } from '../../../src/review/openChange.js';
import type { ReviewedHunk } from '../../../src/review/reviewHunks.js';
import type { Proposal, ProposedEdit } from '../../../src/ports/proposal.js';
import { aProposedEdit, aReviewDocument, aReviewProposal, someFigures } from '../../builders/aReviewProposal.js';

const edit = aProposedEdit(
  { op: 'append', content: 'Use ISO dates.', rationale: 'Three tasks wanted *ISO* dates.' },
  { lessonsFrom: ['t1', 't2'], worth: { kind: 'measured', effect: 0.18, interval: [0.06, 0.29], group: [] } },
);
const other = aProposedEdit({ op: 'append', content: 'Say the zone.', rationale: 'It was missing.' }, { id: 'E2' });
const proposal = aReviewProposal([aReviewDocument('# Dates\n', [edit, other])]);

describe('the rationale of a change', () => {
  it('says why, what it is worth and where the lesson came from', () => {
    const text = shown({ edits: [edit] });
    assert.match(text, /^\*\*Why:\*\* Three tasks wanted \\\*ISO\\\* dates\\\. {2}$/m);
    assert.match(text, /\*\*Worth:\*\* \+18 points on training tasks, 95 % between \+6 and \+29  /);
    assert.match(text, /\*\*Learned from\*\* 2 failed training tasks: `t1`, `t2`/);
    assert.doesNotMatch(text, /decided together/);
  });

  it('names the others that an edit was measured with', () => {
    const worth = { kind: 'measured', effect: 0.18, interval: [0.06, 0.29], group: ['E4'] } as const;
    const text = shown({ edits: [{ ...edit, worth }] });
    assert.match(text, /\+18 points on training tasks, 95 % between \+6 and \+29, together with E4  /);
  });

  it('links each task that got better or worse to its two answers, and credits no single edit with it', () => {
    const text = shown({ edits: [edit] });
    assert.match(text, /\*\*Held-out tasks, all 2 edits together:\*\*/);
    assert.match(text, /better: \[`t3`\]\(command:whetstone\.showAnswers\?/);
    const [, argument = ''] = /command:whetstone\.showAnswers\?(\S+)/.exec(text) ?? [];
    assert.deepEqual(JSON.parse(decodeURIComponent(argument)), [{ skillPath: '/w/SKILL.md', taskId: 't3' }]);
    assert.match(text, /worse: `t9`$/m, 'a task whose answers are not kept is no link');
  });

  it('says which characters nobody would see, and writes out those of the reason', () => {
    const hidden = { ...edit, edit: { ...edit.edit, rationale: 'Short.\u200b\u{e0041}' } };
    const hunk = { ...aHunk(proposed([hidden])), hidden: ['U+200B', 'U+202E'] };
    const text = rationaleMarkdown(hunk, { proposal, skillPath: '/w/SKILL.md' });
    assert.match(text, /characters that nobody would see: U\+200B, U\+202E\./);
    assert.match(text, /Short\\\.‹U\\\+200B›‹U\\\+E0041›/);
  });

  it('ends no link where a folder is called so', () => {
    const skillPath = '/w/a) ![x](https://evil.example/y.png)/SKILL.md';
    const text = rationaleMarkdown(aHunk(proposed([edit])), { proposal, skillPath });
    const [, argument = ''] = /command:whetstone\.showAnswers\?([^\s()]+) "/.exec(text) ?? [];
    assert.deepEqual(JSON.parse(decodeURIComponent(argument)), [{ skillPath, taskId: 't3' }]);
    assert.doesNotMatch(text, /!\[/);
  });

  it('gives each of several edits its own reason', () => {
    const text = shown({ edits: [edit, other] });
    assert.match(text, /^E1, E2 can only be decided together: they change the same lines, or one stands/m);
    assert.match(text, /^\*\*E1:\*\* Three/m);
    assert.match(text, /^\*\*E2:\*\* It was missing/m);
    assert.match(text, /not measured singly/);
  });

  it('names the environment that proposed an edit, which may be called anything', () => {
    const own = { ...edit, source: 'environment', environment: 'post](command:x) office' } as const;
    assert.match(shown({ edits: [own] }), /\*\*Learned from\*\* what the environment `post··command:x· office` saw/);
  });

  it('admits that there is no reason', () => {
    assert.match(shown({ edits: [{ ...edit, edit: { ...edit.edit, rationale: '' } }] }), /gave no reason/);
  });

  it('holds no figure of a proposal that was not measured here', () => {
    const elsewhere = aReviewProposal(proposal.documents, {
      verdict: { kind: 'unmeasured', cause: 'made-elsewhere', reason: 'Made elsewhere, not measured here.' },
    });
    assert.doesNotMatch(shown({ edits: [other] }, elsewhere), /Held-out|%/);
  });

  it('runs one command of ours and nothing else, whatever tasks and models are called', () => {
    const nasty = '](command:workbench.action.quit) [x';
    const text = shown(
      { edits: [{ ...edit, lessonsFrom: [nasty], edit: { ...edit.edit, rationale: nasty } }] },
      aReviewProposal(proposal.documents, {
        verdict: { kind: 'accepted', reason: '', figures: someFigures({ fixed: [nasty], regressed: ['`a`'] }) },
        answers: { [nasty]: ['a', 'b'] },
      }),
    );
    const targets = [...text.matchAll(/(?<!\\)\]\((\S+)/g)].map(([, target]) => target ?? '');
    assert.equal(targets.length, 1);
    assert.ok(targets[0]?.startsWith(`command:${showAnswersCommand}?`), targets[0]);
  });

  it('shows at most eight tasks', () => {
    const fixed = Array.from({ length: 12 }, (_, index) => `task${index}`);
    const verdict = { kind: 'accepted', reason: '', figures: someFigures({ fixed, regressed: [] }) } as const;
    const text = shown({ edits: [{ ...edit, lessonsFrom: fixed }] }, aReviewProposal(proposal.documents, { verdict }));
    assert.equal(text.match(/task7/g)?.length, 2);
    assert.doesNotMatch(text, /task8/);
    assert.equal(text.match(/4 more/g)?.length, 2);
  });

  it('labels the simulated model', () => {
    const models = { target: 's', optimizer: 's', judge: 's', simulated: true };
    assert.match(shown({ edits: [edit] }, aReviewProposal(proposal.documents, { models })), /simulated model/);
  });

  const notes: readonly (readonly [string, Partial<ReviewedHunk>, HunkOrigin, RegExp])[] = [
    ['the person’s words', {}, { kind: 'yours' }, /You wrote this.*Nobody has measured it/],
    ['the person’s change of the file', {}, { kind: 'file' }, /leaves it as it is/],
    ['what nobody explains', {}, { kind: 'unexplained' }, /none of its edits says so/],
    ['edited words', {}, { ...proposed([edit]), edited: true }, /figures are about another text/],
    ['smuggled words', {}, { ...proposed([edit]), saysMore: true }, /words that none of its edits says/],
    ['lines that the person changed', { overwrites: true }, proposed([edit]), /takes your words away/],
  ];
  for (const [name, more, origin, expected] of notes) {
    it(`speaks of ${name}`, () => {
      const text = rationaleMarkdown({ ...aHunk(origin), ...more }, { proposal, skillPath: '/w/SKILL.md' });
      assert.match(text.replaceAll('\n', ' '), expected);
    });
  }

  const labels: readonly (readonly [HunkOrigin, string])[] = [
    [proposed([edit]), 'E1 adds · +38 tokens'],
    [{ ...proposed([edit, other]), edited: true }, '2 additions (E1, E2) · +38 tokens · edited by you'],
    [{ kind: 'yours' }, 'Written by you · +38 tokens'],
    [{ kind: 'file' }, 'You changed the file here'],
    [{ kind: 'unexplained' }, 'No reason given · +38 tokens'],
  ];
  for (const [origin, label] of labels) {
    it(`is titled “${label}”`, () => assert.equal(rationaleLabel(aHunk(origin)), label));
  }
});

function shown({ edits }: { readonly edits: readonly ProposedEdit[] }, about: Proposal = proposal): string {
  return rationaleMarkdown(aHunk(proposed(edits)), { proposal: about, skillPath: '/w/SKILL.md' });
}

function proposed(edits: readonly ProposedEdit[]) {
  return { kind: 'proposed', edits, edited: false, saysMore: false } as const;
}

function aHunk(origin: HunkOrigin): ReviewedHunk {
  const range = { start: 0, end: 1 };
  const hunk = { before: range, after: range, beforeText: 'a\n', afterText: 'b\n' };
  return { key: 'k', name: 'n', hunk, origin, overwrites: false, tokens: 38, hidden: [] };
}
