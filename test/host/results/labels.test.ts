import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import { folderNode } from '../../../src/editor/tree/folderNode.js';
import { nightNodes } from '../../../src/editor/tree/nightNodes.js';
import { historyNode } from '../../../src/editor/tree/historyNodes.js';
import { rowItem, withTooltip } from '../../../src/editor/tree/rowItem.js';
import { runNode } from '../../../src/editor/tree/runsTree.js';
import { skillNode, type KnownSkill } from '../../../src/editor/tree/skillNode.js';
import type { TreeNode } from '../../../src/editor/tree/treeNode.js';
import { emptySummary } from '../../../src/engine/journal/runSummary.js';
import type { NightResult, NightSkillResult } from '../../../src/app/nights/nightResult.js';
import type { AdoptedVersion } from '../../../src/app/proposals/versions.js';
import type { PendingProposal } from '../../../src/app/proposals/pending.js';
import type { SkillOverview } from '../../../src/app/results/overview.js';
import { speak } from '../../../src/wording/translate.js';
import { unmeasured } from '../../../src/wording/verdicts.js';
import { copiesWarning, rejectedSentence } from '../../../src/wording/verdictSentences.js';
import { someFigures } from '../../builders/aReviewProposal.js';
import { aTask } from '../../builders/aTask.js';
import { verdictsOfAllKinds, aKnownSkill } from '../../builders/aKnownSkill.js';
import { rowsBeneath } from './rowsBeneath.js';

const extension = vscode.extensions.all.find(({ id }) => id.endsWith('.whetstone'));
const bundle = join(extension?.extensionPath ?? '.', 'l10n/bundle.l10n.zh-cn.json');

