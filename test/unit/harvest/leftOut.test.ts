import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { sift } from '../../../src/harvest/leftOut.js';
import { liesIn } from '../../../src/harvest/scope.js';
import type { Session } from '../../../src/harvest/session.js';
import { anExchange, nothingCounted } from './readFixture.js';

describe('the folder of a session', () => {
  const places: readonly (readonly [wanted: string, folder: string | undefined, isIn: boolean])[] = [
    ['/home/user/shop', '/home/user/shop', true],
    ['/home/user/shop', '/home/user/shop/', true],
    ['/home/user/shop/', '/home/user/shop/src/a', true],
    ['/home/user/shop', '/home/user', false],
    ['/home/user/shop', '/home/user/shop-old', false],
    ['/home/user/shop', '/home/user/shop/../other', false],
    ['/home/user/shop', '/home/user/Shop', false],
    ['/home/user/shop', '', false],
    ['/home/user/shop', undefined, false],
    ['/home/user/shop', '.', false],
    ['/home/user/shop', 'shop', false],
    ['', '/home/user/shop', false],
    ['', '', false],
    ['/', '/home/user/shop', true],
    ['C:\\Users\\user\\shop', 'c:\\users\\USER\\Shop\\src', true],
    ['C:\\Users\\user\\shop', 'C:/Users/user/shop', true],
    ['C:\\Users\\user\\shop', '\\\\?\\C:\\Users\\user\\shop', true],
    ['C:\\Users\\user\\shop', 'D:\\Users\\user\\shop', false],
    ['C:\\Users\\user\\shop', 'C:\\Users\\user', false],
    ['C:\\Users\\user\\shop', 'C:Users\\user\\shop', false],
    ['C:\\Users\\user\\shop', '/Users/user/shop', false],
    ['\\\\server\\share\\shop', '\\\\SERVER\\share\\shop\\a', true],
    ['\\\\server\\share\\shop', '\\\\server\\other\\shop', false],
  ];
  for (const [wanted, folder, isIn] of places)
    it(`${JSON.stringify(folder)} lies ${isIn ? '' : 'not '}in ${JSON.stringify(wanted)}`, () =>
      assert.equal(liesIn(wanted, folder), isIn));

  it('lies in itself and above nothing that lies in it', () => {
    const name = fc.stringMatching(/^[a-z]{1,5}$/u);
    fc.assert(
      fc.property(fc.array(name, { minLength: 1 }), fc.array(name, { minLength: 1 }), (above, below) => {
        for (const [start, between] of [['/', '/'] as const, ['C:\\', '\\'] as const]) {
          const [outer, inner] = [above, [...above, ...below]].map((names) => start + names.join(between));
          assert.ok(liesIn(outer ?? '', outer) && liesIn(outer ?? '', inner) && !liesIn(inner ?? '', outer));
        }
      }),
    );
  });
});

describe('sessions of which nothing is taken', () => {
  const asked = anExchange('Do it.', 'Done.', { by: 'person' });
  const session: Session = {
    source: 'codex',
    id: 'a',
    kind: 'main',
    folder: '/link/shop',
    git: { commit: undefined, branch: undefined },
    started: 1,
    ended: 2,
    exchanges: [asked],
    counts: nothingCounted,
  };
  const scope = { folders: ['/home/user/other', '/home/user/shop'], realFolder: '/home/user/shop' };

  it('are told with the reason', () => {
    const why = (changed: Partial<Session>, realFolder: string | undefined = scope.realFolder): unknown => {
      const sifted = sift({ ...session, ...changed }, { ...scope, realFolder });
      return sifted.kind === 'kept' ? 'kept' : sifted.why;
    };
    assert.equal(why({}), 'kept');
    assert.equal(why({ kind: 'own-call' }), 'own-call');
    assert.equal(why({ kind: 'sub-agent' }), 'sub-agent');
    assert.equal(why({ folder: undefined }), 'no-folder');
    assert.equal(why({ folder: '' }), 'no-folder');
    assert.equal(why({}, '/home/user'), 'other-folder');
    assert.equal(sift(session, { ...scope, realFolder: undefined }).kind, 'left-out');
    assert.equal(sift(session, { ...scope, folders: [] }).kind, 'left-out');
    assert.equal(why({ exchanges: [] }), 'nothing-asked');
    assert.equal(why({ exchanges: [{ ...asked, by: 'program' }] }), 'headless');
  });

  it('leave the requests of persons in a session that a script used too', () => {
    const sifted = sift({ ...session, exchanges: [{ ...asked, by: 'program' }, asked] }, scope);
    assert.deepEqual(sifted, { kind: 'kept', session });
  });
});
