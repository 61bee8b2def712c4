import assert from 'node:assert/strict';
import { optimizeJson } from '../../src/cli/commands/optimize.js';
import type { RunEvent } from '../../src/engine/journal/runEvents.js';
import { aForgetfulWorkspace, aStubbornWorkspace, twoEdits } from '../builders/aForgetfulWorkspace.js';
import type { TestWorkspace } from '../builders/aWorkspace.js';

const strict = { gate: { rule: 'strict', attribution: false } };
const workspaces: TestWorkspace[] = [];

describe('the ends of epochs on the simulated model', () => {
  after(() => workspaces.splice(0).forEach((workspace) => workspace.dispose()));

  it('say again what an epoch made the agent forget: held-out tasks score higher than in the same run without', async () => {
    const without = await forgetful({ slowUpdate: { on: false } });
    const guided = await forgetful({ slowUpdate: { on: true } });
    const [compared] = eventsOf(guided.events, 'epoch-compared');
    assert.deepEqual([compared?.improved, compared?.regressed, compared?.persistentFail], [2, 2, 0]);
    assert.equal(contentsOf(without).length, 2);
    assert.deepEqual(contentsOf(guided), [...contentsOf(without), '- Say “Hope this helps!” in so many words.']);
    assert.equal(guided.result.proposal?.documents[0]?.edits.at(-1)?.edit.op, 'slow_update');
    assert.deepEqual([scoreOf(without), scoreOf(guided)], [6 / 8, 1]);
    const rowsOf = (file: string): number => {
      const rows: unknown = JSON.parse(
        guided.workspace.artifact(guided.result.runId, `slow_update/epoch_02/${file}`) ?? '0',
      );
      return Array.isArray(rows) ? rows.length : 0;
    };
    assert.deepEqual(
      ['rollout_prev', 'rollout_curr', 'selection_eval'].map((folder) => rowsOf(`${folder}/results.json`)),
      [7, 7, 7],
    );
    const told = guided.workspace.artifact(guided.result.runId, 'slow_update/epoch_02/slow_result.json') ?? '';
    assert.match(told, /"update_origin": "slow_update_momentum",\n  "update_target": "What got worse/);
    assert.match(JSON.stringify(optimizeJson(guided.result)['edits']), /"update_origin":"slow_update_momentum"/);
    assert.deepEqual([rowsOf('comparison_pairs.json'), rowsOf('comparison_pairs_all.json')], [7, 7]);
  });

  it('keep an optimizer from proposing for ever what was rejected: the same run without notes comes to nothing', async () => {
    const without = await stubborn({ metaSkill: { on: false } });
    const noted = await stubborn({ metaSkill: { on: true } });
    assert.equal(without.result.proposal, undefined);
    assert.deepEqual(actionsOf(without), ['reject', 'reject', 'reject']);
    assert.deepEqual(actionsOf(noted), ['reject', 'reject', 'accept_new_best']);
    assert.equal(scoreOf(noted), 1);
    assert.match(await notesOf(noted.workspace), /^- Not again: .*120 characters/mu);
    assert.deepEqual(contentsOf(noted), ['- Mention “fathoms” by name, so that nobody has to ask.']);
  });
});

function forgetful(settings: Readonly<Record<string, unknown>>): Promise<Trained> {
  return trained(aForgetfulWorkspace(), { ...twoEdits, ...strict, metaSkill: { on: false }, ...settings });
}

function stubborn(settings: Readonly<Record<string, unknown>>): Promise<Trained> {
  const epochs = { edits: { budget: 2, minimum: 2 }, train: { epochs: 3 }, stop: { patience: 9 } };
  return trained(aStubbornWorkspace(), { ...epochs, ...strict, slowUpdate: { on: false }, ...settings });
}

interface Trained {
  readonly workspace: TestWorkspace;
  readonly result: Awaited<ReturnType<TestWorkspace['optimize']>>;
  readonly events: readonly RunEvent[];
}

async function trained(workspace: TestWorkspace, settings: Readonly<Record<string, unknown>>): Promise<Trained> {
  workspaces.push(workspace);
  const events: RunEvent[] = [];
  const result = await workspace.optimize({ preset: 'standard', settings, onEvent: (event) => events.push(event) });
  return { workspace, result, events };
}

function contentsOf({ result }: Trained): readonly string[] {
  return (result.proposal?.documents[0]?.edits ?? []).flatMap(({ edit }) => ('content' in edit ? [edit.content] : []));
}

function scoreOf({ result }: Trained): number | undefined {
  const verdict = result.proposal?.verdict;
  return verdict !== undefined && 'figures' in verdict ? verdict.figures?.after : undefined;
}

function actionsOf({ events }: Trained): readonly string[] {
  return eventsOf(events, 'step-ended').map(({ action }) => action);
}

function eventsOf<Kind extends RunEvent['kind']>(events: readonly RunEvent[], kind: Kind) {
  return events.filter((event): event is Extract<RunEvent, { kind: Kind }> => event.kind === kind);
}

function notesOf(workspace: TestWorkspace): Promise<string> {
  const { skillPath, folder } = workspace;
  return workspace.useCases().metaSkill({ skillPath, workspaceFolders: [folder] }, new AbortController().signal);
}
