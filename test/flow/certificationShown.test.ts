import assert from 'node:assert/strict';
import { verdictText } from '../../src/cli/resultText.js';
import { warningsOf } from '../../src/wording/verdictReport.js';
import { chance, say, type Ability } from '../builders/aRunContext.js';
import { aWorkspace, writtenTasks } from '../builders/aWorkspace.js';
import { aCertificationWorld, type CertificationWorld, type WorldParts } from './certificationWorld.js';

const worlds: Pick<CertificationWorld, 'dispose'>[] = [];

describe('sealed tasks', () => {
  after(() => worlds.splice(0).forEach((world) => world.dispose()));

  it('are scored once before and once after, and stand in the report beside the held-out figures', async () => {
    const world = aWorld({ sealed: 3 });
    const { result, asked } = await world.optimize();
    assert.deepEqual(result.proposal?.sealed, { before: 0, after: 1, n: 3 });
    assert.equal(asked.filter(({ dependsOn }) => dependsOn?.some((part) => part.startsWith('sealed:'))).length, 6);
    assert.match(await world.report(), /\| held-out \| 0 % \| 100 % [^\n]*\n\| sealed \| 0 % \| 100 % \| 3 \|/);
  });

  it('warn where the held-out tasks rose and they fell', async () => {
    const world = aWorld({ sealed: 3, ability: betterExceptOnSealed });
    const { result } = await world.optimize();
    assert.equal(result.proposal?.verdict.kind, 'accepted', 'they decide nothing');
    assert.match(await world.report(), /The held-out tasks rose \(\+100 points\) but the 3 sealed tasks fell/);
  });

  it('are scored when more evidence is gathered, where the cap had left them out', async () => {
    const world = aWorld({ sealed: 3, ability: noisyInCertification(0.5) });
    const cut = await world.optimize({ caps: { calls: 3 + 6 + 2 + 1 + 12 + 6 }, concurrency: 1 });
    assert.equal(cut.result.proposal?.sealed, undefined);
    const { result } = await world.gather();
    assert.deepEqual(result.proposal?.sealed, { before: 0, after: 1, n: 3 });
  });
});

describe('repeats that never differ', () => {
  after(() => worlds.splice(0).forEach((world) => world.dispose()));

  it('are told to the person with the figures, in proposal and report', async () => {
    const world = aWorld();
    const { result } = await world.optimize();
    const verdict = result.proposal?.verdict;
    assert.ok(verdict?.kind === 'accepted');
    assert.match(verdict.figures.warnings.join(), /^No task ever gave two different scores in 2 passes/);
    assert.match(await world.report(), /No task ever gave two different scores/);
  });

  it('are not told of the simulated model, whose answers are the same by construction', async () => {
    const workspace = aWorkspace({ tasks: writtenTasks({ training: 2, heldOut: 6, sealed: 0 }, ['Visibility:']) });
    worlds.push(workspace);
    const { folder, skillPath } = workspace;
    const { proposal, runId } = await workspace.optimize();
    assert.ok(proposal?.verdict.kind === 'accepted' && proposal.verdict.figures.passes > 1);
    assert.deepEqual(warningsOf(proposal.verdict, proposal.sealed, proposal.models), []);
    assert.doesNotMatch(verdictText(proposal, { skill: 'x', paint: (_, text) => text }), /two different scores/);
    const shown = (await workspace.useCases().reportData({ skillPath, workspaceFolders: [folder] }))?.shown;
    assert.deepEqual(shown?.warnings, []);
    assert.doesNotMatch(workspace.artifact(runId, 'report.md') ?? '', /two different scores/);
  });

  it('are not told of a model that varies', async () => {
    const { result } = await aWorld({ ability: noisyInCertification(0.8) }).optimize();
    const verdict = result.proposal?.verdict;
    assert.ok(verdict?.kind === 'accepted' && verdict.figures.warnings.length === 0);
  });
});

const betterExceptOnSealed: Ability = (skill, prompt) =>
  prompt.startsWith('sealed') !== skill.includes('Say “alpha”') ? 'alpha' : 'Nothing.';

function noisyInCertification(share: number): Ability {
  return (skill, prompt, sample) => {
    const able = skill.includes('Say “alpha”');
    return able && (!sample.includes('certification') || chance(`${prompt}${sample}`) < share) ? 'alpha' : 'Nothing.';
  };
}

function aWorld(parts: WorldParts = {}): CertificationWorld {
  const world = aCertificationWorld({ edits: [say('alpha')], ...parts });
  worlds.push(world);
  return world;
}
