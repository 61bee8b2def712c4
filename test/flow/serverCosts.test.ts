import assert from 'node:assert/strict';
import path from 'node:path';
import { UserError } from '../../src/errors.js';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import type { LanguageModel } from '../../src/ports/languageModel.js';
import type { ServerCost } from '../../src/storage/state/serverCosts.js';
import { aCommandLine, type CommandLine } from '../builders/commandLine.js';
import { aWorkspace, inEveryRole, type TestWorkspace } from '../builders/aWorkspace.js';
import { ChatServer, json, stream } from '../fakes/ChatServer.js';
import { aNightWorkspace, aSettableClock } from './nightWorkspace.js';

const signal = new AbortController().signal;
const endpoint = 'http://127.0.0.1:4000/v1';

describe('a model that a server on this machine answers for', () => {
  const opened: { dispose(): void }[] = [];
  const own = <T extends { dispose(): void }>(made: T): T => {
    opened.push(made);
    return made;
  };
  after(() => opened.forEach((each) => each.dispose()));

  it('costs nobody knows what until the person says it, and then is asked about no more', async () => {
    const workspace = onThisMachine();
    const useCases = workspace.useCases();
    assert.deepEqual(await useCases.localModels(signal), [{ endpoint, model: 'gpt-4o-mini', cost: undefined }]);
    assert.equal((await workspace.preflight()).usd, undefined);
    await useCases.stateCost({ endpoint, model: 'gpt-4o-mini' }, { kind: 'free' }, signal);
    assert.deepEqual((await useCases.localModels(signal))[0]?.cost, { kind: 'free' });
    assert.deepEqual((await workspace.preflight()).usd, { low: 0, high: 0 });
  });

  it('is not asked about as long as it lacks its key, and keeps nobody from anything by that', async () => {
    const keyless = new UserError('model-key-missing', 'There is no API key.', 'Set one.');
    const useCases = onThisMachine().useCases(undefined, { models: () => Promise.reject(keyless) });
    assert.deepEqual(await useCases.localModels(signal), []);
  });

  it('is known by its address and its name: another one is another question', async () => {
    const workspace = onThisMachine();
    await workspace.useCases().stateCost({ endpoint, model: 'gpt-4o-mini' }, { kind: 'free' }, signal);
    const other = workspace.useCases(inEveryRole(local({ model: 'gpt-4o' })));
    const elsewhere = workspace.useCases(inEveryRole(local({ endpoint: 'http://127.0.0.1:4001/v1' })));
    for (const useCases of [other, elsewhere]) assert.equal((await useCases.localModels(signal))[0]?.cost, undefined);
  });

  it('costs what the person says, whose caps in dollars hold from then on', async () => {
    const workspace = onThisMachine();
    await workspace.useCases().stateCost({ endpoint, model: 'gpt-4o-mini' }, aPrice, signal);
    assert.match((await workspace.preflight()).prices.join('\n'), /1000 USD in, 2000 USD out .*\(your answer\)/);
    const { noProposal } = await workspace.optimize({ settings: { caps: { usd: 0.5 } } });
    assert.equal(noProposal?.cause, 'cap');
  });

  for (const [name, answer] of [
    ['is not asked about yet', undefined],
    ['is not known', { kind: 'unknown' }],
  ] as const) {
    it(`is held to the calls that the preflight calls the most where its price ${name}`, async () => {
      const workspace = onThisMachine();
      if (answer !== undefined)
        await workspace.useCases().stateCost({ endpoint, model: 'gpt-4o-mini' }, answer, signal);
      const { calls, caps } = await workspace.preflight();
      const said = `The price of custom/gpt-4o-mini, which answers on this machine, is not known: the run is capped at ${calls.high.toLocaleString('en')} calls.`;
      assert.deepEqual(caps, [said]);
      const { summary } = await workspace.optimize();
      assert.ok(summary.notes.includes(said));
    });
  }

  it('is trained at night as before, within its calls, and the night says that the price is not known', async () => {
    const workspace = own(aNightWorkspace(['incident-summary'], { clock: aSettableClock(Date.UTC(2026, 2, 1, 3)) }));
    workspace.keepTasks('incident-summary', 8);
    const [first] = (await workspace.night(local({}), { startedBy: 'window' })).skills;
    assert.equal(first?.outcome, 'proposed');
    assert.match(
      first.reason,
      /The price of custom\/gpt-4o-mini, .* is not known: the run is capped at [\d,]+ calls\.$/,
    );
    assert.equal(first.spend.usd, undefined);
    await workspace.useCases(local({})).stateCost({ endpoint, model: 'gpt-4o-mini' }, { kind: 'free' }, signal);
    const [second] = (await workspace.night(local({}), { startedBy: 'window', force: true })).skills;
    assert.doesNotMatch(second?.reason ?? '', /is not known/);
  });

  describe('on the command line', () => {
    it('is asked about once where a person is there, and “whetstone price” changes the answer', async () => {
      const server = await answering();
      const cli = demo(['what?', 'n']);
      const words = ['evaluate', path.join(cli.folder, skill), '--model', `${server.baseUrl}#m`, '--task', 'none'];
      const first = await cli.run(...words);
      assert.match(first.err, /^Does this server cost money\? \(m at http:\/\/127\.0\.0\.1:\d+\/v1; asked once/);
      assert.equal(
        first.err.match(/Does this server cost money\?/g)?.length,
        2,
        'asked again after a word that is no answer',
      );
      assert.doesNotMatch((await cli.run(...words)).err, /Does this server cost money/);
      assert.match((await cli.run('price', `${server.baseUrl}#m`)).out, /^m at http.*\/v1: free\.\n$/);
      const changed = await cli.run('price', `${server.baseUrl}#m`, '0.15/0.60');
      assert.match(changed.out, /: 0\.15 USD in, 0\.6 USD out a million tokens\.\n$/);
      await server.stop();
    });

    it('is asked about once more the next time where the person writes nothing, as at the end of the input', async () => {
      const server = await answering();
      const cli = demo(['', 'n']);
      const words = ['evaluate', path.join(cli.folder, skill), '--model', `${server.baseUrl}#m`, '--task', 'none'];
      for (const asked of [1, 1, 0])
        assert.equal((await cli.run(...words)).err.match(/Does this server cost money\?/g)?.length ?? 0, asked);
      await server.stop();
    });

    it('is not asked about where nobody is there, nor where a program reads', async () => {
      const server = await answering();
      for (const [cli, more] of [
        [demo(undefined), []],
        [demo([]), ['--json']],
      ] as const) {
        const words = ['evaluate', path.join(cli.folder, skill), '--model', `${server.baseUrl}#m`, ...more];
        const { err } = await cli.run(...words);
        assert.doesNotMatch(err, /Does this server cost money/);
      }
      await server.stop();
    });

    const wrong: readonly (readonly [words: readonly string[], said: RegExp])[] = [
      [['http://127.0.0.1:9/v1#m', 'cheap'], /“cheap” is not a cost\. Write free, unknown, or US dollars/],
      [['https://models.example/v1#m', 'free'], /does not answer on this machine\. State its price with --price/],
    ];
    for (const [words, said] of wrong)
      it(`refuses “price ${words.join(' ')}”`, async () => {
        const { code, err } = await demo(undefined).run('price', ...words);
        assert.equal(code, 2);
        assert.match(err, said);
      });

    it('a run that nobody is asked about says its calls first, but for a program that reads', async () => {
      const cli = demo([]);
      const words = ['optimize', path.join(cli.folder, skill), '--model', 'simulated', '--cap', 'run.calls=2'];
      const figures = /^free · (?:usually [\d,]+, )?at most [\d,]+ calls · .+$/m;
      const { err } = await cli.run(...words);
      assert.match(err, figures);
      assert.doesNotMatch(err, /Go on\?/);
      assert.doesNotMatch((await cli.run(...words, '--json')).err, figures);
    });

    it('a run that may take long says first how long, as far as that is known, and its calls, also where it is free', async () => {
      const server = await answering();
      const cli = demo(undefined);
      await cli.run('price', `${server.baseUrl}#m`, 'free');
      const words = [
        'optimize',
        path.join(cli.folder, skill),
        '--model',
        `${server.baseUrl}#m`,
        '--yes',
        '--set',
        'train.epochs=1',
      ];
      assert.match(
        (await cli.run(...words)).err,
        /^how long is known after the first calls · usually [\d,]+, at most [\d,]+ calls · free$/m,
      );
      await server.stop();
    });
  });

  function onThisMachine(model = local({})): TestWorkspace {
    return own(aWorkspace({ models: inEveryRole(model) }));
  }

  function demo(answers: readonly string[] | undefined): CommandLine {
    return own(aCommandLine({ copy: path.resolve('media/demo'), answers }));
  }
});

const skill = '.claude/skills/incident-summary';
const aPrice: ServerCost = { kind: 'price', input: 1000, output: 2000 };

/** The simulated model as if a proxy on this machine answered for it. */
function local(named: { readonly endpoint?: string; readonly model?: string }): LanguageModel {
  const identity = { provider: 'custom', endpoint, model: 'gpt-4o-mini', simulated: false, ...named };
  return { ...createSimulatedModel(), identity };
}

async function answering(): Promise<ChatServer> {
  const answer = stream({ deltas: [{ content: 'ok' }], usage: { prompt_tokens: 10, completion_tokens: 3 } });
  return (await ChatServer.start()).answers((response, request) =>
    request.method === 'GET' ? json(200, { data: [{ id: 'm' }] })(response, request) : answer(response, request),
  );
}