/** What a screen reader says of every row, whatever state the skill is in. */
describe('the rows of the tree', () => {
  const states: readonly (readonly [string, KnownSkill])[] = [
    ...verdictsOfAllKinds.map((verdict) => [`pending, ${verdict.kind}`, aKnownSkill({ verdict })] as const),
    ['running', aKnownSkill({ running: true })],
    ['without tasks', aKnownSkill({ tasks: false })],
    ['not looked at', { ...aKnownSkill({}), overview: undefined }],
    ['in trouble', { ...aKnownSkill({}), overview: undefined, trouble: 'The file cannot be read.' }],
    ['resting', aKnownSkill({ pending: false })],
    ['paused', withOverview({ pending: undefined, unfinished: [emptySummary('r2', 1)] })],
    ['adopted and not measured', withOverview({ pending: undefined, history: [anAdoption('unmeasured')] })],
    ['adopted and measured', withOverview({ pending: undefined, history: [anAdoption('accepted')] })],
    ['never trained', withOverview({ pending: undefined, runs: [], history: [] })],
    [
      'with a skill that was never used',
      withOverview({ runs: [{ ...emptySummary('r3', 1), skillUse: { used: 0, of: 12 } }] }),
    ],
    ['stale', withPending({ stale: true })],
    ['made elsewhere', withPending({ own: false })],
  ];

  for (const [name, known] of states) {
    it(`${name}: each has a stable id of its own and speaks in full sentences`, async () => {
      const rows = await allRows(skillNode(known, rowsBeneath, () => Promise.resolve(known)));
      assert.ok(rows.length > 1, 'there are rows beneath the skill');
      for (const node of rows) assertSpoken(node);
      const ids = rows.map(({ id }) => id);
      assert.equal(new Set(ids).size, ids.length, ids.join('\n'));
      const again = await allRows(skillNode(known, rowsBeneath, () => Promise.resolve(known)));
      assert.deepEqual(
        again.map(({ id }) => id),
        ids,
      );
    });
  }

  it('a skill that agents were offered says whether they used it, and that its description decides', async () => {
    const [label, words, says] = (await used({ used: 0, of: 12 })) ?? [];
    assert.deepEqual([label, words], ['Skill never used', 'used in 0 of 12 attempts']);
    assert.match(says ?? '', /decides by its description/);
    assert.deepEqual((await used({ used: 5, of: 12 }))?.slice(0, 2), [
      'Skill not always used',
      'used in 5 of 12 attempts',
    ]);
    assert.deepEqual([await used({ used: 12, of: 12 }), await used(undefined)], [undefined, undefined]);
  });

  it('a skill has the name of its front matter, also where its folder has another one', () => {
    const known = withOverview({ name: 'release-notes' });
    assert.notEqual(known.skill.name, 'release-notes');
    const row = skillNode(known, rowsBeneath, () => Promise.resolve(known)).row();
    assert.equal(row.label, 'release-notes');
    assert.match(row.says, /release-notes/);
  });

  it('a skill with nothing but drafts says how many are to be confirmed', async () => {
    const { tasks } = aKnownSkill({}).overview ?? {};
    assert.ok(tasks);
    const drafts = [aTask({ id: 'one', draft: true }), aTask({ id: 'two', draft: true })];
    const bare = { ...tasks, training: [], heldOut: [], sealed: [], drafts };
    const known = withOverview({ pending: undefined, runs: [], history: [], tasks: bare });
    const rows = await allRows(skillNode(known, rowsBeneath, () => Promise.resolve(known)));
    const [skill] = rows;
    assert.deepEqual(
      [skill?.row().description, skill?.row().contextValue],
      ['2 drafts to confirm', 'skill.drafts+tasks'],
    );
    const described = Object.fromEntries(rows.map((node) => [node.row().label, node.row().description]));
    assert.equal(described['Tasks'], '2 drafts to confirm');
    assert.ok('Drafts (2)' in described);
    const draft = rows.find(({ taskId }) => taskId === 'one')?.row();
    assert.deepEqual([draft?.command?.command, draft?.contextValue], ['whetstone.showTask', 'task.draft']);
  });

  it('edits that can only be decided together say why', async () => {
    const known = withPending({ bound: [['E1', 'E2']] });
    const rows = await allRows(skillNode(known, rowsBeneath, () => Promise.resolve(known)));
    const edit = rows.find(({ editId }) => editId === 'E1')?.row();
    assert.match(edit?.description ?? '', /only together with E2/);
    assert.match(
      edit?.tooltip?.() ?? '',
      /\n\nE1, E2 can only be decided together: they change the same lines, or one stands in what another wrote\.$/,
    );
  });

  it('edits that were dropped stand below the skill with what they are worth', async () => {
    const { pending } = aKnownSkill({}).overview ?? {};
    assert.ok(pending);
    const edit = { op: 'append', content: '- Say the zone twice.', rationale: 'r' } as const;
    const dropped = [
      { edit, worth: { kind: 'measured', effect: -0.05, interval: [-0.2, 0.1], group: [] } as const },
      { edit: { ...edit, content: '- Shout.' }, worth: { kind: 'not-measured-singly' } as const },
    ];
    const known = withPending({ proposal: { ...pending.proposal, dropped } });
    const rows = await allRows(skillNode(known, rowsBeneath, () => Promise.resolve(known)));
    const at = rows.findIndex((node) => node.row().label === 'Edits tried and dropped');
    assert.deepEqual(
      rows.slice(at, at + 3).map((node) => [node.row().label, node.row().description]),
      [
        ['Edits tried and dropped', '2'],
        ['+ Say the zone twice.', '−5 points on training tasks, 95 % between −20 and +10'],
        ['+ Shout.', 'not measured singly'],
      ],
    );
    for (const node of rows.slice(at, at + 3)) assertSpoken(node);
  });

  it('a skill without tasks says just that', () => {
    const known = aKnownSkill({ tasks: false, pending: false });
    const missing = 'No tasks yet: there is no evals/evals.json beside the skill.';
    const node = (trouble: string): string | undefined =>
      skillNode({ ...known, overview: known.overview && { ...known.overview, trouble } }, rowsBeneath, () =>
        Promise.resolve(known),
      ).row().description;
    assert.equal(node(missing), 'no tasks');
    assert.equal(node('evals.json, line 3, column 1: no JSON.'), 'evals.json, line 3, column 1: no JSON.');
  });

  it('say in a few words where a skill stands, whatever the sentence behind it', () => {
    const reason =
      'Not shown to be better: 10 held-out tasks went from 40 % to 41 %, and more passes would hardly show it.';
    const run = { ...emptySummary('r1', 0), skillName: 'dates', outcome: 'nothing' as const, reason };
    for (const known of [
      withOverview({ pending: undefined, runs: [run], history: [] }),
      { ...aKnownSkill({}), overview: undefined, trouble: reason },
    ]) {
      const row = skillNode(known, rowsBeneath, () => Promise.resolve(known)).row();
      assert.ok((row.description ?? '').length < 30, row.description);
      assert.ok(row.tooltip?.().includes(reason), row.tooltip?.());
    }
    assert.doesNotMatch(runNode(run, '/skills/dates/SKILL.md').row().description ?? '', /held-out/);
  });

  it('tell an adopted skill from one that was never trained by its icon', () => {
    const icons = [
      withOverview({ pending: undefined, runs: [], history: [] }),
      withOverview({ pending: undefined, runs: [], history: [anAdoption('accepted')] }),
      withOverview({ pending: undefined, runs: [], history: [anAdoption('unmeasured')] }),
    ].map(iconOf);
    assert.equal(new Set(icons).size, 3, icons.join(' '));
  });

  it('fold what was adopted and undone, and name a version with its age', async () => {
    const at = Date.now() - 130_000;
    const [adopted, undone] = [
      { ...anAdoption('accepted'), id: '1', at },
      { ...anAdoption('accepted'), id: '2', at, action: 'undo' as const },
    ];
    const kept = { ...anAdoption('accepted'), id: '3', at };
    const [...rows] = await historyNode('/skills/dates/SKILL.md', [kept, undone, adopted]).children();
    const words = rows.map((node) => `${node.row().label}, ${node.row().description}`);
    assert.deepEqual(words, ['Version 3 · adopted, 2 min ago · improved', 'Adopted and undone, 1']);
    const folded = await rows.at(-1)?.children();
    assert.deepEqual(
      folded?.map((node) => `${node.row().label} ${node.row().icon}`),
      ['Version 2 · undone discard', 'Version 1 · adopted git-commit'],
    );
    const alone = historyNode('/skills/dates/SKILL.md', [undone, adopted]).row();
    assert.deepEqual([alone.label, alone.description], ['Adopted and undone', '1'], 'no history of nothing');
  });

  it('tell a version that was measured since by the words of its verdict', async () => {
    const gain = { ...someFigures({ before: 0.17, after: 0.83, n: 6 }) };
    const reason = rejectedSentence(gain, 'better', 'tasks');
    const measured = { kind: 'rejected', reason, figures: gain } as const;
    const versions: readonly AdoptedVersion[] = [
      { ...anAdoption('unmeasured'), id: '2', verdict: 'rejected', measured },
      { ...anAdoption('unmeasured'), id: '1' },
    ];
    const rows = await historyNode('/skills/dates/SKILL.md', versions).children();
    const words = rows.map((node) => node.row().description?.split(' · ').at(-1));
    assert.deepEqual(words, ['not shown', 'not measured']);
    const known = aKnownSkill({ verdict: measured });
    const edits = (await allRows(skillNode(known, rowsBeneath, () => Promise.resolve(known)))).filter(
      ({ editId }) => editId !== undefined,
    );
    assert.ok(edits.length > 0);
    for (const edit of edits) assert.match(`${edit.row().description}`, /not shown/);
    for (const edit of edits) assert.equal(edit.row().command?.title, 'Look at Edits');
    const skill = skillNode(known, rowsBeneath, () => Promise.resolve(known)).row();
    assert.match(`${skill.description}`, / · to look at only/);
    assert.doesNotMatch(`${skill.description}`, /pending/);
  });

  it('of the gate begin with words that a narrow view shows whole', async () => {
    const gain = someFigures({ before: 0.17, after: 0.83, n: 6, fixed: ['a', 'b', 'c', 'd'], regressed: [] });
    const figures = { ...gain, warnings: [copiesWarning(gain.passes)] };
    const verdict = { kind: 'rejected', reason: rejectedSentence(figures, 'better', 'tasks'), figures } as const;
    const { overview } = aKnownSkill({ verdict });
    const pending = overview?.pending ?? assert.fail('nothing waits');
    const proposal = {
      ...pending.proposal,
      models: { ...pending.proposal.models, simulated: false },
      sealed: { before: 1, after: 0.5, n: 4 },
    };
    const known = withPending({ proposal });
    const rows = await allRows(skillNode(known, rowsBeneath, () => Promise.resolve(known)));
    const gate = rows.filter(({ id }) => id.startsWith('gate:')).map((node) => node.row());
    for (const label of ['2 held-out tasks more', 'Repeats never differ', 'The sealed tasks fell'])
      assert.ok(
        gate.some((row) => row.label === label && (row.tooltip?.() ?? '').length > 60),
        `${label} is none of ${gate.map((row) => row.label).join(' | ')}`,
      );
    for (const { label } of gate) assert.ok(label.length <= 45, label);
  });

  it('a skill whose file cannot be read still offers its versions', async () => {
    const known = { ...aKnownSkill({}), overview: undefined, trouble: 'The file cannot be read.' };
    const withVersions = { ...known, versions: [anAdoption('accepted')] };
    const rows = await allRows(skillNode(withVersions, rowsBeneath, () => Promise.resolve(withVersions)));
    for (const node of rows) assertSpoken(node);
    assert.ok(rows.some((node) => node.row().contextValue === 'version'));
  });

  for (const outcome of ['running', 'proposed', 'nothing', 'cancelled', 'failed', 'cap'] as const) {
    it(`a run that is ${outcome} says when, what it came to and what it used`, () => {
      const run = {
        ...emptySummary('r1', 0),
        skillName: 'dates',
        outcome,
        reason: outcome === 'running' ? '' : 'Done.',
      };
      assertSpoken(runNode(run, '/skills/dates/SKILL.md'));
    });
  }

  it('a night that was skipped, or left skills out, says when and why', async () => {
    const nights = nightNodes({ nights: [aNightThat('stopped'), aNightThat('left one out')], settled: aSkippedNight });
    assert.equal(nights.length, 3);
    for (const { node } of nights) for (const row of await allRows(node)) assertSpoken(row);
    const words = nights.map(({ node }) => node.row().description ?? '');
    assert.match(words[0] ?? '', /^skipped · /);
    assert.match(nights[0]?.node.row().says ?? '', /The machine slept\.$/);
    assert.match(nights[1]?.node.row().tooltip?.() ?? '', /No key\. Set one\.$/);
    assert.match(words[2] ?? '', /^0 proposals, 0 tokens, (?:less than a minute|1 min) · 1 of 2 skills left out · /);
  });

  it('a night says in a line what it came to, and a skipped one what it found in sessions', () => {
    const { stops, skills, ...left } = aNightThat('left one out');
    const proposed = (verdict: 'accepted' | 'inconclusive'): NightSkillResult[] =>
      skills.slice(1).map((skill) => ({ ...skill, outcome: 'proposed', verdict }));
    const spend = { calls: 40, tokens: 9_000, usd: 0.11 };
    const sessions = { read: 14, asked: 3, drafts: 3, waiting: 3, runId: 'r', spend };
    const night = { ...left, startedAt: 4, endedAt: 4 + 6 * 60_000, stops, spend, sessions };
    const ran = { ...night, skills: [...proposed('accepted'), ...proposed('accepted'), ...proposed('inconclusive')] };
    const idle = { ...aNightThat('stopped'), sessions: { ...sessions, read: 0 } };
    const [row, skipped] = nightNodes({ nights: [ran, idle], settled: undefined });
    assert.ok(row !== undefined && skipped !== undefined);
    assertSpoken(row.node);
    assert.match(
      row.node.row().description ?? '',
      /^2 proposals, 1 undecided; 14 sessions read, 3 drafts waiting; 0\.11 USD, 6 min · /,
    );
    assert.equal(row.at, ran.endedAt, 'above the runs that it made');
    assert.match(skipped.node.row().description ?? '', /^skipped · no new sessions, 3 drafts waiting · /);
  });

  it('an edit says with which others it was measured, also where one of them was rejected', async () => {
    const pending = aKnownSkill({}).overview?.pending;
    assert.ok(pending);
    const worth = { kind: 'measured', effect: 0.18, interval: [0.06, 0.29], group: ['E4'] } as const;
    const documents = pending.proposal.documents.map((each) => ({
      ...each,
      edits: each.edits.map((edit) => ({ ...edit, worth })),
    }));
    const decisions = { E4: { kind: 'rejected', reason: undefined } } as const;
    const known = withPending({ proposal: { ...pending.proposal, documents }, decisions });
    const rows = await allRows(skillNode(known, rowsBeneath, () => Promise.resolve(known)));
    const edit = rows.find(({ editId }) => editId === 'E1')?.row();
    assert.match(
      edit?.description ?? '',
      /\+18 points on training tasks, 95 % between \+6 and \+29, together with E4$/,
    );
    assert.match(edit?.says ?? '', /together with E4\.$/);
  });

  it('says of which text each verdict is, where the part in the file was measured by itself', async () => {
    const { verdict: found } = aKnownSkill({}).overview?.pending?.proposal ?? {};
    assert.ok(found?.kind === 'accepted');
    const verdict = { ...found, kind: 'rejected', figures: { ...found.figures, before: 0, after: 0 } } as const;
    const known = withOverview({ measurement: { kind: 'measured', verdict } });
    const rows = await allRows(skillNode(known, rowsBeneath, () => Promise.resolve(known)));
    assert.match(
      rows[0]?.row().description ?? '',
      /^in the file: 0 % → 0 % · no improvement found · \d+ edits? pending/,
    );
    const gate = rows.find(({ id }) => id.startsWith('gate:'))?.row();
    assert.match(gate?.description ?? '', /^all \d+ edits together · /);
  });

  it('says that the verdict is about all the edits, once one of them is rejected', async () => {
    const known = withPending({ decisions: { E1: { kind: 'rejected', reason: undefined } } });
    const rows = await allRows(skillNode(known, rowsBeneath, () => Promise.resolve(known)));
    const [skill, gate] = rows.map((node) => node.row());
    assert.match(skill?.description ?? '', /81 % · improved · with all 2 edits; 1 is rejected · 1 edit pending/);
    assert.match(gate?.description ?? '', /^with all 2 edits; 1 is rejected · 42 % → 81 %/);
    assert.match(gate?.says ?? '', /held-out tasks · with all 2 edits; 1 is rejected\.$/);
  });

  it('an edit of code says that it changes what agents run', async () => {
    const pending = aKnownSkill({}).overview?.pending;
    assert.ok(pending);
    const documents = pending.proposal.documents.map((each) => ({
      ...each,
      edits: each.edits.map((edit) => ({ ...edit, changesCode: true as const })),
    }));
    const known = withPending({ proposal: { ...pending.proposal, documents } });
    const rows = await allRows(skillNode(known, rowsBeneath, () => Promise.resolve(known)));
    const edit = rows.find(({ editId }) => editId === 'E1')?.row();
    assert.match(edit?.description ?? '', / · changes what agents run$/);
    assert.match(edit?.says ?? '', /changes what agents run\.$/);
  });

  it('an edit that was rejected is listed once: with its proposal while that waits, among those not taken after it', async () => {
    const rejected = [
      { text: 'Use ISO dates.', reason: 'wrong', inProposal: true as const },
      { text: 'Use US dates.', reason: 'Not better' },
    ];
    assert.deepEqual(await notTaken(rejected), ['Edits not taken', 'Use US dates.']);
    assert.deepEqual(await notTaken(rejected.slice(0, 1)), []);
  });

  it('stored sentences are in the language of the window', async () => {
    speak(z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(bundle, 'utf8'))));
    try {
      const verdict = unmeasured('no-held-out');
      const known = aKnownSkill({ verdict });
      const rows = await allRows(skillNode(known, rowsBeneath, () => Promise.resolve(known)));
      const gate = rows.find(({ id }) => id.startsWith('gate:'))?.row();
      assert.match(gate?.says ?? '', /未测量：没有留出任务。/);
      assert.match(gate?.tooltip?.() ?? '', /^未测量：没有留出任务。$/m);
      const run = { ...emptySummary('r1', 0), skillName: 'dates', outcome: 'nothing' as const };
      const said = runNode({ ...run, reason: 'Cancelled. Nothing was changed.' }, '/skills/dates/SKILL.md').row();
      assert.match(said.says, /已取消。没有任何更改。$/);
    } finally {
      speak(undefined);
    }
  });

  it('a folder says its name and how many skills it holds', () => {
    assertSpoken(folderNode('/folder/one', []));
  });
});

