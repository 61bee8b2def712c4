import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { lookAtAnswer, readAnswer } from '../../../../src/storage/handoff/answerFile.js';
import { afterAWhile } from '../../../builders/answeredByHand.js';
import { nodeClock } from '../../../../src/storage/files/nodeAdapters.js';

describe('a file that somebody wrote as an answer', () => {
  const neverAborted = new AbortController().signal;
  let folder = '';
  let file = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'whetstone-answer-'));
    file = path.join(folder, 'a.answer.md');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const written = (bytes: string | Uint8Array): void => {
    writeFileSync(file, bytes);
  };
  const read = () => readAnswer(file, afterAWhile, neverAborted);
  const refused = async (why: RegExp): Promise<void> => {
    const answer = await read();
    assert.equal(answer.kind, 'refused');
    assert.match(answer.kind === 'refused' ? answer.why : '', why);
  };

  it('is taken as it stands, without the line break that an editor put at its end', async () => {
    written('\uFEFF# Dear all\r\n\r\n  Two spaces, “quotes”, 漢字.\r\n');
    assert.deepEqual(await read(), { kind: 'complete', text: '# Dear all\r\n\r\n  Two spaces, “quotes”, 漢字.' });
    written('one\n\n');
    assert.deepEqual(await read(), { kind: 'complete', text: 'one\n' });
  });

  it('may not be there yet', async () => {
    assert.deepEqual(await read(), { kind: 'missing' });
  });

  it('is refused where it is empty, too long, or no text in UTF-8', async () => {
    written(' \n\t\n');
    await refused(/empty/);
    written(new Uint8Array(1024 * 1024 + 1).fill(0x61));
    await refused(/1 MB/);
    written(Buffer.from('\uFEFFHello', 'utf16le'));
    await refused(/UTF-8/);
    written(new Uint8Array([0x48, 0xe4, 0x21]));
    await refused(/UTF-8/);
    written('a\0b');
    await refused(/UTF-8/);
  });

  it('is never a link, a folder or a pipe: nothing outside is read', async () => {
    const secret = path.join(folder, 'secret');
    writeFileSync(secret, 'not for you');
    symlinkSync(secret, file);
    await refused(/link/);
    rmSync(file);
    linkSync(secret, file);
    await refused(/link/);
    rmSync(file);
    mkdirSync(file);
    await refused(/no file/);
    rmSync(file, { recursive: true });
    if (process.platform === 'win32') return;
    execFileSync('/usr/bin/env', ['mkfifo', file]);
    await refused(/no file/);
  });

  it('is waited for while somebody still writes it, and taken whole, whatever the time of the last write was set to', async () => {
    const times = [undefined, 1, Date.now() / 1000 + 10_000];
    const waited = times.map(async (writtenAt, index) => {
      const own = path.join(folder, `${index}.answer.md`);
      writeFileSync(own, 'Half of');
      if (writtenAt !== undefined) utimesSync(own, writtenAt, writtenAt);
      setTimeout(() => {
        appendFileSync(own, ' it.');
        if (writtenAt !== undefined) utimesSync(own, writtenAt, writtenAt);
      }, 300);
      assert.deepEqual(await readAnswer(own, nodeClock, neverAborted), { kind: 'complete', text: 'Half of it.' });
    });
    await Promise.all(waited);
  });

  it('can be looked at as it stands, without a wait', async () => {
    writeFileSync(file, 'Half of');
    assert.deepEqual(await lookAtAnswer(file), { kind: 'complete', text: 'Half of' });
    writeFileSync(file, '');
    assert.deepEqual(await lookAtAnswer(file), { kind: 'refused', why: 'it is empty' });
  });

  it('is left for later where it never comes to rest', async () => {
    writeFileSync(file, 'x');
    const restless = {
      now: () => Date.now(),
      sleep: async () => appendFileSync(file, 'x'),
    };
    const answer = await readAnswer(file, restless, neverAborted);
    assert.deepEqual(answer, { kind: 'refused', why: 'it is still being written' });
  });
});
