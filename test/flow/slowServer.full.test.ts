import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { aCommandLine } from '../builders/commandLine.js';
import { OllamaServer } from '../fakes/OllamaServer.js';

const skill = '.claude/skills/incident-summary';
const secondsOfAnswer = 1; // what the person waits for one answer; sixteen in the queue of the server take far longer

/** Trains the demo skill on a server that works on so many requests at once. */
async function trainedOn(server: OllamaServer, ...more: readonly string[]) {
  const cli = aCommandLine({ copy: path.resolve('media/demo'), environment: { OLLAMA_HOST: server.host } });
  try {
    mkdirSync(path.join(cli.folder, '.whetstone'), { recursive: true });
    writeFileSync(path.join(cli.folder, '.whetstone', 'config.yaml'), `timeouts:\n  target: ${secondsOfAnswer}\n`);
    const model = ['--model', 'simulated', '--target', `ollama/${OllamaServer.model}`];
    const { code, out, err } = await cli.run('optimize', path.join(cli.folder, skill), ...model, '--yes', ...more);
    assert.equal(code, 0, out + err);
    assert.doesNotMatch(out + err, /no answer within|no complete answer|timed out|invalid/iu);
    return /improved from .*|Not shown.*|no improvement.*/iu.exec(out)?.[0];
  } finally {
    cli.dispose();
  }
}

describe('a server that works on few requests at a time, slowly', () => {
  const slots = [1, 4];
  for (const atOnce of slots) {
    it(`is asked for as many as it works on, ${atOnce}, never times out, and gives the verdict of a fast one`, async () => {
      const fast = await OllamaServer.start({ context: 32_768, slots: 64 });
      const slow = await OllamaServer.start({ context: 32_768, slots: atOnce, msPerToken: 0.6 });
      try {
        const verdict = await trainedOn(slow);
        assert.match(verdict ?? '', /improved/u);
        assert.equal(verdict, await trainedOn(fast));
        assert.ok(slow.usualAtOnce <= atOnce + 3, `${slow.usualAtOnce} at once`);
        assert.ok(slow.usualAtOnce >= Math.min(atOnce, 2) / 2, `${slow.usualAtOnce} at once`);
      } finally {
        await Promise.all([fast.stop(), slow.stop()]);
      }
    });
  }
});
