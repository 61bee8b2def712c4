import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { aCommandLine, type CommandLine } from '../builders/commandLine.js';

const model = ['--model', 'simulated?lapse=0.65'];
const fields =
  'kind reason cause cure rule metric before after difference interval p pTask alpha n notNeeded passes invalid fixed regressed warnings'
    .split(' ')
    .sort();

const Printed = z.looseObject({ verdict: z.looseObject({ kind: z.string(), passes: z.number().nullable() }) });

/** The command line on a forgetful model, with a cap that leaves room for two passes. */
describe('a certification from the command line', () => {
  let line: CommandLine;
  let skill: string;

  before(() => {
    line = aCommandLine({ copy: path.resolve('test/fixtures/workspaces/noisy') });
    skill = path.join(line.folder, '.claude/skills/status-update');
  });
  after(() => line.dispose());

  it('says beforehand what these tasks can show and what a run costs at most, and spends nothing', async () => {
    const { out, code } = await line.run('optimize', skill, ...model, '--dry-run');
    assert.equal(code, 0);
    assert.match(out, /3 training, 8 held-out and 2 sealed tasks/);
    assert.match(
      out,
      /^Usually about \d+ calls, \d[\d,]* tokens, 0\.00 USD; at most \d[\d,]* calls, \d[\d,]* tokens, 0\.00 USD\.$/m,
    );
    assert.match(out, /With 8 held-out tasks, a gain of 40 points is detected in 9 of 10 runs, a gain of 20 in less/);
    assert.ok(!existsSync(path.join(line.folder, '.whetstone', 'runs')));
    const json = await line.run('optimize', skill, ...model, '--dry-run', '--json');
    const printed = z
      .looseObject({ power: z.string(), calls: z.object({ high: z.number() }) })
      .parse(JSON.parse(json.out));
    assert.ok(printed.calls.high > 0);
  });

  it('ends inconclusive at its cap, with every field of the verdict', async () => {
    const { out } = await line.run('optimize', skill, ...model, '--max-tokens', '31000', '--json');
    const { verdict } = Printed.parse(JSON.parse(out));
    assert.deepEqual(Object.keys(verdict).sort(), fields);
    assert.deepEqual([verdict.kind, verdict['cause'], verdict.passes], ['inconclusive', 'cap', 2]);
    assert.equal(verdict['cure'], 'At most 6 more passes, about 96 calls, free of charge.');
  });

  it('shows the same verdict afterwards, as JSON and in words', async () => {
    const json = await line.run('show', skill, '--json');
    assert.deepEqual(Object.keys(Printed.parse(JSON.parse(json.out)).verdict).sort(), fields);
    const { out } = await line.run('show', skill);
    assert.match(out, /Undecided after 2 of at most 8 passes/);
    assert.match(out, /What would settle it: At most 6 more passes/);
    const [, word = ''] = /^Statistics: whetstone report (.*)$/m.exec(out) ?? [];
    assert.equal(word, skill, 'what the command takes');
    const report = await line.run('report', word);
    assert.match(report.out, /8 tasks, 2 passes/);
  });

  it('goes on with “gather” to its decision, and not a second time', async () => {
    const { out, err, code } = await line.run('gather', skill, ...model, '--json');
    assert.equal(code, 0, err);
    const { verdict } = Printed.parse(JSON.parse(out));
    assert.ok(['accepted', 'rejected'].includes(verdict.kind));
    assert.ok((verdict.passes ?? 0) >= 3);
    const again = await line.run('gather', skill, ...model);
    assert.equal(again.code, 2);
    assert.match(again.err, /finished and is never opened again/);
  });

  it('names the command that gathers with the model of the run: no other one could go on', async () => {
    const { out } = await line.run('optimize', skill, ...model, '--max-tokens', '16000');
    assert.ok(out.includes(`Next: whetstone gather ${skill} --model "simulated?lapse=0.65" to go on`), out);
  });

  it('refuses to gather where nothing waits', async () => {
    await line.run('reject', skill);
    const { code, err } = await line.run('gather', skill, ...model);
    assert.equal(code, 2);
    assert.match(err, /No proposal of yours waits/);
  });
});
