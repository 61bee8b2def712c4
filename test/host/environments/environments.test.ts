import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { WhetstoneApi } from '../../../src/editor/environmentRegistry.js';
import type { OptimizeResult } from '../../../src/app/runs/optimize.js';
import type { SandboxState } from '../../../src/ports/sandbox.js';
import { answering } from '../answering.js';
import { until } from '../until.js';
import { aSkill, chooseSimulated, pagesOf } from '../tasks/taskWindow.js';
import { inFull } from '../../builders/few.js';

interface Asked {
  readonly setups: readonly { readonly skillPath: string; readonly tasks: readonly string[] }[];
  readonly rollouts: readonly { readonly id: string; readonly phase: string }[];
  readonly reflections: readonly (readonly { readonly id: string; readonly kind: string }[])[];
  readonly plans: readonly { readonly epoch: number; readonly ids: readonly string[] }[];
}

const topics = ['a lost parcel', 'late delivery', 'a broken lamp', 'double billing', 'missing screws', 'wrong colour'];
const wishes = ['wants a refund', 'thanks the driver'];
const list = topics.flatMap((topic, at) =>
  wishes.map((wish, index) => ({ id: `t${at}${index}`, prompt: `Someone wrote about ${topic} and ${wish}.` })),
);

describe('an environment of another extension', () => {
  before(chooseSimulated);

  it('trains a skill', async function () {
    const skillPath = aSkill('letters', {
      'SKILL.md': '---\nname: letters\ndescription: Writes letters.\n---\n\n# Letters\n\nWrite a letter.\n',
      'evals/evals.json': { evals: list },
      'evals/whetstone.json': {
        format: 'whetstone.tasks',
        version: 1,
        tasks: Object.fromEntries(list.map(({ id }) => [id, { environment: 'post-office' }])),
      },
    });
    const asked = await askedOf();
    let result: OptimizeResult | undefined;
    const { messages } = await answering({ modals: ['Optimize'] }, async () => {
      result = await vscode.commands.executeCommand<OptimizeResult>('whetstone.optimize', skillPath);
    });
    assert.match(messages.join('\n'), /The tasks in “post-office” are attempted by an extension/);
    assert.ok(result !== undefined);
    assert.equal(result.proposal?.verdict.kind, 'accepted', result.noProposal?.reason);
    assert.match(result.proposal?.documents[0]?.candidateText ?? '', /Kind regards/);

    assert.deepEqual(
      asked.setups.map(({ tasks }) => tasks.length),
      [list.length],
    );
    assert.equal(asked.setups[0]?.skillPath, skillPath);
    const phases = new Set(asked.rollouts.map(({ phase }) => phase));
    assert.ok(phases.has('training') && phases.has('heldOut'), [...phases].join(', '));
    assert.ok(asked.reflections.length > 0 && asked.reflections.every((attempts) => attempts.length > 0));
    const [plan] = asked.plans;
    assert.ok(plan !== undefined && plan.ids.length >= 2);
    const trained = asked.rollouts.filter(({ phase }) => phase === 'training').slice(0, 2);
    assert.deepEqual(
      trained.map(({ id }) => id),
      plan.ids.slice(0, 2),
      'the first batch is the one it planned',
    );
  });

  it('is refused under a name that is taken or ours, or without a way to attempt', async () => {
    const api = vscode.extensions.getExtension<WhetstoneApi>('whetstone.whetstone')?.exports;
    assert.ok(api);
    for (const name of ['post-office', 'chat', 'tools', 'agent', ''])
      assert.throws(() => api.registerEnvironment({ name, rollout }), /cannot be registered/);
    assert.throws(() => api.registerEnvironment(JSON.parse('{"name": "lazy"}')), /cannot be registered/);
    const registered = api.registerEnvironment({ name: 'for-a-while', rollout });
    registered.dispose();
    api.registerEnvironment({ name: 'for-a-while', rollout }).dispose();
  });
});

describe('a program that tasks declare', () => {
  before(chooseSimulated);

  it('runs after the person allowed it, is asked about once, and not at all after a no', async function () {
    const script =
      'import json,sys\nt=json.loads(sys.stdin.readline())["task"]\nprint(json.dumps({"id":t["id"],"hard":1,"soft":1}))\n';
    const skillPath = aSkill('program', {
      'evals/evals.json': { evals: list.slice(0, 1) },
      'evals/env/env.py': script,
      'evals/whetstone.json': {
        format: 'whetstone.tasks',
        version: 1,
        environments: { snake: { command: 'python3', arguments: ['env.py'], folder: 'evals/env' } },
        tasks: { t00: { environment: 'snake' } },
      },
    });
    const trying = (): Thenable<unknown> =>
      vscode.commands.executeCommand('whetstone.tryTask', { skillPath, taskId: 't00' });
    const answered = async (answers: Parameters<typeof answering>[0]) => {
      const asked: Pick<Awaited<ReturnType<typeof answering>>, 'warnings' | 'errors'> = { warnings: [], errors: [] };
      const [page] = await pagesOf(async () => Object.assign(asked, await answering(answers, trying)));
      return { ...asked, text: page?.text() ?? '' };
    };
    const refused = await answered({ warnings: [undefined] });
    assert.deepEqual(
      refused.warnings,
      ['This skill wants to run a program or module: python3 env.py'],
      'asked once, for two attempts',
    );
    assert.match(refused.errors.join('\n'), /was not allowed to run: “python3 env\.py”\. No model was asked\./);
    const allowed = await answered({ warnings: ['Allow This Program'] });
    assert.equal(allowed.warnings.length, 1);
    assert.match(allowed.text, /passed/);
    assert.deepEqual((await answered({})).warnings, []);
  });

  it('is contained where the machine has a sandbox, and the person can ask whether it has', async () => {
    let state: SandboxState | undefined;
    const { messages } = await answering({}, async () => {
      state = await vscode.commands.executeCommand<SandboxState>('whetstone.sandbox');
    });
    const wanted = process.platform === 'linux' ? ['available'] : ['unsupported'];
    if (process.env['CI'] !== 'true') wanted.push('missing'); // a machine of somebody who has not installed it
    assert.ok(wanted.includes(state?.kind ?? ''), JSON.stringify(state));
    assert.match(messages.join('\n'), /Programs of skills run (?:in|without) a sandbox on this machine/);
  });

  inFull('takes the word of a person that the machine is thrown away, after a warning, and takes it back', async () => {
    await press('Throw-Away Machine…', undefined, /Is this whole machine thrown away/);
    const { warningDetails } = await press('Throw-Away Machine…', 'It Is Thrown Away', /You declared this machine/);
    assert.match(warningDetails.join('\n'), /every file that you can, see your keys and logins/);
    await press('Not a Throw-Away Machine', undefined, /is not declared one that is thrown away/);
  });
});

async function press(button: string, answer: string | undefined, said: RegExp) {
  return answering({ buttons: [button], warnings: [answer] }, async ({ warnings, messages }) => {
    await vscode.commands.executeCommand('whetstone.sandbox');
    await until(() => [...warnings, ...messages].some((text) => said.test(text)), String(said));
  });
}

async function askedOf(): Promise<Asked> {
  const extension = vscode.extensions.getExtension<{ readonly asked: Asked }>('whetstone-tests.environment-extension');
  assert.ok(extension, 'the second extension is there');
  return (await extension.activate()).asked;
}

function rollout(): Promise<{ readonly kind: 'invalid'; readonly reason: string }> {
  return Promise.resolve({ kind: 'invalid', reason: 'not attempted' });
}
