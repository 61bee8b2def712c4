import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chooseModels } from '../../src/app/models/chooseModels.js';
import type { LanguageModel } from '../../src/ports/languageModel.js';
import { aCommandLine } from '../builders/commandLine.js';
import { few, inFull } from '../builders/few.js';
import { OllamaServer } from '../fakes/OllamaServer.js';
import { aRequest } from '../fakes/ScriptedModel.js';

const skill = '.claude/skills/incident-summary';
const signal = new AbortController().signal;
const secondsOfAnswer = 1; // what the person waits for one answer; sixteen in the queue of the server take far longer

/** Trains the demo skill with this server in these roles, and gives all that was said and its verdict. */
async function trainedOn(server: OllamaServer, ...more: readonly string[]) {
  const cli = aCommandLine({ copy: path.resolve('media/demo'), environment: { OLLAMA_HOST: server.host } });
  try {
    mkdirSync(path.join(cli.folder, '.whetstone'), { recursive: true });
    writeFileSync(path.join(cli.folder, '.whetstone', 'config.yaml'), `timeouts:\n  target: ${secondsOfAnswer}\n`);
    const model = ['--model', 'simulated', '--target', `ollama/${OllamaServer.model}`];
    const { code, out, err } = await cli.run('optimize', path.join(cli.folder, skill), ...model, '--yes', ...more);
    assert.equal(code, 0, out + err);
    assert.doesNotMatch(out + err, /no answer within|no complete answer|timed out|invalid/iu);
    return { said: out + err, verdict: /improved from .*|Not shown.*|no improvement.*/iu.exec(out)?.[0] };
  } finally {
    cli.dispose();
  }
}

/** The model of this server, as the command line chooses it. */
async function modelOf(server: OllamaServer): Promise<LanguageModel> {
  const specs = { target: `ollama/${OllamaServer.model}`, optimizer: undefined, judge: undefined };
  return (await chooseModels(specs, { environment: { OLLAMA_HOST: server.host }, fetch }, signal)).target;
}

async function withServer<T>(
  parts: Parameters<typeof OllamaServer.start>[0],
  work: (server: OllamaServer) => Promise<T>,
): Promise<T> {
  const server = await OllamaServer.start({ context: 32_768, ...parts });
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

describe('a server that works on few requests at a time, slowly', () => {
  it('never times out, gives the verdict of a fast one, and its run is told in time', async () => {
    const slow = await withServer({ slots: 1, msPerToken: 0.3 }, async (server) => {
      const trained = await trainedOn(server, '--preset', 'quick');
      assert.ok(server.usualAtOnce <= 4, `${server.usualAtOnce} at once`);
      return trained;
    });
    assert.match(
      slow.said,
      /^how long is known after the first calls · usually [\d,]+, at most [\d,]+ calls · price not/mu,
    );
    assert.match(slow.said, /^No cap in minutes is set: .*--cap run\.minutes=60/mu);
    assert.match(slow.said, /^At this pace the run takes .*: 5 calls were answered, at about \d+ tokens a second\.$/mu);
    const fast = await withServer({ slots: 64 }, (server) => trainedOn(server, '--preset', 'quick'));
    assert.equal(slow.verdict, fast.verdict);
    assert.ok(fast.verdict !== undefined, fast.said);
  });

  for (const atOnce of [1, 4])
    inFull(`is asked for as many as it works on, ${atOnce}, over a whole run`, async () => {
      const verdict = await withServer({ slots: atOnce, msPerToken: 0.6 }, async (server) => {
        const trained = await trainedOn(server);
        assert.ok(Math.abs(server.usualAtOnce - atOnce) <= 1, `${server.usualAtOnce} at once`);
        return trained.verdict;
      });
      assert.match(verdict ?? '', /improved/u);
      assert.equal(verdict, (await withServer({ slots: 64 }, (server) => trainedOn(server))).verdict);
    });
});

describe('a model that repeats itself without an end', () => {
  it('is stopped long before its room is used up, and its server is free for the next call', () =>
    withServer({ isEndless: (prompt) => prompt.includes('Go on.') }, async (server) => {
      const model = await modelOf(server);
      const request = aRequest({ maxOutputTokens: 60_000, messages: [{ role: 'user', content: 'Go on.' }] });
      const { text } = await model.complete(request, signal);
      assert.match(text, /(?:and so on ){50}$/u);
      assert.ok(text.length < 20_000, `${text.length} characters`);
      assert.match((await model.complete(aRequest({ attempt: 2 }), signal)).text, /\S/u);
      assert.deepEqual([server.stopped, server.longest < 20_000], [1, true]);
    }));

  inFull('costs the attempts that it spoils, and no others', () =>
    withServer({ isEndless: (prompt) => /database|disk/iu.test(prompt) }, async (server) => {
      const { said } = await trainedOn(server, '--preset', 'quick');
      assert.ok(server.stopped > 0);
      assert.match(said, /improved from|Not shown|no improvement|nothing is proposed/iu);
    }),
  );
});

describe('a server with or without replies that keep to a schema', () => {
  const replySchema = {
    name: 'grades',
    schema: { type: 'object', properties: { results: { type: 'array' } }, required: ['results'] },
  };

  for (const schema of few(['refused', 'ignored', 'kept'] as const, 3)) {
    it(`gives an answer that can be read where a schema is ${schema}`, () =>
      withServer({ schema }, async (server) => {
        const model = await modelOf(server);
        for (const attempt of [1, 2]) {
          const { text } = await model.complete(aRequest({ role: 'judge', attempt, replySchema }), signal);
          assert.match(text, /\S/u);
        }
        const calls = server.paths.filter((each) => each.endsWith('/chat/completions')).length;
        assert.equal(calls, schema === 'refused' ? 4 : 2, 'what a server refuses is learnt once');
      }));
  }

  for (const schema of ['refused', 'ignored'] as const)
    inFull(`comes to the verdict of one that keeps to it where it is ${schema}, in all roles`, async () => {
      const all = ['--model', `ollama/${OllamaServer.model}`, '--preset', 'quick'];
      const kept = await withServer({ schema: 'kept' }, (server) => trainedOn(server, ...all));
      const other = await withServer({ schema }, (server) => trainedOn(server, ...all));
      assert.equal(other.verdict, kept.verdict);
    });
});
