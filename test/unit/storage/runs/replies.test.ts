import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { sha256 } from '../../../../src/hash.js';
import type { WorkEvent } from '../../../../src/ports/agentWork.js';
import { seal } from '../../../../src/storage/files/sealedFile.js';
import { openReplies } from '../../../../src/storage/runs/replies.js';
import { openUserStore, type UserStore } from '../../../../src/storage/state/store.js';
import { openTexts } from '../../../../src/storage/files/contentStore.js';
import { someWork } from '../../../builders/someWork.js';
import { aMachine, keepReply, scrapMachines } from '../../../builders/storage.js';
import { ManualClock } from '../../../fakes/ManualClock.js';
import { MemoryReplyStore } from '../../../fakes/MemoryReplyStore.js';
import { MemoryTextStore } from '../../../fakes/MemoryTextStore.js';
import { aReply, replyStoreContract } from '../contracts/replyStoreContract.js';
import { textStoreContract } from '../contracts/textStoreContract.js';

describe('replies in files', () => {
  after(scrapMachines);

  replyStoreContract('the reply files', async () => {
    const { home } = await aMachine();
    const open = async () => openReplies(await openUserStore(home, new ManualClock()));
    return { store: await open(), reopen: open };
  });
});

replyStoreContract('MemoryReplyStore', async () => {
  const store = new MemoryReplyStore();
  return { store, reopen: () => Promise.resolve(store) };
});

textStoreContract('the text files', async () => openTexts(await aUserStore()));
textStoreContract('MemoryTextStore', () => Promise.resolve(new MemoryTextStore()));

describe('the reply files', () => {
  after(scrapMachines);

  it('are readable by this user alone', async () => {
    const store = await aUserStore();
    await keepReply(store, 'key', aReply());
    for (const file of await filesIn(path.join(store.folder, 'replies'))) {
      assert.equal((await stat(file)).mode & 0o077, 0);
    }
  });

  it('leave nothing unfinished beside them, not even where one cannot be written', async () => {
    const store = await aUserStore();
    const folder = path.join(store.folder, 'replies');
    await keepReply(store, 'key', aReply());
    const [file = ''] = await readdir(folder);
    assert.deepEqual(await readdir(folder), [file]);
    await rm(path.join(folder, file));
    await mkdir(path.join(folder, file, 'inside'), { recursive: true });
    await assert.rejects(keepReply(store, 'key', aReply()));
    assert.deepEqual(await readdir(folder), [file]);
  });

  it('are written and read whatever usage a server said: the answer is paid for', async () => {
    const store = await aUserStore();
    for (const count of [-5, Number.NaN, Number.POSITIVE_INFINITY]) {
      await keepReply(store, `key ${count}`, aReply({ usage: { inputTokens: count, outputTokens: 7, exact: true } }));
      const read = await openReplies(store).get(`key ${count}`);
      assert.deepEqual(read?.usage, { inputTokens: 0, outputTokens: 7, exact: true });
    }
  });

  it('remember how long they took when they were made', async () => {
    const store = await aUserStore();
    await keepReply(store, 'key', aReply({ usage: { inputTokens: 1, outputTokens: 7, exact: true, ms: 1500 } }));
    assert.equal((await openReplies(store).get('key'))?.usage.ms, 1500);
  });

  it('hold what an agent did, in the lowest version that knows it', async () => {
    const ran: WorkEvent = { kind: 'tool', name: 'shell', input: 'x', output: '', ok: true, command: 'x' };
    const versions: string[] = [];
    for (const event of [ran, { ...ran, onlyTold: true as const }]) {
      const store = await aUserStore();
      await keepReply(store, 'key', aReply({ work: someWork({ events: [event] }) }));
      const [file = ''] = await filesIn(path.join(store.folder, 'replies'));
      versions.push(/"version": (\d)/u.exec(await readFile(file, 'utf8'))?.[1] ?? '');
      assert.deepEqual((await openReplies(store).get('key'))?.work?.events, [event]);
    }
    assert.deepEqual(versions, ['2', '3']);
  });

  it('are read with the negative usage that an earlier version stored', async () => {
    const store = await aUserStore();
    const { text, finish, toolCalls } = aReply({ text: 'Paid for.' });
    const usage = { inputTokens: -5, outputTokens: -1, exact: true };
    const format = { format: 'whetstone-reply', version: 1, schema: z.custom<object>() };
    const sealed = seal({ key: store.key, format, about: 'request key' }, { text, finish, toolCalls, usage });
    await mkdir(path.join(store.folder, 'replies'), { recursive: true });
    await writeFile(path.join(store.folder, 'replies', `${sha256('key')}.json`), sealed);
    assert.equal((await openReplies(store).get('key'))?.text, 'Paid for.');
  });

  it('are not used for another request than they answered', async () => {
    const store = await aUserStore();
    await keepReply(store, 'a', aReply({ text: 'a' }));
    const [ofA = ''] = await filesIn(path.join(store.folder, 'replies'));
    await keepReply(store, 'b', aReply({ text: 'b' }));
    const ofB = (await filesIn(path.join(store.folder, 'replies'))).find((file) => file !== ofA) ?? '';
    await rename(ofA, ofB);
    assert.equal(await openReplies(store).get('b'), undefined);
  });

  const damages: readonly { name: string; damage: (text: string) => string }[] = [
    { name: 'changed', damage: (text) => text.replace('answer', 'poison') },
    { name: 'cut short', damage: (text) => text.slice(0, 40) },
    { name: 'empty', damage: () => '' },
    { name: 'of a newer version', damage: (text) => text.replace('"version": 1', '"version": 4') },
  ];
  for (const { name, damage } of damages) {
    it(`count as not there when they are ${name}`, async () => {
      const store = await aUserStore();
      await keepReply(store, 'key', aReply());
      const [file = ''] = await filesIn(path.join(store.folder, 'replies'));
      await writeFile(file, damage(await readFile(file, 'utf8')));
      assert.equal(await openReplies(store).get('key'), undefined);
    });
  }
});

describe('the text files', () => {
  after(scrapMachines);

  it('count as not there when they are changed, and are mended by storing the text again', async () => {
    const store = await aUserStore();
    const texts = openTexts(store);
    const hash = await texts.put('true');
    const [file = ''] = await filesIn(path.join(store.folder, 'texts'));
    await writeFile(file, 'false');
    assert.equal(await texts.get(hash), undefined);
    await texts.put('true');
    assert.equal(await texts.get(hash), 'true');
  });
});

async function aUserStore(): Promise<UserStore> {
  const { home } = await aMachine();
  return openUserStore(home, new ManualClock());
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}
