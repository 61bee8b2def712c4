import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { AnsweredAttempt, CheckServices } from '../../../src/checks/check.js';
import { criteriaOf } from '../../../src/checks/criteria.js';
import { checkCatalog, prepareCheck } from '../../../src/checks/registry.js';
import { createChatEnvironment } from '../../../src/environments/chat.js';
import { createToolsEnvironment } from '../../../src/environments/tools.js';
import { instructionsIn } from '../../../src/simulated/reading/readInstructions.js';
import { createSimulatedModel } from '../../../src/simulated/simulatedModel.js';
import type { LanguageModel } from '../../../src/ports/languageModel.js';
import { readTasks, type ReadTasks } from '../../../src/tasks/readers/readTasks.js';
import { emptyAssignment } from '../../../src/tasks/split/splitFile.js';
import { splitTasks } from '../../../src/tasks/split/splitTasks.js';
import type { Task } from '../../../src/tasks/task.js';
import { anAnswer } from '../../builders/anAnswer.js';
import { someWork } from '../../builders/someWork.js';
import { MemoryContents } from '../../fakes/MemoryContents.js';
import { MemoryFiles } from '../../fakes/MemoryFiles.js';

const seeds = process.env['WHETSTONE_FULL'] === '1' ? Array.from({ length: 20 }, (_, index) => index + 1) : [1];
const root = path.resolve('media/demo');

/** Each skill with what a person who saw its failures would add to it. */
const skills: readonly { readonly folder: string; readonly correction: readonly string[] }[] = [
  {
    folder: '.claude/skills/incident-summary',
    correction: [
      'Keep the answer to at most 700 characters.',
      'Include a line that starts with “Severity:”.',
      'Say in a sentence whether there was “data loss”.',
      'Do not use the words “I think”.',
      'End with a line that starts with “Next update:”.',
    ],
  },
  {
    folder: '.github/skills/code-review',
    correction: [
      'Use the headings “Findings”, “Tests” and “Risks”.',
      'Mention “rollback” where stored data is touched.',
      'End with “Verdict: <approve|request changes>”.',
    ],
  },
  {
    folder: '.agents/skills/support-answer',
    correction: [
      'Call `search_help_center` before answering.',
      'Call `get_order` before answering, too, when it is offered.',
      'Include a line that starts with “Do this now:”.',
      'Never say “it depends” or “maybe”.',
    ],
  },
];

describe('the demo skill .agents/skills/price-change', () => {
  const asking = readDemo('.agents/skills/price-change').tasks.filter(({ checks }) =>
    checks.some((check) => check.arguments['contains'] === 'Reason:'),
  );
  const rows: readonly (readonly [line: string, passes: boolean])[] = [
    ['- Reason: the supplier raised it.', true],
    ['- 19.00 is 21.50 now. Reason: supplier', true],
    ['- Reason:', false],
    ['- Reason:   ', false],
    ['- Reason: .', false],
    ['- Reason:\n- Another line', false],
  ];
  for (const [line, passes] of rows)
    it(`${passes ? 'takes' : 'does not take'} ${JSON.stringify(line)} for a reason`, async () => {
      assert.ok(asking.length > 10);
      for (const task of asking) {
        const check = task.checks.find(({ check: name }) => name === 'regex');
        assert.ok(check !== undefined, task.id);
        const added = line.replaceAll(/^/gmu, '+');
        const diff = `diff --git a/CHANGELOG.md b/CHANGELOG.md\n--- a/CHANGELOG.md\n+++ b/CHANGELOG.md\n@@ -1 +1,9 @@\n # Changes\n${added}\n`;
        const prepared = prepareCheck(check, task);
        assert.ok(prepared.kind === 'prepared' && prepared.check.evaluation.by === 'rule');
        const outcome = await prepared.check.evaluation.evaluate(
          anAnswer('', { work: { ...someWork({ diff }), usedSkill: true } }),
          noServices,
          new AbortController().signal,
        );
        assert.ok(outcome.kind === 'scored');
        assert.equal(outcome.pass, passes, task.id);
      }
    });
});

