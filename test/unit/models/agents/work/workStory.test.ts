import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../../../src/models/agents/agentKind.js';
import { agentsAtWork } from '../../../../../src/models/agents/work/agentsAtWork.js';
import type { ProgramEvent } from '../../../../../src/models/agents/work/agentAtWork.js';
import { WorkStory } from '../../../../../src/models/agents/work/workStory.js';
import { recordedLines, recordedUsage, workers, type Worker } from './recordedWork.js';

const prompt = 'Write the changelog entry for the fix in calc.py.';

function storyOf(worker: Worker): WorkStory {
  const agent = agentsAtWork[worker];
  assert.ok(agent !== undefined);
  const story = new WorkStory(agent, prompt, { name: 'release-notes', isBrought: false });
  for (const line of recordedLines(worker)) {
    const event: AgentEvent = JSON.parse(line);
    for (const each of agent.tell(event)) story.take(each);
  }
  return story;
}

for (const worker of workers)
  describe(`what ${worker} tells of its work`, () => {
    const story = storyOf(worker);
    const tools = story.events.filter((event) => event.kind === 'tool');

    it('begins with the prompt and has what it said, in its order', () => {
      assert.deepEqual(story.events[0], { kind: 'user', text: prompt });
      const said = story.events.flatMap((event) => (event.kind === 'assistant' ? [event.text] : []));
      assert.deepEqual(said, ['I will use the skill.', 'I wrote CHANGELOG.md.']);
      assert.equal(story.lastWords, 'I wrote CHANGELOG.md.');
      assert.ok(story.hasAnswered && !story.isAtTool);
    });

    it('has four tools with what they were given and what came of it', () => {
      assert.equal(tools.length, 4);
      const [, , wrote, ran] = tools;
      assert.match(wrote?.input ?? '', /CHANGELOG\.md/);
      assert.equal(ran?.command, 'git status --short; exit 3');
      assert.match(ran.output, /\?\? CHANGELOG\.md/);
      assert.equal(ran.ok, worker === 'gemini-cli' ? undefined : false);
      assert.deepEqual(
        tools.slice(0, 3).map(({ ok }) => ok),
        [true, true, true],
      );
    });

    it('notes the use of the skill once, and how', () => {
      const used = story.events.filter((event) => event.kind === 'skill');
      assert.deepEqual(used, [{ kind: 'skill', name: 'release-notes', how: worker === 'codex' ? 'read' : 'tool' }]);
    });

    it('counts its calls to its model, and what each took where that is told', () => {
      assert.equal(story.turns, 5);
      if (agentsAtWork[worker]?.tellsUsage !== true) return assert.equal(story.used.inputTokens, 0);
      assert.equal(story.used.inputTokens, recordedUsage.inputTokens);
      assert.ok(story.used.outputTokens > 0);
      assert.equal(story.events.filter((event) => event.kind === 'usage').length, 5);
    });
  });

function told(...steps: readonly ProgramEvent[]): WorkStory {
  const story = new WorkStory({ tellsTurns: false }, 'Do it.');
  for (const step of steps) story.take(step);
  return story;
}

const call = (name: string, input: unknown, more: object = {}): ProgramEvent => ({
  kind: 'call',
  id: '1',
  name,
  input,
  ...more,
});
const done = (ok: boolean | undefined, output = ''): ProgramEvent => ({ kind: 'result', id: '1', output, ok });
const skillsOf = (story: WorkStory) =>
  story.events.flatMap((event) => (event.kind === 'skill' ? [`${event.name} by ${event.how}`] : []));

const uses = (command: string, output: string, name?: string): readonly string[] => {
  const installed = name === undefined ? undefined : { name, isBrought: false };
  const story = new WorkStory({ tellsTurns: false }, 'Do it.', installed);
  for (const step of [call('Bash', {}, { command }), done(true, output)]) story.take(step);
  return skillsOf(story);
};

describe('the story of an agent’s work', () => {
  it('takes no call for a use that failed, nor one that writes the skill', () => {
    assert.deepEqual(skillsOf(told(call('Skill', {}, { skill: 'x' }), done(false, 'Unknown skill: x'))), []);
    assert.deepEqual(skillsOf(told(call('Bash', {}, { command: 'cat a/x/SKILL.md' }), done(false))), []);
    const missing = 'cat: a/x/SKILL.md: No such file or directory';
    assert.deepEqual(skillsOf(told(call('shell', {}, { command: 'cat a/x/SKILL.md' }), done(undefined, missing))), []);
    assert.deepEqual(skillsOf(told(call('Write', { file_path: '/w/x/SKILL.md', content: '' }), done(true))), []);
  });

  it('takes a reading of its file for a use, by whatever tool and in whatever folder', () => {
    assert.deepEqual(skillsOf(told(call('Read', { file_path: '/w/.claude/skills/x/SKILL.md' }), done(true))), [
      'x by read',
    ]);
    const opening = '---\nname: x-y\n';
    assert.deepEqual(skillsOf(told(call('sh', {}, { command: `head "a/x-y/SKILL.md"` }), done(undefined, opening))), [
      'x-y by read',
    ]);
    assert.deepEqual(skillsOf(told(call('view', { path: String.raw`C:\w\x\SKILL.md` }), done(true))), ['x by read']);
  });

  it('takes no line that only names the file, or found nothing there, for a reading', () => {
    const path = '.claude/skills/x/SKILL.md';
    assert.deepEqual(uses(`cd a; sed -n 5,9p ${path}`, 'Write dates.', 'x'), ['x by read']);
    assert.deepEqual(uses(`cat ${path}`, '---\nname: x\n---\n'), ['x by read']);
    assert.deepEqual(uses(`echo 'nor reading /nowhere/x/SKILL.md, nor ${path}'`, `nor reading ${path}`, 'x'), []);
    assert.deepEqual(uses('cat /nowhere/x/SKILL.md || ls', 'a.txt', 'x'), []);
    assert.deepEqual(uses(`cat ${path} 2>/dev/null || true`, '', 'x'), []);
    assert.deepEqual(uses(`ls; cat ${path} 2>/dev/null || true`, 'a.txt'), []);
  });

  it('has the skill that the prompt brings in from its start', () => {
    assert.deepEqual(skillsOf(new WorkStory({ tellsTurns: true }, '/x do it', { name: 'x', isBrought: true })), [
      'x by prompt',
    ]);
  });

  it('counts tools that run beside each other as one call to the model', () => {
    const both: ProgramEvent[] = [
      { kind: 'call', id: 'a', name: 't', input: '' },
      { kind: 'call', id: 'b', name: 't', input: '' },
      { kind: 'result', id: 'a', output: '', ok: true },
      { kind: 'result', id: 'b', output: '', ok: true },
    ];
    assert.equal(told(...both).turns, 1);
    assert.equal(told(...both, { kind: 'assistant', text: 'Done.' }).turns, 2);
  });

  it('keeps the beginning and the end of what is long, and no more than so many events', () => {
    const story = told({ kind: 'assistant', text: `A${'x'.repeat(500_000)}Z` });
    const [, said] = story.events;
    assert.ok(said?.kind === 'assistant' && said.text.length < 21_000);
    assert.match(said.text, /^A[\s\S]*left out[\s\S]*Z$/u);
    for (let at = 0; at < 6_000; at += 1)
      story.take({ kind: 'usage', id: String(at), inputTokens: 1, outputTokens: 1 });
    assert.ok(story.events.length <= 5_000);
    assert.equal(story.used.inputTokens, 6_000);
  });
});
