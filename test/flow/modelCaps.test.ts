import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { totalSpend } from '../../src/engine/journal/runSummary.js';
import { startSimulatedServer, type SimulatedServer } from '../../src/simulated/server/serveSimulated.js';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import { mostInputTokens } from '../../src/models/tokens.js';
import type { LanguageModel, ModelRequest } from '../../src/ports/languageModel.js';
import { aModelThatLearns } from '../builders/aModelThatLearns.js';
import { aWorkspace, inEveryRole, type TestWorkspace, writtenTasks } from '../builders/aWorkspace.js';
import { aCommandLine } from '../builders/commandLine.js';
import { builtProgram } from './children/builtProgram.js';
import { runCommandLine } from './children/command.js';
import { inFull } from '../builders/few.js';

const full = process.env['WHETSTONE_FULL'] === '1';

describe('a run with a cap of tokens', () => {
  const workspaces: TestWorkspace[] = [];
  after(() => workspaces.forEach((workspace) => workspace.dispose()));

  for (const cap of full ? [1_000, 5_000, 9_000, 20_000, 33_333, 60_000, 100_000] : [9_000]) {
    it(`of ${cap} never starts an attempt that could pass it, even where every answer is as long as it may be`, async () => {
      const workspace = aWorkspace({
        copy: { from: path.resolve('media/demo/.claude/skills'), skill: 'incident-summary' },
      });
      workspaces.push(workspace);
      const greedy = new Greedy();
      const { summary, noProposal: nothing } = await workspace.optimize({
        preset: 'standard',
        settings: { caps: { tokens: cap } },
        models: inEveryRole(greedy),
      });
      assert.ok(greedy.most <= cap, `${greedy.most} tokens were used or under way at once`);
      assert.ok(totalSpend(summary).tokens <= cap);
      assert.equal(greedy.calls, totalSpend(summary).calls);
      if (nothing !== undefined)
        assert.match(nothing.reason, new RegExp(`cap of ${cap.toLocaleString('en')} tokens for this run`));
    });
  }
});

describe('a run whose answers use little of what they may', () => {
  it('comes to its verdict within a cap that has room for few calls at a time at their worst', async () => {
    const checks = [{ check: 'exact', answer: 'alpha' }];
    const tasks = writtenTasks({ training: 4, heldOut: 6, sealed: 0 }, []).map((task) => ({ ...task, checks }));
    const workspace = aWorkspace({ tasks, models: inEveryRole(aModelThatLearns(() => '')) });
    try {
      const { proposal, summary } = await workspace.optimize({ settings: { caps: { tokens: 24_000 } } });
      assert.equal(proposal?.verdict.kind, 'accepted', summary.reason);
      assert.ok(totalSpend(summary).tokens < 2_000);
    } finally {
      workspace.dispose();
    }
  });
});

describe('a run at the command line whose cap', () => {
  const skill = '.claude/skills/incident-summary';
  for (const [when, calls, code, said] of [
    [
      'is reached before anything is measured',
      0,
      1,
      /ended at its cap before anything was measured\. .*cap of 0 calls/,
    ],
    [
      'is reached while the skill as it is is measured',
      2,
      1,
      /ended at its cap before anything was measured\. .*cap of 2 calls/,
    ],
    [
      'is reached after the skill was measured',
      40,
      0,
      /ended at its cap before it found a better skill|Undecided|mproved/,
    ],
  ] as const) {
    it(`${when} ends with exit code ${code} and says so`, async () => {
      const line = aCommandLine({ copy: path.resolve('media/demo') });
      try {
        const words = ['--preset', 'quick', '--cap', calls === 0 ? 'day.calls=0' : `run.calls=${calls}`];
        const done = await line.run('optimize', path.join(line.folder, skill), ...words);
        assert.match(done.out, said);
        assert.equal(done.out.includes('Run it again with a higher cap'), done.out.includes('ended at its cap'));
        assert.equal(done.code, code, done.out + done.err);
      } finally {
        line.dispose();
      }
    });
  }
});

describe('a run that is made again with a higher cap', () => {
  it('says so beforehand, and pays for no answer twice', async () => {
    const workspace = aWorkspace();
    try {
      const simulated = createSimulatedModel();
      const identity = { ...simulated.identity, endpoint: 'https://models.example/v1', simulated: false };
      const asked: string[] = [];
      const complete: LanguageModel['complete'] = (request, signal) => {
        asked.push(JSON.stringify([request.messages, request.attempt, request.dependsOn]));
        return simulated.complete(request, signal);
      };
      const models = inEveryRole({ ...simulated, identity, complete });
      const first = await workspace.optimize({ models, settings: { caps: { calls: 6 } } });
      assert.equal(first.noProposal?.cause, 'cap');
      await workspace.optimize({ models, settings: { caps: { calls: 60 } } });
      assert.ok(asked.length > 6);
      assert.equal(new Set(asked).size, asked.length);
    } finally {
      workspace.dispose();
    }
  });
});

