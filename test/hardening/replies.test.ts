import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { randomFor } from '../../src/engine/random.js';
import { promptBlocks } from '../../src/simulated/reading/promptBlocks.js';
import { writtenTasks } from '../builders/aWorkspace.js';
import { canary, guardedSkill, judgeReply, optimizerReply, targetReply } from './attack/hostileReplies.js';
import type { ReplyReport } from './attack/replyChild.js';
import { brokenLaws, unsafeInTerminal } from './attack/replyLaws.js';
import { ReplyProcess } from './attack/replyProcess.js';
import { SimulatedServer, type ServedCall } from './attack/simulatedServer.js';
import { figure, isWhole, seed } from './figures.js';

const counts = isWhole ? { optimizer: 180, judge: 70, target: 70 } : { optimizer: 1, judge: 1, target: 1 };
const patienceMs = 150_000;
type Role = keyof typeof counts;

/** What is wrong after one hostile reply, by kind. */
interface Harm {
  readonly crashes: readonly string[];
  readonly escapes: readonly string[];
}

describe('a model that means harm', function replies() {
  this.timeout(isWhole ? 180 * 60_000 : 180_000);
  let server: SimulatedServer;
  let child: ReplyProcess;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'whetstone-hostile-'));

  before(async () => {
    server = await SimulatedServer.start();
    child = await ReplyProcess.start(patienceMs);
    writeWorkspace(folder);
  });
  after(async () => {
    child.stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const role of ['optimizer', 'judge', 'target'] as const) {
    it(`as ${role} breaks nothing with ${counts[role]} replies`, async () => {
      const harms: (readonly [number, Harm])[] = [];
      let reached = 0;
      for (let at = 0; at < counts[role]; at += 1) {
        const { harm, adopted } = await attackAs(role, at);
        harms.push([at, harm]);
        reached += adopted ? 1 : 0;
      }
      const say = (kind: keyof Harm): readonly string[] =>
        harms.flatMap(([at, harm]) => harm[kind].map((what) => `${role} ${at}: ${what}`));
      const result = `crashes and hangs ${say('crashes').length}, escapes ${say('escapes').length}${role === 'optimizer' ? ` (${reached} got as far as an adoption)` : ''}`;
      figure({ what: `hostile replies of the ${role}`, tried: counts[role], result });
      assert.deepEqual([...say('crashes'), ...say('escapes')], []);
    });
  }

  async function attackAs(role: Role, at: number): Promise<{ readonly harm: Harm; readonly adopted: boolean }> {
    const reply = { optimizer: optimizerReply, judge: judgeReply, target: targetReply }[role](
      randomFor(role, seed, at),
    );
    server.calls.length = 0;
    server.twist = (question, body) => {
      if (question.role === role) return reply;
      if (question.role === 'judge') return JSON.stringify({ results: results(1) });
      // Whatever changed the skill is called better, so that nothing but the laws of edits stands in its way.
      if (question.role === 'target') return isChanged(body) ? 'Visibility: ten fathoms.' : 'Nothing.';
      return undefined;
    };
    const base = mkdtempSync(path.join(os.tmpdir(), 'whetstone-reply-'));
    cpSync(folder, path.join(base, 'workspace'), { recursive: true });
    const report = await child.carryOut({ base, skill: 'skills/words', commands: commandsFor(role, server.model) });
    rmSync(base, { recursive: true, force: true });
    assert.ok(
      server.calls.some((call) => call.role === role),
      `nobody asked the ${role}`,
    );
    if (typeof report === 'string') return { harm: { crashes: [`it ${report}`], escapes: [] }, adopted: false };
    return { harm: harmIn(report, server.calls, role), adopted: skillAfter(report, 'adopt') !== guardedSkill };
  }
});

function commandsFor(role: Role, model: string): readonly (readonly string[])[] {
  const skill = '{skill}';
  const run = ['--model', model, '--preset', 'quick', '--set', 'train.epochs=1', '--yes'];
  if (role === 'judge')
    return [
      ['evaluate', skill, '--json', ...run],
      ['evaluate', skill, ...run],
    ];
  return [
    ['optimize', skill, ...run],
    ['show', skill],
    ['adopt', skill],
    ['status', skill],
    ['report', skill],
    ['undo', skill],
  ];
}

