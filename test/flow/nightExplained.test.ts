import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { ModelError } from '../../src/errors.js';
import type { LanguageModel } from '../../src/ports/languageModel.js';
import {
  aNightWorkspace,
  aSettableClock,
  counted,
  perfectSkill,
  simulated,
  type NightWorkspace,
} from './nightWorkspace.js';

const name = 'incident-summary';

describe('a night that proposes nothing', () => {
  const workspaces: NightWorkspace[] = [];
  const open = (): NightWorkspace => {
    const workspace = aNightWorkspace([name], { clock: aSettableClock(Date.UTC(2026, 2, 1, 3)) });
    workspace.keepTasks(name, 8);
    workspaces.push(workspace);
    return workspace;
  };
  after(() => workspaces.forEach((each) => each.dispose()));

  it('says so where the backend is dead, and tries again the next night', async () => {
    const workspace = open();
    const [skill] = (await workspace.night(dead())).skills;
    assert.equal(skill?.outcome, 'failed');
    assert.equal(skill.cause, 'backend-failed');
    assert.match(skill.reason, /^No task could be attempted: the server does not answer\. Nothing was scored/);
    const back = simulated();
    assert.equal((await workspace.night(back)).skills[0]?.outcome, 'proposed');
  });

  it('says so where a login failed, with what to do', async () => {
    const [skill] = (await open().night(failing(new ModelError('auth', 'The key is wrong.', { cure: 'Set it.' }))))
      .skills;
    assert.equal(skill?.outcome, 'failed');
    assert.match(skill.reason, /^The key is wrong\. Set it\./);
  });

  it('says so where there is nothing to learn', async () => {
    const workspace = open();
    workspace.writeSkill(name, perfectSkill);
    const [skill] = (await workspace.night(simulated())).skills;
    assert.equal(skill?.outcome, 'nothing');
    assert.equal(skill.cause, 'nothing-to-learn');
    assert.match(skill.reason, /^There is nothing to learn/);
  });

  it('says so where every edit did harm', async () => {
    const workspace = open();
    const before = workspace.skillText(name);
    const [skill] = (await workspace.night(simulated({ optimizer: { harmful: 1 } }))).skills;
    assert.equal(skill?.outcome, 'nothing');
    assert.equal(skill.cause, 'edits-did-not-help');
    assert.match(skill.reason, /^Edits were tried, but none made the held-out tasks score higher/);
    assert.equal(workspace.skillText(name), before);
  });

  it('says so where its cap cut it off, and goes on the next night', async () => {
    const workspace = open();
    const [skill] = (await workspace.night(simulated(), { cap: { calls: 6 } })).skills;
    assert.equal(skill?.outcome, 'nothing');
    assert.equal(skill.cause, 'cap');
    assert.match(
      skill.reason,
      /^The run ended at its cap .*cap of 6 calls.* The next night goes on with it under the same cap/,
    );
    const model = simulated();
    assert.equal((await workspace.night(model)).skills[0]?.outcome, 'proposed');
  });

  it('leaves a diagnosis of every held-out task, with the optimizer’s last words and no secret in it', async () => {
    const secret = `ghp_${'A1b2C3d4E5'.repeat(4).slice(0, 36)}`;
    const workspace = open();
    workspace.writeSkill(name, `${workspace.skillText(name)}\nThe token is ${secret}.\n`);
    const [skill] = (await workspace.night(talkative(simulated({ optimizer: { harmful: 1 } }), secret))).skills;
    const file = path.join(workspace.folder, '.whetstone/runs', skill?.runId ?? '', 'diagnostics.json');
    const text = readFileSync(file, 'utf8');
    assert.ok(!text.includes(secret));
    const diagnostics = Diagnostics.parse(JSON.parse(text));
    assert.equal(diagnostics.held_out.length, 5);
    for (const { before, after } of diagnostics.held_out) {
      assert.equal(before.kind, 'scored');
      assert.ok(before.answer_length > 0 && before.answer_head.length <= 200);
      assert.match(before.why, /\w/);
      assert.ok(after.hard !== null);
    }
    assert.match(diagnostics.last_optimizer_reply.text, /edits/);
    assert.match(readFileSync(path.join(path.dirname(file), 'report.md'), 'utf8'), /none made the held-out tasks/);
  });

  it('names the last call that failed', async () => {
    const workspace = open();
    const [skill] = (await workspace.night(dead())).skills;
    const file = path.join(workspace.folder, '.whetstone/runs', skill?.runId ?? '', 'diagnostics.json');
    assert.match(readFileSync(file, 'utf8'), /the server does not answer/);
  });

  it('gives a different sentence for each of them', async () => {
    const reasons = await Promise.all([
      open().night(dead()),
      open().night(simulated({ optimizer: { harmful: 1 } })),
      open().night(simulated(), { cap: { calls: 6 } }),
      open().night(simulated({ optimizer: { malformed: 1 } })),
    ]);
    const said = reasons.map(({ skills }) => skills[0]?.reason ?? '');
    assert.equal(new Set(said.map((reason) => reason.slice(0, 30))).size, said.length, said.join('\n'));
  });
});

const Attempt = z.object({
  kind: z.string(),
  hard: z.number().nullable(),
  answer_length: z.number(),
  answer_head: z.string(),
  why: z.string(),
});
const Diagnostics = z.object({
  last_optimizer_reply: z.object({ text: z.string() }),
  held_out: z.array(z.object({ id: z.string(), before: Attempt, after: Attempt })),
});

/** A target that gives away what it was told. */
function talkative(model: LanguageModel, secret: string): LanguageModel {
  return {
    identity: model.identity,
    complete: async (request, signal) => {
      const reply = await model.complete(request, signal);
      return request.role === 'target' ? { ...reply, text: `${secret} ${reply.text}` } : reply;
    },
  };
}

function dead(): LanguageModel {
  return failing(new ModelError('unavailable', 'the server does not answer'));
}

function failing(error: ModelError): LanguageModel {
  return counted({
    identity: { provider: 'custom', endpoint: 'http://localhost:1', model: 'dead', simulated: false },
    complete: async () => {
      throw error;
    },
  });
}
