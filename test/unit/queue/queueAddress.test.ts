import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { UserError } from '../../../src/errors.js';
import { readQueueAddress } from '../../../src/queue/queueAddress.js';
import { readQueueSecret } from '../../../src/queue/queueSecret.js';
import { onlyOn } from '../../builders/leaveOut.js';

describe('the address of a queue', () => {
  for (const text of [
    'redis://localhost',
    'redis://127.0.0.1:7000',
    'redis://[::1]:6379/2',
    'rediss://queue.example:6380',
  ])
    it(`may be ${text}`, () => assert.ok(readQueueAddress(text).port > 0));

  for (const text of [
    'redis://queue.example:6379',
    'redis://10.0.0.7',
    'redis://127.0.0.1.evil.example',
    'redis://0.0.0.0',
  ])
    it(`is refused without TLS to another machine: ${text}`, () =>
      assert.throws(() => readQueueAddress(text), /another machine/));

  for (const text of ['http://localhost', 'localhost:6379', '', 'redis://', 'redis://localhost/x'])
    it(`is refused where it is none: “${text}”`, () => assert.throws(() => readQueueAddress(text), { code: 'usage' }));

  it('is shown without name and password, and holds both', () => {
    const address = readQueueAddress('rediss://team:p%40ss-word@queue.example:6380/1');
    assert.equal(address.shown, 'rediss://queue.example:6380/1');
    assert.deepEqual([address.username, address.password, address.db], ['team', 'p@ss-word', 1]);
  });

  it('never says the password where it is wrong', () => {
    for (const text of [
      'redis://team:p4ssword@queue.example',
      'rediss://:p4ssword@',
      'redis://:p4ssword@localhost/x',
      'rediss://team:p4ssword%@queue.example',
      'rediss://team:p4/ssword@queue.example',
    ])
      assert.throws(
        () => readQueueAddress(text),
        (error: UserError) => !/p4/.test(`${error.message}${error.cure}`) && error.code === 'usage',
      );
  });

  it('is refused with how it is written where a % in it stands for no character', () => {
    for (const part of ['rediss://team:p4%@queue.example', 'rediss://te%am:p4@queue.example'])
      assert.throws(() => readQueueAddress(part), {
        code: 'usage',
        message: /^A % in the name or the password/,
        cure: /^Write %25 for a %/,
      });
  });
});

describe('the secret of a queue', () => {
  const long = 'f00d'.repeat(16);
  const folder = mkdtempSync(path.join(tmpdir(), 'whetstone-secret-'));
  const platform = process.platform;
  after(() => rmSync(folder, { recursive: true, force: true }));

  function fileWith(name: string, text: string, mode = 0o600): string {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, mode);
    return file;
  }

  it('comes from a file of its owner, or from the environment', async () => {
    const file = fileWith('secret', `${long}\n`);
    assert.equal(await readQueueSecret({ file, environment: {}, platform }), long);
    assert.equal(
      await readQueueSecret({ file: undefined, environment: { WHETSTONE_QUEUE_SECRET_FILE: file }, platform }),
      long,
    );
    assert.equal(
      await readQueueSecret({ file: undefined, environment: { WHETSTONE_QUEUE_SECRET: long }, platform }),
      long,
    );
  });

  it('is refused where it is missing, short, or can be read by others', async () => {
    await assert.rejects(readQueueSecret({ file: undefined, environment: {}, platform }), /has no secret/);
    const environment = { WHETSTONE_QUEUE_SECRET: 'short' };
    await assert.rejects(readQueueSecret({ file: undefined, environment, platform }), /fewer than 24/);
    await assert.rejects(readQueueSecret({ file: path.join(folder, 'none'), environment: {}, platform }), /no file/);
    if (platform === 'win32') return;
    const file = fileWith('open', long, 0o644);
    await assert.rejects(readQueueSecret({ file, environment: {}, platform }), /Others can read/);
  });

  it('may look as if its group could read it where systemd hands it to a service, and nowhere else', async function () {
    onlyOn(this, 'posix', 'Windows knows no group of a file');
    const file = fileWith('credentials/queue-secret', long, 0o440);
    const inside = { CREDENTIALS_DIRECTORY: path.dirname(file) };
    assert.equal(await readQueueSecret({ file, environment: inside, platform }), long);
    const elsewhere = fileWith('group-secret', long, 0o440);
    const linked = path.join(path.dirname(file), 'linked');
    symlinkSync(elsewhere, linked);
    for (const [read, environment] of [
      [file, {}],
      [file, { CREDENTIALS_DIRECTORY: '' }],
      [elsewhere, inside],
      [linked, inside],
      [fileWith('credentials/written', long, 0o460), inside],
      [fileWith('credentials/open', long, 0o444), inside],
    ] as const)
      await assert.rejects(readQueueSecret({ file: read, environment, platform }), /Others can read/, read);
  });

  it('is refused where it lies in a workspace', async () => {
    mkdirSync(path.join(folder, 'project', '.git'), { recursive: true });
    const file = fileWith('project/deep/secret', long);
    await assert.rejects(readQueueSecret({ file, environment: {}, platform }), /lies in a workspace/);
  });
});