function harmIn(report: ReplyReport, calls: readonly ServedCall[], role: Role): Harm {
  const said = report.ends.map(({ out, err }) => `${out}${err}`).join('');
  const crash =
    /TypeError|RangeError|Maximum call stack|Cannot read propert|is not a function|heap out of memory/u.exec(said);
  const adopted = skillAfter(report, 'adopt');
  const last = skillAfter(report, 'last');
  return {
    crashes: [
      report.thrown,
      crash?.[0],
      ...report.ends.filter(({ code }) => code > 2).map(({ code }) => `exit ${code}`),
    ].filter((each): each is string => each !== undefined),
    escapes: [
      ...brokenLaws(guardedSkill, adopted),
      ...(last === guardedSkill ? [] : ['undo did not bring the bytes back']),
      ...unsafeInTerminal(said).map((name) => `the terminal was given ${name}`),
      ...(report.polluted ? ['the prototype of objects was changed'] : []),
      ...(role === 'judge' ? wrongScores(report) : []),
      ...shownToOthers(calls),
    ],
  };
}

function skillAfter({ ends }: ReplyReport, which: 'adopt' | 'last'): string {
  const end = which === 'adopt' ? ends[2] : ends.at(-1);
  return end === undefined ? guardedSkill : Buffer.from(end.skill, 'base64').toString('utf8');
}

function wrongScores({ ends }: ReplyReport): readonly string[] {
  const scores = [...(ends[0]?.out ?? '').matchAll(/"score": ?(-?[\d.e+]+|NaN|Infinity)/gu)].map(([, score]) =>
    Number(score),
  );
  return scores.filter((score) => !(score >= 0 && score <= 1)).map((score) => `a score of ${score}`);
}

/** What a target said stands in fences wherever it is shown, and nobody who writes edits sees a held-out task. */
function shownToOthers(calls: readonly ServedCall[]): readonly string[] {
  return calls
    .filter(({ role }) => role !== 'target')
    .flatMap(({ role, body }) => {
      const { messages }: { readonly messages: readonly { readonly content: string }[] } = JSON.parse(body);
      const prompt = messages.map(({ content }) => content).join('\n');
      return [
        ...(promptBlocks(prompt).outside.includes(canary) ? [`an answer left its fence before the ${role}`] : []),
        ...(role === 'optimizer' && prompt.includes('quayheldOut') ? ['a held-out task was shown'] : []),
      ];
    });
}

function isChanged(body: string): boolean {
  return !body.includes(
    JSON.stringify(guardedSkill.slice(guardedSkill.indexOf('# Words')))
      .slice(1, -1)
      .trim()
      .slice(0, 600),
  );
}

function results(count: number): readonly unknown[] {
  return Array.from({ length: count }, (_, index) => ({ index, pass: true, score: 1, reason: 'fine' }));
}

function writeWorkspace(folder: string): void {
  const skill = path.join(folder, 'skills/words');
  const tasks = writtenTasks({ training: 2, heldOut: 6, sealed: 0 }, ['Visibility:', 'fathoms']);
  mkdirSync(path.join(skill, 'evals'), { recursive: true });
  mkdirSync(path.join(folder, '.git'));
  writeFileSync(path.join(skill, 'SKILL.md'), guardedSkill);
  const listed = tasks.map(({ id, prompt }, at) => ({
    id,
    prompt,
    ...(at % 4 === 3 ? { expectations: ['It is kind.'] } : {}),
  }));
  const own = Object.fromEntries(tasks.map(({ id, side, checks }) => [id, { checks, split: side }]));
  writeFileSync(path.join(skill, 'evals/evals.json'), JSON.stringify({ skill_name: 'words', evals: listed }));
  writeFileSync(
    path.join(skill, 'evals/whetstone.json'),
    JSON.stringify({ format: 'whetstone.tasks', version: 1, tasks: own }),
  );
}