function iconOf(known: KnownSkill): string {
  return skillNode(known, rowsBeneath, () => Promise.resolve(known)).row().icon;
}

/** The rows about edits that were not taken. */
async function notTaken(rejected: SkillOverview['rejected']): Promise<readonly string[]> {
  const known = withOverview({ rejected });
  const rows = await allRows(skillNode(known, rowsBeneath, () => Promise.resolve(known)));
  return rows.filter(({ id }) => id.startsWith('rejected:')).map((node) => node.row().label);
}

function withOverview(changes: Partial<SkillOverview>): KnownSkill {
  const known = aKnownSkill({});
  assert.ok(known.overview);
  return { ...known, overview: { ...known.overview, ...changes } };
}

function withPending(changes: Partial<PendingProposal>): KnownSkill {
  const pending = aKnownSkill({}).overview?.pending;
  assert.ok(pending);
  return withOverview({ pending: { ...pending, ...changes } });
}

function anAdoption(verdict: 'accepted' | 'unmeasured'): AdoptedVersion {
  const hashes = { beforeHash: 'a', afterHash: 'b', document: 'skill', files: [] } as const;
  return { id: '2', at: 9, action: 'adopt', proposalId: 'p', verdict, measured: undefined, own: true, ...hashes };
}

const aSkippedNight = { key: 'k', due: 1, at: 2, kind: 'skip', sentence: 'The machine slept.' } as const;

