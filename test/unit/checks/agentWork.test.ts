import assert from 'node:assert/strict';
import { prepareCheck } from '../../../src/checks/registry.js';
import type { WorkLeft } from '../../../src/ports/agentWork.js';
import { anAnswer } from '../../builders/anAnswer.js';
import { aCheck, aTask } from '../../builders/aTask.js';
import { someWork } from '../../builders/someWork.js';

const diff = `diff --git a/prices.csv b/prices.csv
--- a/prices.csv
+++ b/prices.csv
@@ -1,2 +1,2 @@
 item,price
-lamp,19.00
+lamp,21.50
diff --git a/docs/new.md b/docs/new.md
new file mode 100644
--- /dev/null
+++ b/docs/new.md
@@ -0,0 +1,1 @@
+Reason: supplier
`;
const left = someWork({
  diff,
  changed: [
    { path: 'prices.csv', change: 'changed' },
    { path: 'docs/new.md', change: 'added' },
    { path: 'old.txt', change: 'deleted' },
  ],
  events: [
    { kind: 'tool', name: 'shell', input: '', output: '', ok: false, command: 'npm test -- --all' },
    {
      kind: 'tool',
      name: 'shell',
      input: '',
      output: '',
      ok: true,
      command: `echo 'npm test, npm publish; yarn x' # npm publish`,
    },
    { kind: 'tool', name: 'shell', input: '', output: '', ok: true, command: `bash -lc 'cd app && CI=1 npx jest -w'` },
    { kind: 'tool', name: 'shell', input: '', output: '', ok: true, command: `python3 -c "os.system('git tag')"` },
    { kind: 'tool', name: 'edit', input: 'make lint', output: '', ok: true },
  ],
  judged: [
    { kind: 'exited', code: 0, output: '', errorOutput: '' },
    { kind: 'exited', code: 3, output: 'one failed', errorOutput: '' },
  ],
});

const cases: readonly (readonly [check: string, given: Readonly<Record<string, unknown>>, pass: boolean])[] = [
  ['skill_used', {}, true],
  ['skill_used', { used: false }, false],
  ['file_changed', { path: 'prices.csv' }, true],
  ['file_changed', { path: './prices.csv', change: 'added' }, false],
  ['file_changed', { path: '*.md' }, false],
  ['file_changed', { path: '**/*.md', change: 'added' }, true],
  ['file_changed', { path: 'old.???', change: 'deleted' }, true],
  ['file_changed', { path: 'docs/*', contains: 'reason:' }, true],
  ['file_changed', { path: 'prices.csv', contains: 'Reason:' }, false],
  ['file_changed', { path: 'prices.csv', contains: '19.00' }, false],
  ['file_changed', { path: 'prices.csv', contains: 'item' }, false],
  ['file_changed', { path: 'prices_csv', change: 'none' }, true],
  ['file_changed', { path: 'docs/**', change: 'none' }, false],
  ['command_ran', { command: 'npm test' }, true],
  ['command_ran', { command: 'npm test', ok: true }, false],
  ['command_ran', { pattern: String.raw`^npm (run )?test\b` }, true],
  ['command_ran', { command: 'make lint' }, false],
  ['command_ran', { command: 'npm publish' }, false],
  ['command_ran', { pattern: 'npm publish' }, false],
  ['command_ran', { command: 'yarn x', ran: false }, true],
  ['command_ran', { command: 'jest', ok: true }, true],
  ['command_ran', { pattern: 'cd app && .*jest' }, true],
  ['command_ran', { command: 'git tag' }, false],
  ['command_ran', { command: 'git tag', ran: false }, false],
  ['command_ran', { command: 'git push', ran: false }, true],
  ['command_ran', { command: 'npm', ran: false }, false],
  ['contains', { text: '21.50', on: 'diff' }, true],
  ['contains', { text: '19.00', on: 'diff' }, false],
  ['not_contains', { text: 'b/docs', on: 'diff' }, true],
  ['regex', { pattern: 'Reason: \\w+', on: 'diff' }, true],
  ['regex', { pattern: 'Reason: \\w+' }, false],
  ['command', { command: 'node', arguments: ['a.js'] }, true],
  ['command', { command: 'node', arguments: ['b.js'] }, false],
];

