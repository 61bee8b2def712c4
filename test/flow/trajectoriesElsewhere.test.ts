import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { OptimizeResult } from '../../src/app/runs/optimize.js';
import type { World } from '../../src/app/world.js';
import type { LanguageModel } from '../../src/ports/languageModel.js';
import { aListenedModel } from '../builders/aListenedModel.js';
import { aWorkspace, inEveryRole, writtenTasks, type TestWorkspace } from '../builders/aWorkspace.js';

const skill = '---\nname: words\n---\n\n# Harbour log\n\nFile the report of the watch.\n';
const sentBack = 'The report was sent back.\nThe answer ends with the line “Over and out”.';

/** Judges itself and gives no reason: why it failed is in what the desk answered on the way, and nowhere else. */
const program = `import json, sys

line = json.loads(sys.stdin.readline())
task = line["task"]
signed = "Over and out" in (line["skill"] or "")
report = "All quiet." + ("\\nOver and out" if signed else "")
observed = "Stamped." if signed else ${JSON.stringify(sentBack)}
print(json.dumps({
    "id": task["id"],
    "hard": int(signed),
    "soft": int(signed),
    "conversation": [{"role": "user", "content": task["prompt"]},
                     {"type": "tool_call", "cmd": "file_report --at desk", "obs": observed},
                     {"role": "assistant", "content": report}]}))
`;

/** The same as another extension would register it: it acts in steps. */
const registered: NonNullable<World['environments']> = () => [
  {
    name: 'desk',
    rollout: ({ task, skill: text }) => {
      const signed = text?.includes('Over and out') === true;
      return Promise.resolve({
        kind: 'answered',
        answer: signed ? 'All quiet.\nOver and out' : 'All quiet.',
        toolsCalled: [],
        transcript: [
          { kind: 'message', role: 'user', text: task.prompt },
          { kind: 'step', action: 'file the report', feedback: signed ? 'Stamped.' : sentBack },
        ],
        usage: { inputTokens: 0, outputTokens: 0, exact: false },
        cached: false,
        failure: undefined,
        scores: { hard: signed ? 1 : 0, soft: signed ? 1 : 0, reason: undefined },
        extras: {},
      });
    },
  },
];

const environments = [
  {
    name: 'a program',
    declared: { desk: { command: 'python3', arguments: ['-S', '-E', 'desk.py'], folder: 'evals/environment' } },
    world: { consent: { allows: () => Promise.resolve(true) } },
    shown: /\[1\] tool call:\n {2}file_report --at desk\nobservation:\n {2}The report was sent back\./u,
    kept: { type: 'tool_call', cmd: 'file_report --at desk', obs: sentBack },
  },
  {
    name: 'an environment that another extension registered',
    declared: {},
    world: { environments: registered },
    shown: /file the report\n[^\n]*:\n {2}The report was sent back\./u,
    kept: { step: 2, action: 'file the report', env_feedback: sentBack, reasoning: '' },
  },
] as const;

// A program is started for every attempt: in npm test the other one stands for both.
const tried = process.env['WHETSTONE_FULL'] === '1' ? environments : environments.slice(1);

for (const { name, declared, world, shown, kept } of tried) {
  describe(`a failure in ${name} that only the trajectory explains`, () => {
    const workspaces: TestWorkspace[] = [];
    after(() => workspaces.forEach((workspace) => workspace.dispose()));
    const made = (): TestWorkspace => {
      const workspace = aDesk(declared);
      workspaces.push(workspace);
      return workspace;
    };

    it('is learnt from where trajectories are shown, and lies in the folder of the run, attempt by attempt', async () => {
      const { model, prompts } = aListenedModel();
      const workspace = made();
      const { proposal, summary } = await optimized(workspace, { model, world, settings: { train: { attempts: 2 } } });
      assert.equal(proposal?.verdict.kind, 'accepted', summary.reason);
      assert.match(proposal?.documents[0]?.candidateText ?? '', /Over and out/u);
      assert.match(prompts[0] ?? '', shown);
      for (const file of ['conversation.json', 'attempt_0002/conversation.json']) {
        const text = workspace.artifact(summary.runId, `steps/step_0001/rollout/predictions/training-0/${file}`);
        const entries: readonly unknown[] = JSON.parse(text ?? '[]');
        assert.deepEqual(entries[1], kept, file);
      }
    });

    it('is not where they are not', async () => {
      const { model, prompts } = aListenedModel();
      const settings = { reflect: { trajectoryTokens: 0 } };
      const { proposal } = await optimized(made(), { model, world, settings });
      assert.equal(proposal, undefined);
      assert.ok(prompts.length > 0 && prompts.every((prompt) => !prompt.includes('Over and out')));
    });
  });
}

interface DeskRun {
  readonly model: LanguageModel;
  readonly world: Partial<World>;
  readonly settings: Readonly<Record<string, unknown>>;
}

function optimized(workspace: TestWorkspace, { model, world, settings }: DeskRun): Promise<OptimizeResult> {
  const { skillPath, folder } = workspace;
  const request = { skillPath, workspaceFolders: [folder], settings: [settings], trusted: true } as const;
  return workspace
    .useCases(inEveryRole(model), world)
    .optimize({ ...request, preset: 'quick', purpose: 'optimize' }, () => undefined, new AbortController().signal);
}

/** Few tasks, all of them for the desk, which judges them itself. */
function aDesk(declared: Readonly<Record<string, object>>): TestWorkspace {
  const workspace = aWorkspace({ skill, tasks: writtenTasks({ training: 2, heldOut: 6, sealed: 0 }, []) });
  const evals = path.join(path.dirname(workspace.skillPath), 'evals');
  const file = path.join(evals, 'whetstone.json');
  const stored: { tasks: Record<string, object> } = JSON.parse(readFileSync(file, 'utf8'));
  const tasks = Object.entries(stored.tasks).map(([id, own]) => [id, { ...own, environment: 'desk' }]);
  writeFileSync(file, JSON.stringify({ ...stored, environments: declared, tasks: Object.fromEntries(tasks) }));
  mkdirSync(path.join(evals, 'environment'));
  writeFileSync(path.join(evals, 'environment', 'desk.py'), program);
  return workspace;
}
