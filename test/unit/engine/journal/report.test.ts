import assert from 'node:assert/strict';
import { foldEvent } from '../../../../src/engine/journal/foldEvent.js';
import { reportText } from '../../../../src/engine/journal/report.js';
import { plain } from '../../../../src/engine/journal/reportTables.js';
import { emptySummary, type RunSummary } from '../../../../src/engine/journal/runSummary.js';
import type { Proposal } from '../../../../src/ports/proposal.js';
import type { Edit } from '../../../../src/skill/edits/edit.js';
import { aRun, anOptimizer, edits, say, type TestRun } from '../../../builders/aRunContext.js';
import { aSplit, wants } from '../../../builders/aSplit.js';

const refused = { op: 'replace', anchor: 'nowhere to be found', content: 'x', rationale: 'It would help.' } as const;

describe('the report of a run', () => {
  it('says the verdict, the held-out tasks, the edits with their reasons, and what was left out', async () => {
    const text = await reportOf([say('alpha'), say('beta'), refused]);
    for (const part of [
      '# Report on words',
      '**Improved.**',
      '| held-out | 0 % | 100 % | 10 | gate: confident |',
      '| sealed | 0 % | 100 % | 2 | final exam, not used for the decision |',
      '<details><summary>Statistics</summary>\n\n- before 0 %, after 100 %',
      '| heldOut-0 | 0 of 1 | 1 of 1 | better |',
      '### E1: append',
      '- Why: Answers lacked alpha.',
      '+50 points',
      'Learnt from: training-',
      '## Edits that were left out',
      '| 1 | 1 | new best |',
    ]) {
      assert.ok(text.includes(part), `${part}\n---\n${text}`);
    }
    assert.match(text, /## Edits that were left out\n\n- replace, unmatched: /);
  });

  it('lists every stage with its calls, and all together', async () => {
    const text = await reportOf([say('alpha'), say('beta')]);
    for (const stage of ['baseline', 'rollout', 'reflect', 'evaluate', 'attribute', 'certify', 'sealed', 'all']) {
      assert.match(text, new RegExp(`^\\| ${stage} \\|`, 'mu'));
    }
  });

  it('says why nothing is proposed', () => {
    const summary: RunSummary = {
      ...emptySummary('run', 0),
      skillName: 'words',
      outcome: 'nothing',
      reason: 'Nothing to learn.',
    };
    const text = reportText({ summary, proposal: undefined });
    assert.match(text, /\*\*Nothing is proposed\.\*\* Nothing to learn\./);
    assert.match(text, /No step came to its end\./);
    assert.doesNotMatch(text, /cannot decide/);
  });

  it('names held-out tasks that cannot decide, also where nothing is proposed', () => {
    const summary: RunSummary = { ...emptySummary('run', 0), skillName: 'words', outcome: 'nothing' };
    const text = reportText({ summary, proposal: undefined, settled: ['1 of 8 always passes.', 'It stays.'] });
    assert.match(text, /^## Held-out tasks that cannot decide\n\n- 1 of 8 always passes\.\n- It stays\.$/mu);
  });

  it('warns where the held-out tasks rose and the sealed ones fell', async () => {
    const { proposal, summary } = await proposed([say('alpha'), say('beta')]);
    const fallen: Proposal = { ...proposal, sealed: { before: 1, after: 0.5, n: 2 } };
    assert.match(
      reportText({ summary, proposal: fallen }),
      /^> The held-out tasks rose .* but the 2 sealed tasks fell/mu,
    );
  });

  it('says what would settle an inconclusive verdict', async () => {
    const { proposal, summary } = await proposed([say('alpha')], { heldOut: 4 });
    const text = reportText({ summary, proposal });
    assert.match(text, /\*\*Undecided\*\*: with 4 held-out tasks/);
    assert.match(text, /What would settle it: /);
  });

  it('shows what models wrote as plain text: no link, no image, no markup of theirs', async () => {
    const hostile = {
      ...say('alpha'),
      rationale: '![x](https://evil.example/p.png) <img src=x> **bold** | cell\n# Heading',
    };
    const text = await reportOf([hostile, say('beta')]);
    assert.doesNotMatch(text, /(?<!\\)[![<*|]x|(?<!\\)<img|^# Heading/mu);
    assert.ok(
      text.includes(String.raw`\!\[x\](https://evil.example/p.png) \<img src=x\> \*\*bold\*\* \| cell \# Heading`),
    );
  });

  it('writes out what a terminal would obey and what nobody would see', () =>
    assert.equal(plain('a\u001b[2J b\u200bc'), 'a‹U+001B›\\[2J b‹U+200B›c'));

  it('cuts a text that is longer than a reader reads', () => assert.ok(plain('a'.repeat(5000)).length < 700));

  it('says that it was cut off and resumed', () => {
    const summary = foldEvent(emptySummary('run', 0), { kind: 'run-resumed' }, 10);
    assert.match(reportText({ summary, proposal: undefined }), /cut off and resumed once/);
  });
});

async function reportOf(list: readonly Edit[]): Promise<string> {
  return reportText(await proposed(list));
}

async function proposed(list: readonly Edit[], counts: { readonly heldOut?: number } = {}) {
  const run = await aRun({
    optimizer: anOptimizer({ reflect: edits(...list) }),
    settings: { edits: { budget: 4 } },
    tasks: aSplit({ training: 6, heldOut: counts.heldOut ?? 10, sealed: 2 }, () =>
      wants(...(list.length === 1 ? ['alpha'] : ['alpha', 'beta'])),
    ),
  });
  assert.ok(run.result.kind === 'proposed', JSON.stringify(run.result));
  return { proposal: run.result.proposal, summary: summaryOf(run) };
}

function summaryOf({ events }: TestRun): RunSummary {
  const start = { ...emptySummary('20260115-120000-abcdef', 0), skillName: 'words' };
  return events.reduce((summary, event, at) => foldEvent(summary, event, at), start);
}