for (const { folder, correction } of skills)
  describe(`the demo skill ${folder}`, () => {
    const text = readFileSync(path.join(root, folder, 'SKILL.md'), 'utf8');
    const { tasks, broken, problems, skillName } = readDemo(folder);
    const { split, leaks } = splitTasks(tasks, emptyAssignment);

    it('has a name that is its folder, a description, and the length of a real skill', () => {
      const name = path.basename(folder);
      assert.equal(skillName, name);
      assert.match(text, new RegExp(`^---\nname: ${name}\ndescription: .{40,1024}\n---\n`, 'u'));
      const lines = text.split('\n').length;
      assert.ok(lines >= 40 && lines <= 80, `${lines} lines`);
    });

    it('has 24 tasks or more, and nothing is wrong with any', () => {
      assert.deepEqual(problems, []);
      assert.deepEqual(broken, []);
      assert.ok(tasks.length >= 24, `${tasks.length} tasks`);
    });

    it('needs no judge: every task has two checks or more that a rule decides', () => {
      for (const task of tasks) {
        const criteria = criteriaOf(task);
        assert.ok(criteria.kind === 'criteria' && criteria.criteria.length >= 2, task.id);
        assert.ok(
          criteria.criteria.every(({ evaluation }) => evaluation.by === 'rule'),
          task.id,
        );
      }
    });

    it('has prompts that differ in wording and length, and three or four kinds of them', () => {
      assert.equal(new Set(tasks.map(({ prompt }) => prompt.trim().toLowerCase())).size, tasks.length);
      assert.equal(new Set(tasks.map(({ prompt }) => firstWords(prompt))).size, tasks.length);
      const lengths = tasks.map(({ prompt }) => prompt.length);
      assert.ok(Math.max(...lengths) > 4 * Math.min(...lengths), lengths.join(' '));
      const kinds = new Set(tasks.flatMap(({ tags }) => tags));
      assert.ok(kinds.size >= 3 && kinds.size <= 4, [...kinds].join(' '));
    });

    it('splits with eight or more held-out tasks, and sets none aside as a near duplicate', () => {
      assert.ok(split.heldOut.length >= 8, `${split.heldOut.length} held out`);
      assert.ok(split.training.length >= 8, `${split.training.length} for training`);
      assert.ok(split.sealed.length >= 4, `${split.sealed.length} sealed`);
      assert.deepEqual(split.setAside, []);
      assert.deepEqual(leaks, []);
    });

    it('fails as shipped, and passes every task once corrected in plain words', async () => {
      const model = createSimulatedModel({ lapseRate: 0 });
      const corrected = withRules(text, correction);
      const shipped = await passing(split.heldOut, text, model);
      assert.ok(shipped.length / split.heldOut.length < 0.2, `passes as shipped: ${shipped.join(', ')}`);
      assert.deepEqual(
        await passing(tasks, corrected, model),
        tasks.map(({ id }) => id),
      );
    });

    it('can be learned: what the training tasks ask for openly makes every held-out task pass', async () => {
      const asked = new Set(split.training.flatMap(openCriteria));
      for (const criterion of asked) assert.notDeepEqual(instructionsIn(criterion), [], criterion);
      const learned = withRules(text, [...asked]);
      for (const seed of seeds) {
        const passed = await passing(split.heldOut, learned, createSimulatedModel({ seed, lapseRate: 0 }));
        assert.deepEqual(
          passed,
          split.heldOut.map(({ id }) => id),
        );
      }
    });
  });

function readDemo(folder: string): ReadTasks {
  const evalsPath = path.join(root, folder, 'evals/evals.json');
  const whetstonePath = path.join(root, folder, 'evals/whetstone.json');
  return readTasks(
    {
      evalsText: readFileSync(evalsPath, 'utf8'),
      evalsPath,
      whetstoneText: readFileSync(whetstonePath, 'utf8'),
      whetstonePath,
    },
    checkCatalog,
  );
}

function withRules(skill: string, rules: readonly string[]): string {
  return `${skill}\n## Every answer\n\n${rules.map((rule) => `- ${rule}\n`).join('')}`;
}

/** What an optimizer may be shown of a task's checks. */
function openCriteria(task: Task): readonly string[] {
  const criteria = criteriaOf(task);
  assert.ok(criteria.kind === 'criteria');
  return criteria.criteria.filter(({ hidden }) => !hidden).map(({ criterion }) => criterion);
}

function firstWords(prompt: string): string {
  return prompt.toLowerCase().split(/\s+/u).slice(0, 3).join(' ');
}

/** The ids of the tasks whose every check holds for one attempt of this model with this skill. */
async function passing(tasks: readonly Task[], skill: string, model: LanguageModel): Promise<readonly string[]> {
  const signal = new AbortController().signal;
  const ids: string[] = [];
  for (const task of tasks) {
    const attempt = await attemptOf(task, skill, model);
    const criteria = criteriaOf(task);
    assert.ok(criteria.kind === 'criteria');
    const outcomes = await Promise.all(
      criteria.criteria.map(async ({ evaluation }) => {
        assert.ok(evaluation.by === 'rule');
        return evaluation.evaluate(attempt, noServices, signal);
      }),
    );
    if (outcomes.every((outcome) => outcome.kind === 'scored' && outcome.pass)) ids.push(task.id);
  }
  return ids;
}

async function attemptOf(task: Task, skill: string, model: LanguageModel): Promise<AnsweredAttempt> {
  const sources = {
    files: new MemoryFiles({}),
    folder: root,
    prompts: new Map(),
    references: new Map<string, string>(),
  };
  const environment =
    task.environment === 'tools' ? createToolsEnvironment(model, sources) : createChatEnvironment(model, sources);
  const attempt = await environment.attempt(
    { task, skill, memory: undefined, phase: 'single', seed: 1, attempt: 1, family: 'demo' },
    new AbortController().signal,
  );
  assert.ok(attempt.kind === 'answered');
  return attempt;
}

/** The demo's checks look at the answer only. */
const noServices: CheckServices = {
  programs: { run: () => assert.fail('no program is run') },
  consent: { allows: () => assert.fail('no consent is asked') },
  contents: new MemoryContents({}),
  folder: root,
};
