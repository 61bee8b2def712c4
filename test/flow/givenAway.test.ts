import assert from 'node:assert/strict';
import type { AttemptResult, RegisteredEnvironment } from '../../src/ports/environment.js';
import { aListenedModel } from '../builders/aListenedModel.js';
import { anAnswer } from '../builders/anAnswer.js';
import { aWorkspace, inEveryRole, type TestWorkspace, type WrittenTask } from '../builders/aWorkspace.js';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const like = 'They write about the old pier and want their deposit back today';
const secret = 'the pelican of Lindisfarne counted nineteen amber lanterns before supper';

type Answered = Extract<AttemptResult, { kind: 'answered' }>;

/** Where a program can write a text of a held-out task in the result of a training attempt. */
const places: readonly (readonly [string, Partial<Answered>])[] = [
  ['its reason', { scores: { hard: 0, soft: 0, reason: `Not like “${secret}”.` } }],
  ['an extra field', { extras: { near: { others: [`as in\n${secret}`] } } }],
  [
    'extra fields, a part in each',
    { extras: Object.fromEntries(secret.split(' ').map((word, at) => [`f${at}`, word])) },
  ],
  ['an observation', { transcript: [{ kind: 'tool', name: 'look', arguments: '{}', result: secret }] }],
  ['feedback', { transcript: [{ kind: 'step', action: 'look', feedback: secret }] }],
  [
    'turns, a part in each',
    {
      transcript: [
        { kind: 'message', role: 'user', text: secret.slice(0, 34) },
        { kind: 'message', role: 'user', text: secret.slice(34) },
      ],
    },
  ],
  ['the answer', { answer: `I say: ${secret}` }],
];

describe('a held-out task that an environment gives away in training attempts', () => {
  const workspaces: TestWorkspace[] = [];
  after(() => workspaces.forEach((workspace) => workspace.dispose()));

  for (const [place, parts] of places) {
    it(`does not reach the optimizer through ${place}, which is kept, and the report says so once`, async () => {
      const { asked, report, workspace, run } = await trained({
        transcript: harmless,
        extras: { mood: 'grim' },
        ...parts,
      });
      assert.ok(asked.length > 0);
      for (const prompt of asked) {
        assert.ok(!/pelican|Lindisfarne|lanterns/.test(prompt), prompt);
        assert.match(prompt, /They write about/);
      }
      assert.equal(report.split('gives away a task of another side').length, 2, report);
      assert.match(report, /environment “harbour” says in training attempts/);
      if (place === 'the answer')
        assert.match(workspace.artifact(run, 'steps/step_0001/rollout/results.json') ?? '', /pelican/);
    });
  }

  it('is no secret where the training task says the same, and ordinary words stay', async () => {
    const { asked, report } = await trained({
      scores: { hard: 0, soft: 0, reason: 'Read again: {prompt}' },
      extras: { note: 'The label was “refund please today”.' },
      transcript: harmless,
    });
    assert.ok(asked.some((prompt) => prompt.includes(`Read again: ${like}, in red ink.`)));
    assert.ok(asked.some((prompt) => prompt.includes('refund please today') && prompt.includes('The door is shut.')));
    assert.ok(!report.includes('gives away'));
  });

  async function trained(result: Partial<Answered>) {
    const workspace = anOffice();
    workspaces.push(workspace);
    const { model, prompts: asked } = aListenedModel();
    const request = { skillPath: workspace.skillPath, workspaceFolders: [workspace.folder] };
    const settings = [{ gate: { rule: 'off', attribution: false } }];
    const { summary } = await workspace
      .useCases(inEveryRole(model), { environments: () => [theHarbour(result)] })
      .optimize(
        { ...request, preset: 'quick', settings, purpose: 'optimize', trusted: true, resume: undefined },
        () => undefined,
        new AbortController().signal,
      );
    const report = workspace.artifact(summary.runId, 'report.md') ?? '';
    return { asked, report, workspace, run: summary.runId };
  }
});

const harmless: Answered['transcript'] = [{ kind: 'step', action: 'look', feedback: 'The door is shut.' }];

function theHarbour(result: Partial<Answered>): RegisteredEnvironment {
  const { reason = 'It came back.' } = result.scores ?? {};
  return {
    name: 'harbour',
    rollout: async ({ task }) =>
      anAnswer('Dear friend', {
        ...result,
        scores: { hard: 0, soft: 0, reason: reason.replace('{prompt}', task.prompt) },
      }),
  };
}

/** Two training tasks; a held-out one says the words, another is much like a training task. */
function anOffice(): TestWorkspace {
  const workspace = aWorkspace({
    tasks: [
      written('train-0', `${like}, in red ink.`, 'training', 'refund please today'),
      written('train-1', `They write about a lost net, nothing else.`, 'training', 'a new net'),
      written('held-0', `Tell me why ${secret}.`, 'heldOut', 'refund please today'),
      written('held-1', `${like}, in blue chalk on slate, by the old harbour wall.`, 'heldOut', 'a new net'),
    ],
  });
  const file = path.join(path.dirname(workspace.skillPath), 'evals/whetstone.json');
  const whetstone = JSON.parse(readFileSync(file, 'utf8'));
  for (const task of Object.values<{ environment?: string }>(whetstone.tasks)) task.environment = 'harbour';
  writeFileSync(file, JSON.stringify(whetstone));
  return workspace;
}

function written(id: string, prompt: string, side: 'training' | 'heldOut', label: string): WrittenTask {
  return { id, prompt, side, checks: [], references: [label] };
}