function aNightThat(did: 'stopped' | 'left one out'): NightResult {
  const spend = { calls: 0, tokens: 0, usd: undefined };
  const skill: NightSkillResult = {
    skillPath: '/skills/dates/SKILL.md',
    name: 'dates',
    outcome: 'skipped',
    reason: 'Nothing changed since the last night.',
    cause: undefined,
    stop: 'nothing-changed',
    action: undefined,
    before: undefined,
    after: undefined,
    verdict: undefined,
    runId: undefined,
    spend,
  };
  const stop = { name: 'no-key', sentence: 'No key.', cure: 'Set one.' } as const;
  return {
    startedAt: did === 'stopped' ? 3 : 4,
    endedAt: 5,
    startedBy: 'window',
    stops: did === 'stopped' ? [stop] : [],
    skills: [skill, { ...skill, skillPath: '/skills/times/SKILL.md', name: 'times', outcome: 'nothing' }],
    spend,
  };
}

function assertSpoken(node: TreeNode): void {
  const row = node.row();
  const item = rowItem(node.id, row);
  assert.equal(item.id, node.id);
  const says = item.accessibilityInformation?.label ?? '';
  assert.match(says, /[.!?]$/, `${node.id} does not end a sentence: ${says}`);
  assert.ok(says.split(/\s+/).length >= 3, `${node.id} says too little: ${says}`);
  assert.equal(item.tooltip, undefined, 'tooltips are made when somebody looks');
  assert.ok(withTooltip(item, row).tooltip !== undefined);
}

async function allRows(node: TreeNode): Promise<readonly TreeNode[]> {
  const below = await Promise.all((await node.children()).map(allRows));
  return [node, ...below.flat()];
}

/** What the row about the use of a skill says; undefined where there is none. */
async function used(use: { readonly used: number; readonly of: number } | undefined) {
  const known = withOverview({ runs: [{ ...emptySummary('r3', 1), skillUse: use }] });
  const rows = await allRows(skillNode(known, rowsBeneath, () => Promise.resolve(known)));
  const row = rows.find(({ id }) => id.startsWith('use:'))?.row();
  return row === undefined ? undefined : [row.label, row.description, row.says];
}
