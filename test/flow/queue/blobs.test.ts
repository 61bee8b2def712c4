import assert from 'node:assert/strict';
import { Redis } from 'ioredis';
import { fetchTree, letGo, sendTree } from '../../../src/queue/blobs.js';
import { envelopesOf, type Envelopes } from '../../../src/queue/envelope.js';
import { keyOf } from '../../../src/queue/redis.js';
import { FailedCall, usageOfFailure } from '../../../src/models/wrappers/failedCall.js';
import { aRedis, needRedis, type TestRedis } from '../../builders/aRedis.js';
import { aWorkTree } from '../../builders/aWorkTree.js';
import { secret } from './aQueue.js';

const hour = 60 * 60_000;

describe('folders that lie on a queue', () => {
  let redis: TestRedis;
  let raw: Redis;
  const envelopes = envelopesOf(secret);
  const lifeOf = (address: string): Promise<number> => raw.pttl(keyOf.blob(address));

  before(async function () {
    needRedis(this);
    redis = await aRedis();
    raw = new Redis(redis.url);
  });
  after(async () => {
    raw?.disconnect();
    await redis?.dispose();
  });

  it('lie there for as long as the longest job needs them, whichever comes last', async () => {
    const files = { 'list.txt': 'moored\n' };
    const tree = aWorkTree(files);
    const [long, short] = [Date.now() + 4 * hour, Date.now() + hour / 2];
    const address = await sendTree(tree, { redis: raw, envelopes, expiresAt: long });
    assert.equal(await sendTree(tree, { redis: raw, envelopes, expiresAt: short }), address);
    assert.ok((await lifeOf(address)) > 3 * hour, 'the same folder');
    assert.equal(await sendTree(aWorkTree(files), { redis: raw, envelopes, expiresAt: short }), address);
    assert.ok((await lifeOf(address)) > 3 * hour, 'read anew, by another run');
    await sendTree(tree, { redis: raw, envelopes, expiresAt: long + hour });
    assert.ok((await lifeOf(address)) > 4.5 * hour);
  });

  it('are sealed anew for jobs that come a day later, and open for them', async () => {
    const tree = aWorkTree({ 'day.txt': 'first\n' });
    await sendTree(tree, { redis: raw, envelopes, expiresAt: Date.now() + hour });
    const late = Date.now() + 30 * hour;
    const address = await sendTree(tree, { redis: raw, envelopes, expiresAt: late });
    const opened = envelopes.open(await raw.get(keyOf.blob(address)), { kind: 'blob', id: address, now: late });
    assert.equal(opened.kind, 'opened');
  });

  it('are packed and sealed once, however many calls come first', async () => {
    let sealed = 0;
    const counting: Envelopes = {
      ...envelopes,
      seal: (label, content) => {
        sealed += 1;
        return envelopes.seal(label, content);
      },
    };
    const tree = aWorkTree({ 'shared.txt': 'shared\n' });
    const parts = { redis: raw, envelopes: counting, expiresAt: Date.now() + hour };
    const addresses = await Promise.all(Array.from({ length: 16 }, () => sendTree(tree, parts)));
    assert.deepEqual([new Set(addresses).size, sealed], [1, 1]);
  });

  it('are refused before they are sent where they are too large, which is no call', async () => {
    const tree = aWorkTree({ 'large.txt': 'x'.repeat(25 * 1024 * 1024) });
    await assert.rejects(sendTree(tree, { redis: raw, envelopes, expiresAt: Date.now() + hour }), (error) => {
      assert.ok(error instanceof FailedCall);
      assert.match(error.message, /more than about 24 MB of files/);
      assert.equal(usageOfFailure(error, { inputTokens: 9, outputTokens: 9, exact: true }), undefined);
      return true;
    });
  });

  it('have an address of their own where one attempt left them, and go soon after they were read', async () => {
    const left = aWorkTree({});
    const parts = { redis: raw, envelopes, expiresAt: Date.now() + hour };
    const fixture = await sendTree(aWorkTree({}), parts);
    const addresses = [
      await sendTree(left, { ...parts, isAlone: true }),
      await sendTree(aWorkTree({}), { ...parts, isAlone: true }),
    ];
    assert.equal(new Set([fixture, ...addresses]).size, 3);
    const read = await fetchTree(addresses[0] ?? '', { redis: raw, envelopes });
    assert.deepEqual(read.entries, left.entries);
    await letGo(read, { redis: raw }, 60_000);
    const lives = await Promise.all([fixture, ...addresses].map(lifeOf));
    assert.deepEqual(
      lives.map((life) => life <= 60_000),
      [false, true, false],
    );
  });
});
