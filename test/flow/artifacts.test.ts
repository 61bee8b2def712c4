import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { optimizeJson } from '../../src/cli/commands/optimize.js';
import { ModelError } from '../../src/errors.js';
import { sha256 } from '../../src/hash.js';
import type { OptimizeResult } from '../../src/app/runs/optimize.js';
import { anOptimizer, edits, say, sayWhatIsAsked, type OptimizerScript } from '../builders/aRunContext.js';
import {
  aWorkspace,
  inEveryRole,
  writtenTasks,
  type Models,
  type RunWish,
  type TestWorkspace,
} from '../builders/aWorkspace.js';

type Row = Readonly<Record<string, unknown>>;
const Rows = z.array(z.record(z.string(), z.unknown()));

describe('the artifacts of a run', () => {
  let workspace: TestWorkspace;
  let result: OptimizeResult;
  before(async () => {
    const tasks = writtenTasks({ training: 4, heldOut: 6, sealed: 2 }, ['alpha']).map((task, index) => ({
      ...task,
      tags: [index % 2 === 0 ? 'even' : 'odd'],
      references: [`the answer of ${task.id}`],
    }));
    workspace = aWorkspace({ tasks });
    result = await workspace.optimize({
      models: modelOf(script),
      settings: { ...small, gate: { attribution: false } },
    });
  });
  after(() => workspace.dispose());

  const read = (file: string): Row => JSON.parse(workspace.artifact(result.runId, file) ?? 'null');
  const rows = (file: string): readonly Row[] => JSON.parse(workspace.artifact(result.runId, file) ?? 'null');

  it('have the keys of the paper’s trainer in summary.json, beside ours', () => {
    const summary = read('summary.json');
    const named = [
      ['total_steps', 1],
      ['total_accepts', 1],
      ['total_rejects', 0],
      ['total_skips', 0],
      ['best_step', 1],
      ['best_origin', 'step_0001'],
      ['baseline_selection_score', 0],
      ['best_selection_score', 1],
      ['current_selection_score', 1],
      ['baseline_test_hard', 0],
      ['test_hard', 1],
      ['test_soft', 1],
      ['test_delta_hard', 1],
      ['initial_skill_hash', sha256(workspace.skillText()).slice(0, 16)],
      ['outcome', 'proposed'],
    ] as const;
    assert.deepEqual(
      named.map(([key]) => [key, summary[key]]),
      named,
    );
    assert.equal(typeof summary['wall_time_s'], 'number');
  });

  it('have the sealed rows before and after, with sums and figures by type, and no reference of theirs', () => {
    const [before, after] = [rows('test_eval_baseline/results.json'), rows('test_eval_best/results.json')];
    assert.deepEqual(
      new Map(before.map(({ id, hard, task_type: type }) => [id, [hard, type]])),
      new Map([
        ['sealed-0', [0, 'even']],
        ['sealed-1', [0, 'odd']],
      ]),
    );
    assert.deepEqual(
      after.map(({ hard }) => hard),
      [1, 1],
    );
    assert.deepEqual(read('test_eval_best/summary.json'), { hard: 1, soft: 1, n: 2 });
    assert.deepEqual(read('test_eval_best/buckets.json'), {
      even: { total: 1, hard: 1, soft: 1 },
      odd: { total: 1, hard: 1, soft: 1 },
      overall: { total: 2, hard: 2, soft: 2 },
    });
    const others = ['test_eval_baseline', 'test_eval_best', 'steps/step_0001/selection_eval'];
    for (const folder of others)
      assert.doesNotMatch(workspace.artifact(result.runId, `${folder}/results.json`) ?? '', /the answer of/);
  });

  it('tell of each attempt what was asked, what the target read, what came and why it failed', () => {
    const row = rows('steps/step_0001/rollout/results.json').find(({ id }) => id === 'training-0') ?? {};
    const { question, response, target_system_prompt: system, ...rest } = row;
    assert.match(String(question), /^Describe a harbour/);
    assert.match(String(system), /\{skill\}/);
    assert.doesNotMatch(String(system), /# Words/);
    const expected = {
      n_turns: 1,
      task_type: 'even',
      target_user_prompt: question,
      predicted_answer: response,
      reference_text: 'the answer of training-0',
      fail_reason: 'Not met: The answer contains “alpha”.',
      skill_hash: sha256(workspace.skillText()).slice(0, 16),
    };
    assert.deepEqual(Object.fromEntries(Object.keys(expected).map((key) => [key, rest[key]])), expected);
  });

  it('keep why the optimizer merged and ranked as it did, and on which level an edit was merged', () => {
    const merged = read('steps/step_0001/merged_patch.json');
    assert.equal(merged['reasoning'], 'They say the same.');
    assert.deepEqual(
      Rows.parse(merged['edits']).map((edit) => edit['merge_level']),
      [1, 1],
    );
    const ranked = read('steps/step_0001/ranked_edits.json');
    assert.equal(ranked['reasoning'], 'The first one helps.');
    assert.deepEqual(ranked['ranking_details'], { reasoning: 'The first one helps.', selected_indices: [0] });
  });

  it('tell how often training tasks passed, and how each type did', () => {
    assert.equal(read('steps/step_0001/step_record.json')['rollout_pass_rate'], 0);
    const { tasks, n } = read('steps/step_0001/rollout/summary.json');
    assert.equal(n, 4);
    assert.deepEqual(Rows.parse(tasks)[0], {
      id: 'training-0',
      task_type: 'even',
      attempts: 1,
      passed: 0,
      pass_rate: 0,
    });
    const report = workspace.artifact(result.runId, 'report.md') ?? '';
    assert.match(
      report,
      /## Tasks by type\n\n\| type \| training \|.*\n.*\n\| even \| 0 % of 2 \| 0 % of \d+ \| 100 % of \d+ \| 0 % of 1 \| 100 % of 1 \|/,
    );
    assert.match(
      report,
      /## Training tasks\n\n\| training task \| passed \| pass rate \|\n.*\n\| training-0 \| 0 of 1 \| 0 % \|/,
    );
  });

  it('give the report page its figures by type', async () => {
    const request = { skillPath: workspace.skillPath, workspaceFolders: [workspace.folder], run: undefined };
    const data = await workspace.useCases().reportData(request);
    assert.deepEqual(
      data?.byType?.map(({ type, training }) => [type, training]),
      [
        ['even', { n: 2, share: 0 }],
        ['odd', { n: 2, share: 0 }],
      ],
    );
  });

  it('have the hash of the paper’s trainer beside ours in a step', () => {
    const record = read('steps/step_0001/step_record.json');
    assert.equal(record['candidate_skill_hash'], String(record['candidate_hash']).slice(0, 16));
    assert.match(String(record['skill_hash']), /^[0-9a-f]{16}$/);
  });
});

describe('what a run says to scripts', () => {
  const workspaces: TestWorkspace[] = [];
  after(() => workspaces.forEach((each) => each.dispose()));
  const jsonOf = async (models: Models): Promise<Row> => {
    const workspace = aWorkspace({ tasks: writtenTasks({ training: 2, heldOut: 5, sealed: 0 }, ['alpha']) });
    workspaces.push(workspace);
    return optimizeJson(await workspace.optimize({ models }));
  };

  it('names scores, rejected edits and the last error where nothing is proposed, too', async () => {
    const json = await jsonOf(modelOf({ reflect: edits(say('nonsense')) }));
    assert.deepEqual([json['baseline_score'], json['candidate_score'], json['call_error']], [0, 0, null]);
    const [edit] = Rows.parse(json['rejected_edits']);
    assert.match(String(edit?.['content']), /nonsense/);
    assert.notEqual(edit?.['why'], '');
  });

  it('names the call that failed', async () => {
    const filtered = anOptimizer({ reflect: edits(say('nonsense')) }).when(
      ({ role, messages }) => role === 'target' && /quaytraining0/.test(messages.at(-1)?.content ?? ''),
      new ModelError('content-filter', 'The filter took it.'),
    );
    const json = await jsonOf(inEveryRole(answering(filtered)));
    assert.match(String(json['call_error']), /The filter took it/);
    assert.equal(json['baseline_score'], 0);
  });

  it('names them of a proposal as well, with the hash of the paper’s trainer', async () => {
    const json = await jsonOf(modelOf({ reflect: edits(say('alpha')) }));
    assert.deepEqual([json['baseline_score'], json['candidate_score'], json['rejected_edits']], [0, 1, []]);
    assert.match(String(json['skill_hash']), /^[0-9a-f]{16}$/);
  });
});

describe('a folder for the artifacts', () => {
  const workspaces: TestWorkspace[] = [];
  after(() => workspaces.forEach((each) => each.dispose()));
  const aPlace = (): { readonly workspace: TestWorkspace; readonly out: string } => {
    const workspace = aWorkspace({ tasks: writtenTasks({ training: 2, heldOut: 5, sealed: 0 }, ['alpha']) });
    workspaces.push(workspace);
    return { workspace, out: path.join(workspace.home, 'deep', 'out') };
  };

  it('holds what the run leaves, with a summary, when it ends', async () => {
    const { workspace, out } = aPlace();
    const { runId } = await optimizeInto(workspace, out);
    const own = path.join(workspace.folder, '.whetstone/runs', runId);
    const inRun = listed(own).filter((file) => file !== 'journal.jsonl');
    assert.deepEqual(listed(out), inRun);
    assert.equal(readFileSync(path.join(out, 'report.md'), 'utf8'), readFileSync(path.join(own, 'report.md'), 'utf8'));
    const summary: Row = JSON.parse(readFileSync(path.join(out, 'summary.json'), 'utf8'));
    assert.deepEqual([summary['best_step'], summary['runId']], [1, runId]);
  });

  const refusals: readonly (readonly [string, (out: string, workspace: TestWorkspace) => string, RegExp])[] = [
    ['that holds something', (out) => (writeFileSync(path.join(mkdir(out), 'mine.txt'), 'x'), out), /is not empty/],
    [
      'that is a file',
      (out) => (writeFileSync(path.join(mkdir(out), 'f'), 'x'), path.join(out, 'f')),
      /is not a folder/,
    ],
    ['among the runs', (_, { folder }) => path.join(folder, '.whetstone/runs/mine'), /where runs are kept already/],
  ];
  for (const [name, place, said] of refusals)
    it(`is refused before anything is spent, where it is one ${name}`, async () => {
      const { workspace, out } = aPlace();
      const model = answering(anOptimizer(script));
      const wish = { models: inEveryRole(model) };
      await assert.rejects(optimizeInto(workspace, place(out, workspace), wish), said);
      assert.equal(model.requests.length, 0);
    });

  it('is taken again by the run that goes on', async () => {
    const { workspace, out } = aPlace();
    const controller = new AbortController();
    const cut = optimizeInto(workspace, out, {
      signal: controller.signal,
      onEvent: (event) => (event.kind === 'step-ended' ? controller.abort(new Error('enough')) : undefined),
    });
    await assert.rejects(cut);
    await assert.rejects(optimizeInto(workspace, out), /is not empty/);
    await optimizeInto(workspace, out, { resume: { run: undefined } });
    assert.ok(existsSync(path.join(out, 'summary.json')));
  });
});

const small = { merge: { batchSize: 8 }, reflect: { minibatchSize: 2 }, edits: { budget: 1, minimum: 1 } };

/** Two analysts who do not agree, a merge of what they say, and a choice of one of it. */
let asked = 0;
const script: OptimizerScript = {
  reflect: () => (asked++ % 2 === 0 ? edits(say('alpha')) : edits(say('beta'))),
  merge: JSON.stringify({ reasoning: 'They say the same.', edits: [say('alpha'), say('beta')] }),
  rank: JSON.stringify({ reasoning: 'The first one helps.', selected_indices: [0] }),
};

function modelOf(scripted: OptimizerScript): Models {
  return inEveryRole(answering(anOptimizer(scripted)));
}

function answering(model: ReturnType<typeof anOptimizer>): ReturnType<typeof anOptimizer> {
  return model.when(
    ({ role }) => role === 'target',
    ({ messages }) => sayWhatIsAsked(messages[0]?.content ?? ''),
  );
}

function optimizeInto(workspace: TestWorkspace, out: string, wish: RunWish = {}): Promise<OptimizeResult> {
  return workspace.useCases(wish.models ?? modelOf({ reflect: edits(say('alpha')) })).optimize(
    {
      skillPath: workspace.skillPath,
      workspaceFolders: [workspace.folder],
      preset: 'quick',
      settings: [],
      purpose: 'optimize',
      trusted: true,
      resume: wish.resume,
      out,
    },
    (event) => wish.onEvent?.(event),
    wish.signal ?? new AbortController().signal,
  );
}

function mkdir(folder: string): string {
  mkdirSync(folder, { recursive: true });
  return folder;
}

function listed(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .toSorted((a, b) => (a < b ? -1 : 1));
}
