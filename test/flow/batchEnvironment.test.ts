import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { anEnvironmentSkill, type EnvironmentShell } from '../builders/anEnvironmentSkill.js';
import { few, inFull } from '../builders/few.js';

/** Writes down each start, asks the target for each letter, and breaks at the task that is named `t2`. */
const inPython = `import json, os, sys, urllib.request

line = json.loads(sys.stdin.readline())
open(line["options"]["log"], "a").write("start %d\\n" % line["batch"]["batch_size"])
for attempt in line["attempts"]:
    task, target = attempt["task"], attempt["target"]
    body = json.dumps({"messages": [{"role": "user", "content": task["prompt"]}]}).encode()
    asking = urllib.request.Request(target["url"] + "/chat/completions", body, {"Authorization": "Bearer " + target["token"]})
    answer = json.load(urllib.request.urlopen(asking))["choices"][0]["message"]["content"]
    if task["id"] == "t2":
        continue
    print(json.dumps({"id": task["id"], "attempt": attempt["attempt"], "hard": 1 if answer else 0, "soft": 1}))
`;
/** A simulator that is made once a batch. */
const inJavaScript = `import { appendFileSync } from 'node:fs';
export default {
  async buildEnv({ batch, attempts, options }) {
    appendFileSync(options.log, 'start ' + batch.batch_size + '\\n');
    return { made: attempts.length, options };
  },
  async rollout({ task, target }, env) {
    if (task.id === 't2') throw new Error('no stamps');
    const { text } = await target([{ role: 'user', content: task.prompt }]);
    return { hard: env.made === 4 && text !== '' ? 1 : 0, soft: 1 };
  },
  async closeEnv(env) {
    appendFileSync(env.options.log, 'end\\n');
  },
};`;
/** The same with one call for all of them. */
const inOneCall = `import { appendFileSync } from 'node:fs';
export default {
  async rolloutBatch({ attempts, options }) {
    appendFileSync(options.log, 'start ' + attempts.length + '\\nend\\n');
    const results = attempts.map(async ({ task, attempt, target }) => {
      const { text } = await target([{ role: 'user', content: task.prompt }]);
      return { id: task.id, attempt, hard: text === '' ? 0 : 1, soft: 1 };
    });
    return (await Promise.all(results)).filter(({ id }) => id !== 't2');
  },
};`;

