import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import { aWorkspace, type Models, type TestWorkspace, type WrittenTask, ownWords } from '../builders/aWorkspace.js';
import { few } from '../builders/few.js';

const demo = path.resolve('media/demo');
const demoSkills = ['.claude/skills/incident-summary', '.github/skills/code-review', '.agents/skills/support-answer'];
const full = process.env['WHETSTONE_FULL'] === '1';
const workspaces: TestWorkspace[] = [];

describe('the demo on the simulated model', function trained() {
  this.timeout(full ? 240_000 : 180_000);

  after(() => workspaces.splice(0).forEach((workspace) => workspace.dispose()));

  for (const skill of full ? demoSkills : demoSkills.slice(0, 1)) {
    it(`teaches ${path.basename(skill)} everything: held-out below 0.2 before, 1.0 after, sealed within 0.1`, async () => {
      const workspace = made({ copy: { from: demo, skill } });
      const before = workspace.skillText();
      const { proposal } = await workspace.optimize({ preset: 'standard' });
      assert.ok(proposal?.verdict.kind === 'accepted', JSON.stringify(proposal?.verdict));
      const { figures } = proposal.verdict;
      assert.ok(figures.before < 0.2, String(figures.before));
      assert.equal(figures.after, 1);
      assert.ok(proposal.sealed !== undefined && Math.abs(proposal.sealed.after - figures.after) <= 0.1);
      assert.equal(workspace.skillText(), before);
    });
  }

  const useless: readonly (readonly [name: string, shares: Readonly<Record<string, number>>, says: RegExp])[] = [
    ['every edit of the optimizer is harmful', { harmful: 1 }, /none made the held-out tasks score higher/],
    ['no reply of the optimizer is valid', { malformed: 1 }, /no usable reply|none could be applied/],
  ];
  for (const [name, shares, says] of few(useless)) {
    it(`stages nothing as better where ${name}, leaves the file alone, and the report says why`, async () => {
      for (const seed of full ? [1, 2, 3, 4, 5] : [1]) {
        const workspace = made({
          copy: { from: demo, skill: demoSkills[0] ?? '' },
          models: withOptimizer(shares, seed),
        });
        const before = workspace.skillText();
        const { proposal, noProposal: nothing, runId } = await workspace.optimize({ preset: 'standard' });
        assert.notEqual(proposal?.verdict.kind, 'accepted');
        assert.equal(proposal, undefined, JSON.stringify(proposal?.verdict));
        assert.match(nothing?.reason ?? '', says);
        assert.equal(workspace.skillText(), before);
        assert.ok(workspace.artifact(runId, 'report.md')?.includes('**Nothing is proposed.**'));
      }
    });
  }
});

describe('a skill that neither the demo nor the documentation knows', () => {
  after(() => workspaces.splice(0).forEach((workspace) => workspace.dispose()));

  it('shares no telling word with either', () => {
    const known = [...textsIn(demo), readFileSync(path.resolve('docs/simulated.md'), 'utf8')].join('\n').toLowerCase();
    for (const word of tellingWords) assert.ok(!known.includes(word.toLowerCase()), word);
  });

  it('is trained as well: the simulated model reads what the criteria say, not what it has seen', async () => {
    const workspace = made({ skill: lighthouse, tasks: lighthouseTasks() });
    const { proposal } = await workspace.optimize({ preset: 'standard' });
    assert.ok(proposal?.verdict.kind === 'accepted', JSON.stringify(proposal?.verdict));
    assert.equal(proposal.verdict.figures.before, 0);
    assert.equal(proposal.verdict.figures.after, 1);
    const text = proposal.documents[0]?.candidateText ?? '';
    for (const word of tellingWords.slice(0, 3)) assert.ok(text.includes(word), word);
  });
});

const tellingWords = ['Visibility:', 'Keeper on watch', 'fathoms', 'lighthouse', 'foghorn'];

const lighthouse = `---
name: lighthouse-log
description: Writes the evening entry of a lighthouse log.
---

# Lighthouse log

Write the entry of the evening from the keeper's notes. Tell the story of the night as a whole, with its moods.

The log is read by the harbour master in the morning. He wants to know what passed and in which weather.
`;

function lighthouseTasks(): readonly WrittenTask[] {
  const nights = [
    'a gale from the north',
    'the foghorn out of order',
    'two trawlers passing late',
    'a gull in the lamp room',
  ];
  const sides = ['training', 'heldOut', 'sealed'] as const;
  const counts = { training: 6, heldOut: 10, sealed: 3 };
  return sides.flatMap((side) =>
    Array.from({ length: counts[side] }, (_, index) => ({
      id: `${side}-${index}`,
      prompt: `Notes of a night: ${nights[index % nights.length] ?? ''}, lamp lit at ${17 + (index % 4)} h. Seen: ${ownWords(`${side}${index}`)}.`,
      side,
      checks: [
        { check: 'contains', text: 'Visibility:' },
        { check: 'section_present', heading: 'Keeper on watch' },
        { check: 'contains', text: 'fathoms' },
        { check: 'max_chars', limit: 900 },
      ],
    })),
  );
}

function withOptimizer(shares: Readonly<Record<string, number>>, seed: number): Models {
  const honest = createSimulatedModel({ seed });
  return { target: honest, judge: honest, optimizer: createSimulatedModel({ seed, optimizer: shares }) };
}

function made(parts: Parameters<typeof aWorkspace>[0]): TestWorkspace {
  const workspace = aWorkspace(parts);
  workspaces.push(workspace);
  return workspace;
}

function textsIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'));
}
