import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { anEnvironmentSkill, type EnvironmentShell } from '../builders/anEnvironmentSkill.js';
import { few, isFull } from '../builders/few.js';

/** How often it asks, and how many of these are answered. */
const [asks, most] = isFull ? [500, 50] : [60, 20];

/** Asks again and again, counts what was answered, and leaves its address and token behind for whoever wants to try them. */
const inPython = `import json, sys, urllib.request, urllib.error

line = json.loads(sys.stdin.readline())
target = line["target"]
answered = refused = 0
for number in range(${asks}):
    body = json.dumps({"model": "any", "messages": [{"role": "user", "content": "Question %d" % number}]}).encode()
    headers = {"Authorization": "Bearer " + target["token"], "Content-Type": "application/json"}
    try:
        with urllib.request.urlopen(urllib.request.Request(target["url"] + "/chat/completions", body, headers)) as reply:
            answered += len(json.loads(reply.read())["choices"])
    except urllib.error.HTTPError as error:
        refused += error.code == 429
open(line["options"]["left"], "w").write(json.dumps(target))
print(json.dumps({"id": line["task"]["id"], "hard": answered == ${most} and refused == ${asks - most}, "soft": answered / ${asks}}))
`;
const inJavaScript = `import { writeFileSync } from 'node:fs';
export default {
  async rollout({ target, options }) {
    let [answered, refused] = [0, 0];
    for (let number = 0; number < ${asks}; number += 1) {
      try {
        const { text } = await target([{ role: 'user', content: 'Question ' + number }]);
        answered += typeof text === 'string';
      } catch (error) {
        refused += error.code === 'insufficient_quota';
      }
    }
    writeFileSync(options.left, JSON.stringify({ url: process.env.OPENAI_BASE_URL, token: process.env.OPENAI_API_KEY }));
    return { hard: answered === ${most} && refused === ${asks - most}, soft: answered / ${asks} };
  },
};`;

describe('the target in the hands of an environment', function () {
  const shells: EnvironmentShell[] = [];
  after(() => shells.forEach((shell) => shell.dispose()));

  const both: readonly [name: string, file: string, text: string, declared: object][] = [
    ['program', 'post.py', inPython, { command: 'python3', arguments: ['post.py'] }],
    ['module', 'post.mjs', inJavaScript, { module: 'post.mjs' }],
  ];
  for (const [name, file, text, declared] of few(both)) {
    it(`answers a ${name} that asks ${asks} times exactly ${most} times, counts them, and is gone afterwards`, async () => {
      const { shell, left } = make({ file, text, declared: { ...declared, target: { calls: most } } });
      const done = await shell.run('evaluate', shell.skillFolder, '--json', '--allow-programs');
      const result: { tasks: readonly { hard: number }[]; calls: number } = JSON.parse(done.out);
      assert.deepEqual([result.tasks[0]?.hard, result.calls], [1, most], done.out);
      const said = new RegExp(
        `What “post” asks the target through Whetstone is counted: at most ${most} calls an attempt`,
      );
      assert.match(done.err, said);
      assert.equal(settledCalls(shell).length, most, 'the ledger');
      const runs = path.join(shell.folder, '.whetstone/runs');
      const summary = readFileSync(path.join(runs, readdirSync(runs)[0] ?? '', 'summary.json'), 'utf8');
      assert.match(summary, new RegExp(`"target":\\s*\\{[^{}]*"calls":\\s*${most}\\b`), 'the report');
      const { url, token }: { url: string; token: string } = JSON.parse(readFileSync(left, 'utf8'));
      const headers = { Authorization: `Bearer ${token}` };
      await assert.rejects(fetch(`${url}/models`, { headers }), 'nobody answers at its address any more');
    });
  }

  it('ends the run at a cap of the run, whatever the environment may ask by itself', async () => {
    const { shell } = make({ file: 'post.mjs', text: inJavaScript, declared: { module: 'post.mjs', target: true } });
    const done = await shell.run('evaluate', shell.skillFolder, '--json', '--allow-programs', '--cap', 'day.calls=5');
    assert.notEqual(done.code, 0);
    assert.match(done.err, /cap/);
    assert.equal(settledCalls(shell).length, 5);
  });

  function make({
    file,
    text,
    declared,
  }: {
    readonly file: string;
    readonly text: string;
    readonly declared: object;
  }): {
    readonly shell: EnvironmentShell;
    readonly left: string;
  } {
    const shell = anEnvironmentSkill({ declared: {}, files: { [`evals/post/${file}`]: text }, programs: 'bare' });
    shells.push(shell);
    const left = path.join(shell.home, '..', 'left.json');
    const place = path.join(shell.skillFolder, 'evals/whetstone.json');
    const before: object = JSON.parse(readFileSync(place, 'utf8'));
    const post = { ...declared, folder: 'evals/post', timeLimitSeconds: 60, options: { left } };
    writeFileSync(place, JSON.stringify({ ...before, environments: { post } }));
    return { shell, left };
  }
});

function settledCalls({ home }: EnvironmentShell): readonly string[] {
  const spend = path.join(home, 'spend');
  const lines = readdirSync(spend).flatMap((file) => readFileSync(path.join(spend, file), 'utf8').split('\n'));
  return lines.filter((line) => line.includes('"kind":"settle"'));
}
