import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  keyFromEnvironment,
  nightEnvironment,
  isNewEnough,
  nightProgram,
} from '../../../../src/app/osSchedule/nightProgram.js';
import type { World } from '../../../../src/app/world.js';

const neverAborted = new AbortController().signal;
const editor = { path: '/opt/editor/code', electron: true, replaceable: true };

describe('the program of a night without a window', () => {
  let bin: string;
  before(() => {
    bin = mkdtempSync(path.join(os.tmpdir(), 'whetstone-node-'));
  });
  after(() => rmSync(bin, { recursive: true }));

  it('is the machine’s own Node before the editor’s, which every update replaces', async () => {
    fakeNode('v22.1.0');
    assert.deepEqual(await nightProgram(aWorld(bin), editor, neverAborted), {
      path: path.join(bin, 'node'),
      environment: {},
    });
  });

  it('is the editor’s own binary, told to be Node, where there is no other', async () => {
    fakeNode('v18.0.0');
    assert.deepEqual(await nightProgram(aWorld(bin), editor, neverAborted), {
      path: '/opt/editor/code',
      environment: { ELECTRON_RUN_AS_NODE: '1' },
    });
  });

  it('is the Node that runs the command line, as it is', async () => {
    const host = { path: '/usr/bin/node', electron: false, replaceable: false };
    assert.deepEqual(await nightProgram(aWorld(bin), host, neverAborted), { path: '/usr/bin/node', environment: {} });
  });

  const versions = [
    ['v20.19.0', true],
    ['v20.18.3', false],
    ['v21.0.0', true],
    ['v9.11.2', false],
    ['nonsense', false],
  ] as const;
  for (const [version, enough] of versions) {
    it(`takes ${version}: ${enough}`, () => assert.equal(isNewEnough(version), enough));
  }

  function fakeNode(version: string): void {
    const file = path.join(bin, 'node');
    writeFileSync(file, `#!/bin/sh\necho ${version}\n`);
    chmodSync(file, 0o755);
  }
});

describe('the environment of a night without a window', () => {
  const world = aWorld('/usr/bin', {
    OPENAI_API_KEY: 'sk-1',
    ANTHROPIC_API_KEY: 'sk-2',
    EDITOR: 'vi',
    HTTPS_PROXY: 'http://p',
  });
  const program = { path: '/usr/bin/node', environment: {} };

  it('holds what programs need and the keys of the chosen models alone', () => {
    const models = { target: 'openai/gpt', optimizer: undefined, judge: undefined };
    const variables = nightEnvironment(world, { models, keys: {} }, program);
    assert.deepEqual(variables, {
      HOME: '/home/me',
      PATH: '/usr/bin',
      HTTPS_PROXY: 'http://p',
      OPENAI_API_KEY: 'sk-1',
    });
  });

  for (const [what, name] of [
    ['hands keys that an editor stored to the command line, for their servers alone', 'https://my.host'],
    ['reads the keys of a schedule that an earlier version installed, by host', 'my.host'],
  ] as const) {
    it(what, async () => {
      const models = { target: 'https://my.host/v1#model', optimizer: undefined, judge: undefined };
      const variables = nightEnvironment(world, { models, keys: { [name]: 'secret' } }, program);
      assert.equal(await keyFromEnvironment(variables, 'https://my.host/v1'), 'secret');
      assert.equal(await keyFromEnvironment(variables, 'https://other.host/v1'), undefined);
      assert.equal(await keyFromEnvironment({}, 'https://my.host/v1'), undefined);
      assert.equal(await keyFromEnvironment({ WHETSTONE_KEYS: '{' }, 'https://my.host/v1'), undefined);
    });
  }
});

function aWorld(bin: string, more: Readonly<Record<string, string>> = {}): World {
  return {
    environment: { PATH: bin, ...more },
    platform: 'linux',
    home: '/home/me',
    clock: { now: () => 0, sleep: () => Promise.resolve() },
    models: () => Promise.reject(new Error('no model')),
    trusted: () => true,
    consent: { allows: () => Promise.resolve(false) },
    caps: () => ({ day: {}, month: {} }),
    tell: () => undefined,
  };
}
