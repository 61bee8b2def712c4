import assert from 'node:assert/strict';
import { aMinedFolder, mineWords, type MinedFolder } from '../builders/aMinedFolder.js';
import { few } from '../builders/few.js';
import { ChatServer, json, stream, type ChatAnswer } from '../fakes/ChatServer.js';
import { releaseNotes } from './miningWorld.js';

const atOnce = 16; // calls under way, as long as nobody says otherwise

/** What a server gets of somebody who mines their sessions: nothing before they agreed, and no more than they were told. */
describe('what mining sends', () => {
  let mined: MinedFolder;
  beforeEach(() => {
    mined = aMinedFolder(releaseNotes);
  });
  afterEach(() => mined.dispose());

  it('is nothing at all before the yes to sending, not even whether the server is there', async () => {
    const server = (await ChatServer.start({ withList: true })).answers(json(404, {}));
    const words = [...mineWords, '--model', `${server.baseUrl}#m`];
    try {
      const refused = await mined.line(['n', 'n', 'n']).run(...words);
      assert.equal(refused.code, 2, refused.err);
      assert.match(refused.err, /May what you asked in 3 of your sessions[^]*not sent to .* without your word/u);
      assert.doesNotMatch(refused.err, /cost money/u, 'that comes after it');
      for (const more of [['--yes'], ['--json'], ['--dry-run'], ['--cap', 'run.calls=3', '--yes']])
        await mined.line().run(...words, ...more);
      assert.deepEqual(server.requests, []);
      await mined.line(['y', 'n', 'n']).run(...words);
      assert.ok(server.requests.length > 0, 'after it the server is looked for');
    } finally {
      await server.stop();
    }
  });

  it('is no more once the person took the yes back, but for what is asked already', async () => {
    for (let at = 0; at < 30; at += 1)
      mined.session(`more${at}`, [`Write release notes for version 3.${at} of the shop: the new page ${at}.`]);
    let taken: Promise<unknown> | undefined;
    const server = (await ChatServer.start()).answers((response, request) => {
      taken ??= mined.line().run('harvest', '--forbid-sending');
      void taken.then(() => stream({ deltas: [{ content: '{"tasks": []}' }] })(response, request));
    });
    const words = [...mineWords, '--model', `${server.baseUrl}#m`, '--yes', '--allow-sending', '--max-sessions', '33'];
    try {
      const { out } = await mined.line().run(...words);
      assert.ok(server.requests.length <= atOnce, `${server.requests.length} calls`);
      assert.match(out, /You took back meanwhile that words of your sessions may be sent\./u);
    } finally {
      await server.stop();
    }
  });

  const numbers = Array.from({ length: 200_000 }, (_, at) => at).join(' ');
  const replies: readonly (readonly [what: string, cost: string, most: number, reply: ChatAnswer])[] = [
    ['is longer than it may be', '0.1/0.2', 3, stream({ deltas: [{ content: `{"tasks": [${numbers}` }] })],
    ['is cut', 'free', 6, stream({ deltas: [{ content: '{"tasks": [' }], finish: 'length' })],
    ['is empty', '0.1/0.2', 6, stream({ deltas: [] })],
    ['is no JSON', 'unknown', 6, stream({ deltas: [{ content: 'I found nothing.' }] })],
    ['is refused', '0.1/0.2', 6, json(500, { error: { message: 'Out of order.' } })],
  ];
  for (const [what, cost, most, reply] of few(replies))
    it(`is no more calls than were told, where every reply ${what}`, async () => {
      const server = (await ChatServer.start()).answers(reply);
      const model = `${server.baseUrl}#m`;
      try {
        await mined.line().run('price', model, cost);
        const words = [...mineWords, '--model', model];
        await mined.line().run('harvest', ...mineWords.slice(1));
        assert.match((await mined.line().run(...words, '--dry-run')).err, /usually 3, at most 6 calls/u);
        await mined.line().run(...words, '--yes', '--allow-sending');
        assert.ok(server.requests.length >= 3 && server.requests.length <= most, `${server.requests.length} calls`);
      } finally {
        await server.stop();
      }
    }).timeout(120_000);
});
