import assert from 'node:assert/strict';
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeUserState, type Surroundings, userStateFolder } from '../../../../src/storage/state/userState.js';
import { aMachine, scrapMachines } from '../../../builders/storage.js';

describe('the user state folder', () => {
  after(scrapMachines);

  const table: readonly { name: string; where: Surroundings; folder: string }[] = [
    { name: 'Linux', where: at('linux'), folder: '/home/ann/.local/state/whetstone' },
    { name: 'Linux with XDG_STATE_HOME', where: at('linux', { XDG_STATE_HOME: '/x' }), folder: '/x/whetstone' },
    {
      name: 'Linux with a relative XDG_STATE_HOME, which the standard says to ignore',
      where: at('linux', { XDG_STATE_HOME: 'x' }),
      folder: '/home/ann/.local/state/whetstone',
    },
    { name: 'macOS', where: at('darwin'), folder: '/home/ann/Library/Application Support/Whetstone' },
    { name: 'Windows', where: at('win32', { LOCALAPPDATA: '/c/local' }), folder: '/c/local/Whetstone' },
    { name: 'Windows without LOCALAPPDATA', where: at('win32'), folder: '/home/ann/AppData/Local/Whetstone' },
    { name: 'WHETSTONE_HOME', where: at('darwin', { WHETSTONE_HOME: '/w' }), folder: '/w' },
    {
      name: 'an empty WHETSTONE_HOME',
      where: at('linux', { WHETSTONE_HOME: '' }),
      folder: '/home/ann/.local/state/whetstone',
    },
  ];
  for (const { name, where, folder } of table) {
    it(`lies in its place: ${name}`, () => assert.equal(userStateFolder(where), folder));
  }

  it('refuses a relative WHETSTONE_HOME instead of guessing', () => {
    assert.throws(() => userStateFolder(at('linux', { WHETSTONE_HOME: 'state' })), { code: 'store-unusable' });
  });

  it('is closed to others, also when it was open before', async () => {
    const { home } = await aMachine();
    const folder = path.join(home, 'state');
    await mkdir(folder, { mode: 0o755 });
    await chmod(folder, 0o755);
    await makeUserState({ environment: { WHETSTONE_HOME: folder }, platform: 'linux', home });
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
  });

  it('says what to do where it cannot be made', async () => {
    const { home } = await aMachine();
    await writeFile(path.join(home, 'file'), '');
    const environment = { WHETSTONE_HOME: path.join(home, 'file', 'state') };
    await assert.rejects(makeUserState({ environment, platform: 'linux', home }), {
      code: 'store-unusable',
      cure: 'Set WHETSTONE_HOME to a folder of your own that can be written to.',
    });
  });
});

function at(platform: NodeJS.Platform, environment: Surroundings['environment'] = {}): Surroundings {
  return { platform, environment, home: '/home/ann' };
}