describe('a run with a cap of dollars', () => {
  it('on a model without a price says at its start that the cap cannot hold', async () => {
    const workspace = aWorkspace();
    try {
      const simulated = createSimulatedModel();
      const identity = { provider: 'custom', endpoint: 'https://models.example/v1', model: 'm', simulated: false };
      const models = inEveryRole({ ...simulated, identity });
      const { summary } = await workspace.optimize({ models, settings: { caps: { usd: 1 } } });
      const said = /^The cap in USD cannot hold for custom\/m, whose price is not known\. State its price/;
      assert.match(summary.notes[0] ?? '', said);
      assert.match(workspace.told.join('\n'), /: The cap in USD cannot hold for custom\/m/);
      const uncapped = await workspace.optimize({ models });
      assert.ok(uncapped.summary.notes.every((note) => !said.test(note)));
    } finally {
      workspace.dispose();
    }
  });
});

/** Answers like the simulated model, and charges the whole of what each request could take. */
class Greedy implements LanguageModel {
  readonly #inner = createSimulatedModel();
  readonly identity = { ...this.#inner.identity };
  calls = 0;
  most = 0;
  #taken = 0;

  async complete(request: ModelRequest, signal: AbortSignal): ReturnType<LanguageModel['complete']> {
    this.calls += 1;
    const usage = { inputTokens: mostInputTokens(request), outputTokens: request.maxOutputTokens, exact: true };
    this.#taken += usage.inputTokens + usage.outputTokens;
    this.most = Math.max(this.most, this.#taken);
    await new Promise((resolve) => setTimeout(resolve, 1));
    return { ...(await this.#inner.complete(request, signal)), usage };
  }
}

describe('two processes that share a monthly cap', () => {
  let server: SimulatedServer;
  const roots: string[] = [];
  before(async () => {
    server = await startSimulatedServer({ port: 0, latencyMs: 400 });
  });
  after(async () => {
    await server.stop();
    roots.forEach((root) => rmSync(root, { recursive: true, force: true }));
  });

  // In the short numbers: real processes that are granted exactly the cap of one ledger.
  inFull('never pass it together, and both say what ended them', async function () {
    const { cli } = await builtProgram();
    const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'whetstone-shared-cap-')));
    roots.push(root);
    const words = ['optimize', 'skills/incident-summary', '--model', `${server.url}#simulated-1`, '--json'];
    const folders = ['one', 'two', ...(full ? ['three', 'four'] : [])].map((name) =>
      workspaceIn(path.join(root, name)),
    );
    const cap = (full ? 80_000 : 50_000) * folders.length;
    const environment = { WHETSTONE_HOME: path.join(root, 'state'), WHETSTONE_CAPS: `month.tokens=${cap}` };
    const ends = await Promise.all(folders.map((cwd) => runCommandLine(cli, words, { cwd, environment })));

    const results = ends.map(({ code, out, err }) => {
      assert.equal(code, 0, err);
      return Result.parse(JSON.parse(out));
    });
    const told = results.map(({ verdict }) => `${verdict.cause ?? ''} ${verdict.reason ?? ''}`);
    assert.ok(
      told.every((text) => /cap/.test(text)),
      told.join('\n'),
    );
    assert.ok(
      results.every(({ calls }) => calls > 0),
      'both got to ask',
    );

    const lines = ledger(path.join(root, 'state'));
    const settled = lines.filter((line) => line.kind === 'settle');
    const spent = settled.reduce((sum, line) => sum + line.tokens, 0);
    assert.ok(spent <= cap && spent > cap / 3, `${spent} of ${cap} tokens`);
    // A call that the end of a run cut off is paid for too: nobody knows what the server made of it.
    const { requests, answered } = server.counts();
    const counts = `${answered} answered, ${settled.length} paid for, ${requests} asked`;
    assert.ok(answered <= settled.length && settled.length <= requests, counts);
    assert.equal(
      results.reduce((sum, { tokens }) => sum + tokens, 0),
      spent,
    );
    assert.ok(most(lines) <= cap, `${most(lines)} tokens were spent or promised at once`);
  });
});

function workspaceIn(folder: string): string {
  cpSync(path.resolve('media/demo/.claude/skills'), path.join(folder, 'skills'), { recursive: true });
  mkdirSync(path.join(folder, '.git'));
  return folder;
}

const Result = z.object({
  calls: z.number(),
  tokens: z.number(),
  verdict: z.object({ cause: z.string().nullish(), reason: z.string().nullish() }),
});

const Line = z.object({ kind: z.string(), id: z.string(), tokens: z.number().default(0) });
type Line = z.infer<typeof Line>;

function ledger(state: string): readonly Line[] {
  const folder = path.join(state, 'spend');
  return readdirSync(folder)
    .flatMap((file) => readFileSync(path.join(folder, file), 'utf8').split('\n'))
    .flatMap((text) => {
      const line = Line.safeParse(text === '' ? undefined : JSON.parse(text));
      return line.success ? [line.data] : [];
    });
}

/** The most that was ever spent and promised together. A reservation that nobody settled or gave back was refused. */
function most(lines: readonly Line[]): number {
  const ended = new Set(lines.filter(({ kind }) => kind !== 'reserve').map(({ id }) => id));
  const open = new Map<string, number>();
  let spent = 0;
  let top = 0;
  for (const { kind, id, tokens } of lines) {
    if (kind === 'reserve' && ended.has(id)) open.set(id, tokens);
    if (kind !== 'reserve') open.delete(id);
    if (kind === 'settle') spent += tokens;
    top = Math.max(top, spent + [...open.values()].reduce((sum, value) => sum + value, 0));
  }
  return top;
}
