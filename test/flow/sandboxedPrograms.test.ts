import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { needsSandbox } from '../builders/aSandbox.js';
import { few, inFull } from '../builders/few.js';
import { anEnvironmentSkill, type EnvironmentShell } from '../builders/anEnvironmentSkill.js';

/** Asks the run's model by the standard library, then wants to read the answers of its tasks and to reach a host. */
const program = `import json, os, sys, urllib.request

line = json.loads(sys.stdin.readline())
address, key = os.environ["OPENAI_BASE_URL"], os.environ["OPENAI_API_KEY"]
body = json.dumps({"model": "target", "messages": [{"role": "user", "content": "Who?"}]}).encode()
headers = {"Content-Type": "application/json", "Authorization": "Bearer " + key}
reply = json.load(urllib.request.urlopen(urllib.request.Request(address + "/chat/completions", body, headers)))
found = []
for place in line["options"]["places"]:
    try:
        found.append(open(place).read()[:40])
    except OSError:
        pass
try:
    urllib.request.urlopen("http://example.com/", timeout=5)
    found.append("reached")
except OSError:
    pass
good = len(reply["choices"][0]["message"]["content"]) > 0 and not found
print(json.dumps({"id": line["task"]["id"], "hard": 1 if good else 0, "soft": 1, "fail_reason": str(found)}))
`;

const asModule = `import { existsSync, writeFileSync } from 'node:fs';
export default {
  async rollout({ target, options }) {
    const { text } = await target([{ role: 'user', content: 'Who?' }]);
    writeFileSync('own.txt', 'written');
    return { hard: text.length > 0 && !options.places.some((place) => existsSync(place)) ? 1 : 0, soft: 1 };
  },
};`;

describe('programs of a skill, in the sandbox', () => {
  const shells: EnvironmentShell[] = [];
  before(async function () {
    await needsSandbox(this);
  });
  after(() => shells.forEach((shell) => shell.dispose()));

  const make = (
    declared: Readonly<Record<string, unknown>>,
    file: string,
    programs: 'sandbox' | 'bare' = 'sandbox',
  ): EnvironmentShell => {
    const text = file.endsWith('.py') ? program : asModule;
    const shell = anEnvironmentSkill({ declared: {}, files: { [`evals/post/${file}`]: text }, programs });
    const places = [path.join(shell.skillFolder, 'evals/evals.json'), path.join(shell.skillFolder, 'SKILL.md')];
    declare(shell, { folder: 'evals/post', target: true, timeLimitSeconds: 30, options: { places }, ...declared });
    shells.push(shell);
    return shell;
  };

  const python = { command: 'python3', arguments: ['post.py'] };
  for (const [what, declared, file] of few([
    ['a module', { module: './post.mjs' }, 'post.mjs'],
    ['a program', python, 'post.py'],
  ] as const)) {
    it(`${what} asks the run’s model, and reads nothing of the workspace that it is not given`, async () => {
      assert.deepEqual(
        (await make(declared, file).scores()).map(({ hard, invalid }) => invalid ?? hard),
        [1],
      );
    });
  }

  it('a check that is a command is contained too, and a refused file is named with the line to add', async () => {
    const shell = anEnvironmentSkill({ declared: python, files: {}, programs: 'sandbox' });
    shells.push(shell);
    const secret = path.join('/tmp', path.basename(path.dirname(shell.folder)));
    writeFileSync(secret, 'secret');
    const check = { check: 'command', command: 'cat', arguments: [secret] };
    const file = path.join(shell.skillFolder, 'evals/whetstone.json');
    const written = { format: 'whetstone.tasks', version: 1, tasks: { t0: { checks: [check] } } };
    writeFileSync(file, JSON.stringify(written));
    const refused = await shell.run('evaluate', shell.skillFolder, '--json', '--allow-programs');
    assert.match(refused.out, /kept the program from reading \/tmp\/.*add .*reads.*to its declaration/u);
    assert.ok(
      refused.err.includes(`add "reads": ["${secret}"] to its declaration in evals/whetstone.json.\n`), // a table cuts it
      refused.err,
    );
    assert.match(refused.err, /Allowed from now on, as it is: cat .*It runs in a sandbox: .*It has no network\./u);
    const opened = { ...written, tasks: { t0: { checks: [{ ...check, reads: [secret] }] } } };
    writeFileSync(file, JSON.stringify(opened));
    const asked = await shell.run('evaluate', shell.skillFolder, '--json', '--fresh');
    assert.match(asked.err, /Not allowed to run: cat \/tmp\/[^" ]*\. .*\nIt may also read: \/tmp\//u);
    const allowed = await shell.run('evaluate', shell.skillFolder, '--json', '--fresh', '--allow-programs');
    assert.match(allowed.out, /"hard": 1/u);
  });

  let once: Promise<EnvironmentShell> | undefined;
  /** A skill whose program was allowed to run in the sandbox, and did; whoever changes its declaration changes it back. */
  const allowedBefore = (): Promise<EnvironmentShell> => {
    once ??= (async () => {
      const shell = make(python, 'post.py');
      assert.equal((await shell.scores())[0]?.hard, 1);
      return shell;
    })();
    return once;
  };

  inFull(
    'a yes holds for what was allowed: one without a sandbox in it too, one in the sandbox there alone',
    async () => {
      const shell = await allowedBefore();
      const again = await shell.run('evaluate', shell.skillFolder, '--json', '--fresh');
      assert.doesNotMatch(again.err, /llowed/u);
      const off = await shell.run('sandbox', 'off');
      assert.match(off.out, /without a sandbox on this machine\. You turned the sandbox off/u);
      const bare = await shell.run('evaluate', shell.skillFolder, '--json', '--fresh');
      assert.match(bare.err, /Not allowed to run: .*You turned the sandbox off on this machine\. It is not contained/u);
      const allowed = await shell.run('evaluate', shell.skillFolder, '--json', '--fresh', '--allow-programs');
      assert.match(allowed.out, /"hard": 0/u); // it reads the workspace now
      assert.match((await shell.run('sandbox', 'on')).out, /run in a sandbox on this machine/u);
      const contained = await shell.run('evaluate', shell.skillFolder, '--json', '--fresh');
      assert.doesNotMatch(contained.err, /llowed/u);
      assert.match(contained.out, /"hard": 1/u);
    },
  );

  it('what is declared to be reached is a part of what was allowed', async () => {
    const shell = await allowedBefore();
    const declared = declaredIn(shell);
    declare(shell, { ...declared, hosts: ['example.com:80'] });
    const asked = await shell.run('evaluate', shell.skillFolder, '--json', '--fresh');
    declare(shell, declared);
    assert.match(asked.err, /Not allowed to run: .*\nOf the network it may reach: example\.com:80\.\n/u);
    assert.doesNotMatch(asked.err, /hosts=/u);
  });
});

function declaredIn(shell: EnvironmentShell): Readonly<Record<string, unknown>> {
  const { environments }: { environments: { post: Readonly<Record<string, unknown>> } } = JSON.parse(
    readFileSync(path.join(shell.skillFolder, 'evals/whetstone.json'), 'utf8'),
  );
  return environments.post;
}

function declare(shell: EnvironmentShell, post: Readonly<Record<string, unknown>>): void {
  const file = path.join(shell.skillFolder, 'evals/whetstone.json');
  const written: object = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...written, environments: { post } }));
}
