import assert from 'node:assert/strict';
import type { RunResult } from '../../../src/engine/optimizeSkill.js';
import { EditSubsets } from '../../../src/review/editSubsets.js';
import { aRewriter, aWholeRewriter, named, rewriteOf, rewritesOf, type Change } from '../../builders/aRewrite.js';
import { aRun, skillText, type RunParts } from '../../builders/aRunContext.js';
import { aSplit, wants } from '../../builders/aSplit.js';
import type { ScriptedAnswer } from '../../fakes/ScriptedModel.js';

const suggestions = { edits: { mode: 'rewrite_from_suggestions' } };
const whole = { edits: { mode: 'full_rewrite_minibatch' } };
const mended = `${skillText.trimEnd()}\n\nSay “alpha”.\n`;

function long(length: number): Change {
  return { section: 'Words', change: `Begin. ${'x'.repeat(length)} End.` };
}

describe('a run that rewrites from suggestions', () => {
  it('ranks what was suggested, and has one call work it in, with the room of a whole skill', async () => {
    const optimizer = aRewriter(['alpha', 'b', 'c', 'd', 'e'], rewriteOf(mended));
    const { result } = await aRun({ optimizer, settings: { ...suggestions, train: { epochs: 1 } } });
    assert.equal(proposal(result).documents[0]?.candidateText, mended);
    const asked = optimizer.requests.map(({ replySchema, maxOutputTokens }) => [replySchema?.name, maxOutputTokens]);
    assert.deepEqual(asked, [
      ['suggestions', 16_384],
      ['rewrite', 64_000],
    ]);
    const prompt = optimizer.requests.find(named('rewrite'))?.messages[0]?.content ?? '';
    assert.match(prompt, /"instruction": "Say “alpha”\."/);
    assert.doesNotMatch(prompt, /Say “e”/, 'the budget of the step holds for suggestions');
  });

  it('merges what several analysts suggest, and ranks it where it is more than the budget', async () => {
    const optimizer = aRewriter(['alpha', 'b', 'c', 'd', 'e'], rewriteOf(mended));
    const settings = { ...suggestions, train: { epochs: 1 }, reflect: { minibatchSize: 3 } };
    await aRun({ optimizer, settings });
    const names = optimizer.requests.map(({ replySchema }) => replySchema?.name);
    assert.deepEqual(names, ['suggestions', 'suggestions', 'merge_suggestions', 'ranking', 'rewrite']);
  });

  it('gives each edit the reason that the change summary has for its section', async () => {
    const skill = `${skillText}\n## Format\n\nBe long.\n\n## Tone\n\nBe stern.\n`;
    const written = skill.replace('Be long.', 'Say “alpha”.').replace('Be stern.', 'Be kind.');
    const change = { section: '## Format', change: 'Answers lacked the word.' };
    const settings = { ...suggestions, gate: { attribution: false } };
    const { result } = await aRun({ skill, ...scripted(written, change), settings });
    assert.deepEqual(
      proposal(result).documents[0]?.edits.map(({ id, edit, source }) => [id, edit.rationale, source]),
      [
        ['E1', 'Answers lacked the word.', 'failure'],
        ['E2', 'Part of a rewrite.', 'failure'],
      ],
    );
  });

  it('shortens what no person would read to its end, in what is stored and to the optimizer', async () => {
    const changes = [long(100_000), ...Array.from({ length: 60 }, () => long(1_500))];
    const optimizer = aRewriter(['alpha'], rewriteOf(mended.replace('alpha', 'gamma'), ...changes));
    const slow = { slowUpdate: { on: false }, metaSkill: { on: false } };
    const settings = { ...suggestions, ...slow, train: { epochs: 2 } };
    const run = await aRun({ optimizer, settings });
    const stored = run.events.flatMap((event) => (event.kind === 'rewritten' ? [event.textHash ?? ''] : []));
    const [text = ''] = await Promise.all(stored.map((hash) => run.texts.get(hash)));
    assert.match(text, /Begin\. x+\\n\[\.\.\. \d+ characters left out \.\.\.\]\\nx+ End\./);
    assert.ok(text.length < 60_000, String(text.length));
    const second = optimizer.requests.filter(named('suggestions'))[1]?.messages[0]?.content ?? '';
    assert.ok(second.includes('characters left out') && second.length < 60_000, String(second.length));
  });

  it('gives a change that quotes an edit to that edit alone', async () => {
    const skill = `${skillText}\n## Format\n\n- Be long.\n- Use words.\n- Stay calm.\n`;
    const written = skill.replace('- Be long.\n', '').replace('- Stay calm.', '- Stay calm.\n- Say “alpha”.');
    const changes = [
      { section: 'Format', change: 'No longer says: Be long.' },
      { section: 'Format', change: 'Answers lacked the word.' },
    ];
    const settings = { ...suggestions, gate: { attribution: false } };
    const { result } = await aRun({ skill, optimizer: aRewriter(['alpha'], rewriteOf(written, ...changes)), settings });
    assert.deepEqual(
      proposal(result).documents[0]?.edits.map(({ edit }) => [edit.op, edit.rationale]),
      [
        ['delete', 'No longer says: Be long.'],
        ['insert_after', 'Answers lacked the word.'],
      ],
    );
  });

  it('tells the next step what the rewrite said it changed, not all of its text', async () => {
    const written = `${skillText.trimEnd()}\n\nSay “gamma”.\n`;
    const change = { section: 'Words', change: 'It now asks for gamma.' };
    const { optimizer } = await aRun({
      ...scripted(written, change),
      settings: { ...suggestions, train: { epochs: 2 }, slowUpdate: { on: false }, metaSkill: { on: false } },
    });
    const second = optimizer.requests.filter(named('suggestions'))[1]?.messages[0]?.content ?? '';
    assert.match(second, /score stayed the same: It now asks for gamma\./);
  });

  it('applies those edits first that make room, where the skill may not grow on the way', async () => {
    const lines = Array.from({ length: 600 }, (_, at) => `Line ${at}.\n`).join('');
    const skill = `${skillText}\n# Start\n\nGo.\n\n# Long\n\n${lines}`;
    const moved = skill
      .replace('Go.\n', `Go.\n\nSay “alpha”.\n\n${lines.slice(0, 2_000).replaceAll('Line', 'Rule')}`)
      .replace(lines, 'Done.\n');
    const { result } = await aRun({ skill, ...scripted(moved) });
    assert.match(proposal(result).documents[0]?.candidateText ?? '', /Say “alpha”\.[^]*# Long\n\nDone\./);
    assert.deepEqual(proposal(result).leftOut, []);
  });

  it('reports the part that is unlawful, and takes the rest', async () => {
    const skill = `${skillText}\n\`\`\`sh\nmake\n\`\`\`\n\n# End\n\nStop.\n`;
    const { result } = await aRun({
      skill,
      ...scripted(skill.replace('make', 'rm -r /').replace('Stop.', 'Say “alpha”.')),
    });
    const { leftOut, documents } = proposal(result);
    assert.deepEqual(
      leftOut.map(({ outcome }) => outcome.kind === 'refused' && outcome.reason),
      ['code-fence'],
    );
    assert.equal(documents[0]?.candidateText, skill.replace('Stop.', 'Say “alpha”.'));
  });
});

describe('a run that has analysts rewrite the whole skill', () => {
  it('asks each for one text, makes one of them by a merge, and ranks nothing', async () => {
    const second = `${skillText.trimEnd()}\n\nSay “beta”.\n`;
    const optimizer = aWholeRewriter(
      ({ dependsOn }) => rewritesOf(dependsOn?.[0]?.endsWith(':0') === true ? mended : second, 'never read'),
      rewritesOf(mended, second),
    );
    const settings = { ...whole, train: { epochs: 1 }, reflect: { minibatchSize: 3 } };
    const { result, events } = await aRun({ optimizer, settings });
    assert.equal(proposal(result).documents[0]?.candidateText, mended);
    assert.deepEqual(
      optimizer.requests.map(({ replySchema, maxOutputTokens }) => [replySchema?.name, maxOutputTokens]),
      [
        ['rewrites', 64_000],
        ['rewrites', 64_000],
        ['merge_rewrites', 64_000],
      ],
    );
    assert.ok(!events.some((event) => event.kind === 'selected'));
    assert.doesNotMatch(optimizer.requests[2]?.messages[0]?.content ?? '', /never read/);
  });

  it('takes the first text where the merge cannot be read, and says so', async () => {
    const second = `${skillText.trimEnd()}\n\nSay “beta”.\n`;
    const optimizer = aWholeRewriter(
      ({ dependsOn }) => rewritesOf(dependsOn?.[0]?.endsWith(':0') === true ? mended : second),
      'I cannot decide.',
    );
    const settings = { ...whole, train: { epochs: 1 }, reflect: { minibatchSize: 3 } };
    const { result, events } = await aRun({ optimizer, settings });
    assert.equal(proposal(result).documents[0]?.candidateText, mended);
    const merged = events.find((event) => event.kind === 'merged');
    assert.match(merged?.kind === 'merged' ? (merged.fallback ?? '') : '', /merged by joining the lists/);
  });

  it('takes the room that the person gives', async () => {
    const optimizer = aWholeRewriter(rewritesOf(mended));
    await aRun({
      optimizer,
      settings: { ...whole, train: { epochs: 1 }, answers: { rewrite: 9_000, optimizer: 500 } },
    });
    assert.equal(optimizer.requests[0]?.maxOutputTokens, 9_000);
  });

  it('loses a text that is longer than the skill may become', async () => {
    const optimizer = aWholeRewriter(rewritesOf(`${skillText}\n${'Line.\n'.repeat(700)}`));
    const { result } = await aRun({ optimizer, settings: { ...whole, train: { epochs: 1 } } });
    assert.match(result.kind === 'nothing' ? result.nothing.reason : '', /a rewrite that is too long/);
  });
});

describe('a rewrite that cannot be used', () => {
  const kept = `${skillText}\n<!-- whetstone:keep -->\nCall home.\n<!-- /whetstone:keep -->\n`;
  const half = rewriteOf(mended);
  const cases: readonly (readonly [name: string, reply: ScriptedAnswer, reason: RegExp, asks: number])[] = [
    ['no JSON at all', 'I would write it quite differently.', /malformed: the reply holds no JSON/, 2],
    ['an empty text', rewriteOf(' '), /The rewrite is empty\./, 1],
    ['lost front matter', rewriteOf('# Words\n\nSay “alpha”.\n'), /loses the front matter/, 1],
    ['a lost kept part', rewriteOf(mended), /loses or changes a part that is marked to be kept/, 1],
    [
      'a text that is too long',
      rewriteOf(`${kept}${'x\n'.repeat(5_000)}`),
      /The rewrite is too long\. The document/,
      1,
    ],
    ['the same text', rewriteOf(kept), /changes nothing/, 1],
    ['half a text', half.slice(0, half.indexOf('alpha')), /malformed/, 2],
    ['half a text at the limit', { text: half.slice(0, half.indexOf('alpha')), finish: 'length' }, /cut off/, 2],
    ['a text without its summary', '{"reasoning": "", "new_skill": "# Words"}', /malformed/, 2],
  ];
  for (const [name, reply, reason, asks] of cases) {
    it(`ends the step with skip_no_rewrite, and says why: ${name}`, async () => {
      const optimizer = aRewriter(['alpha'], reply);
      const { result, events } = await aRun({
        skill: kept,
        optimizer,
        settings: { ...suggestions, train: { epochs: 1 } },
      });
      const ended = events.find((event) => event.kind === 'step-ended');
      assert.deepEqual(ended?.kind === 'step-ended' && ended.action, 'skip_no_rewrite');
      assert.match(ended?.kind === 'step-ended' ? ended.reason : '', reason);
      assert.equal(optimizer.requests.filter(named('rewrite')).length, asks);
      assert.match(result.kind === 'nothing' ? result.nothing.reason : '', /was to be rewritten, and no rewrite could/);
    });
  }
});

describe('a rewrite of twelve edits', () => {
  const words = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'];
  const body = (text: (word: string, part: number) => string): string =>
    words.map((word, at) => `## Part ${at}\n\n${text(word, 1)}\n\nThen.\n\n${text(word, 2)}\n`).join('\n');
  const skill = `${skillText}\n${body((word, part) => `Old ${word} ${part}.`)}`;
  const written = `${skillText}\n${body((word, part) => (part === 1 ? `Say “${word}”.` : `New ${word}.`))}`;
  const parts: RunParts = {
    ...scripted(written),
    settings: { ...suggestions, gate: { metric: 'soft' } },
  };
  const tasks = aSplit({ training: 4, heldOut: 8 }, () => wants(...words));

  it('is measured by section in four groups, each edit at the worth of its group, and says so', async () => {
    const { result, events } = await aRun({ skill, tasks, ...parts });
    const { documents, verdict } = proposal(result);
    assert.equal(verdict.kind, 'accepted');
    assert.equal(documents[0]?.candidateText, written);
    const edits = documents[0]?.edits ?? [];
    assert.deepEqual(
      edits.map(({ worth }) => (worth.kind === 'measured' ? worth.group.join(' ') : 'not measured')),
      [
        'E2',
        'E1',
        'E4 E5 E6',
        'E3 E5 E6',
        'E3 E4 E6',
        'E3 E4 E5',
        'E8',
        'E7',
        'E10 E11 E12',
        'E9 E11 E12',
        'E9 E10 E12',
        'E9 E10 E11',
      ],
    );
    const notes = events.flatMap((event) => (event.kind === 'note' ? [event.text] : []));
    assert.ok(
      notes.includes(
        'The 12 edits of a rewrite were measured by section, in 4 groups: each edit is worth what its group is worth.',
      ),
      notes.join('\n'),
    );
  });

  it('is decided on one by one', async () => {
    const { result } = await aRun({ skill, tasks, ...parts });
    const [document] = proposal(result).documents;
    assert.ok(document !== undefined);
    const subsets = new EditSubsets({ base: document.baseText, edits: document.edits, scope: 'body', code: 'refused' });
    assert.deepEqual(
      subsets.units,
      document.edits.map(({ id }) => [id]),
    );
    const { text, lost } = subsets.take(new Set(['E3', 'E12']));
    assert.deepEqual(lost, []);
    assert.equal(text, skill.replace('Old beta 1.', 'Say “beta”.').replace('Old zeta 2.', 'New zeta.'));
  });
});

function scripted(text: string, ...changes: readonly Change[]): Pick<RunParts, 'optimizer' | 'settings'> {
  return {
    optimizer: aRewriter(['alpha'], rewriteOf(text, ...changes)),
    settings: { ...suggestions, train: { epochs: 1 } },
  };
}

function proposal(result: RunResult) {
  assert.equal(result.kind, 'proposed', result.kind === 'nothing' ? result.nothing.reason : '');
  return result.kind === 'proposed' ? result.proposal : assert.fail();
}
