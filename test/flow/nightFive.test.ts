import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { aCommandLine, type CommandLine } from '../builders/commandLine.js';
import { ChatServer } from '../fakes/ChatServer.js';
import { perfectSkill } from './nightWorkspace.js';

const skill = '.claude/skills/incident-summary';
const Evals = z.looseObject({ evals: z.array(z.unknown()) });
const Night = z.object({
  spend: z.object({ calls: z.number() }),
  skills: z.array(
    z.object({
      outcome: z.string(),
      reason: z.string(),
      verdict: z.string().optional(),
      before: z.number().optional(),
      after: z.number().optional(),
    }),
  ),
});

// The whole demo takes a minute on a busy machine; a few tasks show the same.
const counts = process.env['WHETSTONE_FULL'] === '1' ? [10, 14, 18, 22, 26] : [8, 9, 10, 11, 12];

describe('whetstone night --json', () => {
  let line: CommandLine;
  let server: ChatServer;
  const reasons: string[] = [];

  before(async () => {
    server = await ChatServer.start();
    server.answers((response) => response.writeHead(401).end('{"error":{"message":"no such account"}}'));
    line = aCommandLine({ copy: path.resolve('media/demo') });
    const file = path.join(line.folder, skill, 'evals/evals.json');
    const shipped = Evals.parse(JSON.parse(readFileSync(file, 'utf8')));
    writeFileSync(file, JSON.stringify({ ...shipped, evals: shipped.evals.slice(0, 8) }));
  });
  after(async () => {
    line.dispose();
    await server.stop();
  });

  const rows: readonly {
    readonly night: string;
    readonly words: () => readonly string[];
    readonly outcome: string;
    readonly reason: RegExp;
    readonly skill?: string;
  }[] = [
    {
      night: 'a dead backend',
      words: () => ['--model', `${server.baseUrl}#gone`, '--yes'],
      outcome: 'failed',
      reason: /no such account/,
    },
    {
      night: 'harmful edits only',
      words: () => ['--model', 'simulated?harmful=1'],
      outcome: 'nothing',
      reason: /^Edits were tried, but none made the held-out tasks score higher/,
    },
    { night: 'a cap', words: () => ['--max-calls', '6'], outcome: 'nothing', reason: /^The run ended at its cap/ },
    {
      night: 'nothing to learn',
      words: () => [],
      outcome: 'nothing',
      reason: /^There is nothing to learn/,
      skill: perfectSkill,
    },
  ];
  for (const { night, words, outcome, reason, skill: text } of rows) {
    it(`explains a night with ${night}`, async () => {
      const file = path.join(line.folder, skill, 'SKILL.md');
      if (text !== undefined) writeFileSync(file, text);
      const before = readFileSync(file, 'utf8');
      const { code, out } = await line.run('night', file, '--json', '--force', '--preset', 'quick', ...words());
      const [found] = Night.parse(JSON.parse(out)).skills;
      assert.equal(found?.outcome, outcome);
      assert.match(found.reason, reason);
      assert.equal(code, outcome === 'failed' ? 1 : 0);
      assert.equal(readFileSync(file, 'utf8'), before);
      assert.ok(!reasons.includes(found.reason));
      reasons.push(found.reason);
    });
  }
});

describe('five nights in a row, with new tasks each night', () => {
  let line: CommandLine;
  const nights: z.infer<typeof Night>['skills'] = [];

  before(async function () {
    line = aCommandLine({ copy: path.resolve('media/demo') });
    const shipped = Evals.parse(JSON.parse(readFileSync(path.join(line.folder, skill, 'evals/evals.json'), 'utf8')));
    for (const count of counts) {
      keep(shipped, count);
      const night = await run();
      nights.push(...night.skills);
      const again = await run();
      assert.equal(again.spend.calls, 0, 'the same night again asks no model');
      assert.deepEqual(
        again.skills.map(({ outcome }) => outcome),
        ['skipped'],
      );
      if (night.skills[0]?.outcome === 'proposed') await adopt();
    }
  });

  after(() => line.dispose());

  it('says of every night what came of it', () => {
    assert.equal(nights.length, 5);
    for (const { reason } of nights) assert.match(reason, /\w.*\.$/);
  });

  it('adopts what the gate accepted, and starts the next night from it', () => {
    const accepted = nights.filter(({ verdict }) => verdict === 'accepted');
    assert.ok(accepted.length >= 2, JSON.stringify(nights, undefined, 2));
    for (const night of accepted) assert.ok((night.after ?? 0) > (night.before ?? 1));
  });

  it('gets better over the nights, and never worse than noise by what it adopted', () => {
    const first = nights[0]?.before ?? 1;
    const last = nights.findLast(({ before }) => before !== undefined)?.before ?? 0;
    assert.ok(last > first + 0.2, `${first} → ${last}`);
  });

  it('stages nothing that fresh attempts did not bear out', () => {
    for (const night of nights.filter(({ verdict }) => verdict === 'rejected')) {
      assert.equal(night.outcome, 'nothing');
      assert.match(night.reason, /nothing is staged/);
    }
  });

  async function run(): Promise<z.infer<typeof Night>> {
    const words = ['--json', '--preset', 'quick', '--set', 'edits.budget=1', '--set', 'edits.minimum=1'];
    const result = await line.run('night', path.join(line.folder, skill, 'SKILL.md'), ...words);
    assert.equal(result.code, 0, result.err);
    return Night.parse(JSON.parse(result.out));
  }

  async function adopt(): Promise<void> {
    const { code, err } = await line.run('adopt', path.join(line.folder, skill));
    assert.equal(code, 0, err);
  }

  function keep(shipped: z.infer<typeof Evals>, count: number): void {
    const file = path.join(line.folder, skill, 'evals/evals.json');
    writeFileSync(file, JSON.stringify({ ...shipped, evals: shipped.evals.slice(0, count) }));
  }
});
