import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { aCommandLine, type CommandLine } from '../builders/commandLine.js';
import { frontOptions, writeFrontSkill } from '../builders/aFrontSkill.js';

const Shown = z.looseObject({
  verdict: z.looseObject({ kind: z.string() }),
  candidates: z.looseObject({
    proposed: z.looseObject({ id: z.string() }),
    others: z.array(z.looseObject({ id: z.string(), verdict: z.unknown() })),
  }),
});

describe('the candidates of a run on the command line', () => {
  let line: CommandLine;
  let skill: string;
  before(async () => {
    line = aCommandLine();
    skill = path.join(line.folder, 'skills', 'harbour');
    writeFrontSkill(skill);
    const set = Object.entries(frontOptions).flatMap(([group, options]) =>
      Object.entries(options).flatMap(([name, value]) => ['--set', `${group}.${name}=${JSON.stringify(value)}`]),
    );
    const { code, err } = await line.run('optimize', skill, ...set);
    assert.equal(code, 0, err);
  });
  after(() => line.dispose());

  it('are shown as a table in which the others are not certified', async () => {
    const { out } = await line.run('show', skill);
    assert.match(out, /^candidate +training tasks +tokens of the skill +tokens of an answer +held-out tasks$/m);
    assert.match(out, /^C1 +100 % .* proposed: improved$/m);
    assert.match(out, /^C2 +50 % .* not certified$/m);
    const { candidates } = Shown.parse(JSON.parse((await line.run('show', skill, '--json')).out));
    assert.deepEqual(
      [candidates.proposed.id, candidates.others.map(({ id, verdict }) => [id, verdict])],
      ['C1', [['C2', null]]],
    );
  });

  it('are not certified for money to which nobody agreed', async () => {
    const paid = ['--model', 'http://127.0.0.1:9/v1#m', '--price', 'm=1000/2000'];
    const refill = ['--refill', 'a new start'];
    const { err, code } = await line.run('gather', skill, '--candidate', 'C2', ...paid, ...refill);
    assert.equal(code, 2);
    assert.match(
      err,
      /^Certify C2: usually .* USD, at most .* USD · .* at most \d+ calls · .*; 25 % .* of which 100 % are left\.$/m,
    );
    assert.match(err, /Nothing was begun: nobody is at the terminal/);
  });

  it('have no price where they cannot be certified again', async () => {
    const { err, code } = await line.run('gather', skill, '--candidate', 'C1');
    assert.equal(code, 2);
    assert.match(err, /finished/);
    assert.doesNotMatch(err, /Certify/);
  });

  it('are shown one by one with their edits, by a name in any case', async () => {
    const { out, err, code } = await line.run('show', skill, '--candidate', 'c2');
    assert.equal(code, 0, err);
    assert.match(out, /^C2 +50 % .* proposed: not certified$/m);
    assert.match(out, /^E1 append .* · open/m);
    assert.match((await line.run('show', skill)).out, /^C1 +100 % .* proposed: improved$/m);
  });

  it('are certified one by one, for a price and a share of the error budget that are told before', async () => {
    const { out, err, code } = await line.run('gather', skill, '--candidate', 'C2', '--set', 'gate.attribution=false');
    assert.equal(code, 0, err);
    assert.match(
      err,
      /^Certify C2: free · .* at most \d+ calls · .*; 25 % of the error budget, of which 75 % are left\.$/m,
    );
    assert.match(out, /^C2: /m);
    const { candidates } = Shown.parse(JSON.parse((await line.run('show', skill, '--json')).out));
    const others = candidates.others.map(({ verdict }) => verdict);
    assert.ok(others.every((verdict) => verdict !== null));
    assert.doesNotMatch((await line.run('show', skill)).out, /certifies one/, 'nothing is left to certify');
  });

  it('are refused by a name that nobody has', async () => {
    const { err, code } = await line.run('adopt', skill, '--candidate', 'C9');
    assert.equal(code, 2);
    assert.match(err, /There is no candidate “C9”/);
    assert.doesNotMatch(readFileSync(path.join(skill, 'SKILL.md'), 'utf8'), /fathoms|Moored/);
  });
});
