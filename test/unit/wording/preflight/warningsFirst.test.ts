import assert from 'node:assert/strict';
import { warningsFirst } from '../../../../src/wording/preflight/warningsFirst.js';

describe('what is told before a run', () => {
  it('begins with what keeps it from working, which is told once', () => {
    const told = { caps: ['unheld', 'too low'], notes: ['weak', 'too short', 'redacted'] };
    assert.deepEqual(warningsFirst({ ...told, cannotWork: ['too short', 'too low'] }), {
      first: ['too short', 'too low'],
      caps: ['unheld'],
      notes: ['weak', 'redacted'],
    });
    assert.deepEqual(warningsFirst(told), { first: [], ...told });
  });
});