describe('an environment that makes a batch in one start', function () {
  const shells: EnvironmentShell[] = [];
  after(() => shells.forEach((shell) => shell.dispose()));

  const all: readonly [what: string, file: string, text: string, declared: object, reason: RegExp, log: string][] = [
    ['a program', 'post.py', inPython, { command: 'python3', arguments: ['post.py'] }, /no result for/, 'start 4\n'],
    ['a module', 'post.mjs', inJavaScript, { module: 'post.mjs' }, /task: Error: no stamps/, 'start 4\nend\n'],
    ['one call of a module', 'post.mjs', inOneCall, { module: 'post.mjs' }, /no result for/, 'start 4\nend\n'],
  ];
  for (const [what, file, text, declared, reason, expected] of few(all)) {
    it(`is ${what}: each attempt has its result and its calls, and one without a result is invalid`, async () => {
      const { shell, log } = make({ file, text, declared: { ...declared, target: { calls: 1 } }, tasks: 4 });
      const done = await shell.run('evaluate', shell.skillFolder, '--json', '--allow-programs');
      const result: { tasks: readonly { id: string; hard: number | null; invalid?: string }[]; calls: number } =
        JSON.parse(done.out);
      const came = new Map(result.tasks.map(({ id, hard, invalid }) => [id, invalid ?? hard]));
      assert.deepEqual([came.get('t0'), came.get('t1'), came.get('t3')], [1, 1, 1], done.out);
      assert.match(String(came.get('t2')), reason);
      assert.equal(readFileSync(log, 'utf8'), expected, 'started once');
      assert.ok(result.calls >= 3 && result.calls <= 4);
    });
  }

  it('trains a skill, a start for each stage of the run', async () => {
    const text = `import { appendFileSync } from 'node:fs';
export default { rollout({ skill, options, phase }, env) {
  const signed = (skill ?? '').includes('Kind regards');
  appendFileSync(options.log, phase + '\\n');
  return { hard: signed ? 1 : 0, soft: signed ? 1 : 0.5, fail_reason: 'The answer ends with the line “Kind regards”.' };
}, buildEnv: ({ options }) => appendFileSync(options.log, 'start\\n') };`;
    const { shell, log } = make({ file: 'post.mjs', text, declared: { module: 'post.mjs' }, tasks: 8 });
    const options = ['gate.rule=strict', 'gate.attribution=false'].flatMap((each) => ['--set', each]);
    const words = ['--preset', 'quick', '--json', '--allow-programs', ...options];
    const trained = await shell.run('optimize', shell.skillFolder, ...words);
    const result: { verdict: { kind: string }; after: number } = JSON.parse(trained.out);
    assert.deepEqual([result.verdict.kind, result.after], ['accepted', 1], trained.out);
    const lines = readFileSync(log, 'utf8').trim().split('\n');
    const starts = lines.filter((line) => line === 'start').length;
    assert.ok(starts * 2 <= lines.length - starts, `${starts} starts for ${lines.length - starts} attempts`);
  });

  inFull(
    'is started once for each text in what measures edits, too: their worth, the certification, the sealed tasks',
    async () => {
      const text = `import { appendFileSync } from 'node:fs';
export default { rollout({ skill }) {
  const said = ['Kind regards', 'Dear'].filter((word) => (skill ?? '').includes(word)).length;
  const reasons = 'The answer ends with the line “Kind regards”. The answer starts with “Dear”.';
  return { hard: said === 2 ? 1 : 0, soft: said / 2, fail_reason: reasons };
}, buildEnv: ({ batch, options }) => appendFileSync(options.log, batch.phase + ' ' + batch.batch_size + '\\n') };`;
      const { shell, log } = make({ file: 'post.mjs', text, declared: { module: 'post.mjs' }, tasks: 18 });
      const trained = await shell.run('optimize', shell.skillFolder, '--preset', 'quick', '--json', '--allow-programs');
      const result: { verdict: { kind: string; n: number }; sealed: { n: number } } = JSON.parse(trained.out);
      assert.equal(result.verdict.kind, 'accepted', trained.out);
      const { events } = journalOf(shell.folder);
      const starts = readFileSync(log, 'utf8').trim().split('\n');
      const measured = events.filter(({ stage }) => ['attribute', 'certify', 'sealed'].includes(stage ?? ''));
      const texts = new Set(measured.map(({ stage, step, skillHash }) => `${stage} ${step} ${skillHash}`));
      assert.ok(measured.length >= 3 * texts.size, 'several attempts in each');
      const before = starts.length - texts.size;
      assert.ok(before >= 2 && before <= 5, `${starts.length} starts for ${texts.size} texts:\n${starts.join('\n')}`);
    },
  );

  function make({
    file,
    text,
    declared,
    tasks,
  }: {
    readonly file: string;
    readonly text: string;
    readonly declared: object;
    readonly tasks: number;
  }): { readonly shell: EnvironmentShell; readonly log: string } {
    const shell = anEnvironmentSkill({
      declared: {},
      files: { [`evals/post/${file}`]: text },
      tasks,
      programs: 'bare',
    });
    shells.push(shell);
    const log = path.join(shell.home, '..', 'log.txt');
    const place = path.join(shell.skillFolder, 'evals/whetstone.json');
    const before: object = JSON.parse(readFileSync(place, 'utf8'));
    const post = { ...declared, folder: 'evals/post', batch: true, timeLimitSeconds: 60, options: { log } };
    writeFileSync(place, JSON.stringify({ ...before, environments: { post } }));
    return { shell, log };
  }
});

/** The attempts of the one run that was made. */
function journalOf(folder: string): {
  readonly events: readonly { readonly stage?: string; readonly step?: number; readonly skillHash?: string }[];
} {
  const runs = path.join(folder, '.whetstone/runs');
  const [run = ''] = readdirSync(runs);
  const lines = readFileSync(path.join(runs, run, 'journal.jsonl'), 'utf8')
    .trim()
    .split('\n');
  return {
    events: lines.map((line) => JSON.parse(line).event ?? {}).filter(({ kind }) => kind === 'attempt'),
  };
}
