import assert from 'node:assert/strict';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { declaredReach } from '../../../../../src/tasks/readers/declaredReach.js';
import { canBeClosed, installRoot, readRules } from '../../../../../src/storage/programs/sandbox/readRules.js';
import { aScript, onDisk } from '../../../../builders/aSandbox.js';

describe('what is opened to start a program', () => {
  const home = '/home/ann';
  const denied = ['/home', home, '/tmp', `${home}/work`, `${home}/.local/state/whetstone`];
  const cases: readonly (readonly [file: string, opened: string])[] = [
    [`${home}/.pyenv/shims/python3`, `${home}/.pyenv`],
    [`${home}/.nvm/versions/node/v22.1.0/bin/node`, `${home}/.nvm`],
    [`${home}/work/.venv/bin/python`, `${home}/work/.venv/bin/python`],
    [`${home}/.vscode-server/bin/abc/node`, `${home}/.vscode-server/bin/abc`],
    // Never a whole home, nor a folder of it that may hold anything.
    [`${home}/bin/tool`, `${home}/bin/tool`],
    [`${home}/.local/bin/tool`, `${home}/.local/bin/tool`],
    [`${home}/.cargo/bin/tool`, `${home}/.cargo/bin`],
    [`${home}/.local/share/keyrings/tool`, `${home}/.local/share/keyrings/tool`],
    [`${home}/projects/a/bin/tool`, `${home}/projects/a/bin/tool`],
    [`${home}/tool`, `${home}/tool`],
    [`${home}/.ssh/tool`, `${home}/.ssh/tool`],
    ['/tmp/tool', '/tmp/tool'],
    ['/home/tool', '/home/tool'],
    ['/usr/bin/node', '/usr/bin/node'],
  ];
  for (const [file, opened] of cases) {
    it(`of ${file} is ${opened}`, () => assert.equal(installRoot(file, home, denied), opened));
  }
});

it('every place is closed but the root and what lies in /dev, of which there is another one inside', () => {
  const places = ['/', '/dev', '/dev/shm/work', '/develop', '/devel/work', '/home/ann'];
  assert.deepEqual(places.filter(canBeClosed), ['/develop', '/devel/work', '/home/ann']);
});

it('a declaration reads places that it names one by one, fifty at most', () => {
  assert.ok(isRead(['/srv/data', '~/models/small']));
  for (const place of ['/srv/*', '/srv/?', '/srv/[a]', '/srv/{a,b}', '/srv/../home', '/', '~/'])
    assert.ok(!isRead([place]), place);
  const many = z.object(declaredReach).safeParse({ reads: Array.from({ length: 51 }, (_, index) => `/srv/${index}`) });
  assert.equal(many.error?.issues[0]?.message, 'must have at most 50 entries');
  for (const place of ['/work/evals', '/srv/a\nb', `/srv/${'x'.repeat(5000)}`]) assert.ok(!isRead([place]), place);
  const whole = z.object(declaredReach).safeParse({ reads: ['/'] });
  assert.match(whole.error?.issues[0]?.message ?? '', /not the whole system/u);
});

describe('what a declaration opens', () => {
  const refused = [
    ['the root', () => '/'],
    ['the root by another name', () => '/proc/self/root/'],
    ['the folder of all temporary files', () => '/var/tmp'],
    ['our state', (at: At) => at('state')],
    ['a file of our state', (at: At) => at('state/key')],
    ['a file of our state by a link', (at: At) => at('home/to-state')],
    ['a file of our state through a linked folder', (at: At) => at('home/linked/key')],
    ['a file of our state by the root of a process', (at: At) => `/proc/self/root${at('state/key')}`],
    ['the workspace', (at: At) => at('work')],
    ['what holds the workspace', (at: At) => at('.')],
    ['tasks and answers', (at: At) => at('work/evals/evals.json')],
    ['tasks and answers of another skill', (at: At) => at('home/other/evals')],
    ['tasks and answers by a link', (at: At) => at('home/to-evals')],
  ] as const;
  for (const [name, place] of refused) {
    it(`is not ${name}`, async () => {
      await inPlaces(async (at, rules) => {
        await assert.rejects(rules([place(at)]), /may not be read/u);
      });
    });
  }

  it('is what it names, by its name and by where links lead, and nothing of /dev or beside it', async () => {
    await inPlaces(async (at, rules) => {
      const { allowRead } = await rules([at('home/data'), at('home/to-data'), '~/words', '/dev', '/dev/shm', '/etc']);
      const opened = allowRead.filter((place) => !place.startsWith(at('sandbox')));
      assert.deepEqual(opened.toSorted(), [at('home/data'), at('home/to-data'), at('home/words')]);
    });
  });

  it('is nothing where nobody declared anything: no folder of the PATH in the workspace, no tool that a link leads to there', async () => {
    await inPlaces(async (at, rules) => {
      const PATH = [at('home/bin'), at('home/bin-of-work'), at('work/bin'), '/usr/bin'].join(':');
      for (const command of ['tool', 'linked', at('work/bin/tool'), at('home/bin/linked')]) {
        const { allowRead } = await rules([], { command, environment: { PATH } });
        const opened = allowRead.filter((place) => !place.startsWith(at('sandbox')));
        assert.deepEqual(opened, [at('home/bin')], command);
      }
    });
  });
});

type At = (name: string) => string;
type Rules = (reads: readonly string[], more?: Parameters<typeof aScript>[1]) => ReturnType<typeof readRules>;

/** A home, a workspace, our state, and links from one to the other. */
async function inPlaces(work: (at: At, rules: Rules) => Promise<void>): Promise<void> {
  await onDisk('/var/tmp', async (base) => {
    const at: At = (name) => path.join(base, name);
    for (const name of [
      'home/bin',
      'home/other/evals',
      'work/evals',
      'work/bin',
      'state',
      'sandbox/own',
      'sandbox/attempts',
    ])
      await mkdir(at(name), { recursive: true });
    for (const name of ['home/data', 'home/words', 'state/key', 'work/evals/evals.json', 'work/bin/tool'])
      await writeFile(at(name), '#!/bin/sh\n');
    await chmod(at('work/bin/tool'), 0o755);
    const links = [
      ['home/to-state', 'state/key'],
      ['home/linked', 'state'],
      ['home/to-evals', 'work/evals'],
      ['home/to-data', 'home/data'],
      ['home/bin/linked', 'work/bin/tool'],
      ['home/bin-of-work', 'work/bin'],
    ] as const;
    for (const [link, to] of links) await symlink(at(to), at(link));
    const kept = [at('work'), at('state')];
    const settings = {
      seccomp: at('sandbox/apply-seccomp'),
      denied: ['/var/tmp', at('home'), ...kept],
      kept,
      sealed: [at('state')],
      home: at('home'),
      attempts: at('sandbox/attempts'),
      own: at('sandbox/own'),
    };
    await work(at, (reads, more) => readRules(aScript('', { reach: { reads }, ...more }), settings));
  });
}

function isRead(reads: readonly string[]): boolean {
  return z.object(declaredReach).safeParse({ reads }).success;
}
