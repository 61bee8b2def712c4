import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { writeFrontSkill } from '../builders/aFrontSkill.js';
import { aCommandLine, type CommandLine } from '../builders/commandLine.js';
import { inFull } from '../builders/few.js';

const quick = ['--preset', 'quick', '--set', 'gate.attribution=false'];
const paid = ['--model', 'http://127.0.0.1:9/v1#m', '--price', 'm=1000/2000'];
const Shown = z.looseObject({ verdict: z.looseObject({ kind: z.string() }) });

describe('what “rebase” says of money', () => {
  let line: CommandLine;
  let skill: string;
  before(async () => {
    line = aCommandLine();
    skill = path.join(line.folder, 'skills', 'harbour');
    writeFrontSkill(skill);
    const { code, err } = await line.run('optimize', skill, ...quick);
    assert.equal(code, 0, err);
    appendFileSync(path.join(skill, 'SKILL.md'), '\nMy own line.\n');
  });
  after(() => line.dispose());

  const verdict = async (): Promise<string> =>
    Shown.parse(JSON.parse((await line.run('show', skill, '--json')).out)).verdict.kind;
  const at = (answer: string): CommandLine =>
    aCommandLine({ at: { base: path.dirname(line.folder) }, answers: [answer] });

  it('is what measuring takes, before anything is moved: nothing is begun where nobody agrees', async () => {
    const { err, out, code } = await line.run('rebase', skill, ...paid);
    assert.equal(code, 2);
    assert.match(
      err,
      /^Go on measuring: usually .* USD, at most .* USD · usually 36, at most 192 calls · .*; 25 % of the error budget/m,
    );
    assert.match(err, /come on top of that; caps hold them\. No cap is set\.$/m);
    assert.match(err, /Nothing was begun: nobody is at the terminal/);
    assert.equal(out, '');
    const declined = await at('n').run('rebase', skill, ...paid);
    assert.match(declined.err, /Nothing was begun/);
    assert.equal(await verdict(), 'accepted', 'what was measured is still there');
  });

  it('is agreed to at the terminal, by --yes or by a cap; another model than that of the run is refused after it', async () => {
    const ends = [
      await at('y').run('rebase', skill, ...paid),
      await line.run('rebase', skill, ...paid, '--yes'),
      await line.run('rebase', skill, ...paid, '--cap', 'run.usd=1'),
    ];
    for (const { err } of ends) assert.match(err, /Go on measuring: [^]*This proposal was measured with/);
  });

  it('is nothing where it is only moved', async () => {
    const { out, err, code } = await line.run('rebase', skill, ...paid, '--no-measure');
    assert.equal(code, 0, err);
    assert.doesNotMatch(err + out, /Go on measuring|model calls/);
    assert.equal(await verdict(), 'unmeasured');
  });

  it('is what was spent, at the end', async () => {
    const { out, err, code } = await line.run('rebase', skill, ...quick);
    assert.equal(code, 0, err);
    assert.match(err, /^Go on measuring: free · usually 36, at most 192 calls · less than a minute; 25 %/m);
    assert.match(out, /^Moved onto the skill as it is now: E1[^]*\n\d+ model calls, [\d,]+ tokens, .*\.$/m);
  });

  it('is in its JSON too', async () => {
    appendFileSync(path.join(skill, 'SKILL.md'), '\nOne more line.\n');
    const { out } = await line.run('rebase', skill, ...quick, '--json');
    const { calls, usd } = z.looseObject({ calls: z.number(), usd: z.number() }).parse(JSON.parse(out));
    assert.ok(calls >= 12);
    assert.equal(usd, 0);
  });
});

describe('what “gather” says where the error budget is used up', () => {
  let line: CommandLine;
  let skill: string;
  before(async () => {
    line = aCommandLine();
    skill = path.join(line.folder, 'skills', 'harbour');
    writeFrontSkill(skill);
    for (let run = 0; run < 5; run += 1) await line.run('optimize', skill, ...quick);
  });
  after(() => line.dispose());

  inFull('is that, and no price of what it would refuse afterwards', async () => {
    const { err, out, code } = await line.run('gather', skill, ...quick);
    assert.equal(code, 2, out);
    assert.match(err, /4 certifications used up the error budget of these held-out tasks\./);
    assert.doesNotMatch(err, /Go on measuring|calls/);
  });

  it('is the price of a measurement that the person starts afresh', async () => {
    const { err, code } = await line.run('gather', skill, ...quick, '--refill', 'I know what I do.');
    assert.equal(code, 0, err);
    assert.match(err, /^Go on measuring: free · .*; 25 % of the error budget, of which 100 % are left\.$/m);
  });
});
