import assert from 'node:assert/strict';
import { sessionRedactor } from '../../../../src/app/harvest/redactSession.js';
import { createRedactor } from '../../../../src/redaction/redactor.js';
import { aSession } from '../../../builders/someSessions.js';

describe('a session without its secrets', () => {
  it('holds none in names that somebody chose, the folder among them', () => {
    const secret = 'Zq18Wm7Kt4Yx9R';
    const folder = `/home/user/password=${secret}`;
    const session = aSession('one', [{ asked: 'Write notes.', skills: [`password=${secret}`] }], {
      folder,
      realFolder: '',
      git: { commit: undefined, branch: `password=${secret}` },
    });
    const redacted = JSON.stringify(sessionRedactor(createRedactor({ key: 'k' }))(session, { realFolder: folder }));
    assert.ok(!redacted.includes(secret), redacted);
    assert.match(redacted, /\/home\/user\/password=/u);
  });
});
