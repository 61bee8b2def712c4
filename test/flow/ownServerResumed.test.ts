import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { aCommandLine, type CommandResult } from '../builders/commandLine.js';
import { inFull } from '../builders/few.js';
import { OllamaServer } from '../fakes/OllamaServer.js';

const models = ['--model', 'simulated', '--target', `ollama/${OllamaServer.model}`];

describe('a run on a slow server that is left and resumed', () => {
  inFull('comes to the verdict of one that was not left, and asks for nothing twice that was answered', async () => {
    const whole = await onServer(async (server, base) => {
      const result = await optimize(server, base, ['--preset', 'quick']);
      return { verdict: verdictIn(result), asked: asked(server) };
    });
    assert.match(whole.verdict ?? '', /improved from/);

    await onServer(async (server, base) => {
      const leaving = new AbortController();
      const first = optimize(server, base, ['--preset', 'quick'], leaving.signal);
      while (asked(server) < whole.asked / 2) await wait(5);
      leaving.abort(new Error('left'));
      const left = await first;
      assert.notEqual(left.code, 0, left.out);
      assert.match(left.out + left.err, /--resume/);
      const before = asked(server);

      const resumed = await optimize(server, base, ['--resume']);
      assert.equal(resumed.code, 0, resumed.out + resumed.err);
      assert.equal(verdictIn(resumed), whole.verdict);
      const again = asked(server) - whole.asked;
      assert.ok(
        again >= 0 && again <= underWay,
        `${before} calls, then ${asked(server) - before}, and ${whole.asked} in one`,
      );
      assert.equal(readdirSync(path.join(base, 'workspace/.whetstone/runs')).length, 1);
    });
  });
});

const underWay = 4; // calls that the server had not answered when the run was left: as many as it may have at once by then

function optimize(
  { host }: OllamaServer,
  base: string,
  words: readonly string[],
  signal?: AbortSignal,
): Promise<CommandResult> {
  const cli = aCommandLine({
    at: { base },
    environment: { OLLAMA_HOST: host },
    ...(signal === undefined ? {} : { signal }),
  });
  const skill = path.join(cli.folder, '.claude/skills/incident-summary');
  return cli.run('optimize', skill, ...(words.includes('--resume') ? [] : models), ...words, '--yes');
}

/** With a server that works on one request at a time, and a workspace and a user state of their own. */
async function onServer<T>(work: (server: OllamaServer, base: string) => Promise<T>): Promise<T> {
  const server = await OllamaServer.start({ context: 32_768, slots: 1, msPerToken: 0.2 });
  const base = mkdtempSync(path.join(tmpdir(), 'whetstone-left-'));
  try {
    cpSync(path.resolve('media/demo'), path.join(base, 'workspace'), { recursive: true });
    return await work(server, base);
  } finally {
    rmSync(base, { recursive: true, force: true });
    await server.stop();
  }
}

function asked({ paths }: OllamaServer): number {
  return paths.filter((each) => each.endsWith('/chat/completions')).length;
}

function verdictIn({ out }: CommandResult): string | undefined {
  return /improved from .*|Not shown.*|no improvement.*/iu.exec(out)?.[0];
}
