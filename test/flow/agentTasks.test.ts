import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { aCommandLine, type CommandLine } from '../builders/commandLine.js';
import { inFull, isFull } from '../builders/few.js';

/** Tasks that an agent works on, with the scripted agent of the simulated model: no program, no sandbox. */
describe('agent tasks on the simulated model', () => {
  let line: CommandLine;
  let skill: string;
  before(() => {
    line = aCommandLine();
    const folder = path.join(line.home, 'demo');
    cpSync(path.resolve('media/demo'), folder, { recursive: true });
    skill = path.join(folder, '.agents/skills/price-change');
  });
  after(() => line.dispose());

  it('train a skill to a certified verdict, on what the agent changed and ran', async () => {
    const words = ['optimize', skill, '--model', 'simulated', '--json'];
    const planned = async () => JSON.parse((await line.run(...words, '--dry-run')).out);
    const first = await planned();
    const { code, out, err } = await line.run(...words);
    assert.equal(code, 0, err);
    const { verdict, edits, calls, tokens } = JSON.parse(out);
    const { usual } = await planned();
    const times = (told: { readonly calls: number; readonly tokens: number }) =>
      told.tokens / told.calls / (tokens / calls);
    const figures = `announced ${JSON.stringify(first.usual)}, then ${JSON.stringify(usual)}; taken ${tokens} in ${calls}`;
    assert.ok(times(first.usual) > 1 / 3 && times(first.usual) < 3, figures);
    assert.ok(times(usual) > 1 / 3 && times(usual) < 3, figures);
    assert.equal(verdict.kind, 'accepted');
    const text = JSON.stringify(edits);
    assert.match(text, /CHANGELOG\.md/);
    assert.match(text, /npm run check/);
  });

  it('remember edits that were rejected, which the next run says where it finds no others, until they are forgotten', async () => {
    assert.equal((await line.run('reject', skill)).code, 0);
    const { out } = await line.run('rejected', skill);
    assert.match(out, /^1 {2}.*\n[^]*--forget lets them be tried once more/);
    const many = out.trimEnd().split('\n').length - 1;
    if (isFull) {
      const again = await line.run('optimize', skill, '--model', 'simulated');
      assert.match(
        again.out,
        /was told of \d+ edits? that (?:was|were) not taken earlier.*whetstone rejected --forget/,
      );
    }
    const wrong = await line.run('rejected', skill, '--forget', '99');
    assert.match(wrong.err, /“99” is the number of no edit.*Give numbers from 1 to/s);
    assert.match((await line.run('rejected', skill, '--forget', '1')).out, /^Forgotten: 1 edit\./);
    const rest = JSON.parse((await line.run('rejected', skill, '--forget', '--json')).out);
    assert.deepEqual(rest, { forgotten: many - 1 });
    assert.match((await line.run('rejected', skill)).out, /^There are none/);
  });

  inFull('mend a file that the skill points to, where its rules stand', async () => {
    const packaged = path.join(path.dirname(skill), 'price-change-steps');
    cpSync(skill, packaged, { recursive: true });
    const text = readFileSync(path.join(skill, 'SKILL.md'), 'utf8');
    const pointing = text.replace('## What to say', 'The last steps stand in `references/steps.md`.\n\n## What to say');
    writeFileSync(path.join(packaged, 'SKILL.md'), pointing.replace('name: price-change', 'name: price-change-steps'));
    const steps = '# Steps\n\n## Rules\n\n- Leave the folder tidy.\n';
    mkdirSync(path.join(packaged, 'references'));
    writeFileSync(path.join(packaged, 'references/steps.md'), steps);
    const { code, out, err } = await line.run('optimize', packaged, '--model', 'simulated', '--json');
    assert.equal(code, 0, err);
    const { verdict, edits } = JSON.parse(out);
    assert.equal(verdict.kind, 'accepted');
    const places: readonly string[] = edits.map((edit: { document: string }) => path.basename(edit.document));
    assert.ok(places.includes('steps.md'), out);
    assert.equal((await line.run('adopt', packaged)).code, 0);
    assert.match(readFileSync(path.join(packaged, 'references/steps.md'), 'utf8'), /tidy\.\n- [^]*npm run check/);
    assert.equal((await line.run('undo', packaged)).code, 0);
    assert.equal(readFileSync(path.join(packaged, 'references/steps.md'), 'utf8'), steps);
  });

  it('are scored without the skill as well, where it is not used', async () => {
    const words = ['--model', 'simulated', '--without-skill', '--task', 'new-address', '--json'];
    const { code, out, err } = await line.run('evaluate', skill, ...words);
    assert.equal(code, 0, err);
    const { tasks, baseline } = JSON.parse(out);
    assert.deepEqual(outcome(tasks).slice(0, 1), ['file_changed true']);
    assert.ok(outcome(tasks).includes('skill_used true'));
    const asked = baseline.tasks[0].checks.find(({ name }: { name: string }) => name === 'skill_used');
    assert.deepEqual([asked.notAsked, asked.reason], [true, 'Without the skill there is nothing to use.']);
  });

  it('get no score where a “command” judges them, which is said before, and nobody is asked whether it may run', async () => {
    const judged = path.join(path.dirname(skill), 'price-change-judged');
    cpSync(skill, judged, { recursive: true });
    const file = path.join(judged, 'evals/whetstone.json');
    const written = JSON.parse(readFileSync(file, 'utf8'));
    written.tasks['new-address'].checks.push({ check: 'command', command: 'node', arguments: ['check.js'] });
    writeFileSync(file, JSON.stringify(written));
    const note = /starts no program, so these tasks get no score on it.*: new-address\. Choose an agent program/;
    const dry = await line.run('optimize', judged, '--model', 'simulated', '--dry-run');
    assert.match(dry.out, note);
    assert.doesNotMatch(dry.out, /asked whether this may run/);
    const all = await line.run('evaluate', judged, '--model', 'simulated');
    assert.equal(all.code, 0, all.err);
    assert.match(all.err, note);
    assert.match(all.out, /new-address .*nothing ran the task’s “command”/);
    const alone = await line.run('evaluate', judged, '--model', 'simulated', '--task', 'new-address');
    assert.equal(alone.code, 2, alone.err);
    assert.match(alone.err, note);
  });

  it('keep a run from its beginning where no held-out one would get a score, and leave nothing to go on with', async () => {
    const judged = path.join(path.dirname(skill), 'price-change-proved');
    cpSync(skill, judged, { recursive: true });
    const file = path.join(judged, 'evals/whetstone.json');
    const written = JSON.parse(readFileSync(file, 'utf8'));
    const ids = Object.keys(written.tasks);
    ids.forEach((id, index) => {
      const heldOut = index % 2 === 0;
      written.tasks[id].split = heldOut ? 'heldOut' : 'training';
      if (heldOut) written.tasks[id].checks.push({ check: 'command', command: 'node', arguments: ['check.js'] });
    });
    writeFileSync(file, JSON.stringify(written));
    const refused = await line.run('optimize', judged, '--model', 'simulated');
    assert.equal(refused.code, 2, refused.err);
    const [, named = ''] =
      /so no held-out task gets a score on it, for they are judged by a “command”: (.*), …\. Choose an agent program/.exec(
        refused.err,
      ) ?? [];
    assert.equal(named.split(', ').filter((id) => ids.indexOf(id) % 2 === 0).length, 5, refused.err);
    assert.doesNotMatch(`${refused.out}${refused.err}`, /resume/iu);
    assert.equal(JSON.parse((await line.run('status', judged, '--json')).out)[0].lastRun, null);
    if (!isFull) return; // a night and another rule
    const night = await line.run('night', judged, '--model', 'simulated', '--yes');
    assert.ok(
      `${night.out}${night.err}`.replaceAll(/\s+/g, ' ').includes('no held-out task gets a score on it'),
      night.out,
    );
    const ungated = await line.run('optimize', judged, '--model', 'simulated', '--rule', 'off', '--dry-run');
    assert.equal(ungated.code, 0, ungated.err);
  });

  it('say in how many attempts the skill was used, and that its description decides that', async () => {
    const own = readFileSync(path.join(skill, 'SKILL.md'), 'utf8');
    const described = (name: string, description: string): string => {
      const other = path.join(path.dirname(skill), name);
      cpSync(skill, other, { recursive: true });
      const named = own.replace('name: price-change', `name: ${name}`);
      writeFileSync(path.join(other, 'SKILL.md'), named.replace(/^description: .*$/mu, `description: ${description}`));
      return other;
    };
    const tasks = ['lamp-price', 'kettle-offer', 'new-address'].flatMap((id) => ['--task', id]);
    const words = ['--model', 'simulated', '--without-skill', ...tasks];
    const bread = described('bread', 'Bakes sourdough loaves.');
    const never = await line.run('evaluate', bread, ...words);
    assert.match(never.out, /never used, in none of 3 attempts: an agent decides by its description/);
    const json = JSON.parse((await line.run('evaluate', bread, ...words, '--json')).out);
    assert.deepEqual(json.skillUse, { used: 0, of: 3 }, 'attempts without the skill are not counted');
    const summaries = readdirSync(line.home, { recursive: true, encoding: 'utf8' })
      .concat(
        readdirSync(line.folder, { recursive: true, encoding: 'utf8' }).map((each) => path.join(line.folder, each)),
      )
      .filter((file) => file.endsWith('summary.json'))
      .map((file) => readFileSync(path.resolve(line.home, file), 'utf8'));
    assert.ok(
      summaries.some((text) => text.includes('never used, in none of 3 attempts')),
      'its report says so too',
    );
    const some = await line.run('evaluate', described('lamps', 'How the price of a lamp is changed.'), ...words);
    assert.match(some.out, /The skill was used in [12] of 3 attempts: in the others the agent decided otherwise/);
    const all = await line.run('evaluate', skill, ...words);
    assert.doesNotMatch(all.out, /skill was (?:never )?used/);
  });

  it('show what the agent did and changed, without the skill and with it', async () => {
    const words = ['--model', 'simulated', '--without-skill', '--task', 'new-address'];
    const { out } = await line.run('evaluate', skill, ...words);
    const [without = '', withIt = ''] = out.split('With the skill, the agent did:');
    assert.match(
      without,
      /Without the skill, the agent did:\n +1\. Request: .+\n +2\. Folder listed: \.\n +3\. File changed: terms\.md/,
    );
    assert.match(
      without,
      / {2}– The agent uses the skill for this task\. Not asked: Without the skill there is nothing to use\./,
    );
    assert.doesNotMatch(without.split('Checks:')[0] ?? '', /CHANGELOG\.md \(/);
    assert.match(withIt, /2\. Skill: price-change, loaded[\s\S]*\+- Our helpdesk moved\./);
    assert.match(
      withIt,
      /\n {2}CHANGELOG\.md \(changed\)\n {2}@@ .+\n {3}# Changes\n {3}\n {3}- Opened the shop\.\n {2}\+- /,
    );
    assert.match(withIt, / {2}✓ The agent uses the skill for this task\. Passed: The agent used the skill\./);
  });

  it('name files of theirs that hold a secret, until exactly these are allowed', async () => {
    const file = path.join(skill, 'evals/fixtures/shop/.env');
    assert.match((await line.run('secrets', skill)).out, /\nNothing there looks like a secret\.\n$/);
    writeFileSync(file, secret('4'));
    const searched =
      /^price-change: searched what an agent is given: the package of the skill \(1 file\) and the fixture evals\/fixtures\/shop \(\d files\)\.\n/;
    const found = await line.run('secrets', skill);
    assert.match(found.out, searched);
    assert.match(found.out, /\n {2}evals\/fixtures\/shop\/\.env, line 1: \S/);
    assert.match(found.out, /Take it out of the file; or, .*:\n {2}whetstone secrets .*price-change.* --allow\n/);
    assert.doesNotMatch(found.out, /ghp_/, 'never its value');
    const allowed = await line.run('secrets', skill, '--allow');
    assert.match(allowed.out, /Allowed as they are now, on this machine:\n {2}evals\/fixtures\/shop\/\.env, line 1: /);
    const none = await line.run('secrets', skill);
    assert.match(none.out, searched);
    assert.match(none.out, /\nNothing there looks like a secret, but for what you allowed\.\n$/);
    writeFileSync(file, secret('5'));
    assert.match((await line.run('secrets', skill)).out, /\.env, line 1: /);
    const copy = path.join(skill, 'evals/fixtures/shop', `ghp_${'a1B2'.repeat(8)}c3D4`);
    writeFileSync(copy, secret('5'));
    const both = (await line.run('secrets', skill)).out;
    assert.match(both, /shop\/\.env, line 1: /, 'every file with the same content');
    assert.equal(both.match(/shop\/REDACTED_github-token_\w+, line 1: /g)?.length, 2, 'its name, and what it holds');
    assert.doesNotMatch(both, /ghp_/, 'never its value');
    rmSync(copy);
    const chat = path.join(skill, '../../../.claude/skills/incident-summary');
    assert.match((await line.run('secrets', chat)).out, /^incident-summary: no task is for an agent/);
    rmSync(file);
  });

  it('are read with a problem on the line where something is wrong', async () => {
    const file = path.join(skill, 'evals/whetstone.json');
    const before = readFileSync(file, 'utf8');
    const written = JSON.parse(before);
    written.tasks['lamp-price'].environment = 'chat';
    delete written.tasks['kettle-offer'].agent;
    written.tasks['towel-fibre'].agent.fixture = '../elsewhere';
    written.tasks['shelf-round'].agent.fixture = 'evals/fixtures/gone';
    written.tasks['new-address'].agent.fixture = 'evals/fixtures/shop/terms.md';
    writeFileSync(file, JSON.stringify(written));
    const { out } = await line.run('tasks', 'list', skill);
    writeFileSync(file, before);
    assert.match(out, /“evals\/fixtures\/gone” that the task “shelf-round” starts from is missing/);
    assert.match(
      out,
      /error: \S*whetstone\.json:\d+:\d+: “evals\/fixtures\/shop\/terms\.md” that the task “new-address” starts from is a file, and a folder is needed\. Put/,
    );
    for (const said of [/its environment is “chat”/, /names no folder/, /must lie in the folder of the skill/])
      assert.match(out, said);
  });
});

function outcome(tasks: readonly { checks: readonly { name: string; pass: boolean }[] }[]): readonly string[] {
  return (tasks[0]?.checks ?? []).map(({ name, pass }) => `${name} ${pass}`);
}

function secret(last: string): string {
  return `GITHUB_TOKEN=ghp_${'a1B2'.repeat(8)}c3D${last}\n`;
}
