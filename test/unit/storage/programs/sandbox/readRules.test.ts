import assert from 'node:assert/strict';
import * as z from 'zod';
import { declaredReach } from '../../../../../src/tasks/readers/declaredReach.js';
import { canBeClosed, installRoot } from '../../../../../src/storage/programs/sandbox/readRules.js';

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
  assert.ok(!isRead(Array.from({ length: 51 }, (_, index) => `/srv/${index}`)));
});

function isRead(reads: readonly string[]): boolean {
  return z.object(declaredReach).safeParse({ reads }).success;
}