describe('checks on what an agent left', () => {
  for (const [check, given, pass] of cases)
    it(`${check} ${JSON.stringify(given)}: ${pass ? 'passes' : 'fails'}`, async () => {
      const outcome = await outcomeOf(check, given);
      assert.ok(outcome.kind === 'scored', JSON.stringify(outcome));
      assert.equal(outcome.pass, pass, outcome.reason);
    });

  it('ask for an agent: in another environment nothing can pass them', () => {
    for (const [check, given] of cases.filter(([name, { on }]) => name !== 'command' && (on ?? name.includes('_')))) {
      const found = prepareCheck(aCheck(check, given), aTask());
      if (check === 'not_contains' && given['on'] === undefined) continue;
      assert.ok(found.kind === 'prepared' && found.check.cannotPass?.includes('agent') === true, check);
    }
  });

  it('say that a command was told, and not that it was run, where no program is started', async () => {
    const event = { kind: 'tool', name: 'shell', input: '', output: '', ok: true, command: 'npm test' } as const;
    const scripted = someWork({ events: [{ ...event, onlyTold: true }] });
    const reason = '“npm test” was told, not run: the scripted agent starts no program. That counts as running it.';
    const found = await outcomeOf('command_ran', { command: 'npm test', ok: true }, scripted);
    assert.deepEqual(found, { kind: 'scored', pass: true, soft: 1, reason });
    const forbidden = await outcomeOf('command_ran', { command: 'npm test', ran: false }, scripted);
    assert.deepEqual(forbidden, { kind: 'scored', pass: false, soft: 0, reason });
    const real = await outcomeOf('command_ran', { command: 'npm test' }, someWork({ events: [event] }));
    assert.equal(real.reason, '“npm test” was run.');
  });

  it('ask nothing about a skill that is not there, in either sense', async () => {
    for (const used of [true, false])
      assert.deepEqual(await outcomeOf('skill_used', { used }, { ...left, usedSkill: undefined }), {
        kind: 'not-asked',
        reason: 'Without the skill there is nothing to use.',
      });
  });

  it('are no score where no agent worked, or a program did not start', async () => {
    for (const check of ['skill_used', 'command'])
      assert.equal((await outcomeOf(check, check === 'command' ? { command: 'node' } : {}, null)).kind, 'invalid');
    const judged: WorkLeft['judged'] = [{ kind: 'not-started', reason: 'no node' }];
    const outcome = await outcomeOf('command', { command: 'node', arguments: ['a.js'] }, { ...left, judged });
    assert.equal(outcome.kind, 'invalid');
  });

  it('do not hold for what is not there, where not all is shown', async () => {
    const hidden: WorkLeft = { ...left, notShown: ['b.bin (binary or not readable, 9 bytes)', '5 more changed files'] };
    const asked: readonly (readonly [string, Readonly<Record<string, unknown>>, boolean])[] = [
      ['not_contains', { text: 'BACKDOOR', on: 'diff' }, false],
      ['not_contains', { text: 'BACKDOOR' }, true],
      ['contains', { text: '21.50', on: 'diff' }, true],
      ['regex', { pattern: String.raw`^(?![\s\S]*BACKDOOR)`, on: 'diff' }, false],
      ['regex', { pattern: '^[^B]*$', on: 'diff' }, false],
      ['regex', { pattern: '^lamp,21.50$', flags: 'm', on: 'diff' }, true],
      ['file_changed', { path: 'a.txt', change: 'none' }, false],
    ];
    for (const [check, given, pass] of asked) {
      const outcome = await outcomeOf(check, given, hidden);
      assert.ok(outcome.kind === 'scored' && outcome.pass === pass, JSON.stringify([check, given, outcome]));
    }
    const ignoring = { ...left, diff: `${diff}ignored: node_modules/b.js\n` };
    const outcome = await outcomeOf('not_contains', { text: 'BACKDOOR', on: 'diff' }, ignoring);
    assert.ok(outcome.kind === 'scored' && outcome.pass && outcome.reason.endsWith('such as node_modules/b.js.'));
  });

  it('refuse arguments that mean nothing', () => {
    const wrong: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
      ['command_ran', {}],
      ['command_ran', { command: 'a', pattern: 'b' }],
      ['file_changed', { path: 'a', change: 'none', contains: 'x' }],
      ['file_changed', { path: 'a', change: 'deleted', contains: 'x' }],
    ];
    for (const [check, given] of wrong)
      assert.equal(prepareCheck(aCheck(check, given), agentTask()).kind, 'malformed', check);
  });
});

function agentTask() {
  const commands = ['a.js', 'b.js'].map((file) => aCheck('command', { command: 'node', arguments: [file] }));
  return aTask({ environment: 'agent', agent: { fixture: 'evals/shop', mode: 'offered' }, checks: commands });
}

const nothing = (): Promise<never> => Promise.reject(new Error('asked for'));

type Left = WorkLeft & { readonly usedSkill?: boolean | undefined };

async function outcomeOf(check: string, given: Readonly<Record<string, unknown>>, work: Left | null = left) {
  const found = prepareCheck(aCheck(check, given), agentTask());
  assert.ok(found.kind === 'prepared' && found.check.evaluation.by === 'rule', JSON.stringify(found));
  const attempt = anAnswer('Done.', work === null ? {} : { work: { usedSkill: true, ...work } });
  const services = { programs: { run: nothing }, consent: { allows: nothing }, contents: { of: nothing }, folder: '' };
  return found.check.evaluation.evaluate(attempt, services, new AbortController().signal);
}
