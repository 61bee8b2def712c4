import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { checkCatalog, prepareCheck } from '../../../src/checks/registry.js';
import { createSimulatedModel } from '../../../src/simulated/simulatedModel.js';
import {
  DraftedTask,
  draftTasksPrompt,
  draftTasksReply,
  draftTasksReplySchema,
} from '../../../src/prompts/tasks/draftTasks.js';
import { fence, renderPrompt } from '../../../src/prompts/renderPrompt.js';
import { parseReply } from '../../../src/prompts/replies/parseReply.js';
import { makeTask, type TaskSource } from '../../../src/tasks/makeTask.js';
import { splitTasks } from '../../../src/tasks/split/splitTasks.js';
import { inspectTask } from '../../../src/tasks/inspectTask.js';
import { checkSpecOf } from '../../../src/tasks/readers/whetstoneFile.js';
import { ask } from './asking.js';

const incident = readFileSync('media/demo/.claude/skills/incident-summary/SKILL.md', 'utf8');
const strict = '# Notes\n\nUse at most 600 characters.\n\n- Include a section headed “Risks”.\n- Never say “maybe”.\n';

describe('the simulated optimizer, asked for tasks with nothing but a skill', () => {
  it('drafts as many as it is asked for, each different, about what the skill is about', async () => {
    const drafts = await drafted({ skill: incident, budget: 10 });
    assert.equal(drafts.length, 10);
    assert.equal(new Set(drafts.map(({ id }) => id)).size, 10);
    assert.equal(new Set(drafts.map(({ prompt }) => prompt)).size, 10);
    assert.ok(new Set(drafts.flatMap(({ tags }) => tags ?? [])).size >= 4);
    assert.match(drafts.map(({ prompt }) => prompt).join('\n'), /support leads|mitigation|partner|catalogue|figures/i);
  });

  it('drafts tasks that can be used: sound checks, nothing that no answer fails, none the near-duplicate of another', async () => {
    for (const skill of [incident, strict, '# X\n']) {
      const tasks = (await drafted({ skill, budget: 12 })).map((draft) => makeTask(draft));
      for (const task of tasks) {
        assert.deepEqual(inspectTask(task, checkCatalog), [], task.id);
        for (const spec of task.checks) assert.equal(prepareCheck(spec, task).kind, 'prepared');
      }
      const { split } = splitTasks(tasks, new Map());
      assert.deepEqual([split.setAside.length, split.heldOut.length >= 5], [0, true]);
    }
  });

  it('checks what the skill demands', async () => {
    const drafts = await drafted({ skill: strict, budget: 6 });
    assert.ok(
      drafts.every(({ checks }) =>
        checks?.some(({ check, arguments: { limit } }) => check === 'max_chars' && limit === 600),
      ),
    );
    const expected = drafts.flatMap(({ expectations }) => expectations ?? []);
    assert.ok(expected.some((text) => /“Risks”/.test(text)) && expected.some((text) => /“maybe”/.test(text)));
  });

  it('expects what a skill without rules leaves open, so that there is something to learn', async () => {
    const plain =
      '# Release notes\n\n- Group the changes by what they mean for a user.\n- Say what a user has to do.\n';
    const model = createSimulatedModel();
    for (const draft of await drafted({ skill: plain, budget: 6 })) {
      const task = makeTask(draft);
      const bound = task.checks.map((spec) => spec.arguments['limit']).find((limit) => typeof limit === 'number') ?? 0;
      const messages = [
        { role: 'system' as const, content: plain },
        { role: 'user' as const, content: task.prompt },
      ];
      const { text } = await ask(model, { role: 'target', messages, maxOutputTokens: 4_000, attempt: 1 });
      assert.ok(bound > 0 && text.length > bound, `${task.id}: ${text.length} characters pass a bound of ${bound}`);
      assert.ok(task.expectations.some((expectation) => expectation.includes('Next step:')));
    }
  });

  it('does not draft again what is there', async () => {
    const first = await drafted({ skill: strict, budget: 3 });
    const known = first.map(({ prompt }) => `- ${prompt}`).join('\n');
    const second = await drafted({ skill: strict, budget: 3, known });
    assert.equal(second.length, 3);
    assert.ok(second.every(({ prompt }) => !first.some((other) => other.prompt === prompt)));
  });

  it('drafts the same for the same question', async () => {
    assert.deepEqual(await drafted({ skill: incident, budget: 4 }), await drafted({ skill: incident, budget: 4 }));
  });
});

describe('the prompt that asks for tasks', () => {
  it('shows checks as they are really written', () => {
    const shown = [...draftTasksPrompt.text.matchAll(/`(\{"check":[^`]*\})`/g)].map((match) => match[1] ?? '');
    assert.ok(shown.length >= 5);
    for (const text of shown) {
      const entry: { check: string } = JSON.parse(text);
      assert.equal(prepareCheck(checkSpecOf(entry), makeTask({ id: 'a', prompt: 'A' })).kind, 'prepared', text);
    }
  });
});

async function drafted({
  skill,
  budget,
  known,
}: {
  readonly skill: string;
  readonly budget: number;
  readonly known?: string;
}): Promise<readonly TaskSource[]> {
  const words = known === undefined ? undefined : { words: `# Tasks that exist already\n\n${fence('known', known)}` };
  const content = renderPrompt(draftTasksPrompt, { budget, skill, known: words }, new Map());
  const request = {
    role: 'optimizer' as const,
    messages: [{ role: 'user' as const, content }],
    maxOutputTokens: 12_000,
    replySchema: draftTasksReplySchema,
    attempt: 1,
  };
  const reply = parseReply((await ask(createSimulatedModel(), request)).text, draftTasksReply);
  assert.ok(reply.kind === 'parsed');
  return reply.value.tasks.map((value) => {
    const { checks, ...rest } = DraftedTask.parse(value);
    return { ...rest, checks: checks.map((entry) => checkSpecOf(entry)) };
  });
}
